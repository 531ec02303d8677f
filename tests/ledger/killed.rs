//! Many processes on one file, some of them killed while they write: what was acknowledged is there.
#![expect(clippy::disallowed_methods, reason = "these tests start and kill processes")]

use crate::landfall_binary::landfall;
use landfall::edge::ledger::Location;
use landfall::edge::surroundings::Real;
use landfall::ledger::{Ledger, Select, Surroundings};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

/// Lines that a writer is given, unless it is killed before.
const LINES: u32 = 60;

fn writer(ledger: &OsStr, node: usize) -> Child {
    Command::new(env!("CARGO_BIN_EXE_landfall"))
        .args(["ledger", "import", "--acknowledge", "--source", &format!("n{node}"), "--db-path"])
        .arg(ledger)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts")
}

/// A writer that is fed, and killed some time after it has acknowledged `after` records. What it acknowledged.
fn run(ledger: &OsStr, node: usize, kill: Option<(usize, Duration)>) -> (BTreeSet<String>, ExitStatus) {
    let mut child = writer(ledger, node);
    let mut input = child.stdin.take().expect("it is piped");
    let answers = BufReader::new(child.stdout.take().expect("it is piped"));
    thread::scope(|scope| {
        scope.spawn(move || {
            for line in 0..LINES {
                let pad = "x".repeat(line as usize * 97 % 5000);
                let record = format!("{{\"type\":\"swarm_directive\",\"directive_id\":\"d-{node}-{line}\",\"pad\":\"{pad}\"}}\n");
                // A killed writer takes no more.
                if input.write_all(record.as_bytes()).is_err() {
                    return;
                }
            }
        });
        let mut acknowledged = BTreeSet::new();
        for line in answers.lines() {
            // Only whole lines are answers.
            let Ok(line) = line else { break };
            let Some(gid) = line.strip_prefix("{\"gid\":\"").and_then(|rest| rest.strip_suffix("\"}")) else { break };
            acknowledged.insert(gid.to_owned());
            if let Some((after, wait)) = kill
                && acknowledged.len() == after
            {
                thread::sleep(wait);
                child.kill().expect("a child can be killed");
            }
        }
        (acknowledged, child.wait().expect("a child can be waited for"))
    })
}

#[test]
fn what_was_acknowledged_survives_killed_writers() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let ledger = scratch.path().join("ledger.db");
    survives_killed_writers(&Location::File(ledger.clone()), ledger.as_os_str());
}

/// Eight writers on one ledger, five of them killed; `said` is how the command line names it.
pub(crate) fn survives_killed_writers(location: &Location, said: &OsStr) {
    let mut random = u128::from_be_bytes(Real.random());
    let mut below = |limit: u64| {
        random = random.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(1);
        u64::try_from(random >> 64).expect("it has 64 bits") % limit
    };
    // Five are killed within the time that a write takes, three write to their end.
    let kills: Vec<_> = (0..8)
        .map(|node| (node < 5).then(|| (1 + usize::try_from(below(20)).expect("it is small"), Duration::from_micros(below(20_000)))))
        .collect();
    let ended: Vec<_> = thread::scope(|scope| {
        let writers: Vec<_> = kills.iter().enumerate().map(|(node, &kill)| scope.spawn(move || run(said, node, kill))).collect();
        writers.into_iter().map(|writer| writer.join().expect("the writer's thread ends")).collect()
    });
    // The first who looks after them only reads, and finds the file sound.
    let checked = landfall(&["ledger", "check", "--db-path"]).arg(said).ends_with(0);
    assert!(checked.out.contains("swarm_directive"), "{}", checked.out);
    let mut there = BTreeSet::new();
    let reader = location.open_to_read().expect("it opens");
    reader
        .each(Select::default(), &mut |entry| {
            there.insert(entry.gid.clone());
            Ok(())
        })
        .expect("it reads");
    for (node, (acknowledged, status)) in ended.iter().enumerate() {
        assert!(acknowledged.is_subset(&there), "writer {node} lost {:?}", acknowledged.difference(&there).collect::<Vec<_>>());
        match kills[node] {
            Some((after, _)) => {
                assert!(acknowledged.len() >= after);
                assert_eq!(status.code(), None, "writer {node} was killed before its end");
            }
            None => assert_eq!((acknowledged.len(), status.code()), (LINES as usize, Some(0)), "writer {node}"),
        }
    }
}
