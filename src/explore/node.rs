//! The explorer node: takes the targets of its run from the ledger, reads some each tick, says what it found.

use super::discover::discover;
use super::fetch::{FetchError, Fetched, Fetcher, Reader};
use super::finding::{Noted, Read, content_hash, refused};
use super::location::Location;
use super::preview::Content;
use super::target::{OfRun, TIER, id, targets_of, web_url};
use super::telemetry::{Stage, Telemetry};
use crate::ledger::record::owned;
use crate::ledger::{Ledger, LedgerError, Record, Select, Surroundings, each_record};
use crate::memory::clear_flags;
use crate::memory::ingest::put;
use crate::memory::schedule::schedule;
use crate::memory::url;
use crate::memory::value::{Object, clean, field, map};
use serde_json::{Value as Json, json};
use std::collections::HashSet;

/// How many targets one tick reads.
const BATCH: usize = 10;
/// How many targets wait at most; a ledger may name more than anybody can read.
const WAITING: usize = 5_000;
/// How many links of a page the node publishes itself; the meta agent may take up more.
const PUBLISHED: usize = 8;
/// How many digests of bodies are remembered.
const DIGESTS: usize = 10_000;

/// A target that waits.
#[derive(Debug)]
struct Waiting {
    url: String,
    target: Json,
    source_gid: String,
}

/// What a node did in all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    pub(crate) fetches_attempted: u64,
    pub(crate) fetches_failed: u64,
    pub(crate) findings_emitted: u64,
    pub(crate) targets_discovered: u64,
    pub(crate) targets_published: u64,
}

impl Counters {
    pub(crate) fn tell(&self, result: &mut Object) {
        put(
            result,
            json!({
                "fetches_attempted": self.fetches_attempted,
                "fetches_failed": self.fetches_failed,
                "findings_emitted": self.findings_emitted,
                "targets_discovered": self.targets_discovered,
                "targets_published": self.targets_published,
            }),
        );
    }

    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            fetches_attempted: self.fetches_attempted.saturating_sub(before.fetches_attempted),
            fetches_failed: self.fetches_failed.saturating_sub(before.fetches_failed),
            findings_emitted: self.findings_emitted.saturating_sub(before.findings_emitted),
            targets_discovered: self.targets_discovered.saturating_sub(before.targets_discovered),
            targets_published: self.targets_published.saturating_sub(before.targets_published),
        }
    }
}

/// An explorer node of one run.
#[derive(Debug)]
pub struct ExplorerNode {
    node_id: String,
    run_id: String,
    goal: String,
    /// Reads nothing while this is set.
    pub paused: bool,
    /// How many targets one tick reads at most.
    pub batch: usize,
    reader: Reader,
    waiting: Vec<Waiting>,
    known: HashSet<String>,
    /// The records of targets that it read, by key and clock.
    records: HashSet<(String, u64)>,
    /// Whether it knows what was read in its run before it was started.
    has_recalled: bool,
    /// The links that it published.
    published: HashSet<String>,
    digests: HashSet<String>,
    telemetry: Telemetry,
    counters: Counters,
    seen_last_tick: usize,
    did_work: bool,
}

impl ExplorerNode {
    /// A node of this run that reads by `reader`.
    pub fn new(node_id: &str, run_id: &str, goal: &str, reader: Reader) -> Self {
        Self {
            node_id: node_id.to_owned(),
            run_id: run_id.to_owned(),
            goal: goal.to_owned(),
            paused: false,
            batch: BATCH,
            reader,
            waiting: Vec::new(),
            known: HashSet::new(),
            records: HashSet::new(),
            has_recalled: false,
            published: HashSet::new(),
            digests: HashSet::new(),
            telemetry: Telemetry::default(),
            counters: Counters::default(),
            seen_last_tick: 0,
            did_work: false,
        }
    }

    /// The run that it is of.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// How it reads.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The reader, with what it learned of sites, for the node of another run.
    pub fn into_reader(self) -> Reader {
        self.reader
    }

    pub(crate) fn counters(&self) -> Counters {
        self.counters
    }

    /// One tick: what is new in the ledger is taken in, a batch is chosen and read.
    ///
    /// # Errors
    /// The ledger failed.
    pub fn tick(&mut self, ledger: &mut dyn Ledger, fetcher: &mut dyn Fetcher, around: &mut dyn Surroundings) -> Result<(), LedgerError> {
        self.take_in(ledger)?;
        self.did_work = false;
        if self.paused {
            return Ok(());
        }
        for waiting in self.choose() {
            self.did_work = true;
            self.read(&waiting, ledger, fetcher, around)?;
        }
        Ok(())
    }

