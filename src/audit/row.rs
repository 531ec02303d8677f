//! From a timeline to a landing row: what was claimed of the commit, and for each fact of it what was found out.
//!
//! A field that nothing shows is absent. `false` for an act is written only when the whole record was read and shows
//! none. Nothing is copied from one field into another, and nothing private is in a row.

use super::facts::{Facts, Validated};
use super::history::{Act, History};
use super::record::without_names;
use crate::claims::Kind;
use crate::evidence::{Evidence, EvidenceFile, Happened};
use crate::import::{Format, Timeline};
use crate::landing::row::{BLOCKED, LANDED, STOPPED};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The row of a session; `None` where it neither claims a commit nor was refused one.
pub fn landing_row(format: Format, timeline: &Timeline, evidence: &[EvidenceFile]) -> Option<Value> {
    let history = History::of(timeline, evidence);
    let facts = Facts::of(&history)?;
    let shown = |text: &str| without_names(text, &timeline.private);
    let mut row = Map::new();
    let session = timeline.files.first().map_or("session", String::as_str);
    put(&mut row, "run_id", json!(shown(session.trim_end_matches(".jsonl").trim_end_matches(".json"))));
    let status = if facts.claimed {
        LANDED
    } else if facts.stopped {
        STOPPED
    } else {
        BLOCKED
    };
    put(&mut row, "landing_status", json!(status));
    put(&mut row, "commit_claimed_landed", json!(facts.claimed));
    put(&mut row, "head_before", json!(facts.head_before));
    put(&mut row, "head_after", json!(facts.head_after));
    put(&mut row, "head_before_is_ancestor", json!(facts.ancestor.filter(|_| facts.claimed)));
    if let Some(target) = &facts.target {
        put(&mut row, "target_ref", json!(shown(&target.name)));
        put(&mut row, "target_ref_before", json!(target.before));
        put(&mut row, "target_ref_after", json!(target.after));
    }
    put(&mut row, "claimed_path_refs", json!(facts.claimed_paths.iter().map(|path| shown(path)).collect::<Vec<_>>()));
    let place = |spot: &super::judgement::Spot| match spot {
        super::judgement::Spot::Session(place) => format!("{}#L{}", shown(&timeline.files[place.file as usize]), place.line),
        super::judgement::Spot::Beside(file) => shown(&evidence[*file].shown),
    };
    if let Some(run) = &facts.validation {
        let named = place(&run.spot);
        put(&mut row, "validation_refs", json!([named]));
        let mut outcome = Map::new();
        put(&mut outcome, "ref", json!(named));
        put(&mut outcome, "exit_code", json!(run.exit_code));
        if run.executed.is_some() {
            put(&mut outcome, "passed", json!(run.counts.passed));
            put(&mut outcome, "failed", json!(run.counts.failed));
        }
        let passed = (run.result == Validated::Passed).then_some("passed").or((run.result == Validated::Failed).then_some("failed"));
        put(&mut outcome, "result", json!(passed));
        put(&mut outcome, "recorded_by", json!(format.as_str()));
        put(&mut outcome, "producing_command", json!(run.name));
        put(&mut row, "validation_outcomes", json!([outcome]));
    }
    put(&mut row, "validation_precedes_commit_attempt", json!(facts.precedes));
    put(&mut row, "unrelated_dirty_paths_staged", json!(facts.strangers));
    put(&mut row, "blocker_capture_ref", json!(facts.capture.as_ref().map(|path| shown(path))));
    let closed = evidence.iter().find(|file| matches!(file.evidence, Evidence::Tracker(closed, all) if all > 0 && closed == all));
    put(&mut row, "work_ledger_closeout_ref", json!(closed.map(|file| shown(&file.shown))));
    put(&mut row, "release_claim_authorized", json!(released(&history, facts.whole)));
    put(&mut row, "live_git_mutation_authorized", json!(forced(timeline, facts.whole)));
    let counts = timeline.counts;
    let read = json!({"records": counts.records, "unknown": counts.unknown, "malformed": counts.malformed,
        "duplicates": counts.duplicates, "over_limits": counts.over_limits});
    put(&mut row, "import_counts", read);
    put(&mut row, "evidence", json!(block(&facts, &place, &shown, evidence)));
    Some(Value::Object(row))
}

/// Adds what there is: null, and a list or an object without anything in it, say nothing.
fn put(into: &mut Map<String, Value>, key: &str, value: Value) {
    let says = match &value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    };
    if says {
        into.insert(key.to_owned(), value);
    }
}

