//! The strict reader itself: one pass, no recursion, borrowed events.

use super::keys::{LargeObjects, OpenKeys};
use super::number::read_number;
use super::string::read_string;
use super::{Fault, FaultKind, Sink};

/// Arrays and objects may nest this deep; the outermost value is depth 1.
pub const DEPTH_LIMIT: usize = 128;

/// Why reading stopped before the value ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The text ended inside the value.
    Incomplete,
    /// The text is not acceptable.
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Reads values; holds the buffers that are worth keeping between texts.
#[derive(Debug, Default)]
pub struct Reader {
    keys: OpenKeys,
    /// One entry a container now open: true for an object.
    open: Vec<bool>,
}

impl Reader {
    /// A reader with empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a whole text: one value, nothing but white space around it.
    ///
    /// # Errors
    /// As [`read`].
    pub fn whole<'a>(&mut self, bytes: &'a [u8], sink: &mut impl Sink<'a>) -> Result<(), Fault> {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => return Err(Fault { kind: FaultKind::Encoding, offset: error.valid_up_to() }),
        };
        self.whole_text(text, sink)
    }

    /// As [`Reader::whole`], of what is known to be UTF-8.
    ///
    /// # Errors
    /// As [`read`].
    pub fn whole_text<'a>(&mut self, text: &'a str, sink: &mut impl Sink<'a>) -> Result<(), Fault> {
        self.text(text, sink).map_err(|fault| outranked(fault, text, 0))
    }

    fn text<'a>(&mut self, text: &'a str, sink: &mut impl Sink<'a>) -> Result<(), Fault> {
        let end = match self.value(text, 0, 0, true, sink) {
            Ok(end) => end,
            Err(Stop::Fault(fault)) => return Err(fault),
            Err(Stop::Incomplete) => return Err(ended_early(text)),
        };
        let rest = skip_space(text.as_bytes(), end);
        if rest < text.len() { Err(Fault::syntax("text behind the value", rest)) } else { Ok(()) }
    }

    /// Reads the one value that starts at `at` (after white space) into `sink` and returns the
    /// offset behind it.
    ///
    /// `outer` is the number of containers around it; `last` says that no text follows, so that a
    /// number may end with it.
    ///
    /// # Errors
    /// [`Stop::Incomplete`] when the text ends inside the value, [`Stop::Fault`] at the first fault.
    pub fn value<'a>(&mut self, text: &'a str, at: usize, outer: usize, last: bool, sink: &mut impl Sink<'a>) -> Result<usize, Stop> {
        let bytes = text.as_bytes();
        self.keys.clear();
        self.open.clear();
        let mut large = LargeObjects::new();
        let mut pos = skip_space(bytes, at);
        loop {
            // A value starts here.
            match bytes.get(pos) {
                None => return Err(Stop::Incomplete),
                Some(b'"') => {
                    let (string, end) = read_string(text, pos)?;
                    sink.string(string);
                    pos = end;
                }
                Some(&byte @ (b'{' | b'[')) => {
                    if outer + self.open.len() >= DEPTH_LIMIT {
                        return Err(Fault { kind: FaultKind::Depth, offset: pos }.into());
                    }
                    let object = byte == b'{';
                    let inside = skip_space(bytes, pos + 1);
                    let close = if object { b'}' } else { b']' };
                    if object {
                        sink.begin_object();
                    } else {
                        sink.begin_array();
                    }
                    match bytes.get(inside) {
                        None => return Err(Stop::Incomplete),
                        Some(&byte) if byte == close => {
                            if object {
                                sink.end_object();
                            } else {
                                sink.end_array();
                            }
                            pos = inside + 1;
                        }
                        Some(_) => {
                            self.open.push(object);
                            pos = inside;
                            if object {
                                self.keys.open();
                                pos = self.key(text, pos, &mut large, sink)?;
                            }
                            continue;
                        }
                    }
                }
                Some(b'-' | b'0'..=b'9') => {
                    let (number, end) = read_number(text, pos, last)?;
                    sink.number(number);
                    pos = end;
                }
                Some(b't') => {
                    pos = word(bytes, pos, b"true")?;
                    sink.boolean(true);
                }
                Some(b'f') => {
                    pos = word(bytes, pos, b"false")?;
                    sink.boolean(false);
                }
                Some(b'n') => {
                    pos = word(bytes, pos, b"null")?;
                    sink.null();
                }
                Some(_) => return Err(unexpected_value(bytes, pos).into()),
            }
            // A value has ended here: close what closes, or go on to the next.
            loop {
                let Some(&object) = self.open.last() else { return Ok(pos) };
                pos = skip_space(bytes, pos);
                match bytes.get(pos) {
                    None => return Err(Stop::Incomplete),
                    Some(b',') => {
                        if let Some(kind) = sink.full() {
                            return Err(Fault { kind, offset: pos }.into());
                        }
                        pos = skip_space(bytes, pos + 1);
                        if object {
                            pos = self.key(text, pos, &mut large, sink)?;
                        }
                        break;
                    }
                    Some(b'}') if object => {
                        self.keys.close(&mut large);
                        self.open.pop();
                        sink.end_object();
                        pos += 1;
                    }
                    Some(b']') if !object => {
                        self.open.pop();
                        sink.end_array();
                        pos += 1;
                    }
                    Some(_) if object => return Err(Fault::syntax("something other than a comma or } behind a member", pos).into()),
                    Some(_) => return Err(Fault::syntax("something other than a comma or ] behind an element", pos).into()),
                }
            }
        }
    }

    /// Reads a key and its colon; returns the offset of the value.
    fn key<'a>(&mut self, text: &'a str, pos: usize, large: &mut LargeObjects<'a>, sink: &mut impl Sink<'a>) -> Result<usize, Stop> {
        let bytes = text.as_bytes();
        match bytes.get(pos) {
            None => return Err(Stop::Incomplete),
            Some(b'"') => {}
            Some(_) => return Err(Fault::syntax("something other than a quoted key", pos).into()),
        }
        let (key, end) = read_string(text, pos)?;
        if !self.keys.insert(text, key, pos + 1, large) {
            return Err(Fault { kind: FaultKind::DuplicateKey, offset: pos }.into());
        }
        sink.key(key);
        let colon = skip_space(bytes, end);
        match bytes.get(colon) {
            None => Err(Stop::Incomplete),
            Some(b':') => Ok(skip_space(bytes, colon + 1)),
            Some(_) => Err(Fault::syntax("a key without a colon", colon).into()),
        }
    }
}

