//! Credential shapes and declared sentinels (spec 7): finding them, never showing them.

pub mod page;
mod terms;

use super::screen;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::Regex;
use std::sync::{LazyLock, OnceLock};

pub use terms::TERMS;

/// One thing the scan looks for.
#[derive(Debug)]
pub struct Term {
    /// Stable id, shown in hits.
    pub id: &'static str,
    /// The class of a hit.
    pub class: &'static str,
    /// What the reader of a hit should do.
    pub remediation: &'static str,
    /// What it is, for people.
    pub what: &'static str,
    /// What keeps innocent text from being taken for it, beside its form; may be empty.
    pub guard: &'static str,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Literal(&'static str),
    Pattern {
        /// Literals of which at least one stands in every match.
        needs: &'static [&'static str],
        pattern: &'static str,
        body: Body,
    },
}

/// What the end of a match must look like. Documentation is full of keys such as `npm_xxxx…`, which are nobody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Whatever has the form.
    Any,
    /// At least six different characters among the last twenty.
    Varied,
    /// The same, and a digit among the last thirty-two: no name in words has one there.
    Mixed,
}

impl Body {
    fn accepts(self, found: &[u8]) -> bool {
        let last = |count| &found[found.len().saturating_sub(count)..];
        let varied = || {
            let mut different: Vec<u8> = last(20).to_vec();
            different.sort_unstable();
            different.dedup();
            different.len() >= 6
        };
        match self {
            Self::Any => true,
            Self::Varied => varied(),
            Self::Mixed => last(32).iter().any(u8::is_ascii_digit) && varied(),
        }
    }
}

impl Term {
    fn literals(&self) -> &[&'static str] {
        match &self.shape {
            Shape::Literal(literal) => std::slice::from_ref(literal),
            Shape::Pattern { needs, .. } => needs,
        }
    }
}

/// A set of terms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TermSet(u64);

const _: () = assert!(TERMS.len() <= u64::BITS as usize, "a term has its bit");

impl TermSet {
    /// Whether no term is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The terms of both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The terms of `self` that `other` lacks.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Its terms, in table order.
    pub fn iter(self) -> impl Iterator<Item = &'static Term> {
        self.bits().map(|bit| &TERMS[bit])
    }

    fn bits(self) -> impl Iterator<Item = usize> {
        (0..TERMS.len()).filter(move |bit| self.0 >> bit & 1 == 1)
    }
}

/// One automaton over the literals of all terms, with the term of each literal; and the expressions, made when first asked for.
struct Search {
    literals: AhoCorasick,
    term_of: Vec<usize>,
    expressions: [OnceLock<Regex>; TERMS.len()],
}

static SEARCH: LazyLock<Search> = LazyLock::new(|| {
    let of_term = |(bit, term): (usize, &'static Term)| term.literals().iter().map(move |literal| (bit, *literal));
    let literals: Vec<(usize, &str)> = TERMS.iter().enumerate().flat_map(of_term).collect();
    Search {
        literals: AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(literals.iter().map(|(_, literal)| literal))
            .expect("some hundred short literals make an automaton"),
        term_of: literals.iter().map(|(bit, _)| *bit).collect(),
        expressions: [const { OnceLock::new() }; TERMS.len()],
    }
});

/// Literals of which one stands in every match, but for passwords in URLs, which have none of their own.
pub(super) fn literals() -> impl Iterator<Item = &'static str> {
    let of_url = |literal: &&str| *literal == "://";
    TERMS.iter().flat_map(Term::literals).copied().filter(move |literal| !of_url(literal))
}

/// The terms that stand in `text`.
pub fn terms_in(text: &str) -> TermSet {
    terms_in_bytes(text.as_bytes())
}

/// The terms that stand in `bytes`, whatever their encoding.
pub fn terms_in_bytes(bytes: &[u8]) -> TermSet {
    // Of nearly every text the screen can say that there is none, some ten times faster.
    if !screen::suspects_credential(bytes) {
        return TermSet::default();
    }
    terms_in_suspect(bytes)
}

/// The terms that stand in `bytes`, of which the screen has said already that there could be some.
pub(crate) fn terms_in_suspect(bytes: &[u8]) -> TermSet {
    let search = &*SEARCH;
    // Literals may overlap (`gsk_live_`), and each must be seen.
    let possible = search.literals.find_overlapping_iter(bytes).fold(0, |terms: u64, at| terms | 1 << search.term_of[at.pattern()]);
    TermSet(TermSet(possible).bits().filter(|&bit| holds(search, bit, bytes)).fold(0, |found, bit| found | 1 << bit))
}

fn holds(search: &Search, bit: usize, bytes: &[u8]) -> bool {
    match &TERMS[bit].shape {
        Shape::Literal(_) => true,
        Shape::Pattern { pattern, body, .. } => {
            let expression = search.expressions[bit].get_or_init(|| Regex::new(pattern).expect("the shapes are valid expressions"));
            match body {
                Body::Any => expression.is_match(bytes),
                _ => expression.find_iter(bytes).any(|found| body.accepts(found.as_bytes())),
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
