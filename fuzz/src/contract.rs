//! A record against its contract, and against the texts that the contract was made from.

use super::reference::record::check as refer;
use landfall::contract::check::check;
use landfall::json::{Value, parse};

/// The target.
pub fn feed(bytes: &[u8]) {
    if let Ok(record) = parse(bytes) {
        hold(&record);
    }
}

/// Nothing is accepted that the reference refuses; where the texts name reasons, nor the reverse, and they are the same.
pub fn hold(record: &Value<'_>) {
    let (found, wanted) = (check(record), refer(record));
    let record_type = record.get("type").and_then(Value::as_str).unwrap_or_default();
    assert!(!found.valid || wanted.valid, "accepted a {record_type} that the reference refuses for {:?}", wanted.reasons);
    // Where the texts name no reasons, a contract may ask for more than they do.
    if wanted.named {
        assert!(!wanted.valid || found.valid, "refused a {record_type} that the reference accepts, for {:?}", found.reasons);
        assert_eq!(found.reasons, wanted.reasons, "the reasons of a {record_type} are not those of the reference");
        assert_eq!(found.severity.as_str(), wanted.severity, "the severity of a {record_type} is not that of the reference");
    }
    assert_eq!(found.valid, found.reasons.is_empty() || found.severity.as_str() == "warning" && wanted.valid, "valid and reasons agree");
}