/// The eight facts, each as deep as it goes.
fn block(
    facts: &Facts,
    place: &dyn Fn(&super::judgement::Spot) -> String,
    shown: &dyn Fn(&str) -> String,
    evidence: &[EvidenceFile],
) -> Map<String, Value> {
    let mut block = Map::new();
    let mut fact = |name: &str, depth: &str, members: Vec<(&str, Value)>| {
        let mut fact = Map::from_iter([("depth".to_owned(), json!(depth))]);
        // An empty list says something here: a commit of no path.
        fact.extend(members.into_iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.to_owned(), value)));
        block.insert(name.to_owned(), Value::Object(fact));
    };
    // Names of files are what somebody wrote, as all of the record is.
    let landed = facts.landed.as_ref().map(|paths| paths.iter().map(|path| shown(path)).collect::<BTreeSet<String>>());
    let derived = |shown: bool| if shown { "derived" } else { "declared" };
    fact("paths", derived(facts.landed.is_some()), vec![("landed", json!(landed))]);
    let run = facts.validation.as_ref();
    fact("validation", if run.is_some() { "resolved" } else { "declared" }, vec![("ref", json!(run.map(|run| place(&run.spot))))]);
    let order = [("precedes", json!(facts.precedes)), ("touched_after_validation", json!(facts.touched_after))];
    fact("order", derived(facts.precedes.is_some() || facts.touched_after.is_some()), order.to_vec());
    let attested = run.and_then(|run| run.subject.clone());
    let outcome = vec![
        ("result", json!(run.map(|run| run.result.as_str()))),
        ("executed", json!(run.and_then(|run| run.executed))),
        ("status_masked", json!(run.map(|run| run.masked))),
        ("summary_shown", json!(run.map(|run| run.summed))),
        ("disputed", json!(run.filter(|run| run.disputed).map(|_| true))),
        ("subject_commit", json!(attested.as_ref().map(|(commit, _)| commit))),
        ("signed_by", json!(attested.as_ref().and_then(|(_, key)| key.as_ref()))),
    ];
    // Vouched for by nobody whose key is known, it is no deeper than the rest.
    let signed = attested.is_some_and(|(_, key)| key.is_some());
    let settled = run.is_some_and(|run| run.result != Validated::NotShown);
    fact("outcome", if signed { "attested" } else { derived(settled) }, outcome);
    let head = vec![("before", json!(facts.head_before)), ("after", json!(facts.head_after))];
    fact("head", derived(facts.head_before.is_some() && facts.head_after.is_some()), head);
    let target = facts.target.as_ref().map(|target| shown(&target.name));
    let attempt = vec![("made", json!(facts.made)), ("commits", json!(facts.commits)), ("target_ref", json!(target))];
    fact("commit_attempt", derived(facts.made.is_some()), attempt);
    let blocker = vec![("captured", json!((!facts.claimed && facts.whole).then_some(facts.capture.is_some())))];
    fact("blocker", derived(facts.capture.is_some()), blocker);
    let trackers =
        || evidence.iter().filter_map(|file| if let Evidence::Tracker(closed, all) = file.evidence { Some(closed == all) } else { None });
    let closed = trackers().next().map(|_| trackers().any(|closed| closed));
    fact("completion", if closed.is_some() { "resolved" } else { "declared" }, vec![("closed", json!(closed))]);
    block
}

/// Whether a release is claimed that nothing shows.
fn released(history: &History<'_>, whole: bool) -> Option<bool> {
    let claims = history
        .timeline
        .events
        .iter()
        .filter_map(|event| if let crate::import::Event::Statement(said) = event { Some(said) } else { None });
    let claimed = claims.flat_map(|said| &said.claims).any(|claim| claim.kind == Kind::Released);
    let shown = history.events.iter().any(|(_, event)| matches!(event, Happened::Release { .. }))
        || history.releases.iter().any(|release| release.act == Act::Made);
    match (claimed, shown) {
        (true, false) => Some(true),
        (true, true) => Some(false),
        (false, _) => whole.then_some(false),
    }
}

/// Whether the session changed published history. A force push that was run may have been granted: that stays open.
fn forced(timeline: &Timeline, whole: bool) -> Option<bool> {
    let any = timeline.events.iter().any(|event| match event {
        crate::import::Event::Command(command) => command.shell.push.as_ref().is_some_and(|push| push.force) || command.facts.pushes.forced,
        _ => false,
    });
    (whole && !any).then_some(false)
}
