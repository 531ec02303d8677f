//! The answer of `landfall audit`, read strictly, as a part of a report.
//!
//! Claims are the source; what the answer counts must be what they add up to. Members that say what was read
//! beside them may be of any shape, since they are carried into no verdict but the one: whether anything was read.

use super::{Item, ItemKind, Outcome, Part, PartKind, Place, RecordFile, Remark, Shown, Tally, Verdict};
use crate::finding::Support;
use crate::json::{Value, hex, parse};
use crate::landing::record::SupportCounts;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Why an answer is not reported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The text is no strict JSON.
    #[error("the audit answer is not strict JSON: {0}")]
    Text(String),
    /// A member is missing, unknown, or of another type; the place is a pointer without any text of the answer.
    #[error("the audit answer has another shape at {0}")]
    Shape(String),
    /// The counts are not those of the claims.
    #[error("the audit answer counts other claims than it lists")]
    Counts,
}

/// A part, and whether anything was read for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The part.
    pub part: Part,
    /// No session was read and nothing was claimed: there is nothing to report.
    pub nothing_read: bool,
}

const KINDS: [&str; 7] = ["committed", "pushed", "tests_pass", "build_ok", "released", "done", "blocked"];
const ANSWERS: [(&str, Support); 3] =
    [("supported", Support::Supported), ("contradicted", Support::Contradicted), ("not_shown", Support::NotShown)];
/// The most codes of one claim, and the most characters of what would show it: a reason repeats both.
const CODES: usize = 32;
/// See [`CODES`].
const WOULD_SHOW: usize = 300;
/// What an answer does not show, whatever it says.
const ANTI_CLAIM: &str =
    "an audit shows that a recorded session did or did not support its own words; it does not prove that the record is whole";

/// Whether `value` looks like the answer of an audit.
pub fn is_answer(value: &Value<'_>) -> bool {
    value.get("claims").is_some()
}

/// Reads an answer.
///
/// # Errors
/// Any doubt about its shape, and counts that do not follow from the claims.
pub fn read(bytes: &[u8]) -> Result<Answered, AnswerError> {
    let value = parse(bytes).map_err(|fault| AnswerError::Text(fault.describe()))?;
    if !value.is_object() {
        return Err(shape(""));
    }
    let known = ["claims", "counts", "schema_version", "tool", "read", "not_read", "record_digest"];
    if value.members().iter().any(|(key, _)| !known.contains(&&**key)) {
        return Err(shape("/ (a member of another name)"));
    }
    let mut items = Vec::new();
    let mut counted: BTreeMap<(String, &str), u64> = BTreeMap::new();
    let claims = value.get("claims").and_then(Value::elements).ok_or_else(|| shape("/claims"))?;
    for (index, claim) in claims.iter().enumerate() {
        let (item, kind, answer) = item(claim, &format!("/claims/{index}"))?;
        *counted.entry((kind.to_owned(), answer)).or_default() += 1;
        items.push(item);
    }
    let counts = value.get("counts").filter(|counts| counts.is_object()).ok_or_else(|| shape("/counts"))?;
    check_counts(counts, &counted)?;
    let mut support = SupportCounts::default();
    for ((_, answer), count) in &counted {
        match *answer {
            "supported" => support.supported += count,
            "contradicted" => support.contradicted += count,
            _ => support.not_shown += count,
        }
    }
    let verdict = match support {
        counts if counts.contradicted > 0 => Verdict::Blocked,
        counts if counts.not_shown > 0 || counts.supported == 0 => Verdict::NotShown,
        _ => Verdict::Pass,
    };
    let all = claims.len() as u64;
    let mut tallies = vec![Tally { label: Shown::text("claims supported"), count: support.supported, of: all }];
    for kind in KINDS {
        let of_kind = |answer: &'static str| counted.get(&(kind.to_owned(), answer)).copied().unwrap_or_default();
        let of: u64 = ANSWERS.iter().map(|(answer, _)| of_kind(answer)).sum();
        if of > 0 {
            let label = Shown::text(&format!("\u{201c}{}\u{201d} supported", super::describe::words(kind)));
            tallies.push(Tally { label, count: of_kind("supported"), of });
        }
    }
    let read = value.get("read").or_else(|| counts.get("read"));
    let part = Part {
        kind: PartKind::Audit,
        judged_by: judged_by(&value),
        verdict,
        support,
        tallies,
        items,
        unlisted_subjects: 0,
        unlisted_findings: 0,
        inputs: Vec::new(),
        records: vec![RecordFile { name: Shown::text("audit.json"), sha256: hex(&Sha256::digest(bytes)) }],
        recomputed: Vec::new(),
        declared: vec![Shown::text("everything that the session records")],
        anti_claim: Shown::text(ANTI_CLAIM),
    };
    Ok(Answered { part, nothing_read: claims.is_empty() && read.is_none_or(is_nothing) })
}

