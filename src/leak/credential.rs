//! Credential shapes and declared sentinels (spec 7).

use memchr::memmem::Finder;
use regex::bytes::Regex;
use std::sync::LazyLock;

/// One thing the scan looks for.
#[derive(Debug)]
pub struct Term {
    /// Stable id, shown in hits.
    pub id: &'static str,
    /// The class of a hit.
    pub class: &'static str,
    /// What the reader of a hit should do.
    pub remediation: &'static str,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Literal(&'static str),
    /// Literals of which at least one stands in every match, and the expression.
    Pattern(&'static [&'static str], &'static str),
}

const ROTATE: &str = "revoke the credential, then replace it in the input by a reference that names no secret";
const WITHHOLD: &str = "leave the body out of the input and refer to it by digest";

const fn shape(id: &'static str, needs: &'static [&'static str], pattern: &'static str) -> Term {
    Term { id, class: "credential_shape", remediation: ROTATE, shape: Shape::Pattern(needs, pattern) }
}

const fn sentinel(id: &'static str, class: &'static str, literal: &'static str) -> Term {
    Term { id, class, remediation: WITHHOLD, shape: Shape::Literal(literal) }
}

/// Every term, in the order of its bit in a [`TermSet`].
///
/// The sentinels are written in two parts so that this file does not hold what it looks for.
pub static TERMS: [Term; 13] = [
    shape("aws_access_key_id", &["AKIA", "ASIA"], r"(?-u)(?:^|[^A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?:[^A-Za-z0-9]|$)"),
    shape(
        "github_token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
        r"(?-u)(?:^|[^A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22})",
    ),
    shape("private_key", &["-----BEGIN "], r"(?-u)-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----"),
    shape("json_web_token", &["eyJ"], r"(?-u)eyJ[A-Za-z0-9_\-]{5,}\.eyJ[A-Za-z0-9_\-]{5,}\.[A-Za-z0-9_\-]{5}"),
    shape("slack_token", &["xox"], r"(?-u)xox[abprs]-[A-Za-z0-9\-]{10}"),
    shape("google_api_key", &["AIza"], r"(?-u)(?:^|[^A-Za-z0-9_\-])AIza[A-Za-z0-9_\-]{35}(?:[^A-Za-z0-9_\-]|$)"),
    shape("url_password", &["://"], r#"(?-u)[A-Za-z][A-Za-z0-9+.\-]*://[^\s/?#:@"]*:[^\s/?#@"]+@"#),
    sentinel("raw_seed_body_sentinel", "forbidden_content_body", concat!("SYNTHETIC_RAW_SEED", "_BODY_SENTINEL")),
    sentinel("provider_payload_body_sentinel", "forbidden_content_body", concat!("SYNTHETIC_PROVIDER_PAYLOAD", "_BODY_SENTINEL")),
    sentinel("release_packet_body_sentinel", "forbidden_content_body", concat!("SYNTHETIC_RELEASE_PACKET", "_BODY_SENTINEL")),
    sentinel("operator_thread_body_sentinel", "live_operator_state", concat!("SYNTHETIC_OPERATOR_THREAD", "_BODY_SENTINEL")),
    sentinel("hud_browser_cockpit_state_sentinel", "live_operator_state", concat!("SYNTHETIC_HUD_BROWSER_COCKPIT", "_STATE_SENTINEL")),
    sentinel("non_public_source_body_sentinel", "non_public_evidence_body", concat!("SYNTHETIC_NON_PUBLIC_SOURCE", "_BODY_SENTINEL")),
];

/// A set of terms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TermSet(u16);

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
        TERMS.iter().enumerate().filter_map(move |(bit, term)| (self.0 >> bit & 1 == 1).then_some(term))
    }
}

