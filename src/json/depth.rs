//! Nesting of a text that is not JSON: depth outranks every other fault of a text but its encoding.

use super::DEPTH_LIMIT;

/// The offset of the first bracket outside strings that nests deeper than the limit, if any.
/// `outer` containers are open already. Works on any text: strings end at the next unescaped quote.
pub(crate) fn too_deep_at(text: &str, outer: usize) -> Option<usize> {
    let mut scan = DepthScan::new(outer);
    scan.feed(text.as_bytes())
}

/// The same, fed piece by piece.
#[derive(Debug, Clone)]
pub(crate) struct DepthScan {
    depth: usize,
    in_string: bool,
    after_backslash: bool,
}

impl DepthScan {
    pub(crate) fn new(outer: usize) -> Self {
        Self { depth: outer, in_string: false, after_backslash: false }
    }

    /// The offset in `piece` of the first bracket beyond the limit.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Option<usize> {
        for (offset, &byte) in piece.iter().enumerate() {
            if self.in_string {
                if self.after_backslash {
                    self.after_backslash = false;
                } else if byte == b'\\' {
                    self.after_backslash = true;
                } else if byte == b'"' {
                    self.in_string = false;
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'[' | b'{' => {
                    self.depth += 1;
                    if self.depth > DEPTH_LIMIT {
                        return Some(offset);
                    }
                }
                b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_count_outside_of_strings() {
        let deep = "[".repeat(DEPTH_LIMIT + 1);
        assert_eq!(too_deep_at(&deep, 0), Some(DEPTH_LIMIT));
        assert_eq!(too_deep_at(&deep[1..], 0), None);
        assert_eq!(too_deep_at(&deep[1..], 1), Some(DEPTH_LIMIT - 1), "outer containers are open already");
        assert_eq!(too_deep_at(&deep.replace('[', "{"), 0), Some(DEPTH_LIMIT));
        for closed in ["[]", "{}", "]", "x"] {
            assert_eq!(too_deep_at(&closed.repeat(DEPTH_LIMIT + 1), 0), None, "{closed}");
        }
        let after = |text: &str| too_deep_at(&format!("{text}{deep}"), 0).map(|at| at - text.len());
        assert_eq!(after(""), Some(DEPTH_LIMIT));
        assert_eq!(after(r#""""#), Some(DEPTH_LIMIT), "the string has ended");
        assert_eq!(after(r#"""#), None, "in a string that never ends");
        assert_eq!(after(r#""\""#), None, "an escaped quote ends no string");
        assert_eq!(after(r#""\\""#), Some(DEPTH_LIMIT), "the backslash is escaped, not the quote");
        assert_eq!(after(r"\"), Some(DEPTH_LIMIT), "a backslash escapes in strings only");
    }

    #[test]
    fn a_string_goes_on_in_the_next_piece() {
        let mut scan = DepthScan::new(DEPTH_LIMIT);
        assert_eq!(scan.feed(br#""[\"#), None);
        assert_eq!(scan.feed(br#""["["#), Some(3), "the first quote is escaped, the second ends the string");
    }
}
