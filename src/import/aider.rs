//! aider's chat history: Markdown, in which tool lines stand behind `> `.
//!
//! Exit codes are not recorded, and only a session's start has a time, without a zone.

use super::builder::{Builder, Said};
use super::outcome::Outcome;
use super::timeline::{Place, TouchKind};

/// Reads lines.
#[derive(Debug, Default)]
pub(super) struct Aider {
    /// The assistant's text so far, and the line it starts on.
    text: String,
    line: u32,
    fence: bool,
    /// Since the last look a line of a text or of an output was not kept: there were too many before it.
    cut: bool,
    /// The command whose output follows, and that output.
    running: Option<(String, String, u32)>,
    serial: u64,
    /// An edit was applied since the last commit.
    edited: bool,
}

const TEXT_LIMIT: usize = 256 << 10;
const OUTPUT_LIMIT: usize = 4 << 20;

impl Aider {
    /// Takes a line of the file `file`.
    pub(super) fn line(&mut self, number: u32, line: &str, file: u32, out: &mut Builder) -> bool {
        let place = Place { file, line: number };
        let trimmed = line.trim_end();
        if trimmed.trim_start().starts_with("```") && !trimmed.starts_with("> ") {
            self.fence = !self.fence;
            self.keep(number, line);
            return true;
        }
        if self.fence {
            self.keep(number, line);
            return true;
        }
        if let Some(words) = trimmed.strip_prefix("> ").or_else(|| (trimmed == ">").then_some("")) {
            self.speak(file, out);
            self.tool(words.trim_end(), place, out);
            return true;
        }
        let started = trimmed.starts_with("# aider chat started at ");
        if let Some(words) = trimmed.strip_prefix("#### ") {
            self.speak(file, out);
            self.end(out, place);
            let command = words.strip_prefix("/run ").or_else(|| words.strip_prefix("/test ")).or_else(|| words.strip_prefix('!'));
            // `/git push` is git's own command line.
            let command = command.or_else(|| words.starts_with("/git ").then(|| &words[1..]));
            out.turn(if command.is_some() { "" } else { words }, place, None);
            if let Some(command) = command {
                self.start(command, place, out);
            }
            return true;
        }
        if started {
            self.speak(file, out);
            self.end(out, place);
            out.turn("", place, None);
            return true;
        }
        if !trimmed.is_empty() {
            self.end(out, place);
        }
        self.keep(number, line);
        true
    }

    /// The end of the file.
    pub(super) fn finish(&mut self, file: u32, out: &mut Builder) {
        // An open fence at the end of a file that is still written hides nothing: what follows it is not there.
        self.speak(file, out);
        self.end(out, Place { file, line: self.line });
    }

    fn keep(&mut self, number: u32, line: &str) {
        if self.text.is_empty() {
            if line.trim().is_empty() {
                return;
            }
            self.line = number;
        } else if self.text.len() + line.len() < TEXT_LIMIT {
            self.text.push('\n');
        }
        if self.text.len() + line.len() < TEXT_LIMIT {
            self.text.push_str(line);
        } else {
            self.cut = true;
        }
    }

    fn speak(&mut self, file: u32, out: &mut Builder) {
        out.timeline.counts.over_limits += u64::from(std::mem::take(&mut self.cut));
        let text = std::mem::take(&mut self.text);
        out.say(Said { text: &text, place: Place { file, line: self.line }, at: None, message: 0 });
    }

    fn start(&mut self, command: &str, place: Place, out: &mut Builder) {
        self.end(out, place);
        self.serial += 1;
        let id = format!("run:{}", self.serial);
        out.call(&id, command.trim(), place, None);
        self.running = Some((id, String::new(), place.line));
    }

    fn end(&mut self, out: &mut Builder, place: Place) {
        if let Some((id, output, line)) = self.running.take() {
            out.timeline.counts.over_limits += u64::from(std::mem::take(&mut self.cut));
            out.result(&id, Outcome::Unknown, &output, Place { file: place.file, line }, None);
        }
    }

    fn tool(&mut self, words: &str, place: Place, out: &mut Builder) {
        if let Some(path) = words.strip_prefix("Applied edit to ") {
            self.end(out, place);
            self.edited = true;
            out.touch(path.trim(), TouchKind::Edit, place, None);
        } else if let Some(rest) = words.strip_prefix("Commit ")
            && rest.split(' ').next().is_some_and(crate::evidence::git_output::is_hash)
        {
            self.end(out, place);
            // What is committed without an edit of aider's was edited by somebody else.
            if !std::mem::take(&mut self.edited) {
                out.elsewhere(place, None);
            }
            self.commit(&format!("[HEAD {}] {}", rest.split(' ').next().unwrap_or_default(), "subject"), place, out);
        } else if words.starts_with("Unable to commit") {
            self.end(out, place);
            self.commit(words, place, out);
        } else if let Some(command) = words.strip_prefix("Running ") {
            self.start(command, place, out);
        } else if words.starts_with("Run shell command?")
            || words.starts_with("Add ") && words.contains("to the chat")
            || words.starts_with("Tokens: ")
        {
            self.end(out, place);
        } else if let Some((_, output, line)) = &mut self.running {
            if output.len() + words.len() < OUTPUT_LIMIT {
                output.push_str(words);
                output.push('\n');
                *line = place.line;
            } else {
                self.cut = true;
            }
        }
    }

    /// aider commits by itself; what it prints about that is as good as what git prints.
    fn commit(&mut self, printed: &str, place: Place, out: &mut Builder) {
        self.serial += 1;
        let id = format!("commit:{}", self.serial);
        out.call(&id, "git commit", place, None);
        let outcome = if printed.starts_with('[') { Outcome::OkNoCode } else { Outcome::FailedNoCode };
        out.result(&id, outcome, printed, place, None);
    }
}