    /// Notes what was read or refused in this run already, by this node before a restart or by another.
    fn recall(&mut self, ledger: &dyn Ledger) -> Result<(), LedgerError> {
        each_record(ledger, Select { types: &["explorer_finding", "swarm_event"] }, &mut |_, record| {
            let provenance = record.get("provenance");
            let said = |name: &str| provenance.and_then(|provenance| provenance.get(name)).and_then(crate::json::Value::as_str);
            if said("exploration_run_id") == Some(self.run_id.as_str())
                && let Some(url) = said("normalized_url")
            {
                self.known.insert(url.to_owned());
            }
        })?;
        self.has_recalled = true;
        Ok(())
    }

    /// Takes in the targets of the run that are new.
    fn take_in(&mut self, ledger: &dyn Ledger) -> Result<(), LedgerError> {
        if !self.has_recalled {
            self.recall(ledger)?;
        }
        let mut named = Vec::new();
        ledger.each(Select { types: &["explorer_targets"] }, &mut |entry| {
            // Each record is read once, however many there are by now.
            if !self.records.insert((entry.gid.clone(), entry.clock)) {
                return Ok(());
            }
            let Ok(record) = crate::json::parse(entry.payload.as_bytes()) else { return Ok(()) };
            let record = owned(&record);
            if clean(field(field(&record, "data"), "exploration_run_id")) == self.run_id {
                let gid = clean(field(&record, "gid"));
                named.extend(targets_of(&record).into_iter().map(|target| (target, gid.clone())));
            }
            Ok(())
        })?;
        for (target, source_gid) in named {
            let Some(url) = web_url(&clean(field(&target, "url"))) else { continue };
            if self.waiting.len() >= WAITING || self.known.contains(&url) || !self.reader.policy().permits(&url::domain(&url), &url) {
                continue;
            }
            self.known.insert(url.clone());
            self.telemetry.saw(&url, &target);
            self.waiting.push(Waiting { url, target, source_gid });
        }
        self.seen_last_tick = self.waiting.len();
        Ok(())
    }

    /// Takes this tick's batch out of what waits.
    fn choose(&mut self) -> Vec<Waiting> {
        let telemetry = &mut self.telemetry;
        self.waiting.retain(|waiting| !telemetry.holds_off(&waiting.url, &url::domain(&waiting.url), &waiting.target));
        let targets: Vec<Json> = self.waiting.iter().map(as_scheduled).collect();
        let chosen = schedule(&json!({"targets": targets, "batch_limit": self.batch}));
        let mut order = std::collections::HashMap::new();
        for (place, url) in crate::memory::value::list(field(&chosen, "selected")).iter().enumerate() {
            order.insert(clean(url), place);
        }
        let (mut batch, rest): (Vec<Waiting>, Vec<Waiting>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|waiting| order.contains_key(&waiting.url));
        self.waiting = rest;
        batch.sort_by_key(|waiting| order.get(&waiting.url).copied());
        for waiting in &batch {
            self.telemetry.selected(&waiting.url, &waiting.target);
        }
        batch
    }

