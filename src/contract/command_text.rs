//! The text of a rendered command: the one command line that records may carry, and its faults.
//!
//! The text is only ever parsed. Words are split by POSIX quoting rules without comments or
//! expansion; `--option=value` is one word and does not count as the option.

use super::value::text;
use crate::json::Value;
use serde::{Deserialize, Serialize};

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
const UNSAFE: [char; 8] = [';', '&', '|', '>', '<', '`', '$', '\n'];

/// Whether `command`, the text of a field of `record`, has the fault.
pub fn has(command: &str, fault: CommandFault, record: &Value<'_>) -> bool {
    if command.is_empty() {
        return false;
    }
    let is_unsafe = command.contains(UNSAFE) || command.contains('\r');
    if fault == CommandFault::Unsafe || is_unsafe {
        return fault == CommandFault::Unsafe && is_unsafe;
    }
    let words = split(command);
    let Some(words) = words else { return fault == CommandFault::Unsplittable };
    let lacks_value = |option: &str| {
        let value = words.iter().position(|word| word == option).map(|at| words.get(at + 1));
        !matches!(value, Some(Some(value)) if !value.trim().is_empty() && !value.starts_with("--"))
    };
    let profiles = || words.iter().enumerate().filter(|(_, word)| *word == "--timeout-profile").map(|(at, _)| words.get(at + 1));
    match fault {
        CommandFault::Unsafe | CommandFault::Unsplittable => false,
        CommandFault::OtherProgram => !words.iter().take(3).eq(PROGRAM.iter()),
        CommandFault::ScenarioId => lacks_value("--scenario-id"),
        CommandFault::DirectiveId => lacks_value("--directive-id"),
        CommandFault::NoTimeoutProfile => profiles().next().is_none(),
        CommandFault::TimeoutProfileLast => matches!(profiles().next(), Some(None)),
        CommandFault::TimeoutProfileDiffers => {
            let named = text(record.get("timeout_profile"));
            profiles().flatten().any(|profile| *profile != *named)
        }
    }
}

/// The words of a command line, or nothing when a quote is open or an escape ends the text.
pub fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
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
    Some(words)
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
