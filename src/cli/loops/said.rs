//! How the commands of the experience loop speak: `key=value` lines, and how they end.

use crate::cli::exit::Trouble;
use crate::cli::{Exit, World};
use crate::edge::ledger::{Location, Store};
use crate::experience::LoopError;
use crate::experience::publishing::Batch;
use crate::landing::row::is_unprintable;
use crate::ledger::{LedgerError, Record};
use serde_json::{Map, Value as Json};
use std::io::{self, Write};

/// The least and the most seconds that an option takes.
const LONGEST: f64 = 86_400.0 * 366.0;

/// A text as a value of a line: what drives a terminal is taken out, and what would read as another
/// key is quoted. Ids come from records, and records are hostile.
pub(in crate::cli) fn shown(text: &str) -> String {
    let text = text.replace(is_unprintable, "?");
    let plain = !text.is_empty() && !text.contains(|character: char| character.is_whitespace() || "\"=".contains(character));
    if plain { text } else { Json::from(text).to_string() }
}

/// The value of a line.
pub(in crate::cli) fn shown_value(value: &Json) -> String {
    match value {
        Json::Null => "none".to_owned(),
        Json::String(text) => shown(text),
        Json::Array(_) | Json::Object(_) => shown(&value.to_string()),
        plain => plain.to_string(),
    }
}

/// One line `key=value key=value`.
pub(in crate::cli) fn line(out: &mut dyn Write, members: &Map<String, Json>, keys: &[&str]) -> io::Result<()> {
    let told: Vec<_> = keys.iter().map(|key| format!("{key}={}", shown_value(members.get(*key).unwrap_or(&Json::Null)))).collect();
    writeln!(out, "{}", told.join(" "))
}

/// Fields of a record, or of its payload, by name.
pub(in crate::cli) fn members(record: &Record, keys: &[&str]) -> Map<String, Json> {
    let value = |key: &str| record.get(key).or_else(|| record.get("payload")?.get(key)).cloned().unwrap_or(Json::Null);
    keys.iter().map(|key| ((*key).to_owned(), value(key))).collect()
}

/// The checks of a record: at the top, or else in its payload.
pub(in crate::cli) fn checks(record: &Record) -> &[Json] {
    record.get("checks").or_else(|| record.get("payload.checks")).and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

/// One line `name status value` for each check.
pub(in crate::cli) fn check_lines(out: &mut dyn Write, checks: &[Json]) -> io::Result<()> {
    let objects = checks.iter().filter_map(Json::as_object);
    objects.into_iter().try_for_each(|check| line(out, check, &["name", "status", "value"]))
}

/// Opens the ledger to write as this node.
pub(in crate::cli) fn open(ledger: &Location, node_id: &str) -> Result<Box<dyn Store>, LoopError> {
    Ok(ledger.open(node_id.trim())?)
}

/// The exit of a command whose work was refused: said on standard error, and nothing was published.
pub(in crate::cli) fn settle<T>(
    worked: Result<T, LoopError>,
    world: &mut World<'_>,
    then: impl FnOnce(T, &mut World<'_>) -> Result<Exit, Trouble>,
) -> Result<Exit, Trouble> {
    match worked {
        Ok(done) => then(done, world),
        Err(LoopError::Ledger(error @ (LedgerError::Foreign(_) | LedgerError::Storage(_)))) => {
            Err(Trouble::Failed(error.to_string().replace(is_unprintable, "?")))
        }
        Err(refused) => {
            writeln!(world.err, "landfall: refused: {}; nothing was published", refused.to_string().replace(is_unprintable, "?"))?;
            Ok(Exit::Blocked)
        }
    }
}

/// Says on standard error what a batch left out, and why.
pub(in crate::cli) fn left_out(batch: &Batch, id_field: &str, err: &mut dyn Write) -> io::Result<()> {
    for kept in &batch.kept {
        writeln!(err, "landfall: {id_field}={} is there already, and stays as it is", shown(&kept.text(id_field)))?;
    }
    for (record, reasons) in &batch.refused {
        let reasons: Vec<_> = reasons.iter().map(|reason| shown(reason)).collect();
        writeln!(err, "landfall: {id_field}={} was not published: {}", shown(&record.text(id_field)), reasons.join(", "))?;
    }
    Ok(())
}

/// Seconds on the command line: finite, not negative, at most a year.
pub(in crate::cli) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=LONGEST).contains(&seconds) => Ok(seconds),
        _ => Err(format!("seconds from 0 to {LONGEST} are meant")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_id_neither_drives_the_terminal_nor_forges_a_key() {
        assert_eq!(shown("runtime-1"), "runtime-1");
        assert_eq!(shown("a\u{1b}[2Jb"), "a?[2Jb");
        assert_eq!(shown("d status=passed"), "\"d status=passed\"");
        assert_eq!(shown("d\"x"), r#""d\"x""#);
        assert_eq!(shown(""), "\"\"");
        assert_eq!(shown_value(&Json::Null), "none");
    }

    #[test]
    fn seconds_are_finite() {
        assert_eq!(seconds("0"), Ok(0.0));
        assert_eq!(seconds("0.25"), Ok(0.25));
        for text in ["-1", "nan", "inf", "1e300", "x", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
