//! Whose exit status the command's is.

use super::lex::{Joint, Part};

/// Whose status a command's is, seen from one of its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    /// The part's own, or that of something that would not have run had it failed.
    Own,
    /// Of something else.
    #[default]
    Masked,
    /// The part's own, and nothing else of weight could have failed.
    Sole,
}

impl Status {
    /// The status of a part of a line that is itself a part with the status `outer`.
    #[must_use]
    pub(super) fn within(self, outer: Self) -> Self {
        match (outer, self) {
            (Self::Sole, inner) => inner,
            (Self::Masked, _) | (_, Self::Masked) => Self::Masked,
            (Self::Own, _) => Self::Own,
        }
    }

    /// Whether a success of the command is a success of the part.
    pub fn shows_success(self) -> bool {
        self != Self::Masked
    }

    /// Whether a failure of the command is a failure of the part.
    pub fn shows_failure(self) -> bool {
        self == Self::Sole
    }
}

/// The status of each part.
pub(super) fn statuses(parts: &[Part], uncertain: bool) -> Vec<Status> {
    let set = |wanted: &str| {
        parts.iter().position(|part| {
            part.words.first().is_some_and(|word| word == "set")
                && part.words.iter().any(|word| {
                    word == wanted || wanted == "errexit" && word.starts_with('-') && !word.starts_with("--") && word[1..].starts_with('e')
                })
        })
    };
    let (pipefail, errexit) = (set("pipefail"), set("errexit"));
    // From the end, so that each part asks only its neighbour.
    let mut open = vec![false; parts.len()];
    for index in (0..parts.len()).rev() {
        let part = &parts[index];
        if part.inside {
            // No link of the chain: what stands before it goes on behind it.
            open[index] = open.get(index + 1).copied().unwrap_or(true);
            continue;
        }
        let next = || open.get(index + 1).copied().unwrap_or(false);
        let last = parts[index + 1..].iter().all(|later| later.inside);
        open[index] = match part.joint {
            Joint::End => true,
            Joint::And => last || next(),
            Joint::Pipe => pipefail.is_some_and(|at| at < index) && next(),
            Joint::Or => parts[index + 1..].iter().find(|later| !later.inside).is_some_and(|next| {
                matches!(next.words.first().map(String::as_str), Some("exit" | "return" | "false"))
                    && next.words.get(1).is_none_or(|code| code != "0")
            }),
            Joint::Next => last || errexit.is_some_and(|at| at < index) && next(),
            Joint::Background => false,
        };
    }
    let harmless = |part: &Part| {
        part.words.first().is_none_or(|word| {
            matches!(
                super::program::base(word),
                "cd" | "export"
                    | "set"
                    | "source"
                    | "."
                    | "echo"
                    | "true"
                    | "mkdir"
                    | "pushd"
                    | "unset"
                    | "ulimit"
                    | "sleep"
                    | "printf"
                    | "date"
                    | "tail"
                    | "head"
                    | "tee"
                    | "cat"
                    | "exit"
                    | "pwd"
            ) || word.contains('=')
        })
    };
    let weighty = parts.iter().filter(|part| !part.inside && !harmless(part)).count();
    parts
        .iter()
        .zip(&open)
        .map(|(part, &open)| {
            if uncertain || part.hidden || part.inside || !open {
                Status::Masked
            } else if weighty == usize::from(!harmless(part)) {
                Status::Sole
            } else {
                Status::Own
            }
        })
        .collect()
}
