//! Blocks of an input, read and hashed on a thread of their own, with room in front for what the
//! block before left unfinished.

use sha2::{Digest, Sha256};
use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

/// Bytes read at a time.
const BLOCK: usize = 1 << 20;
/// Room in front of a block: the longest unfinished unit that can be carried over. One row (1 MiB),
/// what may stand beside the rows, and a character cut in two.
pub(crate) const HEADROOM: usize = (1 << 20) + (64 << 10) + 4096;
/// Buffers in flight: one read into, one waiting, one judged.
const BUFFERS: usize = 3;

/// What the reading thread learnt of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digested {
    /// `sha256:` and hex over all bytes.
    pub sha256: String,
    /// Number of bytes.
    pub size: u64,
}

/// A place that the reading thread marked, and what for: the meaning of the kind is the marker's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// Bytes before it.
    pub at: usize,
    /// What it is marked as.
    pub kind: u8,
}

/// The blocks of one input, in order.
#[derive(Debug)]
pub struct Blocks {
    filled: Receiver<io::Result<Filled>>,
    empty: Sender<Vec<u8>>,
    current: Option<Filled>,
}

#[derive(Debug)]
struct Filled {
    buffer: Vec<u8>,
    length: usize,
    last: bool,
    marks: Vec<Mark>,
}

/// A stretch of the input: what was carried over and the block behind it.
#[derive(Debug, Clone, Copy)]
pub struct Window<'b> {
    /// The bytes.
    pub bytes: &'b [u8],
    /// Whether the input ends here.
    pub last: bool,
    /// How many of the bytes were carried over: marks are of the others.
    pub carried: usize,
    /// What [`with_marked_blocks`] had marked, sorted, counted from the first byte that was not carried over.
    pub marks: &'b [Mark],
}

impl Blocks {
    /// The next stretch; its first `carry` bytes are the last `carry` bytes of the one before. After
    /// the window that says it is the last, `None`.
    ///
    /// # Errors
    /// What reading met.
    ///
    /// # Panics
    /// When `carry` is more than the room in front of a block or than the window had: the caller's limits rule it out.
    pub fn next(&mut self, carry: usize) -> io::Result<Option<Window<'_>>> {
        if self.current.as_ref().is_some_and(|block| block.last) {
            return Ok(None);
        }
        let mut next = match self.filled.recv() {
            Ok(filled) => filled?,
            Err(_) => return Ok(None),
        };
        if let Some(before) = self.current.take() {
            let end = HEADROOM + before.length;
            next.buffer[HEADROOM - carry..HEADROOM].copy_from_slice(&before.buffer[end - carry..end]);
            // The reading thread may be done; then nobody waits for the buffer.
            let _ = self.empty.send(before.buffer);
        }
        let block = self.current.insert(next);
        Ok(Some(Window {
            bytes: &block.buffer[HEADROOM - carry..HEADROOM + block.length],
            last: block.last,
            carried: carry,
            marks: &block.marks,
        }))
    }
}

/// Reads `input` to its end and hands its blocks to `judge`; returns its answer and the digest of
/// all bytes, those included that `judge` left unread.
///
/// # Errors
/// What reading met, if `judge` did not report it already.
pub fn with_blocks<T>(input: impl Read + Send, judge: impl FnOnce(&mut Blocks) -> io::Result<T>) -> io::Result<(T, Digested)> {
    with_marked_blocks(input, |_, _| {}, judge)
}

/// As [`with_blocks`], and `mark` looks at each block in the reading thread, while another block is judged: it adds the
/// places that [`Window::marks`] then has.
///
/// # Errors
/// As [`with_blocks`].
pub fn with_marked_blocks<T>(
    input: impl Read + Send,
    mark: fn(&[u8], &mut Vec<Mark>),
    judge: impl FnOnce(&mut Blocks) -> io::Result<T>,
) -> io::Result<(T, Digested)> {
    std::thread::scope(|scope| {
        let (mut blocks, reading) = start(scope, input, Hashing(Sha256::new(), mark));
        let judged = judge(&mut blocks)?;
        while blocks.next(0)?.is_some() {}
        drop(blocks);
        let (Hashing(hash, _), size) = reading.join().expect("the reading thread does not panic");
        Ok((judged, Digested { sha256: crate::json::digest_text(&hash.finalize()), size }))
    })
}

