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
