//! What a user says to have done, beside the session.

use super::plain::plain;
use super::ready::LANGUAGES;

/// Whether a user says to have done something beside the session, or did it in a shell whose record it is. A question says
/// nothing.
pub fn is_done_by_user(text: &str) -> bool {
    let text = text.trim_start();
    let shell = text.strip_prefix('!').is_some_and(|command| command.trim_start().starts_with(|first: char| first.is_ascii_lowercase()));
    if shell || text.starts_with("<bash-input>") || text.starts_with("<user_shell_command>") {
        return true;
    }
    let lower = first_bytes(text, USER_LIMIT).to_lowercase();
    let lower = plain(&lower);
    lower
        .split_inclusive(['.', '?', '!', '\n'])
        .filter(|sentence| !sentence.trim_end().ends_with('?'))
        .any(|sentence| LANGUAGES.iter().any(|language| language.by_user.is_match(sentence.trim())))
}

/// The most bytes of a user's message that are read: whoever did something says so early.
const USER_LIMIT: usize = 4096;

fn first_bytes(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
