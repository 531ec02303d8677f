//! A run table, judged as it is read: `work_landing_runs.json` or, one row a line, `.jsonl`.
//!
//! Rows are judged where they lie in their block; nothing but counts, the capped lists of the
//! record and a short digest of each id outlives its row. In `.json` a reading fault is the file's
//! and takes the rows' findings with it; in `.jsonl` each line is its own text.
//!
//! Longer than most files: both spellings share how a block is judged and what is kept of it.

use super::judge::RuleSet;
use super::row::RunRow;
use super::rule::TableShape;
use crate::json::{DepthScan, Fault, FaultKind, Nothing, Place, Reader, Sink, Stop, Text, ended_early, outranked, skip_space};
use crate::leak::{LeakWalk, Marked, TermSet, credential};
use crate::stream::lines::{Line, each_line};
use crate::stream::{Blocks, Mark};
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashSet;
use std::io;

/// The longest row, in bytes.
pub const ROW_LIMIT: usize = 1 << 20;
/// The most text beside the rows, in bytes, white space not counted.
pub const BESIDE_LIMIT: usize = 64 << 10;
/// The key of the rows.
pub const ROWS_KEY: &str = "work_landing_runs";

/// What whoever takes the rows of a table wants to know of the next one.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'w> {
    /// All of it.
    Row,
    /// All but what it leaks: its text is read as strictly, and not looked through a second time.
    Unscreened,
    /// All of it, if its text holds this or an escape, which can spell anything. Any other row is only counted.
    Holding(&'w memmem::Finder<'w>),
}

impl Wanted<'_> {
    /// Whether a row of this text is handed over.
    fn takes(self, text: &[u8]) -> bool {
        match self {
            Wanted::Row | Wanted::Unscreened => true,
            Wanted::Holding(part) => part.find(text).is_some() || memchr::memchr(b'\\', text).is_some(),
        }
    }
}

/// Takes the rows of a table one after another.
pub trait TakeRow {
    /// What is wanted of the next row.
    fn wanted(&self) -> Wanted<'_> {
        Wanted::Row
    }
    /// A row that was read; `index` counts from 0.
    fn row(&mut self, index: u64, row: &RunRow<'_>);
    /// A line of JSON Lines that could not be read.
    fn unreadable(&mut self, index: u64, fault: &Fault, place: Place);
    /// Whether no further row is wanted; then reading ends where it is.
    fn is_done(&self) -> bool {
        false
    }
}

/// How reading a table ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableRead {
    /// It was read to its end; credentials found beside the rows.
    Whole(TableShape, TermSet),
    /// The text is not acceptable: the file's fault.
    Fault(Fault, Place),
    /// Whoever took the rows wanted no more of them; what lies behind was not read.
    Left,
}

/// Reads `work_landing_runs.jsonl`; returns the number of rows and of blank lines.
///
/// # Errors
/// What reading met.
pub fn read_lines(blocks: &mut Blocks, take: &mut impl TakeRow) -> io::Result<(u64, u64)> {
    let mut reader = Reader::new();
    let mut rows = 0;
    let blank = each_line(blocks, ROW_LIMIT, |number, line| {
        if take.is_done() {
            return Ok(());
        }
        let at = |offset: usize| Place { line: number, column: offset as u64 + 1, offset: offset as u64 };
        match line {
            Line::Text(bytes) if !take.wanted().takes(bytes) => {}
            Line::TooLong => take.unreadable(rows, &Fault { kind: FaultKind::TooLarge(ROW_LIMIT), offset: 0 }, at(0)),
            Line::Text(bytes) => match read_row_text(&mut reader, bytes) {
                Ok(row) => take.row(rows, &row),
                Err(fault) => take.unreadable(rows, &fault, at(fault.offset)),
            },
        }
        rows += 1;
        Ok(())
    })?;
    Ok((rows, blank))
}

/// Reads a text that is one row and nothing else.
///
/// # Errors
/// The fault that outranks the others, as for any text.
pub fn read_row_text<'a>(reader: &mut Reader, bytes: &'a [u8]) -> Result<RunRow<'a>, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|error| Fault { kind: FaultKind::Encoding, offset: error.valid_up_to() })?;
    if bytes.len() > ROW_LIMIT {
        return Err(Fault { kind: FaultKind::TooLarge(ROW_LIMIT), offset: ROW_LIMIT });
    }
    let read = match RunRow::read(reader, text, 0, 0, true) {
        Ok((row, end)) if skip_space(text.as_bytes(), end) == text.len() => Ok(row),
        Ok((_, end)) => Err(Fault::syntax("text behind the value", end)),
        Err(Stop::Fault(fault)) => Err(fault),
        Err(Stop::Incomplete) => Err(ended_early(text)),
    };
    read.map_err(|fault| outranked(fault, text, 0))
}

