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
    let mut short = (..300).contains(&text[whole..pos].len());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::FaultKind;

    /// How many bytes of `text` are its first number.
    fn read(text: &str, last: bool) -> Result<usize, Stop> {
        read_number(text, 0, last).map(|(number, end)| {
            assert_eq!(number.as_str(), &text[..end]);
            end
        })
    }

    #[test]
    fn a_number_is_an_integer_as_it_is_written() {
        let number = |text| read_number(text, 0, true).expect("a number").0;
        for (text, integer, is_integer, double) in [
            ("-7", Some(-7), true, -7.0),
            ("7.0", None, false, 7.0),
            ("7e0", None, false, 7.0),
            ("9223372036854775807", Some(i64::MAX), true, 9_223_372_036_854_775_807.0),
            ("9223372036854775808", None, true, 9_223_372_036_854_775_808.0),
        ] {
            assert_eq!(
                (number(text).as_integer(), number(text).is_integer(), number(text).as_f64()),
                (integer, is_integer, double),
                "{text}"
            );
        }
    }

    #[test]
    fn a_number_at_the_end_may_go_on_in_the_next_text() {
        for text in ["0", "-0", "12", "1.5", "1e5", "1E-05"] {
            assert_eq!(read(text, true), Ok(text.len()), "{text}");
            assert_eq!(read(text, false), Err(Stop::Incomplete), "{text}");
            assert_eq!(read(&format!("{text},"), false), Ok(text.len()), "{text}");
            assert_eq!(read(&format!("{text},"), true), Ok(text.len()), "{text}");
        }
    }

    #[test]
    fn a_missing_digit_is_a_fault_unless_it_may_follow() {
        for text in ["-", "1.", "1e", "1e+", "1.5E-"] {
            let fault = Err(Stop::Fault(Fault::syntax("a number without a digit where one is due", text.len())));
            assert_eq!(read(text, true), fault, "{text}");
            assert_eq!(read(text, false), Err(Stop::Incomplete), "{text}");
            assert_eq!(read(&format!("{text},"), false), fault, "{text}");
            assert_eq!(read(&format!("{text},"), true), fault, "{text}");
        }
        for text in ["00", "01", "-01.5"] {
            let at = text.find('0').expect("it is there");
            assert_eq!(read(text, true), Err(Stop::Fault(Fault::syntax("a number with a leading zero", at))), "{text}");
        }
    }

    #[test]
    fn what_no_double_holds_is_refused_where_it_starts() {
        let beyond = Err(Stop::Fault(Fault { kind: FaultKind::NumberRange, offset: 0 }));
        let digits = |zeros: usize| format!("1{}", "0".repeat(zeros));
        for good in [digits(298), digits(299), digits(300), digits(308), format!("{}.5", digits(308)), "1e308".into(), "1e-400".into()] {
            assert_eq!(read(&good, true), Ok(good.len()), "{good}");
            assert_eq!(read(&format!("-{good}"), true), Ok(good.len() + 1), "-{good}");
        }
        for bad in [digits(309), format!("-{}", digits(400)), format!("{}.5", digits(309)), "1e309".into(), "-1E+400".into()] {
            assert_eq!(read(&bad, true), beyond, "{bad}");
        }
    }
}
