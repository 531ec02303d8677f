//! The sentences of a Markdown text: what is code, quoted, tabled or a heading is left out.

use crate::evidence::git_output::is_hash;
use crate::import::shell;

/// A sentence, ready for the patterns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sentence {
    /// The line that its paragraph starts on, from 0.
    pub(super) line: u32,
    /// Lower case; code and names are `TEST`, `BUILD`, `CODE`, `HASH`, `PATH`, `VER`.
    pub(super) text: String,
    /// It asks.
    pub(super) asks: bool,
    /// It heads a list, or is the label of what follows.
    pub(super) heads: bool,
    /// The heading over it, in lower case.
    pub(super) heading: String,
    /// It is a few words with a check mark behind them.
    pub(super) checked: bool,
    /// It is an item of a list.
    pub(super) item: bool,
    pub(super) hashes: Vec<String>,
    pub(super) targets: Vec<String>,
    pub(super) paths: Vec<String>,
    /// Code and paths, in their order, in lower case.
    pub(super) names: Vec<String>,
}

const LIST_LIMIT: usize = 8;
const NAME_LIMIT: usize = 200;
/// Longer texts are read up to here: a text of the main session is an answer, not a file.
pub(super) const TEXT_LIMIT: usize = 256 << 10;

/// Splits `text`.
pub(super) fn sentences(text: &str) -> Vec<Sentence> {
    let mut end = text.len().min(TEXT_LIMIT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut all = Vec::new();
    let mut paragraph = Paragraph::default();
    let mut fence: Option<&str> = None;
    let mut heading = String::new();
    // A colon's heading reaches over the list behind it, a Markdown heading to the next one.
    let mut colon = false;
    for (number, line) in text[..end].lines().enumerate() {
        let trimmed = line.trim();
        if let Some(mark) = fence {
            if trimmed.starts_with(mark) {
                fence = None;
            }
            continue;
        }
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            paragraph.close(&mut all, &mut heading, &mut colon);
            fence = Some(&trimmed[..3]);
            continue;
        }
        let table =
            trimmed.starts_with('|') || trimmed.matches('|').count() >= 2 && !trimmed.contains("passed |") && !trimmed.contains("failed |");
        let tagged = trimmed.starts_with('<') && trimmed.ends_with('>');
        if trimmed.is_empty() || trimmed.starts_with('>') || table || tagged {
            paragraph.close(&mut all, &mut heading, &mut colon);
            continue;
        }
        if trimmed.starts_with('#') && trimmed.trim_start_matches('#').starts_with(' ') {
            paragraph.close(&mut all, &mut heading, &mut colon);
            heading = trimmed.trim_start_matches('#').trim().to_lowercase();
            colon = false;
            continue;
        }
        if let Some(item) = list_item(trimmed) {
            paragraph.close(&mut all, &mut heading, &mut colon);
            paragraph = Paragraph { line: number as u32, item: true, ..Paragraph::default() };
            match item.strip_prefix("[ ]") {
                Some(_) => paragraph.text.clear(),
                None => {
                    let ticked = item.strip_prefix("[x]").or_else(|| item.strip_prefix("[X]"));
                    // What is ticked off is no plan, whatever the list is called.
                    paragraph.ticked = ticked.is_some();
                    paragraph.text.push_str(ticked.unwrap_or(item));
                }
            }
            continue;
        }
        if paragraph.text.is_empty() {
            paragraph = Paragraph { line: number as u32, ..Paragraph::default() };
        } else {
            paragraph.text.push(' ');
        }
        paragraph.text.push_str(trimmed);
    }
    paragraph.close(&mut all, &mut heading, &mut colon);
    all
}

#[derive(Default)]
struct Paragraph {
    text: String,
    line: u32,
    item: bool,
    ticked: bool,
}

impl Paragraph {
    fn close(&mut self, all: &mut Vec<Sentence>, heading: &mut String, colon: &mut bool) {
        let paragraph = std::mem::take(self);
        if paragraph.text.trim().is_empty() {
            return;
        }
        if !paragraph.item && *colon {
            heading.clear();
            *colon = false;
        }
        for raw in split(&paragraph.text) {
            let mut sentence = normal(raw);
            sentence.line = paragraph.line;
            sentence.item = paragraph.item;
            if !paragraph.ticked {
                sentence.heading.clone_from(heading);
            }
            if sentence.heads && !paragraph.item {
                heading.clone_from(&sentence.text);
                *colon = true;
            }
            all.push(sentence);
        }
    }
}

