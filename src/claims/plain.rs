//! Patterns without the tables of Unicode, and texts on which they mean the same.
//!
//! A class of all letters of the world makes a pattern a hundred times as large, and there are a hundred patterns: a
//! short session would wait for them longer than it is read. So letters outside of ASCII become one letter that no
//! pattern names, and the classes need to know that one only.

use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Stands for a letter, mark or digit outside of ASCII: patterns see lower case, and their own names do not hold it.
const LETTER: &str = "Z";

static WIDE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[\w--[:ascii:]]").expect("the class is valid"));

/// The pattern `text`, for texts that are [`plain`].
pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(&narrowed(text)).expect("the table holds patterns")
}

fn narrowed(text: &str) -> String {
    text.replace(r"\b", r"(?-u:\b)").replace(r"\w", "[0-9A-Za-z_]").replace(r"\d", "[0-9]")
}

/// `text` with its letters outside of ASCII replaced, one by one.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { WIDE.replace_all(text, LETTER) }
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::english::ENGLISH;
    use super::*;
    use proptest::prelude::*;
    use regex_syntax::hir::{Hir, HirKind};

    fn all() -> Vec<&'static str> {
        let language = &ENGLISH;
        let mut all: Vec<&str> = language.claims.iter().map(|pattern| pattern.text).collect();
        all.extend(language.denials.iter().map(|(_, text)| *text));
        all.extend(language.acts.iter().map(|(_, text)| *text));
        all.extend([
            language.conditions,
            language.plans,
            language.negations,
            language.harmless,
            language.others,
            language.test_others,
            language.selves,
            language.these,
            language.things,
            language.subject,
            language.sent,
            language.reported,
            language.whole,
            language.scoped,
            language.partial,
            language.own_part,
            language.whole_object,
            language.qualifiers,
            language.unqualified,
            language.apart,
            language.test_nouns,
            language.generic,
            language.pipeline,
            language.intro,
            language.failures,
            language.failure_matter,
            language.no_failures,
            language.skips,
            language.empty,
            language.recovery,
            language.clauses,
            language.plan_headings,
        ]);
        all
    }

    #[test]
    fn no_pattern_names_the_letter_or_a_class_that_is_not_known_here() {
        for text in all() {
            assert!(!text.contains(LETTER), "{text}");
            let known = text.match_indices('\\').all(|(at, _)| {
                text[at + 1..].starts_with(['b', 'w', 'd', '.', '/', '-', '[', ']', '(', ')', '|', '*', '+', '?', '{', '}', '$', '^'])
            });
            assert!(known && !text.contains("A-Z"), "{text}");
        }
    }

    /// Whether what `pattern` matches holds one of `words` for sure.
    fn needs_one_of(pattern: &Hir, words: &[&str]) -> bool {
        match pattern.kind() {
            HirKind::Literal(text) => words.iter().any(|word| memchr::memmem::find(&text.0, word.as_bytes()).is_some()),
            HirKind::Capture(inner) => needs_one_of(&inner.sub, words),
            HirKind::Repetition(inner) => inner.min > 0 && needs_one_of(&inner.sub, words),
            HirKind::Concat(parts) => parts.iter().any(|part| needs_one_of(part, words)),
            HirKind::Alternation(ways) => ways.iter().all(|way| needs_one_of(way, words)),
            _ => false,
        }
    }

    #[test]
    fn every_claim_holds_a_word_that_its_kind_needs() {
        let language = &ENGLISH;
        let mut apart = Vec::new();
        for claim in language.claims {
            let pattern = regex_syntax::parse(&narrowed(claim.text)).expect("it is valid");
            let words = language.needs.iter().filter(|(kind, _)| *kind == claim.kind).flat_map(|(_, words)| words.iter().copied());
            let words: Vec<&str> = words.collect();
            if !needs_one_of(&pattern, &words) {
                apart.push(format!("{:?}: {}", claim.kind, claim.text));
            }
        }
        assert!(apart.is_empty(), "patterns that hold no word of their kind's needs; add what they need:\n{}", apart.join("\n"));
        for kind in Kind::ALL {
            assert_eq!(language.needs.iter().filter(|(of, _)| *of == kind).count(), 1, "{kind:?}");
            assert_eq!(Kind::ALL[kind as usize], kind, "kinds are numbered in their order");
        }
    }

    static PAIRS: LazyLock<Vec<(Regex, Regex)>> =
        LazyLock::new(|| all().into_iter().map(|text| (Regex::new(text).expect("it is valid"), pattern(text))).collect());

    fn same(text: &str) {
        let plain = plain(text);
        for (wide, narrow) in PAIRS.iter() {
            let spans = |found: Option<regex::Match<'_>>, text: &str| {
                found.map(|found| (text[..found.start()].chars().count(), text[..found.end()].chars().count()))
            };
            assert_eq!(spans(wide.find(text), text), spans(narrow.find(&plain), &plain), "{text}: {wide}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn patterns_find_what_they_would_with_the_tables(
            words in proptest::collection::vec(
                prop_oneof![
                    Just("all tests pass"), Just("i committed"), Just("the chänge"), Just("é"), Just("ist grün"), Just("no failures"),
                    Just("pushed to main"), Just("— but"), Just("could not"), Just("commit"), Just("HASH"), Just("❌"), Just("✗ failed"),
                    Just("released VER"), Just("日本"), Just("a\u{301}b"), Just("is done"), Just("if"), Just("12/12"), Just("passed"),
                    Just("👨\u{200d}💻"), Just("build"), Just("succeeds"), Just("ünit tests"), Just("previously"), Just("’"), Just(",")
                ],
                0..7,
            ),
            joint in prop_oneof![Just(" "), Just(""), Just("é")],
        ) {
            same(&words.join(joint));
        }
    }
}
