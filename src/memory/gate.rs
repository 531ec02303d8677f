//! The quality gate between a finding and memory.

use super::signals::{is_placeholder, is_seed, signals};
use super::value::{chars, clean, field, is_blank, lower, map, num, truthy};
use serde_json::{Value as Json, json};

/// The least source score that passes.
pub(crate) const SOURCE_THRESHOLD: f64 = 0.65;
/// The least relevance that passes.
pub(crate) const RELEVANCE_THRESHOLD: f64 = 0.60;
/// The score from which a preferred, concrete page counts as evidence.
const DISCOVERED: f64 = 0.70;

/// What the gate says.
#[derive(Debug)]
pub(crate) struct Passage {
    /// Why not, in order; empty when the finding passes.
    pub(crate) reasons: Vec<&'static str>,
    /// What was measured.
    pub(crate) metrics: Json,
}

/// The signals that a finding brings, else those it is given.
pub(crate) fn signals_of(finding: &Json) -> Json {
    let brought = map(field(field(finding, "provenance"), "fallback_quality_signals"));
    if truthy(brought) { brought.clone() } else { signals(finding) }
}

/// Whether the target was preferred, sought as evidence, or a candidate for it.
pub(crate) struct Standing {
    pub(crate) preferred: bool,
    pub(crate) seed: bool,
    pub(crate) candidate: bool,
}

impl Standing {
    /// Where a finding with these signals stands.
    pub(crate) fn of(finding: &Json, signals: &Json) -> Self {
        let provenance = map(field(finding, "provenance"));
        let either = |name: &str| truthy(field(provenance, name)) || truthy(field(signals, name));
        let seed = [provenance, signals].iter().any(|place| is_seed(field(place, "source_adapter"), field(place, "source_kind")));
        Self {
            preferred: either("preferred_evidence_target"),
            seed,
            candidate: seed || truthy(field(signals, "evidence_candidate_source")),
        }
    }
}

/// Judges a finding.
pub(crate) fn gate(finding: &Json) -> Passage {
    let signals = signals_of(finding);
    let provenance = map(field(finding, "provenance"));
    let first_score = |places: &[(&Json, &str)]| {
        places.iter().map(|(place, name)| num(field(place, name), 0.0)).find(|score| *score != 0.0).unwrap_or(0.0)
    };
    let source = first_score(&[
        (&signals, "source_score"),
        (&signals, "quality_score"),
        (provenance, "source_score"),
        (provenance, "quality_score"),
    ]);
    let relevance = first_score(&[(&signals, "system_relevance_score"), (provenance, "system_relevance_score")]);
    let status = Some(lower(field(finding, "fetch_status"))).filter(|said| !said.is_empty());
    let status = status.unwrap_or_else(|| lower(field(&signals, "fetch_status")));
    let has_hash = !is_blank(field(finding, "content_hash"));
    // Signals that were brought may have left it out; asking again only ever refuses more.
    let placeholder = truthy(field(&signals, "placeholder_domain")) || is_placeholder(finding);
    let concrete = truthy(field(&signals, "concrete_evidence_page"));
    let Standing { preferred, seed, candidate } = Standing::of(finding, &signals);
    let discovered = preferred && concrete && !placeholder && source >= DISCOVERED && relevance >= DISCOVERED;
    let minimum = if preferred || seed || candidate || discovered { 30 } else { 80 };
    let length = chars(&clean(field(finding, "content_preview")));
    let reasons = [
        (status != "ok", "fetch_status_not_ok"),
        (!has_hash, "content_hash_missing"),
        (placeholder, "placeholder_domain"),
        (length < minimum, "content_preview_too_short"),
        (source < SOURCE_THRESHOLD, "source_score_below_threshold"),
        (relevance < RELEVANCE_THRESHOLD, "system_relevance_below_threshold"),
    ];
    Passage {
        reasons: reasons.into_iter().filter_map(|(holds, reason)| holds.then_some(reason)).collect(),
        metrics: json!({
            "fetch_status": status,
            "content_hash_present": has_hash,
            "content_preview_chars": length,
            "minimum_preview_chars": minimum,
            "source_score": source,
            "system_relevance_score": relevance,
            "source_score_threshold": SOURCE_THRESHOLD,
            "system_relevance_threshold": RELEVANCE_THRESHOLD,
            "preferred_evidence_target": preferred,
            "evidence_seed_source": seed,
            "evidence_candidate_source": candidate,
            "discovered_preferred_evidence_source": discovered,
            "concrete_evidence_page": concrete,
            "placeholder_domain": placeholder,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_finding_is_told_everything_it_lacks() {
        assert_eq!(
            gate(&json!({})).reasons,
            [
                "fetch_status_not_ok",
                "content_hash_missing",
                "content_preview_too_short",
                "source_score_below_threshold",
                "system_relevance_below_threshold"
            ]
        );
    }

    #[test]
    fn signals_that_keep_silent_about_a_placeholder_do_not_hide_it() {
        let finding = json!({
            "url": "http://localhost:8000/x", "content_hash": "h", "fetch_status": "ok", "content_preview": "x".repeat(80),
            "provenance": {"fallback_quality_signals": {"source_score": 0.9, "system_relevance_score": 0.9}}
        });
        assert_eq!(gate(&finding).reasons, ["placeholder_domain"]);
    }

    #[test]
    fn a_zero_score_is_looked_for_further() {
        let finding = json!({
            "url": "https://a.org/x", "content_hash": "h", "content_preview": "x".repeat(80),
            "provenance": {
                "source_score": 0.7, "system_relevance_score": "0.6",
                "fallback_quality_signals": {"fetch_status": "OK", "source_score": 0, "quality_score": null}
            }
        });
        assert_eq!(gate(&finding).reasons, [""; 0]);
    }
}
