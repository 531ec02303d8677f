//! The first line of a child that confines itself: its report, which is no output.

use super::Enforced;
use super::confinement::REPORT_PREFIX;

/// The longest report; a first line that is longer is output.
const LONGEST: usize = 4096;

/// Holds the first line back until it is known what it is.
#[derive(Debug, Default)]
pub struct FirstLine {
    held: Vec<u8>,
    decided: bool,
    report: Option<Enforced>,
}

impl FirstLine {
    /// Takes the next bytes and gives those that are output.
    pub fn pass(&mut self, block: &[u8]) -> Vec<u8> {
        if self.decided {
            return block.to_vec();
        }
        self.held.extend_from_slice(block);
        let shown = self.held.len().min(REPORT_PREFIX.len());
        if self.held[..shown] != REPORT_PREFIX.as_bytes()[..shown] {
            return self.release();
        }
        let Some(end) = memchr::memchr(b'\n', &self.held) else {
            return if self.held.len() > LONGEST { self.release() } else { Vec::new() };
        };
        self.report = Enforced::from_report(&self.held[..end]).filter(|_| end <= LONGEST);
        if self.report.is_some() {
            self.held.drain(..=end);
        }
        self.release()
    }

    /// What is still held when nothing more comes, and the report, if there was one.
    pub fn finish(mut self) -> (Vec<u8>, Option<Enforced>) {
        let rest = self.release();
        (rest, self.report)
    }

    fn release(&mut self) -> Vec<u8> {
        self.decided = true;
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(blocks: &[&[u8]]) -> (Vec<u8>, bool) {
        let mut first = FirstLine::default();
        let mut output: Vec<u8> = blocks.iter().flat_map(|block| first.pass(block)).collect();
        let (rest, report) = first.finish();
        output.extend(rest);
        (output, report.is_some())
    }

    fn report() -> String {
        Enforced { reported: true, ..Enforced::nothing() }.report()
    }

    #[test]
    fn a_report_is_taken_out_however_it_arrives() {
        let text = format!("{}\nmarker\n", report());
        let single: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        for blocks in [vec![text.as_bytes()], single] {
            assert_eq!(read(&blocks), (b"marker\n".to_vec(), true));
        }
    }

    #[test]
    fn anything_else_is_output() {
        let second = format!("x\n{}\n", report());
        let twice = format!("{0}\n{0}\n", report());
        assert_eq!(read(&[second.as_bytes()]), (second.clone().into_bytes(), false));
        assert_eq!(read(&[twice.as_bytes()]), (format!("{}\n", report()).into_bytes(), true));
        for text in ["", "\n", "land", REPORT_PREFIX, &report(), &format!("{REPORT_PREFIX}{{}}\n")] {
            assert_eq!(read(&[text.as_bytes()]), (text.as_bytes().to_vec(), false), "{text:?}");
        }
    }

    #[test]
    fn a_first_line_without_an_end_is_not_held_for_ever() {
        let long = format!("{REPORT_PREFIX}{}", "x".repeat(LONGEST));
        let mut first = FirstLine::default();
        assert_eq!(first.pass(long.as_bytes()), long.as_bytes());
    }
}
