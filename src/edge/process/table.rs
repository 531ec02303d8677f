//! The process table, as Linux shows it below `/proc`.

use std::fs;

/// One process at one moment. Number and birth together name it for ever: numbers are used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) session: i32,
    /// In clock ticks since the system started.
    pub(super) born: u64,
    /// Has ended and waits to be reaped.
    pub(super) ended: bool,
}

impl Process {
    /// The process of this number, if there is one.
    pub(super) fn of(pid: i32) -> Option<Self> {
        parsed(pid, &fs::read(format!("/proc/{pid}/stat")).ok()?)
    }

    pub(super) fn name(self) -> (i32, u64) {
        (self.pid, self.born)
    }

    /// Whether it can gain no privileges; inherited by whatever it starts, and never undone.
    pub(super) fn is_barred(self) -> Option<bool> {
        let status = fs::read(format!("/proc/{}/status", self.pid)).ok()?;
        let line = status.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(b"NoNewPrivs:"))?;
        Some(line.trim_ascii() == b"1")
    }
}

/// All processes that can be seen; `None` when the table cannot be read.
pub(super) fn processes() -> Option<Vec<Process>> {
    let names = fs::read_dir("/proc").ok()?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let all: Vec<Process> = names.filter_map(Process::of).collect();
    // We are one of them: an empty table is one that is hidden.
    (!all.is_empty()).then_some(all)
}

fn parsed(pid: i32, stat: &[u8]) -> Option<Process> {
    // The name of the program stands in brackets and may hold anything, brackets too.
    let rest = &stat[memchr::memrchr(b')', stat)? + 1..];
    let fields: Vec<&str> = std::str::from_utf8(rest).ok()?.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<i32>().ok();
    Some(Process {
        pid,
        parent: number(1)?,
        group: number(2)?,
        session: number(3)?,
        born: fields.get(19)?.parse().ok()?,
        ended: matches!(*fields.first()?, "Z" | "X" | "x"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_table_is_read_behind_any_name() {
        let rest = "S 7 42 41 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 12345 1 1";
        let process = parsed(42, format!("42 (a) Z 1 ) b) {rest}").as_bytes()).unwrap();
        assert_eq!(process, Process { pid: 42, parent: 7, group: 42, session: 41, born: 12345, ended: false });
        assert_eq!(parsed(42, b"42 (a S 7"), None);
        assert_eq!(parsed(42, b"42 (a) S 7 42"), None);
    }

    #[test]
    fn we_are_in_the_table() {
        let own = i32::try_from(std::process::id()).unwrap();
        assert!(processes().unwrap().iter().any(|process| process.pid == own && !process.ended));
        assert!(Process::of(own).unwrap().is_barred().is_some());
    }
}
