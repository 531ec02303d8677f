//! The layout of a text: all of it but its strings, numbers, booleans and nulls.
//!
//! Records of one type are mostly written by one writer, with the same members in the same order. What stands between
//! their values was read strictly once, so of the next text it need only be compared: no key is read and looked for
//! among its siblings again, and every container has its room at once. A text that differs in any byte of it, or has
//! a fault, is read as if no layout were known.

mod learn;

use self::learn::Learner;
use super::number::read_number;
use super::read::word;
use super::string::read_string;
use super::{Reader, Value};
use std::borrow::Cow;

/// The longest text whose layout is kept, in bytes.
const LONGEST: usize = 16 << 10;
/// The most steps of a layout that is kept.
const STEPS: usize = 2048;
/// Layouts that are kept; another one takes the place of the oldest.
const KEPT: usize = 32;
/// Layouts that a text is held against, and so what a stream costs at most in which no layout comes twice.
const TRIED: usize = 3;
/// After so many texts without a layout that fits, only one in so many has its own kept.
const PATIENCE: u32 = 64;
/// The last bytes of a text by which its layout is guessed. A record in canonical order ends with its type.
const TAIL: usize = 24;

/// The layouts of texts that were read before.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    /// Each with the [tail](tail_of) of its text.
    known: Vec<(u64, Layout)>,
    /// Where the next one goes, once all places are taken.
    oldest: usize,
    /// The one that fitted last.
    last: usize,
    /// Texts since one fitted.
    misses: u32,
    /// Whether the last text was read by a layout, and is [plain](Layout::plain).
    is_plain: bool,
}

impl Layouts {
    /// Reads a text whose layout is known; nothing where it is not, or where the text has a fault.
    pub(super) fn read<'a>(&mut self, text: &'a str) -> Option<Value<'a>> {
        let tail = tail_of(text);
        let guessed = self.known.iter().enumerate().filter(|(_, (other, _))| *other == tail).map(|(place, _)| place);
        let last = (self.last < self.known.len() && self.known[self.last].0 != tail).then_some(self.last);
        let found = guessed.take(TRIED).chain(last).find_map(|place| Some((place, self.known[place].1.read(text)?)));
        self.misses = if found.is_some() { 0 } else { self.misses.saturating_add(1) };
        self.is_plain = false;
        let (place, (value, is_plain)) = found?;
        (self.last, self.is_plain) = (place, is_plain);
        Some(value)
    }

    /// Whether the last text is known to have no white space between its values, no escapes, and members in order.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Keeps the layout of a text that was read as this value, unless none fits for long.
    pub(super) fn learn(&mut self, text: &str, value: &Value<'_>, reader: &mut Reader) {
        // Most parsers read one text, and learning costs what reading does.
        if self.misses < 2 || (self.misses >= PATIENCE && !self.misses.is_multiple_of(PATIENCE)) {
            return;
        }
        let Some(layout) = Layout::of(text, value, reader) else { return };
        if self.known.len() < KEPT {
            self.known.push((tail_of(text), layout));
        } else {
            self.known[self.oldest] = (tail_of(text), layout);
            self.oldest = (self.oldest + 1) % KEPT;
        }
    }
}

/// A number for the last bytes of a text. Texts whose numbers are equal by chance are held against layouts that do not fit.
fn tail_of(text: &str) -> u64 {
    let tail = text.as_bytes().last_chunk::<TAIL>();
    let words = tail.map_or(&[][..], |tail| tail.as_chunks::<8>().0);
    words.iter().fold(0, |tail, word| (tail ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23))
}

/// What a text holds beside its strings, numbers, booleans and nulls.
#[derive(Debug, Default)]
struct Layout {
    /// What stands before each of them and behind the last, one behind the other; the quotes of a string are part of it.
    between: Vec<u8>,
    steps: Vec<Step>,
    /// Whether its texts have no white space between their values, and their own members in order.
    plain: bool,
}

/// What comes next in a text.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// So many of the bytes between.
    Between(u32),
    /// A key: where it begins in the bytes between that came last, and its length.
    Key(u32, u32),
    /// An object with so many members begins.
    Object(u32),
    /// A list with so many elements begins.
    Array(u32),
    /// What began last ends.
    End,
    /// A string, or else a number, a boolean or null.
    Value(Of),
    /// What is most of a record, in one: so many of the bytes between, the one key among them, and its value.
    Member(u32, u32, u32, Of),
}

/// What a value begins with.
#[derive(Debug, Clone, Copy)]
enum Of {
    /// A quote, which is part of the bytes between.
    String,
    /// Its first byte.
    Bare,
}

impl Layout {
    /// The layout of a text that has no fault; nothing of one that is too large to be kept.
    fn of(text: &str, value: &Value<'_>, reader: &mut Reader) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut learner = Learner::of(text);
        reader.whole_text(text, &mut learner).ok()?;
        learner.between(text.len());
        let is_sorted = value.members().is_sorted_by_key(|(key, _)| key);
        learner.layout.plain = is_sorted && plain_length(value) == Some(text.len());
        let kept = learner.begun && !learner.has_escaped_key && learner.layout.steps.len() <= STEPS;
        kept.then_some(learner.layout)
    }

