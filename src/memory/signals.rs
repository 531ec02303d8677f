//! Quality signals: what a finding's page, preview and provenance say about its worth.

use super::schedule::{EVIDENCE_ADAPTERS, EVIDENCE_KINDS};
use super::url;
use super::value::{chars, clean, field, lower, map, num, truthy};
use serde_json::{Value as Json, json};

const PLACEHOLDER_DOMAINS: [&str; 6] = ["example.com", "example.org", "example.net", "localhost", "127.0.0.1", "0.0.0.0"];
const HIGH_VALUE_DOMAINS: [&str; 7] =
    ["docs.python.org", "www.python.org", "python.org", "peps.python.org", "github.com", "realpython.com", "readthedocs.io"];
const KEYWORDS: [&str; 29] = [
    "agent",
    "agents",
    "autonomous",
    "ai",
    "llm",
    "memory",
    "retrieval",
    "runtime",
    "async",
    "asyncio",
    "python",
    "orchestration",
    "testing",
    "pytest",
    "security",
    "sandbox",
    "crdt",
    "database",
    "system",
    "improvement",
    "proposal",
    "architecture",
    "pydantic",
    "type-safe",
    "type",
    "safe",
    "course",
    "workflow",
    "workflows",
];
const CONCRETE_PATHS: [&str; 10] =
    ["/library/", "/reference/", "/tutorial/", "/howto/", "/guide/", "/docs/", "/articles/", "/article/", "/learn/", "/pep-"];

/// The domain of a finding: what it says, else the host of its URL.
pub(crate) fn domain_of(finding: &Json) -> String {
    let said = lower(field(finding, "domain"));
    if !said.is_empty() {
        return said;
    }
    url::split(&clean(field(finding, "url"))).map(|parts| url::host(&parts.authority)).unwrap_or_default()
}

/// Whether the finding lies on a domain that stands for none.
pub(crate) fn is_placeholder(finding: &Json) -> bool {
    PLACEHOLDER_DOMAINS.contains(&&*domain_of(finding))
}

/// Whether adapter or kind say that the target was sought out as evidence.
pub(crate) fn is_seed(adapter: &Json, kind: &Json) -> bool {
    EVIDENCE_ADAPTERS.contains(&&*clean(adapter)) || EVIDENCE_KINDS.contains(&&*clean(kind))
}

fn keywords_in(texts: &[&str]) -> Vec<&'static str> {
    KEYWORDS.into_iter().filter(|keyword| texts.iter().any(|text| text.contains(keyword))).collect()
}

/// Whether the page is about something, by its place alone; the first rule that applies decides.
fn is_concrete(domain: &str, path: &str) -> bool {
    if CONCRETE_PATHS.iter().any(|part| path.contains(part)) {
        return true;
    }
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    match (domain, &*segments) {
        ("realpython.com", [page]) => {
            !["account", "search", "tutorials", "learning-paths", "quizzes", "bonus"].iter().any(|start| page.starts_with(start))
        }
        ("realpython.com", ["courses", slug]) => keywords_in(&[&slug.replace('-', " ")]).len() >= 2,
        ("docs.github.com", segments) => !matches!(segments, [] | ["en"]),
        ("github.com", [first, _, ..]) => !["search", "login", "signup", "features", "security", "about"].contains(first),
        _ => false,
    }
}

