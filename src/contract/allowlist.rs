//! The allowlist: the one command a controlled run may name, and every reason against any other text.
//!
//! A total parser: text in, reasons out. It starts nothing, expands nothing and looks at no disk. An
//! accepted command is a value whose fields can hold nothing that a shell, a path or an option would
//! act on; written out again it is read as the same value.

use super::command_text::split;
use crate::json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The longest command, in bytes.
pub const LONGEST: usize = 4096;

/// The one module.
pub const MODULE: &str = "src.testing.run_replay_evidence_check";

/// The one action.
pub const ACTION: &str = "REDUCE_RISK";

/// The timeout profiles.
pub const PROFILES: [&str; 2] = ["standard", "patient"];

/// The longest scenario or directive id, in characters.
const LONGEST_ID: usize = 200;

/// What a shell would act on; the longer token first where one holds the other.
const FORBIDDEN: [&str; 11] = [";", "&&", "||", "|", "`", "$(", ">", ">>", "<", "\n", "\r"];

/// An option of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flag {
    ScenarioId,
    DirectiveId,
    TimeoutProfile,
    DbPath,
    Action,
}

impl Flag {
    const ALL: [Self; 5] = [Self::ScenarioId, Self::DirectiveId, Self::TimeoutProfile, Self::DbPath, Self::Action];

    fn word(self) -> &'static str {
        match self {
            Self::ScenarioId => "--scenario-id",
            Self::DirectiveId => "--directive-id",
            Self::TimeoutProfile => "--timeout-profile",
            Self::DbPath => "--db-path",
            Self::Action => "--action",
        }
    }
}

/// What the parser says of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// Why it is refused: sorted, each once; none when it is accepted.
    pub reasons: Vec<String>,
    /// The words, as far as the text could be split.
    pub argv: Vec<String>,
    /// The command, if it is accepted.
    pub command: Option<Command>,
}

impl Parsed {
    /// Whether the command is accepted: it is then well formed and on the list, both at once.
    pub fn accepted(&self) -> bool {
        self.reasons.is_empty()
    }

    fn refused(reason: &str) -> Self {
        Self { reasons: vec![reason.to_owned()], argv: Vec::new(), command: None }
    }
}

/// An accepted command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// `python` or `python3`.
    pub executable: String,
    /// The scenario.
    pub scenario_id: String,
    /// The directive.
    pub directive_id: String,
    /// One of [`PROFILES`].
    pub timeout_profile: String,
    /// A relative path that does not climb.
    pub db_path: Option<String>,
    /// [`ACTION`], where one is given.
    pub action: Option<String>,
}

/// Parses a command.
pub fn parse(text: &str) -> Parsed {
    let text = text.trim();
    if text.is_empty() {
        return Parsed::refused("missing_command");
    }
    if text.len() > LONGEST {
        return Parsed::refused("command_too_long");
    }
    let Some(words) = split(text) else { return Parsed::refused("invalid_shell_quoting") };
    let mut reasons = forbidden_tokens(text);
    let argv: Vec<&str> = words.iter().map(|word| &**word).collect();
    let command = read_words(&argv, &mut reasons).filter(|_| reasons.is_empty());
    Parsed { reasons: reasons.into_iter().collect(), argv: words.into_iter().map(Cow::into_owned).collect(), command }
}

