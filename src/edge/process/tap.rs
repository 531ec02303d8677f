//! The two streams of a child, drained side by side.

use crate::execution::start::{BYTE_CAP, Capture, Captured, Enforced, FirstLine};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::time::Duration;

/// As much as a pipe holds at most at once, by default.
const BLOCK: usize = 64 << 10;

/// One stream.
#[derive(Debug)]
struct Tap {
    /// `None` once nothing more comes.
    pipe: Option<File>,
    capture: Capture,
}

impl Tap {
    fn new(pipe: Option<OwnedFd>, marker: Option<&str>) -> Self {
        Self { pipe: pipe.map(File::from), capture: Capture::new(BYTE_CAP, marker) }
    }
}

/// Standard output and standard error. One thread drains both as they fill, so neither stops the child, and none is
/// left behind that waits for a stream that never ends.
#[derive(Debug)]
pub(super) struct Taps {
    out: Tap,
    err: Tap,
    /// `None` when no report is awaited.
    first: Option<FirstLine>,
    block: Vec<u8>,
}

impl Taps {
    /// The streams of `child`, which were piped.
    pub(super) fn of(child: &mut Child, marker: Option<&str>, awaits_report: bool) -> Self {
        let out = Tap::new(child.stdout.take().map(OwnedFd::from), marker);
        let err = Tap::new(child.stderr.take().map(OwnedFd::from), None);
        Self { out, err, first: awaits_report.then(FirstLine::default), block: vec![0; BLOCK] }
    }

    /// Waits for output, at most `patience`, and takes at most one block of each stream.
    pub(super) fn drain(&mut self, patience: Duration) {
        let timeout = Timespec { tv_sec: patience.as_secs().try_into().unwrap_or(1), tv_nsec: patience.subsec_nanos().into() };
        let (out, err) = {
            let open = [&self.out, &self.err].map(|tap| tap.pipe.as_ref());
            let mut polled: Vec<PollFd<'_>> = open.iter().flatten().map(|pipe| PollFd::new(*pipe, PollFlags::IN)).collect();
            // An interrupted wait is a short one.
            if poll(&mut polled, Some(&timeout)).is_err() {
                return;
            }
            let mut ready = polled.iter().map(|pipe| !pipe.revents().is_empty());
            let mut answer = |pipe: Option<&File>| pipe.is_some() && ready.next().unwrap_or(false);
            (answer(open[0]), answer(open[1]))
        };
        if out && let Some(block) = take(&mut self.out.pipe, &mut self.block) {
            match &mut self.first {
                Some(first) => self.out.capture.take(&first.pass(block)),
                None => self.out.capture.take(block),
            }
        }
        if err && let Some(block) = take(&mut self.err.pipe, &mut self.block) {
            self.err.capture.take(block);
        }
    }

    /// Whether a stream had more than is allowed.
    pub(super) fn exceeded(&self) -> bool {
        self.out.capture.exceeded() || self.err.capture.exceeded()
    }

    /// Whether both streams have ended.
    pub(super) fn ended(&self) -> bool {
        self.out.pipe.is_none() && self.err.pipe.is_none()
    }

    /// What is kept of standard output and of standard error, and the child's report.
    pub(super) fn finish(mut self) -> (Captured, Captured, Option<Enforced>) {
        let (rest, report) = self.first.take().map(FirstLine::finish).unwrap_or_default();
        self.out.capture.take(&rest);
        (self.out.capture.finish(), self.err.capture.finish(), report)
    }
}

/// The next bytes of a pipe that has some; a pipe that has ended, or fails, is closed.
fn take<'b>(pipe: &mut Option<File>, block: &'b mut [u8]) -> Option<&'b [u8]> {
    use std::io::{ErrorKind, Read};
    match pipe.as_mut()?.read(block) {
        Ok(0) => *pipe = None,
        Ok(length) => return Some(&block[..length]),
        Err(error) if error.kind() == ErrorKind::Interrupted => {}
        Err(_) => *pipe = None,
    }
    None
}
