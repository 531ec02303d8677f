//! Words of a command line: what quotes, escapes and substitutions leave of them.

use super::lex::Lexer;

impl Lexer<'_> {
    /// Reads a word; always moves on.
    pub(super) fn word(&mut self) -> Vec<u8> {
        let mut word = Vec::new();
        let start = self.pos;
        while !self.at_end() {
            let byte = self.peek(0);
            match byte {
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => break,
                b'\\' => {
                    if self.peek(1) != b'\n' {
                        word.push(self.peek(1));
                    }
                    self.pos += 2;
                }
                b'\'' => {
                    self.pos += 1;
                    self.single(&mut word, false);
                }
                b'"' => {
                    self.pos += 1;
                    self.double(&mut word);
                }
                b'$' | b'`' => self.dollar(&mut word),
                _ => {
                    word.push(byte);
                    self.pos += 1;
                }
            }
        }
        if self.pos == start {
            self.pos += 1;
        }
        self.pos = self.pos.min(self.bytes.len());
        word
    }

    fn single(&mut self, word: &mut Vec<u8>, escapes: bool) {
        while !self.at_end() {
            match self.peek(0) {
                b'\'' => {
                    self.pos += 1;
                    return;
                }
                b'\\' if escapes => {
                    word.push(self.peek(1));
                    self.pos += 2;
                }
                byte => {
                    word.push(byte);
                    self.pos += 1;
                }
            }
        }
        self.uncertain = true;
    }

    fn double(&mut self, word: &mut Vec<u8>) {
        while !self.at_end() {
            match self.peek(0) {
                b'"' => {
                    self.pos += 1;
                    return;
                }
                b'\\' => {
                    word.push(self.peek(1));
                    self.pos += 2;
                }
                b'$' | b'`' => self.dollar(word),
                byte => {
                    word.push(byte);
                    self.pos += 1;
                }
            }
        }
        self.uncertain = true;
    }

    /// A `$` or a backtick: substitutions are read for the programs that they start.
    fn dollar(&mut self, word: &mut Vec<u8>) {
        if self.peek(0) == b'`' {
            self.pos += 1;
            self.nested(b'`');
            word.push(b'$');
        } else if self.peek(1) == b'(' && self.peek(2) == b'(' {
            self.pos += 3;
            let rest = &self.bytes[self.pos..];
            let end = memchr::memmem::find(rest, b"))");
            self.uncertain |= end.is_none();
            self.pos += end.map_or(rest.len(), |end| end + 2);
            word.push(b'$');
        } else if self.peek(1) == b'(' {
            self.pos += 2;
            self.nested(b')');
            word.push(b'$');
        } else if self.peek(1) == b'{' {
            let rest = &self.bytes[self.pos..];
            let end = memchr::memchr(b'}', rest).map_or(rest.len(), |end| end + 1);
            word.extend_from_slice(&rest[..end]);
            self.pos += end;
        } else if self.peek(1) == b'\'' {
            self.pos += 2;
            self.single(word, true);
        } else {
            word.push(b'$');
            self.pos += 1;
        }
    }

    /// A substitution: its here-documents are its own.
    pub(super) fn nested(&mut self, close: u8) {
        let waiting = std::mem::take(&mut self.waiting);
        self.inside += 1;
        self.list(Some(close), true);
        self.inside -= 1;
        self.waiting = waiting;
    }
}