/// Whether a recorded list is made of texts that the allowlist accepts as words.
pub fn accepts_words(words: &[Value<'_>]) -> bool {
    let Some(words) = words.iter().map(Value::as_str).collect::<Option<Vec<_>>>() else { return false };
    if words.iter().any(|word| !forbidden_tokens(word).is_empty()) {
        return false;
    }
    let mut reasons = BTreeSet::new();
    read_words(&words, &mut reasons).is_some() && reasons.is_empty()
}

/// What the allowlist says of a list of words, as they would reach a program; every reason, sorted.
pub fn words(words: &[&str]) -> (Option<Command>, BTreeSet<String>) {
    let mut reasons: BTreeSet<String> = words.iter().flat_map(|word| forbidden_tokens(word)).collect();
    let command = read_words(words, &mut reasons).filter(|_| reasons.is_empty());
    (command, reasons)
}

/// Whether a path has a `..` part, whichever slash divides it.
pub fn climbs(path: &str) -> bool {
    path.split(['/', '\\']).any(|part| part == "..")
}

/// A reason for each token that a shell would act on, quoted or not.
fn forbidden_tokens(text: &str) -> BTreeSet<String> {
    let mut tokens: Vec<&str> = FORBIDDEN.into_iter().filter(|token| text.contains(token)).collect();
    if text.replace("&&", "").contains('&') {
        tokens.push("&");
    }
    if text.replace("$(", "").contains('$') {
        tokens.push("$");
    }
    if text.chars().any(|character| character.is_ascii_control() && !matches!(character, '\t' | '\n' | '\r')) {
        tokens.push("control");
    }
    tokens.into_iter().map(|token| format!("forbidden_token:{token}")).collect()
}

/// Reads the words of a command; every fault found is a reason.
fn read_words(words: &[&str], reasons: &mut BTreeSet<String>) -> Option<Command> {
    let mut fault = |reason: String| {
        reasons.insert(reason);
    };
    if words.len() < 3 {
        fault("command_too_short".to_owned());
    }
    let executable = words.first().copied().unwrap_or_default();
    if !matches!(executable, "python" | "python3") {
        fault("invalid_executable".to_owned());
    }
    if words.get(1).is_some_and(|word| *word != "-m") {
        fault("missing_python_module_flag".to_owned());
    }
    match words.get(2) {
        None => fault("missing_module".to_owned()),
        Some(module) if *module != MODULE => fault("module_not_allowlisted".to_owned()),
        Some(_) => {}
    }
    let mut values: [Option<&str>; 5] = [None; 5];
    let mut rest = words.iter().skip(3).copied().peekable();
    while let Some(word) = rest.next() {
        if !word.starts_with("--") {
            fault(format!("unexpected_positional:{word}"));
            continue;
        }
        let Some(flag) = Flag::ALL.into_iter().find(|flag| flag.word() == word) else {
            fault(format!("unknown_flag:{word}"));
            continue;
        };
        let Some(value) = rest.next_if(|next| !next.starts_with("--")) else {
            fault(format!("missing_value:{word}"));
            continue;
        };
        if values[flag as usize].replace(value).is_some() {
            fault(format!("duplicate_flag:{word}"));
        }
    }
    let value = |flag: Flag| values[flag as usize];
    for (flag, missing) in [(Flag::ScenarioId, "missing_scenario_id"), (Flag::DirectiveId, "missing_directive_id")] {
        match value(flag).unwrap_or_default() {
            "" => fault(missing.to_owned()),
            id if !is_plain_id(id) => fault(format!("invalid_value:{}", flag.word())),
            _ => {}
        }
    }
    match value(Flag::TimeoutProfile).unwrap_or_default() {
        "" => fault("missing_timeout_profile".to_owned()),
        profile if !PROFILES.contains(&profile) => fault("invalid_timeout_profile".to_owned()),
        _ => {}
    }
    if value(Flag::DbPath).is_some_and(|path| !is_safe_path(path)) {
        fault("unsafe_db_path".to_owned());
    }
    if value(Flag::Action).is_some_and(|action| action != ACTION) {
        fault("action_not_allowlisted".to_owned());
    }
    let owned = |flag| value(flag).map(str::to_owned);
    Some(Command {
        executable: executable.to_owned(),
        scenario_id: owned(Flag::ScenarioId)?,
        directive_id: owned(Flag::DirectiveId)?,
        timeout_profile: owned(Flag::TimeoutProfile)?,
        db_path: owned(Flag::DbPath),
        action: owned(Flag::Action),
    })
}

/// A letter or digit, then letters, digits, `.`, `_`, `:` and `-`; so it is never an option or a path.
fn is_plain_id(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'-');
    id.len() <= LONGEST_ID && id.bytes().all(is_plain) && id.starts_with(|first: char| first.is_ascii_alphanumeric())
}

