//! A value as a flat list of marks into its text: nothing is copied, and a string is unescaped when it is asked for.
//!
//! A record of a session is mostly output that nobody reads. A tree would decode all of it and give every
//! member room of its own; a tape is one vector that the next record uses again, and it may go to another thread.

use super::{Fault, FaultKind, Number, Reader, Sink, Stop, Text, ended_early, outranked, skip_space};
use std::cell::OnceCell;
use std::ops::Range;

/// The most values and keys of one text; a text with more has no [`Record`].
pub const NODE_LIMIT: usize = 1 << 18;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    True,
    False,
    Number,
    String,
    Escaped,
    Array,
    Object,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    kind: Kind,
    /// Bytes in the text: between the quotes of a string, the digits of a number.
    start: u32,
    end: u32,
    /// Of a container the node behind it, of an escaped string its place among the decoded.
    link: u32,
}

/// Values of one or more texts that lie in one buffer.
#[derive(Debug, Default)]
pub struct Tape {
    nodes: Vec<Node>,
    decoded: Vec<OnceCell<Box<str>>>,
    open: Vec<u32>,
    reader: Reader,
}

impl Tape {
    /// Forgets all values and keeps the room.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.decoded.clear();
        // One large text must not hold its room for the rest of a session.
        if self.nodes.capacity() > NODE_LIMIT / 4 {
            self.nodes = Vec::new();
            self.decoded = Vec::new();
        }
    }

    /// The number of values and keys.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it holds no value.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Reads the one value that `text[within]` is and returns its place on the tape.
    ///
    /// # Errors
    /// As [`read`](super::read), and [`FaultKind::TooMany`]. Nothing of a text that is refused stays on the tape.
    pub fn read(&mut self, text: &str, within: Range<usize>) -> Result<u32, Fault> {
        let part = &text[..within.end];
        let read = match self.read_at(part, within.start, 0, true) {
            Ok((at, end)) => match skip_space(part.as_bytes(), end) {
                rest if rest < part.len() => {
                    self.truncate(at);
                    Err(Fault::syntax("text behind the value", rest))
                }
                _ => Ok(at),
            },
            Err(Stop::Fault(fault)) => Err(fault),
            Err(Stop::Incomplete) => Err(Fault { offset: part.len(), ..ended_early(&part[within.start..]) }),
        };
        read.map_err(|fault| Fault { offset: fault.offset - within.start, ..fault })
            .map_err(|fault| outranked(fault, &part[within.start..], 0))
    }

    /// Reads the value that starts at `at` in `text`, as [`Reader::value`] does; returns its place on the tape and the
    /// offset behind it.
    ///
    /// # Errors
    /// As [`Reader::value`], and [`FaultKind::TooMany`]; nothing stays on the tape then.
    pub fn read_at(&mut self, text: &str, at: usize, outer: usize, last: bool) -> Result<(u32, usize), Stop> {
        let place = self.nodes.len() as u32;
        let mut reader = std::mem::take(&mut self.reader);
        let limit = self.nodes.len() + NODE_LIMIT;
        let read = reader.value(text, at, outer, last, &mut Writer { tape: self, base: text.as_ptr().addr(), limit });
        self.reader = reader;
        self.open.clear();
        if read.is_err() {
            self.truncate(place);
        }
        read.map(|end| (place, end))
    }

    /// Takes the value at `at`, and what was read behind it, off the tape again.
    pub fn truncate(&mut self, at: u32) {
        let slots = self.nodes[at as usize..].iter().filter(|node| node.kind == Kind::Escaped).count();
        self.decoded.truncate(self.decoded.len() - slots);
        self.nodes.truncate(at as usize);
    }

    /// The value at `at`, which [`read`](Self::read) returned for a text in the buffer `text`.
    pub fn record<'t>(&'t self, text: &'t str, at: u32) -> Record<'t> {
        Record { tape: self, text, at }
    }
}

struct Writer<'t> {
    tape: &'t mut Tape,
    base: usize,
    limit: usize,
}

impl Writer<'_> {
    fn push(&mut self, kind: Kind, raw: &str) {
        let start = (raw.as_ptr().addr() - self.base) as u32;
        self.tape.nodes.push(Node { kind, start, end: start + raw.len() as u32, link: 0 });
    }

    fn text(&mut self, text: Text<'_>) {
        if text.is_escaped() {
            self.push(Kind::Escaped, text.raw());
            let slot = self.tape.decoded.len() as u32;
            self.tape.decoded.push(OnceCell::new());
            self.tape.nodes.last_mut().expect("one was pushed").link = slot;
        } else {
            self.push(Kind::String, text.raw());
        }
    }

    fn bare(&mut self, kind: Kind) {
        self.tape.nodes.push(Node { kind, start: 0, end: 0, link: 0 });
    }

    fn begin(&mut self, kind: Kind) {
        self.tape.open.push(self.tape.nodes.len() as u32);
        self.bare(kind);
    }

    fn end(&mut self) {
        let open = self.tape.open.pop().expect("a container closes that was opened");
        self.tape.nodes[open as usize].link = self.tape.nodes.len() as u32;
    }
}