/// The signals of a finding.
pub(crate) fn signals(finding: &Json) -> Json {
    let provenance = map(field(finding, "provenance"));
    let (address, preview) = (clean(field(finding, "url")), clean(field(finding, "content_preview")));
    let domain = domain_of(finding);
    let high_value = HIGH_VALUE_DOMAINS.contains(&&*domain);
    let (low_address, low_preview) = (address.to_lowercase(), preview.to_lowercase());
    let keywords = keywords_in(&[&low_preview, &low_address]);
    let path = url::split(&low_address).map(|parts| parts.path).unwrap_or_default();
    let preferred = truthy(field(provenance, "preferred_evidence_target"));
    let by_place = is_concrete(&domain, &path);
    let discovered = preferred && by_place;
    let concrete = preferred || by_place;
    let (adapter, kind) = (field(provenance, "source_adapter"), field(provenance, "source_kind"));
    let candidate = is_seed(adapter, kind) || discovered;
    let said = |name: &str| Some(num(field(provenance, name), 0.0)).filter(|&score| score > 0.0);
    let lifts = [(concrete, 0.68), (preferred, 0.75), (candidate, 0.80)];
    let lifted = |score: f64| lifts.iter().filter(|(holds, _)| *holds).fold(score, |score, (_, least)| score.max(*least));

    let authority = said("authority_score").unwrap_or(match &*domain {
        _ if high_value => 0.85,
        domain if domain.ends_with(".org") => 0.65,
        "" => 0.0,
        _ => 0.50,
    });
    let relevance = said("system_relevance_score").unwrap_or(match keywords.len() {
        4.. => 0.80,
        2 | 3 => 0.68,
        1 => 0.55,
        0 => 0.35,
    });
    let inferred = || {
        let of_domain = if high_value { 0.25 } else { 0.0 };
        let of_preview = if chars(&preview) >= 80 { 0.10 } else { 0.0 };
        (0.35 + of_domain + (0.05 * keywords.len() as f64).min(0.25) + of_preview).min(0.95)
    };
    let source = lifted(said("source_score").or_else(|| said("quality_score")).unwrap_or_else(inferred));
    json!({
        "url": address,
        "domain": domain,
        "fetch_status": lower(field(finding, "fetch_status")),
        "content_hash_present": !clean(field(finding, "content_hash")).is_empty(),
        "content_preview_chars": chars(&preview),
        "placeholder_domain": PLACEHOLDER_DOMAINS.contains(&&*domain),
        "high_value_domain": high_value,
        "concrete_evidence_page": concrete,
        "keyword_match_count": keywords.len(),
        "keyword_matches": keywords,
        "source_score": source,
        "quality_score": source.max(num(field(provenance, "quality_score"), 0.0)),
        "authority_score": if preferred || candidate { authority.max(0.70) } else { authority },
        "system_relevance_score": lifted(relevance),
        "freshness_score": said("freshness_score").unwrap_or(0.50),
        "preferred_evidence_target": preferred,
        "source_adapter": clean(adapter),
        "source_kind": clean(kind),
        "goal_alignment_score": num(field(provenance, "goal_alignment_score"), 0.0),
        "evidence_candidate_source": candidate,
        "discovered_preferred_evidence_source": discovered,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_concrete_by_its_place() {
        for (domain, path, concrete) in [
            ("a.org", "/x/docs/y", true),
            ("peps.python.org", "/pep-0249/", true),
            ("realpython.com", "/python-async-io/", true),
            ("realpython.com", "/tutorials-all/", false),
            ("realpython.com", "/courses/building-an-llm/", false),
            ("realpython.com", "/courses/async-python-x/", true),
            ("realpython.com", "/courses/async-python/more", false),
            ("docs.github.com", "/en/", false),
            ("docs.github.com", "/en/search-github", true),
            ("github.com", "/org/repo", true),
            ("github.com", "/features/repo", false),
            ("github.com", "/org", false),
            ("a.org", "", false),
        ] {
            assert_eq!(is_concrete(domain, path), concrete, "{domain}{path}");
        }
    }

    #[test]
    fn an_explicit_score_wins_when_positive_and_is_lifted_all_the_same() {
        let finding =
            |score: f64| json!({"url": "https://a.org/docs/x", "provenance": {"source_score": score, "system_relevance_score": 0.9}});
        let of = |score: f64, name: &str| signals(&finding(score))[name].as_f64().unwrap();
        assert!((of(0.3, "source_score") - 0.68).abs() < 1e-9);
        assert!((of(0.0, "source_score") - 0.68).abs() < 1e-9);
        assert!((of(0.9, "source_score") - 0.9).abs() < 1e-9);
        assert!((of(0.9, "system_relevance_score") - 0.9).abs() < 1e-9);
        assert!((of(0.9, "authority_score") - 0.65).abs() < 1e-9);
    }

    #[test]
    fn a_preferred_page_is_discovered_only_if_its_place_is_concrete() {
        for (url, discovered) in [("https://a.org/docs/x", true), ("https://a.org/", false)] {
            let said = signals(&json!({"url": url, "provenance": {"preferred_evidence_target": true}}));
            assert_eq!(said["discovered_preferred_evidence_source"], discovered);
            assert_eq!((&said["concrete_evidence_page"], &said["evidence_candidate_source"]), (&json!(true), &json!(discovered)));
        }
    }
}
