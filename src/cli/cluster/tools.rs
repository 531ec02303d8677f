//! Tools under the names that the original's cluster command gives them: each says what it runs, and runs just that.
//!
//! A tool is a command line of landfall, made from what was asked. That line is printed, then read as any other is, so
//! that what is said and what is done cannot differ. It runs in this process.

use super::super::exit::{Trouble, of_clap};
use super::super::{Arguments, Exit, World};
use clap::{Args, Parser as _, Subcommand};

/// The tools.
#[derive(Debug, Subcommand)]
pub enum Tool {
    /// Run `memory query`: ask the evidence of the latest run
    MemoryQuery(MemoryQuery),
    /// Run `memory replay-query`: take recorded explorer evidence through ingestion, catalog and query again
    MemoryReplayQuery(MemoryReplayQuery),
    /// Run `memory replay-smoke`: take an explorer loop to an answered query
    MemoryReplaySmoke(Box<MemoryReplaySmoke>),
    /// Run `memory replay-latest`: say what the latest replay smoke artifact holds
    MemoryReplayLatest(MemoryReplayLatest),
    /// Run `artifacts index`: list the artifacts of the latest run
    LatestArtifacts(LatestArtifacts),
    /// Run `artifacts cleanup`: show what retention would delete, and delete it when told to
    LatestArtifactsCleanup(LatestArtifactsCleanup),
}

/// What the two queries have in common.
#[derive(Debug, Args)]
struct Query {
    /// The most results; 0 counts and returns none
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: u64,
    /// Print the result as JSON; this is so without it, too
    #[arg(long)]
    json: bool,
    /// Write the result as JSON
    #[arg(long, value_name = "FILE")]
    json_output: Option<String>,
    /// Exit with 1 unless the result keeps its contract
    #[arg(long)]
    check_contract: bool,
}

/// Arguments of `cluster memory-query`.
#[derive(Debug, Args)]
pub struct MemoryQuery {
    /// Only what has each of these words
    #[arg(long, value_name = "TEXT", default_value = "agents memory", allow_hyphen_values = true)]
    text_query: String,
    #[command(flatten)]
    query: Query,
}

/// Arguments of `cluster memory-replay-query`.
#[derive(Debug, Args)]
pub struct MemoryReplayQuery {
    /// The ledger file; default: that of the latest run. An empty one leaves ledgers out
    #[arg(long, value_name = "FILE")]
    db_path: Option<String>,
    /// A recorded result to look through, as JSON; comes before the ledger
    #[arg(long, value_name = "FILE")]
    json_input: Option<String>,
    /// Only what has each of these words
    #[arg(long, value_name = "TEXT", default_value = "agents memory", allow_hyphen_values = true)]
    text_query: String,
    #[command(flatten)]
    query: Query,
}

/// Arguments of `cluster memory-replay-smoke`.
#[derive(Debug, Args)]
pub struct MemoryReplaySmoke {
    /// The options of `memory replay-smoke`, which see
    #[arg(value_name = "OPTION", num_args = 0.., allow_hyphen_values = true, trailing_var_arg = true)]
    options: Vec<String>,
}

/// Arguments of `cluster memory-replay-latest`.
#[derive(Debug, Args)]
pub struct MemoryReplayLatest {
    /// The artifact itself, whatever it is called; nothing else is looked for
    #[arg(long, value_name = "FILE")]
    json_path: Option<String>,
    /// A folder to look in, with its `artifacts`; repeat for more. Default: the latest run
    #[arg(long, value_name = "DIR")]
    search_root: Vec<String>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Exit with 1 unless the artifact is there and keeps its contract
    #[arg(long, alias = "require-contract")]
    check_contract: bool,
}

/// Arguments of `cluster latest-artifacts`.
#[derive(Debug, Args)]
pub struct LatestArtifacts {
    /// The folder of artifacts. Default: that of the latest run
    #[arg(long, value_name = "DIR")]
    artifacts_root: Option<String>,
    /// How many days artifacts are kept; 0 keeps them for ever
    #[arg(long, value_name = "DAYS", default_value_t = 0.0, allow_negative_numbers = true)]
    retention_max_age_days: f64,
    /// The same in seconds, which win where they are positive
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true)]
    retention_max_age_seconds: f64,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
    /// Exit with 1 unless the contract is kept
    #[arg(long, alias = "require-contract")]
    check_contract: bool,
}

/// Arguments of `cluster latest-artifacts-cleanup`.
#[derive(Debug, Args)]
pub struct LatestArtifactsCleanup {
    #[command(flatten)]
    common: LatestArtifacts,
    /// Delete nothing; this is so without it, too
    #[arg(long, conflicts_with = "execute_delete_local_artifacts")]
    dry_run: bool,
    /// Delete what retention names, in the default folder alone and only if every artifact keeps its contract
    #[arg(long)]
    execute_delete_local_artifacts: bool,
}

/// A command line under construction.
struct Line(Vec<String>);

impl Line {
    fn of(command: [&str; 2]) -> Self {
        Self(["landfall"].iter().chain(&command).map(|word| (*word).to_owned()).collect())
    }

    fn with(mut self, option: &str, value: &str) -> Self {
        // In one word, so that a value with a leading dash is no option.
        self.0.push(format!("{option}={value}"));
        self
    }

    fn with_any<'v>(self, option: &str, values: impl IntoIterator<Item = &'v String>) -> Self {
        values.into_iter().fold(self, |line, value| line.with(option, value))
    }

    fn when(mut self, said: bool, option: &str) -> Self {
        self.0.extend(said.then(|| option.to_owned()));
        self
    }
}

