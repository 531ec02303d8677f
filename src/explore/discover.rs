//! Where a page leads: its links as targets, the best first.

use super::classify::is_low_value;
use super::fetch::resolve;
use super::goal::{Standing, matched, plan_terms, worth};
use super::location::Location;
use super::preview::Content;
use super::target::{OfRun, adapter, web_url};
use crate::memory::ingest::put;
use crate::memory::signals::signals;
use crate::memory::url;
use crate::memory::value::{Object, field, num, truthy};
use html5gum::{Token, Tokenizer};
use serde_json::{Value as Json, json};
use std::cmp::Ordering;
use std::collections::HashSet;

/// The most links of one page that are looked at.
const LINKS: usize = 1000;
/// The most targets that one page gives.
pub(crate) const TARGETS: usize = 12;
/// How many pages a link may be away from where the run began.
pub(crate) const DEPTH: i128 = 3;

/// The links of what was read: of a page its anchors, of a feed or a sitemap its locations.
fn links(content: &Content) -> Vec<String> {
    match &content.page {
        Some(page) => page.links.clone(),
        None if content.body.trim_start().starts_with('<') => locations(&content.body),
        None => Vec::new(),
    }
}

fn locations(xml: &str) -> Vec<String> {
    let (mut found, mut seen, mut inside) = (Vec::new(), HashSet::new(), None::<String>);
    let mut add = |said: &str| {
        let said = said.trim().to_owned();
        if (said.starts_with("http://") || said.starts_with("https://")) && found.len() < LINKS && seen.insert(said.clone()) {
            found.push(said);
        }
    };
    for token in Tokenizer::new(xml) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let name: &[u8] = &tag.name;
                let names_a_place = [&b"loc"[..], b"link", b"guid", b"id"].contains(&name);
                let href = tag.attributes.iter().find(|(key, _)| key.as_slice() == b"href").map(|(_, value)| value);
                if let Some(href) = href.filter(|_| names_a_place) {
                    add(&String::from_utf8_lossy(href));
                }
                inside = names_a_place.then(String::new);
            }
            Token::String(words) => {
                if let Some(text) = &mut inside {
                    text.push_str(&String::from_utf8_lossy(&words));
                }
            }
            Token::EndTag(_) => {
                if let Some(text) = inside.take() {
                    add(&text);
                }
            }
            _ => {}
        }
    }
    found
}

/// The page that a search engine's own link leads to.
fn unwrapped(location: &Location) -> Option<String> {
    let text = location.to_text();
    if !(location.domain().ends_with("duckduckgo.com") && text.contains("/l?")) {
        return web_url(&text);
    }
    let parts = url::split(&text).ok()?;
    let wrapped = parts.query.split('&').find_map(|pair| pair.strip_prefix("uddg="))?;
    web_url(&url::decode_percent(&wrapped.replace('+', " ")))
}

/// The targets that `content`, read at `location` for `parent`, leads to; the best first.
pub(crate) fn discover(
    content: &Content,
    location: &Location,
    parent: &Json,
    run: OfRun<'_>,
    may_read: &dyn Fn(&str, &str) -> bool,
) -> Vec<Json> {
    let depth = crate::memory::value::int(field(parent, "target_depth"), 0);
    if depth >= DEPTH {
        return Vec::new();
    }
    let terms = plan_terms(run.goal);
    let here = web_url(&location.to_text());
    let mut seen: HashSet<String> = here.into_iter().collect();
    let mut targets = Vec::new();
    for said in links(content).iter().take(LINKS) {
        let Some(address) = resolve(location, said).and_then(|link| unwrapped(&link)) else { continue };
        if !seen.insert(address.clone()) || is_low_value(&address) || !may_read(&url::domain(&address), &address) {
            continue;
        }
        targets.extend(target(&address, &terms, parent, depth, run));
    }
    targets.sort_by(rank);
    targets.truncate(TARGETS);
    targets
}

/// The target of one link; `None` when its address promises nothing.
fn target(address: &str, terms: &[String], parent: &Json, depth: i128, run: OfRun<'_>) -> Option<Json> {
    let of_place = signals(&json!({"url": address}));
    let words = address.to_lowercase().replace(['-', '_', '/'], " ");
    let matched = matched(terms, &words);
    let concrete = truthy(field(&of_place, "concrete_evidence_page"));
    let preferred = concrete && !matched.is_empty() && truthy(field(&of_place, "high_value_domain"));
    let of = Standing {
        kind: if concrete { 0.80 } else { 0.50 },
        authority: num(field(&of_place, "authority_score"), 0.0),
        freshness: 0.50,
        preferred,
    };
    let worth = worth(matched.len(), terms.len(), of);
    let keywords = crate::memory::value::int(field(&of_place, "keyword_match_count"), 0);
    if matched.is_empty() && !concrete && keywords == 0 {
        return None;
    }
    let mut target = Object::new();
    put(
        &mut target,
        json!({
            "url": address,
            "domain": url::domain(address),
            "source_adapter": "discovered",
            "source_kind": "page_link",
            "discovery_method": "link_of_a_page_that_was_read",
            "discovered_from_adapter": adapter(parent),
            "preferred_evidence_target": preferred,
            "goal_terms_matched": matched,
            "seed_score": 0.50,
            "source_type_score": of.kind,
            "authority_score": of.authority,
            "freshness_score": of.freshness,
            "goal_alignment_score": worth.alignment,
            "system_relevance_score": worth.relevance,
            "quality_score": worth.quality,
            "source_score": worth.source,
            "score": worth.source,
            "target_depth": i64::try_from(depth + 1).unwrap_or(i64::MAX),
        }),
    );
    run.mark(&mut target);
    Some(Json::Object(target))
}