    fn read(
        &mut self,
        waiting: &Waiting,
        ledger: &mut dyn Ledger,
        fetcher: &mut dyn Fetcher,
        around: &mut dyn Surroundings,
    ) -> Result<(), LedgerError> {
        let Waiting { url, target, source_gid } = waiting;
        let domain = url::domain(url);
        // A domain that began to hold us off within this tick is left alone at once.
        if self.telemetry.holds_off(url, &domain, target) {
            return Ok(());
        }
        self.telemetry.reached(Stage::Fetched, url, target);
        let now = around.now();
        let fetched = self.reader.read(url, fetcher, now);
        if let Fetched::NoAddress(_) = fetched {
            return Ok(());
        }
        self.counters.fetches_attempted += 1;
        let said_gid = clean(field(target, "gid"));
        let target_gid = if said_gid.is_empty() { id("exp_tgt", around) } else { said_gid };
        let (fetch_gid, finding_gid) = (id("exp_fetch", around), id("exp_find", around));
        let run = OfRun { goal: &self.goal, run_id: &self.run_id };
        let read = Read {
            run,
            agent: &self.node_id,
            target,
            target_gid: &target_gid,
            source_gid,
            url,
            fetch_gid: &fetch_gid,
            finding_gid: &finding_gid,
            now,
            robots_respected: self.reader.policy().respect_robots,
            crawl_delay: Location::of(url).and_then(|location| self.reader.crawl_delay(&location)),
            loopback: fetcher.is_loopback(),
        };
        let refusal = match &fetched {
            Fetched::Refused(reason) => Some(("policy_blocked", *reason)),
            Fetched::RobotsDisallowed => Some(("robots_disallowed", "robots_disallowed")),
            // Where a source leads into a private network it is our policy that does not go along.
            Fetched::Failed(FetchError::PrivateAddress) => Some(("policy_blocked", "policy_blocked")),
            _ => None,
        };
        if let Some((outcome, reason)) = refusal {
            self.telemetry.limited(url, &domain, target, reason);
            return ledger.publish(refused(&read, outcome, reason), around).map(drop);
        }
        match fetched {
            Fetched::Answered(at, answer) => {
                let content = Content::of(&answer);
                let digest = content_hash(&content);
                let rate_limited = answer.status == 429 && self.telemetry.limited(url, &domain, target, "http_429");
                let policy = self.reader.policy();
                let is_fine = answer.status < 400;
                let found =
                    if is_fine { discover(&content, &at, target, run, &|domain, url| policy.permits(domain, url)) } else { Vec::new() };
                let noted = Noted {
                    content_hash: &digest,
                    rate_limited,
                    backing_off: self.telemetry.is_backing_off(&domain),
                    already_seen: self.digests.contains(&digest),
                    discovered: &found,
                };
                ledger.publish(read.answered(&at, &answer, &content, &noted), around)?;
                self.counters.findings_emitted += 1;
                self.counters.targets_discovered += found.len() as u64;
                let is_new = |target: &&Json| {
                    let url = clean(field(target, "url"));
                    !self.known.contains(&url) && !self.published.contains(&url)
                };
                let new: Vec<Json> = found.iter().filter(is_new).take(PUBLISHED).cloned().collect();
                if !new.is_empty() {
                    let record = targets_record(&new, "page_links", run, &finding_gid, &self.node_id, around);
                    ledger.publish(record, around)?;
                    self.counters.targets_published += new.len() as u64;
                    self.published.extend(new.iter().map(|target| clean(field(target, "url"))));
                }
                if self.digests.len() < DIGESTS {
                    self.digests.insert(digest);
                }
            }
            Fetched::Failed(error) => {
                ledger.publish(read.failed(&error.to_string()), around)?;
                self.counters.findings_emitted += 1;
                self.counters.fetches_failed += 1;
            }
            Fetched::NoAddress(_) | Fetched::Refused(_) | Fetched::RobotsDisallowed => {}
        }
        Ok(())
    }

    /// What the node did so far.
    pub fn result(&self) -> Json {
        let mut result = Object::new();
        put(
            &mut result,
            json!({
                "node_id": self.node_id,
                "did_work": self.did_work,
                "paused": self.paused,
                "targets_seen_last_tick": self.seen_last_tick,
                "execution_risk_tier": TIER,
                "exploration_run_id": self.run_id,
            }),
        );
        self.counters.tell(&mut result);
        self.telemetry.tell(&mut result);
        clear_flags(&mut result);
        Json::Object(result)
    }
}

/// The target under the URL by which the node knows it.
fn as_scheduled(waiting: &Waiting) -> Json {
    let mut target = map(&waiting.target).as_object().cloned().unwrap_or_default();
    target.insert("url".to_owned(), waiting.url.as_str().into());
    Json::Object(target)
}

/// The run that was seeded last, as its id and its goal.
///
/// # Errors
/// The ledger failed.
pub fn latest_run(ledger: &dyn Ledger) -> Result<Option<(String, String)>, LedgerError> {
    let mut latest = None;
    each_record(ledger, Select { types: &["explorer_targets"] }, &mut |_, record| {
        let text = |place: &str, name: &str| record.get(place).and_then(|place| place.get(name)).and_then(crate::json::Value::as_str);
        let named = text("data", "exploration_run_id").filter(|named| !named.trim().is_empty());
        if text("provenance", "source") == Some("manual_seed")
            && let Some(named) = named
        {
            latest = Some((named.to_owned(), text("data", "goal").unwrap_or_default().to_owned()));
        }
    })?;
    Ok(latest)
}

/// A record of targets that somebody came upon.
pub(crate) fn targets_record(
    targets: &[Json],
    source: &str,
    run: OfRun<'_>,
    finding_gid: &str,
    agent: &str,
    around: &mut dyn Surroundings,
) -> Record {
    let mut provenance = Object::new();
    run.mark(&mut provenance);
    put(&mut provenance, json!({"agent": agent, "source": source, "parent_gid": finding_gid}));
    clear_flags(&mut provenance);
    let urls: Vec<&Json> = targets.iter().map(|target| field(target, "url")).collect();
    let data = json!({
        "urls": urls, "targets": targets, "goal": run.goal, "source_adapters": [],
        "exploration_run_id": run.run_id, "research_goal_id": run.run_id,
    });
    Record::new("explorer_targets")
        .with("event_type", "targets_suggested")
        .with("gid", id("exp_targets", around))
        .with("timestamp", around.now())
        .with("source_gids", json!([finding_gid]))
        .with("data", data)
        .with("provenance", provenance)
}
