//! A cluster in one process: the nodes of a profile as supervised workers over one ledger.
//!
//! Each node has a handle of its own on the ledger. Nothing but the ledger connects them.

use super::surroundings::Real;
use super::workers::{EndedBy, Event, Limits, Tick, Worker, WorkerEnd, supervise};
use crate::experience::counts::Counts;
use crate::experience::node::{Node, NodeKind, Views, heartbeats};
use crate::explore::fetch::{Fetcher, Reader};
use crate::explore::meta::MetaAgent;
use crate::explore::node::{ExplorerNode, latest_run};
use crate::ledger::{Ledger, LedgerError, Record, Surroundings as _};
use crate::memory::Bridge;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// Opens the ledger as the node of this name.
pub type OpenLedger<'o> = dyn Fn(&str) -> Result<Box<dyn Ledger>, LedgerError> + Sync + 'o;

/// Makes a client for public sources, and how it may read.
pub type OpenSources<'o> = dyn Fn() -> (Box<dyn Fetcher>, Reader) + Sync + 'o;

/// The most replay copies that a meta agent of a cluster keeps.
const COPIES: usize = 20;

/// What a cluster is made of.
pub struct Cluster<'c> {
    /// Its nodes, in start order.
    pub nodes: Vec<(String, NodeKind)>,
    /// Whether simulation nodes can replay.
    pub executor: bool,
    /// How long it runs.
    pub limits: Limits,
    /// Opens its ledger.
    pub open: &'c OpenLedger<'c>,
    /// What nodes report of the governance family.
    pub views: Views<'c>,
    /// How explorer nodes reach public sources; without it they read nothing.
    pub sources: Option<&'c OpenSources<'c>>,
    /// Whether memory nodes also take in what is older than they are.
    pub remembers_older: bool,
    /// Who is told what happens to a node, with what it has done so far.
    pub told: &'c (dyn Fn(&str, Event<'_>, &Work) + Sync),
}

impl std::fmt::Debug for Cluster<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cluster").field("nodes", &self.nodes).field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// What a node did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Work {
    /// Entries of others that it read while it ran.
    pub read: u64,
    /// Directives that it answered.
    pub answered: u64,
    /// Its answers by status.
    pub answers: Counts,
    /// Events of a trade node.
    pub events: u64,
    /// What it says of itself; part of its heartbeat.
    #[serde(skip)]
    pub said: Json,
}

impl Work {
    fn note(&mut self, read: u64, results: &[Record], events: usize) {
        self.read += read;
        self.events += events as u64;
        self.answered += results.len() as u64;
        results.iter().for_each(|result| self.answers.add(&result.text("status")));
    }
}

/// How one node ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeEnd {
    /// Its worker.
    #[serde(flatten)]
    pub worker: WorkerEnd,
    /// What it did.
    #[serde(flatten)]
    pub work: Work,
    /// Its last heartbeat.
    pub heartbeat: Json,
}

/// How a cluster ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterEnd {
    /// Why.
    pub ended_by: EndedBy,
    /// Its nodes, in start order.
    pub nodes: Vec<NodeEnd>,
}

/// Runs a cluster to its end.
///
/// # Errors
/// The ledger cannot be opened at the start, or not be read at the end.
pub fn up(cluster: &Cluster<'_>, interrupted: &AtomicBool) -> Result<ClusterEnd, LedgerError> {
    // Opened once here, so that a ledger that cannot be had is said at once and not node by node.
    let mut reader = (cluster.open)("cluster")?;
    let done: BTreeMap<&str, Mutex<Work>> = cluster.nodes.iter().map(|(name, _)| (name.as_str(), Mutex::default())).collect();
    let workers = cluster.nodes.iter().map(|(name, kind)| worker(cluster, name, *kind, &done[name.as_str()])).collect();
    let told = |name: &str, event: Event<'_>| {
        let work = done.get(name).map(|work| work.lock().unwrap_or_else(PoisonError::into_inner).clone());
        (cluster.told)(name, event, &work.unwrap_or_default());
    };
    let (ended_by, ends) = supervise(workers, &cluster.limits, interrupted, &told);
    reader.refresh()?;
    let mut beats = heartbeats(&cluster.nodes, &*reader, cluster.views)?;
    let node_end = |worker: WorkerEnd| {
        let work = done.get(worker.name.as_str()).map(|work| work.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let mut heartbeat = beats.remove(&worker.name).unwrap_or(Json::Null);
        let work = work.unwrap_or_default();
        if let (Some(beat), Some(said)) = (heartbeat.as_object_mut(), work.said.as_object()) {
            beat.extend(said.clone());
        }
        NodeEnd { work, heartbeat, worker }
    };
    Ok(ClusterEnd { ended_by, nodes: ends.into_iter().map(node_end).collect() })
}

fn worker<'w>(cluster: &'w Cluster<'w>, name: &'w str, kind: NodeKind, done: &'w Mutex<Work>) -> Worker<'w> {
    Worker { name: name.to_owned(), start: Box::new(move || start(cluster, name, kind, done)) }
}

