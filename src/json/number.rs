//! Numbers, kept as they were written.

use super::{Fault, FaultKind, Stop};

/// A number as written: the text obeys JSON's grammar and is finite as a double.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number<'a>(&'a str);

impl<'a> Number<'a> {
    /// What the reader took for a number, once more.
    pub(super) fn again(digits: &'a str) -> Self {
        Self(digits)
    }

    /// The digits as written.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// The value when it is written as an integer (no fraction, no exponent) of 64 bits.
    pub fn as_integer(self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// Whether it is written as an integer of any size.
    pub fn is_integer(self) -> bool {
        !self.0.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
    }

    /// The nearest double.
    pub fn as_f64(self) -> f64 {
        self.0.parse().expect("the reader admits only numbers a double can hold")
    }
}

/// Reads the number that starts at `at` and returns it with the offset behind it.
pub(super) fn read_number(text: &str, at: usize, last: bool) -> Result<(Number<'_>, usize), Stop> {
    let bytes = text.as_bytes();
    let mut pos = at;
    if bytes[pos] == b'-' {
        pos += 1;
    }
    let whole = pos;
    pos = skip_digits(bytes, pos);
    if pos == whole {
        return Err(missing_digit(bytes, pos, last));
    }
    if bytes[whole] == b'0' && pos > whole + 1 {
        return Err(Fault::syntax("a number with a leading zero", whole).into());
    }
    let mut short = pos - whole < 300;
    if bytes.get(pos) == Some(&b'.') {
        let fraction = pos + 1;
        pos = skip_digits(bytes, fraction);
        if pos == fraction {
            return Err(missing_digit(bytes, pos, last));
        }
    }
    if matches!(bytes.get(pos), Some(b'e' | b'E')) {
        short = false;
        pos += 1;
        if matches!(bytes.get(pos), Some(b'+' | b'-')) {
            pos += 1;
        }
        let exponent = pos;
        pos = skip_digits(bytes, exponent);
        if pos == exponent {
            return Err(missing_digit(bytes, pos, last));
        }
    }
    if pos == bytes.len() && !last {
        return Err(Stop::Incomplete);
    }
    let number = Number(&text[at..pos]);
    // Fewer than 300 digits and no exponent cannot leave a double's range.
    if !short && !number.0.parse::<f64>().is_ok_and(f64::is_finite) {
        return Err(Fault { kind: FaultKind::NumberRange, offset: at }.into());
    }
    Ok((number, pos))
}

fn missing_digit(bytes: &[u8], pos: usize, last: bool) -> Stop {
    if pos == bytes.len() && !last { Stop::Incomplete } else { Fault::syntax("a number without a digit where one is due", pos).into() }
}

fn skip_digits(bytes: &[u8], mut pos: usize) -> usize {
    while bytes.get(pos).is_some_and(u8::is_ascii_digit) {
        pos += 1;
    }
    pos
}
