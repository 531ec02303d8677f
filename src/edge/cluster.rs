//! A cluster in one process: the nodes of a profile as supervised workers over one ledger.
//!
//! Each node has a handle of its own on the ledger. Nothing but the ledger connects them.

use super::surroundings::Real;
use super::workers::{EndedBy, Limits, Tick, Worker, WorkerEnd, supervise};
use crate::experience::counts::Counts;
use crate::experience::node::{Node, NodeKind, heartbeats};
use crate::experience::visibility::SecurityMetrics;
use crate::ledger::{Ledger, LedgerError, Record};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// Opens the ledger as the node of this name.
pub type OpenLedger<'o> = dyn Fn(&str) -> Result<Box<dyn Ledger>, LedgerError> + Sync + 'o;

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
    /// The Security metrics.
    pub metrics: &'c SecurityMetrics<'c>,
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
    let (ended_by, ends) = supervise(workers, &cluster.limits, interrupted);
    reader.refresh()?;
    let mut beats = heartbeats(&cluster.nodes, &*reader, cluster.metrics)?;
    let node_end = |worker: WorkerEnd| {
        let work = done.get(worker.name.as_str()).map(|work| work.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let heartbeat = beats.remove(&worker.name).unwrap_or(Json::Null);
        NodeEnd { work: work.unwrap_or_default(), heartbeat, worker }
    };
    Ok(ClusterEnd { ended_by, nodes: ends.into_iter().map(node_end).collect() })
}

fn worker<'w>(cluster: &'w Cluster<'w>, name: &'w str, kind: NodeKind, done: &'w Mutex<Work>) -> Worker<'w> {
    Worker { name: name.to_owned(), start: Box::new(move || start(cluster, name, kind, done)) }
}

fn start<'w>(cluster: &'w Cluster<'w>, name: &str, kind: NodeKind, done: &'w Mutex<Work>) -> Result<Tick<'w>, String> {
    let mut ledger = (cluster.open)(name).map_err(|error| error.to_string())?;
    let mut node = Node::new(kind, name, cluster.executor);
    let mut looked = false;
    Ok(Box::new(move || {
        let mut tick = || {
            let new = ledger.refresh()?;
            // What the node itself published holds no directive: without news of others there is nothing to read.
            let results = if looked && new == 0 { Vec::new() } else { node.tick(&mut *ledger, &mut Real)? };
            looked = true;
            done.lock().unwrap_or_else(PoisonError::into_inner).note(new, &results, node.take_events().len());
            Ok(())
        };
        tick().map_err(|error: LedgerError| error.to_string())
    }))
}
