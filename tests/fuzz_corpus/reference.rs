//! The slow reference itself: it reads, it knows what every contract knows, and it agrees with the engine on all records
//! that are accepted here, on what breaks a single clause of theirs, and on the shared cases, where they lie beside.

use super::targets::contract;
use super::targets::reference::{command, record, transcript};
use landfall::contract::broken::broken_of;
use landfall::contract::check::contract_of;
use landfall::contract::table::{Contract, contracts};
use landfall::corpus::ledgers::Ledgers;
use landfall::edge::disk::DiskFolder;
use landfall::json::{Value, parse};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn it_names_exactly_the_reasons_of_every_contract_whose_reasons_the_texts_name() {
    let named: Vec<_> = transcript::sections().iter().filter(|section| section.named).collect();
    assert_eq!(named.len(), 54, "the sections of two families");
    let mut unnamed = BTreeSet::new();
    for contract in contracts().all() {
        let about = |discriminated: &str| contract.discriminator.as_ref().is_none_or(|told| told.value == discriminated);
        let section = named.iter().find(|section| section.record_type == contract.record_type && about("runtime_evidence"));
        let Some(section) = section else {
            unnamed.insert(contract.record_type.as_str());
            continue;
        };
        let bare = |reason: &str| reason.split_once(":<").map_or(reason, |(bare, _)| bare).to_owned();
        let theirs: BTreeSet<String> = section.rows.iter().map(|row| bare(&row.reason)).filter(|reason| !reason.starts_with('<')).collect();
        let ours: BTreeSet<String> = contract.clauses.iter().filter_map(|clause| clause.reason.clone()).collect();
        let (lacks, adds): (Vec<_>, Vec<_>) = (theirs.difference(&ours).collect(), ours.difference(&theirs).collect());
        assert!(
            lacks.is_empty() && adds.is_empty(),
            "{}: the contract lacks {lacks:?} of the text and adds {adds:?}",
            contract.record_type
        );
    }
    let known: BTreeSet<_> =
        transcript::sections().iter().filter(|section| !section.named).map(|section| section.record_type.as_str()).collect();
    assert_eq!(unnamed, known, "each other type has what an accepted record must be");
}

#[test]
fn it_agrees_on_accepted_records_and_on_each_that_breaks_one_clause() {
    let fixtures = DiskFolder::open(&root().join("fixtures")).expect("the fixtures open");
    let ledgers = Ledgers::read(&fixtures);
    let (accepted, faults) = ledgers.records();
    assert!(faults.is_empty() && accepted.len() > 100, "the ledgers read");
    accepted.iter().for_each(|accepted| contract::hold(&accepted.record));
    let mut broken = 0;
    for contract in contracts().all() {
        let is_of = |record: &Value<'_>| contract_of(record).map(Contract::key) == Some(contract.key());
        let valid: Vec<_> = accepted.iter().map(|accepted| &accepted.record).filter(|record| is_of(record)).collect();
        for made in broken_of(contract, &valid).records {
            contract::hold(&made.record);
            broken += 1;
        }
    }
    assert!(broken > 1000, "{broken} records were broken");
}

/// The shared cases of a family that have `part`, and how many there were.
fn shared(family: &str, part: &str, judge: impl Fn(&Value<'_>, &Value<'_>)) {
    let folder = root().join("../shared/cases").join(family);
    let Some(files) = listed(&folder) else { return };
    let mut checked = 0;
    for file in files {
        let bytes = fs::read(&file).expect("the case reads");
        let case = parse(&bytes).expect("the case is JSON");
        if let (Some(input), Some(expected)) = (case.get(part), case.get("expected")) {
            judge(input, expected);
            checked += 1;
        }
    }
    assert!(checked > 0, "no case with {part} in {}", folder.display());
}

fn listed(folder: &Path) -> Option<Vec<PathBuf>> {
    if !folder.is_dir() {
        skipped(folder);
        return None;
    }
    let paths = fs::read_dir(folder).expect("the folder lists").map(|entry| entry.expect("an entry reads").path());
    Some(paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect())
}

#[expect(clippy::disallowed_macros, reason = "a test says what it could not check")]
fn skipped(what: &Path) {
    eprintln!("SKIPPED: {} is not there; nothing of it was checked", what.display());
}

fn reasons(expected: &Value<'_>) -> Vec<String> {
    let listed = expected.get("reasons").and_then(Value::elements).expect("reasons");
    listed.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[test]
fn it_gives_the_shared_records_and_commands_their_answers() {
    for family in ["loop-governance", "loop-execution"] {
        shared(family, "record", |input, expected| {
            let verdict = record::check(input);
            if verdict.named {
                // The cases list them sorted, repeats kept.
                let (mut found, mut wanted) = (verdict.reasons, reasons(expected));
                found.sort();
                wanted.sort();
                assert_eq!(found, wanted, "{}", input.to_text());
            }
            assert!(expected.get("valid").expect("valid").is_bool(verdict.valid), "{}", input.to_text());
        });
    }
    shared("loop-execution", "command", |input, expected| {
        assert_eq!(command::reasons(input.as_str().expect("a command")), reasons(expected));
    });
}

/// The transcript of the execution family is the table itself: what is no sentence there has the same words here.
#[test]
fn the_transcript_has_the_words_of_the_table() {
    let table = root().join("../shared/spec/contracts-execution.json");
    if !table.is_file() {
        skipped(&table);
        return;
    }
    let bytes = fs::read(&table).expect("the table reads");
    let table = parse(&bytes).expect("the table is JSON");
    let text = |value: &Value<'_>, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (mut compared, mut sentences) = (0, 0);
    for contract in table.elements().expect("a list of contracts") {
        let record_type = text(contract, "type");
        let section = transcript::sections().iter().find(|section| section.record_type == record_type).expect("a section for the type");
        let rules = contract.get("flag_rules");
        for reason in contract.get("reasons").and_then(Value::elements).expect("reasons") {
            let (name, mut when, list) = (text(reason, "reason"), text(reason, "when"), text(reason, "for_each"));
            let mut wanted = vec![name.clone()];
            if let Some(list) = list.strip_prefix("flag_rules.") {
                when = when.replace("differs from", "!=");
                let flags = rules.and_then(|rules| rules.get(list)).expect("the flags of the rule");
                let flags =
                    if flags.as_str().is_some() { rules.and_then(|rules| rules.get("must_be_false")).expect("flags") } else { flags };
                let flag = |flag: &str, value: &str| name.replace("<f>", flag).replace("<value>", value);
                wanted = flags.elements().unwrap_or_default().iter().filter_map(Value::as_str).map(|said| flag(said, "")).collect();
                wanted.extend(flags.members().iter().map(|(said, value)| flag(said, value.as_str().expect("a text"))));
            }
            for wanted in wanted {
                let row = section.rows.iter().find(|row| row.reason == wanted).unwrap_or_else(|| panic!("{record_type} has {wanted}"));
                let same = row.text == when;
                compared += usize::from(same);
                sentences += usize::from(!same);
            }
        }
    }
    assert_eq!((compared > 1200, sentences), (true, 19), "{compared} conditions are the table's own");
}
