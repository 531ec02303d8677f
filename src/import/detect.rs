//! What a file is, by its content.

use crate::json::{Value, parse};
use std::borrow::Cow;

/// A format of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Claude Code, JSON lines.
    ClaudeCode,
    /// Codex rollout, JSON lines.
    Codex,
    /// Gemini CLI, JSON lines.
    GeminiLines,
    /// Gemini CLI, one document.
    GeminiDocument,
    /// OpenHands, a folder of events.
    OpenHands,
    /// OpenHands, one document of the older form.
    OpenHandsDocument,
    /// SWE-agent, one document.
    SweAgent,
    /// SWE-agent or its small sibling, the messages of one document.
    SweAgentMessages,
    /// aider, Markdown.
    Aider,
    /// opencode, a folder of small files.
    Opencode,
    /// opencode, a database.
    OpencodeDatabase,
    /// opencode, the document that its `export` prints.
    OpencodeExport,
}

impl Format {
    /// Its name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::GeminiLines | Self::GeminiDocument => "gemini-cli",
            Self::OpenHands | Self::OpenHandsDocument => "openhands",
            Self::SweAgent | Self::SweAgentMessages => "swe-agent",
            Self::Aider => "aider",
            Self::Opencode | Self::OpencodeDatabase | Self::OpencodeExport => "opencode",
        }
    }
}

/// The bytes of a file's beginning that [`detect`] is given.
pub const HEAD_BYTES: usize = 256 << 10;
const LINES: usize = 200;

/// The format of a file that begins with `head`; `None` for one that is not known.
pub fn detect(head: &[u8]) -> Option<Format> {
    if head.starts_with(b"SQLite format 3\0") {
        return Some(Format::OpencodeDatabase);
    }
    // The look for what is no text goes a letter at a time: most heads need none.
    let text = std::str::from_utf8(head).map_or_else(|_| String::from_utf8_lossy(head), Cow::Borrowed);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    for line in text.lines().take(LINES) {
        let line = line.trim_matches(|each: char| each == '\0' || each.is_whitespace());
        if line.starts_with("# aider chat started at ") || line.starts_with("> Aider v") {
            return Some(Format::Aider);
        }
        if line.starts_with('{')
            && let Ok(value) = parse(line.as_bytes())
            && let Some(format) = of_record(&value)
        {
            return Some(format);
        }
    }
    let has = |key: &str| text.contains(key);
    let start = text.trim_start_matches(|each: char| each == '\0' || each.is_whitespace());
    if start.starts_with(['{', '[']) {
        // A document, or a first line that is longer than the head.
        if has("\"messages\"") && has("\"parts\"") && has("\"sessionID\"") {
            return Some(Format::OpencodeExport);
        }
        if is_messages(text) {
            return Some(Format::SweAgentMessages);
        }
        if has("\"trajectory\"") || has("\"info\"") && has("\"history\"") && has("\"exit_status\"") {
            return Some(Format::SweAgent);
        }
        if has("\"projectHash\"") || has("\"sessionId\"") && has("\"messages\"") {
            return Some(if start.starts_with("{\n") || start.starts_with("{\r") || has("\"messages\"") {
                Format::GeminiDocument
            } else {
                Format::GeminiLines
            });
        }
        if has("\"session_meta\"") || has("\"response_item\"") || has("\"event_msg\"") {
            return Some(Format::Codex);
        }
        if has("\"sessionId\"") && (has("\"parentUuid\"") || has("\"uuid\"")) {
            return Some(Format::ClaudeCode);
        }
        if has("\"action\"") && has("\"source\"") || has("\"observation\"") && has("\"cause\"") {
            return Some(Format::OpenHandsDocument);
        }
        return None;
    }
    (text.lines().any(|line| line.starts_with("#### ")) && text.lines().any(|line| line.starts_with("> "))).then_some(Format::Aider)
}

/// Whether the head of a document is that of messages without steps.
fn is_messages(text: &str) -> bool {
    let behind = |key: &str| text.find(key).map(|at| text[at + key.len()..].trim_start().trim_start_matches(':').trim_start());
    let steps = behind("\"trajectory\"").is_some_and(|list| !list.trim_start_matches('[').trim_start().starts_with(']'));
    let roles = |key: &str| {
        behind(key).is_some_and(|list| {
            let first = list.trim_start_matches('[').trim_start();
            list.starts_with('[')
                && first.starts_with('{')
                && memchr::memmem::find(&first.as_bytes()[..first.len().min(4096)], b"\"role\"").is_some()
        })
    };
    let ours = text.contains("\"info\"") || text.contains("\"trajectory_format\"");
    !steps && (roles("\"history\"") || ours && roles("\"messages\""))
}

/// The format that one whole record belongs to.
fn of_record(value: &Value<'_>) -> Option<Format> {
    let has = |key: &str| value.get(key).is_some();
    let kind = value.get("type").and_then(Value::as_str);
    let roles =
        |key: &str| value.get(key).and_then(Value::elements).and_then(|list| list.first()).is_some_and(|first| first.get("role").is_some());
    let first = value.get("messages").and_then(Value::elements).and_then(|list| list.first());
    if first.is_some_and(|first| first.get("info").is_some() && first.get("parts").is_some()) {
        return Some(Format::OpencodeExport);
    }
    let steps = value.get("trajectory").and_then(Value::elements).is_some_and(|steps| !steps.is_empty());
    if !steps && (roles("history") || roles("messages") && has("info")) {
        return Some(Format::SweAgentMessages);
    }
    if has("trajectory") || has("info") && has("history") {
        return Some(Format::SweAgent);
    }
    if has("messages") && (has("projectHash") || has("sessionId")) && !has("$set") {
        return Some(Format::GeminiDocument);
    }
    if has("$set") || has("$rewindTo") || has("projectHash") {
        return Some(Format::GeminiLines);
    }
    if has("payload") && matches!(kind, Some("session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted"))
        || has("record_type")
    {
        return Some(Format::Codex);
    }
    if has("instructions") && has("id") && has("timestamp") {
        return Some(Format::Codex);
    }
    if has("history") && value.get("history").and_then(Value::elements).is_some() {
        return Some(Format::OpenHandsDocument);
    }
    if (has("uuid") || has("leafUuid") || has("messageId")) && (has("sessionId") || has("leafUuid") || has("snapshot")) {
        return Some(Format::ClaudeCode);
    }
    let claude = matches!(
        kind,
        Some("user" | "assistant" | "system" | "queue-operation" | "file-history-snapshot" | "summary" | "progress" | "last-prompt")
    );
    (claude && (has("message") || has("sessionId") || has("operation"))).then_some(Format::ClaudeCode)
}