fn shape(place: &str) -> AnswerError {
    AnswerError::Shape(if place.is_empty() { "its root".to_owned() } else { place.to_owned() })
}

fn item(claim: &Value<'_>, at: &str) -> Result<(Item, &'static str, &'static str), AnswerError> {
    let members = ["file", "line", "kind", "answer", "codes", "evidence", "would_show"];
    if !claim.is_object() || claim.members().iter().any(|(key, _)| !members.contains(&&**key)) {
        return Err(shape(at));
    }
    let text = |key: &str| claim.get(key).and_then(Value::as_str).ok_or_else(|| shape(&format!("{at}/{key}")));
    let kind = text("kind")?;
    let kind = KINDS.into_iter().find(|known| *known == kind).ok_or_else(|| shape(&format!("{at}/kind")))?;
    let answer = text("answer")?;
    let known = ANSWERS.into_iter().find(|(known, _)| *known == answer);
    let (answer, support) = known.ok_or_else(|| shape(&format!("{at}/answer")))?;
    let place = place(claim, at)?;
    let list = |key: &str| claim.get(key).and_then(Value::elements).ok_or_else(|| shape(&format!("{at}/{key}")));
    let would_show = text("would_show")?;
    if would_show.len() > WOULD_SHOW {
        return Err(shape(&format!("{at}/would_show")));
    }
    let would_show = Shown::text(would_show);
    let mut remarks = Vec::new();
    let codes = list("codes")?;
    if codes.len() > CODES {
        return Err(shape(&format!("{at}/codes")));
    }
    for (index, code) in codes.iter().enumerate() {
        let code = code.as_str().filter(|code| is_code(code)).ok_or_else(|| shape(&format!("{at}/codes/{index}")))?;
        remarks.push(Remark::new(code, &said(kind, support, Some(code), &would_show)));
    }
    if remarks.is_empty() && support != Support::Supported {
        let code = if support == Support::Contradicted { "CLAIM_CONTRADICTED" } else { "CLAIM_NOT_SHOWN" };
        remarks.push(Remark::new(code, &said(kind, support, None, &would_show)));
    }
    let mut evidence = Vec::new();
    for (index, spot) in list("evidence")?.iter().enumerate() {
        let at = format!("{at}/evidence/{index}");
        if spot.members().len() != 2 {
            return Err(shape(&at));
        }
        evidence.push(self::place(spot, &at)?);
    }
    let item = Item {
        kind: ItemKind::Claim,
        name: Shown::text(kind),
        place,
        says: Shown::text(&super::describe::words(kind)),
        support,
        outcome: match support {
            Support::Supported => Outcome::Accepted,
            Support::NotShown => Outcome::NotShown,
            Support::Contradicted | Support::Forbidden => Outcome::Refused,
        },
        remarks,
        evidence,
        would_show: Some(would_show),
    };
    Ok((item, kind, answer))
}

/// An answer in words: what, how far, why, and what it would take.
fn said(kind: &str, support: Support, code: Option<&str>, would_show: &Shown) -> String {
    let what = super::describe::words(kind);
    let why = code.map(|code| format!(" ({})", super::describe::words(code))).unwrap_or_default();
    match support {
        Support::Supported => format!("the claim \u{201c}{what}\u{201d} is supported, with a reservation{why}"),
        Support::NotShown => {
            format!("the claim \u{201c}{what}\u{201d} is not shown by what is recorded{why}; to show it takes {would_show}")
        }
        Support::Contradicted | Support::Forbidden => {
            format!("the claim \u{201c}{what}\u{201d} is contradicted by what is recorded{why}; to show it takes {would_show}")
        }
    }
}

fn place(value: &Value<'_>, at: &str) -> Result<Place, AnswerError> {
    let file = value.get("file").and_then(Value::as_str).ok_or_else(|| shape(&format!("{at}/file")))?;
    let line = value.get("line").and_then(Value::as_number).and_then(|number| number.as_str().parse::<u32>().ok());
    let line = line.ok_or_else(|| shape(&format!("{at}/line")))?;
    // A message counted from 0 is no line that an editor knows.
    Ok(Place { file: Shown::path(file), line: (line > 0).then_some(u64::from(line)) })
}

