//! The source plan: which public sources a goal is looked for in. Nothing is read here.
//!
//! Each adapter is a generator of candidates from the goal's terms. A goal with a term that is not to be
//! searched for has no query at all, of whatever adapter.

use super::curated::PAGES;
use super::goal::{Standing, Worth, matched, plan_terms, profile, worth};
use super::target::{OfRun, TIER};
use crate::memory::dork::is_denied;
use crate::memory::ingest::put;
use crate::memory::plan_rank::{plan_order, planner_url};
use crate::memory::value::{Object, collapse};
use crate::memory::{template, url};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

/// The adapters of a plan that names none.
pub const DEFAULT_ADAPTERS: [&str; 4] = ["github", "arxiv", "search", "sitemap"];
/// Every adapter.
pub const ADAPTERS: [&str; 5] = ["rss", "sitemap", "github", "arxiv", "search"];
/// How many safe search templates a plan takes.
const TEMPLATES: i128 = 8;
/// The most seed URLs that become candidates.
const SEEDS: usize = 1000;

/// What a candidate is, before it is scored.
struct Source {
    url: String,
    adapter: &'static str,
    kind: &'static str,
    seed_score: f64,
    of: Standing,
    rationale: String,
}

impl Source {
    /// What the goal's terms are looked for in.
    fn haystack(&self) -> String {
        let parts = url::split(&self.url).ok();
        let words = parts.map(|parts| {
            let query = url::decode_percent(&parts.query.replace('+', " "));
            format!("{} {} {query}", parts.authority, url::decode_percent(&parts.path))
        });
        format!("{} {}", words.unwrap_or_default(), self.rationale).replace(['-', '_', '/'], " ").to_lowercase()
    }

    fn scored(self, terms: &[String], least: Option<Worth>, run: OfRun<'_>) -> Json {
        let matched = matched(terms, &self.haystack());
        let mut worth = worth(matched.len(), terms.len(), self.of);
        if let Some(least) = least {
            worth.alignment = worth.alignment.max(least.alignment);
            worth.relevance = worth.relevance.max(least.relevance);
            worth.source = worth.source.max(least.source);
        }
        let mut candidate = Object::new();
        put(
            &mut candidate,
            json!({
                "url": self.url,
                "domain": url::domain(&self.url),
                "source_adapter": self.adapter,
                "source_kind": self.kind,
                "discovery_method": "source_planner",
                "rationale": self.rationale,
                "seed_score": self.seed_score,
                "source_type_score": self.of.kind,
                "authority_score": self.of.authority,
                "freshness_score": self.of.freshness,
                "preferred_evidence_target": self.of.preferred,
                "goal_terms_matched": matched,
                "goal_alignment_score": worth.alignment,
                "system_relevance_score": worth.relevance,
                "quality_score": worth.quality,
                "source_score": worth.source,
                "score": worth.source,
            }),
        );
        run.mark(&mut candidate);
        Json::Object(candidate)
    }
}

/// What a plan is made for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planner<'p> {
    pub(crate) run: OfRun<'p>,
    pub(crate) seed_urls: &'p [String],
    /// The adapters asked for; the usual ones when there are none.
    pub(crate) adapters: &'p [String],
}

