//! A research goal as terms, and how far a source answers to them.

use crate::memory::value::{clamp01, round4};
use std::collections::HashSet;

const STOP_WORDS: [&str; 22] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "into", "is", "it", "of", "on", "or", "the", "to", "with",
    "system", "systems",
];
/// What says how to look, not what for.
const PLANNER_STOP_WORDS: [&str; 5] = ["how", "research", "study", "find", "about"];

/// The words of goals by the theme that they speak of.
const PROFILE: [(&str, &[&str]); 5] = [
    ("agents", &["agent", "agents", "autonomous", "multiagent", "multi-agent", "llm", "ai"]),
    ("memory", &["memory", "memories", "retrieval", "rag", "vector", "embedding", "index", "knowledge"]),
    ("orchestration", &["orchestration", "workflow", "runtime", "async", "asyncio", "task", "coordination", "scheduler"]),
    ("evaluation", &["evaluation", "benchmark", "quality", "test", "testing", "score", "metrics"]),
    ("code_improvement", &["code", "coding", "improvement", "review", "repository", "github", "python"]),
];

/// The terms of a goal that evidence URLs are compared with, in order, once each.
pub(crate) fn seed_terms(goal: &str) -> Vec<String> {
    terms(goal, |letter| letter.is_whitespace() || matches!(letter, '-' | '_'), &[])
}

/// The terms of a goal that a source plan is made from, in order, once each.
pub(crate) fn plan_terms(goal: &str) -> Vec<String> {
    terms(goal, |letter| !letter.is_ascii_alphanumeric(), &PLANNER_STOP_WORDS)
}

fn terms(goal: &str, parts: impl Fn(char) -> bool, more_stop_words: &[&str]) -> Vec<String> {
    let mut seen = HashSet::new();
    let lowered = goal.to_lowercase();
    let terms = lowered.split(parts).filter(|term| term.chars().count() >= 3);
    let terms = terms.filter(|term| !STOP_WORDS.contains(term) && !more_stop_words.contains(term));
    terms.filter(|term| seen.insert((*term).to_owned())).map(str::to_owned).collect()
}

/// The themes that these terms speak of.
pub(crate) fn profile(terms: &[String]) -> Vec<&'static str> {
    let speaks = |words: &[&str]| terms.iter().any(|term| words.contains(&term.as_str()));
    PROFILE.iter().filter(|(_, words)| speaks(words)).map(|(theme, _)| *theme).collect()
}

/// The terms that stand somewhere in `text`, which must be lower-cased.
pub(crate) fn matched(terms: &[String], text: &str) -> Vec<String> {
    terms.iter().filter(|term| text.contains(term.as_str())).cloned().collect()
}

/// What a source is worth before it was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Worth {
    pub(crate) alignment: f64,
    pub(crate) relevance: f64,
    pub(crate) quality: f64,
    pub(crate) source: f64,
}

/// The fixed part of a source's worth: the kind of source, who speaks, how fresh it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Standing {
    pub(crate) kind: f64,
    pub(crate) authority: f64,
    pub(crate) freshness: f64,
    pub(crate) preferred: bool,
}

/// The worth of a source that has `matched` of `all` terms of the goal.
pub(crate) fn worth(matched: usize, all: usize, of: Standing) -> Worth {
    let clamp = |score: f64| clamp01(round4(score));
    let share = if all == 0 { 0.0 } else { matched as f64 / all as f64 };
    let alignment: f64 = match share {
        _ if matched == 0 => 0.0,
        share if share >= 0.75 => 0.30,
        share if share >= 0.50 => 0.24,
        share if share >= 0.25 => 0.16,
        _ => 0.10,
    };
    let when_preferred = |more: f64| if of.preferred { more } else { 0.0 };
    let relevance = clamp(0.50 + (0.08 * matched as f64).min(0.35) + when_preferred(0.12) + alignment.min(0.08));
    let quality = clamp(0.35 + when_preferred(0.18) + 0.18 * of.kind + 0.22 * of.authority + 0.22 * relevance + 0.10 * of.freshness);
    Worth { alignment, relevance, quality, source: clamp(quality + alignment + when_preferred(0.08)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_leave_out_what_says_nothing() {
        assert_eq!(seed_terms("The Multi-Agent memory_systems of AI, memory"), ["multi", "agent", "memory", "ai,"]);
        assert_eq!(plan_terms("Find how multi-agent MEMORY systems work; memory \u{e9}tude"), ["multi", "agent", "memory", "work", "tude"]);
        assert_eq!(profile(&plan_terms("autonomous agents memory systems")), ["agents", "memory"]);
    }

    #[test]
    fn worth_is_what_the_formulas_say() {
        let of = Standing { kind: 0.90, authority: 0.96, freshness: 0.50, preferred: true };
        let best = worth(3, 4, of);
        assert!((best.alignment - 0.30).abs() < 1e-9 && (best.relevance - 0.94).abs() < 1e-9, "{best:?}");
        assert!((best.quality - 1.0).abs() < 1e-9 && (best.source - 1.0).abs() < 1e-9, "{best:?}");
        let plain = worth(1, 5, Standing { kind: 0.54, authority: 0.55, freshness: 0.50, preferred: false });
        assert!((plain.alignment - 0.10).abs() < 1e-9 && (plain.relevance - 0.66).abs() < 1e-9, "{plain:?}");
        assert!((plain.quality - 0.7634).abs() < 1e-9 && (plain.source - 0.8634).abs() < 1e-9, "{plain:?}");
        assert!(worth(0, 0, of).alignment.abs() < 1e-9);
    }
}
