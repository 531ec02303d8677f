//! The words of the languages, made ready to be looked for.

use super::Kind;
use super::english::ENGLISH;
use super::language::{Force, Language};
use super::plain::pattern;
use aho_corasick::AhoCorasick;
use regex::Regex;
use std::sync::LazyLock;

/// A language with its patterns ready.
pub(super) struct Ready {
    pub(super) claims: Vec<(Kind, Force, Regex)>,
    pub(super) denials: Vec<(Kind, Regex)>,
    pub(super) acts: Vec<(Kind, Regex)>,
    pub(super) hints: AhoCorasick,
    pub(super) needs: Needs,
    pub(super) closing: Regex,
    pub(super) conditions: Regex,
    pub(super) plans: Regex,
    pub(super) past: Regex,
    pub(super) asked: Regex,
    pub(super) pronouns: Regex,
    pub(super) matters: Regex,
    pub(super) negations: Regex,
    pub(super) harmless: Regex,
    pub(super) others: Regex,
    pub(super) test_others: Regex,
    pub(super) selves: Regex,
    pub(super) these: Regex,
    pub(super) things: Regex,
    pub(super) subject: Regex,
    pub(super) sent: Regex,
    pub(super) reported: Regex,
    pub(super) whole: Regex,
    pub(super) scoped: Regex,
    pub(super) partial: Regex,
    pub(super) own_part: Regex,
    pub(super) whole_object: Regex,
    pub(super) qualifiers: Regex,
    pub(super) unqualified: Regex,
    pub(super) apart: Regex,
    pub(super) aimed: Regex,
    pub(super) by_user: Regex,
    pub(super) counted: Regex,
    pub(super) test_nouns: Regex,
    pub(super) build_nouns: Regex,
    pub(super) generic_builds: Regex,
    pub(super) generic: Regex,
    pub(super) each: Regex,
    pub(super) joint: Regex,
    pub(super) finite: Regex,
    pub(super) formerly: Regex,
    pub(super) places: Regex,
    pub(super) exceptions: Regex,
    pub(super) named: Regex,
    pub(super) pipeline: Regex,
    pub(super) intro: Regex,
    pub(super) failures: Regex,
    pub(super) failure_matter: Regex,
    pub(super) no_failures: Regex,
    pub(super) skips: Regex,
    pub(super) empty: Regex,
    pub(super) recovery: Regex,
    pub(super) clauses: Regex,
    pub(super) plan_headings: Regex,
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
            these: regex(language.these),
            things: regex(language.things),
            subject: regex(language.subject),
            sent: regex(language.sent),
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
pub(super) struct Needs {
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

    pub(super) fn may_be_in(&self, clause: &str) -> [bool; Kind::ALL.len()] {
        let mut kinds = [false; Kind::ALL.len()];
        for found in self.words.find_overlapping_iter(clause) {
            kinds[self.kinds[found.pattern().as_usize()] as usize] = true;
        }
        kinds
    }
}

pub(super) static LANGUAGES: LazyLock<Vec<Ready>> = LazyLock::new(|| vec![Ready::new(&ENGLISH)]);