    /// Reads a text of this layout, and says whether it is [plain](Layout::plain) and has no escapes; nothing where it has
    /// another layout or a fault.
    fn read<'a>(&self, text: &'a str) -> Option<(Value<'a>, bool)> {
        let mut between = Between { layout: &self.between, text, start: 0, end: 0 };
        let mut is_plain = self.plain;
        let mut open: Vec<(&'a str, Value<'a>)> = Vec::new();
        let (mut key, mut inner) = ("", Value::Null);
        for step in &self.steps {
            let value = match *step {
                Step::Member(length, offset, key_length, of) => {
                    between.pass(length)?;
                    key = between.key(offset, key_length)?;
                    between.value(of, &mut is_plain)?
                }
                Step::Value(of) => between.value(of, &mut is_plain)?,
                Step::Between(length) => {
                    between.pass(length)?;
                    continue;
                }
                Step::Key(offset, length) => {
                    key = between.key(offset, length)?;
                    continue;
                }
                Step::Object(members) => {
                    open.push((key, std::mem::replace(&mut inner, Value::Object(Vec::with_capacity(members as usize)))));
                    continue;
                }
                Step::Array(elements) => {
                    open.push((key, std::mem::replace(&mut inner, Value::Array(Vec::with_capacity(elements as usize)))));
                    continue;
                }
                Step::End => {
                    let outer;
                    (key, outer) = open.pop()?;
                    std::mem::replace(&mut inner, outer)
                }
            };
            match &mut inner {
                Value::Object(members) => members.push((Cow::Borrowed(key), value)),
                Value::Array(elements) => elements.push(value),
                whole => *whole = value,
            }
        }
        (between.end == text.len()).then_some((inner, is_plain))
    }
}

/// How far a text was held against its layout.
struct Between<'l, 'a> {
    /// The bytes between that are still to come.
    layout: &'l [u8],
    text: &'a str,
    /// Where those that came last begin.
    start: usize,
    /// What was passed of the text.
    end: usize,
}

impl<'a> Between<'_, 'a> {
    /// Passes so many of the bytes between, if the text has them.
    fn pass(&mut self, length: u32) -> Option<()> {
        let (expected, others) = self.layout.split_at_checked(length as usize)?;
        self.start = self.end;
        self.end += expected.len();
        self.layout = others;
        (self.text.as_bytes().get(self.start..self.end)? == expected).then_some(())
    }

    /// A key among the bytes between that came last.
    fn key(&self, offset: u32, length: u32) -> Option<&'a str> {
        let start = self.start + offset as usize;
        self.text.get(start..start + length as usize)
    }

    /// Reads a value; one with an escape in it is not plain.
    fn value(&mut self, of: Of, is_plain: &mut bool) -> Option<Value<'a>> {
        match of {
            Of::String => {
                let (string, end) = read_string(self.text, self.end - 1).ok()?;
                // Its closing quote is the first of the bytes between that follow.
                self.end = end - 1;
                *is_plain &= !string.is_escaped();
                Some(Value::String(string.decode()))
            }
            Of::Bare => {
                let (value, end) = read_bare(self.text, self.end)?;
                self.end = end;
                Some(value)
            }
        }
    }
}

/// The bytes of a value that is written without white space; nothing of one in whose text there was an escape.
fn plain_length(value: &Value<'_>) -> Option<usize> {
    let quoted = |text: &Cow<'_, str>| matches!(text, Cow::Borrowed(_)).then(|| text.len() + 2);
    let of_values = |values: usize, length: usize| length + values.saturating_sub(1) + 2;
    match value {
        Value::Null | Value::Bool(true) => Some(4),
        Value::Bool(false) => Some(5),
        Value::Number(number) => Some(number.as_str().len()),
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let length = items.iter().try_fold(0, |length, item| Some(length + plain_length(item)?))?;
            Some(of_values(items.len(), length))
        }
        Value::Object(members) => {
            let member = |length: usize, (key, value): &(_, _)| Some(length + quoted(key)? + 1 + plain_length(value)?);
            Some(of_values(members.len(), members.iter().try_fold(0, member)?))
        }
    }
}

/// Reads a number, a boolean or null, and says where it ends.
fn read_bare(text: &str, at: usize) -> Option<(Value<'_>, usize)> {
    let bytes = text.as_bytes();
    let (said, value) = match bytes.get(at)? {
        b't' => (&b"true"[..], Value::Bool(true)),
        b'f' => (&b"false"[..], Value::Bool(false)),
        b'n' => (&b"null"[..], Value::Null),
        b'-' | b'0'..=b'9' => return read_number(text, at, true).ok().map(|(number, end)| (Value::Number(number), end)),
        _ => return None,
    };
    Some((value, word(bytes, at, said).ok()?))
}

#[cfg(test)]
mod tests;
