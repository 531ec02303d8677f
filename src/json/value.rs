//! A value as a tree, for the small inputs that are read whole.

use super::layout::Layouts;
use super::{Fault, FaultKind, Number, Reader, Sink, Text};
use std::borrow::Cow;

/// A JSON value; strings are decoded, numbers stay as written, object order is the text's.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as written.
    Number(Number<'a>),
    /// A string, unescaped.
    String(Cow<'a, str>),
    /// A list.
    Array(Vec<Value<'a>>),
    /// An object; the reader has refused equal keys.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// The member `key` of an object; `None` for anything else.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.members().iter().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// The members of an object; empty for anything else.
    pub fn members(&self) -> &[(Cow<'a, str>, Value<'a>)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// The elements of a list; `None` for anything else.
    pub fn elements(&self) -> Option<&[Value<'a>]> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<Number<'a>> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// Whether it is exactly the boolean `wanted`.
    pub fn is_bool(&self, wanted: bool) -> bool {
        *self == Self::Bool(wanted)
    }

    /// JSON text that means the value, on one line.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(number) => out.push_str(number.as_str()),
            Self::String(text) => out.push_str(&quoted(text)),
            Self::Array(elements) => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    element.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    out.push_str(&quoted(key));
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// Sends the value to `sink` as the reader would have.
    pub fn send<'s>(&'s self, sink: &mut impl Sink<'s>) {
        match self {
            Self::Null => sink.null(),
            Self::Bool(value) => sink.boolean(*value),
            Self::Number(number) => sink.number(*number),
            Self::String(text) => sink.string(Text::plain(text)),
            Self::Array(elements) => {
                sink.begin_array();
                elements.iter().for_each(|element| element.send(sink));
                sink.end_array();
            }
            Self::Object(members) => {
                sink.begin_object();
                for (key, value) in members {
                    sink.key(Text::plain(key));
                    value.send(sink);
                }
                sink.end_object();
            }
        }
    }
}

/// Reads a whole text into a tree.
///
/// # Errors
/// As [`read`](super::read).
pub fn parse(bytes: &[u8]) -> Result<Value<'_>, Fault> {
    Parser::default().parse(bytes)
}

/// Reads texts into trees, one after another, and keeps its buffers and their layouts between them.
#[derive(Debug, Default)]
pub struct Parser {
    reader: Reader,
    tree: Tree<'static>,
    layouts: Layouts,
}

impl Parser {
    /// Reads a whole text into a tree.
    ///
    /// # Errors
    /// As [`read`](super::read).
    pub fn parse<'a>(&mut self, bytes: &'a [u8]) -> Result<Value<'a>, Fault> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.parse_text(text),
            Err(error) => Err(Fault { kind: FaultKind::Encoding, offset: error.valid_up_to() }),
        }
    }

    /// As [`Parser::parse`], of what is known to be UTF-8.
    ///
    /// # Errors
    /// As [`read`](super::read).
    pub fn parse_text<'a>(&mut self, text: &'a str) -> Result<Value<'a>, Fault> {
        if let Some(value) = self.layouts.read(text) {
            return Ok(value);
        }
        let mut tree: Tree<'a> = std::mem::take(&mut self.tree);
        tree.reserve(text.len());
        let value = self.reader.whole_text(text, &mut tree).map(|()| tree.take());
        self.tree = tree.emptied();
        if let Ok(value) = &value {
            self.layouts.learn(text, value, &mut self.reader);
        }
        value
    }

    /// Whether the text that was read last is known to have no white space between its values, no escapes, and its own
    /// members in order.
    pub(crate) fn is_plain(&self) -> bool {
        self.layouts.is_plain()
    }
}

/// A sink that builds the tree of the one value it is sent.
///
/// Children wait on one stack and move into a container of exactly their number when it closes:
/// millions of tiny containers do not each keep the room that a growing one is given.
#[derive(Debug, Default)]
pub struct Tree<'a> {
    /// Members of the open objects. The last one of an object waits for its value as long as that is not whole.
    members: Vec<(Cow<'a, str>, Value<'a>)>,
    /// Elements of the open lists.
    elements: Vec<Value<'a>>,
    open: Vec<Open>,
    whole: Option<Value<'a>>,
}

