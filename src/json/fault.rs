//! What can be wrong with a JSON text, and where.

/// A fault met while reading, with the byte it was met at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Byte offset from the start of the text.
    pub offset: usize,
}

/// The kinds of fault; each belongs to one code of the landing family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The bytes are not UTF-8.
    Encoding,
    /// Arrays and objects nested deeper than [`super::DEPTH_LIMIT`].
    Depth,
    /// A number that no double can hold.
    NumberRange,
    /// More bytes than the limit of this kind of input, in bytes.
    TooLarge(usize),
    /// More values and keys than a reader of this kind of input takes.
    TooMany(usize),
    /// A key that the same object already has, compared after unescaping.
    DuplicateKey,
    /// Not JSON; the text says what was found instead.
    Syntax(&'static str),
}

impl Fault {
    pub(crate) fn syntax(what: &'static str, offset: usize) -> Self {
        Self { kind: FaultKind::Syntax(what), offset }
    }

    /// One lower-case fragment saying what is wrong, without any text of the input.
    pub fn describe(&self) -> String {
        match self.kind {
            FaultKind::Encoding => "bytes that are not UTF-8".to_owned(),
            FaultKind::Depth => format!("nesting deeper than {}", super::DEPTH_LIMIT),
            FaultKind::NumberRange => "a number that no double can hold".to_owned(),
            FaultKind::TooLarge(limit) => format!("more than {limit} bytes"),
            FaultKind::TooMany(limit) => format!("more than {limit} values"),
            FaultKind::DuplicateKey => "a key its object already has".to_owned(),
            FaultKind::Syntax(what) => what.to_owned(),
        }
    }
}

/// A place in a text as an editor counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// 1-based line.
    pub line: u64,
    /// 1-based column, in bytes.
    pub column: u64,
    /// 0-based byte offset.
    pub offset: u64,
}

impl Place {
    /// The place of `offset` in `text`; an offset beyond the end is the end.
    pub fn in_text(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
        let column = (before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)) as u64 + 1;
        Self { line, column, offset: before.len() as u64 }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_described_by_its_kind_and_its_limit() {
        for (kind, says) in [
            (FaultKind::Encoding, "bytes that are not UTF-8"),
            (FaultKind::Depth, "nesting deeper than 128"),
            (FaultKind::NumberRange, "a number that no double can hold"),
            (FaultKind::TooLarge(7), "more than 7 bytes"),
            (FaultKind::TooMany(7), "more than 7 values"),
            (FaultKind::DuplicateKey, "a key its object already has"),
            (FaultKind::Syntax("no value"), "no value"),
        ] {
            assert_eq!(Fault { kind, offset: 0 }.describe(), says);
        }
        assert_eq!(Place { line: 3, column: 2, offset: 9 }.to_string(), "line 3, column 2");
    }

    #[test]
    fn places_count_lines_and_bytes_from_one() {
        let text = b"{\n  \"a\": 1";
        assert_eq!(Place::in_text(text, 0), Place { line: 1, column: 1, offset: 0 });
        assert_eq!(Place::in_text(text, 4), Place { line: 2, column: 3, offset: 4 });
        assert_eq!(Place::in_text(text, 99), Place { line: 2, column: 9, offset: 10 });
    }
}
