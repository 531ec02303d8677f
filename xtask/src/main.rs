//! This repository's own tasks: everything `landfall` does, and what only its authors do.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "xtask is the edge of this repository: it writes files and starts programs"
)]

mod bless;
mod ci;
mod codegen;
mod export_bundle;
mod fuzz;
mod new_case;
mod new_rule;
mod postgres_suite;
mod record_fixture;
mod record_landing;
mod record_loop;
mod validators;

use clap::{Parser, Subcommand};
use landfall::cli::{self, Exit, World};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Tasks of this repository; works from its root wherever it is called.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Landfall(cli::Command),
    /// Scaffold a negative case from an accepted row; the audit refuses it until its TODOs are filled
    NewCase(new_case::NewCase),
    /// Scaffold a rule: its file and its lines in the table
    NewRule(new_rule::NewRule),
    /// Write what is generated (pages, schemas of loop records), or check that it is current
    Codegen {
        /// Compare instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Write the blessed records anew; never in CI
    Bless,
    /// Drive the control plane in a scratch repository to record the first wave
    RecordFixture {
        /// Record beside the fixture and compare
        #[arg(long)]
        check: bool,
    },
    /// Validate this branch in a clean clone, move main to it, and record that under fixtures/self
    RecordLanding(record_landing::RecordLanding),
    /// Run the loop's commands to record its ledgers
    RecordLoop {
        /// Record beside the ledgers and compare
        #[arg(long)]
        check: bool,
    },
    /// Copy the six control files into the bundle and write its manifest
    ExportBundle {
        /// Compare instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Build the fuzz targets and run each for some seconds
    Fuzz(fuzz::Fuzz),
    /// Run the ledger's tests over a PostgreSQL server that is started for them
    PostgresSuite,
    /// Everything CI runs
    Ci,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let root = root();
    match arguments.command {
        Command::Landfall(command) => World::run(root, |world| cli::run(&command, world)),
        Command::NewCase(case) => told(new_case::run(&root, &case)),
        Command::NewRule(rule) => told(new_rule::run(&root, &rule)),
        Command::Codegen { check } => told(codegen::run(&root, check)),
        Command::Bless => told(bless::run(&root)),
        Command::RecordFixture { check } => {
            let said = if check { "checked: recording the first wave again gives the same bytes" } else { "recorded the first wave" };
            told(record_fixture::run(&root, &root.join("fixtures/first-wave"), check).map(|()| said.to_owned()))
        }
        Command::RecordLanding(asked) => told(record_landing::run(&root, &asked)),
        Command::RecordLoop { check } => told(record_loop::run(&root, check)),
        Command::ExportBundle { check } => {
            let said = if check { "checked: the bundle is what an export writes" } else { "exported the bundle" };
            told(export_bundle::run(&root, check).map(|()| said.to_owned()))
        }
        Command::Fuzz(fuzz) => told(fuzz::run(&root, &fuzz)),
        Command::PostgresSuite => told(postgres_suite::of(&root)),
        Command::Ci => told(ci::run(&root)),
    }
}

/// The repository's root: this package's parent.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_owned()
}

/// Prints what a task says, or why it could not.
fn told(ended: Result<String, Box<dyn Error>>) -> ExitCode {
    let (text, exit) = match ended {
        Ok(text) => (text, Exit::Pass),
        Err(error) => (format!("cargo xtask: {error}"), Exit::Blocked),
    };
    let written = if exit == Exit::Pass { writeln!(std::io::stdout(), "{text}") } else { writeln!(std::io::stderr(), "{text}") };
    if written.is_err() { Exit::CouldNotWork.into() } else { exit.into() }
}
