//! Lines of operations and records as they come in, one at a time: a pipe may be slow, and its lines
//! are answered one by one.
//!
//! A line holds an operation, whose payload is a string with every quote escaped; so lines are longer
//! than what [`crate::stream::lines`] carries over from block to block.

use super::operation::{Operation, PAYLOAD_LIMIT};
use super::{LedgerError, Record};
use crate::json::{Place, parse};
use std::io::{self, BufRead, BufReader, Read};

/// The longest line, in bytes: a payload of which every byte became an escape, and some room.
pub const LINE_LIMIT: usize = 6 * PAYLOAD_LIMIT + (64 << 10);

/// What a line holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// An operation, as an export has it.
    Operation(Operation),
    /// A record that is to be published.
    Record(Record),
}

/// What is wrong with a line, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFault {
    /// 1-based line.
    pub line: u64,
    /// 1-based column, in bytes.
    pub column: u64,
    /// A lower-case fragment, without any text of the input.
    pub what: String,
}

/// Reads lines.
#[derive(Debug)]
pub struct Lines<R: Read> {
    input: BufReader<R>,
    number: u64,
    blank: u64,
    line: Vec<u8>,
}

impl<R: Read> Lines<R> {
    /// The lines of this input.
    pub fn new(input: R) -> Self {
        Self { input: BufReader::new(input), number: 0, blank: 0, line: Vec::new() }
    }

    /// How many lines were blank so far.
    pub fn blank(&self) -> u64 {
        self.blank
    }

    /// The number of the line that was read last, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line that is not blank; `None` at the end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_item(&mut self) -> io::Result<Option<Result<Item, LineFault>>> {
        loop {
            self.line.clear();
            let taken = (&mut self.input).take(LINE_LIMIT as u64 + 1).read_until(b'\n', &mut self.line)?;
            if taken == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.line.last() != Some(&b'\n') && taken > LINE_LIMIT {
                self.pass_over()?;
                return Ok(Some(Err(self.fault(1, format!("more than {LINE_LIMIT} bytes")))));
            }
            if std::str::from_utf8(&self.line).is_ok_and(|line| line.trim().is_empty()) {
                self.blank += 1;
                continue;
            }
            return Ok(Some(self.item()));
        }
    }

    fn pass_over(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            let (used, ended) = match memchr::memchr(b'\n', buffer) {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.input.consume(used);
            if ended {
                return Ok(());
            }
        }
    }

    fn fault(&self, column: u64, what: String) -> LineFault {
        LineFault { line: self.number, column, what }
    }

    fn item(&self) -> Result<Item, LineFault> {
        let value = parse(&self.line).map_err(|fault| self.fault(Place::in_text(&self.line, fault.offset).column, fault.describe()))?;
        if Operation::is_meant(&value) {
            let refused = |error| self.fault(1, said(&error));
            return Operation::from_value(&value).map(Item::Operation).map_err(refused);
        }
        match Record::from_value(&value) {
            None => Err(self.fault(1, "neither an operation nor a record: it is no object".to_owned())),
            Some(record) if record.record_type().trim().is_empty() => {
                Err(self.fault(1, "neither an operation nor a record: it has no type".to_owned()))
            }
            Some(record) => Ok(Item::Record(record)),
        }
    }
}

/// What an error says, without the words around it.
fn said(error: &LedgerError) -> String {
    match error {
        LedgerError::Unpublishable(what) | LedgerError::Foreign(what) | LedgerError::Storage(what) => what.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Kind;

    fn read(text: &[u8]) -> Vec<Result<Item, (u64, u64)>> {
        let mut lines = Lines::new(text);
        let mut items = Vec::new();
        while let Some(item) = lines.next_item().expect("a slice reads") {
            items.push(item.map_err(|fault| (fault.line, fault.column)));
        }
        items
    }

    #[test]
    fn operations_and_records_are_told_apart_and_faults_have_a_place() {
        let operation = Operation::new("n", 1, Kind::Upsert, "g", "{\"type\":\"t\"}".to_owned(), 1.0);
        let record = Record::new("t").with("kind", "runtime_evidence").with("op_id", "x");
        let text = format!("\n{}\r\n \u{2003}\n{}\n{{\"a\":}}\n[]\n{{}}\n{{\"type\":\" \"}}\nx", operation.to_line(), record.to_line());
        let bad = |line, column| Err((line, column));
        assert_eq!(
            read(text.as_bytes()),
            [Ok(Item::Operation(operation)), Ok(Item::Record(record)), bad(5, 6), bad(6, 1), bad(7, 1), bad(8, 1), bad(9, 1)]
        );
    }

    #[test]
    fn the_longest_payload_fits_and_a_longer_line_does_not_stop_the_next() {
        let payload = format!("{{\"type\" :\"{}\"}}", "\u{fc}".repeat(PAYLOAD_LIMIT / 2 - 6));
        let operation = Operation::new("n", 1, Kind::Upsert, "g", payload, 1.0);
        let quotes = format!("{{\"type\" :\"{}\"}}", "\\\"".repeat(PAYLOAD_LIMIT / 2 - 6));
        let quoted = Operation::new("n", 1, Kind::Upsert, "g", quotes, 1.0);
        let text = format!("{}\n{}\n{}\n{{\"type\":\"t\"}}", operation.to_line(), "x".repeat(LINE_LIMIT + 1), quoted.to_line());
        let bad = Err((2, 1));
        assert_eq!(
            read(text.as_bytes()),
            [Ok(Item::Operation(operation)), bad, Ok(Item::Operation(quoted)), Ok(Item::Record(Record::new("t")))]
        );
    }
}
