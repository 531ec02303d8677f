//! Safe public search templates: queries of known kinds over known sites, for goals that ask nothing unsafe.

use super::catalog::counted;
use super::dork::is_denied;
use super::ingest::put;
use super::safety::clear_flags;
use super::url::encode_form_into;
use super::value::{Object, clamp01, clean, collapse, field, int, lower, num};
use serde_json::{Value as Json, json};
use std::collections::{BTreeSet, HashSet};

const SITES: [&str; 6] = ["arxiv.org", "docs.github.com", "docs.python.org", "github.blog", "github.com", "realpython.com"];
const KINDS: [&str; 6] =
    ["research_papers", "official_docs", "engineering_changelog", "engineering_blog", "github_repositories", "technical_tutorials"];
const UNSAFE: &str = "query contains unsafe public search term";

/// Site, kind and what is added to the goal's terms, in the order of the plan.
const TERM_TEMPLATES: [(&str, &str, &str); 7] = [
    ("arxiv.org", "research_papers", "paper research"),
    ("docs.github.com", "official_docs", "docs"),
    ("docs.python.org", "official_docs", "library documentation"),
    ("github.blog", "engineering_changelog", "changelog"),
    ("github.blog", "engineering_blog", "engineering blog"),
    ("github.com", "github_repositories", "repository framework"),
    ("realpython.com", "technical_tutorials", "tutorial"),
];
/// Site and kind of the templates that quote the whole goal.
const PHRASE_TEMPLATES: [(&str, &str); 2] = [("github.blog", "engineering_blog"), ("arxiv.org", "research_papers")];
/// How many terms of a goal a query takes.
const TERMS: usize = 6;

/// What is wrong with a template, in order; empty when it may be searched for.
pub(crate) fn validate(template: &Json) -> Vec<String> {
    let (kind, site, query) = (clean(field(template, "kind")), lower(field(template, "site")), clean(field(template, "query")));
    let mut errors = Vec::new();
    if !KINDS.contains(&&*kind) {
        errors.push(format!("unsupported template kind: '{kind}'"));
    }
    if !SITES.contains(&&*site) {
        errors.push(format!("unsupported public search site: '{site}'"));
    }
    if query.is_empty() {
        errors.push("query is required".to_owned());
    } else if !query.to_lowercase().contains(&format!("site:{site}")) {
        errors.push(format!("query must include 'site:{site}'"));
    }
    if is_denied(&query) {
        errors.push(UNSAFE.to_owned());
    }
    errors
}

/// The templates for a goal, and their audit.
pub(crate) fn plan(goal: &str, limit: i128) -> (Vec<Json>, Json) {
    let goal = collapse(goal);
    if is_denied(&goal) {
        return (Vec::new(), audit(&[], &Counts { unsafe_rejected: 1, ..Counts::default() }));
    }
    let terms = goal_terms(&goal);
    if terms.is_empty() {
        return (Vec::new(), audit(&[], &Counts::default()));
    }
    let terms = terms[..terms.len().min(TERMS)].join(" ");
    let of_terms = TERM_TEMPLATES.iter().map(|(site, kind, more)| {
        let rationale = format!("{} on {site} for the terms of the goal", kind.replace('_', " "));
        json!({"kind": kind, "site": site, "query": format!("site:{site} {terms} {more}"), "rationale": rationale})
    });
    let of_phrase = PHRASE_TEMPLATES.iter().map(|(site, kind)| {
        let rationale = format!("{} on {site} for the exact goal", kind.replace('_', " "));
        json!({"kind": kind, "site": site, "query": format!("site:{site} \"{goal}\""), "rationale": rationale})
    });
    let generated = i128::try_from(TERM_TEMPLATES.len() + PHRASE_TEMPLATES.len()).unwrap_or_default();
    let mut counts = Counts { generated: Some(generated), ..Counts::default() };
    let (mut accepted, mut queries) = (Vec::new(), HashSet::new());
    for mut template in of_terms.chain(of_phrase) {
        if i128::try_from(accepted.len()).is_ok_and(|count| count >= limit) {
            break;
        }
        let errors = validate(&template);
        if !errors.is_empty() {
            counts.rejected += 1;
            counts.unsafe_rejected += i128::from(errors.iter().any(|error| error == UNSAFE));
        } else if !queries.insert(lower(field(&template, "query"))) {
            counts.deduped += 1;
        } else {
            template["safe_public_search_template"] = Json::Bool(true);
            accepted.push(template);
        }
    }
    let audit = audit(&accepted, &counts);
    (accepted, audit)
}