fn list_item(line: &str) -> Option<&str> {
    for mark in ["- ", "* ", "+ ", "• "] {
        if let Some(item) = line.strip_prefix(mark) {
            return Some(item.trim_start());
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 3 {
        return None;
    }
    line[digits..].strip_prefix(". ").or_else(|| line[digits..].strip_prefix(") ")).map(str::trim_start)
}

/// Cuts a paragraph at the ends of its sentences, outside code spans.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut code = false;
    let mut before = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character == '`' {
            code = !code;
        }
        let after = characters.peek().map(|(_, next)| *next);
        let ends = match character {
            '.' | '!' | '?' => {
                let closes =
                    after.is_none_or(|next| next.is_whitespace() || matches!(next, '*' | '_' | ')' | '"' | '\u{201d}' | '.' | '!' | '?'));
                // `./...` names packages.
                let names = character == '.' && text[..at].ends_with("/..");
                closes && !names && !(character == '.' && is_abbreviation(&text[start..at]))
            }
            // A mark behind a colon belongs to what follows: *Build: ✅ success*; one before code to the code.
            '✅' | '✓' | '✔' | '☑' | '🎉' | '🚀' | '\u{2728}' => {
                let behind = text[start..at].trim();
                let ahead = text[at + character.len_utf8()..].trim_start_matches(['\u{fe0f}', ' ']);
                let label = ahead.split_whitespace().next().is_some_and(|word| word.ends_with([':', '*']));
                let to_code = behind.is_empty() && ahead.starts_with('`');
                let to_label = behind.ends_with([':', '*']) && !ahead.is_empty() && !label;
                !(to_code || to_label)
            }
            _ => false,
        };
        if ends && !code && !matches!(after, Some('.' | '!' | '?')) {
            let end = at + character.len_utf8();
            parts.push(&text[start..end]);
            start = end;
        }
        before = character;
    }
    let _ = before;
    if start < text.len() {
        parts.push(&text[start..]);
    }
    parts
}

fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit([' ', '(']).next().unwrap_or_default().to_ascii_lowercase();
    matches!(last.as_str(), "e.g" | "i.e" | "etc" | "vs" | "approx" | "cf" | "no" | "nr")
        || last.len() == 1 && last.bytes().all(|byte| byte.is_ascii_digit())
}

/// A sentence in the form that patterns see.
fn normal(raw: &str) -> Sentence {
    let mut sentence = Sentence::default();
    let raw = raw.trim().trim_matches(['*', '_']).trim();
    let bare = raw.trim_end_matches(['*', '_', '"', ')', ' ']);
    sentence.asks = bare.ends_with('?');
    sentence.heads = bare.ends_with(':');
    let label = bare.trim_end_matches(['\u{fe0f}', ' ']).strip_suffix(['✅', '✓', '✔', '☑']);
    sentence.checked = label.is_some_and(|label| (1..=4).contains(&label.split_whitespace().count()) && !label.contains('`'));
    let unquoted = without_quotes(raw);
    let mut words: Vec<String> = Vec::new();
    if raw.strip_prefix(['✅', '✓', '✔', '☑']).is_some_and(|rest| rest.trim_start_matches(['\u{fe0f}', ' ']).starts_with('`')) {
        words.push("CHECK".to_owned());
    }
    let mut led = false;
    for (word, code) in spans(&unquoted) {
        if code {
            let normal = of_code(word, &mut sentence);
            note_name(normal, word.trim(), &mut sentence);
            note_target(led, word.trim(), &mut sentence);
            words.push(normal.to_owned());
            led = leads(word);
            continue;
        }
        for piece in word.split_whitespace() {
            let plain = piece.trim_matches(|each: char| matches!(each, '*' | '_' | '"' | '[' | ']' | '~'));
            let core =
                plain.trim_matches(|each: char| matches!(each, ',' | '.' | ';' | ':' | '(' | ')' | '!' | '?' | '\'' | '*' | '_' | '"'));
            note_target(led, core, &mut sentence);
            let name = of_word(core, &mut sentence);
            let folder =
                core.contains('/') && core.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.'));
            note_name(name.unwrap_or(if folder { "PATH" } else { "" }), core, &mut sentence);
            let lower = match name {
                Some(name) => plain.replacen(core, name, 1),
                None if plain.is_ascii() && !plain.contains('*') => plain.to_ascii_lowercase(),
                None => plain
                    .to_lowercase()
                    .replace(['\u{2019}', '\u{2018}'], "'")
                    .replace(['*', '\u{fe0f}', '✅', '✓', '✔', '☑', '🎉', '🚀', '\u{2728}'], ""),
            };
            // *to the main branch* names main.
            if core != "the" {
                led = leads(core);
            }
            let mark = lower.chars().all(|each| matches!(each, ',' | '.' | ';' | ':' | ')' | '!' | '?'));
            match words.last_mut() {
                _ if lower.is_empty() || is_ornament(&lower) => {}
                // A mark behind a code span belongs to it.
                Some(last) if mark => last.push_str(&lower),
                _ => words.push(lower),
            }
        }
    }
    sentence.text = words.join(" ");
    let end = sentence.text.trim_end_matches(['.', '!', '?', ':', ' ']).len();
    sentence.text.truncate(end);
    sentence
}

/// Whether a word is a picture that says nothing: *📤 Pushed*.
fn is_ornament(word: &str) -> bool {
    const SAYING: [char; 9] = ['❌', '✗', '✘', '✕', '✖', '⚠', '✓', '✔', '✅'];
    let picture = |each: char| matches!(each, '\u{1f000}'..='\u{1ffff}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{200d}');
    word.chars().all(|each| picture(each) && !SAYING.contains(&each))
}

