//! A session that was stored compressed by zstd, unpacked as it is read.
//!
//! A few bytes can stand for gigabytes: a frame says "this byte, 128 KiB of it" in four. Real sessions unpack to some
//! tens of their size, so what unpacks to much more is refused before the time that reading all of it would take.

use ruzstd::decoding::StreamingDecoder;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a zstd frame begins with.
pub(super) const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// How many bytes each compressed byte may stand for, once `FREE` are unpacked.
const RATIO: u64 = 1000;
/// Unpacked bytes that are not asked for their ratio.
const FREE: u64 = 16 << 20;

/// Unpacks `input`, of which no byte has been read.
///
/// # Errors
/// It is no zstd frame. Reading ends with an error where the ratio of unpacked to compressed bytes is that of no session.
pub(super) fn unpacked<'r>(input: impl Read + Send + 'r) -> io::Result<impl Read + Send + 'r> {
    let read = Arc::new(AtomicU64::new(0));
    let decoder = StreamingDecoder::new(Counted { input, read: Arc::clone(&read) }).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(Bounded { decoder, read, unpacked: 0 })
}

/// Counts what is read.
struct Counted<R> {
    input: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.read.fetch_add(length as u64, Relaxed);
        Ok(length)
    }
}

/// Ends where too much comes of too little.
struct Bounded<D> {
    decoder: D,
    read: Arc<AtomicU64>,
    unpacked: u64,
}

impl<D: Read> Read for Bounded<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.decoder.read(buffer)?;
        self.unpacked += length as u64;
        if self.unpacked > FREE && self.unpacked / RATIO > self.read.load(Relaxed) {
            let what = format!("unpacks to more than {RATIO} times its size, which no session does; unpack it and name the result");
            return Err(io::Error::other(what));
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{Limits, import_file};

    /// A frame of `blocks` blocks, each 128 KiB of one byte, and then of `text` as it is.
    fn frame(blocks: usize, text: &[u8]) -> Vec<u8> {
        // No content size and no checksum; a window of 8 MiB.
        let mut frame = [&MAGIC[..], &[0, 13 << 3]].concat();
        let header = |size: usize, kind: u32, last: bool| {
            let bits = (u32::try_from(size).expect("a block is short") << 3) | (kind << 1) | u32::from(last);
            bits.to_le_bytes()[..3].to_vec()
        };
        for _ in 0..blocks {
            frame.extend(header(128 << 10, 1, false));
            frame.push(b' ');
        }
        frame.extend(header(text.len(), 0, true));
        frame.extend(text);
        frame
    }

    const LINE: &str = r#"{"type":"user","sessionId":"s","uuid":"u","message":{"role":"user","content":"hello"}}"#;

    #[test]
    fn a_compressed_session_is_read_as_a_plain_one() {
        let text = format!("{LINE}\n");
        let plain = import_file(text.as_bytes(), "s", Limits::default()).expect("it is a session");
        let packed = import_file(&frame(0, text.as_bytes())[..], "s", Limits::default()).expect("it is a session");
        assert_eq!((plain.0, plain.1.counts.known), (packed.0, packed.1.counts.known));
    }

    #[test]
    fn a_bomb_is_refused_soon() {
        let all = |frame: &[u8]| unpacked(frame).and_then(|mut text| io::copy(&mut text, &mut io::sink()));
        assert_eq!(all(&frame(8, b"x")).expect("it is short"), (1 << 20) + 1);
        let why = all(&frame(100_000, b"x")).expect_err("thirteen gigabytes of four hundred kilobytes").to_string();
        assert!(why.contains("more than 1000 times its size"), "{why}");
        // The same through the importer, as the first line of a session that goes on for ever.
        let unread = import_file(&frame(100_000, b"")[..], "s", Limits::default()).expect_err("no session");
        assert!(!unread.to_string().is_empty());
    }

    #[test]
    fn what_is_broken_off_is_no_session() {
        let whole = frame(1, b"x");
        for length in [4, 5, 6, 8, whole.len() - 1] {
            let read = unpacked(&whole[..length]).and_then(|mut text| io::copy(&mut text, &mut io::sink()));
            assert!(read.is_err(), "{length} bytes of {}", whole.len());
        }
    }
}
