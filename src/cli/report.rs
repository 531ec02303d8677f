//! Records as people read them. Everything here is rendered from a record, so both say the same.

use crate::corpus::faults::CorpusFault;
use crate::finding::Finding;
use crate::landing::build::FixtureRun;
use crate::landing::record::ResultRecord;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

const GREEN: Style = AnsiColor::Green.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const BOLD: Style = Style::new().bold();

/// The most findings that are printed; the record has the rest.
const SHOWN: usize = 20;

/// The verdict word in its colour.
pub(super) fn word(status: &str) -> String {
    let style = if status == "pass" { GREEN } else { RED };
    format!("{style}{status}{style:#}")
}

/// The board of a fixture, and why it is blocked if it is.
pub(super) fn fixture(run: &FixtureRun, out: &mut dyn Write) -> io::Result<()> {
    let result = &run.result;
    writeln!(out, "fixture: {}", word(&result.status))?;
    let count = |id: &str| run.board.mechanics.iter().find(|mechanic| mechanic.mechanic_id == id).map_or(0, |mechanic| mechanic.count);
    let supported = |count: u64, all: u64| if count == all { format!("{count}") } else { format!("{count} supported of {all} claimed") };
    let rows = [
        ("claimed rows", supported(count("claim_before_mutation"), result.run_count)),
        ("landed-commit rows", supported(count("head_advance_before_landed_commit_language"), result.landed_commit_count)),
        (
            "validation before the commit attempt",
            format!("{} of {}", count("validation_before_commit_attempt"), result.validation_order_required_count),
        ),
        ("metadata-blocked rows", supported(count("metadata_blocked_patch_bundle"), result.metadata_blocked_count)),
    ];
    for (name, value) in rows {
        writeln!(out, "  {name:<38}{value}")?;
    }
    let expected = result.expected_negative_cases.len();
    writeln!(out, "  {:<38}{} of {expected} caught", "broken cases of the floor", expected - result.missing_negative_cases.len())?;
    let further = &result.further_cases;
    writeln!(out, "  {:<38}{} of {} caught", "further broken cases", further.accepted.len(), further.expected.len())?;
    checked(result, out)?;
    why(result, out)
}

/// The verdict on a bundle, and why it is blocked if it is.
pub(super) fn bundle(result: &ResultRecord, out: &mut dyn Write) -> io::Result<()> {
    let reused = if result.receipt_reused { " (fresh prior record)" } else { "" };
    writeln!(out, "bundle: {}{reused}", word(&result.status))?;
    let modules = &result.source_module_imports;
    writeln!(out, "  {:<38}{} of {} verified", "copied modules", result.body_copied_material_count, modules.module_count)?;
    writeln!(out, "  {:<38}{}", "claimed rows", result.run_count)?;
    checked(result, out)?;
    why(result, out)
}

fn checked(result: &ResultRecord, out: &mut dyn Write) -> io::Result<()> {
    let basis = &result.freshness_basis;
    let all = basis.input_count + basis.missing_path_count;
    writeln!(out, "  {:<38}{} of {all}", "input files checked", basis.input_count)
}

fn why(result: &ResultRecord, out: &mut dyn Write) -> io::Result<()> {
    if result.status == "pass" {
        return Ok(());
    }
    let blocking = result.blocking_findings();
    findings(&blocking, result.blocking_finding_count, out)?;
    for hit in result.secret_exclusion_scan.hits.iter().filter(|hit| !hit.expected_negative_case).take(SHOWN) {
        writeln!(out, "  {RED}hit{RED:#} {} in {}: {}", hit.term_id, hit.path, hit.remediation)?;
    }
    Ok(())
}

/// Findings, one a paragraph, with the next step.
pub(super) fn findings(findings: &[&Finding], total: u64, out: &mut dyn Write) -> io::Result<()> {
    for finding in findings.iter().take(SHOWN) {
        writeln!(out, "  {RED}{}{RED:#} {BOLD}{}{BOLD:#} ({})", finding.error_code, finding.subject_id, finding.support.as_str())?;
        writeln!(out, "    {}", finding.message)?;
    }
    let shown = findings.len().min(SHOWN) as u64;
    if total > shown {
        writeln!(out, "  and {} more; the result record lists the first thousand", total - shown)?;
    }
    if let Some(first) = findings.first() {
        writeln!(out, "  help: landfall explain {}", first.error_code.slug())?;
    }
    Ok(())
}

/// Faults of a corpus, one a paragraph.
pub(super) fn faults(faults: &[CorpusFault], out: &mut dyn Write) -> io::Result<()> {
    for fault in faults {
        writeln!(out, "  {RED}{}{RED:#} {BOLD}{}{BOLD:#}", fault.code, fault.place)?;
        for line in fault.message.lines() {
            writeln!(out, "    {line}")?;
        }
    }
    if let Some(first) = faults.first() {
        writeln!(out, "  help: landfall explain {}", first.code.slug())?;
    }
    Ok(())
}