fn start<'w>(cluster: &'w Cluster<'w>, name: &str, kind: NodeKind, done: &'w Mutex<Work>) -> Result<Tick<'w>, String> {
    let ledger = (cluster.open)(name).map_err(|error| error.to_string())?;
    match kind {
        NodeKind::Explorer => Ok(explorer(cluster, name, ledger, done)),
        NodeKind::ExplorerMeta => Ok(explorer_meta(name, ledger, done)),
        NodeKind::Memory => Ok(memory(cluster, ledger, done)),
        NodeKind::Trade
        | NodeKind::TradeMeta
        | NodeKind::Security
        | NodeKind::SecurityMeta
        | NodeKind::Simulation
        | NodeKind::Overseer
        | NodeKind::Improver => Ok(listener(cluster, name, kind, ledger, done)),
    }
}

/// A node that reads for the run that was seeded last; a few sources a tick, so that it ends soon when told to.
fn explorer<'w>(cluster: &'w Cluster<'w>, name: &str, mut ledger: Box<dyn Ledger + 'w>, done: &'w Mutex<Work>) -> Tick<'w> {
    let name = name.to_owned();
    let mut sources = cluster.sources.map(|open| open());
    let (mut node, mut looked): (Option<ExplorerNode>, bool) = (None, false);
    Box::new(move || {
        let mut tick = || {
            let new = ledger.refresh()?;
            // Runs are seeded by others.
            let latest = if looked && new == 0 { None } else { latest_run(&*ledger)? };
            looked = true;
            if let Some((run_id, goal)) = latest.filter(|(run_id, _)| node.as_ref().is_none_or(|node| node.run_id() != run_id))
                && let Some((_, reader)) = &mut sources
            {
                let mut reader = std::mem::take(reader);
                if let Some(before) = node.take() {
                    reader = before.into_reader();
                }
                let mut next = ExplorerNode::new(&name, &run_id, &goal, reader);
                next.batch = 1;
                node = Some(next);
            }
            let mut said = serde_json::json!({"network_read_enabled": sources.is_some()});
            if let (Some(node), Some((fetcher, _))) = (&mut node, &mut sources) {
                node.tick(&mut *ledger, &mut **fetcher, &mut Real)?;
                said = node.result();
                said["network_read_enabled"] = true.into();
            }
            note(done, new, said);
            Ok(())
        };
        tick().map_err(|error: LedgerError| error.to_string())
    })
}

/// A meta agent for the run that was seeded last.
fn explorer_meta<'w>(name: &str, mut ledger: Box<dyn Ledger + 'w>, done: &'w Mutex<Work>) -> Tick<'w> {
    let name = name.to_owned();
    let (mut meta, mut looked, mut seen): (Option<MetaAgent>, bool, bool) = (None, false, false);
    let mut totals = [0_u64; 3];
    Box::new(move || {
        let mut tick = || {
            let new = ledger.refresh()?;
            let latest = if seen && new == 0 { None } else { latest_run(&*ledger)? };
            seen = true;
            if let Some((run_id, goal)) = latest.filter(|(run_id, _)| meta.as_ref().is_none_or(|meta| meta.run_id() != run_id)) {
                meta = Some(MetaAgent::new(&name, &run_id, &goal, COPIES));
                looked = false;
            }
            if let Some(meta) = meta.as_mut().filter(|_| !looked || new > 0) {
                let ticked = meta.tick(&mut *ledger, &mut Real)?;
                // What one tick left over is for the next.
                looked = ticked.classified == 0;
                for (total, count) in totals.iter_mut().zip([ticked.classified, ticked.suggested, ticked.remembered]) {
                    *total += count;
                }
            }
            let said = serde_json::json!({
                "classifications_published": totals[0], "targets_published": totals[1], "memory_records_published": totals[2],
            });
            note(done, new, said);
            Ok(())
        };
        tick().map_err(|error: LedgerError| error.to_string())
    })
}

/// A node that takes the evidence of others into a memory of its own.
fn memory<'w>(cluster: &'w Cluster<'w>, mut ledger: Box<dyn Ledger + 'w>, done: &'w Mutex<Work>) -> Tick<'w> {
    let mut bridge = Bridge::new((!cluster.remembers_older).then(|| Real.now()));
    let mut looked = false;
    Box::new(move || {
        let mut tick = || {
            let new = ledger.refresh()?;
            if !looked || new > 0 {
                looked = bridge.pass(&*ledger)? == 0;
            }
            let mut said = bridge.heartbeat();
            said["evidence_taken_in"] = bridge.taken_in.into();
            said["evidence_refused"] = bridge.rejected().into();
            note(done, new, said);
            Ok(())
        };
        tick().map_err(|error: LedgerError| error.to_string())
    })
}

fn note(done: &Mutex<Work>, read: u64, said: Json) {
    let mut work = done.lock().unwrap_or_else(PoisonError::into_inner);
    work.note(read, &[], 0);
    work.said = said;
}

/// A node that answers directives, or only reports.
fn listener<'w>(cluster: &'w Cluster<'w>, name: &str, kind: NodeKind, mut ledger: Box<dyn Ledger + 'w>, done: &'w Mutex<Work>) -> Tick<'w> {
    let mut node = Node::new(kind, name, cluster.executor);
    let mut looked = false;
    Box::new(move || {
        let mut tick = || {
            let new = ledger.refresh()?;
            // What the node itself published holds no directive: without news of others there is nothing to read.
            let results = if looked && new == 0 { Vec::new() } else { node.tick(&mut *ledger, &mut Real)? };
            looked = true;
            done.lock().unwrap_or_else(PoisonError::into_inner).note(new, &results, node.take_events().len());
            Ok(())
        };
        tick().map_err(|error: LedgerError| error.to_string())
    })
}
