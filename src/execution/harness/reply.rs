//! The child's side: what each fixed program prints, and its exit code.

use crate::json::{Value, parse, to_line};
use std::collections::BTreeMap;

/// What the noop harness prints.
pub const NOOP_MARKER: &str = "controlled-noop-ok";
/// What the repair noop harness prints.
pub const REPAIR_NOOP_MARKER: &str = "controlled-repair-noop-ok";
/// What the guarded repair harness prints first.
pub const GUARDED_REPAIR_MARKER: &str = "guarded-repair-execution-ok";
/// What the post-repair verifier prints when the lists agree.
pub const POST_REPAIR_MARKER: &str = "post-repair-evidence-ok";

/// What a program prints on standard output, and whether it ends well (exit code 0) or not (1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Whole lines.
    pub text: String,
    /// Whether the exit code is 0.
    pub passed: bool,
}

/// Why a program has no reply: it was started with words that no runner hands over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// The word to print is another one.
    #[error("the only word to print is the marker")]
    OtherMarker,
    /// There is no target.
    #[error("no target was named")]
    NoTarget,
    /// Not an object with the two lists of texts.
    #[error("the argument is no object with the lists 'expected' and 'completed'")]
    NoLists,
}

/// The noop harness and the repair noop harness: print `marker`, and only that.
///
/// # Errors
/// `word` is not the marker.
pub fn noop(word: &str, marker: &str) -> Result<Reply, WordsError> {
    if word != marker {
        return Err(WordsError::OtherMarker);
    }
    Ok(Reply { text: format!("{marker}\n"), passed: true })
}

/// The guarded repair harness: the marker, and one line of JSON that names each target with `status` `completed`. It repairs nothing.
///
/// # Errors
/// There is no target.
pub fn guarded_repair(targets: &[String]) -> Result<Reply, WordsError> {
    if targets.is_empty() {
        return Err(WordsError::NoTarget);
    }
    let results: Vec<_> = targets.iter().map(|target| BTreeMap::from([("status", "completed"), ("target", target)])).collect();
    Ok(Reply { text: format!("{GUARDED_REPAIR_MARKER}\n{}\n", to_line(&results)), passed: true })
}

/// The post-repair verifier: whether the lists name the same targets, each as often, at least one.
/// The order of a list is no evidence. Otherwise one line of JSON names the differences, sorted.
///
/// # Errors
/// `argument` is no object with exactly two lists of texts.
pub fn post_repair_evidence(argument: &str) -> Result<Reply, WordsError> {
    let value = parse(argument.as_bytes()).map_err(|_| WordsError::NoLists)?;
    if value.members().len() != 2 {
        return Err(WordsError::NoLists);
    }
    let (expected, completed) = (sorted(&value, "expected")?, sorted(&value, "completed")?);
    if !expected.is_empty() && expected == completed {
        return Ok(Reply { text: format!("{POST_REPAIR_MARKER}\n"), passed: true });
    }
    let differences = BTreeMap::from([("missing", without(&expected, &completed)), ("unexpected", without(&completed, &expected))]);
    Ok(Reply { text: format!("{}\n", to_line(&differences)), passed: false })
}

fn sorted<'v>(value: &'v Value<'_>, name: &str) -> Result<Vec<&'v str>, WordsError> {
    let elements = value.get(name).and_then(Value::elements).ok_or(WordsError::NoLists)?;
    let mut texts: Vec<&str> = elements.iter().map(Value::as_str).collect::<Option<_>>().ok_or(WordsError::NoLists)?;
    texts.sort_unstable();
    Ok(texts)
}

/// What sorted `these` have more often than sorted `those`.
fn without<'v>(these: &[&'v str], those: &[&'v str]) -> Vec<&'v str> {
    let mut those = those.iter().peekable();
    let is_missing = |one: &&&'v str| {
        while those.next_if(|other| *other < *one).is_some() {}
        those.next_if(|other| other == one).is_none()
    };
    these.iter().filter(is_missing).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(argument: &str) -> Result<Reply, WordsError> {
        post_repair_evidence(argument)
    }

    #[test]
    fn a_noop_prints_its_marker_and_knows_no_other_word() {
        assert_eq!(noop("controlled-noop-ok", NOOP_MARKER), Ok(Reply { text: "controlled-noop-ok\n".to_owned(), passed: true }));
        assert_eq!(noop("rm -rf /", NOOP_MARKER), Err(WordsError::OtherMarker));
    }

    #[test]
    fn a_guarded_repair_names_each_target_on_one_line() {
        let targets = ["a\nb".to_owned(), "x; touch X".to_owned()];
        let text = "guarded-repair-execution-ok\n[{\"status\":\"completed\",\"target\":\"a\\nb\"},{\"status\":\"completed\",\"target\":\"x; touch X\"}]\n";
        assert_eq!(guarded_repair(&targets).unwrap().text, text);
        assert_eq!(guarded_repair(&[]), Err(WordsError::NoTarget));
    }

    #[test]
    fn evidence_is_there_when_the_lists_name_the_same_targets() {
        let good = evidence(r#"{"expected":["b","a","a"],"completed":["a","b","a"]}"#).unwrap();
        assert_eq!(good, Reply { text: "post-repair-evidence-ok\n".to_owned(), passed: true });
        for (argument, text) in [
            (r#"{"expected":["a","b"],"completed":["a"]}"#, r#"{"missing":["b"],"unexpected":[]}"#),
            (r#"{"expected":["a"],"completed":["c","a","a"]}"#, r#"{"missing":[],"unexpected":["a","c"]}"#),
            (r#"{"expected":[],"completed":[]}"#, r#"{"missing":[],"unexpected":[]}"#),
            (r#"{"expected":["a"],"completed":["A"]}"#, r#"{"missing":["a"],"unexpected":["A"]}"#),
        ] {
            assert_eq!(evidence(argument).unwrap(), Reply { text: format!("{text}\n"), passed: false });
        }
    }

    #[test]
    fn what_is_no_pair_of_lists_is_no_evidence() {
        for argument in [
            "",
            "[]",
            "{}",
            r#"{"expected":["a"]}"#,
            r#"{"expected":["a"],"completed":"a"}"#,
            r#"{"expected":[1],"completed":[1]}"#,
            r#"{"expected":["a"],"completed":["a"],"more":1}"#,
            r#"{"expected":["a"],"expected":["a"],"completed":["a"]}"#,
        ] {
            assert_eq!(evidence(argument), Err(WordsError::NoLists), "{argument}");
        }
    }
}
