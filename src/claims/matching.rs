//! Sentences held against the words of the languages.
//!
//! Longer than most files: a claim is read by all of the words at once, which are made ready here.

use super::english::ENGLISH;
use super::language::{Force, Language};
use super::plain::{pattern, plain};
use super::prose::{Sentence, TEXT_LIMIT, sentences};
use super::{Claim, Found, Kind};
use aho_corasick::AhoCorasick;
use regex::Regex;
use std::sync::LazyLock;

/// A language with its patterns ready.
struct Ready {
    claims: Vec<(Kind, Force, Regex)>,
    denials: Vec<(Kind, Regex)>,
    acts: Vec<(Kind, Regex)>,
    hints: AhoCorasick,
    needs: Needs,
    closing: Regex,
    conditions: Regex,
    plans: Regex,
    past: Regex,
    asked: Regex,
    pronouns: Regex,
    matters: Regex,
    negations: Regex,
    harmless: Regex,
    others: Regex,
    test_others: Regex,
    selves: Regex,
    reported: Regex,
    whole: Regex,
    scoped: Regex,
    partial: Regex,
    own_part: Regex,
    whole_object: Regex,
    qualifiers: Regex,
    unqualified: Regex,
    apart: Regex,
    aimed: Regex,
    by_user: Regex,
    counted: Regex,
    test_nouns: Regex,
    build_nouns: Regex,
    generic_builds: Regex,
    generic: Regex,
    each: Regex,
    joint: Regex,
    finite: Regex,
    formerly: Regex,
    places: Regex,
    exceptions: Regex,
    named: Regex,
    pipeline: Regex,
    intro: Regex,
    failures: Regex,
    failure_matter: Regex,
    no_failures: Regex,
    skips: Regex,
    empty: Regex,
    recovery: Regex,
    clauses: Regex,
    plan_headings: Regex,
}

impl Ready {
    fn new(language: &Language) -> Self {
        let regex = pattern;
        Self {
            claims: language.claims.iter().map(|pattern| (pattern.kind, pattern.force, regex(pattern.text))).collect(),
            denials: language.denials.iter().map(|(kind, text)| (*kind, regex(text))).collect(),
            acts: language.acts.iter().map(|(kind, text)| (*kind, regex(text))).collect(),
            hints: AhoCorasick::new(language.hints).expect("the table is small"),
            needs: Needs::new(language.needs),
            closing: regex(language.closing),
            conditions: regex(language.conditions),
            plans: regex(language.plans),
            past: regex(language.past),
            asked: regex(language.asked),
            pronouns: regex(language.pronouns),
            matters: regex(language.matters),
            negations: regex(language.negations),
            harmless: regex(language.harmless),
            others: regex(language.others),
            test_others: regex(language.test_others),
            selves: regex(language.selves),
            reported: regex(language.reported),
            whole: regex(language.whole),
            scoped: regex(language.scoped),
            partial: regex(language.partial),
            own_part: regex(language.own_part),
            whole_object: regex(language.whole_object),
            qualifiers: regex(language.qualifiers),
            unqualified: regex(language.unqualified),
            apart: regex(language.apart),
            aimed: regex(language.aimed),
            by_user: regex(language.by_user),
            counted: regex(language.counted),
            test_nouns: regex(language.test_nouns),
            build_nouns: regex(language.build_nouns),
            generic_builds: regex(language.generic_builds),
            generic: regex(language.generic),
            each: regex(language.each),
            joint: regex(language.joint),
            finite: regex(language.finite),
            formerly: regex(language.formerly),
            places: regex(language.places),
            exceptions: regex(language.exceptions),
            named: regex(language.named),
            pipeline: regex(language.pipeline),
            intro: regex(language.intro),
            failures: regex(language.failures),
            failure_matter: regex(language.failure_matter),
            no_failures: regex(language.no_failures),
            skips: regex(language.skips),
            empty: regex(language.empty),
            recovery: regex(language.recovery),
            clauses: regex(language.clauses),
            plan_headings: regex(language.plan_headings),
        }
    }
}