impl Tool {
    /// What it is called, and the command line that it runs.
    fn line(&self) -> (&'static str, Vec<String>) {
        let (title, line) = match self {
            Self::MemoryQuery(asked) => {
                ("memory evidence query", asked.query.on(Line::of(["memory", "query"]).with("--text-query", &asked.text_query)))
            }
            Self::MemoryReplayQuery(asked) => {
                let line = Line::of(["memory", "replay-query"]).with_any("--db-path", &asked.db_path);
                let line = line.with_any("--json-input", &asked.json_input).with("--text-query", &asked.text_query);
                ("explorer memory replay query", asked.query.on(line))
            }
            Self::MemoryReplaySmoke(asked) => {
                let mut line = Line::of(["memory", "replay-smoke"]);
                line.0.extend(asked.options.iter().cloned());
                ("explorer memory replay smoke", line)
            }
            Self::MemoryReplayLatest(asked) => {
                let line = Line::of(["memory", "replay-latest"]).with_any("--json-path", &asked.json_path);
                let line = line.with_any("--search-root", &asked.search_root).when(asked.json, "--json");
                ("latest memory replay smoke artifact", line.when(asked.check_contract, "--check-contract"))
            }
            Self::LatestArtifacts(asked) => ("latest artifacts", asked.on(Line::of(["artifacts", "index"]))),
            Self::LatestArtifactsCleanup(asked) => {
                let line = asked.common.on(Line::of(["artifacts", "cleanup"])).when(asked.dry_run, "--dry-run");
                ("latest artifacts cleanup", line.when(asked.execute_delete_local_artifacts, "--execute-delete-local-artifacts"))
            }
        };
        (title, line.0)
    }
}

impl Query {
    fn on(&self, line: Line) -> Line {
        let line = line.with("--limit", &self.limit.to_string()).when(true, "--json");
        line.with_any("--json-output", &self.json_output).when(self.check_contract, "--check-contract")
    }
}

impl LatestArtifacts {
    /// Seconds stand instead of days where they are positive, and what is not positive is not said at all.
    fn on(&self, line: Line) -> Line {
        let line = line.with_any("--artifacts-root", &self.artifacts_root);
        let (seconds, days) = (self.retention_max_age_seconds, self.retention_max_age_days);
        let line = if seconds > 0.0 {
            line.with("--retention-max-age-seconds", &seconds.to_string())
        } else if days > 0.0 {
            line.with("--retention-max-age-days", &days.to_string())
        } else {
            line
        };
        line.when(self.json, "--json").when(self.check_contract, "--check-contract")
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./=:,@%+".contains(character);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

pub(super) fn run(tool: &Tool, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let (title, line) = tool.line();
    let told = line.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    writeln!(world.out, "{title}\n$ {}", told.replace(crate::landing::row::is_unprintable, "?"))?;
    match Arguments::try_parse_from(line) {
        Ok(arguments) => Ok(super::super::run(&arguments.command, world)),
        Err(error) => Ok(of_clap(&error, world)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Command;
    use crate::cli::cluster::ClusterCommand;

    fn line_of(asked: &str) -> String {
        let words = ["landfall", "cluster"].into_iter().chain(asked.split_whitespace());
        let arguments = Arguments::try_parse_from(words).expect("it is a command line");
        let Command::Cluster(ClusterCommand::Tool(tool)) = arguments.command else { panic!("it is a tool") };
        let line = tool.line().1;
        assert!(Arguments::try_parse_from(&line).is_ok(), "{line:?}");
        line[1..].iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_tool_runs_what_its_table_says() {
        for (asked, line) in [
            ("memory-query", "memory query '--text-query=agents memory' --limit=5 --json"),
            (
                "memory-query --text-query -x --limit 0 --json --json-output o.json --check-contract",
                "memory query --text-query=-x --limit=0 --json --json-output=o.json --check-contract",
            ),
            ("memory-replay-query", "memory replay-query '--text-query=agents memory' --limit=5 --json"),
            (
                "memory-replay-query --db-path= --json-input i.json",
                "memory replay-query --db-path= --json-input=i.json '--text-query=agents memory' --limit=5 --json",
            ),
            ("memory-replay-smoke --explorer-result x.json --json", "memory replay-smoke --explorer-result x.json --json"),
            ("memory-replay-latest", "memory replay-latest"),
            (
                "memory-replay-latest --json-path a.json --search-root b --search-root c --json --require-contract",
                "memory replay-latest --json-path=a.json --search-root=b --search-root=c --json --check-contract",
            ),
            ("latest-artifacts --retention-max-age-days 2", "artifacts index --retention-max-age-days=2"),
            (
                "latest-artifacts --retention-max-age-days 2 --retention-max-age-seconds 0.5 --json",
                "artifacts index --retention-max-age-seconds=0.5 --json",
            ),
            ("latest-artifacts --retention-max-age-days -1 --retention-max-age-seconds 0", "artifacts index"),
            ("latest-artifacts-cleanup --dry-run", "artifacts cleanup --dry-run"),
            (
                "latest-artifacts-cleanup --artifacts-root r --execute-delete-local-artifacts --check-contract",
                "artifacts cleanup --artifacts-root=r --check-contract --execute-delete-local-artifacts",
            ),
        ] {
            assert_eq!(line_of(asked), line, "{asked}");
        }
    }
}
