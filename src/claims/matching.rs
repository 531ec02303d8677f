//! Sentences held against the words of the languages.

use super::language::Force;
use super::plain::plain;
use super::prose::{Sentence, TEXT_LIMIT, sentences};
use super::qualified::{Qualified, is_test_file, qualified};
use super::ready::{LANGUAGES, Ready};
use super::{Claim, Found, Kind};
use regex::Regex;
use std::borrow::Cow;

/// The most sentences of one text that are looked at.
const SENTENCE_LIMIT: usize = 4000;
/// Longer sentences are lists of something, or no sentences.
const LENGTH_LIMIT: usize = 1200;

/// Stands for a mark behind a short label.
const CHECKED: &str = "CHECKED";

/// The most names that are kept of a text.
const NAMES_LIMIT: usize = 24;

/// Keeps what a sentence names that does not say that it passes.
fn note_names(sentence: &Sentence, found: &mut Found) {
    // *A fixture*, *the password*, *a resolver* say nothing of the kind.
    const PASSING: [&str; 12] =
        ["pass", "passes", "passed", "passing", "green", "fix", "fixed", "fixes", "works", "working", "resolved", "resolves"];
    let passing = |word: &str| PASSING.contains(&word) || word.starts_with("succe");
    if sentence.names.is_empty() || sentence.text.split(|each: char| !each.is_alphanumeric()).any(passing) {
        return;
    }
    for name in &sentence.names {
        let last = name.rsplit(['/', '\\', ' ']).next().unwrap_or(name);
        let last = last.rsplit("::").next().unwrap_or(last).trim_end_matches("()");
        if !last.is_empty() && found.names.len() < NAMES_LIMIT && !found.names.iter().any(|known| known == last) {
            found.names.push(last.to_owned());
        }
    }
}

/// What `text` claims.
pub fn find(text: &str) -> Found {
    let mut all = sentences(text);
    let mut found = Found { cut: text.len() > TEXT_LIMIT || all.len() > SENTENCE_LIMIT, ..Found::default() };
    all.truncate(SENTENCE_LIMIT);
    // *Build ✅*: the mark stands for the word.
    let checked = |sentence: &Sentence| Sentence { text: format!("{} {CHECKED}", sentence.text), ..sentence.clone() };
    let marked: Vec<Sentence> = all.iter().filter(|sentence| sentence.checked).map(checked).collect();
    for sentence in all.iter().chain(&marked) {
        for language in LANGUAGES.iter() {
            if sentence.text.len() <= LENGTH_LIMIT && language.hints.is_match(&sentence.text) {
                judge(sentence, language, &mut found);
            }
        }
    }
    if !found.claims.is_empty() {
        for sentence in &all {
            note_names(sentence, &mut found);
        }
    }
    if found.claims.iter().any(|claim| claim.firm) {
        let lower = text.to_lowercase();
        let lower = plain(&lower);
        let recovered = LANGUAGES.iter().any(|language| language.recovery.is_match(&lower));
        found.claims.iter_mut().for_each(|claim| claim.firm &= !recovered);
    }
    found
}