/// Which kinds of claims a clause may make, by one look for the words that they need. Nearly all patterns of nearly all
/// clauses are spared by it.
struct Needs {
    words: AhoCorasick,
    kinds: Vec<Kind>,
}

impl Needs {
    fn new(needs: &[(Kind, &[&str])]) -> Self {
        let all = || needs.iter().flat_map(|(kind, words)| words.iter().map(|word| (*kind, *word)));
        Self {
            words: AhoCorasick::new(all().map(|(_, word)| word)).expect("the table is small"),
            kinds: all().map(|(kind, _)| kind).collect(),
        }
    }

    fn may_be_in(&self, clause: &str) -> [bool; Kind::ALL.len()] {
        let mut kinds = [false; Kind::ALL.len()];
        for found in self.words.find_overlapping_iter(clause) {
            kinds[self.kinds[found.pattern().as_usize()] as usize] = true;
        }
        kinds
    }
}

static LANGUAGES: LazyLock<Vec<Ready>> = LazyLock::new(|| vec![Ready::new(&ENGLISH)]);

/// The most sentences of one text that are looked at.
const SENTENCE_LIMIT: usize = 4000;
/// Longer sentences are lists of something, or no sentences.
const LENGTH_LIMIT: usize = 1200;

/// Stands for a mark behind a short label.
const CHECKED: &str = "CHECKED";

/// Whether a user says to have done something beside the session, or did it in a shell whose record it is. A question says
/// nothing.
pub fn is_done_by_user(text: &str) -> bool {
    let text = text.trim_start();
    let shell = text.strip_prefix('!').is_some_and(|command| command.trim_start().starts_with(|first: char| first.is_ascii_lowercase()));
    if shell || text.starts_with("<bash-input>") || text.starts_with("<user_shell_command>") {
        return true;
    }
    let lower = first_bytes(text, USER_LIMIT).to_lowercase();
    let lower = plain(&lower);
    lower
        .split_inclusive(['.', '?', '!', '\n'])
        .filter(|sentence| !sentence.trim_end().ends_with('?'))
        .any(|sentence| LANGUAGES.iter().any(|language| language.by_user.is_match(sentence.trim())))
}

/// The most bytes of a user's message that are read: whoever did something says so early.
const USER_LIMIT: usize = 4096;

fn first_bytes(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The most names that are kept of a text.
const NAMES_LIMIT: usize = 24;

/// Keeps what a sentence names that does not say that it passes.
fn note_names(sentence: &Sentence, found: &mut Found) {
    const PASSING: [&str; 6] = ["pass", "green", "fix", "succe", "works", "resolv"];
    if sentence.names.is_empty() || PASSING.iter().any(|word| sentence.text.contains(word)) {
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
            Some(intro) if intro.end() < trimmed.len() => &trimmed[intro.end()..],
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
    if kind != Kind::Blocked {
        if language.plans.is_match(&language.past.replace_all(region, " ")) {
            return None;
        }
        // *Nothing to lint and the tests pass*: what stands before the joint denies nothing behind it.
        let own = match language.joint.find_iter(before).last() {
            Some(joint) if !hit.as_str().ends_with("ing") => &region[joint.start()..],
            _ => region,
        };
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
    if let Some(other) = last(others, &before)
        && last(&language.selves, region).is_none_or(|own| own < other)
    {
        return None;
    }
    let act = (kind == Kind::Blocked)
        .then(|| language.acts.iter().find(|(_, pattern)| pattern.is_match(hit.as_str())).map(|(kind, _)| *kind))
        .flatten();
    let scoped = language.scoped.is_match(region);
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
        partial: language.partial.is_match(body) || language.exceptions.is_match(&sentence.text) || is_fraction(body) || counted,
        qualified: qualified == Qualified::Yes,
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
        targets: sentence.targets.clone(),
        paths: sentence.paths.clone(),
    })
}

/// Whether what is claimed holds of some matter, place or condition only.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Qualified {
    No,
    /// Of these matters only, by name: a run that was aimed at them decides.
    By(Vec<String>),
    Yes,
}

