//! Packs, alone or inside a bundle: objects one behind the other, some as differences.

use super::object::{Kind, OBJECT_LIMIT, inflate};
use sha1::{Digest, Sha1};
use sha2::Sha256;
use std::collections::HashMap;

/// Objects of a pack that was read whole. Blobs are dropped: their hashes stand in trees.
#[derive(Debug, Default)]
pub struct Pack {
    /// Refs that a bundle names.
    pub refs: Vec<(String, String)>,
    objects: HashMap<String, (Kind, Vec<u8>)>,
    /// Hashes of all objects, blobs included.
    known: std::collections::BTreeSet<String>,
}

/// The most bytes that the objects of one pack may inflate to.
const TOTAL_LIMIT: usize = 128 << 20;
const COUNT_LIMIT: u32 = 200_000;

struct Entry {
    base: Option<Base>,
    kind: Option<Kind>,
    data: Vec<u8>,
}

enum Base {
    Offset(usize),
    Hash(String),
}

/// How objects are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Sha1,
    Sha256,
}

impl Format {
    fn named(name: &str) -> Option<Self> {
        match name {
            "sha1" => Some(Self::Sha1),
            "sha256" => Some(Self::Sha256),
            _ => None,
        }
    }

    /// The format whose digest a pack ends with. A pack whose digest is of neither was cut or changed; older
    /// recordings of such are read as what nearly all are.
    fn of(pack: &[u8]) -> Option<Self> {
        let ends = |format: Self| {
            let end = pack.len().checked_sub(format.width())?;
            Some(format.name(&[&pack[..end]]) == crate::json::hex(&pack[end..]))
        };
        Some(if ends(Self::Sha256) == Some(true) && ends(Self::Sha1) != Some(true) { Self::Sha256 } else { Self::Sha1 })
    }

    /// Bytes of a name.
    fn width(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    fn name(self, parts: &[&[u8]]) -> String {
        fn digest<D: Digest>(parts: &[&[u8]]) -> String {
            let mut hasher = D::new();
            parts.iter().for_each(|part| hasher.update(part));
            crate::json::hex(&hasher.finalize())
        }
        match self {
            Self::Sha1 => digest::<Sha1>(parts),
            Self::Sha256 => digest::<Sha256>(parts),
        }
    }
}

impl Pack {
    /// Reads a pack or a bundle; `None` for anything else.
    ///
    /// A bundle says how its objects are named. A pack alone does not: it ends with a digest of itself, and is of the
    /// format whose digest that is.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut pack = Self::default();
        let mut body = bytes;
        let mut format = None;
        if bytes.starts_with(b"# v2 git bundle\n") || bytes.starts_with(b"# v3 git bundle\n") {
            body = &body[16..];
            loop {
                let end = memchr::memchr(b'\n', body)?;
                let line = std::str::from_utf8(&body[..end]).ok()?;
                body = &body[end + 1..];
                if line.is_empty() {
                    break;
                }
                if let Some(name) = line.strip_prefix("@object-format=") {
                    format = Some(Format::named(name)?);
                }
                if line.starts_with(['-', '@']) {
                    continue;
                }
                let (hash, name) = line.split_once(' ')?;
                if pack.refs.len() < 10_000 {
                    pack.refs.push((name.to_owned(), hash.to_ascii_lowercase()));
                }
            }
        }
        pack.fill(body, format.or_else(|| Format::of(body))?)?;
        Some(pack)
    }

    fn fill(&mut self, bytes: &[u8], format: Format) -> Option<()> {
        if !bytes.starts_with(b"PACK") {
            return None;
        }
        let word = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let count = word(8)?;
        if !matches!(word(4)?, 2 | 3) || count > COUNT_LIMIT {
            return None;
        }
        let mut entries: Vec<(usize, Entry)> = Vec::new();
        let (mut at, mut total) = (12, 0);
        for _ in 0..count {
            let start = at;
            let (kind, size) = header(bytes, &mut at)?;
            let base = match kind {
                6 => Some(Base::Offset(start.checked_sub(distance(bytes, &mut at)?)?)),
                7 => {
                    let hash = bytes.get(at..at + format.width())?;
                    at += format.width();
                    Some(Base::Hash(crate::json::hex(hash)))
                }
                _ => None,
            };
            let kind = match kind {
                1 => Some(Kind::Commit),
                2 => Some(Kind::Tree),
                3 => Some(Kind::Blob),
                4 => Some(Kind::Tag),
                6 | 7 => None,
                _ => return None,
            };
            let (data, used) = inflate(bytes.get(at..)?, OBJECT_LIMIT.min(TOTAL_LIMIT - total))?;
            total += data.len();
            if data.len() != size {
                return None;
            }
            at += used;
            entries.push((start, Entry { base, kind, data }));
        }
        self.resolve(&entries, total, format);
        Some(())
    }

