//! What a finding is worth, by rule: `USEFUL`, `FRONTIER` or `NEUTRAL`. No model is asked.

use crate::memory::gate::{RELEVANCE_THRESHOLD, SOURCE_THRESHOLD};
use crate::memory::signals::{is_placeholder, is_seed, signals};
use crate::memory::url;
use crate::memory::value::{chars, clean, field, int, list, lower, map, num, truthy};
use serde_json::{Value as Json, json};

const FRONTIER_MARKS: [&str; 10] = [
    "sitemap.xml",
    "sitemap-index.xml",
    "sitemap_index.xml",
    "/search",
    "duckduckgo.com/html",
    "export.arxiv.org/api/query",
    "arxiv.org/search",
    "/feed",
    "rss.xml",
    "atom.xml",
];

/// Pages that every site has and that say nothing of a goal.
const LOW_VALUE: [&str; 14] = [
    "/login",
    "/signin",
    "/sign-in",
    "/signup",
    "/sign-up",
    "/register",
    "/join",
    "/account",
    "/privacy",
    "/terms",
    "/cookie",
    "/contact",
    "/pricing",
    "/legal",
];

/// Whether a page is one of those that every site has.
pub(crate) fn is_low_value(address: &str) -> bool {
    let path = url::split(&address.to_lowercase()).map(|parts| parts.path).unwrap_or_default();
    LOW_VALUE.iter().any(|start| path.split_inclusive('/').count() <= 4 && path.contains(start))
}

/// The verdict on a finding.
#[derive(Debug, PartialEq)]
pub(crate) struct Classification {
    /// `USEFUL`, `FRONTIER` or `NEUTRAL`.
    pub(crate) name: &'static str,
    pub(crate) confidence: f64,
    pub(crate) reason: &'static str,
    /// The quality signals, as the gate reads them.
    pub(crate) quality: Json,
    /// What the decision rests on.
    pub(crate) signals: Json,
}

/// Whether a page leads on instead of saying something.
fn is_frontier(address: &str, concrete: bool, discovered: i128, keywords: i128) -> bool {
    let lowered = address.to_lowercase();
    if concrete && !is_low_value(&lowered) {
        return false;
    }
    let path = url::split(&lowered).map(|parts| parts.path).unwrap_or_default();
    let is_root = matches!(path.trim_matches('/'), "" | "index.html" | "index.htm");
    FRONTIER_MARKS.iter().any(|mark| lowered.contains(mark)) || (is_root && discovered >= 4) || (discovered >= 8 && keywords < 3)
}