/// The terms, ready to look: the literals that a match needs, and the expression if there is one.
struct Compiled {
    each: Vec<(Vec<Finder<'static>>, Option<Regex>)>,
    sentinels_begin: Finder<'static>,
}

static COMPILED: LazyLock<Compiled> = LazyLock::new(|| {
    let finders = |literals: &[&'static str]| literals.iter().map(|literal| Finder::new(*literal)).collect();
    let compile = |term: &Term| match term.shape {
        Shape::Literal(literal) => (finders(&[literal]), None),
        Shape::Pattern(needs, pattern) => (finders(needs), Some(Regex::new(pattern).expect("the shapes are valid expressions"))),
    };
    Compiled { each: TERMS.iter().map(compile).collect(), sentinels_begin: Finder::new("SYNTHETIC_") }
});

/// The terms that stand in `text`.
pub fn terms_in(text: &str) -> TermSet {
    terms_in_bytes(text.as_bytes())
}

/// The terms that stand in `bytes`, whatever their encoding.
pub fn terms_in_bytes(bytes: &[u8]) -> TermSet {
    let terms = &*COMPILED;
    // The sentinels begin alike; asking once for all of them settles nearly every text.
    let any_sentinel = terms.sentinels_begin.find(bytes).is_some();
    let mut found = 0;
    for (bit, (needs, pattern)) in terms.each.iter().enumerate() {
        let needed = || needs.iter().any(|literal| literal.find(bytes).is_some());
        let hit = match pattern {
            None => any_sentinel && needed(),
            Some(pattern) => needed() && pattern.is_match(bytes),
        };
        found |= u16::from(hit) << bit;
    }
    TermSet(found)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Texts that match, with the term each matches; made here so that none lies in the tree.
    pub(crate) fn secrets() -> Vec<(&'static str, String)> {
        let x = |count| "x7".repeat(count);
        let mut all = vec![
            ("aws_access_key_id", format!("key {}{} used", "AK", "IAIOSFODNN7EXAMPLE")),
            ("aws_access_key_id", format!("{}{}", "AS", "IAIOSFODNN7EXAMPLE")),
            ("github_token", format!("{}p_{}", "gh", x(18))),
            ("github_token", format!("token={}s_{}", "gh", x(30))),
            ("github_token", format!("{}hub_pat_{}", "git", x(11))),
            ("private_key", format!("{}BEGIN PRIVATE KEY{}", "-----", "-----")),
            ("private_key", format!("a\n{}BEGIN RSA ENCRYPTED PRIVATE KEY{}", "-----", "-----")),
            ("json_web_token", format!("ey{}.ey{}.{}", "JhbGciOi", "JzdWIiOi", "ZmFrZQ")),
            ("slack_token", format!("xo{}-{}", "xb", x(5))),
            ("google_api_key", format!("AI{}{}y", "za", x(17))),
            ("url_password", format!("https://mira:{}@git.example.org/x", "hunter2")),
            ("url_password", format!("see redis://:{}@cache", "hunter2")),
        ];
        all.extend(TERMS.iter().filter_map(|term| match term.shape {
            Shape::Literal(literal) => Some((term.id, format!("a{literal}b"))),
            Shape::Pattern(..) => None,
        }));
        all
    }

    #[test]
    fn every_shape_is_found_and_only_that_one() {
        for (id, text) in secrets() {
            assert_eq!(terms_in(&text).iter().map(|term| term.id).collect::<Vec<_>>(), [id]);
        }
        let shown: std::collections::BTreeSet<_> = secrets().into_iter().map(|(id, _)| id).collect();
        assert_eq!(shown.len(), TERMS.len(), "every term has a positive");
    }

    #[test]
    fn near_misses_are_left_alone() {
        let x = |count| "x7".repeat(count);
        for text in [
            "AKIA1234 is a board id; eyJhbGci.x is no token; ghp_short".to_owned(),
            format!("{}IAIOSFODNN7EXAMPLEX", "AK"),
            format!("x{}IAIOSFODNN7EXAMPLE", "AK"),
            format!("_{}p_{}", "gh", x(18)),
            format!("{}p_{}", "gh", x(17)),
            format!("xo{}-{}", "xb", x(4)),
            format!("AI{}{}yz", "za", x(17)),
            format!("-AI{}{}y", "za", x(17)),
            "-----BEGIN PUBLIC KEY-----".to_owned(),
            "https://host:8080/path@x".to_owned(),
            "https://user@host/x".to_owned(),
            "https://host:8080?to=a@b".to_owned(),
            "https://host:8080#a@b".to_owned(),
            "git@host:x@y".to_owned(),
        ] {
            assert!(terms_in(&text).is_empty(), "{text}");
        }
    }
}
