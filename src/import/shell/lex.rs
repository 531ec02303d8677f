//! A command line split into the programs it starts, and what joins them.
//!
//! Quotes, here-documents, substitutions, subshells and comments are told apart, because text inside
//! them starts nothing. Nothing is expanded and nothing is run. Where the split is not certain it
//! says so; the reader then trusts no exit status.

/// What stands behind a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|` or `|&`
    Pipe,
    /// `;` or a line's end
    Next,
    /// `&`
    Background,
    /// Nothing.
    End,
}

/// One program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Words without their quotes; the first is the program unless it assigns a variable.
    pub words: Vec<String>,
    /// Files that its standard output is written to.
    pub outputs: Vec<String>,
    /// What follows.
    pub joint: Joint,
    /// It sits in a substitution, and is no link of the line's own chain.
    pub inside: bool,
    /// It sits in a substitution, a condition or a body whose status is not the command's.
    pub hidden: bool,
    /// A here-document feeds it.
    pub here: bool,
}

/// A command line, split.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// In order; those of a substitution stand before the part that they sit in.
    pub parts: Vec<Part>,
    /// The split is a guess: an open quote, an open substitution, a limit that was reached.
    pub uncertain: bool,
}

/// The most bytes of a command line that are looked at.
pub const TEXT_LIMIT: usize = 64 << 10;
const PART_LIMIT: usize = 255;
const DEPTH_LIMIT: usize = 12;

/// Splits `text`.
pub fn split(text: &str) -> Split {
    let cut = text.len() > TEXT_LIMIT;
    let mut end = text.len().min(TEXT_LIMIT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut lexer =
        Lexer { bytes: &text.as_bytes()[..end], pos: 0, parts: Vec::new(), uncertain: cut, waiting: Vec::new(), depth: 0, inside: 0 };
    lexer.list(None, false);
    Split { parts: lexer.parts, uncertain: lexer.uncertain }
}

pub(super) struct Lexer<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) pos: usize,
    parts: Vec<Part>,
    pub(super) uncertain: bool,
    /// Delimiters of here-documents whose bodies start at the next line.
    pub(super) waiting: Vec<(Vec<u8>, bool)>,
    depth: usize,
    /// Substitutions around this place.
    pub(super) inside: usize,
}

#[derive(Default)]
struct Open {
    words: Vec<Vec<u8>>,
    outputs: Vec<String>,
    here: bool,
}