impl Planner<'_> {
    fn has(&self, adapter: &str) -> bool {
        if self.adapters.is_empty() { DEFAULT_ADAPTERS.contains(&adapter) } else { self.adapters.iter().any(|named| named == adapter) }
    }

    /// The plan, with at most `limit` candidates and at least one where there is any.
    pub(crate) fn plan(&self, limit: i128) -> Json {
        let goal = collapse(self.run.goal);
        let mut candidates = self.seeds();
        candidates.extend(self.curated());
        let (generated, audit) = self.generated();
        candidates.extend(generated);
        let mut planned = Vec::new();
        for (index, rank) in plan_order(&candidates, limit).into_iter().zip(1_u64..) {
            let mut candidate = candidates[index].clone();
            candidate["plan_rank"] = rank.into();
            planned.push(candidate);
        }
        let mut adapters: Vec<&str> = ADAPTERS.into_iter().filter(|adapter| self.has(adapter)).collect();
        adapters.sort_unstable();
        let mut seeds: Vec<&str> = self.seed_urls.iter().map(String::as_str).collect();
        seeds.sort_unstable();
        let text = format!("{}|{}|{}", goal.to_lowercase(), seeds.join(","), adapters.join(","));
        json!({
            "type": "explorer_research_source_plan",
            "goal": goal,
            "plan_id": format!("exp_source_plan_{}", &crate::json::hex(&Sha256::digest(text.as_bytes()))[..12]),
            "adapters": adapters,
            "seed_urls": self.seed_urls,
            "candidate_count": planned.len(),
            "safe_public_search_template_audit": audit,
            "candidates": planned,
            "planner_version": "explorer_source_planner_v1",
            "execution_risk_tier": TIER,
            "external_write_performed": false,
            "real_execution_enabled": false,
        })
    }

    /// The targets that the adapters asked for give without a plan.
    pub(crate) fn adapter_targets(&self, limit: usize) -> Vec<Json> {
        let mut targets = self.generated().0;
        targets.truncate(limit);
        targets
    }

    /// The operator's own URLs.
    pub(crate) fn seeds(&self) -> Vec<Json> {
        let terms = plan_terms(self.run.goal);
        let sources = self.seed_urls.iter().take(SEEDS).filter_map(|said| planner_url(said)).map(|url| {
            let mut source = Source {
                url,
                adapter: "seed",
                kind: "operator_seed_url",
                seed_score: 1.00,
                of: Standing { kind: 0.60, authority: 0.70, freshness: 0.50, preferred: false },
                rationale: "named by the operator".to_owned(),
            };
            if !matched(&terms, &source.haystack()).is_empty() {
                source.of = Standing { kind: 0.80, preferred: true, ..source.of };
            }
            source
        });
        sources.map(|source| source.scored(&terms, None, self.run)).collect()
    }

    fn curated(&self) -> Vec<Json> {
        let terms = plan_terms(self.run.goal);
        let themes = profile(&terms);
        let mut candidates = Vec::new();
        for page in &PAGES {
            let source = Source {
                url: page.url.to_owned(),
                adapter: "evidence",
                kind: "curated_evidence_url",
                seed_score: 0.92,
                of: Standing { kind: 0.90, authority: page.authority, freshness: page.freshness, preferred: true },
                rationale: format!("curated page on {}", page.category.replace('_', " ")),
            };
            let overlaps = page.tags.iter().any(|tag| themes.contains(tag));
            let least = match matched(&terms, &source.haystack()).is_empty() {
                true if !overlaps => continue,
                true => Some(Worth { alignment: 0.10, relevance: 0.72, quality: 0.0, source: 0.72 }),
                false => None,
            };
            let mut candidate = source.scored(&terms, least, self.run);
            candidate["evidence_category"] = page.category.into();
            candidate["topic_tags"] = json!(page.tags);
            candidates.push(candidate);
        }
        candidates
    }

    /// What the adapters give, and the audit of the search templates.
    fn generated(&self) -> (Vec<Json>, Json) {
        let terms = plan_terms(self.run.goal);
        let (mut sources, mut candidates, mut audit) = (Vec::new(), Vec::new(), json!({}));
        let may_ask = !terms.is_empty() && !is_denied(self.run.goal);
        if self.has("github") && may_ask {
            sources.extend(github(&terms));
        }
        if self.has("arxiv") && may_ask {
            sources.extend(arxiv(&terms));
        }
        if self.has("search") {
            let (templates, of_templates) = template::plan(self.run.goal, TEMPLATES);
            audit = of_templates;
            let targets = templates.iter().filter_map(|said| template::to_candidate(said, self.run.goal, &Json::Null).ok());
            candidates.extend(targets.map(|target| {
                let mut target = crate::memory::value::members(&target);
                self.run.mark(&mut target);
                Json::Object(target)
            }));
            if may_ask {
                sources.push(search(&terms));
            }
        }
        if self.has("sitemap") {
            sources.extend(sitemaps());
        }
        if self.has("rss") {
            sources.extend(self.feeds());
        }
        candidates.extend(sources.into_iter().map(|source| source.scored(&terms, None, self.run)));
        (candidates, audit)
    }

    /// The feeds that the sites of the seed URLs may have.
    fn feeds(&self) -> Vec<Source> {
        let mut sites: Vec<String> = Vec::new();
        for parts in self.seed_urls.iter().take(SEEDS).filter_map(|said| url::split(&url::normalise(said)).ok()) {
            let site = format!("{}://{}", parts.scheme, parts.authority);
            if !parts.authority.is_empty() && !sites.contains(&site) {
                sites.push(site);
            }
        }
        let feed = |site: String| Source {
            url: format!("{site}/feed"),
            adapter: "rss",
            kind: "rss_feed",
            seed_score: 0.58,
            of: Standing { kind: 0.60, authority: 0.60, freshness: 0.70, preferred: false },
            rationale: "feed of a site named by the operator".to_owned(),
        };
        sites.into_iter().take(FEEDS).map(feed).collect()
    }
}

/// The most sites whose feeds are asked for.
const FEEDS: usize = 20;

fn asked(place: &str, terms: &[String], more: &str) -> String {
    let mut address = place.to_owned();
    url::encode_form_into(&terms.join(" "), &mut address);
    address + more
}

fn github(terms: &[String]) -> [Source; 2] {
    let search = |kind, what: &str, seed_score, of_kind| Source {
        url: asked("https://github.com/search?q=", terms, &format!("&type={what}")),
        adapter: "github",
        kind,
        seed_score,
        of: Standing { kind: of_kind, authority: 0.84, freshness: 0.50, preferred: false },
        rationale: format!("public search over {what}"),
    };
    [search("github_repository_search", "repositories", 0.80, 0.86), search("github_code_search", "code", 0.78, 0.82)]
}

