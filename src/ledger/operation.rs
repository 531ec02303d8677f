//! An operation: what one node did to one key, and the rule by which one operation wins over another.

use super::{Entry, LedgerError};
use crate::json::Value;
use sha2::{Digest, Sha256};
use std::cmp::Reverse;

/// The longest payload, in bytes.
pub const PAYLOAD_LIMIT: usize = 1 << 20;
/// The longest key, node id or operation id, in bytes.
pub const NAME_LIMIT: usize = 512;
/// The greatest clock. Every reader of JSON holds it exactly, and one more never overflows.
pub const CLOCK_LIMIT: u64 = (1 << 53) - 1;
/// The payload of a tombstone.
pub const NO_PAYLOAD: &str = "{}";

/// What an operation does to its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Sets the record.
    Upsert,
    /// Leaves a tombstone.
    Delete,
}

impl Kind {
    /// The word the file uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Upsert => "upsert",
            Self::Delete => "delete",
        }
    }

    /// The kind of a word; `None` for another.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Upsert, Self::Delete].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// One operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Its own name, the same on every node.
    pub op_id: String,
    /// The node that made it.
    pub node_id: String,
    /// That node's Lamport clock.
    pub clock: u64,
    /// What it does.
    pub kind: Kind,
    /// The key.
    pub gid: String,
    /// The record's text; [`NO_PAYLOAD`] for a delete.
    pub payload: String,
    /// Wall time, in seconds. It never decides.
    pub ts: f64,
}

/// The keys of an operation's line, all of them required and no other known.
const KEYS: [&str; 7] = ["clock", "gid", "kind", "node_id", "op_id", "payload", "ts"];

impl Operation {
    /// A new operation, named after its content: the same act has one name, and no generator is asked.
    pub fn new(node_id: &str, clock: u64, kind: Kind, gid: &str, payload: String, ts: f64) -> Self {
        let mut digest = Sha256::new();
        for part in [node_id, kind.as_str(), gid, &payload] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        digest.update(clock.to_be_bytes());
        digest.update(ts.to_bits().to_be_bytes());
        let op_id = crate::json::hex(&digest.finalize()[..16]);
        Self { op_id, node_id: node_id.to_owned(), clock, kind, gid: gid.to_owned(), payload, ts }
    }

    /// What decides between two operations on one key; the greater one wins.
    ///
    /// Clock, then node. Where both are equal the stored operation is to stay, which would make a merge
    /// depend on its order; so the lesser `op_id` counts as the one that was there.
    pub fn rank(&self) -> (u64, &str, Reverse<&str>) {
        (self.clock, &self.node_id, Reverse(&self.op_id))
    }

    /// What it sets its key to.
    pub fn entry(&self) -> Entry {
        Entry { gid: self.gid.clone(), payload: self.payload.clone(), clock: self.clock, node_id: self.node_id.clone(), ts: self.ts }
    }

    /// Refuses what no ledger can hold.
    ///
    /// # Errors
    /// Which part is out of its bounds.
    pub fn within_bounds(&self) -> Result<(), LedgerError> {
        for (name, said) in [("gid", &self.gid), ("node_id", &self.node_id), ("op_id", &self.op_id)] {
            if said.is_empty() || said.len() > NAME_LIMIT {
                return Err(LedgerError::Unpublishable(format!("its {name} has {} bytes, and 1 to {NAME_LIMIT} are taken", said.len())));
            }
        }
        if self.payload.len() > PAYLOAD_LIMIT {
            return Err(LedgerError::Unpublishable(format!("its payload has more than {PAYLOAD_LIMIT} bytes")));
        }
        if self.clock == 0 || self.clock > CLOCK_LIMIT {
            return Err(LedgerError::Unpublishable(format!("its clock is not between 1 and {CLOCK_LIMIT}")));
        }
        if !self.ts.is_finite() {
            return Err(LedgerError::Unpublishable("its ts is no number of seconds".to_owned()));
        }
        Ok(())
    }

