//! The order of a source plan: one candidate a URL, seeds first, every adapter heard.

use super::url;
use super::value::{clean, field, lower, num, truthy};
use serde_json::{Value as Json, json};
use std::cmp::Ordering;
use std::collections::HashMap;

/// The adapters that a plan covers where it can, in the order in which they are seen to.
const COVERED: [&str; 5] = ["seed", "github", "arxiv", "search", "sitemap"];

#[derive(Debug, Clone, PartialEq)]
struct Ranked {
    /// Which of the candidates it is.
    index: usize,
    url: String,
    adapter: String,
    preferred: bool,
    alignment: f64,
    seed_score: f64,
    source_score: f64,
}

impl Ranked {
    fn of((index, candidate): (usize, &Json)) -> Option<Self> {
        let score = |name| num(field(candidate, name), 0.0);
        Some(Self {
            index,
            url: planner_url(&clean(field(candidate, "url")))?,
            adapter: lower(field(candidate, "source_adapter")),
            preferred: truthy(field(candidate, "preferred_evidence_target")),
            alignment: score("goal_alignment_score"),
            seed_score: score("seed_score"),
            source_score: score("source_score"),
        })
    }

    fn is_seed(&self) -> bool {
        self.adapter == "seed"
    }

    /// Whether it takes the place of `known`, which has the same URL.
    fn displaces(&self, known: &Self) -> bool {
        if self.is_seed() == known.is_seed() { self.source_score > known.source_score } else { self.is_seed() }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let down = |one: f64, other: f64| other.partial_cmp(&one).unwrap_or(Ordering::Equal);
        (other.is_seed(), other.preferred)
            .cmp(&(self.is_seed(), self.preferred))
            .then_with(|| down(self.alignment, other.alignment))
            .then_with(|| down(self.seed_score, other.seed_score))
            .then_with(|| down(self.source_score, other.source_score))
            .then_with(|| (&self.adapter, &self.url).cmp(&(&other.adapter, &other.url)))
    }
}

/// The URL as the planner compares it; `None` for what it does not plan.
pub(crate) fn planner_url(text: &str) -> Option<String> {
    let text = text.trim();
    let full = if text.starts_with("//") { format!("https:{text}") } else { text.to_owned() };
    let parts = url::split(&full).ok()?;
    if !matches!(&*parts.scheme, "http" | "https") {
        return None;
    }
    let path = if parts.path == "/" { "/" } else { parts.path.trim_end_matches('/') };
    let (mark, query) = if parts.query.is_empty() { ("", "") } else { ("?", &*parts.query) };
    Some(format!("{}://{}{path}{mark}{query}", parts.scheme, parts.authority))
}

/// The ranked plan of `candidates`, at most `limit` of them and at least one.
pub(crate) fn plan_rank(candidates: &[Json], limit: i128) -> Vec<Json> {
    let ranked = ranked(candidates, limit).into_iter().zip(1_u64..);
    ranked.map(|(candidate, rank)| json!({"url": candidate.url, "source_adapter": candidate.adapter, "plan_rank": rank})).collect()
}

/// The places of the planned candidates, in the order of the plan.
pub(crate) fn plan_order(candidates: &[Json], limit: i128) -> Vec<usize> {
    ranked(candidates, limit).into_iter().map(|candidate| candidate.index).collect()
}

fn ranked(candidates: &[Json], limit: i128) -> Vec<Ranked> {
    let mut all: Vec<Ranked> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for candidate in candidates.iter().enumerate().filter_map(Ranked::of) {
        match places.get(&candidate.url) {
            Some(&place) if candidate.displaces(&all[place]) => all[place] = candidate,
            Some(_) => {}
            None => {
                places.insert(candidate.url.clone(), all.len());
                all.push(candidate);
            }
        }
    }
    all.sort_by(Ranked::cmp);
    let limit = usize::try_from(limit.max(1)).unwrap_or(usize::MAX);
    let mut chosen = all[..limit.min(all.len())].to_vec();
    for adapter in COVERED {
        let Some(best) = all.iter().find(|candidate| candidate.adapter == adapter) else { continue };
        if chosen.contains(best) {
            continue;
        }
        if chosen.len() < limit {
            chosen.push(best.clone());
        } else if let Some(place) = replaceable(&chosen) {
            chosen[place] = best.clone();
        }
    }
    chosen.sort_by(Ranked::cmp);
    chosen
}

/// The place that is given up for an adapter not yet heard, looked for from the end.
fn replaceable(chosen: &[Ranked]) -> Option<usize> {
    let count = |adapter: &str| chosen.iter().filter(|candidate| candidate.adapter == adapter).count();
    let counts = COVERED.map(count);
    let only_one = |candidate: &Ranked| COVERED.iter().zip(counts).any(|(adapter, count)| candidate.adapter == *adapter && count == 1);
    let spare = |candidate: &Ranked| !candidate.is_seed() && !only_one(candidate);
    chosen
        .iter()
        .rposition(|candidate| spare(candidate) && !candidate.preferred)
        .or_else(|| chosen.iter().rposition(spare))
        .or_else(|| chosen.iter().rposition(|candidate| !candidate.is_seed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(candidates: &Json, limit: i128) -> Vec<String> {
        plan_rank(candidates.as_array().unwrap(), limit).iter().map(|entry| entry["url"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn planner_urls_keep_their_case_and_lose_their_fragment() {
        for (text, said) in [
            ("//Example.org/a/#x", Some("https://Example.org/a")),
            ("HTTPS://a.org/", Some("https://a.org/")),
            ("https://a.org/b//?q=/#f", Some("https://a.org/b?q=/")),
            ("ftp://a.org", None),
            ("a.org/x", None),
            ("https://[x", None),
        ] {
            assert_eq!(planner_url(text).as_deref(), said, "{text}");
        }
    }

    #[test]
    fn a_seed_gives_way_to_no_generated_candidate() {
        let rivals = json!([
            {"url": "https://a.org", "source_adapter": "seed", "source_score": 0.1},
            {"url": "https://a.org", "source_adapter": "github", "source_score": 0.9},
            {"url": "https://b.org", "source_adapter": "github", "source_score": 0.9, "seed_score": 0.1},
            {"url": "https://b.org", "source_adapter": "arxiv", "source_score": 0.9},
        ]);
        assert_eq!(
            plan_rank(rivals.as_array().unwrap(), 20),
            [
                json!({"url": "https://a.org", "source_adapter": "seed", "plan_rank": 1}),
                json!({"url": "https://b.org", "source_adapter": "github", "plan_rank": 2})
            ]
        );
    }

    #[test]
    fn an_adapter_cut_off_is_put_back_for_one_that_is_heard_anyway() {
        let candidates = json!([
            {"url": "https://e.org/1", "source_adapter": "evidence", "preferred_evidence_target": true},
            {"url": "https://e.org/2", "source_adapter": "evidence", "preferred_evidence_target": true},
            {"url": "https://g.org/1", "source_adapter": "github", "source_score": 0.9},
            {"url": "https://g.org/2", "source_adapter": "github", "source_score": 0.8},
            {"url": "https://s.org/1", "source_adapter": "search", "source_score": 0.1},
        ]);
        assert_eq!(urls(&candidates, 4), ["https://e.org/1", "https://e.org/2", "https://g.org/1", "https://s.org/1"]);
        assert_eq!(urls(&candidates, 3), ["https://e.org/1", "https://g.org/1", "https://s.org/1"], "then a preferred one goes");
        assert_eq!(urls(&candidates, 0), ["https://s.org/1"], "with room for one the last adapter seen to stays");
    }
}
