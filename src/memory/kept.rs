//! The evidence of a ledger made ready to be asked, kept in a file: what [`LocalMemory`] holds, without holding it.
//!
//! It is derived, and says of what. Entries lie in the order of the ledger, in blocks: first what filters and order ask
//! for, then the items themselves. A question reads the former of the recent ones, and of the latter only the blocks of
//! what it returns. Each part is held to a digest when it is read, and the list of them to its own. The answer is that
//! of [`LocalMemory::ask`]; a property test holds it to that.
//!
//! [`LocalMemory`]: super::LocalMemory
//! [`LocalMemory::ask`]: super::LocalMemory::ask

mod block;
mod question;
#[cfg(test)]
mod tests;

use super::catalog::item_of_memory_record;
use super::local::{ask_result, held};
use super::query::Filters;
use super::value::{clean, field};
use block::Said;
use question::Question;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::io::{self, Error, ErrorKind, Read, Seek, SeekFrom, Write};

/// What a file says that is one.
const FORMAT: &str = "landfall/evidence/v1";
/// The bytes after which a block ends.
const BLOCK: usize = 1 << 20;
/// The longest list of blocks.
const LIST_LIMIT: u64 = 256 << 20;
/// The bytes behind the list: its length and its digest.
const TAIL: u64 = 8 + 32;

/// The list of blocks, at the end of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Blocks {
    format: String,
    /// What the evidence was taken from, and when.
    of: String,
    /// How many records of local memory there are.
    records: u64,
    /// How many were evidence and could not be ingested.
    rejected: u64,
    blocks: Vec<Block>,
}

/// One block: where it lies follows from those before.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    records: u64,
    /// Length and digest of what is asked.
    entries: (u64, String),
    /// Length and digest of the items.
    items: (u64, String),
}

/// Sixteen bytes of a digest: enough to tell one text from another.
type Key = [u8; 16];

fn key_of(text: &str) -> Key {
    let mut key = Key::default();
    key.copy_from_slice(&Sha256::digest(text)[..16]);
    key
}

fn digest_of(bytes: &[u8]) -> String {
    crate::json::hex(&Sha256::digest(bytes))
}

