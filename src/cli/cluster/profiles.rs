//! `cluster profiles`: the profiles and their nodes.

use super::super::exit::Trouble;
use super::super::{Exit, Format, World};
use crate::experience::profile::{Asked, PROFILES};
use clap::Args;
use serde_json::json;

/// Arguments of `cluster profiles`.
#[derive(Debug, Args)]
pub struct ProfilesArguments {
    /// How to print the list
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(arguments: &ProfilesArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    for profile in PROFILES {
        let names: Vec<_> = profile.nodes(Asked::default()).into_iter().map(|(name, _)| name).collect();
        match arguments.format {
            Format::Json => {
                let told = json!({"profile": profile.name, "about": profile.about, "nodes": names});
                writeln!(world.out, "{}", crate::json::to_line(&told))?;
            }
            Format::Text => writeln!(world.out, "{}: {}; {}", profile.name, profile.about, names.join(" "))?,
        }
    }
    Ok(Exit::Pass)
}
