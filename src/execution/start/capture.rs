//! One stream as it is read: bounded, its tail kept, its marker looked for in all of it.

use memchr::memmem;

/// How many characters of a stream a record keeps, counted from the end.
pub const TAIL_CHARACTERS: usize = 4000;

/// Bytes that surely hold the last characters. A character has at most four bytes, and where the kept
/// bytes begin inside of one, at most its three last bytes are read wrongly.
const KEPT: usize = TAIL_CHARACTERS * 4 + 3;

/// A stream that is being read, in blocks of any size.
#[derive(Debug)]
pub struct Capture {
    room: u64,
    exceeded: bool,
    tail: Vec<u8>,
    cut: bool,
    marker: Vec<u8>,
    /// The end of what was read, one byte shorter than the marker: it may begin there.
    seam: Vec<u8>,
    seen: bool,
}

/// What is kept of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// Its last characters; what is no UTF-8 is replaced.
    pub tail: String,
    /// Whether there were more.
    pub truncated: bool,
    /// Whether the marker was anywhere in it.
    pub marker_seen: bool,
    /// Whether it had more bytes than allowed; those beyond were not looked at.
    pub exceeded: bool,
}

impl Capture {
    /// A stream of at most `cap` bytes. A marker that is empty or absent is never seen.
    pub fn new(cap: u64, marker: Option<&str>) -> Self {
        let marker = marker.unwrap_or_default().as_bytes().to_vec();
        Self { room: cap, exceeded: false, tail: Vec::new(), cut: false, marker, seam: Vec::new(), seen: false }
    }

    /// Takes the next bytes.
    pub fn take(&mut self, block: &[u8]) {
        let within = usize::try_from(self.room).map_or(block.len(), |room| room.min(block.len()));
        self.exceeded |= within < block.len();
        self.room -= within as u64;
        let block = &block[..within];
        self.look_for_marker(block);
        // At most twice what is kept is held, so that few blocks cost a move.
        self.tail.extend_from_slice(&block[block.len().saturating_sub(KEPT)..]);
        self.cut |= block.len() > KEPT;
        if self.tail.len() > 2 * KEPT {
            self.tail.drain(..self.tail.len() - KEPT);
            self.cut = true;
        }
    }

    fn look_for_marker(&mut self, block: &[u8]) {
        if self.seen || self.marker.is_empty() {
            return;
        }
        let overlap = self.marker.len() - 1;
        self.seen = memmem::find(block, &self.marker).is_some();
        self.seam.extend_from_slice(&block[..overlap.min(block.len())]);
        self.seen |= memmem::find(&self.seam, &self.marker).is_some();
        if block.len() >= overlap {
            self.seam.clear();
            self.seam.extend_from_slice(&block[block.len() - overlap..]);
        } else {
            self.seam.drain(..self.seam.len().saturating_sub(overlap));
        }
    }

    /// Whether there were more bytes than allowed.
    pub fn exceeded(&self) -> bool {
        self.exceeded
    }

    /// What is kept, once nothing more comes.
    pub fn finish(self) -> Captured {
        let text = String::from_utf8_lossy(&self.tail);
        // Counted from the end, so that a first character that was cut into does not matter.
        let from = text.char_indices().rev().nth(TAIL_CHARACTERS - 1).map_or(0, |(at, _)| at);
        let truncated = self.cut || from > 0;
        Captured { tail: text[from..].to_owned(), truncated, marker_seen: self.seen, exceeded: self.exceeded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(cap: u64, marker: &str, blocks: &[&[u8]]) -> Captured {
        let mut capture = Capture::new(cap, Some(marker));
        blocks.iter().for_each(|block| capture.take(block));
        capture.finish()
    }

    #[test]
    fn the_last_4000_characters_are_kept() {
        let whole = read(99_999, "m", &["x".repeat(4000).as_bytes()]);
        assert!(!whole.truncated && whole.tail.len() == 4000);
        let cut = read(99_999, "m", &["y", &"x".repeat(3999), "é"].map(str::as_bytes));
        assert!(cut.truncated && cut.tail == format!("{}é", "x".repeat(3999)));
    }

    #[test]
    fn the_marker_is_seen_across_blocks_and_before_the_tail() {
        let long = "x".repeat(60_000);
        assert!(read(99_999, "marker", &[b"marker", long.as_bytes()]).marker_seen);
        assert!(read(99_999, "marker", &[b"xma", b"", b"r", b"k", b"erx"]).marker_seen);
        assert!(!read(99_999, "marker", &[b"mark", b"xer"]).marker_seen);
        assert!(!read(99_999, "", &[b"anything"]).marker_seen);
    }

    #[test]
    fn bytes_beyond_the_cap_are_not_looked_at() {
        let at = read(5, "m", &[b"abcde"]);
        assert!(!at.exceeded && at.tail == "abcde");
        let beyond = read(5, "m", &[b"abc", b"dem", b"m"]);
        assert!(beyond.exceeded && !beyond.marker_seen && beyond.tail == "abcde");
    }

    #[test]
    fn memory_stays_bounded() {
        let mut capture = Capture::new(u64::MAX, Some("marker"));
        (0..10_000).for_each(|_| capture.take(&[b'x'; 8192]));
        assert!(capture.tail.capacity() <= 8 * KEPT && capture.seam.len() < 6);
    }

    /// Bytes of which many make up characters of several bytes, whole and broken.
    fn some_byte() -> impl Strategy<Value = u8> {
        prop_oneof![Just(0xE2), Just(0x82), Just(0xAC), Just(b'a'), Just(0xF0), any::<u8>()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn blocks_give_what_the_whole_gives(
            pattern in proptest::collection::vec(some_byte(), 1..200),
            end in proptest::collection::vec(some_byte(), 0..50),
            length in 0..40_000usize,
            size in prop_oneof![1..4usize, 1..9000usize, Just(KEPT - 1), Just(KEPT), Just(KEPT + 1)],
        ) {
            let bytes: Vec<u8> = pattern.iter().copied().cycle().take(length).chain(end).collect();
            let mut capture = Capture::new(35_000, Some("aa"));
            bytes.chunks(size).for_each(|block| capture.take(block));
            let got = capture.finish();
            let within = &bytes[..bytes.len().min(35_000)];
            let text = String::from_utf8_lossy(within);
            let count = text.chars().count();
            prop_assert_eq!(got.tail, text.chars().skip(count.saturating_sub(TAIL_CHARACTERS)).collect::<String>());
            prop_assert_eq!(got.truncated, count > TAIL_CHARACTERS);
            prop_assert_eq!(got.exceeded, bytes.len() > 35_000);
            prop_assert_eq!(got.marker_seen, within.windows(2).any(|pair| pair == b"aa"));
        }
    }
}
