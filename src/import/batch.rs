//! Records of a stream, some at a time: cut and read on one thread, taken in on another.
//!
//! Half the time of an import goes into finding and checking records, half into understanding them. A few batches go
//! round between the two. What a stream holds is bounded by them: a batch that is large goes alone.

use crate::json::Tape;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::sync::mpsc::channel;

/// Bytes that are read at a time.
pub(super) const BLOCK: usize = 256 << 10;
/// A batch of more bytes is large.
const LARGE: usize = 4 * BLOCK;
/// Batches in flight: one filled, one waiting, one taken in.
const BATCHES: usize = 3;

/// Some records of a stream.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) text: String,
    pub(super) tape: Tape,
    pub(super) found: Vec<Found>,
}

/// What stands at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The line, or the place in its list, from 1.
    pub(super) number: u32,
    pub(super) what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// A value on the tape.
    Record(u32),
    /// A line of text.
    Line(Range<usize>),
    /// More bytes, values or depth than is read.
    OverLimits,
    /// No record.
    Malformed,
    /// The rest of a document does not read; `true`: it is nested too deeply. It is no record of its own.
    Broken(bool),
}

impl Batch {
    fn clear(&mut self) {
        self.tape.clear();
        self.found.clear();
        self.text.clear();
        if self.text.capacity() > LARGE {
            self.text = String::new();
        }
    }

    pub(super) fn push(&mut self, number: u32, what: What) {
        self.found.push(Found { number, what });
    }
}

/// Cuts a stream into records.
pub(super) trait Cut {
    /// Fills an empty batch. Whether more may follow.
    ///
    /// # Errors
    /// What reading meets.
    fn fill(&mut self, batch: &mut Batch) -> io::Result<bool>;
}

/// Hands all batches of `cut` to `take`, in order. A stream of more than one is cut on a thread of its own: what is taken in
/// stays on this one, so that the many patterns that it is held against warm up once, not once a stream.
///
/// # Errors
/// What reading meets; what came before it was handed on.
pub(super) fn each_batch(mut cut: impl Cut + Send, mut take: impl FnMut(&Batch)) -> io::Result<()> {
    let mut first = Batch::default();
    if !cut.fill(&mut first)? {
        take(&first);
        return Ok(());
    }
    std::thread::scope(|scope| {
        let (to_take, filled) = channel::<Batch>();
        let (to_fill, empty) = channel::<Batch>();
        for _ in 1..BATCHES {
            to_fill.send(Batch::default()).expect("the receiver is in this scope");
        }
        let cutting = scope.spawn(move || {
            let mut batch = first;
            let mut more = true;
            let mut waiting = Vec::new();
            loop {
                let large = batch.text.len() > LARGE;
                if to_take.send(batch).is_err() || !more {
                    return Ok(());
                }
                // A large batch is waited for, so that no two of them are held.
                while large && waiting.len() < BATCHES - 1 {
                    let Ok(next) = empty.recv() else { return Ok(()) };
                    waiting.push(next);
                }
                let Some(next) = waiting.pop().or_else(|| empty.recv().ok()) else { return Ok(()) };
                batch = next;
                more = cut.fill(&mut batch)?;
            }
        });
        for mut batch in filled {
            take(&batch);
            batch.clear();
            // The cutting thread may be done; then nobody waits for it.
            let _ = to_fill.send(batch);
        }
        cutting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Reads until `room` more bytes are in `bytes`, or the input ends. Whether it ended.
pub(super) fn read_block(input: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let from = bytes.len();
    // A long line grows by parts of itself, and never holds twice its size.
    let room = BLOCK.max(from / 8);
    bytes.reserve_exact(room);
    bytes.resize(from + room, 0);
    let mut end = from;
    while end < bytes.len() {
        match input.read(&mut bytes[end..]) {
            Ok(0) => {
                bytes.truncate(end);
                return Ok(true);
            }
            Ok(read) => end += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// `bytes` as text, with what is no UTF-8 replaced by `?` in place, so that no offset moves.
pub(super) fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut bytes = error.into_bytes();
        super::lines::as_text(&mut bytes);
        String::from_utf8(bytes).expect("what was no UTF-8 was replaced")
    })
}