/// Pieces between backticks are code.
fn spans(text: &str) -> impl Iterator<Item = (&str, bool)> {
    text.split('`').enumerate().map(|(index, piece)| (piece, index % 2 == 1)).filter(|(piece, _)| !piece.trim().is_empty())
}

/// `text` with what stands between double quotation marks left out, and link targets too.
fn without_quotes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\u{201c}', '«', '„', ']']) {
        let mark = rest[at..].chars().next().unwrap_or('"');
        let inside = &rest[at + mark.len_utf8()..];
        plain.push_str(&rest[..at]);
        if mark == ']' {
            // A link: its text stays, its target goes.
            let target = inside.strip_prefix('(').and_then(|target| target.find(')').map(|end| end + 2));
            plain.push(' ');
            rest = &inside[target.unwrap_or(0)..];
            continue;
        }
        let close = match mark {
            '"' => inside.find('"'),
            '«' => inside.find('»'),
            _ => inside.find(['\u{201d}', '\u{201c}']),
        };
        match close {
            Some(end) => {
                plain.push_str(" `quoted` ");
                let width = inside[end..].chars().next().map_or(1, char::len_utf8);
                rest = &inside[end + width..];
            }
            None => rest = inside,
        }
    }
    plain.push_str(rest);
    plain
}

fn of_code(code: &str, sentence: &mut Sentence) -> &'static str {
    let code = code.trim();
    // Of digits alone it is a hash only where it is written as code.
    if (7..=40).contains(&code.len()) && is_hash(code) {
        if sentence.hashes.len() < LIST_LIMIT {
            sentence.hashes.push(code.to_ascii_lowercase());
        }
        return "HASH";
    }
    // A script's path is its call.
    if code.len() <= NAME_LIMIT && (code.starts_with("./") || code.ends_with(".sh")) && shell::analyse(code).test.is_some() {
        return "TEST";
    }
    if let Some(name) = of_word(code, sentence) {
        return name;
    }
    if code.len() > 400 || code == "quoted" {
        return "CODE";
    }
    let shell = shell::analyse(code);
    if shell.test.is_some() {
        "TEST"
    } else if shell.build.is_some() {
        "BUILD"
    } else {
        "CODE"
    }
}

/// What a word that is a name stands for; `None` for a word of the language.
fn of_word(word: &str, sentence: &mut Sentence) -> Option<&'static str> {
    if word.len() < 2 || word.len() > NAME_LIMIT || word.contains(' ') {
        return None;
    }
    let bytes = word.as_bytes();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    if word.len() >= 7 && is_hash(word) && digits > 0 && digits < word.len() {
        if sentence.hashes.len() < LIST_LIMIT {
            sentence.hashes.push(word.to_ascii_lowercase());
        }
        return Some("HASH");
    }
    let version = word.strip_prefix(['v', 'V']).unwrap_or(word);
    let dots = version.split(['.', '-', '+']);
    if version.contains('.')
        && version.as_bytes()[0].is_ascii_digit()
        && dots.take(2).all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return Some("VER");
    }
    let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
    let has_ending = !ending.is_empty()
        && ending.len() <= 8
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !ending.bytes().all(|byte| byte.is_ascii_digit())
        // *1.9s* is no file.
        && !(bytes[0].is_ascii_digit() && ending.as_bytes()[0].is_ascii_digit());
    let numbers = word.split('/').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    if has_ending && word.bytes().any(|byte| byte.is_ascii_alphabetic()) && !word.starts_with("http") && !word.contains("...") {
        if sentence.paths.len() < LIST_LIMIT {
            sentence.paths.push(word.trim_start_matches("./").to_owned());
        }
        return Some("PATH");
    }
    if word.contains('_')
        || word.contains("::")
        || word.starts_with("http")
        || word.contains("()")
        || word.starts_with("--")
        || word.contains('/') && (word.starts_with('/') || word.ends_with('/'))
    {
        return if numbers { None } else { Some("CODE") };
    }
    None
}

/// Keeps what stands for code, or for a path.
fn note_name(normal: &str, word: &str, sentence: &mut Sentence) {
    if matches!(normal, "CODE" | "PATH" | "TEST") && word != "quoted" && word.len() <= NAME_LIMIT && sentence.names.len() < LIST_LIMIT {
        sentence.names.push(word.to_lowercase());
    }
}

/// Whether what stands behind a word may be a branch.
fn leads(word: &str) -> bool {
    ["to", "on", "onto", "into", "branch"].iter().any(|lead| word.eq_ignore_ascii_case(lead))
}

/// Words behind *to*, *on* and the like may be branches.
fn note_target(led: bool, word: &str, sentence: &mut Sentence) {
    let named = !word.is_empty()
        && word.len() <= NAME_LIMIT
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/' | b'.' | b'#'));
    if led && named && sentence.targets.len() < LIST_LIMIT && !matches!(word, "the" | "a" | "origin" | "branch" | "it") {
        sentence.targets.push(word.to_owned());
    }
}
