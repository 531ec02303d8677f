//! One program run to its end, within a time.
#![expect(clippy::disallowed_methods, reason = "a test that hangs must end: this is the one clock of the tests")]

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a program ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Ran {
    /// Asserts the exit code, and that nothing panicked on the way.
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Self {
        assert!(self.code == Some(code), "wanted exit code {code}: {self:#?}");
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// Both streams, for what must or must not be said on either.
    pub(crate) fn said(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// Runs `command` with `input` on its standard input; it is killed, and the test fails, after `limit`.
pub(crate) fn run(mut command: Command, input: &[u8], limit: Duration) -> Ran {
    let shown = format!("{command:?}");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{shown} does not start: {error}"));
    let (mut to, mut out, mut err) =
        (child.stdin.take().expect("it is piped"), child.stdout.take().expect("it is piped"), child.stderr.take().expect("it is piped"));
    thread::scope(|scope| {
        // A program that refuses early closes its input: that is its right.
        scope.spawn(move || to.write_all(input));
        let out = scope.spawn(move || everything(&mut out));
        let err = scope.spawn(move || everything(&mut err));
        let code = wait(&mut child, limit, &shown);
        Ran { code, out: out.join().expect("reading does not panic"), err: err.join().expect("reading does not panic") }
    })
}

fn everything(from: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).expect("a pipe reads");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn wait(child: &mut Child, limit: Duration, shown: &str) -> Option<i32> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status.code();
        }
        if Instant::now() >= deadline {
            child.kill().expect("a child can be killed");
            child.wait().expect("a child can be waited for");
            panic!("{shown} took longer than {limit:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}