    /// Refuses a payload that says nothing: a record's that is no object in strict JSON with a type of its
    /// own, a delete's that is not empty, and a record's that names another key than the operation.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn reads(&self) -> Result<(), LedgerError> {
        self.record().map(drop)
    }

    /// The record, read strictly; none of a delete.
    ///
    /// # Errors
    /// As [`Operation::reads`].
    pub fn record(&self) -> Result<Option<Value<'_>>, LedgerError> {
        let odd = |what: &str| Err(LedgerError::Unpublishable(what.to_owned()));
        let payload = self.payload.as_bytes();
        if self.kind == Kind::Delete {
            return if matches!(payload, b"" | b"{}") { Ok(None) } else { odd("a delete has no payload") };
        }
        match crate::json::parse(payload) {
            Err(fault) => odd(&format!("its payload has {}", fault.describe())),
            Ok(record) if !record.is_object() => odd("its payload is no object"),
            Ok(record) if record.get("type").and_then(Value::as_str).is_none_or(|said| said.trim().is_empty()) => {
                odd("its payload has no type")
            }
            Ok(record) => {
                let said = crate::contract::value::text(record.get("gid"));
                if said.is_empty() || said == self.gid { Ok(Some(record)) } else { odd("its payload names another gid than the operation") }
            }
        }
    }

    /// One line of JSON; the payload is a string, so that its bytes stay as they are.
    pub fn to_line(&self) -> String {
        crate::json::to_line(&serde_json::json!({
            "clock": self.clock, "gid": self.gid, "kind": self.kind.as_str(), "node_id": self.node_id,
            "op_id": self.op_id, "payload": self.payload, "ts": self.ts,
        }))
    }

    /// Whether a value means to be an operation rather than a record.
    pub fn is_meant(value: &Value<'_>) -> bool {
        value.get("op_id").is_some() && value.get("kind").is_some() && value.get("type").is_none()
    }

    /// The operation of a line that was read strictly.
    ///
    /// # Errors
    /// What is wrong with it: a key too many or too few, a part of another kind or out of its bounds.
    pub fn from_value(value: &Value<'_>) -> Result<Self, LedgerError> {
        let odd = |what: String| LedgerError::Unpublishable(what);
        if let Some((key, _)) = value.members().iter().find(|(key, _)| !KEYS.contains(&&**key)) {
            return Err(odd(format!("an operation has no key of {} bytes that is none of {}", key.len(), KEYS.join(", "))));
        }
        let text = |key: &str| match value.get(key) {
            Some(Value::String(text)) => Ok(text.clone().into_owned()),
            _ => Err(odd(format!("its {key} is no string"))),
        };
        let clock = value.get("clock").and_then(Value::as_number).and_then(|number| u64::try_from(number.as_integer()?).ok());
        let kind = Kind::of(&text("kind")?).ok_or_else(|| odd("its kind is neither upsert nor delete".to_owned()))?;
        let operation = Self {
            op_id: text("op_id")?,
            node_id: text("node_id")?,
            clock: clock.ok_or_else(|| odd(format!("its clock is not between 1 and {CLOCK_LIMIT}")))?,
            kind,
            gid: text("gid")?,
            payload: text("payload")?,
            ts: value.get("ts").and_then(Value::as_number).ok_or_else(|| odd("its ts is no number".to_owned()))?.as_f64(),
        };
        operation.within_bounds()?;
        operation.reads()?;
        Ok(operation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(clock: u64) -> Operation {
        Operation::new("n", clock, Kind::Upsert, "g", "{\"type\":\"t\"}".to_owned(), 1.5)
    }

    #[test]
    fn a_line_reads_back_as_the_same_operation() {
        let mut there = operation(CLOCK_LIMIT);
        there.payload = "{\"n\": 12345678901234567890123, \"type\":\"\u{fc}\"}".to_owned();
        let line = there.to_line();
        let read = Operation::from_value(&crate::json::parse(line.as_bytes()).expect("it is JSON")).expect("it reads");
        assert_eq!(read, there);
        assert!(Operation::is_meant(&crate::json::parse(line.as_bytes()).expect("it is JSON")));
    }

    #[test]
    fn what_is_out_of_bounds_is_refused() {
        let line = operation(7).to_line();
        let refused = |from: &str, to: &str| {
            let changed = line.replace(from, to);
            assert_ne!(changed, line, "{from}");
            let value = crate::json::parse(changed.as_bytes()).expect("the test's text is JSON");
            assert!(Operation::from_value(&value).is_err(), "{to}");
        };
        refused("\"clock\":7", "\"clock\":0");
        refused("\"clock\":7", "\"clock\":-1");
        refused("\"clock\":7", "\"clock\":7.0");
        refused("\"clock\":7", "\"clock\":9223372036854775807");
        refused("\"clock\":7", "\"clock\":92233720368547758070");
        refused("\"gid\":\"g\"", "\"gid\":\"\"");
        refused("\"gid\":\"g\"", &format!("\"gid\":\"{}\"", "g".repeat(NAME_LIMIT + 1)));
        refused("upsert", "insert");
        refused("upsert", "delete");
        refused("\"{\\\"type\\\":\\\"t\\\"}\"", "\"[]\"");
        refused("\"{\\\"type\\\":\\\"t\\\"}\"", "\"{\"");
        refused("\"ts\":1.5", "\"ts\":\"1.5\"");
        refused("\"ts\":1.5", "\"ts\":1.5,\"more\":1");
    }

    #[test]
    fn a_payload_that_says_nothing_does_not_read() {
        let reads = |kind, payload: &str| Operation { kind, payload: payload.to_owned(), ..operation(1) }.reads().is_ok();
        for payload in [r#"{"type": "t"}"#, r#"{"type": "t", "gid": "g"}"#, r#"{"type": "t", "gid": null}"#] {
            assert!(reads(Kind::Upsert, payload), "{payload}");
        }
        let deep = format!(r#"{{"type": "t", "a": {}{}}}"#, "[".repeat(200), "]".repeat(200));
        let odd = ["", "{", "[1]", "{}", "7", r#"{"type": ""}"#, r#"{"type": " "}"#, r#"{"type": 7}"#, r#"{"type": "t",}"#, &deep];
        for payload in
            odd.into_iter().chain([r#"{"type": "a", "type": "b"}"#, r#"{"type": "t", "gid": "h"}"#, r#"{"type": "t", "gid": 7}"#])
        {
            assert!(!reads(Kind::Upsert, payload), "{payload}");
        }
        assert!(reads(Kind::Delete, "") && reads(Kind::Delete, NO_PAYLOAD) && !reads(Kind::Delete, r#"{"type": "t"}"#));
    }

    #[test]
    fn the_rank_is_clock_then_node_then_the_lesser_name() {
        let named = |clock, node: &str, op_id: &str| Operation { op_id: op_id.to_owned(), node_id: node.to_owned(), ..operation(clock) };
        assert!(named(2, "a", "x").rank() > named(1, "b", "x").rank());
        assert!(named(1, "b", "x").rank() > named(1, "a", "x").rank());
        assert!(named(1, "a", "x").rank() > named(1, "a", "y").rank());
    }
}
