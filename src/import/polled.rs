//! What a command that still runs has printed so far.
//!
//! Its output comes in parts, one a poll. A summary may stand in any of them, and a failure in an early part is not undone
//! by a pass in a late one: so the parts are kept until it ends, within bounds, and read as one.

use super::timeline::Facts;
use crate::evidence::git_output;
use crate::evidence::summary::Shown;
use std::collections::HashMap;

/// The most bytes of one command's output that are kept.
const ONE_LIMIT: usize = 256 << 10;
/// The most bytes that are kept of all together.
const ALL_LIMIT: usize = 4 << 20;
/// The most bytes of one command's output that are read again with its later parts.
const AGAIN_LIMIT: usize = 2 << 20;

/// Outputs of commands that run, by call, with how much of each was read again.
#[derive(Debug, Default)]
pub(super) struct Polled {
    texts: HashMap<u64, (String, usize)>,
    held: usize,
}

impl Polled {
    /// The first part was shown.
    pub(super) fn begin(&mut self, id: u64, output: &str) {
        if output.len() <= ONE_LIMIT && self.held + output.len() <= ALL_LIMIT {
            self.held += output.len();
            self.texts.insert(id, (output.to_owned(), 0));
        }
    }

    /// All that was shown of a command that runs, with one more part. `None` where it does not run, where the part is empty,
    /// and where it printed too much, or too often.
    pub(super) fn more(&mut self, id: u64, output: &str) -> Option<String> {
        if output.trim().is_empty() {
            return None;
        }
        let (known, again) = self.texts.get_mut(&id)?;
        if known.trim().is_empty() || output.starts_with(known.as_str()) {
            // Some tools show the whole each time.
            self.held = self.held - known.len() + output.len();
            output.clone_into(known);
        } else {
            self.held += output.len() + 1;
            known.push('\n');
            known.push_str(output);
        }
        let whole = known.clone();
        *again += whole.len();
        if whole.len() > ONE_LIMIT || *again > AGAIN_LIMIT || self.held > ALL_LIMIT {
            self.end(id);
        }
        Some(whole)
    }

    /// It ended.
    pub(super) fn end(&mut self, id: u64) {
        if let Some((known, _)) = self.texts.remove(&id) {
            self.held -= known.len();
        }
    }
}

/// Adds to `known` what a further result of the same command settles. `open`: the earlier one did not say how it ended.
pub(super) fn fill(known: &mut Facts, more: Facts, open: bool) {
    if open || known.summary.is_none() {
        // A failure of an earlier part is not undone by a later one, whatever stood between them.
        let failed = known.summary.is_some_and(|found| found.shown == Shown::Failed);
        known.summary = more.summary.or(known.summary);
        if let Some(found) = known.summary.as_mut().filter(|found| failed && found.shown == Shown::Passed) {
            found.shown = Shown::Mixed;
        }
        known.built = more.built.or(known.built);
        known.tasks = more.tasks.or(known.tasks);
    }
    if known.commits == git_output::Commits::default() {
        known.commits = more.commits;
    }
    if known.pushes == git_output::Pushes::default() {
        known.pushes = more.pushes;
    }
    known.did_not_compile |= more.did_not_compile;
    known.not_published |= more.not_published;
    known.published |= more.published;
    known.already_out |= more.already_out;
    known.echoed_status = more.echoed_status.or(known.echoed_status);
    known.empty &= more.empty;
}

/// The last name of the file that a tool says it wrote the whole output to.
pub(super) fn own_file(output: &str) -> Option<&str> {
    const MARKS: [&str; 4] =
        ["ull output saved to: ", "Output is being written to: ", "ull output available at: ", "ull output written to: "];
    let output = ends(output).find(|end| MARKS.iter().any(|mark| end.contains(mark)))?;
    let at = MARKS.iter().find_map(|mark| output.find(mark).map(|at| at + mark.len()))?;
    let path = output[at..].lines().next()?.trim().trim_end_matches(['.', ')', ']', '>']);
    let name = super::shell::program::base(path);
    (!name.is_empty() && name.len() <= 200).then_some(name)
}

/// The beginning and the end of `output`, where tools put what they say themselves.
fn ends(output: &str) -> impl Iterator<Item = &str> {
    const LENGTH: usize = 2000;
    let (mut end, mut start) = (output.len().min(LENGTH), output.len().saturating_sub(LENGTH));
    while !output.is_char_boundary(end) {
        end -= 1;
    }
    while !output.is_char_boundary(start) {
        start += 1;
    }
    [&output[..end], &output[start..]].into_iter()
}

/// Whether `output` is only a part, of which its tool says where the whole is.
pub(super) fn is_preview(output: &str) -> bool {
    const MARKS: [&str; 3] = ["<persisted-output>", "ull output saved to: ", "ull output available at: "];
    ends(output).any(|end| MARKS.iter().any(|mark| end.contains(mark)))
}