fn unsound(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

/// Writes evidence, a ledger's record at a time. Sixteen bytes a record and one block are held.
#[derive(Debug)]
pub struct EvidenceWriter<W> {
    out: W,
    known: HashSet<Key>,
    entries: Vec<u8>,
    items: Vec<u8>,
    /// Records in the block that is not yet written.
    open: u64,
    list: Blocks,
}

impl<W: Write> EvidenceWriter<W> {
    /// Writes to `out`, from its beginning.
    pub fn new(out: W) -> Self {
        let list = Blocks { format: FORMAT.to_owned(), of: String::new(), records: 0, rejected: 0, blocks: Vec::new() };
        Self { out, known: HashSet::new(), entries: Vec::new(), items: Vec::new(), open: 0, list }
    }

    /// How many records there are so far.
    pub fn records(&self) -> u64 {
        self.list.records
    }

    /// Takes in a ledger's record, if it is evidence and new.
    ///
    /// # Errors
    /// It could not be written.
    pub fn take_in(&mut self, record: &Json) -> io::Result<()> {
        let Some(held) = held(record) else { return Ok(()) };
        let Ok(record) = held else {
            self.list.rejected += 1;
            return Ok(());
        };
        let id = clean(field(&record, "id"));
        if !id.is_empty() && !self.known.insert(key_of(&id)) {
            return Ok(());
        }
        block::put(item_of_memory_record(&record), &mut self.entries, &mut self.items);
        self.open += 1;
        self.list.records += 1;
        if self.entries.len() + self.items.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.open == 0 {
            return Ok(());
        }
        let described = |bytes: &[u8]| (bytes.len() as u64, digest_of(bytes));
        self.out.write_all(&self.entries)?;
        self.out.write_all(&self.items)?;
        let records = std::mem::take(&mut self.open);
        self.list.blocks.push(Block { records, entries: described(&self.entries), items: described(&self.items) });
        self.entries.clear();
        self.items.clear();
        Ok(())
    }

    /// Ends the file, which says that it is `of` this.
    ///
    /// # Errors
    /// It could not be written.
    pub fn finish(mut self, of: &str) -> io::Result<W> {
        self.flush()?;
        of.clone_into(&mut self.list.of);
        let list = serde_json::to_vec(&self.list)?;
        self.out.write_all(&list)?;
        self.out.write_all(&(list.len() as u64).to_le_bytes())?;
        self.out.write_all(&Sha256::digest(&list))?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Evidence in a file, to be asked.
#[derive(Debug)]
pub struct Evidence<F> {
    file: F,
    list: Blocks,
}

impl<F: Read + Seek> Evidence<F> {
    /// Opens a file that an [`EvidenceWriter`] wrote.
    ///
    /// # Errors
    /// It is none, is damaged, or could not be read.
    pub fn open(mut file: F) -> io::Result<Self> {
        let length = file.seek(SeekFrom::End(0))?;
        let tail_at = length.checked_sub(TAIL).ok_or_else(|| unsound("too short"))?;
        file.seek(SeekFrom::Start(tail_at))?;
        let mut tail = [0; TAIL as usize];
        file.read_exact(&mut tail)?;
        let (size, digest) = tail.split_at(8);
        let size = u64::from_le_bytes(size.try_into().expect("it was split there"));
        let list_at = tail_at.checked_sub(size).filter(|_| size <= LIST_LIMIT).ok_or_else(|| unsound("no list of blocks"))?;
        file.seek(SeekFrom::Start(list_at))?;
        let mut text = Vec::new();
        file.by_ref().take(size).read_to_end(&mut text)?;
        if Sha256::digest(&text).as_slice() != digest {
            return Err(unsound("another digest of the list of blocks"));
        }
        let list: Blocks = serde_json::from_slice(&text).map_err(|_| unsound("a list of blocks that does not read"))?;
        let sizes = list.blocks.iter().flat_map(|block| [block.entries.0, block.items.0]);
        let (whole, records) =
            (sizes.fold(0, u64::saturating_add), list.blocks.iter().map(|block| block.records).fold(0, u64::saturating_add));
        if list.format != FORMAT || whole != list_at || records != list.records {
            return Err(unsound("a list of other blocks"));
        }
        Ok(Self { file, list })
    }

    /// What it is of.
    pub fn of(&self) -> &str {
        &self.list.of
    }

    /// How many records of the ledger were evidence and could not be ingested.
    pub fn rejected(&self) -> u64 {
        self.list.rejected
    }

    /// What `filters` find in the most recent records: the answer of [`super::LocalMemory::ask`].
    ///
    /// # Errors
    /// The file could not be read, or is damaged.
    pub fn ask(&mut self, recent_limit: usize, filters: &Filters, top_items_limit: u64, node_id: &str) -> io::Result<Json> {
        let mut question = Question::new(filters);
        let mut passed_over = self.list.records.saturating_sub(recent_limit as u64);
        let mut at = 0;
        for number in 0..self.list.blocks.len() {
            let block = &self.list.blocks[number];
            let (records, size) = (block.records, block.entries.0 + block.items.0);
            if passed_over >= records {
                passed_over -= records;
            } else {
                let entries = part(&mut self.file, at, &block.entries)?;
                let mut rest = &entries[..];
                for _ in 0..records {
                    let entry = Said::read(&mut rest).ok_or_else(|| unsound("an entry that does not read"))?;
                    if passed_over > 0 {
                        passed_over -= 1;
                    } else {
                        question.see(&entry, number);
                    }
                }
            }
            at += size;
        }
        let head = question.catalog_head();
        let (matched, best) = question.best();
        let items = self.items_at(&best)?;
        let result = question.result(matched, &items);
        Ok(ask_result(&result, head, recent_limit, top_items_limit, node_id))
    }

    /// The items at these places, in their order; a block is read once.
    fn items_at(&mut self, places: &[block::Place]) -> io::Result<Vec<Json>> {
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&index| places[index].block);
        let mut items = vec![Json::Null; places.len()];
        let (mut read, mut text): (Option<usize>, Vec<u8>) = (None, Vec::new());
        let (mut number, mut at) = (0, 0);
        for index in order {
            let place = &places[index];
            while number < place.block {
                at += self.list.blocks[number].entries.0 + self.list.blocks[number].items.0;
                number += 1;
            }
            if read != Some(place.block) {
                let block = &self.list.blocks[place.block];
                text = part(&mut self.file, at + block.entries.0, &block.items)?;
                read = Some(place.block);
            }
            let line = text.get(place.from..place.from.saturating_add(place.length));
            let item = line.and_then(|line| crate::json::parse(line).ok()).ok_or_else(|| unsound("an item that does not read"))?;
            items[index] = crate::ledger::record::owned(&item);
        }
        Ok(items)
    }
}

/// A part of the file, held to its digest.
fn part<F: Read + Seek>(file: &mut F, at: u64, (size, digest): &(u64, String)) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.by_ref().take(*size).read_to_end(&mut bytes)?;
    if digest_of(&bytes) == *digest { Ok(bytes) } else { Err(unsound("another digest of a block")) }
}