fn judge(sentence: &Sentence, language: &Ready, found: &mut Found) {
    let narrow;
    let sentence = if sentence.text.is_ascii() && sentence.heading.is_ascii() {
        sentence
    } else {
        narrow = Sentence { text: plain(&sentence.text).into_owned(), heading: plain(&sentence.heading).into_owned(), ..sentence.clone() };
        &narrow
    };
    // *Committed as 1f0c2ab, want me to push?* asks, and says something before it does.
    let closing = language.closing.find(&sentence.text).filter(|closing| closing.start() > 0);
    let text = closing.map_or(sentence.text.as_str(), |closing| &sentence.text[..closing.start()]);
    let conditional = language.conditions.is_match(text);
    let asks = sentence.asks && closing.is_none();
    if !conditional && !asks {
        found.names_failure = found.names_failure
            || sentence.text.split(';').any(|clause| {
                let calmed = language.no_failures.replace_all(clause, " ");
                language.failures.is_match(&calmed) && language.failure_matter.is_match(&calmed)
            });
        found.names_skips = found.names_skips || language.skips.is_match(&sentence.text);
    }
    let planned = language.plan_headings.is_match(&sentence.heading);
    if conditional || asks || planned {
        return;
    }
    let mut previous = "";
    for (number, (clause, label)) in clauses(text, language).into_iter().enumerate() {
        // *Before: all tests passed.* The label says of what time the rest speaks.
        if number == 0 && label && language.plan_headings.is_match(clause) {
            return;
        }
        let spelled = spelled_out(clause, previous, language);
        previous = clause;
        let clause = spelled.as_deref().unwrap_or(clause);
        let trimmed = clause.trim();
        let body = match language.intro.find(trimmed) {
            // *OK (142 tests, 391 assertions)* is no introduction.
            Some(intro) if intro.end() < trimmed.len() && intro.as_str().matches('(').count() == intro.as_str().matches(')').count() => {
                &trimmed[intro.end()..]
            }
            _ => trimmed,
        };
        let kinds = language.needs.may_be_in(body);
        for (kind, force, pattern) in language.claims.iter().filter(|(kind, ..)| kinds[*kind as usize]) {
            // A heading claims nothing; *I made two commits:* does.
            let own = sentence.heads
                && matches!(kind, Kind::Committed | Kind::Pushed)
                && (language.selves.is_match(clause) || language.finite.is_match(clause));
            if sentence.heads && !own {
                continue;
            }
            if label && !matches!(kind, Kind::TestsPass | Kind::BuildOk | Kind::Blocked) {
                continue;
            }
            if let Some(claim) = matched(trimmed, body, (*kind, *force, pattern), sentence, language) {
                add(claim, found);
            }
        }
    }
}

/// *I ran the tests, and they pass*: the clause with what its first word stands for. What was only planned is nothing yet.
fn spelled_out(clause: &str, previous: &str, language: &Ready) -> Option<String> {
    let pronoun = language.pronouns.find(clause.trim_start())?;
    let matter = language.matters.find_iter(previous).last()?;
    let planned = language.plans.is_match(&language.past.replace_all(previous, " "));
    let denied = language.negations.is_match(&language.harmless.replace_all(previous, " "));
    (!planned && !denied).then(|| format!("{}{}", matter.as_str(), &clause.trim_start()[pronoun.end()..]))
}

/// The clauses of a sentence, and whether each is a short label before a colon. What names tests or a build
/// goes on behind its colon.
fn clauses<'s>(text: &'s str, language: &Ready) -> Vec<(&'s str, bool)> {
    let mut parts = Vec::new();
    let mut start = 0;
    for joint in language.clauses.find_iter(text) {
        let clause = &text[start..joint.start()];
        if joint.as_str() == ": " {
            let last = clause.rsplit(' ').next().unwrap_or_default();
            let subject = matches!(
                last,
                "tests"
                    | "test"
                    | "suite"
                    | "build"
                    | "specs"
                    | "TEST"
                    | "BUILD"
                    | "results"
                    | "run"
                    | "commit"
                    | "status"
                    | "committed"
                    | "pushed"
                    | "HASH"
            );
            // *New commit: 1f0c2ab*, *It is live: https://…*: what is named goes on behind the colon.
            let behind = &text[joint.end()..];
            let words = clause.split(' ').count();
            let names = clause.contains("commit") && behind.starts_with("HASH")
                || words >= 2 && ["CODE", "VER", "PATH"].iter().any(|name| behind.starts_with(name));
            if subject || names {
                continue;
            }
            parts.push((clause, words <= 3 && !clause.contains("HASH")));
        } else {
            parts.push((clause, false));
        }
        // *which* is the subject of what follows.
        start = joint.end() - if joint.as_str().ends_with("which") { "which".len() } else { 0 };
    }
    parts.push((&text[start..], false));
    parts.retain(|(part, _)| !part.trim().is_empty());
    parts
}

