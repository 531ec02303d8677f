//! Items of an issue tracker, one a line: closed is closed, deleted is not done.

use crate::json::Value;

/// Whether a line is an item, and then whether it is closed with a time.
pub(super) fn read(value: &Value<'_>) -> Option<bool> {
    let status = value.get("status")?.as_str()?;
    value.get("id")?.as_str()?;
    value.get("issue_type")?.as_str()?;
    Some(status == "closed" && value.get("closed_at").is_some_and(|at| at.as_str().is_some()))
}