/// Reads `work_landing_runs.json`.
///
/// # Errors
/// What reading met.
pub fn read_table(blocks: &mut Blocks, take: &mut impl TakeRow) -> io::Result<TableRead> {
    read_blocks(blocks, false, take)
}

/// As [`read_table`], of blocks in which [`crate::leak::screen::mark`] has marked what could be a leak.
///
/// # Errors
/// What reading met.
pub(super) fn read_screened_table(blocks: &mut Blocks, take: &mut impl TakeRow) -> io::Result<TableRead> {
    read_blocks(blocks, true, take)
}

/// What was marked of a window: everything that could be a leak and does not begin in what was carried over.
struct Screened<'w> {
    from: usize,
    marks: &'w [Mark],
}

impl<'w> Screened<'w> {
    /// What was marked of the row from `start` to `end`; not known of a row that was carried over.
    fn of_row(&self, start: usize, end: usize) -> Option<Marked<'w>> {
        let (start, end) = (start.checked_sub(self.from)?, end - self.from);
        let behind = &self.marks[self.marks.partition_point(|mark| mark.at < start)..];
        let length = behind.iter().take_while(|mark| mark.at < end).count();
        Some(Marked { from: self.from, marks: Cow::Borrowed(&behind[..length]) })
    }
}

fn read_blocks(blocks: &mut Blocks, is_screened: bool, take: &mut impl TakeRow) -> io::Result<TableRead> {
    let mut table = TableReader::new();
    let mut carry = 0;
    while let Some(window) = blocks.next(carry)? {
        let (text, bad_at) = match std::str::from_utf8(window.bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let (good, _) = window.bytes.split_at(error.valid_up_to());
                let cut = error.error_len().is_none() && !window.last;
                (std::str::from_utf8(good).expect("the part before the error is UTF-8"), (!cut).then_some(good.len()))
            }
        };
        if let Some(offset) = bad_at {
            return Ok(table.fault(text, Fault { kind: FaultKind::Encoding, offset }));
        }
        let screened = is_screened.then_some(Screened { from: window.carried, marks: window.marks });
        match table.feed(text, window.last, &screened, take) {
            Ok(_) if take.is_done() => return Ok(TableRead::Left),
            Ok(used) => {
                table.pass(&text[..used]);
                carry = window.bytes.len() - used;
            }
            Err(Failure { fault, unit, outer }) => {
                let first = table.fault(text, fault.clone());
                table.pass(&text[..unit]);
                let rest = text[unit..].to_owned();
                let cut = window.bytes.len() - text.len();
                return outrank_rest(blocks, table, fault, first, rest, outer, cut);
            }
        }
    }
    Ok(TableRead::Whole(table.shape, table.beside_terms))
}

/// Goes on behind a fault, for the two that outrank it: bytes that are not UTF-8 anywhere, then
/// nesting that is too deep.
fn outrank_rest(
    blocks: &mut Blocks,
    mut table: TableReader,
    fault: Fault,
    first: TableRead,
    rest: String,
    outer: usize,
    mut carry: usize,
) -> io::Result<TableRead> {
    let mut scan = DepthScan::new(outer);
    let mut deep = if fault.kind == FaultKind::Depth { Some(first.clone()) } else { None };
    let look = |table: &TableReader, scan: &mut DepthScan, deep: &mut Option<TableRead>, text: &str| {
        if deep.is_none()
            && let Some(offset) = scan.feed(text.as_bytes())
        {
            *deep = Some(table.fault(text, Fault { kind: FaultKind::Depth, offset }));
        }
    };
    look(&table, &mut scan, &mut deep, &rest);
    table.pass(&rest);
    while let Some(window) = blocks.next(carry)? {
        let (text, error) = match std::str::from_utf8(window.bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                (std::str::from_utf8(&window.bytes[..error.valid_up_to()]).expect("the part before the error is UTF-8"), Some(error))
            }
        };
        if error.is_some_and(|error| error.error_len().is_some() || window.last) {
            return Ok(table.fault(text, Fault { kind: FaultKind::Encoding, offset: text.len() }));
        }
        look(&table, &mut scan, &mut deep, text);
        table.pass(text);
        carry = window.bytes.len() - text.len();
    }
    Ok(deep.unwrap_or(first))
}

/// Where the reader stands between two units of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Start,
    FirstKey,
    Key,
    Colon,
    MemberValue,
    RowsValue,
    FirstRow,
    Row,
    AfterRow,
    AfterMember,
    Tail,
}