/// The target of a link that a finding named, as the meta agent suggests it.
pub(crate) fn suggested(url: &str, finding: &Json, run: OfRun<'_>) -> Option<Json> {
    let provenance = field(finding, "provenance");
    let depth = crate::memory::value::int(field(provenance, "target_depth"), 0);
    if depth >= DEPTH || is_low_value(url) {
        return None;
    }
    target(url, &plan_terms(run.goal), provenance, depth, run)
}

/// The full order of targets: the better first.
pub(crate) fn rank(one: &Json, other: &Json) -> Ordering {
    let key = |target: &Json| {
        let score = |name: &str| num(field(target, name), 0.0);
        let template = truthy(field(target, "safe_public_search_template"));
        let source = if template {
            (score("source_score").max(score("planner_priority")).max(0.70) + 0.04).min(0.74)
        } else {
            score("source_score")
        };
        let order = ["arxiv", "sitemap", "github", "rss", "search"].iter().position(|name| *name == adapter(target)).unwrap_or(9);
        let address = crate::memory::value::clean(field(target, "url"));
        let sinks = is_low_value(&address);
        (sinks, !truthy(field(target, "preferred_evidence_target")), !template, score("goal_alignment_score"), order, source, address)
    };
    let (one, other) = (key(one), key(other));
    (one.0, one.1, one.2)
        .cmp(&(other.0, other.1, other.2))
        .then_with(|| other.3.total_cmp(&one.3))
        .then_with(|| one.4.cmp(&other.4))
        .then_with(|| other.5.total_cmp(&one.5))
        .then_with(|| one.6.cmp(&other.6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::fetch::Answer;

    fn found(at: &str, body: &str, content_type: &str) -> Vec<String> {
        let answer = Answer { status: 200, content_type: Some(content_type.to_owned()), body: body.into(), ..Answer::default() };
        let run = OfRun { goal: "agent memory", run_id: "r" };
        let may_read = |domain: &str, _: &str| domain != "bad.org";
        let location = Location::of(at).expect("an address");
        let targets = discover(&Content::of(&answer), &location, &json!({}), run, &may_read);
        targets.iter().map(|target| target["url"].as_str().expect("text").to_owned()).collect()
    }

    #[test]
    fn links_that_promise_something_are_targets_the_best_first() {
        let body = "<a href='/docs/x'>x</a><a href='/agent/memory'>both</a><a href='#top'>self</a><a href='/login?memory'>l</a>\
            <a href='https://bad.org/memory'>b</a><a href='mailto:x@a.org'>m</a><a href='https://docs.python.org/3/library/memory.html'>p</a>\
            <a href='/docs/x/'>again</a><a href='https://nothing.xyz/'>n</a>";
        assert_eq!(
            found("https://a.org/", body, "text/html"),
            ["https://docs.python.org/3/library/memory.html", "https://a.org/agent/memory", "https://a.org/docs/x"]
        );
    }

    #[test]
    fn feeds_and_sitemaps_have_locations_and_search_results_are_unwrapped() {
        let map = "<?xml version='1.0'?><urlset><url><loc> https://a.org/memory </loc></url><url><loc>https://a.org/agent</loc></url>\
            <entry><link href='https://a.org/agent/memory'/><id>urn:x</id></entry></urlset>";
        assert_eq!(
            found("https://a.org/sitemap.xml", map, "application/xml"),
            ["https://a.org/agent/memory", "https://a.org/agent", "https://a.org/memory"]
        );
        let results = "<a href='//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.org%2Fmemory&rut=1'>r</a>";
        assert_eq!(found("https://duckduckgo.com/html?q=x", results, "text/html"), ["https://a.org/memory"]);
    }

    #[test]
    fn a_page_of_nothing_but_links_gives_few() {
        let body: String = (0..5000).map(|number| format!("<a href='/memory/{number}'>x</a>")).collect();
        assert_eq!(found("https://a.org/", &body, "text/html").len(), TARGETS);
        assert_eq!(found("https://a.org/", "plain", "text/plain").len(), 0);
    }
}