/// Reads a whole text: one value, nothing but white space around it.
///
/// # Errors
/// The fault that outranks the others: encoding, then depth, then the first one met.
pub fn read<'a>(bytes: &'a [u8], sink: &mut impl Sink<'a>) -> Result<(), Fault> {
    Reader::new().whole(bytes, sink)
}

/// The depth fault of `text` if it has one, else `fault`.
pub(crate) fn outranked(fault: Fault, text: &str, outer: usize) -> Fault {
    if fault.kind == FaultKind::Depth {
        return fault;
    }
    super::too_deep_at(text, outer).map_or(fault, |offset| Fault { kind: FaultKind::Depth, offset })
}

pub(crate) fn ended_early(text: &str) -> Fault {
    let what = if text.trim_ascii().is_empty() { "no value at all" } else { "an end inside a value" };
    Fault::syntax(what, text.len())
}

/// The offset of the next byte that is not JSON's white space.
pub(crate) fn skip_space(bytes: &[u8], mut pos: usize) -> usize {
    while matches!(bytes.get(pos), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        pos += 1;
    }
    pos
}

pub(super) fn word(bytes: &[u8], pos: usize, word: &'static [u8]) -> Result<usize, Stop> {
    let end = (pos + word.len()).min(bytes.len());
    if bytes[pos..end] != word[..end - pos] {
        return Err(unexpected_value(bytes, pos).into());
    }
    if end - pos < word.len() { Err(Stop::Incomplete) } else { Ok(end) }
}

