//! `memory check-query` and `memory check-smoke`: a result of a file against its contract.

use super::super::exit::Trouble;
use super::super::shipped::printable as printable_path;
use super::super::{Exit, World};
use super::printable;
use crate::corpus::case::CONTROL_LIMIT;
use crate::edge::disk;
use crate::json::{Place, parse};
use crate::landing::rule::InputState;
use crate::ledger::record::owned;
use crate::memory::{query_contract, smoke_contract};
use clap::Args;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// Arguments of a check of one file.
#[derive(Debug, Args)]
pub struct FileArguments {
    /// The result, as JSON
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// A contract, and how its check speaks.
pub(super) struct Contract {
    check: fn(&Json) -> Vec<String>,
    pub(super) fine: &'static str,
    failed: &'static str,
}

pub(super) const QUERY: Contract = Contract {
    check: query_contract::check,
    fine: "\u{2705} memory evidence query contract OK",
    failed: "memory evidence query contract failed:",
};

pub(super) const SMOKE: Contract = Contract {
    check: smoke_contract::check,
    fine: "\u{2705} explorer memory replay smoke contract OK",
    failed: "explorer memory replay smoke contract failed:",
};

/// Whether `result` keeps the contract; what it breaks is said on standard error.
pub(super) fn holds(contract: &Contract, result: &Json, world: &mut World<'_>) -> Result<bool, Trouble> {
    let reasons = (contract.check)(result);
    if !reasons.is_empty() {
        writeln!(world.err, "{}", contract.failed)?;
        for reason in &reasons {
            writeln!(world.err, "- {}", printable(reason))?;
        }
    }
    Ok(reasons.is_empty())
}

/// Reads a file that the caller named; what it says when it was read and refused.
pub(in crate::cli) fn read_text(path: &Path) -> Result<Result<Vec<u8>, String>, Trouble> {
    let named = printable_path(path);
    let bytes = match disk::read_file(path, CONTROL_LIMIT) {
        Ok(bytes) => bytes,
        Err(InputState::Absent | InputState::Unreadable) => return Err(Trouble::Failed(format!("{named} is not there or cannot be read"))),
        Err(_) => return Ok(Err(format!("{named} is no regular file"))),
    };
    if bytes.len() > CONTROL_LIMIT {
        return Ok(Err(format!("{named} has more than {CONTROL_LIMIT} bytes")));
    }
    Ok(Ok(bytes))
}

/// Reads a file of JSON that the caller named; what it says when it was read and refused.
pub(super) fn read_json(path: &Path) -> Result<Result<Json, String>, Trouble> {
    let named = printable_path(path);
    let bytes = match read_text(path)? {
        Ok(bytes) => bytes,
        Err(why) => return Ok(Err(why)),
    };
    Ok(match parse(&bytes) {
        Ok(value) => Ok(owned(&value)),
        Err(fault) => Err(format!("{named} is no JSON: {} at {}", fault.describe(), Place::in_text(&bytes, fault.offset))),
    })
}

pub(super) fn run(arguments: &FileArguments, contract: &Contract, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let result = match read_json(&world.at(&arguments.file))? {
        Ok(result) if result.is_object() => result,
        Ok(_) => return refused("the result is no object", contract, world),
        Err(why) => return refused(&why, contract, world),
    };
    if !holds(contract, &result, world)? {
        return Ok(Exit::Blocked);
    }
    writeln!(world.out, "{}", contract.fine)?;
    Ok(Exit::Pass)
}

fn refused(why: &str, contract: &Contract, world: &mut World<'_>) -> Result<Exit, Trouble> {
    writeln!(world.err, "{}\n- {why}", contract.failed)?;
    Ok(Exit::Blocked)
}
