//! Work spread over every core, and its answers in their order.
//!
//! Lines are gathered to batches of bounded size; each core judges a stretch of a batch, and what it
//! has to say is handed on in the order of the lines. Memory is a batch and its answers, however long
//! the input is.

use super::blocks::Blocks;
use super::lines::{Line, each_line};
use std::io;
use std::ops::Range;

/// The bytes after which a batch is judged.
const BATCH_BYTES: usize = 1 << 20;
/// The lines after which it is.
const BATCH_LINES: usize = 4096;

/// Judges each line of `blocks` that is not blank, as [`each_line`] finds them. `judge` is given the
/// line's number among these, from 0, and adds to the answers of its stretch; `take` is handed the answers
/// of one stretch after the other. Returns the number of lines.
///
/// # Errors
/// What reading met, or what `take` answers.
pub fn each_line_spread<A: Default + Send>(
    blocks: &mut Blocks,
    limit: usize,
    judge: impl Fn(&mut A, u64, Line<'_>) + Sync,
    mut take: impl FnMut(A) -> io::Result<()>,
) -> io::Result<u64> {
    let mut batch = Batch::default();
    each_line(blocks, limit, |_, line| {
        batch.push(line);
        if batch.is_full() {
            batch.judge(&judge).into_iter().try_for_each(&mut take)?;
            batch.clear();
        }
        Ok(())
    })?;
    batch.judge(&judge).into_iter().try_for_each(take)?;
    Ok(batch.first + batch.lines.len() as u64)
}

/// Lines that are judged together.
#[derive(Debug, Default)]
struct Batch {
    /// The number of its first line.
    first: u64,
    text: Vec<u8>,
    /// Where each line lies in the text; nothing for one that was too long.
    lines: Vec<Option<Range<usize>>>,
}

impl Batch {
    fn push(&mut self, line: Line<'_>) {
        self.lines.push(match line {
            Line::Text(bytes) => {
                let start = self.text.len();
                self.text.extend_from_slice(bytes);
                Some(start..self.text.len())
            }
            Line::TooLong => None,
        });
    }

    fn is_full(&self) -> bool {
        self.text.len() >= BATCH_BYTES || self.lines.len() >= BATCH_LINES
    }

    fn clear(&mut self) {
        self.first += self.lines.len() as u64;
        self.text.clear();
        self.lines.clear();
    }

    /// The answers of each stretch, in order.
    fn judge<A: Default + Send>(&self, judge: &(impl Fn(&mut A, u64, Line<'_>) + Sync)) -> Vec<A> {
        each_stretch(&self.lines, |first, lines| {
            let mut answers = A::default();
            for (number, line) in (self.first + first as u64..).zip(lines) {
                let line = line.as_ref().map_or(Line::TooLong, |at| Line::Text(&self.text[at.clone()]));
                judge(&mut answers, number, line);
            }
            answers
        })
    }
}

/// Hands each core a stretch of `items`, with the place of its first; what they give, in order.
pub(crate) fn each_stretch<'i, T: Sync, A: Send>(items: &'i [T], work: impl Fn(usize, &'i [T]) -> A + Sync) -> Vec<A> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let length = items.len().div_ceil(cores).max(1);
    let mut stretches = items.chunks(length).enumerate().map(|(place, stretch)| (place * length, stretch));
    let Some((first, own)) = stretches.next() else { return Vec::new() };
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = stretches.map(|(first, stretch)| scope.spawn(move || work(first, stretch))).collect();
        let own = work(first, own);
        let others = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(own).chain(others).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::with_blocks;

    #[test]
    fn lines_are_answered_in_order_each_once() {
        for lines in [0, 1, 2, BATCH_LINES, 2 * BATCH_LINES + 3] {
            let text: String =
                (0..lines).map(|line| if line % 1000 == 7 { "x".repeat(99) + "\n\n" } else { format!("{line}\n") }).collect();
            let mut seen = Vec::new();
            let judge = |answers: &mut Vec<(u64, String)>, number, line: Line<'_>| {
                answers.push((
                    number,
                    match line {
                        Line::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                        Line::TooLong => "too long".to_owned(),
                    },
                ));
            };
            let take = |answers: Vec<_>| {
                seen.extend(answers);
                Ok(())
            };
            let (counted, _) = with_blocks(text.as_bytes(), |blocks| each_line_spread(blocks, 50, judge, take)).expect("a slice reads");
            assert_eq!(counted, lines as u64);
            let wanted = (0..lines as u64).map(|line| (line, if line % 1000 == 7 { "too long".to_owned() } else { line.to_string() }));
            assert!(seen.into_iter().eq(wanted), "{lines}");
        }
    }

    #[test]
    fn what_cannot_be_taken_ends_the_reading() {
        let refused = with_blocks(&b"1\n2\n"[..], |blocks| {
            each_line_spread(blocks, 50, |_: &mut (), _, _| {}, |()| Err(io::Error::other("nobody listens")))
        });
        assert_eq!(refused.map(|_| ()).map_err(|error| error.to_string()), Err("nobody listens".to_owned()));
    }
}