fn is_code(text: &str) -> bool {
    (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Each kind and answer that is counted is counted right, and each that occurs is counted.
fn check_counts(counts: &Value<'_>, counted: &BTreeMap<(String, &str), u64>) -> Result<(), AnswerError> {
    for kind in KINDS {
        let group = counts.get(kind);
        for (answer, _) in ANSWERS {
            let number = match group.and_then(|group| group.get(answer)) {
                None => 0,
                Some(value) => value
                    .as_number()
                    .and_then(|number| number.as_str().parse().ok())
                    .ok_or_else(|| shape(&format!("/counts/{kind}/{answer}")))?,
            };
            if number != counted.get(&(kind.to_owned(), answer)).copied().unwrap_or_default() {
                return Err(AnswerError::Counts);
            }
        }
    }
    Ok(())
}

fn judged_by(value: &Value<'_>) -> Option<[Shown; 2]> {
    let part = |key: &str| value.get("tool")?.get(key)?.as_str().map(Shown::text);
    Some([part("name")?, part("version")?])
}

/// Whether every number below is 0.
fn is_nothing(value: &Value<'_>) -> bool {
    match value {
        Value::Number(number) => number.as_str().bytes().all(|byte| matches!(byte, b'0' | b'.' | b'-')),
        Value::Object(members) => members.iter().all(|(_, value)| is_nothing(value)),
        Value::Array(elements) => elements.is_empty(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(answer: &str, codes: &str) -> String {
        format!(
            r#"{{"file":"s.jsonl","line":3,"kind":"tests_pass","answer":"{answer}","codes":{codes},"evidence":[{{"file":"s.jsonl","line":2}}],"would_show":"a run"}}"#
        )
    }

    fn answer(claims: &str, counts: &str) -> String {
        format!(r#"{{"claims":[{claims}],"counts":{{{counts}"read":{{"records":3}}}}}}"#)
    }

    #[test]
    fn the_verdict_follows_from_the_claims() {
        for (given, verdict) in [("supported", Verdict::Pass), ("not_shown", Verdict::NotShown), ("contradicted", Verdict::Blocked)] {
            let text = answer(&claim(given, "[]"), &format!(r#""tests_pass":{{"{given}":1}},"#));
            let read = read(text.as_bytes()).expect("it reads");
            assert_eq!(read.part.verdict, verdict);
            assert_eq!(read.part.items[0].remarks.is_empty(), given == "supported");
            assert!(!read.nothing_read);
        }
        let none = read(answer("", "").as_bytes()).expect("it reads");
        assert_eq!((none.part.verdict, none.nothing_read), (Verdict::NotShown, false), "no claim is not a pass");
        assert!(read(br#"{"claims":[],"counts":{"read":{"records":0}}}"#).expect("it reads").nothing_read);
    }

    #[test]
    fn counts_that_hide_a_claim_are_refused() {
        let good = answer(&claim("contradicted", "[]"), r#""tests_pass":{"contradicted":1,"supported":0},"#);
        assert!(read(good.as_bytes()).is_ok());
        for counts in ["", r#""tests_pass":{"contradicted":0},"#, r#""tests_pass":{"contradicted":1},"done":{"supported":1},"#] {
            assert_eq!(read(answer(&claim("contradicted", "[]"), counts).as_bytes()), Err(AnswerError::Counts), "{counts}");
        }
    }

    #[test]
    fn another_shape_is_refused_and_never_quoted() {
        for text in [
            "[]".to_owned(),
            r#"{"claims":[]}"#.to_owned(),
            r#"{"claims":{},"counts":{}}"#.to_owned(),
            r#"{"claims":[],"counts":{},"\u001b[31m":1}"#.to_owned(),
            answer(&claim("perhaps", "[]"), ""),
            answer(&claim("supported", r#"["a\u001bb"]"#), ""),
            answer(&claim("supported", "{}"), ""),
            answer(&claim("supported", &format!("[{}]", ["\"A\""; CODES + 1].join(","))), ""),
            answer(&claim("supported", "[]").replace("a run", &"x".repeat(WOULD_SHOW + 1)), ""),
            answer(&claim("supported", "[]").replace(":3,", ":-3,"), ""),
            answer(&claim("supported", "[]").replace(":3,", ":99999999999,"), ""),
            answer(&claim("supported", "[]").replace("\"file\":\"s.jsonl\",\"line\":2", "\"file\":\"s.jsonl\""), ""),
            answer(&claim("supported", "[]").replace("would_show", "would"), ""),
        ] {
            let error = read(text.as_bytes()).expect_err(&text);
            assert!(matches!(error, AnswerError::Shape(_)), "{text}: {error}");
            assert!(!error.to_string().contains('\u{1b}'));
        }
    }
}
