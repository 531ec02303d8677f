//! A smoke run: what an explorer loop recorded, taken all the way to an answered query, each result
//! held to its contract before the next is made.

use super::query::Filters;
use super::replay::{extract, replay};
use super::smoke::summary_from_results;
use super::{loop_contract, query_contract, smoke_contract};
use crate::json::Value;
use crate::ledger::record::owned;
use serde_json::Value as Json;

/// How many items the catalog of a replay names on top.
const TOP_ITEMS: i128 = 100;

/// A run that went through.
#[derive(Debug, Clone, PartialEq)]
pub struct SmokeRun {
    /// The replayed query's result.
    pub replay: Json,
    /// The summary, of type `explorer_memory_replay_smoke_result`; paths and commands are the caller's.
    pub summary: Json,
}

/// A result on the way that breaks its contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Which contract, as its checker names it.
    pub contract: &'static str,
    /// What it breaks, in order.
    pub reasons: Vec<String>,
}

fn held(contract: &'static str, reasons: Vec<String>) -> Result<(), Broken> {
    if reasons.is_empty() { Ok(()) } else { Err(Broken { contract, reasons }) }
}

/// Takes the result of an explorer loop through replay and query.
///
/// # Errors
/// The first result that breaks its contract; nothing is made of it.
pub fn smoke_run(explorer: &Value<'_>, filters: &Filters) -> Result<SmokeRun, Broken> {
    held("explorer source-planned evidence loop", loop_contract::check(explorer))?;
    let replay = replay(&extract(explorer), filters, TOP_ITEMS);
    held("memory evidence query", query_contract::check(&replay))?;
    let summary = summary_from_results(&owned(explorer), &replay);
    held("explorer memory replay smoke", smoke_contract::check(&summary))?;
    Ok(SmokeRun { replay, summary })
}

#[cfg(test)]
mod tests {
    use super::super::ingest::tests::evidence;
    use super::super::replay::build_artifact;
    use super::*;
    use crate::json::parse;
    use serde_json::json;

    fn run(change: impl Fn(&mut Json)) -> Result<SmokeRun, Broken> {
        let records: Vec<Json> = ["a", "b", "c", "d", "e"].map(evidence).to_vec();
        let text = json!({ "records": records }).to_string();
        let artifact = build_artifact(&parse(text.as_bytes()).expect("it is JSON"), 20);
        let mut explorer = json!({
            "type": "explorer_network_read_loop_result", "total_memory_records_published": 5, "total_targets_published": 20,
            "total_findings_emitted": 5, "memory_replay_artifact": artifact,
            "node": {"source_adapter_targets_seen": {"evidence": 5}, "source_adapter_targets_selected": {"evidence": 5}}
        });
        change(&mut explorer);
        let text = explorer.to_string();
        smoke_run(&parse(text.as_bytes()).expect("it is JSON"), &Filters { limit: 3, ..Filters::default() })
    }

    #[test]
    fn a_loop_that_published_comes_through() {
        let run = run(|_| ()).expect("it holds");
        assert_eq!(run.summary["memory_query_result_count"], 3);
        assert_eq!(run.summary["memory_replay_summary"]["full_replay_path_ratio"], 0.6);
        assert_eq!(run.replay["explorer_memory_records_seen"], 5);
    }

    #[test]
    fn the_first_broken_contract_ends_the_run() {
        let broken = run(|explorer| explorer["status"] = "failed".into()).expect_err("it breaks");
        assert_eq!(
            broken,
            Broken { contract: "explorer source-planned evidence loop", reasons: vec!["unexpected result status: 'failed'".to_owned()] }
        );
        let broken = run(|explorer| explorer["node"]["more"] = evidence("f")).expect_err("one record more was seen than embedded");
        assert_eq!(broken.contract, "explorer memory replay smoke");
    }
}
