//! Work spread over every core, and its answers in their order.
//!
//! Lines are gathered to batches of bounded size; each core judges a stretch of a batch, and what it
//! has to say is handed on in the order of the lines. Memory is a batch and its answers, however long
//! the input is.

use super::blocks::Blocks;
use super::lines::{Line, each_line};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};

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
            batch.judge(&judge, &mut take)?;
            batch.clear();
        }
        Ok(())
    })?;
    batch.judge(&judge, &mut take)?;
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

    /// Hands on the answers of each stretch, in order.
    fn judge<A: Default + Send>(
        &self,
        judge: &(impl Fn(&mut A, u64, Line<'_>) + Sync),
        take: &mut impl FnMut(A) -> io::Result<()>,
    ) -> io::Result<()> {
        let work = |first: usize, lines: &[Option<Range<usize>>]| {
            let mut answers = A::default();
            for (number, line) in (self.first + first as u64..).zip(lines) {
                let line = line.as_ref().map_or(Line::TooLong, |at| Line::Text(&self.text[at.clone()]));
                judge(&mut answers, number, line);
            }
            answers
        };
        let mut taken = Ok(());
        each_stretch(&self.lines, STRETCH, work, |answers| {
            if taken.is_ok() {
                taken = take(answers);
            }
        });
        taken
    }
}

/// The lines that a core takes at a time.
const STRETCH: usize = 64;

/// Does `work` on stretches of `items` of at most `length`, with the place of the first of each, on every core: whoever
/// is done takes the next. What they give is handed to `take` in order, in this thread, while the others go on.
pub(crate) fn each_stretch<'i, T: Sync, A: Send>(
    items: &'i [T],
    length: usize,
    work: impl Fn(usize, &'i [T]) -> A + Sync,
    mut take: impl FnMut(A),
) {
    let stretches = items.len().div_ceil(length);
    let next = AtomicUsize::new(0);
    let work_on_next = || {
        let place = next.fetch_add(1, Ordering::Relaxed);
        (place < stretches).then(|| (place, work(place * length, &items[place * length..items.len().min((place + 1) * length)])))
    };
    let others = std::thread::available_parallelism().map_or(1, usize::from).min(stretches).saturating_sub(1);
    let (sender, done) = channel();
    std::thread::scope(|scope| {
        for sender in vec![sender; others] {
            scope.spawn(|| {
                let sender = sender;
                // Nobody listens any more where `take` panicked.
                while let Some(worked) = work_on_next()
                    && sender.send(worked).is_ok()
                {}
            });
        }
        let mut waiting: Vec<Option<A>> = std::iter::repeat_with(|| None).take(stretches).collect();
        let mut taken = 0;
        while taken < stretches {
            done.try_iter().for_each(|(place, worked)| waiting[place] = Some(worked));
            if let Some(worked) = waiting[taken].take() {
                take(worked);
                taken += 1;
            } else if let Some((place, worked)) = work_on_next().or_else(|| done.recv().ok()) {
                waiting[place] = Some(worked);
            } else {
                // A thread has panicked, and so does the scope.
                break;
            }
        }
    });
}

/// What work on a stretch needs and learns, kept for the next stretch, on whichever core.
#[derive(Debug, Default)]
pub(crate) struct Tools<T>(Mutex<Vec<T>>);

impl<T: Default> Tools<T> {
    /// Does `work` with tools that nobody else uses now.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // Held for a step only, so there is no thread that panicked with it.
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tools = free().pop().unwrap_or_default();
        let worked = work(&mut tools);
        free().push(tools);
        worked
    }
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
    fn tools_are_used_by_one_at_a_time_and_again() {
        let tools: Tools<Vec<u8>> = Tools::default();
        tools.with(|one| {
            one.push(1);
            tools.with(|other| assert!(other.is_empty(), "the first are in use"));
        });
        assert_eq!([tools.with(std::mem::take), tools.with(std::mem::take)], [vec![1], vec![]]);
    }

    #[test]
    fn what_cannot_be_taken_ends_the_reading() {
        let refused = with_blocks(&b"1\n2\n"[..], |blocks| {
            each_line_spread(blocks, 50, |_: &mut (), _, _| {}, |()| Err(io::Error::other("nobody listens")))
        });
        assert_eq!(refused.map(|_| ()).map_err(|error| error.to_string()), Err("nobody listens".to_owned()));
    }
}