fn unexpected_value(bytes: &[u8], pos: usize) -> Fault {
    let what = match &bytes[pos..] {
        [0xEF, 0xBB, 0xBF, ..] => "a byte order mark",
        [b'N', b'a', b'N', ..] | [b'I', b'n', b'f', ..] => "NaN or Infinity, which JSON does not have",
        [b'\'', ..] => "a single quote where a value is due",
        [b',' | b']' | b'}' | b':', ..] => "punctuation where a value is due",
        _ => "something that is no JSON value",
    };
    Fault::syntax(what, pos)
}

#[cfg(test)]
mod tests {
    use super::super::Nothing;
    use super::*;

    #[test]
    fn what_is_refused_is_named_where_it_stands() {
        let (comma, member) = ("something other than a comma or ] behind an element", "something other than a comma or } behind a member");
        let (due, no_value) = ("punctuation where a value is due", "something that is no JSON value");
        for (text, what, offset) in [
            ("[1}", comma, 2),
            ("[[1}]", comma, 3),
            ("[1 2]", comma, 3),
            ("[1:2]", comma, 2),
            (r#"{"a":1]"#, member, 6),
            (r#"{"a":[1]]"#, member, 8),
            (r#"{"a":1 "b":2}"#, member, 7),
            (r#"{"a" 1}"#, "a key without a colon", 5),
            (r#"{"a","b":1}"#, "a key without a colon", 4),
            ("{a:1}", "something other than a quoted key", 1),
            ("{]", "something other than a quoted key", 1),
            (r#"{"a":1,}"#, "something other than a quoted key", 7),
            ("[1,]", due, 3),
            ("[}", due, 1),
            (r#"{"a":}"#, due, 5),
            (":", due, 0),
            ("\u{feff}1", "a byte order mark", 0),
            ("NaN", "NaN or Infinity, which JSON does not have", 0),
            ("Infinity", "NaN or Infinity, which JSON does not have", 0),
            ("'a'", "a single quote where a value is due", 0),
            ("trux", no_value, 0),
            ("[fulse]", no_value, 1),
            ("nul]", no_value, 0),
            ("", "no value at all", 0),
            (" \n", "no value at all", 2),
            ("[1", "an end inside a value", 2),
            ("tru", "an end inside a value", 3),
            ("  tru", "an end inside a value", 5),
            ("1 2", "text behind the value", 2),
            ("[] ]", "text behind the value", 3),
        ] {
            assert_eq!(read(text.as_bytes(), &mut Nothing), Err(Fault::syntax(what, offset)), "{text}");
        }
    }

    #[test]
    fn a_value_that_is_cut_anywhere_may_go_on() {
        let text = r#"{"a": [true, false, null, -1.5e3, "x\u0041\n", {}, []], "b": {"c": [[1], {"d": 0}]}}"#;
        let read = |end: usize, last: bool| Reader::new().value(&text[..end], 0, 0, last, &mut Nothing);
        assert_eq!(read(text.len(), false), Ok(text.len()));
        assert_eq!(read(text.len(), true), Ok(text.len()));
        for end in 0..text.len() {
            assert_eq!(read(end, false), Err(Stop::Incomplete), "{}", &text[..end]);
        }
    }

    #[test]
    fn containers_around_a_value_count_as_depth() {
        let nested = "[".repeat(3) + &"]".repeat(3);
        let read = |outer: usize| Reader::new().value(&nested, 0, outer, true, &mut Nothing);
        assert_eq!(read(DEPTH_LIMIT - 3), Ok(6));
        assert_eq!(read(DEPTH_LIMIT - 2), Err(Stop::Fault(Fault { kind: FaultKind::Depth, offset: 2 })));
    }
}
