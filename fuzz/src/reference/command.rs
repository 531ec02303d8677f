//! The command of a controlled run, as section 4 of loop execution has it, step by step.

use std::collections::BTreeSet;

const MODULE: &str = "src.testing.run_replay_evidence_check";
const OPTIONS: [&str; 5] = ["--scenario-id", "--directive-id", "--timeout-profile", "--db-path", "--action"];

/// The reasons against a command: sorted, each once.
pub fn reasons(text: &str) -> Vec<String> {
    let text = text.trim();
    if text.is_empty() {
        return vec!["missing_command".to_owned()];
    }
    if text.len() > 4096 {
        return vec!["command_too_long".to_owned()];
    }
    let Some(words) = split(text) else { return vec!["invalid_shell_quoting".to_owned()] };
    let mut reasons = forbidden(text);
    reasons.extend(of_words(&words));
    reasons.into_iter().collect()
}

/// Whether a list of words passes as they are, none of them holding a forbidden token.
pub fn accepts_words(words: &[String]) -> bool {
    words.iter().all(|word| forbidden(word).is_empty()) && of_words(words).is_empty()
}

/// Step 2: a reason for each forbidden token.
pub fn forbidden(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for token in [";", "&&", "||", "|", "`", "$(", ">", ">>", "<", "\n", "\r"] {
        if text.contains(token) {
            found.insert(format!("forbidden_token:{token}"));
        }
    }
    if text.split("&&").any(|piece| piece.contains('&')) {
        found.insert("forbidden_token:&".to_owned());
    }
    if text.split("$(").any(|piece| piece.contains('$')) {
        found.insert("forbidden_token:$".to_owned());
    }
    if text.bytes().any(|byte| (byte < 32 || byte == 127) && ![b'\t', b'\n', b'\r'].contains(&byte)) {
        found.insert("forbidden_token:control".to_owned());
    }
    found
}

/// Step 3: POSIX words without comments or expansion; nothing where a quote is open or a backslash ends the text.
pub fn split(text: &str) -> Option<Vec<String>> {
    let letters: Vec<char> = text.chars().collect();
    let mut words = Vec::new();
    // The word so far, if one has begun; and the quote that is open.
    let (mut word, mut quote): (Option<String>, Option<char>) = (None, None);
    let mut at = 0;
    while at < letters.len() {
        let letter = letters[at];
        let next = letters.get(at + 1).copied();
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some('"'), '\\') if matches!(next, Some('"' | '\\')) => {
                word.get_or_insert_default().push(next?);
                at += 1;
            }
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '\\') => {
                word.get_or_insert_default().push(next?);
                at += 1;
            }
            (None, ' ' | '\t' | '\r' | '\n') => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
        at += 1;
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// Steps 4 to 8.
fn of_words(words: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut say = |reason: String| {
        found.insert(reason);
    };
    let word = |at: usize| words.get(at).map(String::as_str);
    if words.len() < 3 {
        say("command_too_short".to_owned());
    }
    if word(0) != Some("python") && word(0) != Some("python3") {
        say("invalid_executable".to_owned());
    }
    if words.len() > 1 && word(1) != Some("-m") {
        say("missing_python_module_flag".to_owned());
    }
    if words.len() < 3 {
        say("missing_module".to_owned());
    } else if word(2) != Some(MODULE) {
        say("module_not_allowlisted".to_owned());
    }
    let mut given: Vec<(&str, &str)> = Vec::new();
    let mut at = 3;
    while let Some(said) = word(at) {
        at += 1;
        if !said.starts_with("--") {
            say(format!("unexpected_positional:{said}"));
        } else if !OPTIONS.contains(&said) {
            say(format!("unknown_flag:{said}"));
        } else if word(at).is_none_or(|value| value.starts_with("--")) {
            say(format!("missing_value:{said}"));
        } else {
            if given.iter().any(|(flag, _)| *flag == said) {
                say(format!("duplicate_flag:{said}"));
            }
            given.push((said, word(at).unwrap_or_default()));
            at += 1;
        }
    }
    // Of a flag that was given twice the last value is looked at; the command is refused anyway.
    let value = |flag: &str| given.iter().rev().find(|(name, _)| *name == flag).map(|(_, value)| *value);
    for (flag, missing) in [("--scenario-id", "missing_scenario_id"), ("--directive-id", "missing_directive_id")] {
        match value(flag) {
            None | Some("") => say(missing.to_owned()),
            Some(id) if !is_id(id) => say(format!("invalid_value:{flag}")),
            Some(_) => {}
        }
    }
    match value("--timeout-profile") {
        None | Some("") => say("missing_timeout_profile".to_owned()),
        Some("standard" | "patient") => {}
        Some(_) => say("invalid_timeout_profile".to_owned()),
    }
    if let Some(path) = value("--db-path").map(str::trim) {
        let climbs = path.replace('\\', "/").split('/').any(|part| part == "..");
        if path.starts_with('/') || path.starts_with('~') || climbs || path.contains(['\0', ':', '\\']) {
            say("unsafe_db_path".to_owned());
        }
    }
    if value("--action").is_some_and(|action| action != "REDUCE_RISK") {
        say("action_not_allowlisted".to_owned());
    }
    found
}

/// `^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$`
fn is_id(id: &str) -> bool {
    let mut letters = id.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphanumeric())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || "._:-".contains(letter))
        && id.chars().count() <= 200
}
