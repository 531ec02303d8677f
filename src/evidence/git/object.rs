//! Objects: commits and trees.

use flate2::bufread::ZlibDecoder;
use std::io::Read;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A commit.
    Commit,
    /// A tree.
    Tree,
    /// A file's content.
    Blob,
    /// An annotated tag.
    Tag,
}

impl Kind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Tree => "tree",
            Self::Blob => "blob",
            Self::Tag => "tag",
        }
    }
}

/// The most bytes of one object that are read.
pub(super) const OBJECT_LIMIT: usize = 16 << 20;

/// A commit, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its tree.
    pub tree: String,
    /// Its parents.
    pub parents: Vec<String>,
    /// Seconds since 1970 of the committer's clock.
    pub at: i64,
}

/// One entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) folder: bool,
    pub(super) name: String,
    /// Mode and hash together: what makes two entries differ.
    pub(super) content: (u32, String),
}

/// Inflates at most `limit` bytes; `None` for more, or for what does not inflate.
pub(super) fn inflate(bytes: &[u8], limit: usize) -> Option<(Vec<u8>, usize)> {
    let mut decoder = ZlibDecoder::new(bytes);
    let mut out = Vec::new();
    (&mut decoder).take(limit as u64 + 1).read_to_end(&mut out).ok()?;
    (out.len() <= limit).then(|| (out, decoder.total_in() as usize))
}

/// The kind and the body of a loose object.
pub(super) fn loose(bytes: &[u8]) -> Option<(Kind, Vec<u8>)> {
    let (mut text, _) = inflate(bytes, OBJECT_LIMIT)?;
    let end = memchr::memchr(0, text.get(..64.min(text.len()))?)?;
    let head = std::str::from_utf8(&text[..end]).ok()?;
    let (kind, size) = head.split_once(' ')?;
    let kind = [Kind::Commit, Kind::Tree, Kind::Blob, Kind::Tag].into_iter().find(|known| known.word() == kind)?;
    let size: usize = size.parse().ok()?;
    let body = text.split_off(end + 1);
    (size == body.len()).then_some((kind, body))
}

pub(super) fn commit(body: &[u8]) -> Option<Commit> {
    let text = String::from_utf8_lossy(body);
    let (mut tree, mut parents, mut at) = (None, Vec::new(), 0);
    for line in text.lines().take_while(|line| !line.is_empty()) {
        if let Some(hash) = line.strip_prefix("tree ") {
            tree = Some(hash.to_owned());
        } else if let Some(hash) = line.strip_prefix("parent ") {
            if parents.len() < 64 {
                parents.push(hash.to_owned());
            }
        } else if let Some(who) = line.strip_prefix("committer ") {
            at = who.rsplit_once('>').and_then(|(_, time)| time.split_whitespace().next()?.parse().ok()).unwrap_or(0);
        }
    }
    Some(Commit { tree: tree?, parents, at })
}

/// The entries of a tree whose hashes have `width` bytes.
pub(super) fn tree(mut body: &[u8], width: usize) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    while !body.is_empty() {
        let space = memchr::memchr(b' ', body)?;
        let end = space + memchr::memchr(0, &body[space..])?;
        let mode = u32::from_str_radix(std::str::from_utf8(&body[..space]).ok()?, 8).ok()?;
        let name = String::from_utf8_lossy(&body[space + 1..end]).into_owned();
        let hash = body.get(end + 1..end + 1 + width)?;
        entries.push(Entry { folder: mode == 0o40000, name, content: (mode, crate::json::hex(hash)) });
        body = &body[end + 1 + width..];
        if entries.len() > 100_000 {
            return None;
        }
    }
    Some(entries)
}