#[derive(Debug)]
struct TableReader {
    reader: Reader,
    phase: Phase,
    shape: TableShape,
    keys: HashSet<String>,
    key_is_rows: bool,
    rows: u64,
    beside: usize,
    beside_terms: TermSet,
    /// What lies before the window: bytes, newlines, bytes since the last newline.
    passed: u64,
    lines: u64,
    column: u64,
}

/// A fault, the offset its unit starts at, and how many containers are open there.
struct Failure {
    fault: Fault,
    unit: usize,
    outer: usize,
}

impl TableReader {
    fn new() -> Self {
        Self {
            reader: Reader::new(),
            phase: Phase::Start,
            shape: TableShape::KeyAbsent,
            keys: HashSet::new(),
            key_is_rows: false,
            rows: 0,
            beside: 0,
            beside_terms: TermSet::default(),
            passed: 0,
            lines: 0,
            column: 0,
        }
    }

    /// Takes note that `text` lies behind the reader now.
    fn pass(&mut self, text: &str) {
        let bytes = text.as_bytes();
        self.passed += bytes.len() as u64;
        match memchr::memrchr(b'\n', bytes) {
            None => self.column += bytes.len() as u64,
            Some(last) => {
                self.lines += memchr::memchr_iter(b'\n', bytes).count() as u64;
                self.column = (bytes.len() - last - 1) as u64;
            }
        }
    }

    fn fault(&self, text: &str, fault: Fault) -> TableRead {
        let mut place = Place::in_text(text.as_bytes(), fault.offset);
        if place.line == 1 {
            place.column += self.column;
        }
        place.line += self.lines;
        place.offset += self.passed;
        TableRead::Fault(fault, place)
    }

    /// Reads what is whole of `text` and returns the offset behind it.
    fn feed(&mut self, text: &str, last: bool, screened: &Option<Screened<'_>>, take: &mut impl TakeRow) -> Result<usize, Failure> {
        let bytes = text.as_bytes();
        let mut pos = 0;
        loop {
            pos = skip_space(bytes, pos);
            let outer = self.outer();
            let fail = |fault| Failure { fault, unit: pos, outer };
            let Some(&byte) = bytes.get(pos) else {
                if last && self.phase != Phase::Tail {
                    let what = if self.phase == Phase::Start { "no value at all" } else { "an end inside the table" };
                    return Err(fail(Fault::syntax(what, pos)));
                }
                return Ok(pos);
            };
            match self.unit(text, pos, byte, last, screened, take) {
                Ok(end) if self.phase == Phase::AfterRow && take.is_done() => return Ok(end),
                Ok(end) => pos = end,
                Err(Stop::Fault(fault)) => return Err(fail(fault)),
                Err(Stop::Incomplete) => {
                    let limit = if self.phase == Phase::Row { ROW_LIMIT } else { BESIDE_LIMIT };
                    if text.len() - pos > limit {
                        return Err(fail(Fault { kind: FaultKind::TooLarge(limit), offset: pos }));
                    }
                    if last {
                        return Err(fail(Fault::syntax("an end inside a value", text.len())));
                    }
                    return Ok(pos);
                }
            }
        }
    }

    /// Containers open around the unit that comes next.
    fn outer(&self) -> usize {
        match self.phase {
            Phase::Start | Phase::Tail => 0,
            Phase::FirstRow | Phase::Row | Phase::AfterRow => 2,
            _ => 1,
        }
    }

