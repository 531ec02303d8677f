//! `check`: judges single inputs, one JSON object a line.

use super::exit::Trouble;
use super::shipped::open;
use super::{CheckArguments, Exit, Format, World, check_memory, report};
use crate::contract::execution_readiness::{self, ATTEMPT_LEFT_OPEN, ReadinessOptions};
use crate::contract::{self, trail::Filters};
use crate::corpus::case::CONTROL_LIMIT;
use crate::corpus::faults::CorpusFault;
use crate::corpus::input::{Judged, Kind, judge_bytes, judge_input};
use crate::edge::disk;
use crate::finding::{Finding, Support};
use crate::json::{Fault, FaultKind, Place, Reader, Value, parse};
use crate::landing::judge::{INPUT_CASE, ROW_CASE, RuleSet};
use crate::landing::shard::Shard;
use crate::landing::table::{ROW_LIMIT, read_row_text};
use crate::landing::{build, policy, runs};
use crate::stream::lines::Line;
use crate::stream::spread::each_line_spread;
use crate::stream::with_blocks;
use clap::ValueEnum;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::Path;

/// What an input of `check` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InputKind {
    /// A run row
    Row,
    /// A whole run table, duplicates included
    Runs,
    /// A landing policy
    Policy,
    /// A projection protocol
    Protocol,
    /// A bundle folder: manifest and copied bodies
    Manifest,
    /// Any bytes: strict reading only
    Json,
    /// The input of a case of kind `corpus`
    Corpus,
    /// A loop record: valid or not, severity, reasons
    Record,
    /// A trail of loop records: `{"records": [...], "filters"?: {...}, "options"?: {...}}`
    Trail,
    /// A judgement of evidence memory or artifacts: `{"area": ..., "input": {"op": ..., ...}}`
    Memory,
    /// A command that a controlled run may name: `{"command": "..."}`
    Command,
}

/// One line of output.
#[derive(Debug)]
pub(super) struct Answer {
    index: u64,
    subject: String,
    status: &'static str,
    support: Support,
    codes: Vec<String>,
    /// The first thousand.
    findings: Vec<Finding>,
    /// All of them.
    finding_count: u64,
    faults: Vec<CorpusFault>,
    /// What a kind answers besides.
    pub(super) besides: serde_json::Map<String, serde_json::Value>,
    /// The keys of a readiness report; too many for a screen, so only JSON has them.
    report: serde_json::Map<String, serde_json::Value>,
}

impl Answer {
    /// The answer for a record.
    fn of_record(index: u64, record: &Value<'_>) -> Self {
        let verdict = contract::check::check(record);
        let subject = record.get("type").and_then(Value::as_str);
        let mut answer = Self::new(index, policy::shown(subject, || "record".to_owned()), Judged::default());
        if !verdict.valid {
            answer.refuse(verdict.reasons.iter().cloned());
        }
        answer.besides.insert("valid".to_owned(), verdict.valid.into());
        answer.besides.insert("severity".to_owned(), serde_json::json!(verdict.severity));
        answer.besides.insert("reasons".to_owned(), verdict.reasons.into());
        answer
    }

    /// The answer for a command.
    fn of_command(index: u64, input: &Value<'_>) -> Self {
        let parsed = contract::allowlist::parse(&contract::value::text(input.get("command")));
        let mut answer = Self::new(index, "command".to_owned(), Judged::default());
        let accepted = parsed.accepted();
        answer.refuse(parsed.reasons.iter().cloned());
        for (key, value) in [("parse_valid", accepted.into()), ("allowlisted", accepted.into()), ("reasons", parsed.reasons.into())] {
            answer.besides.insert(key.to_owned(), value);
        }
        answer
    }

