//! What decides: neither ids nor labels, neither file names nor the order of keys.

use crate::{Dice, corpus, root};
use landfall::corpus::audit::{Audit, audit};
use landfall::corpus::input::{Kind, judge_input};
use landfall::edge::disk::DiskFolder;
use landfall::folder::MemoryFolder;
use landfall::json::{Value, parse};
use landfall::landing::RuleSet;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The same value with the members of every object in another order.
fn reordered<'v>(value: &Value<'v>, dice: &mut Dice) -> Value<'v> {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(key, value)| (key.clone(), reordered(value, dice))).collect();
            dice.shuffle(&mut members);
            Value::Object(members)
        }
        Value::Array(elements) => Value::Array(elements.iter().map(|element| reordered(element, dice)).collect()),
        other => other.clone(),
    }
}

/// The same value under other ids: equal ones stay equal, those that name nothing or leak stay as they are.
fn renamed<'v>(value: &Value<'v>, seed: u64) -> Value<'v> {
    let plain = |id: &str| !id.trim().is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    match value {
        Value::Object(members) => {
            let renamed_member = |(key, value): &(Cow<'v, str>, Value<'v>)| match value {
                Value::String(id) if key == "run_id" && plain(id) => (key.clone(), Value::String(format!("z{seed}{id}").into())),
                other => (key.clone(), renamed(other, seed)),
            };
            Value::Object(members.iter().map(renamed_member).collect())
        }
        Value::Array(elements) => Value::Array(elements.iter().map(|element| renamed(element, seed)).collect()),
        other => other.clone(),
    }
}

fn set<'v>(case: &mut Value<'v>, key: &str, to: Value<'v>) {
    let Value::Object(members) = case else { panic!("a case is an object") };
    let member = members.iter_mut().find(|(name, _)| name == key).expect("it has this member");
    member.1 = to;
}

#[test]
fn ids_labels_file_names_and_key_order_decide_nothing() {
    let files = corpus();
    let rules = RuleSet::all();
    let fixtures = DiskFolder::open(&root().join("fixtures")).expect("it opens");
    let cases: Vec<_> = files.iter().filter_map(|(path, bytes)| Some((path.strip_prefix("negative-cases/landing/")?, bytes))).collect();
    for seed in 0..2 {
        let mut dice = Dice(seed);
        let mut numbers: Vec<_> = (0..cases.len()).collect();
        dice.shuffle(&mut numbers);
        let mut scrambled = MemoryFolder::default();
        for ((_, bytes), number) in cases.iter().zip(numbers) {
            let case = parse(bytes).expect("a case reads");
            let mut case = renamed(&reordered(&case, &mut dice), seed);
            let id = format!("case_{number}");
            set(&mut case, "case_id", Value::String(id.clone().into()));
            set(&mut case, "why", Value::String("no reason that a rule could read".into()));
            scrambled.file(format!("{id}.json"), case.to_text());
        }
        let audited =
            audit(&Audit { cases: &scrambled, fixtures: Some(&fixtures), exact: true, cover: &[], contracts: None, rules: &rules });
        assert_eq!(audited.faults, [], "seed {seed}");
        assert_eq!((audited.cases_judged, audited.cases_found), (cases.len(), cases.len()));
    }
}

#[test]
fn scrambled_twins_are_accepted_still() {
    let files = corpus();
    let rules = RuleSet::all();
    for (path, kind) in [
        ("fixtures/first-wave/work_landing_runs.json", Kind::Runs),
        ("fixtures/first-wave/landing_policy.json", Kind::Policy),
        ("fixtures/first-wave/projection_protocol.json", Kind::Protocol),
        ("fixtures/bundle/work_landing_runs.json", Kind::Runs),
    ] {
        let value = parse(&files[path]).expect("it reads");
        for seed in 0..20 {
            let scrambled = renamed(&reordered(&value, &mut Dice(seed)), seed);
            assert_ne!(scrambled, value, "{path} was scrambled");
            assert_eq!(judge_input(kind, &scrambled, &rules, "a case of another name").codes(), BTreeSet::new(), "{path}, seed {seed}");
        }
    }
}
