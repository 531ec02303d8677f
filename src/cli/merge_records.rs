//! `merge-records`: the shards of a divided replay, merged into the records of an undivided one.

use super::exit::Trouble;
use super::replay::{Printed, exit_of, write};
use super::shipped::printable;
use super::{Exit, Format, MergeRecordsArguments, World};
use crate::edge::{disk, records};
use crate::json::to_canonical_text;
use crate::landing::gathered::Mode;
use crate::landing::record::files;
use crate::landing::shard::{ShardError, ShardRecord, Whole, merge_all};
use std::collections::BTreeMap;
use std::path::Path;

/// The longest shard record, in bytes: two lists of a thousand rows and findings, and a line an input.
const LIMIT: usize = 64 << 20;

pub(super) fn run(arguments: &MergeRecordsArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let mut by_mode: BTreeMap<Mode, Vec<ShardRecord>> = BTreeMap::new();
    for file in &arguments.files {
        match read(&world.at(file), file)? {
            Ok(record) => by_mode.entry(record.mode()).or_default().push(record),
            Err(error) => return refuse(&error, Some(file), world),
        }
    }
    let mut merged = Vec::new();
    for records in by_mode.into_values() {
        match merge_all(records) {
            Ok(record) => merged.push(record),
            Err(error) => return refuse(&error, None, world),
        }
    }
    if let Some(target) = &arguments.partial {
        let [record] = merged.as_slice() else { return refuse(&ShardError::Mode, None, world) };
        let failed = |error| Trouble::Failed(format!("could not write {}: {error}", printable(target)));
        records::write_one(&world.at(target), &to_canonical_text(record)).map_err(failed)?;
        say(record, arguments.format, world)?;
        return Ok(if record.blocking_count() > 0 { Exit::Blocked } else { Exit::Pass });
    }
    let (mut fixture, mut bundle) = (None, None);
    for record in merged {
        match record.finish() {
            Ok(Whole::Fixture(run)) => fixture = Some(*run),
            Ok(Whole::Bundle(run)) => bundle = Some(*run),
            Err(error) => return refuse(&error, None, world),
        }
    }
    let mut texts = Vec::new();
    texts.extend(bundle.iter().map(|run| (files::BUNDLE, to_canonical_text(&run.result))));
    texts.extend(fixture.iter().flat_map(|run| run.texts()));
    write(&world.at(&arguments.out), &texts)?;
    let printed = Printed { card: false, format: arguments.format, out: &arguments.out };
    printed.print(fixture.as_ref(), bundle.as_ref(), world)?;
    Ok(exit_of(fixture.as_ref(), bundle.as_ref()))
}

fn read(path: &Path, shown: &Path) -> Result<Result<ShardRecord, ShardError>, Trouble> {
    let why = |state| Trouble::Failed(format!("{}: {state:?} where a shard record is due", printable(shown)));
    Ok(ShardRecord::read(&disk::read_file(path, LIMIT).map_err(why)?))
}

fn refuse(error: &ShardError, file: Option<&Path>, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match file {
        Some(file) => writeln!(world.err, "landfall: {}: {error}", printable(file))?,
        None => writeln!(world.err, "landfall: {error}")?,
    }
    Ok(Exit::Blocked)
}

/// Says what a shard record holds, and that it is no verdict.
pub(super) fn say(record: &ShardRecord, format: Format, world: &mut World<'_>) -> Result<(), Trouble> {
    let (judged, all) = record.rows_judged();
    let (held, of, mode, blocking) = (record.shards.len(), record.of, record.mode().as_str(), record.blocking_count());
    if format == Format::Json {
        let said = serde_json::json!({
            "input_mode": mode, "status": record.status, "shards": record.shards, "of": of,
            "rows_judged": judged, "row_count": all, "blocking_count": blocking, "record_digest": record.record_digest,
        });
        write!(world.out, "{}", to_canonical_text(&said))?;
    } else {
        let count = if blocking == 0 { "nothing refused so far".to_owned() } else { format!("{blocking} refused already") };
        writeln!(world.out, "{mode}: partial, {held} of {of} shards, {judged} of {all} rows judged, {count}")?;
        writeln!(world.out, "  no verdict before landfall merge-records has all shards")?;
    }
    Ok(())
}