/// The ASCII terms of a goal, in order, once each.
fn goal_terms(goal: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let lowered = goal.to_lowercase();
    let runs = lowered.split(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_')));
    // A term begins with a letter or digit and has three characters before its edges are cut.
    let terms = runs.map(|run| run.trim_start_matches(['-', '_'])).filter(|run| run.len() >= 3);
    terms.map(|run| run.trim_end_matches(['-', '_']).to_owned()).filter(|term| seen.insert(term.clone())).collect()
}

/// What the walk over candidates counted.
#[derive(Debug, Default)]
struct Counts {
    generated: Option<i128>,
    rejected: i128,
    unsafe_rejected: i128,
    deduped: i128,
}

/// The audit of any list of templates: each is validated again, and only the valid ones count.
pub(crate) fn summarize(templates: &[Json], said: &Json) -> Json {
    // Beside the templates, or in an object of their own.
    let said = Some(field(said, "counts")).filter(|counts| counts.is_object()).unwrap_or(said);
    let count = |name: &str| int(field(said, name), 0);
    let valid: Vec<Json> = templates.iter().filter(|template| validate(template).is_empty()).cloned().collect();
    let generated = said.get("generated_count").filter(|count| !count.is_null()).map(|count| int(count, 0));
    let counts = Counts {
        generated,
        rejected: count("rejected_count"),
        unsafe_rejected: count("unsafe_rejected_count"),
        deduped: count("deduped_count"),
    };
    audit(&valid, &counts)
}

fn audit(accepted: &[Json], counts: &Counts) -> Json {
    let count = |count: i128| i64::try_from(count).unwrap_or(if count < 0 { i64::MIN } else { i64::MAX });
    let generated = counts.generated.unwrap_or_else(|| (accepted.len() as i128).saturating_add(counts.rejected));
    let queries: BTreeSet<String> = accepted.iter().map(|template| clean(field(template, "query"))).collect();
    let mut audit = Object::new();
    clear_flags(&mut audit);
    put(
        &mut audit,
        json!({
            "type": "safe_public_search_template_audit",
            "generated_count": count(generated),
            "accepted_count": accepted.len(),
            "rejected_count": count(counts.rejected),
            "unsafe_rejected_count": count(counts.unsafe_rejected),
            "deduped_count": count(counts.deduped),
            "by_site": counted(accepted.iter().map(|template| lower(field(template, "site")))),
            "by_kind": counted(accepted.iter().map(|template| clean(field(template, "kind")))),
            "queries": queries,
        }),
    );
    Json::Object(audit)
}

/// The target that a valid template becomes.
///
/// # Errors
/// The reasons of [`validate`], joined.
pub(crate) fn to_candidate(template: &Json, goal: &str, existing_score: &Json) -> Result<Json, String> {
    let errors = validate(template);
    if !errors.is_empty() {
        return Err(errors.join("; "));
    }
    let query = clean(field(template, "query"));
    let mut address = "https://duckduckgo.com/html?q=".to_owned();
    encode_form_into(&query, &mut address);
    let (goal, score) = (collapse(goal), clamp01(num(existing_score, 0.70)));
    let mut candidate = Object::new();
    clear_flags(&mut candidate);
    put(
        &mut candidate,
        json!({
            "url": address,
            "domain": "duckduckgo.com",
            "source_adapter": "search",
            "source_kind": "public_search_html",
            "discovery_method": "safe_public_search_query_template",
            "search_query": query,
            "search_query_site": lower(field(template, "site")),
            "search_query_template_kind": clean(field(template, "kind")),
            "search_query_rationale": clean(field(template, "rationale")),
            "safe_public_search_template": true,
            "network_read_candidate": true,
            "research_goal": goal,
            "goal": goal,
            "research_goal_text": goal,
            "source_priority_class": "safe_public_search_template",
            "planner_priority": score,
            "preferred_evidence_target": false,
            "score": score,
            "source_score": score,
            "quality_score": score,
            "system_relevance_score": score.clamp(0.68, 0.74),
            "authority_score": 0.55,
            "freshness_score": 0.50,
        }),
    );
    Ok(Json::Object(candidate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_runs_of_ascii_with_cut_edges() {
        assert_eq!(goal_terms("Multi-Agent __memory__ ab a-- \u{e9}tude memory x86_64"), ["multi-agent", "memory", "a", "tude", "x86_64"]);
    }

    #[test]
    fn a_limit_stops_the_walk_and_none_means_none() {
        for (limit, count) in [(0, 0), (-1, 0), (3, 3), (12, 9)] {
            let (templates, audit) = plan("agents memory", limit);
            assert_eq!(
                (templates.len(), &audit["accepted_count"], &audit["generated_count"]),
                (count, &json!(count), &json!(9)),
                "{limit}"
            );
        }
    }

    #[test]
    fn an_unsafe_goal_has_no_plan() {
        let (templates, audit) = plan("find a leaked list", 12);
        assert!(templates.is_empty());
        assert_eq!((&audit["unsafe_rejected_count"], &audit["generated_count"]), (&json!(1), &json!(0)));
    }

    #[test]
    fn a_summary_counts_only_what_is_valid() {
        let good = json!({"kind": "official_docs", "site": "GitHub.com", "query": "site:github.com agents"});
        let bad = json!({"kind": "official_docs", "site": "example.org", "query": "site:example.org agents"});
        let summary = summarize(&[good.clone(), bad, json!(7), good], &json!({"rejected_count": "2"}));
        assert_eq!((&summary["accepted_count"], &summary["generated_count"]), (&json!(2), &json!(4)));
        assert_eq!(summarize(&[], &json!({"rejected_count": 1e300}))["generated_count"], i64::MAX);
        assert_eq!(summary["by_site"], json!({"github.com": 2}));
        assert_eq!(summary["queries"], json!(["site:github.com agents"]));
    }

    #[test]
    fn scores_are_held_and_an_invalid_template_becomes_nothing() {
        let template = json!({"kind": "official_docs", "site": "github.com", "query": "site:github.com a&b"});
        let candidate = to_candidate(&template, " a  goal ", &json!("nan")).expect("it is valid");
        assert_eq!(
            (&candidate["score"], &candidate["url"], &candidate["goal"]),
            (&json!(0.7), &json!("https://duckduckgo.com/html?q=site%3Agithub.com+a%26b"), &json!("a goal"))
        );
        assert_eq!(
            to_candidate(&json!({}), "", &json!(1)),
            Err("unsupported template kind: ''; unsupported public search site: ''; query is required".to_owned())
        );
    }
}