    fn unit(
        &mut self,
        text: &str,
        pos: usize,
        byte: u8,
        last: bool,
        screened: &Option<Screened<'_>>,
        take: &mut impl TakeRow,
    ) -> Result<usize, Stop> {
        let unexpected = |what| Err(Fault::syntax(what, pos).into());
        match self.phase {
            Phase::Start if byte == b'{' => self.to(Phase::FirstKey, pos + 1),
            Phase::Start => {
                self.shape = TableShape::NotObject;
                let end = self.beside(text, pos, 0, last)?;
                self.to(Phase::Tail, end)
            }
            Phase::FirstKey if byte == b'}' => self.to(Phase::Tail, pos + 1),
            Phase::FirstKey | Phase::Key if byte == b'"' => {
                let mut key = KeyText::default();
                let end = self.reader.value(text, pos, 1, last, &mut key)?;
                self.count_beside(pos, end)?;
                self.beside_terms = self.beside_terms.union(credential::terms_in(&key.0));
                self.key_is_rows = key.0 == ROWS_KEY;
                if !self.keys.insert(key.0) {
                    return Err(Fault { kind: FaultKind::DuplicateKey, offset: pos }.into());
                }
                self.to(Phase::Colon, end)
            }
            Phase::FirstKey | Phase::Key => unexpected("something other than a quoted key"),
            Phase::Colon if byte == b':' => self.to(if self.key_is_rows { Phase::RowsValue } else { Phase::MemberValue }, pos + 1),
            Phase::Colon => unexpected("a key without a colon"),
            Phase::RowsValue if byte == b'[' => self.to(Phase::FirstRow, pos + 1),
            Phase::RowsValue | Phase::MemberValue => {
                if self.phase == Phase::RowsValue {
                    self.shape = TableShape::NotList;
                }
                let end = self.beside(text, pos, 1, last)?;
                self.to(Phase::AfterMember, end)
            }
            Phase::FirstRow if byte == b']' => {
                self.shape = TableShape::Rows(0);
                self.to(Phase::AfterMember, pos + 1)
            }
            Phase::FirstRow => self.to(Phase::Row, pos),
            Phase::Row => {
                if let wanted @ Wanted::Holding(_) = take.wanted() {
                    let end = self.reader.value(text, pos, 2, last, &mut Nothing)?;
                    if !wanted.takes(&text.as_bytes()[pos..end]) {
                        return self.behind_row(pos, end);
                    }
                }
                let is_unscreened = matches!(take.wanted(), Wanted::Unscreened);
                let known = |end| screened.as_ref().and_then(|screened| screened.of_row(pos, end));
                let marked = |end| match known(end) {
                    Some(marked) => marked,
                    None if is_unscreened => Marked { from: pos, marks: Cow::Borrowed(&[]) },
                    None => Marked::of(text, pos, end),
                };
                let (row, end) = RunRow::read_screened(&mut self.reader, text, pos, 2, last, marked)?;
                if end - pos <= ROW_LIMIT {
                    take.row(self.rows, &row);
                }
                self.behind_row(pos, end)
            }
            Phase::AfterRow if byte == b',' => self.to(Phase::Row, pos + 1),
            Phase::AfterRow if byte == b']' => self.to(Phase::AfterMember, pos + 1),
            Phase::AfterRow => unexpected("something other than a comma or ] behind a row"),
            Phase::AfterMember if byte == b',' => self.to(Phase::Key, pos + 1),
            Phase::AfterMember if byte == b'}' => self.to(Phase::Tail, pos + 1),
            Phase::AfterMember => unexpected("something other than a comma or } behind a member"),
            Phase::Tail => unexpected("text behind the value"),
        }
    }

    /// Counts the row from `pos` to `end`.
    fn behind_row(&mut self, pos: usize, end: usize) -> Result<usize, Stop> {
        if end - pos > ROW_LIMIT {
            return Err(Fault { kind: FaultKind::TooLarge(ROW_LIMIT), offset: pos }.into());
        }
        self.rows += 1;
        self.shape = TableShape::Rows(self.rows);
        self.to(Phase::AfterRow, end)
    }

    fn to(&mut self, phase: Phase, end: usize) -> Result<usize, Stop> {
        self.phase = phase;
        Ok(end)
    }

    /// Reads a value that is no row; it is scanned for credentials like everything else.
    fn beside(&mut self, text: &str, pos: usize, outer: usize, last: bool) -> Result<usize, Stop> {
        let end = self.reader.value(text, pos, outer, last, &mut Nothing)?;
        self.count_beside(pos, end)?;
        let mut walk = LeakWalk::default();
        self.reader.value(text, pos, outer, last, &mut walk)?;
        let terms = walk.finish().credentials.union(credential::terms_in(&text[pos..end]));
        self.beside_terms = self.beside_terms.union(terms);
        Ok(end)
    }

    fn count_beside(&mut self, pos: usize, end: usize) -> Result<(), Stop> {
        self.beside += end - pos;
        if self.beside > BESIDE_LIMIT { Err(Fault { kind: FaultKind::TooLarge(BESIDE_LIMIT), offset: pos }.into()) } else { Ok(()) }
    }
}

/// Keeps the one string it is sent.
#[derive(Default)]
struct KeyText(String);

impl<'a> Sink<'a> for KeyText {
    fn string(&mut self, text: Text<'a>) {
        self.0 = text.decode().into_owned();
    }
    fn begin_object(&mut self) {}
    fn key(&mut self, _: Text<'a>) {}
    fn end_object(&mut self) {}
    fn begin_array(&mut self) {}
    fn end_array(&mut self) {}
    fn number(&mut self, _: crate::json::Number<'a>) {}
    fn boolean(&mut self, _: bool) {}
    fn null(&mut self) {}
}

/// The codes of one row of a table, for callers that want no more.
pub fn row_codes(rules: &RuleSet, row: &RunRow<'_>, repeats: bool) -> Vec<crate::code::Code> {
    let mut codes = Vec::new();
    rules.row(row, repeats, |code, _| codes.push(code));
    codes.sort();
    codes
}
