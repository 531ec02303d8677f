//! One screen of arguments, shared by the `landfall` binary and `cargo xtask`.
//!
//! A command is a function from its arguments and a [`World`] to an [`Exit`]; it writes to the
//! outputs it is handed and reads the disk through the edge.

mod artifacts;
mod audit;
mod card;
mod check;
mod check_corpus;
mod check_memory;
mod cluster;
mod exit;
mod explain;
#[cfg(feature = "explore")]
mod explore;
mod harness_child;
mod import;
mod init;
mod ledger;
mod loops;
mod memory;
mod merge_records;
mod pages;
mod replay;
mod report;
mod reporting;
mod sessions;
mod shipped;
mod world;

pub use check_corpus::{bless, records_now};
pub use exit::Exit;
pub use explain::rules_page;
pub use world::World;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Decides whether recorded evidence supports what agents claim about their work.
#[derive(Debug, Parser)]
#[command(name = "landfall", version, about, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 pass; 1 blocked, something was read and refused; 2 usage; 3 could not work; 4 nothing selected.";

/// The commands that the binary and xtask have in common.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Replay recorded landings: judge rows, policy, protocol, broken cases and bundle, write records
    ///
    /// Without --corpus and --bundle it replays the fixture and the bundle of landfall's own repository.
    #[command(after_help = EXIT_CODES)]
    Replay(ReplayArguments),
    /// Merge the shards of a divided replay into the records of an undivided one
    ///
    /// The shards are those that `replay --shard` wrote, in any order, each once.
    #[command(after_help = EXIT_CODES)]
    MergeRecords(MergeRecordsArguments),
    /// Confirm parity of manifest, copies and originals, and audit the corpus; writes nothing
    #[command(after_help = EXIT_CODES)]
    CheckCorpus(CheckCorpusArguments),
    /// Judge single inputs from a file or a pipe; one JSON object a line
    #[command(after_help = EXIT_CODES)]
    Check(CheckArguments),
    /// Audit recorded agent sessions: claims in words against what the record shows
    #[command(after_help = EXIT_CODES)]
    Audit(audit::AuditArguments),
    /// Make landing rows of recorded agent sessions, as a corpus that replay judges
    #[command(after_help = EXIT_CODES)]
    Import(import::ImportArguments),
    /// Print the page of a code, or the list of all codes
    #[command(after_help = EXIT_CODES)]
    Explain(ExplainArguments),
    /// Report records of replay and answers of audit as text, JSON, JUnit, SARIF, annotations, statements or a page
    #[command(after_help = EXIT_CODES)]
    Report(reporting::ReportArguments),
    /// Write a corpus for your own repository, with a CI snippet
    #[command(after_help = EXIT_CODES)]
    Init(InitArguments),
    /// Show, check, merge, export and import ledgers of loop records
    #[command(subcommand, after_help = EXIT_CODES)]
    Ledger(ledger::LedgerCommand),
    /// Seed, publish, build, run, inspect and watch loop records in a ledger
    #[command(subcommand, after_help = EXIT_CODES)]
    Loop(loops::LoopCommand),
    /// Run the nodes of a swarm as supervised workers over one ledger
    #[command(subcommand, after_help = EXIT_CODES)]
    Cluster(cluster::ClusterCommand),
    /// Read public sources for a goal, and hand what is useful to memory; asks the network only when told to
    #[cfg(feature = "explore")]
    #[command(subcommand, after_help = EXIT_CODES)]
    Explore(explore::ExploreCommand),
    /// Ask evidence memory, replay recorded evidence, check results; fetches nothing
    #[command(subcommand, after_help = EXIT_CODES)]
    Memory(memory::MemoryCommand),
    /// Index local artifacts, and clean up what is too old
    #[command(subcommand, after_help = EXIT_CODES)]
    Artifacts(artifacts::ArtifactsCommand),
    /// Print completions for a shell
    Completions(pages::CompletionsArguments),
    /// Print a manual page, or write all of them
    Man(pages::ManArguments),
    /// The fixed programs that guarded runners start
    #[command(flatten)]
    HarnessChild(harness_child::HarnessChild),
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArguments {
    /// Folder with the run table, the landing policy and the projection protocol
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Folder of negative cases; default: the corpus's own `negative-cases/`, else the nine built in
    #[arg(long, value_name = "DIR", requires = "corpus")]
    pub negatives: Option<PathBuf>,
    /// Bundle folder: the same three files, a manifest and copied bodies
    #[arg(long, value_name = "DIR")]
    pub bundle: Option<PathBuf>,
    /// Folder for the records
    #[arg(long, value_name = "DIR", default_value = "target/landfall")]
    pub out: PathBuf,
    /// Print a card as JSON; a prior bundle record that says the same is left as it lies
    #[arg(long)]
    pub card: bool,
    /// Judge of the rows only part I of N, and write a shard record that is no verdict; see merge-records
    #[arg(long, value_name = "I/N", conflicts_with = "card")]
    pub shard: Option<crate::landing::shard::Shard>,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Arguments of `merge-records`.
#[derive(Debug, Args)]
pub struct MergeRecordsArguments {
    /// Shard records: every shard of a fixture, of a bundle, or of both
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Folder for the records
    #[arg(long, value_name = "DIR", default_value = "target/landfall")]
    pub out: PathBuf,
    /// Write instead one shard record of what is there, into this file
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub partial: Option<PathBuf>,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Arguments of `check-corpus`.
#[derive(Debug, Args)]
pub struct CheckCorpusArguments {
    /// Bundle folder; given alone, steps that need another folder are skipped and said to be
    #[arg(long, value_name = "DIR")]
    pub bundle: Option<PathBuf>,
    /// Folder of the live originals
    #[arg(long, value_name = "DIR")]
    pub originals: Option<PathBuf>,
    /// Coverage record of a replay
    #[arg(long, value_name = "FILE")]
    pub coverage: Option<PathBuf>,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// What the input is
    #[arg(value_enum)]
    pub kind: check::InputKind,
    /// The input; `-` is standard input. For `manifest`, a bundle folder
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
    /// Each line is an input of its own
    #[arg(long)]
    pub jsonl: bool,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "json")]
    pub format: Format,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// The code, with or without its prefix, in any case; without it the list
    pub code: Option<String>,
    /// How to print the page
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArguments {
    /// Folder to write into; nothing that is there is overwritten
    #[arg(value_name = "DIR", default_value = "landing")]
    pub dir: PathBuf,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Runs a command.
pub fn run(command: &Command, world: &mut World<'_>) -> Exit {
    let ended = match command {
        Command::Replay(arguments) => replay::run(arguments, world),
        Command::MergeRecords(arguments) => merge_records::run(arguments, world),
        Command::CheckCorpus(arguments) => check_corpus::run(arguments, world),
        Command::Check(arguments) => check::run(arguments, world),
        Command::Audit(arguments) => audit::run(arguments, world),
        Command::Import(arguments) => import::run(arguments, world),
        Command::Explain(arguments) => explain::run(arguments, world),
        Command::Report(arguments) => reporting::run(arguments, world),
        Command::Init(arguments) => init::run(arguments, world),
        Command::Ledger(command) => ledger::run(command, world),
        Command::Loop(command) => loops::run(command, world),
        Command::Cluster(command) => cluster::run(command, world),
        #[cfg(feature = "explore")]
        Command::Explore(command) => explore::run(command, world),
        Command::Memory(command) => memory::run(command, world),
        Command::Artifacts(command) => artifacts::run(command, world),
        Command::Completions(arguments) => pages::completions(arguments, world),
        Command::Man(arguments) => pages::man(arguments, world),
        Command::HarnessChild(child) => harness_child::run(child, world),
    };
    exit::settle(ended, world)
}

/// Runs the binary: parses the process's arguments, works in its current folder.
pub fn main() -> std::process::ExitCode {
    world::with_process(|world, arguments| match Arguments::try_parse_from(arguments) {
        Ok(arguments) => run(&arguments.command, world),
        Err(error) => exit::of_clap(&error, world),
    })
}
