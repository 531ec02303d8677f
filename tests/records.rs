//! Golden records: each blessed file is what a replay says now, byte for byte.

use landfall::landing::RuleSet;
use std::path::Path;

fn is_what_a_replay_says(path: &Path, blessed: String) -> datatest_stable::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = path.file_name().and_then(|name| name.to_str()).ok_or("a record has a name")?;
    let made = landfall::cli::records_now(root, &RuleSet::all()).map_err(|error| error.to_string())?;
    let (_, text) = made.iter().find(|(made, _)| *made == name).ok_or("no replay makes a record of this name")?;
    if *text == blessed {
        return Ok(());
    }
    let difference = landfall::corpus::parity::difference(blessed.as_bytes(), text.as_bytes(), "blessed", "replayed");
    Err(Shown(format!("{name} no longer says what a replay says; look at the difference, then cargo xtask bless\n{difference}")).into())
}

/// The harness prints an error's debug form; a difference is to be read line by line.
struct Shown(String);

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Shown {}

datatest_stable::harness! {
    { test = is_what_a_replay_says, root = "fixtures/records", pattern = r"^.*\.json$" },
}
