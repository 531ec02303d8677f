//! The bridge from the shared ledger into a memory node: what is new, a hundred records a pass.

use super::local::{LocalMemory, REMEMBERED_TYPES};
use super::value::{field, map};
use crate::json::parse;
use crate::ledger::record::owned;
use crate::ledger::{Ledger, LedgerError, Select};
use serde_json::Value as Json;
use std::collections::HashSet;

/// How many new records one pass takes in.
const PASS: usize = 100;
/// How many records of local memory a heartbeat is about.
const RECENT: usize = 200;

/// A memory node's way of taking in what others published.
#[derive(Debug)]
pub struct Bridge {
    local: LocalMemory,
    /// Records that are older are passed over, if there is such a time.
    since: Option<f64>,
    seen: HashSet<(String, u64)>,
    /// How many records were taken in.
    pub taken_in: u64,
}

impl Bridge {
    /// A bridge that passes over what is older than `since`, in seconds since 1970.
    pub fn new(since: Option<f64>) -> Self {
        Self { local: LocalMemory::new(RECENT), since, seen: HashSet::new(), taken_in: 0 }
    }

    /// One pass over the ledger; how many records it took in. A record that cannot be ingested is counted as
    /// rejected, and stops nothing.
    ///
    /// # Errors
    /// The ledger failed.
    pub fn pass(&mut self, ledger: &dyn Ledger) -> Result<u64, LedgerError> {
        let mut taken = 0;
        ledger.each(Select { types: &REMEMBERED_TYPES }, &mut |entry| {
            let key = (entry.gid.clone(), entry.clock);
            if taken >= PASS || self.seen.contains(&key) {
                return Ok(());
            }
            self.seen.insert(key);
            let Ok(record) = parse(entry.payload.as_bytes()) else { return Ok(()) };
            let record = owned(&record);
            if self.since.is_none_or(|since| time_of(&record).is_none_or(|time| time >= since)) {
                self.local.take_in(&record);
                taken += 1;
            }
            Ok(())
        })?;
        self.taken_in += taken as u64;
        Ok(taken as u64)
    }

    /// How many records were evidence and could not be ingested.
    pub fn rejected(&self) -> u64 {
        self.local.rejected
    }

    /// The heartbeat's words on the evidence in local memory.
    pub fn heartbeat(&mut self) -> Json {
        self.local.heartbeat()
    }
}

/// When a record was made, if it says so anywhere.
fn time_of(record: &Json) -> Option<f64> {
    let places = [record, map(field(record, "payload")), map(field(record, "source"))];
    let times = places.iter().flat_map(|place| ["timestamp", "ts", "created_at"].map(|name| field(place, name).as_f64()));
    times.flatten().find(|time| *time > 0.0)
}

#[cfg(test)]
mod tests {
    use super::super::ingest::tests::evidence;
    use super::*;
    use crate::ledger::surroundings::Scripted;
    use crate::ledger::{MemoryLedger, Record};

    #[test]
    fn a_pass_takes_in_what_is_new_and_young_enough() {
        let (mut ledger, mut around) = (MemoryLedger::new("n"), Scripted::new(100.0, 0.0));
        let mut publish = |gid: &str, time: f64, score: f64| {
            let mut record = evidence(gid);
            record["timestamp"] = time.into();
            record["source_score"] = score.into();
            let record = Record::from_map(super::super::value::members(&record));
            ledger.publish(record, &mut around).expect("memory takes it");
        };
        publish("old", 10.0, 0.8);
        publish("weak", 60.0, 0.1);
        for number in 0..120 {
            publish(&format!("new-{number}"), 60.0, 0.8);
        }
        let mut young = Bridge::new(Some(50.0));
        let passes: Vec<u64> = (0..3).map(|_| young.pass(&ledger).expect("memory answers")).collect();
        assert_eq!(passes, [100, 21, 0]);
        let beat = young.heartbeat();
        let metrics = &beat["metrics"];
        assert_eq!((&metrics["evidence_catalog_items"], &metrics["evidence_catalog_top_items"]), (&120.into(), &5.into()));
        assert_eq!((young.rejected(), &beat["details"]["evidence_catalog_status"]), (1, &"indexed".into()));
        let mut all = Bridge::new(None);
        (0..3).for_each(|_| drop(all.pass(&ledger)));
        assert_eq!(all.heartbeat()["metrics"]["evidence_catalog_items"], 121);
        assert_eq!(Bridge::new(None).heartbeat()["metrics"]["evidence_catalog_items"], 0, "an empty memory has a heartbeat, too");
    }
}