fn arxiv(terms: &[String]) -> [Source; 2] {
    let source = |url, kind, seed_score, of_kind| Source {
        url,
        adapter: "arxiv",
        kind,
        seed_score,
        of: Standing { kind: of_kind, authority: 0.86, freshness: 0.55, preferred: false },
        rationale: "public search over papers".to_owned(),
    };
    let api = asked("https://export.arxiv.org/api/query?search_query=all%3A", terms, "&start=0&max_results=10");
    let page = asked("https://arxiv.org/search?query=", terms, "&searchtype=all");
    [source(api, "arxiv_api_query", 0.78, 0.88), source(page, "arxiv_public_search", 0.72, 0.78)]
}

fn search(terms: &[String]) -> Source {
    Source {
        url: asked("https://duckduckgo.com/html?q=", terms, ""),
        adapter: "search",
        kind: "public_search_html",
        seed_score: 0.58,
        of: Standing { kind: 0.54, authority: 0.55, freshness: 0.50, preferred: false },
        rationale: "public search".to_owned(),
    }
}

fn sitemaps() -> [Source; 3] {
    let source = |url: &str, kind, seed_score, of_kind, authority, rationale: &str| Source {
        url: url.to_owned(),
        adapter: "sitemap",
        kind,
        seed_score,
        of: Standing { kind: of_kind, authority, freshness: 0.50, preferred: false },
        rationale: rationale.to_owned(),
    };
    [
        source("https://docs.python.org/sitemap-index.xml", "sitemap_xml", 0.60, 0.72, 0.96, "index of documentation"),
        source("https://docs.python.org/3", "documentation_root", 0.64, 0.70, 0.96, "root of documentation"),
        source("https://docs.github.com/en", "documentation_root", 0.60, 0.68, 0.79, "root of documentation"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(goal: &str, seeds: &[&str], adapters: &[&str], limit: i128) -> Json {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let (seed_urls, adapters) = (own(seeds), own(adapters));
        Planner { run: OfRun { goal, run_id: "r" }, seed_urls: &seed_urls, adapters: &adapters }.plan(limit)
    }

    fn adapters_of(plan: &Json) -> Vec<&str> {
        plan["candidates"].as_array().unwrap().iter().map(|candidate| candidate["source_adapter"].as_str().unwrap()).collect()
    }

    #[test]
    fn a_plan_begins_with_seeds_and_evidence_and_hears_every_adapter() {
        let plan = plan("autonomous agents memory systems", &["https://a.org/memory"], &[], 20);
        let adapters = adapters_of(&plan);
        assert_eq!(adapters[0], "seed");
        for adapter in ["evidence", "github", "arxiv", "search", "sitemap"] {
            assert!(adapters.contains(&adapter), "{adapter}");
        }
        assert!(adapters.iter().filter(|adapter| **adapter == "evidence").count() >= 5);
        assert_eq!(plan["candidate_count"], 20);
        assert_eq!(plan["candidates"][19]["plan_rank"], 20);
        assert_eq!(plan["safe_public_search_template_audit"]["accepted_count"], 8);
        let again =
            self::plan("Autonomous  agents memory systems", &["https://a.org/memory"], &["search", "sitemap", "arxiv", "github"], 3);
        assert_eq!(again["plan_id"], plan["plan_id"], "neither case nor order nor limit is part of it");
    }

    #[test]
    fn an_entry_that_only_shares_a_theme_has_the_least_that_lets_it_in() {
        let plan = plan("knowledge", &[], &["sitemap"], 50);
        let candidates = plan["candidates"].as_array().unwrap();
        let queue = candidates.iter().find(|candidate| candidate["evidence_category"] == "python_persistence").expect("it is about memory");
        assert_eq!((&queue["goal_alignment_score"], &queue["system_relevance_score"]), (&json!(0.1), &json!(0.72)));
        assert!(candidates.iter().all(|candidate| candidate["evidence_category"] != "github_code_search"));
        assert_eq!(plan["safe_public_search_template_audit"], json!({}));
    }

    #[test]
    fn an_unsafe_goal_is_never_asked_of_anybody() {
        let plan = plan("leaked password dump", &[], &[], 50);
        assert_eq!(plan["safe_public_search_template_audit"]["unsafe_rejected_count"], 1);
        assert!(plan["candidates"].as_array().unwrap().iter().all(|candidate| !candidate["url"].as_str().unwrap().contains("leaked")));
        assert!(plan["candidate_count"].as_u64() > Some(0));
        assert_eq!(self::plan("", &[], &["github", "arxiv", "search"], 5)["candidate_count"], 0);
    }

    #[test]
    fn a_site_of_a_seed_is_asked_for_its_feed_once() {
        let plan = plan("memory", &["https://a.org/x", "https://a.org/y", "junk:"], &["rss"], 9);
        assert_eq!(adapters_of(&plan).iter().filter(|adapter| **adapter == "rss").count(), 1);
    }
}
