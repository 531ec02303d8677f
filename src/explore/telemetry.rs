//! What a node counts: targets by adapter, who held it off, how far search templates came.
//!
//! Every stage of a template counts a URL once, and a later stage counts for the earlier ones.

use super::target::adapter;
use crate::memory::ingest::put;
use crate::memory::schedule::{ADAPTER_KINDS, ADAPTERS, is_valid_template};
use crate::memory::value::{Object, field, lower, truthy};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};

/// The counts of one run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Telemetry {
    targets_seen: BTreeMap<String, u64>,
    targets_selected: BTreeMap<String, u64>,
    rate_limits: BTreeMap<String, u64>,
    blocked_targets: BTreeMap<String, u64>,
    domain_rate_limits: BTreeMap<String, u64>,
    /// Domains that are left alone for the rest of the run.
    backing_off: HashSet<String>,
    templates: [HashSet<String>; 4],
    unsafe_templates: HashSet<String>,
}

/// How far a template came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Seen,
    Selected,
    Fetched,
    Blocked,
}

/// Whether a target was made by an adapter: only these hold a domain off.
fn is_of_adapter(target: &serde_json::Value) -> bool {
    ADAPTERS.contains(&&*adapter(target)) || ADAPTER_KINDS.contains(&&*lower(field(target, "source_kind")))
}

impl Telemetry {
    /// Counts a target that is new to the run.
    pub(crate) fn saw(&mut self, url: &str, target: &serde_json::Value) {
        count_adapter(&mut self.targets_seen, target);
        if truthy(field(target, "safe_public_search_template")) {
            self.reached(Stage::Seen, url, target);
            if !is_valid_template(target) {
                self.unsafe_templates.insert(url.to_owned());
            }
        }
    }

    /// Counts a target that is to be read.
    pub(crate) fn selected(&mut self, url: &str, target: &serde_json::Value) {
        count_adapter(&mut self.targets_selected, target);
        self.reached(Stage::Selected, url, target);
    }

    /// Notes how far a template came; of other targets nothing.
    pub(crate) fn reached(&mut self, stage: Stage, url: &str, target: &serde_json::Value) {
        if truthy(field(target, "safe_public_search_template")) {
            for urls in &mut self.templates[..=stage as usize] {
                if !urls.contains(url) {
                    urls.insert(url.to_owned());
                }
            }
        }
    }

    /// Whether the target's domain is left alone; such a target is counted as blocked.
    pub(crate) fn holds_off(&mut self, url: &str, domain: &str, target: &serde_json::Value) -> bool {
        if !is_of_adapter(target) || !self.backing_off.contains(domain) {
            return false;
        }
        *self.blocked_targets.entry(adapter_or_unknown(target)).or_default() += 1;
        self.reached(Stage::Blocked, url, target);
        true
    }

    /// Notes that somebody held us off; whether that was counted, as it is of adapter targets.
    pub(crate) fn limited(&mut self, url: &str, domain: &str, target: &serde_json::Value, reason: &str) -> bool {
        self.reached(Stage::Blocked, url, target);
        if !is_of_adapter(target) {
            return false;
        }
        let named = if domain.is_empty() { "unknown" } else { domain };
        *self.rate_limits.entry(format!("{}:{named}:{reason}", adapter_or_unknown(target))).or_default() += 1;
        *self.domain_rate_limits.entry(named.to_owned()).or_default() += 1;
        self.backing_off.insert(domain.to_owned());
        true
    }

    /// Whether reads of this domain were held off in this run.
    pub(crate) fn is_backing_off(&self, domain: &str) -> bool {
        self.backing_off.contains(domain)
    }

    /// Adds the counts to a node's result.
    pub(crate) fn tell(&self, result: &mut Object) {
        let [seen, selected, fetched, blocked] = self.templates.each_ref().map(HashSet::len);
        put(
            result,
            json!({
                "source_adapter_targets_seen": self.targets_seen,
                "source_adapter_targets_selected": self.targets_selected,
                "source_adapter_rate_limits": self.rate_limits,
                "source_adapter_blocked_targets": self.blocked_targets,
                "domain_rate_limits": self.domain_rate_limits,
            }),
        );
        // A node that saw no template says nothing of them: its telemetry would be of nothing.
        if seen > 0 {
            put(
                result,
                json!({
                    "safe_public_search_templates_seen": seen,
                    "safe_public_search_templates_selected": selected,
                    "safe_public_search_templates_fetched": fetched,
                    "safe_public_search_templates_blocked": blocked,
                    "unsafe_public_search_templates_detected": self.unsafe_templates.len(),
                }),
            );
        }
    }
}

fn count_adapter(counts: &mut BTreeMap<String, u64>, target: &serde_json::Value) {
    let name = adapter(target);
    // Names come from records; a few are enough.
    if !name.is_empty() && (counts.len() < 100 || counts.contains_key(&name)) {
        *counts.entry(name).or_default() += 1;
    }
}

fn adapter_or_unknown(target: &serde_json::Value) -> String {
    let name = adapter(target);
    if name.is_empty() { "unknown".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value as Json;

    fn told(telemetry: &Telemetry) -> Json {
        let mut result = Object::new();
        telemetry.tell(&mut result);
        Json::Object(result)
    }

    #[test]
    fn a_later_stage_counts_for_the_earlier_ones_and_a_url_once() {
        let mut telemetry = Telemetry::default();
        let template = json!({
            "safe_public_search_template": true, "source_adapter": "search", "search_query_site": "github.com",
            "search_query_template_kind": "official_docs", "search_query": "site:github.com memory"
        });
        assert!(told(&telemetry).get("safe_public_search_templates_seen").is_none());
        telemetry.saw("u", &template);
        assert!(telemetry.limited("u", "d.org", &template, "http_429"));
        telemetry.reached(Stage::Fetched, "u", &template);
        assert!(telemetry.holds_off("v", "d.org", &template));
        let said = told(&telemetry);
        for (name, count) in [("seen", 2), ("selected", 2), ("fetched", 2), ("blocked", 2)] {
            assert_eq!(said[format!("safe_public_search_templates_{name}")], count, "{name}");
        }
        assert_eq!(said["source_adapter_rate_limits"], json!({"search:d.org:http_429": 1}));
        assert_eq!((&said["domain_rate_limits"], &said["source_adapter_blocked_targets"]), (&json!({"d.org": 1}), &json!({"search": 1})));
        assert_eq!(said["unsafe_public_search_templates_detected"], 0);
    }

    #[test]
    fn only_adapter_targets_are_counted_and_back_off() {
        let mut telemetry = Telemetry::default();
        assert!(!telemetry.limited("u", "d.org", &json!({"source_adapter": "evidence"}), "robots_disallowed"));
        assert!(telemetry.limited("v", "d.org", &json!({"source_kind": "sitemap_xml"}), "robots_disallowed"));
        assert!(!telemetry.holds_off("u", "d.org", &json!({"source_adapter": "evidence"})));
        assert_eq!(told(&telemetry)["source_adapter_rate_limits"], json!({"unknown:d.org:robots_disallowed": 1}));
        telemetry.saw("w", &json!({"safe_public_search_template": true, "search_query": "passwords"}));
        assert_eq!(told(&telemetry)["unsafe_public_search_templates_detected"], 1);
    }
}
