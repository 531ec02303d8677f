//! Sessions of one command, read beside each other and handed on in the order of the arguments.

use super::World;
use super::audit::{session_at, shown};
use super::exit::Trouble;
use crate::import::{Format, Limits, Timeline, Unread, import_file};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// Sessions that are read at a time. A long one keeps two threads busy by itself, and each has its own room.
const READERS: usize = 2;
/// Sessions that are read ahead of the one that is due.
const AHEAD: usize = 4 * READERS;

/// What a session came to.
pub(super) type Imported = Result<(Format, Timeline), Unread>;

/// Reads the sessions at `paths` and hands each to `take`, in their order.
pub(super) fn each_session(
    paths: &[PathBuf],
    world: &mut World<'_>,
    mut take: impl FnMut(Imported, &mut World<'_>) -> Result<Next, Trouble>,
) -> Result<Next, Trouble> {
    // Standard input is read when its turn comes.
    let places: Vec<Option<(PathBuf, String)>> =
        paths.iter().map(|path| (path.as_os_str() != "-").then(|| (world.at(path), shown(path, world)))).collect();
    let due = AtomicUsize::new(0);
    let read_next = || {
        let index = due.fetch_add(1, Ordering::Relaxed);
        let place = places.get(index)?;
        Some((index, place.as_ref().map(|(place, shown)| session_at(place, shown))))
    };
    let (done, finished) = channel();
    let (allow, allowed) = channel();
    for _ in 0..AHEAD {
        allow.send(()).expect("the receiver is in this scope");
    }
    let (allowed, read_next) = (&Mutex::new(allowed), &read_next);
    std::thread::scope(|scope| {
        for _ in 0..READERS.min(paths.len()) {
            let done = done.clone();
            scope.spawn(move || {
                while allowed.lock().is_ok_and(|allowed| allowed.recv().is_ok()) {
                    let Some(read) = read_next() else { return };
                    if done.send(read).is_err() {
                        return;
                    }
                }
            });
        }
        // Moved in, so that readers stop when this returns early.
        let (allow, finished) = (allow, finished);
        drop(done);
        let mut early = BTreeMap::new();
        for index in 0..paths.len() {
            let imported = loop {
                if let Some(imported) = early.remove(&index) {
                    break imported;
                }
                let (at, imported) = finished.recv().expect("a reader answers for every session");
                early.insert(at, imported);
            };
            let imported = imported.unwrap_or_else(|| import_file(&mut *world.input, "-", Limits::default()));
            if take(imported, world)? == Next::Stop {
                return Ok(Next::Stop);
            }
            // Readers may be done; then nobody waits for leave.
            let _ = allow.send(());
        }
        Ok(Next::Go)
    })
}

/// Whether to go on to the next session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Yes.
    Go,
    /// No.
    Stop,
}
