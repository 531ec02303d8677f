//! Takes a text's layout from the reader's events.

use super::{Layout, Of, Step};
use crate::json::{Number, Sink, Text};

/// Takes a text's layout while it is read.
#[derive(Debug, Default)]
pub(super) struct Learner<'a> {
    text: &'a str,
    pub(super) layout: Layout,
    /// Where the bytes between begin that are not yet a step.
    start: usize,
    /// Where the last key or value ends.
    passed: usize,
    /// What was met since, to come behind them.
    waiting: Vec<Step>,
    /// The steps, or those that wait, where the open containers begin; and what each has so far.
    open: Vec<(usize, u32)>,
    /// Whether the text is an object or a list.
    pub(super) begun: bool,
    pub(super) has_escaped_key: bool,
}

impl<'a> Learner<'a> {
    /// One that is shown what is read of this text.
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }

    /// Makes steps of what lies before `end`.
    pub(super) fn between(&mut self, end: usize) {
        let between = &self.text.as_bytes()[self.start..end];
        self.layout.between.extend_from_slice(between);
        self.layout.steps.push(Step::Between(between.len() as u32));
        self.layout.steps.append(&mut self.waiting);
    }

    /// A value that begins at `start` and ends before `end`.
    fn value(&mut self, of: Of, start: usize, end: usize) {
        self.count();
        if let [Step::Key(offset, length)] = self.waiting[..] {
            self.waiting.clear();
            let between = &self.text.as_bytes()[self.start..start];
            self.layout.between.extend_from_slice(between);
            self.layout.steps.push(Step::Member(between.len() as u32, offset, length, of));
        } else {
            self.between(start);
            self.layout.steps.push(Step::Value(of));
        }
        (self.start, self.passed) = (end, end);
    }

    /// Counts a value among those of what holds it.
    fn count(&mut self) {
        if let Some((_, values)) = self.open.last_mut() {
            *values += 1;
        }
    }

    fn begin(&mut self, step: Step) {
        self.begun = true;
        self.count();
        // Behind the bytes between that are not yet a step, there is one step more.
        self.open.push((self.layout.steps.len() + 1 + self.waiting.len(), 0));
        self.waiting.push(step);
    }

    fn end(&mut self) {
        self.waiting.push(Step::End);
        let Some((place, values)) = self.open.pop() else { return };
        let began = match place.checked_sub(self.layout.steps.len() + 1) {
            Some(waiting) => &mut self.waiting[waiting],
            None => &mut self.layout.steps[place],
        };
        if let Step::Object(room) | Step::Array(room) = began {
            *room = values;
        }
    }

    /// A boolean or null, of which a reader does not say where it stands: no letter lies between it and what came last.
    fn word(&mut self, word: &str) {
        let rest = &self.text.as_bytes()[self.passed..];
        let start = self.passed + rest.iter().position(u8::is_ascii_lowercase).unwrap_or(rest.len());
        self.value(Of::Bare, start, start + word.len());
    }

    fn place_of(&self, part: &str) -> usize {
        part.as_ptr().addr() - self.text.as_ptr().addr()
    }
}

impl<'a> Sink<'a> for Learner<'a> {
    fn begin_object(&mut self) {
        self.begin(Step::Object(0));
    }
    fn key(&mut self, key: Text<'a>) {
        self.has_escaped_key |= key.is_escaped();
        let start = self.place_of(key.raw());
        self.passed = start + key.raw().len();
        self.waiting.push(Step::Key((start - self.start) as u32, key.raw().len() as u32));
    }
    fn end_object(&mut self) {
        self.end();
    }
    fn begin_array(&mut self) {
        self.begin(Step::Array(0));
    }
    fn end_array(&mut self) {
        self.end();
    }
    fn string(&mut self, text: Text<'a>) {
        let start = self.place_of(text.raw());
        self.value(Of::String, start, start + text.raw().len());
    }
    fn number(&mut self, number: Number<'a>) {
        let start = self.place_of(number.as_str());
        self.value(Of::Bare, start, start + number.as_str().len());
    }
    fn boolean(&mut self, value: bool) {
        self.word(if value { "true" } else { "false" });
    }
    fn null(&mut self) {
        self.word("null");
    }
}