/// As [`with_blocks`], for callers that want no digest: nothing is hashed, and what `judge` leaves unread
/// is not read.
///
/// # Errors
/// As [`with_blocks`].
#[cfg(feature = "harness")]
pub fn with_unhashed_blocks<T>(input: impl Read + Send, judge: impl FnOnce(&mut Blocks) -> io::Result<T>) -> io::Result<T> {
    std::thread::scope(|scope| {
        let (mut blocks, _) = start(scope, input, Unhashed);
        judge(&mut blocks)
    })
}

/// What the reading thread does with the bytes besides handing them on.
trait Look: Send {
    /// Looks at a block and gives what it marks in it.
    fn look(&mut self, bytes: &[u8]) -> Vec<Mark>;
}

struct Hashing(Sha256, fn(&[u8], &mut Vec<Mark>));

impl Look for Hashing {
    fn look(&mut self, bytes: &[u8]) -> Vec<Mark> {
        self.0.update(bytes);
        let mut marks = Vec::new();
        (self.1)(bytes, &mut marks);
        // A marker works in a few passes: a sort that knows sorted stretches only merges them.
        marks.sort();
        marks
    }
}

#[cfg(feature = "harness")]
struct Unhashed;

#[cfg(feature = "harness")]
impl Look for Unhashed {
    fn look(&mut self, _: &[u8]) -> Vec<Mark> {
        Vec::new()
    }
}

/// Starts the reading thread, which ends when the input does or when the blocks are dropped.
fn start<'s, L: Look + 's>(scope: &'s Scope<'s, '_>, input: impl Read + Send + 's, look: L) -> (Blocks, ScopedJoinHandle<'s, (L, u64)>) {
    let (to_judge, filled) = channel();
    let (empty, to_fill) = channel();
    for _ in 0..BUFFERS {
        empty.send(Vec::new()).expect("the receiver is in this scope");
    }
    let reading = scope.spawn(move || read_all(input, look, &to_fill, &to_judge));
    (Blocks { filled, empty, current: None }, reading)
}

fn read_all<L: Look>(mut input: impl Read, mut look: L, empty: &Receiver<Vec<u8>>, filled: &Sender<io::Result<Filled>>) -> (L, u64) {
    let mut size = 0;
    // The judge has gone when there is no buffer to be had: it has reported a fault of reading.
    while let Ok(mut buffer) = empty.recv() {
        if buffer.is_empty() {
            // Zeroed pages come untouched from the system: a small file pays for what it fills.
            buffer = vec![0; HEADROOM + BLOCK];
        }
        match fill(&mut input, &mut buffer[HEADROOM..]) {
            Ok(length) => {
                let marks = look.look(&buffer[HEADROOM..HEADROOM + length]);
                size += length as u64;
                let last = length < BLOCK;
                if filled.send(Ok(Filled { buffer, length, last, marks })).is_err() || last {
                    break;
                }
            }
            Err(error) => {
                let _ = filled.send(Err(error));
                break;
            }
        }
    }
    (look, size)
}

/// Reads until `buffer` is full or the input ends.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match input.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_carry_what_was_left_over() {
        let bytes: Vec<u8> = (0..3 * BLOCK + 5).map(|at| (at % 251) as u8).collect();
        let (read, digested) = with_blocks(&bytes[..], |blocks| {
            let mut read = Vec::new();
            let mut carry = 0;
            while let Some(window) = blocks.next(carry)? {
                carry = if window.last { 0 } else { 7 };
                read.extend_from_slice(&window.bytes[..window.bytes.len() - carry]);
            }
            Ok(read)
        })
        .expect("a slice reads");
        assert!(read == bytes);
        assert_eq!(digested, Digested { sha256: crate::json::digest_of(&bytes), size: bytes.len() as u64 });
    }

    #[test]
    fn what_the_judge_leaves_unread_is_hashed_all_the_same() {
        let bytes = vec![7; 2 * BLOCK];
        let ((), digested) = with_blocks(&bytes[..], |_| Ok(())).expect("a slice reads");
        assert_eq!(digested.sha256, crate::json::digest_of(&bytes));
    }
}