impl<'a> Sink<'a> for Writer<'_> {
    fn begin_object(&mut self) {
        self.begin(Kind::Object);
    }
    fn key(&mut self, key: Text<'a>) {
        self.text(key);
    }
    fn end_object(&mut self) {
        self.end();
    }
    fn begin_array(&mut self) {
        self.begin(Kind::Array);
    }
    fn end_array(&mut self) {
        self.end();
    }
    fn string(&mut self, text: Text<'a>) {
        self.text(text);
    }
    fn number(&mut self, number: Number<'a>) {
        self.push(Kind::Number, number.as_str());
    }
    fn boolean(&mut self, value: bool) {
        self.bare(if value { Kind::True } else { Kind::False });
    }
    fn null(&mut self) {
        self.bare(Kind::Null);
    }
    fn full(&self) -> Option<FaultKind> {
        (self.tape.nodes.len() >= self.limit).then_some(FaultKind::TooMany(NODE_LIMIT))
    }
}

/// A value on a [`Tape`].
#[derive(Clone, Copy)]
pub struct Record<'t> {
    tape: &'t Tape,
    text: &'t str,
    at: u32,
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record").field("at", &self.at).finish_non_exhaustive()
    }
}

impl<'t> Record<'t> {
    fn node(self) -> Node {
        self.tape.nodes[self.at as usize]
    }

    fn behind(self) -> u32 {
        let node = self.node();
        if matches!(node.kind, Kind::Array | Kind::Object) { node.link } else { self.at + 1 }
    }

    fn to(self, at: u32) -> Self {
        Self { at, ..self }
    }

    fn raw(self) -> &'t str {
        let node = self.node();
        &self.text[node.start as usize..node.end as usize]
    }

    /// The member `key` of an object; `None` for anything else.
    pub fn get(self, key: &str) -> Option<Self> {
        self.members().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// The members of an object; none for anything else.
    pub fn members(self) -> Members<'t> {
        let node = self.node();
        if node.kind == Kind::Object { Members { next: self.to(self.at + 1), end: node.link } } else { Members { next: self, end: 0 } }
    }

    /// The elements of a list; `None` for anything else.
    pub fn elements(self) -> Option<Elements<'t>> {
        let node = self.node();
        (node.kind == Kind::Array).then_some(Elements { next: self.to(self.at + 1), end: node.link })
    }

    /// What it is, to be matched.
    pub fn shape(self) -> Shape<'t> {
        match self.node().kind {
            Kind::String | Kind::Escaped => Shape::String(self.as_str().unwrap_or_default()),
            Kind::Array => self.elements().map_or(Shape::Other, Shape::Array),
            Kind::Object => Shape::Object(self),
            _ => Shape::Other,
        }
    }

    /// The string, if it is one; unescaped when it is asked for, and once.
    pub fn as_str(self) -> Option<&'t str> {
        let node = self.node();
        match node.kind {
            Kind::String => Some(self.raw()),
            Kind::Escaped => Some(self.tape.decoded[node.link as usize].get_or_init(|| {
                let raw = self.raw();
                let mut decoded = String::with_capacity(raw.len());
                super::unescape_into(raw, &mut decoded);
                decoded.into_boxed_str()
            })),
            _ => None,
        }
    }

    /// The string as it stands between its quotes, escapes and all.
    pub fn as_raw(self) -> Option<&'t str> {
        matches!(self.node().kind, Kind::String | Kind::Escaped).then(|| self.raw())
    }

    /// The number, if it is one.
    pub fn as_number(self) -> Option<Number<'t>> {
        (self.node().kind == Kind::Number).then(|| Number::again(self.raw()))
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.node().kind == Kind::Object
    }

    /// Whether it is a list.
    pub fn is_array(self) -> bool {
        self.node().kind == Kind::Array
    }

    /// Whether it is exactly the boolean `wanted`.
    pub fn is_bool(self, wanted: bool) -> bool {
        self.node().kind == if wanted { Kind::True } else { Kind::False }
    }
}

/// A value by its kind.
#[derive(Debug, Clone, Copy)]
pub enum Shape<'t> {
    /// A string, unescaped.
    String(&'t str),
    /// A list.
    Array(Elements<'t>),
    /// An object.
    Object(Record<'t>),
    /// Anything else.
    Other,
}

/// Elements of a list.
#[derive(Debug, Clone, Copy)]
pub struct Elements<'t> {
    next: Record<'t>,
    end: u32,
}

impl<'t> Iterator for Elements<'t> {
    type Item = Record<'t>;

    fn next(&mut self) -> Option<Self::Item> {
        let value = (self.next.at < self.end).then_some(self.next)?;
        self.next.at = value.behind();
        Some(value)
    }
}

/// Members of an object.
#[derive(Debug, Clone, Copy)]
pub struct Members<'t> {
    next: Record<'t>,
    end: u32,
}

impl<'t> Iterator for Members<'t> {
    type Item = (&'t str, Record<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = (self.next.at < self.end).then_some(self.next)?;
        let value = key.to(key.at + 1);
        self.next.at = value.behind();
        Some((key.as_str().unwrap_or_default(), value))
    }
}

#[cfg(test)]
mod tests;
