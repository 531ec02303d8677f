//! `memory`: asks evidence memory, replays what was recorded, checks results. A module a verb.

mod check;
mod latest;
mod query;
mod replay;
mod smoke;
#[cfg(feature = "explore")]
mod smoke_loop;

use super::exit::Trouble;
use super::{Exit, World};
use crate::edge::records;
use crate::landing::row::is_unprintable;
use crate::memory::Filters;
use crate::memory::value::{clean, field, float_text, list, num};
#[cfg(feature = "explore")]
pub(super) use check::read_text;
use clap::{Args, Subcommand};
use serde_json::Value as Json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The commands of `memory`.
#[derive(Debug, Subcommand)]
pub enum MemoryCommand {
    /// Ask the evidence of the latest run; nothing is fetched
    Query(query::QueryArguments),
    /// Take recorded explorer evidence through ingestion, catalog and query again
    ReplayQuery(replay::ReplayQueryArguments),
    /// Take an explorer loop, recorded or run now, to an answered query, each result held to its contract
    ReplaySmoke(Box<smoke::ReplaySmokeArguments>),
    /// Say what the latest replay smoke artifact holds
    ReplayLatest(latest::ReplayLatestArguments),
    /// Check a query result against its contract
    CheckQuery(check::FileArguments),
    /// Check a replay smoke result against its contract
    CheckSmoke(check::FileArguments),
}

pub(super) fn run(command: &MemoryCommand, world: &mut World<'_>) -> Result<Exit, Trouble> {
    match command {
        MemoryCommand::Query(arguments) => query::run(arguments, world),
        MemoryCommand::ReplayQuery(arguments) => replay::run(arguments, world),
        MemoryCommand::ReplaySmoke(arguments) => smoke::run(arguments, world),
        MemoryCommand::ReplayLatest(arguments) => latest::run(arguments, world),
        MemoryCommand::CheckQuery(arguments) => check::run(arguments, &check::QUERY, world),
        MemoryCommand::CheckSmoke(arguments) => check::run(arguments, &check::SMOKE, world),
    }
}

/// What a query asks for, on the command line.
#[derive(Debug, Args)]
struct FilterArguments {
    /// Only this domain, in any case
    #[arg(long, value_name = "DOMAIN", default_value = "")]
    domain: String,
    /// Only this category
    #[arg(long, alias = "evidence-category", value_name = "CATEGORY", default_value = "")]
    category: String,
    /// Only what has this tag; repeat for more
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Only what has each of these words
    #[arg(long, value_name = "TEXT", default_value = "")]
    text_query: String,
    /// The least ranking score
    #[arg(long, value_name = "SCORE", default_value = "0.0", value_parser = score)]
    min_ranking_score: f64,
    /// The most results; 0 counts and returns none
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: u64,
    /// The most items named on top of the catalog
    #[arg(long, value_name = "N", default_value_t = 100)]
    top_items_limit: u64,
}

fn score(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|score: &f64| score.is_finite()).ok_or_else(|| "a finite number is meant".to_owned())
}

impl FilterArguments {
    fn filters(&self) -> Filters {
        let said = serde_json::json!({
            "domain": self.domain, "evidence_category": self.category, "topic_tags": self.tag, "text_query": self.text_query,
            "min_ranking_score": self.min_ranking_score, "limit": self.limit,
        });
        Filters::from_json(&said)
    }
}

/// Where a result goes.
#[derive(Debug, Args)]
struct ResultArguments {
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Write the result as JSON
    #[arg(long, value_name = "FILE")]
    json_output: Option<PathBuf>,
    /// Exit with 1 unless the result keeps its contract
    #[arg(long)]
    check_contract: bool,
}

impl ResultArguments {
    /// Gives out a query result. With a contract to check, nothing is given out that breaks it.
    fn give(&self, result: &Json, world: &mut World<'_>) -> Result<Exit, Trouble> {
        if self.check_contract && !check::holds(&check::QUERY, result, world)? {
            return Ok(Exit::Blocked);
        }
        if let Some(path) = &self.json_output {
            write_json(&world.at(path), result)?;
        }
        if self.json {
            write!(world.out, "{}", crate::json::to_canonical_text(result))?;
        } else {
            say(result, world.out)?;
        }
        if self.check_contract {
            writeln!(world.out, "{}", check::QUERY.fine)?;
        }
        Ok(Exit::Pass)
    }
}

/// Writes a file of JSON, with the folders above it.
pub(super) fn write_json(path: &Path, value: &Json) -> Result<(), Trouble> {
    records::write_one(path, &crate::json::to_canonical_text(value))
        .map_err(|error| Trouble::Failed(format!("could not write {}: {error}", super::shipped::printable(path))))
}

/// Several lines of text as they may be printed.
#[cfg(feature = "explore")]
fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

/// A text of a result as it may be printed.
pub(super) fn printable(text: &str) -> String {
    text.replace(is_unprintable, "?")
}

/// A query result for people.
fn say(result: &Json, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "memory evidence query")?;
    for (name, label) in [("catalog_item_count", "catalog items"), ("matched_count", "matched"), ("result_count", "returned")] {
        writeln!(out, "  {label}: {}", field(result, name))?;
    }
    let results = list(field(result, "results"));
    if results.is_empty() {
        return writeln!(out, "  results: none");
    }
    for item in results {
        let said = |name: &str| printable(&clean(field(item, name)));
        let ranking = float_text(num(field(item, "ranking_score"), 0.0));
        writeln!(out, "  {ranking} {} {} {}", said("domain"), said("evidence_category"), said("url"))?;
        writeln!(out, "    {}", crate::memory::value::cut(&said("summary"), 220))?;
    }
    Ok(())
}
