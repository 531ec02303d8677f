//! One tick's choice among targets: evidence first, then the rest, fairly over domains, within caps.

use super::template;
use super::url;
use super::value::{clean, field, int, list, lower, num, truthy};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

pub(crate) const ADAPTERS: [&str; 4] = ["github", "arxiv", "search", "sitemap"];
pub(crate) const ADAPTER_KINDS: [&str; 5] =
    ["github_repository_search", "github_code_search", "arxiv_api_query", "public_search_html", "sitemap_xml"];
pub(crate) const EVIDENCE_ADAPTERS: [&str; 2] = ["evidence", "evidence_seed"];
pub(crate) const EVIDENCE_KINDS: [&str; 2] = ["goal_evidence_url", "curated_evidence_url"];
/// The share of a batch that evidence may take.
const EVIDENCE_SHARE: f64 = 0.7;

struct Target {
    url: String,
    domain: String,
    adapter: String,
    of_adapter: bool,
    evidence_like: bool,
    is_template: bool,
    /// Adapter weight, source score, goal alignment.
    priority: [f64; 3],
}

impl Target {
    fn of(said: &Json, url: String) -> Self {
        let adapter = lower(field(said, "source_adapter"));
        let kind = lower(field(said, "source_kind"));
        let of_evidence_kind = EVIDENCE_KINDS.contains(&&*kind);
        let evidence_like = EVIDENCE_ADAPTERS.contains(&&*adapter) || of_evidence_kind || truthy(field(said, "preferred_evidence_target"));
        let mut weight: f64 = match &*adapter {
            "evidence_seed" => 1.00,
            "evidence" => 0.96,
            "seed" => 0.92,
            "sitemap" => 0.78,
            "github" => 0.70,
            "arxiv" => 0.68,
            "search" => 0.60,
            _ => 0.40,
        };
        if evidence_like {
            weight = weight.max(0.96);
        }
        if of_evidence_kind {
            weight = weight.max(0.98);
        }
        Self {
            domain: url::domain(&url),
            url,
            of_adapter: ADAPTERS.contains(&&*adapter) || ADAPTER_KINDS.contains(&&*kind),
            adapter,
            evidence_like,
            is_template: truthy(field(said, "safe_public_search_template")),
            priority: [weight, num(field(said, "source_score"), 0.0), num(field(said, "goal_alignment_score"), 0.0)],
        }
    }
}

/// How many templates reached each stage; a later one counts for the earlier ones.
#[derive(Default)]
struct Templates {
    seen: u64,
    selected: u64,
    fetched: u64,
    blocked: u64,
    unsafe_detected: u64,
}

/// The selection of one tick, and what was counted on the way.
pub(crate) fn schedule(input: &Json) -> Json {
    let size = |name, default| usize::try_from(input.get(name).map_or(default, |count| int(count, default)).max(0)).unwrap_or(usize::MAX);
    let (batch, cap) = (size("batch_limit", 10), size("max_targets_per_domain_per_tick", 2));
    let backing_off: HashSet<String> = list(field(input, "rate_limited_domains")).iter().map(lower).collect();
    let (mut known, mut targets) = (HashSet::new(), Vec::new());
    let (mut templates, mut blocked) = (Templates::default(), BTreeMap::<String, u64>::new());
    for said in list(field(input, "targets")) {
        let address = url::normalise(&clean(field(said, "url")));
        if address.is_empty() || !known.insert(address.clone()) {
            continue;
        }
        let target = Target::of(said, address);
        templates.seen += u64::from(target.is_template);
        templates.unsafe_detected += u64::from(target.is_template && !is_valid_template(said));
        if target.of_adapter && backing_off.contains(&target.domain) {
            let adapter = if target.adapter.is_empty() { "unknown" } else { &target.adapter };
            *blocked.entry(adapter.to_owned()).or_default() += 1;
            if target.is_template {
                templates.blocked += 1;
                templates.fetched += 1;
                templates.selected += 1;
            }
            continue;
        }
        targets.push(target);
    }
    let (mut evidence, others): (Vec<&Target>, Vec<&Target>) = targets.iter().partition(|target| target.evidence_like);
    evidence.sort_by(|one, other| other.priority.partial_cmp(&one.priority).unwrap_or(std::cmp::Ordering::Equal));
    let share = ((batch as f64 * EVIDENCE_SHARE).floor() as usize).max(1).min(batch);
    let mut by_domain = HashMap::new();
    let mut selected = Vec::new();
    take_turns(&evidence, share, cap, &mut by_domain, &mut selected);
    // Inside one domain templates come before what is merely searched for.
    let (first, last): (Vec<&Target>, Vec<&Target>) = others.iter().copied().partition(|target| target.is_template);
    let ordered = in_domain_order(&others, &[first, last]);
    take_turns(&ordered, batch - selected.len(), cap, &mut by_domain, &mut selected);
    let mut by_adapter = BTreeMap::<&str, u64>::new();
    for target in &selected {
        templates.selected += u64::from(target.is_template);
        if !target.adapter.is_empty() {
            *by_adapter.entry(&target.adapter).or_default() += 1;
        }
    }
    json!({
        "selected": selected.iter().map(|target| &target.url).collect::<Vec<_>>(),
        "source_adapter_targets_selected": by_adapter,
        "source_adapter_blocked_targets": blocked,
        "safe_public_search_templates_seen": templates.seen,
        "safe_public_search_templates_selected": templates.selected,
        "safe_public_search_templates_fetched": templates.fetched,
        "safe_public_search_templates_blocked": templates.blocked,
        "unsafe_public_search_templates_detected": templates.unsafe_detected,
    })
}