/// A path below the working directory: not absolute, no home, no climbing, no drive or URI.
fn is_safe_path(path: &str) -> bool {
    let path = path.trim();
    !path.starts_with(['/', '~']) && !climbs(path) && !path.contains(['\0', ':', '\\'])
}

impl Command {
    /// The words, in the fixed order.
    pub fn argv(&self) -> Vec<&str> {
        self.words([Flag::ScenarioId, Flag::Action, Flag::DirectiveId, Flag::TimeoutProfile, Flag::DbPath])
    }

    /// The shortest text that is read as this command; so it is never longer than the one it was read from.
    pub fn render(&self) -> String {
        // The path may end in a blank, which at the end of a text would be trimmed away.
        let words = self.words([Flag::DbPath, Flag::ScenarioId, Flag::Action, Flag::DirectiveId, Flag::TimeoutProfile]);
        words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
    }

    fn words(&self, order: [Flag; 5]) -> Vec<&str> {
        let mut words = vec![self.executable.as_str(), "-m", MODULE];
        for flag in order {
            let value = match flag {
                Flag::ScenarioId => Some(&self.scenario_id),
                Flag::DirectiveId => Some(&self.directive_id),
                Flag::TimeoutProfile => Some(&self.timeout_profile),
                Flag::DbPath => self.db_path.as_ref(),
                Flag::Action => self.action.as_ref(),
            };
            if let Some(value) = value {
                words.extend([flag.word(), value]);
            }
        }
        words
    }
}

/// The shortest spelling of a word: bare, quoted either way, or a mixture.
fn quoted(word: &str) -> String {
    const QUOTES: [Option<char>; 3] = [None, Some('\''), Some('"')];
    if word.is_empty() {
        return "''".to_owned();
    }
    // For each character and each quotation it may stand in: the bytes up to it, and the quotation before.
    let mut steps: Vec<[Option<(usize, usize)>; 3]> = vec![[Some((0, 0)), None, None]];
    for character in word.chars() {
        let last = steps.last().expect("the first step is there");
        let step = std::array::from_fn(|to| {
            let spelled = spelled_in(character, QUOTES[to])?.len();
            let switch = |from: usize| if from == to { 0 } else { usize::from(from > 0) + usize::from(to > 0) };
            (0..3).filter_map(|from| Some((last[from]?.0 + switch(from) + spelled, from))).min()
        });
        steps.push(step);
    }
    let ends = steps.last().expect("the first step is there");
    let closed = (0..3).filter_map(|at| Some((ends[at]?.0 + usize::from(at > 0), at))).min();
    let (_, mut at) = closed.expect("a bare spelling always exists");
    let mut pieces = vec![QUOTES[at].map(String::from).unwrap_or_default()];
    for (character, step) in word.chars().rev().zip(steps.iter().skip(1).rev()) {
        pieces.push(spelled_in(character, QUOTES[at]).expect("the step says that it can be written so"));
        let (_, from) = step[at].expect("the step was reached");
        if from != at {
            pieces.push(QUOTES[from].into_iter().chain(QUOTES[at]).collect());
        }
        at = from;
    }
    pieces.into_iter().rev().collect()
}

/// A character inside a quotation, where it can be written there.
fn spelled_in(character: char, quote: Option<char>) -> Option<String> {
    let escaped = match quote {
        None => matches!(character, ' ' | '\t' | '\n' | '\r' | '\\' | '\'' | '"'),
        Some('"') => matches!(character, '\\' | '"'),
        _ if character == '\'' => return None,
        _ => false,
    };
    Some(if escaped { format!("\\{character}") } else { character.to_string() })
}

#[cfg(test)]
mod tests;
