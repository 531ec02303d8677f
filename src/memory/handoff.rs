//! The decision whether a finding goes on to memory, with the repair of a preview that got lost.

use super::gate::{Standing, gate, signals_of};
use super::url;
use super::value::{Object, chars, clean, collapse, cut, field, first, list, map, members, num};
use serde_json::{Value as Json, json};

/// The least confidence that is handed on.
const CONFIDENCE: f64 = 0.50;
/// The longest repaired preview, in code points.
const PREVIEW_LIMIT: usize = 2000;

/// The decision for a finding; the ledger is not asked.
pub(crate) fn handoff(finding: &Json) -> Json {
    if clean(field(finding, "classification")).to_uppercase() != "USEFUL" {
        return json!({"published": false, "reason": "classification_not_useful"});
    }
    if num(field(finding, "confidence"), 0.0) < CONFIDENCE {
        return json!({"published": false, "reason": "confidence_below_threshold", "threshold": CONFIDENCE});
    }
    let repaired = repair_preview(finding);
    let passage = gate(repaired.as_ref().unwrap_or(finding));
    let passed = passage.reasons.is_empty();
    let reason = if passed { Json::Null } else { "quality_gate_failed".into() };
    let mut decision = json!({"published": passed, "reason": reason, "quality_reasons": passage.reasons});
    if let Some(repaired) = repaired {
        decision["repaired_preview"] = field(&repaired, "content_preview").clone();
    }
    decision
}

/// The finding with a preview made from what is known about it, if it lost its own and may have one.
pub(crate) fn repair_preview(finding: &Json) -> Option<Json> {
    let signals = signals_of(finding);
    let Standing { preferred, seed, candidate } = Standing::of(finding, &signals);
    if !clean(field(finding, "content_preview")).is_empty() || !preferred || !(seed || candidate) {
        return None;
    }
    let provenance = map(field(finding, "provenance"));
    let address = clean(field(finding, "url"));
    let goal = first(["research_goal", "goal", "research_goal_text"].map(|name| field(provenance, name)));
    let brought = field(map(field(provenance, "fallback_quality_signals")), "keyword_matches");
    let keywords: Vec<String> = list(brought).iter().map(clean).collect();
    let parts = [
        ("", title_of(&address)),
        ("", "Explorer useful evidence candidate.".to_owned()),
        ("URL: ", address),
        ("Source adapter: ", clean(field(provenance, "source_adapter"))),
        ("Source kind: ", clean(field(provenance, "source_kind"))),
        ("Research goal: ", clean(goal)),
        ("Matched keywords: ", collapse(&keywords.join(" "))),
    ];
    let said: Vec<String> = parts.into_iter().filter(|(_, text)| !text.is_empty()).map(|(label, text)| label.to_owned() + &text).collect();
    let preview = cut(&collapse(&said.join(" ")), PREVIEW_LIMIT).trim_end().to_owned();
    let mut with_source: Object = members(provenance);
    with_source.insert("memory_handoff_preview_repaired".to_owned(), Json::Bool(true));
    with_source.insert("memory_handoff_preview_source".to_owned(), "meta_synthetic_evidence_preview".into());
    with_source.insert("content_preview_chars".to_owned(), chars(&preview).into());
    with_source.insert("evidence_seed_source".to_owned(), Json::Bool(seed));
    with_source.insert("evidence_candidate_source".to_owned(), Json::Bool(candidate));
    let mut repaired = members(finding);
    repaired.insert("content_preview".to_owned(), preview.into());
    repaired.insert("provenance".to_owned(), Json::Object(with_source));
    Some(Json::Object(repaired))
}

/// A title from the last segment of the path, or from the host.
fn title_of(address: &str) -> String {
    let Ok(parts) = url::split(address) else { return String::new() };
    let last = parts.path.rsplit('/').find(|segment| !segment.is_empty()).unwrap_or(&parts.authority);
    title_case(&collapse(&url::decode_percent(last).replace(['-', '_'], " ")))
}

/// Upper case after any non-letter, lower case after a letter.
fn title_case(text: &str) -> String {
    let mut after_letter = false;
    let mut titled = String::with_capacity(text.len());
    for character in text.chars() {
        if after_letter {
            titled.extend(character.to_lowercase());
        } else {
            let mut upper = character.to_uppercase();
            titled.extend(upper.next());
            titled.extend(upper.flat_map(char::to_lowercase));
        }
        after_letter = character.is_lowercase() || character.is_uppercase();
    }
    titled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_read_from_the_address() {
        for (address, title) in [
            ("https://a.org/3/asyncio-task.html", "Asyncio Task.Html"),
            ("https://a.org/x/API_guide%20two/", "Api Guide Two"),
            ("https://docs.a.org/?q=1", "Docs.A.Org"),
            ("https://[x", ""),
            ("", ""),
        ] {
            assert_eq!(title_of(address), title);
        }
        assert_eq!(title_case("\u{df}x 3d it's"), "Ssx 3D It'S");
    }

    #[test]
    fn only_a_preferred_evidence_target_is_repaired_and_the_preview_is_bounded() {
        let finding = |provenance: Json| json!({"url": format!("https://a.org/docs/{}", "x".repeat(3000)), "provenance": provenance});
        for provenance in [
            json!({}),
            json!({"preferred_evidence_target": true, "source_adapter": "sitemap", "fallback_quality_signals": {"x": 1}}),
            json!({"source_adapter": "evidence"}),
        ] {
            assert!(repair_preview(&finding(provenance)).is_none());
        }
        let repaired = repair_preview(&finding(json!({"preferred_evidence_target": true}))).expect("its place is concrete");
        assert_eq!(chars(repaired["content_preview"].as_str().unwrap()), PREVIEW_LIMIT);
        assert_eq!(repaired["provenance"]["memory_handoff_preview_repaired"], true);
        assert_eq!(repaired["provenance"]["evidence_seed_source"], false);
    }

    #[test]
    fn what_was_refused_early_says_nothing_of_quality() {
        assert_eq!(
            handoff(&json!({"classification": " useful ", "confidence": "nan"})),
            json!({"published": false, "reason": "confidence_below_threshold", "threshold": 0.5})
        );
        assert_eq!(handoff(&json!([])), json!({"published": false, "reason": "classification_not_useful"}));
    }
}
