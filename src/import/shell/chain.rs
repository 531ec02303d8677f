//! What runs behind a part of a line, and whether it does.

use super::Status;
use super::lex::{Joint, Part};
use super::program::Act;

/// The next part of the chain that `at` is a link of.
pub(super) fn next_link(parts: &[(Part, Status)], at: usize) -> Option<usize> {
    let inside = parts[at].0.inside;
    (at + 1..parts.len()).find(|next| parts[*next].0.inside == inside)
}

/// Whether part `later` does not start unless part `index` succeeds.
pub(super) fn leads_to(parts: &[(Part, Status)], index: usize, later: usize) -> bool {
    let mut at = index;
    while parts[at].0.joint == Joint::And
        && let Some(next) = next_link(parts, at)
    {
        if next == later {
            return true;
        }
        at = next;
    }
    false
}

/// Whether something follows part `index` that may fail, so that a failure of the line need not be the part's.
pub(super) fn leads(parts: &[(Part, Status)], acts: &[Act], index: usize) -> bool {
    matches!(parts[index].0.joint, Joint::And | Joint::Next)
        && next_link(parts, index).is_some()
        && (index + 1..parts.len()).any(|later| !matches!(acts[later], Act::Shell))
}

/// Whether test runs follow part `index` that do not start unless it succeeds.
pub(super) fn leads_to_tests(parts: &[(Part, Status)], acts: &[Act], index: usize) -> bool {
    let mut at = index;
    while parts[at].0.joint == Joint::And
        && let Some(next) = next_link(parts, at)
    {
        if matches!(acts[next], Act::Test { .. }) {
            return true;
        }
        at = next;
    }
    false
}

/// The text before the status in `…; echo "exit: $?"` right behind part `index`.
pub(super) fn echoed(parts: &[(Part, Status)], index: usize) -> Option<String> {
    let mut at = index;
    while parts[at].0.joint == Joint::Pipe
        && let Some(next) = next_link(parts, at)
    {
        at = next;
    }
    let piped = at != index;
    if !matches!(parts[at].0.joint, Joint::Next | Joint::And | Joint::Or) {
        return None;
    }
    let (echo, _) = parts.get(next_link(parts, at)?)?;
    if echo.words.first().map(String::as_str) != Some("echo") || parts[at].0.joint == Joint::Or {
        return None;
    }
    let printed = echo.words[1..].iter().filter(|word| *word != "-e" && *word != "-n").cloned().collect::<Vec<_>>().join(" ");
    let mark = if piped { "${PIPESTATUS[0]}" } else { "$?" };
    let before = printed.find(mark)?;
    let prefix = printed[..before].trim().to_owned();
    (prefix.len() >= 3 && prefix.len() < 100 && !prefix.contains('$')).then_some(prefix)
}