/// Whoever accuses must know all of the words: one that is not known may say which tests are meant.
fn qualified(kind: Kind, introduced: &str, body: &str, hit: &regex::Match<'_>, sentence: &Sentence, language: &Ready) -> Qualified {
    // *On Node 20, all tests pass.*
    let placed = language.places.find(body).map_or("", |place| &body[..hit.start().max(place.end())]);
    if [introduced, placed].iter().any(|text| language.qualifiers.is_match(&language.unqualified.replace_all(text, " "))) {
        return Qualified::Yes;
    }
    let end = language.apart.find_at(body, hit.end()).map_or(body.len(), |apart| apart.start());
    let region = language.unqualified.replace_all(&body[hit.start()..end], " ");
    let placed = language.aimed.is_match(&region);
    if language.qualifiers.is_match(&language.aimed.replace_all(&region, " ")) {
        return Qualified::Yes;
    }
    let mut matters = Vec::new();
    // Which of several names is meant is not known.
    let only = || (sentence.names.len() == 1).then(|| sentence.names[0].clone());
    if placed {
        match only() {
            Some(name) => matters.push(name),
            None => return Qualified::Yes,
        }
    }
    let (nouns, generic) = match kind {
        Kind::BuildOk => (&language.build_nouns, &language.generic_builds),
        _ => (&language.test_nouns, &language.generic),
    };
    let noun = nouns.find_iter(&body[..hit.end()]).find(|noun| noun.end() > hit.start());
    if let Some(noun) = noun {
        // *The test passes*: one test does.
        let behind = body[noun.end()..].trim_start();
        let names_all = ["suite", "run", "case", "result", "command", "set", "fail", "error"].iter().any(|word| behind.starts_with(word));
        if matches!(noun.as_str(), "test" | "spec")
            && !names_all
            && body[..noun.start()].ends_with(' ')
            && !language.each.is_match(&body[..noun.start()])
        {
            return Qualified::Yes;
        }
        let before = body[..noun.start()].trim_end();
        let word = before.rsplit([' ', '(', '/']).next().unwrap_or_default();
        let parted = before.ends_with([',', ':', ';', ')']);
        if matches!(word, "CODE" | "PATH") && !parted {
            matters.extend(only());
        } else if !word.is_empty() && !parted && !generic.is_match(word) {
            // An image is what Docker builds.
            let image = kind == Kind::BuildOk && matches!(word, "image" | "images" | "container");
            matters.push(if image { "docker" } else { word }.to_owned());
        }
    }
    if matters.is_empty() { Qualified::No } else { Qualified::By(matters) }
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

/// Whether a path's last name is that of a file of tests, as runners look for them.
fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.split(['.', '_', '-']).any(|part| matches!(part, "test" | "tests" | "spec" | "specs"))
        || name.split('.').next().is_some_and(|stem| stem.ends_with("test") || stem.ends_with("tests") || stem.ends_with("spec"))
}

/// Words that say that something was impossible, not that it went wrong once.
const MODAL: [&str; 8] = ["could not", "couldn't", "cannot", "can't", "can not", "unable", "was not able", "not able"];

/// `12/12`: all.
fn is_all_of(text: &str) -> bool {
    text.split([' ', '(', ')', ','])
        .filter_map(|word| word.split_once('/'))
        .any(|(part, all)| part == all && part.parse::<u64>().is_ok_and(|count| count > 0))
}

/// `10/12`, `10 of 12`: less than all.
fn is_fraction(text: &str) -> bool {
    let words: Vec<&str> = text.split([' ', '(', ')', ',']).collect();
    let number = |word: &str| word.parse::<u64>().ok();
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
            let rank = |claim: &Claim| (claim.weak, claim.partial, claim.pipeline);
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
            }
        }
    }
}