    /// The answer for a trail.
    fn of_trail(index: u64, trail: &Value<'_>) -> Self {
        let mut answer = Self::new(index, "trail".to_owned(), Judged::default());
        let Some(records) = trail.get("records").and_then(Value::elements) else {
            answer.refuse(["trail_without_records".to_owned()]);
            return answer;
        };
        let within = |object: &str, key: &str| trail.get(object).and_then(|object| object.get(key)).and_then(Value::as_str);
        let filter = |key: &str| within("filters", key).or_else(|| within("options", key));
        let filters = Filters { proposal_id: filter("proposal_id"), approval_id: filter("approval_id"), plan_id: filter("plan_id") };
        let stages = contract::trail::stages(records, &filters);
        answer.refuse(stages.missing.iter().map(|stage| format!("missing_{stage}")));
        // Readiness knows one filter only; with another its score would be of something else.
        let ready = (filters.approval_id.is_none() && filters.plan_id.is_none())
            .then(|| crate::governance::readiness::readiness(records, filters.proposal_id));
        let required = trail.get("options").and_then(|options| options.get("require_operator_authorized"));
        let options = ReadinessOptions {
            proposal_id: filters.proposal_id,
            rendered_command_id: filter("rendered_command_id"),
            // Anything but a plain no asks for the operator.
            require_operator_authorized: contract::value::is_set(required),
            ..ReadinessOptions::default()
        };
        let report = execution_readiness::report(records, &options);
        // A trail that is given options asks whether it is ready; else only a start without an end refuses it.
        let asked = trail.get("options").is_some();
        answer.refuse(report.failed().into_iter().filter(|name| asked || *name == ATTEMPT_LEFT_OPEN).map(str::to_owned));
        answer.besides.insert("blocking_reasons".to_owned(), report.keys["blocking_reasons"].clone());
        answer.report = report.keys;
        if !asked {
            // Whether the trail is refused is then the answer's own status.
            answer.report.remove("status");
        }
        answer.besides.insert("chain_complete".to_owned(), stages.complete().into());
        answer.besides.insert("missing_stages".to_owned(), stages.missing.into());
        answer.besides.insert("counts".to_owned(), serde_json::json!(stages.counts));
        answer.besides.insert("readiness_score".to_owned(), serde_json::json!(ready.as_ref().map(|ready| ready.score)));
        if let Some(ready) = ready {
            answer.besides.insert("readiness_failed_checks".to_owned(), ready.failed.into());
        }
        answer
    }

    /// Refuses for these reasons, if there are any.
    pub(super) fn refuse(&mut self, codes: impl IntoIterator<Item = String>) {
        let mut codes = codes.into_iter().peekable();
        if codes.peek().is_none() {
            return;
        }
        self.status = "blocked";
        self.support = self.support.max(Support::NotShown);
        self.codes.extend(codes);
        self.codes.sort();
        self.codes.dedup();
    }

    pub(super) fn new(index: u64, subject: String, judged: Judged) -> Self {
        let codes: Vec<_> = judged.codes().into_iter().map(|code| code.as_str().to_owned()).collect();
        let status = if codes.is_empty() { "pass" } else { "blocked" };
        let of_faults = if judged.faults.is_empty() { Support::Supported } else { Support::NotShown };
        let support = judged.findings.worst().max(of_faults);
        let finding_count = judged.findings.total();
        Self {
            index,
            subject,
            status,
            support,
            codes,
            finding_count,
            findings: judged.findings.into_sorted(),
            faults: judged.faults,
            besides: serde_json::Map::new(),
            report: serde_json::Map::new(),
        }
    }

    /// The answer's members by their names; what a kind answers wins over a report.
    fn members(&self) -> io::Result<BTreeMap<&str, Member<'_>>> {
        let json = |value: serde_json::Result<serde_json::Value>| value.map(Member::Made).map_err(io::Error::other);
        let mut members = BTreeMap::from([
            ("codes", Member::Texts(&self.codes)),
            ("finding_count", Member::Number(self.finding_count)),
            ("findings", json(serde_json::to_value(&self.findings))?),
            ("index", Member::Number(self.index)),
            ("status", Member::Text(self.status)),
            ("subject", Member::Text(&self.subject)),
            ("support", Member::Support(self.support)),
        ]);
        if !self.faults.is_empty() {
            members.insert("faults", json(serde_json::to_value(&self.faults))?);
        }
        members.extend(self.report.iter().chain(&self.besides).map(|(name, value)| (name.as_str(), Member::Json(value))));
        Ok(members)
    }

    fn print(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        if format == Format::Json {
            return writeln!(out, "{}", crate::json::ordered_to_line(&self.members()?));
        }
        writeln!(out, "{} {}: {}", self.index, self.subject, report::word(self.status))?;
        report::findings(&self.findings.iter().collect::<Vec<_>>(), self.finding_count, out)?;
        report::faults(&self.faults, out)?;
        for (name, value) in &self.besides {
            writeln!(out, "    {name}: {value}")?;
        }
        Ok(())
    }
}