/// Whether what a target says of its search template is a valid one.
pub(crate) fn is_valid_template(target: &Json) -> bool {
    template::validate(&json!({
        "kind": field(target, "search_query_template_kind"),
        "site": field(target, "search_query_site"),
        "query": field(target, "search_query"),
    }))
    .is_empty()
}

/// The targets of `parts`, a domain's together, domains in the order in which `all` first has them.
fn in_domain_order<'t>(all: &[&'t Target], parts: &[Vec<&'t Target>]) -> Vec<&'t Target> {
    let mut place: HashMap<&str, usize> = HashMap::new();
    let mut buckets: Vec<Vec<&Target>> = Vec::new();
    for target in all {
        place.entry(&target.domain).or_insert_with(|| {
            buckets.push(Vec::new());
            buckets.len() - 1
        });
    }
    for target in parts.iter().flatten() {
        buckets[place[&*target.domain]].push(target);
    }
    buckets.into_iter().flatten().collect()
}

/// Takes up to `room` targets, one from each domain in turn, domains in the order of their first target.
fn take_turns<'t>(
    targets: &[&'t Target],
    room: usize,
    cap: usize,
    by_domain: &mut HashMap<&'t str, usize>,
    selected: &mut Vec<&'t Target>,
) {
    let mut place: HashMap<&str, usize> = HashMap::new();
    let mut turns: VecDeque<VecDeque<&Target>> = VecDeque::new();
    for target in targets {
        let at = *place.entry(&target.domain).or_insert_with(|| {
            turns.push_back(VecDeque::new());
            turns.len() - 1
        });
        turns[at].push_back(target);
    }
    let mut left = room;
    while left > 0
        && let Some(mut bucket) = turns.pop_front()
    {
        let Some(target) = bucket.pop_front() else { continue };
        let taken = by_domain.entry(&target.domain).or_default();
        if *taken >= cap {
            continue;
        }
        *taken += 1;
        left -= 1;
        selected.push(target);
        turns.push_back(bucket);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(input: &Json) -> Vec<String> {
        schedule(input)["selected"].as_array().unwrap().iter().map(|url| url.as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn domains_take_turns_in_the_order_of_their_first_target() {
        let urls = ["https://a.org/1", "https://a.org/2", "https://b.org/1", "https://a.org/3", "https://c.org/1", "https://b.org/2"];
        let targets: Vec<_> = urls.iter().map(|url| json!({"url": url})).collect();
        assert_eq!(
            selected(&json!({"targets": targets, "batch_limit": 5})),
            ["https://a.org/1", "https://b.org/1", "https://c.org/1", "https://a.org/2", "https://b.org/2"]
        );
        assert_eq!(selected(&json!({"targets": targets, "max_targets_per_domain_per_tick": 0})), [""; 0]);
        assert_eq!(selected(&json!({"targets": targets, "batch_limit": 0})), [""; 0]);
    }

    #[test]
    fn equal_urls_are_one_target_and_evidence_goes_by_priority() {
        let targets = json!([
            {"url": "HTTPS://A.org/1/#x", "source_adapter": "evidence"}, {"url": "https://a.org/1", "source_adapter": "evidence_seed"},
            {"url": "https://b.org/1", "source_kind": "goal_evidence_url"}, {"url": "https://c.org/", "preferred_evidence_target": true, "source_score": 0.9},
            {"url": ""}, 7
        ]);
        assert_eq!(selected(&json!({"targets": targets})), ["https://b.org/1", "https://c.org/", "https://a.org/1"]);
        assert_eq!(selected(&json!({"targets": targets, "batch_limit": 2})), ["https://b.org/1"], "what evidence may not take stays free");
    }

    #[test]
    fn only_adapter_targets_back_off() {
        let targets =
            json!([{"url": "https://a.org/1", "source_kind": "sitemap_xml"}, {"url": "https://a.org/2", "source_adapter": "seed"}]);
        let result = schedule(&json!({"targets": targets, "rate_limited_domains": ["A.org"]}));
        assert_eq!(result["selected"], json!(["https://a.org/2"]));
        assert_eq!(result["source_adapter_blocked_targets"], json!({"unknown": 1}));
    }
}