    /// Names objects; differences are applied once their base is known, in at most a few rounds.
    fn resolve(&mut self, entries: &[(usize, Entry)], mut total: usize, format: Format) {
        let mut whole: HashMap<usize, (Kind, Vec<u8>)> = HashMap::new();
        let mut by_hash: HashMap<String, usize> = HashMap::new();
        for _ in 0..8 {
            let before = whole.len();
            for (start, entry) in entries {
                if whole.contains_key(start) {
                    continue;
                }
                let found = match (&entry.base, entry.kind) {
                    (None, Some(kind)) => Some((kind, entry.data.clone())),
                    (Some(base), _) => {
                        let base = match base {
                            Base::Offset(offset) => whole.get(offset),
                            Base::Hash(hash) => by_hash.get(hash).and_then(|offset| whole.get(offset)),
                        };
                        base.and_then(|(kind, data)| Some((*kind, apply(data, &entry.data)?)))
                    }
                    (None, None) => None,
                };
                let Some((kind, data)) = found else { continue };
                total = total.saturating_add(data.len());
                if total > 2 * TOTAL_LIMIT {
                    return;
                }
                let hash = format.name(&[format!("{} {}\0", kind.word(), data.len()).as_bytes(), &data]);
                self.known.insert(hash.clone());
                if matches!(kind, Kind::Commit | Kind::Tree) {
                    self.objects.insert(hash.clone(), (kind, data.clone()));
                }
                by_hash.insert(hash, *start);
                whole.insert(*start, (kind, data));
            }
            if whole.len() == before || whole.len() == entries.len() {
                return;
            }
        }
    }

    /// A commit or a tree.
    pub(super) fn get(&self, hash: &str) -> Option<(Kind, Vec<u8>)> {
        self.objects.get(hash).cloned()
    }

    /// Hashes that begin with `prefix`.
    pub(super) fn named(&self, prefix: &str) -> impl Iterator<Item = &String> {
        let prefix = prefix.to_owned();
        self.known.range(prefix.clone()..).take_while(move |hash| hash.starts_with(&prefix))
    }
}

fn header(bytes: &[u8], at: &mut usize) -> Option<(u8, usize)> {
    let first = *bytes.get(*at)?;
    *at += 1;
    let kind = first >> 4 & 7;
    let mut size = usize::from(first & 15);
    let mut shift = 4;
    let mut byte = first;
    while byte & 0x80 != 0 {
        byte = *bytes.get(*at)?;
        *at += 1;
        if shift > 40 {
            return None;
        }
        size |= usize::from(byte & 0x7f) << shift;
        shift += 7;
    }
    Some((kind, size))
}

fn distance(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut byte = *bytes.get(*at)?;
    *at += 1;
    let mut distance = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = *bytes.get(*at)?;
        *at += 1;
        distance = (distance + 1).checked_mul(128)? | usize::from(byte & 0x7f);
    }
    Some(distance)
}

/// Applies a difference to its base.
fn apply(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut at = 0;
    let varint = |at: &mut usize| -> Option<usize> {
        let (mut value, mut shift) = (0usize, 0);
        loop {
            let byte = *delta.get(*at)?;
            *at += 1;
            value |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            if shift > 40 {
                return None;
            }
        }
    };
    if varint(&mut at)? != base.len() {
        return None;
    }
    let size = varint(&mut at)?;
    if size > OBJECT_LIMIT {
        return None;
    }
    let mut out = Vec::new();
    while let Some(&code) = delta.get(at) {
        at += 1;
        if code & 0x80 != 0 {
            let mut take = |bits: std::ops::Range<u8>, from: u8| -> Option<usize> {
                let mut value = 0;
                for bit in bits {
                    if code & 1 << bit != 0 {
                        value |= usize::from(*delta.get(at)?) << (8 * (bit - from));
                        at += 1;
                    }
                }
                Some(value)
            };
            let offset = take(0..4, 0)?;
            let length = take(4..7, 4)?;
            let length = if length == 0 { 0x10000 } else { length };
            out.extend_from_slice(base.get(offset..offset.checked_add(length)?)?);
        } else if code > 0 {
            let length = usize::from(code);
            out.extend_from_slice(delta.get(at..at + length)?);
            at += length;
        } else {
            return None;
        }
        if out.len() > size {
            return None;
        }
    }
    (out.len() == size).then_some(out)
}