/// A member of an answer, as it is written.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Member<'a> {
    Text(&'a str),
    Texts(&'a [String]),
    Number(u64),
    Support(Support),
    Json(&'a serde_json::Value),
    Made(serde_json::Value),
}

/// The answers of a stretch of lines, and whether all of them are green.
#[derive(Debug)]
struct Answers {
    text: Vec<u8>,
    green: bool,
}

impl Default for Answers {
    fn default() -> Self {
        Self { text: Vec::new(), green: true }
    }
}

pub(super) fn run(arguments: &CheckArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let rules = RuleSet::all();
    if arguments.kind == InputKind::Manifest {
        if arguments.jsonl {
            return Err(Trouble::Usage("a manifest is judged with its bundle folder; --jsonl has no meaning for it".to_owned()));
        }
        let folder = open(&world.at(&arguments.file), "bundle")?;
        let (findings, _) = build::judge_bundle_folder(&folder, &rules);
        return finish(&Answer::new(0, "source_module_manifest".to_owned(), findings.into()), arguments, world);
    }
    let standard = arguments.file.as_os_str() == "-";
    let path = world.at(&arguments.file);
    if arguments.jsonl || arguments.kind == InputKind::Runs {
        if standard {
            return streamed(stream(arguments, &rules, &mut *world.input, world.out), world.err);
        }
        return match disk::open_file(&path) {
            Ok(file) => streamed(stream(arguments, &rules, file, world.out), world.err),
            Err(state) => finish(&unreadable(state, &arguments.file, &rules), arguments, world),
        };
    }
    let limit = if arguments.kind == InputKind::Row { ROW_LIMIT } else { CONTROL_LIMIT };
    let bytes = if standard {
        let mut bytes = Vec::new();
        (&mut *world.input).take(limit as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    } else {
        disk::read_file(&path, limit)
    };
    match bytes {
        Err(state) => finish(&unreadable(state, &arguments.file, &rules), arguments, world),
        Ok(bytes) if bytes.is_empty() && arguments.kind != InputKind::Json => {
            writeln!(world.err, "landfall: the input is empty; nothing was judged")?;
            Ok(Exit::NothingSelected)
        }
        Ok(bytes) => finish(&answer(arguments.kind, 0, &bytes, limit, &rules), arguments, world),
    }
}

fn unreadable(state: crate::landing::rule::InputState, file: &Path, rules: &RuleSet) -> Answer {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
    let shown = policy::shown(name.as_deref(), || "input".to_owned());
    let findings = rules.input_findings(state, &shown);
    Answer::new(0, shown, findings.into())
}

fn finish(answer: &Answer, arguments: &CheckArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    answer.print(arguments.format, world.out)?;
    Ok(exit_of(answer.codes.is_empty()))
}

fn exit_of(green: bool) -> Exit {
    if green { Exit::Pass } else { Exit::Blocked }
}

/// Says why nothing was judged, if nothing was.
fn streamed(ended: Result<Exit, Trouble>, err: &mut dyn Write) -> Result<Exit, Trouble> {
    if matches!(ended, Ok(Exit::NothingSelected)) {
        writeln!(err, "landfall: the input holds nothing to judge")?;
    }
    ended
}

/// Judges a stream: a run table, or one input a line.
fn stream(arguments: &CheckArguments, rules: &RuleSet, input: impl Read + Send, out: &mut dyn Write) -> Result<Exit, Trouble> {
    if arguments.kind == InputKind::Runs {
        let (outcome, digested) = with_blocks(input, |blocks| {
            if arguments.jsonl {
                runs::judge_line_blocks(blocks, rules, Shard::WHOLE)
            } else {
                runs::judge_blocks(blocks, rules, "runs", Shard::WHOLE)
            }
        })?;
        if digested.size == 0 {
            return Ok(Exit::NothingSelected);
        }
        let answer = Answer::new(0, "work_landing_runs".to_owned(), outcome.all_findings().into());
        answer.print(arguments.format, out)?;
        return Ok(exit_of(answer.codes.is_empty()));
    }
    let limit = if arguments.kind == InputKind::Row { ROW_LIMIT } else { crate::stream::blocks::HEADROOM - 1 };
    let judge = |answers: &mut Answers, index: u64, line: Line<'_>| {
        let answer = match line {
            Line::Text(bytes) => answer(arguments.kind, index, bytes, limit, rules),
            Line::TooLong => too_long(index, limit, rules),
        };
        answers.green &= answer.codes.is_empty();
        answer.print(arguments.format, &mut answers.text).expect("a vector takes every write, and an answer is JSON");
    };
    let mut green = true;
    let take = |answers: Answers| {
        green &= answers.green;
        out.write_all(&answers.text)
    };
    let (lines, _) = with_blocks(input, |blocks| each_line_spread(blocks, limit, judge, take))?;
    Ok(if lines == 0 { Exit::NothingSelected } else { exit_of(green) })
}

fn too_long(index: u64, limit: usize, rules: &RuleSet) -> Answer {
    let fault = Fault { kind: FaultKind::TooLarge(limit), offset: limit };
    of_fault(index, &fault, &[], rules)
}

fn of_fault(index: u64, fault: &Fault, bytes: &[u8], rules: &RuleSet) -> Answer {
    let shown = format!("row[{index}]");
    let findings = rules.text_findings(fault, Place::in_text(bytes, fault.offset), INPUT_CASE, "input_file", &shown);
    Answer::new(index, shown, findings.into())
}

/// Judges one input.
fn answer(kind: InputKind, index: u64, bytes: &[u8], limit: usize, rules: &RuleSet) -> Answer {
    let read = |judge: &dyn Fn(&Value<'_>) -> Answer| {
        if bytes.len() > limit {
            return too_long(index, limit, rules);
        }
        match parse(bytes) {
            Ok(value) => judge(&value),
            Err(fault) => of_fault(index, &fault, bytes, rules),
        }
    };
    let value = |kind: Kind, name: fn(&Value<'_>) -> String| {
        read(&|value| Answer::new(index, name(value), judge_input(kind, value, rules, ROW_CASE)))
    };
    match kind {
        InputKind::Row => match read_row_text(&mut Reader::new(), bytes) {
            Ok(row) => Answer::new(index, row.shown_id(index), rules.row_findings(&row, index, ROW_CASE).into()),
            Err(fault) => of_fault(index, &fault, bytes, rules),
        },
        InputKind::Policy => value(Kind::Policy, |value| policy::Policy::from_value(value).shown_id()),
        InputKind::Protocol => value(Kind::Protocol, |value| crate::landing::protocol::Protocol::from_value(value).shown_id()),
        InputKind::Json => Answer::new(index, "input".to_owned(), judge_bytes(bytes, rules, "input").into()),
        InputKind::Corpus => value(Kind::Corpus, |_| "corpus".to_owned()),
        InputKind::Record => read(&|record| Answer::of_record(index, record)),
        InputKind::Command => read(&|command| Answer::of_command(index, command)),
        InputKind::Trail => read(&|trail| Answer::of_trail(index, trail)),
        InputKind::Memory => read(&|question| check_memory::answer(index, question)),
        InputKind::Runs | InputKind::Manifest => unreachable!("streams and folders are judged before"),
    }
}
