//! Times of records, to the millisecond.

/// Milliseconds since 1970 of an RFC 3339 time with a zone; `None` for anything else, a local time among it.
pub fn milliseconds(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let digits = |from: usize, to: usize| -> Option<i64> {
        let part = bytes.get(from..to)?;
        part.iter().all(u8::is_ascii_digit).then(|| part.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')))
    };
    let separators = bytes.len() >= 20
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && matches!(bytes[10], b'T' | b't' | b' ')
        && bytes[13] == b':'
        && bytes[16] == b':';
    if !separators {
        return None;
    }
    let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
    let (hour, minute, second) = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut at = 19;
    let mut milli = 0;
    if bytes[at] == b'.' {
        at += 1;
        let mut scale = 100;
        while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
            milli += i64::from(digit - b'0') * scale;
            scale /= 10;
            at += 1;
        }
    }
    let offset = match bytes.get(at)? {
        b'Z' | b'z' if bytes.len() == at + 1 => 0,
        sign @ (b'+' | b'-') if bytes.len() == at + 6 && bytes[at + 3] == b':' => {
            let minutes = digits(at + 1, at + 3)? * 60 + digits(at + 4, at + 6)?;
            if *sign == b'-' { -minutes } else { minutes }
        }
        _ => return None,
    };
    Some((days(year, month, day) * 86_400 + hour * 3600 + (minute - offset) * 60 + second) * 1000 + milli)
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_with_a_zone_count() {
        assert_eq!(milliseconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(milliseconds("2026-05-27T13:25:13.5Z"), Some(1_779_888_313_500));
        assert_eq!(milliseconds("2026-01-02T10:00:00.123456+11:00"), Some(1_767_308_400_123));
        for none in ["2026-07-26T16:02:03.000000", "", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-02T10:00:00+1100"] {
            assert_eq!(milliseconds(none), None, "{none}");
        }
    }
}
