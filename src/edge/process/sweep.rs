//! Finds and kills what descends from the child, in whatever group or session it hides.
//!
//! While a child runs, this process is a *subreaper*: a descendant whose parent has ended becomes a child of ours and
//! not of the system's first process, so it stays in sight. Such an adopted child is told from children that
//! somebody else in this process has started: it was not there before, is not older than the child, and bears a mark.
//! The mark is that it may gain no privileges, which only the thread that starts the child has. Where this whole
//! process has that mark already, the mark is a group or session that is not ours.

use super::table::{Process, processes};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, child_subreaper, pidfd_open, pidfd_send_signal, set_child_subreaper, waitpid};
use std::collections::{HashMap, HashSet};

/// A sweep, from before the child is made until it is dropped.
#[derive(Debug)]
pub(super) struct Sweep {
    own: Option<Process>,
    own_barred: bool,
    before: HashSet<(i32, u64)>,
    child: Option<Process>,
    strays: HashSet<(i32, u64)>,
    /// Whether we became the subreaper, and are to stop being it.
    adopted_role: bool,
}

impl Sweep {
    /// To be called before the child is made.
    pub(super) fn prepare() -> Self {
        let own = i32::try_from(std::process::id()).ok().and_then(Process::of);
        let was = child_subreaper().ok().flatten().is_some();
        let adopted_role = !was && set_child_subreaper(Some(rustix::process::getpid())).is_ok();
        let children = |own: Process| processes().unwrap_or_default().into_iter().filter(move |process| process.parent == own.pid);
        let before = own.into_iter().flat_map(children).map(Process::name).collect();
        let own_barred = own.and_then(Process::is_barred).unwrap_or(false);
        Self { own, own_barred, before, child: None, strays: HashSet::new(), adopted_role }
    }

    /// The child, once it is made and while it cannot have been reaped.
    pub(super) fn follow(&mut self, child: Pid) {
        self.child = Process::of(child.as_raw_nonzero().get());
    }

    /// Kills everything that descends from the child, and the child. How many others were still there; `None` when
    /// the process table cannot be read.
    pub(super) fn round(&mut self) -> Option<u32> {
        let (own, child) = (self.own?, self.child?);
        let found = self.descendants(&processes()?, own, child);
        for &process in &found {
            if !process.ended {
                kill(process);
            }
            if process.pid == child.pid {
                continue;
            }
            self.strays.insert(process.name());
            if process.parent == own.pid {
                // Not ended yet, or not ours to reap: the next round sees.
                let _ = Pid::from_raw(process.pid).map(|pid| waitpid(Some(pid), WaitOptions::NOHANG));
            }
        }
        u32::try_from(found.iter().filter(|process| process.pid != child.pid).count()).ok()
    }

    fn descendants(&self, all: &[Process], own: Process, child: Process) -> Vec<Process> {
        let mut children: HashMap<i32, Vec<Process>> = HashMap::new();
        all.iter().for_each(|&process| children.entry(process.parent).or_default().push(process));
        let mut found: Vec<Process> = all.iter().copied().filter(|&process| self.is_root(process, own, child)).collect();
        // Each family is taken out once, so this ends whatever the table says.
        let mut next = 0;
        while let Some(&Process { pid, .. }) = found.get(next) {
            found.extend(children.remove(&pid).unwrap_or_default());
            next += 1;
        }
        // A descendant may be found as an adopted one and as a child of another.
        found.sort_by_key(|process| process.pid);
        found.dedup_by_key(|process| process.pid);
        found
    }

    /// The child, or a descendant that we have adopted.
    fn is_root(&self, process: Process, own: Process, child: Process) -> bool {
        if process.name() == child.name() {
            return true;
        }
        let is_new_child_of_ours = process.parent == own.pid && process.born >= child.born && !self.before.contains(&process.name());
        is_new_child_of_ours
            && (process.group == child.pid
                || if self.own_barred {
                    process.group != own.group || process.session != own.session
                } else {
                    process.is_barred() == Some(true)
                })
    }

    /// How many others than the child there were.
    pub(super) fn strays(&self) -> u32 {
        u32::try_from(self.strays.len()).unwrap_or(u32::MAX)
    }
}

impl Drop for Sweep {
    fn drop(&mut self) {
        if self.adopted_role {
            // Nothing hangs on it: it matters only while a child runs.
            let _ = set_child_subreaper(None);
        }
    }
}

/// Kills exactly this process: a handle is taken first, and its number looked at again behind that.
fn kill(process: Process) {
    let Some(handle) = Pid::from_raw(process.pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else { return };
    if Process::of(process.pid).is_some_and(|now| now.name() == process.name()) {
        // It may have ended meanwhile, which is as well.
        let _ = pidfd_send_signal(&handle, Signal::KILL);
    }
}
