//! `completions` and `man`: made from the arguments themselves, so that they say what the program does.

use super::exit::Trouble;
use super::shipped::printable;
use super::{Arguments, Exit, World};
use crate::edge::records;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::path::PathBuf;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// The command whose page is printed, as in `man ledger show`; without it the page of landfall
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,
    /// Write the pages of all commands into this folder instead
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub out: Option<PathBuf>,
}

pub(super) fn completions(arguments: &CompletionsArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut shown(Arguments::command()), "landfall", &mut text);
    world.out.write_all(&text)?;
    Ok(Exit::Pass)
}

pub(super) fn man(arguments: &ManArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let root = shown(Arguments::command());
    let Some(folder) = &arguments.out else {
        let (mut name, depth) = ("landfall".to_owned(), arguments.command.len());
        let mut command = &root;
        for part in &arguments.command {
            let found = command.find_subcommand(part).filter(|found| found.get_name() != "help");
            command = found.ok_or_else(|| {
                let known = part.replace(crate::landing::row::is_unprintable, "?");
                Trouble::Usage(format!("no command {known}; landfall --help lists them"))
            })?;
            name = format!("{name}-{}", command.get_name());
        }
        world.out.write_all(page(command, name, depth)?.as_bytes())?;
        return Ok(Exit::Pass);
    };
    let mut pages = Vec::new();
    all_pages(&root, "landfall".to_owned(), 0, &mut pages)?;
    let texts: Vec<_> = pages.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let place = world.at(folder);
    let failed = |error| Trouble::Failed(format!("could not write pages into {}: {error}; name another folder", printable(folder)));
    records::write_all(&place, &texts).and_then(|()| records::remove_lock(&place)).map_err(failed)?;
    writeln!(world.out, "{} pages in {}", texts.len(), printable(folder))?;
    Ok(Exit::Pass)
}

/// The page of one command, `depth` below the program; no date in it, so that equal programs print equal pages.
fn page(command: &clap::Command, name: String, depth: usize) -> Result<String, Trouble> {
    let mut text = Vec::new();
    let source = concat!("landfall ", env!("CARGO_PKG_VERSION"));
    let typed = name.replacen('-', " ", depth);
    let named = command.clone().display_name(name).bin_name(typed);
    clap_mangen::Man::new(named).date("").source(source).manual("landfall").render(&mut text)?;
    Ok(String::from_utf8(text).expect("pages are text"))
}

fn all_pages(command: &clap::Command, name: String, depth: usize, pages: &mut Vec<(String, String)>) -> Result<(), Trouble> {
    pages.push((format!("{name}.1"), page(command, name.clone(), depth)?));
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        all_pages(below, format!("{name}-{}", below.get_name()), depth + 1, pages)?;
    }
    Ok(())
}

/// The commands without those that only landfall itself starts.
fn shown(command: clap::Command) -> clap::Command {
    let hidden = command.get_subcommands().any(clap::Command::is_hide_set);
    if !hidden {
        return command;
    }
    // clap has no way to take a command out; one without them is built from what is left.
    let kept: Vec<_> = command.get_subcommands().filter(|below| !below.is_hide_set()).cloned().collect();
    let mut bare = clap::Command::new("landfall")
        .version(env!("CARGO_PKG_VERSION"))
        .about(command.get_about().cloned().unwrap_or_default())
        .subcommand_required(true);
    if let Some(after) = command.get_after_help() {
        bare = bare.after_help(after.clone());
    }
    bare.subcommands(kept)
}
