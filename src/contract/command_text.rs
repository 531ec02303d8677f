//! The text of a rendered command: the one command line that records may carry, and its faults.
//!
//! The text is only ever parsed. Words are split by POSIX quoting rules without comments or
//! expansion; `--option=value` is one word and does not count as the option.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A fault of a command's text. The first two end the checks; a blank command has none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandFault {
    /// A character or pair that a shell would act on.
    Unsafe,
    /// An open quote or a trailing escape.
    Unsplittable,
    /// Another program than the replay evidence check.
    OtherProgram,
    /// No `--scenario-id` with a value.
    ScenarioId,
    /// No `--directive-id` with a value.
    DirectiveId,
    /// No `--timeout-profile`.
    NoTimeoutProfile,
    /// The first `--timeout-profile` is the last word.
    TimeoutProfileLast,
    /// A `--timeout-profile` that names another profile than the record.
    TimeoutProfileDiffers,
}

/// The fixed beginning of the command.
const PROGRAM: [&str; 3] = ["python", "-m", "src.testing.run_replay_evidence_check"];

/// What a shell would act on; `&&` and `$(` are covered by their first characters.
const UNSAFE: [[u8; 3]; 3] = [*b";&|", *b"><`", *b"$\n\r"];

/// The faults of a command's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CommandFaults(u8);

impl CommandFaults {
    /// Whether the fault is among them.
    pub fn has(self, fault: CommandFault) -> bool {
        self.0 >> fault as u8 & 1 == 1
    }

    /// The faults of `command`, in a record of this timeout profile.
    pub fn of(command: &str, timeout_profile: &str) -> Self {
        if command.is_empty() {
            return Self::default();
        }
        if UNSAFE.iter().any(|[one, two, three]| memchr::memchr3(*one, *two, *three, command.as_bytes()).is_some()) {
            return Self::default().with(CommandFault::Unsafe, true);
        }
        let Some(words) = split(command) else { return Self::default().with(CommandFault::Unsplittable, true) };
        let lacks_value = |option: &str| {
            let value = words.iter().position(|word| word == option).map(|at| words.get(at + 1));
            !matches!(value, Some(Some(value)) if !value.trim().is_empty() && !value.starts_with("--"))
        };
        let profiles = || words.iter().enumerate().filter(|(_, word)| *word == "--timeout-profile").map(|(at, _)| words.get(at + 1));
        Self::default()
            .with(CommandFault::OtherProgram, !words.iter().take(3).eq(PROGRAM.iter()))
            .with(CommandFault::ScenarioId, lacks_value("--scenario-id"))
            .with(CommandFault::DirectiveId, lacks_value("--directive-id"))
            .with(CommandFault::NoTimeoutProfile, profiles().next().is_none())
            .with(CommandFault::TimeoutProfileLast, matches!(profiles().next(), Some(None)))
            .with(CommandFault::TimeoutProfileDiffers, profiles().flatten().any(|profile| profile != timeout_profile))
    }

    fn with(self, fault: CommandFault, found: bool) -> Self {
        Self(self.0 | u8::from(found) << fault as u8)
    }
}

/// The words of a command line, or nothing when a quote is open or an escape ends the text.
pub fn split(command: &str) -> Option<Vec<Cow<'_, str>>> {
    let is_between = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r');
    if memchr::memchr3(b'\\', b'\'', b'"', command.as_bytes()).is_none() {
        // Nothing is quoted: the words stand in the text as they are.
        return Some(command.split(is_between).filter(|word| !word.is_empty()).map(Cow::Borrowed).collect());
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            between if is_between(between) => words.extend(word.take()),
            '\\' => word.get_or_insert_default().push(characters.next()?),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        other => word.push(other),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        // Inside double quotes a backslash escapes only these two.
                        '\\' => match characters.next()? {
                            escaped @ ('"' | '\\') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        other => word.push(other),
                    }
                }
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words.into_iter().map(Cow::Owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_would() {
        let words = |text: &str| split(text).map(|words| words.join("|"));
        assert_eq!(words(r#"a 'b c'"d"\ e  "" #x "#).as_deref(), Some("a|b cd e||#x"));
        assert_eq!(words(r#""a\"\\\n""#).as_deref(), Some(r#"a"\\n"#));
        for open in ["'a", "\"a", "a\\", "\"a\\"] {
            assert_eq!(words(open), None, "{open}");
        }
    }
}