/// The claim of `clause`, if the pattern matches its `body`: what stands behind its introduction.
fn matched(
    clause: &str,
    body: &str,
    (kind, force, pattern): (Kind, Force, &Regex),
    sentence: &Sentence,
    language: &Ready,
) -> Option<Claim> {
    let hit = pattern.find(body)?;
    // What comes before the comma may say of what time or tree the rest speaks.
    let denied = if matches!(kind, Kind::TestsPass | Kind::BuildOk) { clause } else { body };
    if language.denials.iter().any(|(of, denial)| *of == kind && denial.is_match(denied)) {
        return None;
    }
    let before = &body[..hit.start()];
    let region = &body[..hit.end()];
    // *Nothing to lint and the tests pass*: what stands before the joint denies nothing behind it.
    let own = match language.joint.find_iter(before).last() {
        Some(joint) if !hit.as_str().ends_with("ing") => &region[joint.start()..],
        _ => region,
    };
    if kind != Kind::Blocked {
        if language.plans.is_match(&language.past.replace_all(&without_brackets(region, hit.start()), " ")) {
            return None;
        }
        let calmed = language.harmless.replace_all(own, " ");
        if language.negations.is_match(&calmed) {
            return None;
        }
    }
    if language.reported.is_match(before) {
        return None;
    }
    let others = if matches!(kind, Kind::TestsPass | Kind::BuildOk | Kind::Blocked) { &language.test_others } else { &language.others };
    let last = |regex: &Regex, text: &str| regex.find_iter(text).last().map(|found| found.start());
    let before = language.asked.replace_all(before, |asked: &regex::Captures<'_>| " ".repeat(asked[0].len()));
    let passive = ["is ", "are ", "was ", "were ", "has been ", "have been "].iter().any(|verb| hit.as_str().starts_with(verb));
    let object = passive && !sentence.hashes.is_empty() && language.things.is_match(before.trim_end());
    if let Some(other) = last(others, &before)
        && !object
        && last(&language.selves, region).is_none_or(|own| own < other)
    {
        return None;
    }
    let act = (kind == Kind::Blocked)
        .then(|| language.acts.iter().find(|(_, pattern)| pattern.is_match(hit.as_str())).map(|(kind, _)| *kind))
        .flatten();
    // *I ran the checker tests and they all pass*: it is said who *they* are.
    let who = language.these.replace_all(own, " ");
    let named_before = matches!(kind, Kind::TestsPass) && language.test_nouns.is_match(&who) && who.len() < own.len();
    let scoped = language.scoped.is_match(if named_before { &who } else { own });
    // *12 tests pass* may leave others out; *12 passed, 0 failed* does not.
    let whole = kind == Kind::TestsPass && !scoped && language.whole.is_match(body);
    let some = hit.as_str().starts_with(|first: char| first.is_ascii_digit()) || language.counted.is_match(body);
    let counted = kind == Kind::TestsPass && !whole && some && !language.harmless.is_match(body) && !is_all_of(body);
    if force == Force::Files && !sentence.names.iter().any(|name| is_test_file(name)) {
        return None;
    }
    let checked = matches!(kind, Kind::TestsPass | Kind::BuildOk);
    let introduced = &clause[..clause.len() - body.len()];
    let qualified = if checked { qualified(kind, introduced, body, &hit, sentence, language) } else { Qualified::No };
    let (matters, particular) = match &qualified {
        Qualified::By(matters) => (matters.clone(), true),
        // A file that passes is one that a run was aimed at.
        _ if force == Force::Files => (sentence.names.clone(), true),
        // *test_colors.py: all 253 tests pass.*
        Qualified::No if sentence.names.len() == 1 && is_test_file(&sentence.names[0]) => (sentence.names.clone(), false),
        _ => (language.named.find(body).map(|named| vec![first_word(named.as_str()).to_owned()]).unwrap_or_default(), false),
    };
    Some(Claim {
        kind,
        matters: if checked { matters } else { Vec::new() },
        particular,
        line: sentence.line,
        whole: whole || kind == Kind::TestsPass && is_all_of(body),
        partial: language.partial.is_match(body) || language.exceptions.is_match(&sentence.text) || is_fraction(body),
        counted,
        count: (kind == Kind::TestsPass).then(|| only_number(body)).flatten(),
        // *All four packages pass* may be said of a linter, whose name stands elsewhere.
        qualified: qualified == Qualified::Yes || force == Force::Weak && PARTS.iter().any(|part| hit.as_str().contains(part)),
        own_part: language.own_part.is_match(body),
        formerly: kind == Kind::TestsPass && language.formerly.is_match(body),
        named: language.named.is_match(body),
        weak: force == Force::Weak,
        pipeline: force == Force::Pipeline || language.pipeline.is_match(body),
        empty: language.empty.is_match(&sentence.text),
        act,
        // *Could not push to main* may be so although the work was pushed to a branch.
        firm: kind == Kind::Blocked
            && MODAL.iter().any(|word| hit.as_str().starts_with(word))
            && language.whole_object.is_match(&body[hit.end()..]),
        scoped,
        hashes: sentence.hashes.clone(),
        of_hash: kind == Kind::Committed && body.strip_prefix("commit ").unwrap_or(body).starts_with("HASH"),
        // *Pushed to my branch, main does not take it*: which of two a word of denial is of is not known.
        targets: sentence.targets.clone(),
        sent_to: if kind == Kind::Pushed && !language.negations.is_match(body) { sent_to(body, language) } else { Vec::new() },
        paths: sentence.paths.clone(),
        subject: match (kind, &sentence.names[..], &sentence.hashes[..]) {
            (Kind::Committed, [name], []) if language.subject.is_match(body) => vec![name.clone()],
            _ => Vec::new(),
        },
    })
}

/// `region` without what stands in brackets before `end`: *it builds (two warnings that were there before) and all tests pass*.
fn without_brackets(region: &str, end: usize) -> Cow<'_, str> {
    match (region[..end].find('('), region[..end].rfind(')')) {
        (Some(open), Some(close)) if open < close => Cow::Owned(format!("{}{}", &region[..open], &region[close + 1..])),
        _ => Cow::Borrowed(region),
    }
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

/// Words that say that something was impossible, not that it went wrong once.
const MODAL: [&str; 11] = [
    "could not",
    "couldn't",
    "cannot",
    "can't",
    "can not",
    "unable",
    "was not able",
    "were not able",
    "wasn't able",
    "weren't able",
    "not able",
];

/// What a summing-up counts that may be counted by a linter as well.
const PARTS: [&str; 5] = ["package", "crate", "module", "workspace", "subproject"];

/// The branches that stand right behind *pushed to*.
fn sent_to(body: &str, language: &Ready) -> Vec<String> {
    let Some(sent) = language.sent.captures(body) else { return Vec::new() };
    sent.iter().skip(1).flatten().map(|branch| branch.as_str().to_owned()).collect()
}

const SPELLED: [&str; 13] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// The number in `text`, if there is one and no other.
fn only_number(text: &str) -> Option<u64> {
    let words = text.split([' ', '(', ')', ',', ':', ';']);
    let number = |word: &str| match SPELLED.iter().position(|spelled| *spelled == word) {
        Some(spelled) => Some(spelled as u64),
        None => word.parse::<u64>().ok(),
    };
    let mut numbers = words.filter(|word| word.bytes().any(|byte| byte.is_ascii_digit()) || SPELLED.contains(word)).map(number);
    let first = numbers.next()??;
    numbers.next().is_none().then_some(first)
}

/// `12/12`: all.
fn is_all_of(text: &str) -> bool {
    text.split([' ', '(', ')', ','])
        .filter_map(|word| word.split_once('/'))
        .any(|(part, all)| part == all && part.parse::<u64>().is_ok_and(|count| count > 0))
}

/// `10/12`, `10 of 12`: less than all.
fn is_fraction(text: &str) -> bool {
    let words: Vec<&str> = text.split([' ', '(', ')', ',']).collect();
    let spelled = |word: &str| SPELLED.iter().position(|known| *known == word).map(|number| number as u64);
    let number = |word: &str| word.parse::<u64>().ok().or_else(|| spelled(word));
    let slashed = words.iter().filter_map(|word| word.split_once('/')).filter_map(|(part, all)| Some((number(part)?, number(all)?)));
    let spoken = words.windows(3).filter(|three| three[1] == "of").filter_map(|three| Some((number(three[0])?, number(three[2])?)));
    let of_the =
        words.windows(4).filter(|four| four[1] == "of" && four[2] == "the").filter_map(|four| Some((number(four[0])?, number(four[3])?)));
    slashed.chain(spoken).chain(of_the).any(|(part, all)| part < all)
}

/// One claim of a kind is enough; a plain one stands before a weak one, a full one before a partial one.
fn add(claim: Claim, found: &mut Found) {
    match found.claims.iter_mut().find(|known| known.kind == claim.kind) {
        None => found.claims.push(claim),
        Some(known) => {
            let rank = |claim: &Claim| (claim.weak, claim.partial || claim.counted, claim.pipeline);
            let mut hashes = claim.hashes.clone();
            hashes.retain(|hash| !known.hashes.contains(hash));
            if rank(&claim) < rank(known) {
                *known = claim;
            } else {
                known.whole |= claim.whole && !claim.weak;
                known.scoped &= claim.scoped;
                known.empty |= claim.empty;
                known.act = known.act.or(claim.act);
                known.hashes.extend(hashes);
                known.subject.extend(claim.subject);
                known.subject.truncate(NAMES_LIMIT);
            }
        }
    }
}