impl Lexer<'_> {
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    pub(super) fn at_end(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    /// Reads a list up to `close` or the end.
    pub(super) fn list(&mut self, close: Option<u8>, hidden: bool) {
        self.depth += 1;
        let mut open = Open::default();
        let mut hidden_until_next = hidden;
        loop {
            if self.depth > DEPTH_LIMIT || self.parts.len() >= PART_LIMIT {
                self.uncertain = true;
                self.pos = self.bytes.len();
            }
            if self.at_end() {
                self.uncertain |= close.is_some();
                self.finish(&mut open, Joint::End, hidden_until_next);
                break;
            }
            let byte = self.peek(0);
            if Some(byte) == close {
                self.pos += 1;
                self.finish(&mut open, Joint::End, hidden_until_next);
                break;
            }
            match byte {
                b' ' | b'\t' | b'\r' => self.pos += 1,
                b'\\' if self.peek(1) == b'\n' => self.pos += 2,
                b'\n' => {
                    self.pos += 1;
                    self.finish(&mut open, Joint::Next, hidden_until_next);
                    hidden_until_next = hidden;
                    self.bodies();
                }
                b';' => {
                    while self.peek(0) == b';' {
                        self.pos += 1;
                    }
                    self.finish(&mut open, Joint::Next, hidden_until_next);
                    hidden_until_next = hidden;
                }
                b'&' if self.peek(1) == b'&' => self.joint(&mut open, Joint::And, 2, hidden_until_next),
                b'&' if self.peek(1) == b'>' => {
                    self.pos += 1;
                    self.redirect(&mut open);
                }
                b'&' => self.joint(&mut open, Joint::Background, 1, hidden_until_next),
                b'|' if self.peek(1) == b'|' => self.joint(&mut open, Joint::Or, 2, hidden_until_next),
                b'|' if self.peek(1) == b'&' => self.joint(&mut open, Joint::Pipe, 2, hidden_until_next),
                b'|' => self.joint(&mut open, Joint::Pipe, 1, hidden_until_next),
                b'#' => {
                    while !self.at_end() && self.peek(0) != b'\n' {
                        self.pos += 1;
                    }
                }
                b'(' if open.words.is_empty() => {
                    self.pos += 1;
                    self.subshell(hidden_until_next);
                }
                b'(' | b')' => {
                    self.uncertain = true;
                    self.pos += 1;
                }
                b'<' => self.input(&mut open),
                b'>' => self.redirect(&mut open),
                _ => {
                    let word = self.word();
                    if open.words.is_empty() {
                        match word.as_slice() {
                            b"if" | b"elif" | b"while" | b"until" | b"!" => {
                                hidden_until_next = true;
                                continue;
                            }
                            b"then" | b"else" | b"do" => {
                                hidden_until_next = true;
                                continue;
                            }
                            b"{" | b"}" | b"fi" | b"done" | b"esac" | b"time" => continue,
                            _ => {}
                        }
                    }
                    if matches!(self.peek(0), b'<' | b'>') && !word.is_empty() && word.iter().all(u8::is_ascii_digit) {
                        if word != b"1" && self.peek(0) == b'>' {
                            // Another stream than standard output: where it goes does not matter.
                            let kept = std::mem::take(&mut open.outputs);
                            self.redirect(&mut open);
                            open.outputs = kept;
                        }
                        continue;
                    }
                    open.words.push(word);
                }
            }
        }
        self.depth -= 1;
    }

    fn joint(&mut self, open: &mut Open, joint: Joint, length: usize, hidden: bool) {
        self.pos += length;
        self.finish(open, joint, hidden);
    }

    fn finish(&mut self, open: &mut Open, joint: Joint, hidden: bool) {
        let open = std::mem::take(open);
        if open.words.is_empty() && open.outputs.is_empty() {
            match joint {
                // A group or a loop as a whole feeds a pipe: whose status it is, nobody knows.
                Joint::Pipe | Joint::Or | Joint::Background => self.parts.iter_mut().for_each(|part| part.hidden = true),
                Joint::And => {
                    if let Some(last) = self.parts.last_mut() {
                        last.joint = Joint::And;
                    }
                }
                Joint::Next | Joint::End => {}
            }
            return;
        }
        let words = open.words.into_iter().map(|word| String::from_utf8_lossy(&word).into_owned()).collect();
        self.parts.push(Part { words, outputs: open.outputs, joint, inside: self.inside > 0, hidden, here: open.here });
    }

    /// `( … )`: its parts are parts of the line; what follows the bracket follows its last one.
    fn subshell(&mut self, hidden: bool) {
        let first = self.parts.len();
        self.list(Some(b')'), hidden);
        while matches!(self.peek(0), b' ' | b'\t') {
            self.pos += 1;
        }
        let plain = match (self.peek(0), self.peek(1)) {
            (b'&', b'&') => {
                self.pos += 2;
                Some(Joint::And)
            }
            (b'|' | b'&', _) | (b'>', _) => None,
            _ => Some(Joint::Next),
        };
        match plain {
            Some(joint) => {
                if let Some(last) = self.parts.get_mut(first..).and_then(<[Part]>::last_mut) {
                    last.joint = joint;
                }
            }
            None => self.parts.iter_mut().skip(first).for_each(|part| part.hidden = true),
        }
    }

    fn input(&mut self, open: &mut Open) {
        if self.bytes[self.pos..].starts_with(b"<<<") {
            self.pos += 3;
            self.blanks();
            self.word();
        } else if self.bytes[self.pos..].starts_with(b"<<") {
            self.pos += 2;
            let strip = self.peek(0) == b'-';
            self.pos += usize::from(strip);
            self.blanks();
            let delimiter = self.word();
            open.here = true;
            self.waiting.push((delimiter, strip));
        } else if self.peek(1) == b'(' {
            self.pos += 2;
            self.nested(b')');
        } else {
            self.pos += 1;
            self.blanks();
            if !self.at_end() && self.peek(0) != b'\n' {
                self.word();
            }
        }
    }

    fn redirect(&mut self, open: &mut Open) {
        self.pos += 1;
        while matches!(self.peek(0), b'>' | b'|') {
            self.pos += 1;
        }
        if self.peek(0) == b'(' {
            self.pos += 1;
            self.nested(b')');
            return;
        }
        if self.peek(0) == b'&' {
            self.pos += 1;
            self.word();
            return;
        }
        self.blanks();
        if self.at_end() || self.peek(0) == b'\n' {
            return;
        }
        let target = self.word();
        open.outputs.push(String::from_utf8_lossy(&target).into_owned());
    }

    fn blanks(&mut self) {
        while matches!(self.peek(0), b' ' | b'\t') {
            self.pos += 1;
        }
    }

    /// Passes over the bodies of here-documents that start at this line.
    fn bodies(&mut self) {
        for (delimiter, strip) in std::mem::take(&mut self.waiting) {
            loop {
                if self.at_end() {
                    self.uncertain = true;
                    return;
                }
                let rest = &self.bytes[self.pos..];
                let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                let mut line = &rest[..end];
                line = line.strip_suffix(b"\r").unwrap_or(line);
                if strip {
                    line = line.trim_ascii_start();
                }
                self.pos += (end + 1).min(rest.len());
                if line == delimiter.as_slice() {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, Joint, bool)> {
        split(text).parts.into_iter().map(|part| (part.words.join(" "), part.joint, part.hidden)).collect()
    }

    #[test]
    fn quotes_and_documents_start_nothing() {
        let text = "git commit -m \"$(cat <<'EOF'\nIt's done; git push (all)\nEOF\n)\" && git push | tail -2";
        let parts = names(text);
        assert_eq!(parts[0], ("cat".to_owned(), Joint::Next, true));
        assert_eq!(parts[1], ("git commit -m $".to_owned(), Joint::And, false));
        assert_eq!(parts[2], ("git push".to_owned(), Joint::Pipe, false));
        assert!(!split(text).uncertain);
        assert_eq!(names("echo 'git commit; x' # git push").len(), 1);
        assert!(split("echo 'open").uncertain);
    }

    #[test]
    fn streams_and_groups() {
        assert_eq!(
            names("cargo test 2>&1 | tail -5"),
            [("cargo test".to_owned(), Joint::Pipe, false), ("tail -5".to_owned(), Joint::End, false)]
        );
        assert_eq!(split("pytest > out.txt 2> err.txt").parts[0].outputs, ["out.txt"]);
        assert!(names("(cd a; make) | tail")[1].2, "the pipe hides both");
        assert!(!names("(cd a && make) && ls")[1].2);
        assert!(names("if cargo test; then echo ok; fi")[0].2);
        assert_eq!(names("cargo test &&\n git push")[0].1, Joint::And);
    }

    #[test]
    fn hostile_lines_end() {
        for text in
            ["$(".repeat(100_000), "(".repeat(100_000), "`".repeat(70_001), ";|&".repeat(50_000), "<<a\n".repeat(20_000), "\\".into()]
        {
            let _ = split(&text);
        }
    }
}