/// A container that was opened, and where its children start.
#[derive(Debug, Clone, Copy)]
enum Open {
    Object(usize),
    Array(usize),
}

impl<'a> Tree<'a> {
    /// The value, once it is whole.
    ///
    /// # Panics
    /// When no whole value was sent, which a reader that returned without a fault rules out.
    pub fn finish(mut self) -> Value<'a> {
        self.take()
    }

    /// Whether the value is whole.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// Makes room for what a text of so many bytes mostly holds.
    fn reserve(&mut self, bytes: usize) {
        self.members.reserve((bytes / 32).clamp(1, 64));
    }

    fn take(&mut self) -> Value<'a> {
        self.whole.take().expect("a whole value was sent")
    }

    /// The buffers, with nothing in them, for a text of another lifetime.
    fn emptied<'b>(mut self) -> Tree<'b> {
        self.members.clear();
        self.elements.clear();
        self.open.clear();
        // Collected in place: what is kept of a vector without elements is its room.
        let members = self.members.into_iter().map(|_| (Cow::Borrowed(""), Value::Null)).collect();
        let elements = self.elements.into_iter().map(|_| Value::Null).collect();
        Tree { members, elements, open: self.open, whole: None }
    }

    fn add(&mut self, value: Value<'a>) {
        match self.open.last() {
            Some(Open::Object(_)) => self.members.last_mut().expect("a key stands before its value").1 = value,
            Some(Open::Array(_)) => self.elements.push(value),
            None => self.whole = Some(value),
        }
    }

    fn end(&mut self) {
        let closed = match self.open.pop().expect("a container closes that was opened") {
            Open::Object(start) => Value::Object(self.members.drain(start..).collect()),
            Open::Array(start) => Value::Array(self.elements.drain(start..).collect()),
        };
        self.add(closed);
    }
}

impl<'a> Sink<'a> for Tree<'a> {
    fn begin_object(&mut self) {
        self.open.push(Open::Object(self.members.len()));
    }
    fn key(&mut self, key: Text<'a>) {
        self.members.push((key.decode(), Value::Null));
    }
    fn end_object(&mut self) {
        self.end();
    }
    fn begin_array(&mut self) {
        self.open.push(Open::Array(self.elements.len()));
    }
    fn end_array(&mut self) {
        self.end();
    }
    fn string(&mut self, text: Text<'a>) {
        self.add(Value::String(text.decode()));
    }
    fn number(&mut self, number: Number<'a>) {
        self.add(Value::Number(number));
    }
    fn boolean(&mut self, value: bool) {
        self.add(Value::Bool(value));
    }
    fn null(&mut self) {
        self.add(Value::Null);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_follows_the_length_of_the_text() {
        for (bytes, least, most) in [(0, 1, 63), (320, 10, 63), (1 << 20, 64, 127)] {
            let mut tree = Tree::default();
            tree.reserve(bytes);
            let room = tree.members.capacity();
            assert!((least..=most).contains(&room), "{room} for {bytes} bytes");
        }
    }

    #[test]
    fn a_parser_knows_a_plain_text_once_it_knows_its_layout() {
        let mut parser = Parser::default();
        let mut is_plain = |text: &str| parser.parse_text(text).map(|_| parser.is_plain());
        let text = r#"{"a":1,"type":"of_some_length_that_ends_it"}"#;
        assert_eq!([is_plain(text), is_plain(text), is_plain(text)], [Ok(false), Ok(false), Ok(true)]);
        assert_eq!(is_plain("[ ]"), Ok(false));
    }

    #[test]
    fn a_parser_keeps_its_room_and_nothing_else() {
        let mut parser = Parser::default();
        parser.parse(format!("[{}]", ["0"; 1000].join(",")).as_bytes()).expect("a list reads");
        assert!(parser.tree.elements.capacity() >= 1000);
        parser.parse(br#"{"a": [1, {"b": "#).expect_err("it does not end");
        assert!(parser.tree.elements.is_empty() && parser.tree.members.is_empty() && parser.tree.open.is_empty());
        assert!(parser.tree.elements.capacity() >= 1000);
        assert_eq!(parser.parse(b"[]"), Ok(Value::Array(Vec::new())));
    }
}
