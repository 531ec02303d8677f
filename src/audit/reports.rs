//! Reports beside a session: the run that wrote one is shown by it.

use super::history::{History, Run, Verdict};
use super::judgement::Spot;
use crate::evidence::summary::Shown;
use crate::evidence::{EvidenceFile, Report};
use crate::import::shell::program::base;
use crate::import::{Event, TouchKind};

fn verdict(report: &Report) -> Verdict {
    match report.shown {
        Some(Shown::Passed) => Verdict::Passed,
        Some(Shown::Failed) => Verdict::Failed,
        Some(Shown::Vacuous) => Verdict::Vacuous,
        Some(Shown::Cached) => Verdict::Cached,
        Some(Shown::Mixed) | None => Verdict::Unknown { masked: false },
    }
}

/// Takes a report in: it belongs to the last run that names it, else to its own time.
pub(super) fn take(history: &mut History<'_>, index: usize, file: &EvidenceFile, report: &Report) {
    let edited = history
        .touches
        .iter()
        .filter(|touch| touch.kind != TouchKind::Delete && base(&touch.path) == file.name)
        .map(|touch| touch.began)
        .max();
    let events = &history.timeline.events;
    let producer = events.iter().enumerate().rev().find_map(|(event, each)| match each {
        Event::Command(command)
            if !command.shell.reads_only && (command.shell.names.contains(&file.name) || command.shell.outputs.contains(&file.name)) =>
        {
            // Git names files without writing them.
            let lands = command.shell.test.is_none() && (command.shell.commit.is_some() || command.shell.push.is_some());
            (!lands).then_some((event, command))
        }
        _ => None,
    });
    if edited.is_some_and(|edited| producer.is_none_or(|(_, command)| command.began < edited)) {
        history.backfilled.push(index);
        return;
    }
    let spot = Spot::Beside(index);
    if let Some((event, command)) = producer {
        if let Some(run) = history.tests.iter_mut().find(|run| run.event == event) {
            if run.verdict == Verdict::NotRun {
                return;
            }
            let shown = verdict(report);
            let disputed =
                run.summed && matches!((run.verdict, shown), (Verdict::Passed, Verdict::Failed) | (Verdict::Failed, Verdict::Passed));
            run.disputed |= disputed || report.inconsistent;
            if disputed {
                run.verdict = Verdict::Unknown { masked: false };
            } else if !run.summed {
                run.verdict = shown;
                run.counts = report.counts;
            }
            run.subset |= report.counts.filtered > 0;
            run.spot = spot;
        } else {
            let ended = command.ended.unwrap_or(command.began);
            history.tests.push(of_report(report, spot, command.began, ended, event));
        }
        return;
    }
    // A report that no command names is placed by the time inside it.
    let Some(at) = report.at else { return };
    let inside =
        history.timeline.started.is_some_and(|started| started <= at) && history.timeline.ended.is_some_and(|ended| at <= ended + 1000);
    let position = events.iter().rev().find_map(|each| {
        let (began, time) = match each {
            Event::Command(command) => (command.began, command.times.0),
            Event::Write(write) => (write.began, write.at),
            Event::Touch(touch) => (touch.began, touch.at),
            Event::Statement(statement) => (statement.began, statement.at),
        };
        time.filter(|time| *time <= at).map(|_| began)
    });
    if inside && let Some(position) = position {
        history.tests.push(of_report(report, spot, position, position, usize::MAX));
    }
}

fn of_report(report: &Report, spot: Spot, began: u64, ended: u64, event: usize) -> Run {
    Run {
        began,
        ended,
        spot,
        verdict: verdict(report),
        subset: report.counts.filtered > 0,
        counts: report.counts,
        key: 0,
        summed: false,
        failing_files: Vec::new(),
        failing_tests: Vec::new(),
        target: None,
        asked: None,
        disputed: report.inconsistent,
        event,
    }
}