/// Classifies a finding.
pub(crate) fn classify(finding: &Json) -> Classification {
    let quality = signals(finding);
    let provenance = map(field(finding, "provenance"));
    let address = clean(field(finding, "url"));
    let preview = chars(&clean(field(finding, "content_preview")));
    let is = |name: &str| truthy(field(&quality, name));
    let (preferred, candidate, concrete) = (is("preferred_evidence_target"), is("evidence_candidate_source"), is("concrete_evidence_page"));
    let discovered_preferred = is("discovered_preferred_evidence_source");
    let seed = is_seed(field(provenance, "source_adapter"), field(provenance, "source_kind"));
    let of_evidence = preferred || seed || candidate;
    let discovered = match provenance.get("discovered_target_count") {
        Some(count) => int(count, 0),
        None => list(field(provenance, "discovered_targets")).len() as i128,
    };
    let frontier = is_frontier(&address, concrete, discovered, int(field(&quality, "keyword_match_count"), 0));
    let fetched = matches!(&*lower(field(finding, "fetch_status")), "ok" | "http_200" | "200");
    let evidence = !address.is_empty() && !clean(field(finding, "content_hash")).is_empty();
    let placeholder = is_placeholder(finding);
    let meaningful = preview >= if of_evidence { 30 } else { 80 };
    let source = num(field(&quality, "quality_score"), 0.0);
    let relevance = num(field(&quality, "system_relevance_score"), 0.0);
    let (has_quality, has_relevance) = (source >= SOURCE_THRESHOLD, relevance >= RELEVANCE_THRESHOLD);
    let sound = fetched && evidence && meaningful && has_quality && has_relevance && !placeholder;
    let (name, confidence, reason) = if sound && (!frontier || (of_evidence && concrete)) {
        ("USEFUL", if of_evidence { 0.70 } else { 0.55 }, "a page that was read, says something, and answers to the goal")
    } else if fetched && evidence && !placeholder && frontier {
        ("FRONTIER", 0.50, "a page that leads on to others")
    } else {
        ("NEUTRAL", 0.35, "too little to be useful")
    };
    let signals = json!({
        "is_successful_fetch": fetched,
        "has_network_evidence": evidence,
        "has_meaningful_preview": meaningful,
        "has_quality": has_quality,
        "has_relevance": has_relevance,
        "is_placeholder": placeholder,
        "is_frontier_source": frontier,
        "preferred_evidence_target": preferred,
        "evidence_seed_source": seed,
        "evidence_candidate_source": candidate,
        "concrete_evidence_page": concrete,
        "preview_chars": preview,
        "source_score": source,
        "relevance_score": relevance,
        "discovered_preferred_evidence_source": discovered_preferred,
    });
    Classification { name, confidence, reason, quality, signals }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(url: &str, provenance: Json) -> Json {
        json!({
            "url": url, "content_hash": "h", "fetch_status": "ok", "provenance": provenance,
            "content_preview": "Autonomous agents keep a memory in a database, and retrieval finds in it what they saw before."
        })
    }

    #[test]
    fn a_page_is_useful_leads_on_or_says_little() {
        for (url, provenance, name, confidence) in [
            (
                "https://docs.python.org/3/library/queue.html",
                json!({"source_adapter": "evidence", "preferred_evidence_target": true}),
                "USEFUL",
                0.70,
            ),
            ("https://docs.python.org/3/library/queue.html", json!({}), "USEFUL", 0.55),
            ("https://duckduckgo.com/html?q=memory", json!({"source_score": 0.9, "system_relevance_score": 0.9}), "FRONTIER", 0.50),
            ("https://blog.rust-lang.org/", json!({"discovered_target_count": 4}), "FRONTIER", 0.50),
            ("https://a.org/x", json!({"source_score": 0.9}), "USEFUL", 0.55),
            ("https://a.org/x", json!({"source_score": 0.1}), "NEUTRAL", 0.35),
            ("https://example.org/docs/x", json!({"source_score": 0.9}), "NEUTRAL", 0.35),
            ("https://example.org/search", json!({"source_score": 0.9}), "NEUTRAL", 0.35),
        ] {
            let verdict = classify(&finding(url, provenance.clone()));
            assert_eq!((verdict.name, verdict.confidence), (name, confidence), "{url} {provenance}");
        }
    }

    #[test]
    fn what_was_not_fetched_is_never_more_than_neutral() {
        let mut failed = finding("https://docs.python.org/3/library/queue.html", json!({"source_adapter": "evidence_seed"}));
        failed["fetch_status"] = "http_404".into();
        assert_eq!(classify(&failed).name, "NEUTRAL");
        assert_eq!(classify(&json!([])).name, "NEUTRAL");
    }

    #[test]
    fn a_concrete_page_with_many_links_is_no_frontier_but_a_login_is() {
        let many = json!({"discovered_target_count": 50});
        assert_eq!(classify(&finding("https://docs.python.org/3/library/x.html", many.clone())).name, "USEFUL");
        assert!(is_low_value("https://github.com/login/x") && !is_low_value("https://a.org/docs/x"));
        let mut sparse = finding("https://a.org/x", many);
        sparse["content_preview"] = "links and nothing but links, one below the other, of which none says what it means to say".into();
        assert_eq!(classify(&sparse).name, "FRONTIER");
    }
}
