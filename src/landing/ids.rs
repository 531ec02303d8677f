//! Which rows have the id of an earlier row, in memory that does not grow with the table.
//!
//! An id is kept as 128 bits of a hash that is seeded anew in each run: two ids are taken for one with a chance of one
//! in 2^128 a pair, and nobody can prepare two that are. The first hundred thousand or so are kept in a set and
//! answered at once. What comes behind is written out in sorted runs and merged at the end of the table. Where that
//! finds repeats, whoever judges reads the table a second time and is told which rows they are.

use crate::folder::Scratch;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::io::{self, SeekFrom};

/// Ids kept in the set: what fills a table of 2^17 places.
const SET: usize = (1 << 17) / 8 * 7;
/// Ids of a sorted run.
const RUN: usize = 1 << 16;
/// Bytes that an id takes in a run: its hash and the index of its row.
const ENTRY: usize = 24;
/// Bytes of a run that are held while runs are merged.
const HELD: usize = ENTRY * 340;

/// The ids of a table, row after row.
#[derive(Debug)]
pub(crate) struct Ids {
    seeds: [RandomState; 2],
    set: HashSet<u128, BuildHasherDefault<ItsOwnHash>>,
    /// Those behind the set, not written yet.
    run: Vec<Entry>,
    spilled: Option<Spilled>,
    /// The rows that were known to repeat an id when they were read.
    known: Rows,
    limits: (usize, usize),
    failed: Option<io::Error>,
}

#[derive(Debug)]
struct Spilled {
    file: Box<dyn Scratch>,
    /// Ids of each run.
    runs: Vec<usize>,
}

impl Default for Ids {
    fn default() -> Self {
        Self {
            seeds: [RandomState::new(), RandomState::new()],
            set: HashSet::default(),
            run: Vec::new(),
            spilled: None,
            known: Rows::default(),
            limits: (SET, RUN),
            failed: None,
        }
    }
}

impl Ids {
    /// Takes note of the id of the row at `index`, and says whether it is known already that an earlier row has it;
    /// of the others [`Ids::late_repeats`] knows. `scratch` gives a file for what is too much to keep.
    pub(crate) fn repeats(&mut self, index: u64, id: Option<&str>, scratch: &dyn Fn() -> io::Result<Box<dyn Scratch>>) -> bool {
        let Some(id) = id else { return false };
        let [high, low] = [&self.seeds[0], &self.seeds[1]].map(|seed| u128::from(seed.hash_one(id)));
        let id = high << 64 | low;
        let keeps = self.set.len() < self.limits.0;
        if if keeps { !self.set.insert(id) } else { self.set.contains(&id) } {
            self.known.insert(index);
            return true;
        }
        if keeps {
            return false;
        }
        self.run.push((id, index));
        if self.run.len() == self.limits.1 && self.failed.is_none() {
            self.failed = self.spill(scratch).err();
        }
        if self.failed.is_some() {
            self.run.clear();
        }
        false
    }

    /// As many ids as memory holds, for tables that can be read but once.
    pub(crate) fn unbounded() -> Self {
        Self { limits: (usize::MAX, RUN), ..Self::default() }
    }

    fn spill(&mut self, scratch: &dyn Fn() -> io::Result<Box<dyn Scratch>>) -> io::Result<()> {
        let spilled = match &mut self.spilled {
            Some(spilled) => spilled,
            none => none.insert(Spilled { file: scratch()?, runs: Vec::new() }),
        };
        self.run.sort_unstable();
        let mut bytes = Vec::with_capacity(HELD);
        for part in self.run.chunks(HELD / ENTRY) {
            bytes.clear();
            for (id, index) in part {
                bytes.extend_from_slice(&id.to_le_bytes());
                bytes.extend_from_slice(&index.to_le_bytes());
            }
            spilled.file.write_all(&bytes)?;
        }
        spilled.runs.push(self.run.len());
        self.run.clear();
        Ok(())
    }

    /// Every row that has the id of an earlier one, if [`Ids::repeats`] did not know of all of them; else none.
    ///
    /// # Errors
    /// What writing ids out or reading them back met: then it is not known.
    pub(crate) fn late_repeats(mut self) -> io::Result<Rows> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.set = HashSet::default();
        self.run.sort_unstable();
        let mut found = Repeats::default();
        let Some(Spilled { mut file, runs }) = self.spilled else {
            self.run.into_iter().for_each(|entry| found.take(entry));
            return Ok(found.with(self.known));
        };
        let mut start = 0;
        let mut runs: Vec<_> = runs
            .into_iter()
            .map(|ids| {
                let next = start;
                start += (ids * ENTRY) as u64;
                Run::Written { next, end: start, held: Vec::new(), at: 0 }
            })
            .collect();
        runs.push(Run::Kept(self.run.into_iter()));
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (number, run) in runs.iter_mut().enumerate() {
            heads.extend(run.next(&mut *file)?.map(|entry| Reverse((entry, number))));
        }
        while let Some(Reverse((entry, number))) = heads.pop() {
            found.take(entry);
            heads.extend(runs[number].next(&mut *file)?.map(|entry| Reverse((entry, number))));
        }
        Ok(found.with(self.known))
    }
}

/// An id and the index of its row.
type Entry = (u128, u64);

/// A sorted run while it is merged.
enum Run {
    /// In the file, from `next` to `end`; a part of it is held.
    Written {
        next: u64,
        end: u64,
        held: Vec<u8>,
        at: usize,
    },
    Kept(std::vec::IntoIter<Entry>),
}

impl Run {
    fn next(&mut self, file: &mut dyn Scratch) -> io::Result<Option<Entry>> {
        let (next, end, held, at) = match self {
            Self::Kept(entries) => return Ok(entries.next()),
            Self::Written { next, end, held, at } => (next, *end, held, at),
        };
        if *at == held.len() {
            held.resize((end - *next).min(HELD as u64) as usize, 0);
            file.seek(SeekFrom::Start(*next))?;
            file.read_exact(held)?;
            (*next, *at) = (*next + held.len() as u64, 0);
        }
        let Some((entry, _)) = held[*at..].split_first_chunk::<ENTRY>() else { return Ok(None) };
        *at += ENTRY;
        let (id, index) = entry.split_at(16);
        let (id, index) = (id.try_into().expect("sixteen bytes"), index.try_into().expect("eight bytes"));
        Ok(Some((u128::from_le_bytes(id), u64::from_le_bytes(index))))
    }
}

/// Finds the repeats of a sorted sequence: of equal ids the earliest row comes first and repeats none.
#[derive(Default)]
struct Repeats {
    before: Option<u128>,
    rows: Rows,
}

impl Repeats {
    fn take(&mut self, (id, index): Entry) {
        if self.before.replace(id) == Some(id) {
            self.rows.insert(index);
        }
    }

    /// What was found and what was known, if anything was found.
    fn with(self, known: Rows) -> Rows {
        let mut rows = self.rows;
        if !rows.is_empty() {
            rows.0.resize(rows.0.len().max(known.0.len()), 0);
            rows.0.iter_mut().zip(known.0).for_each(|(word, known)| *word |= known);
        }
        rows
    }
}

/// A set of rows: a bit a row, as far as the last one in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rows(Vec<u64>);

impl Rows {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn contains(&self, index: u64) -> bool {
        self.0.get((index / 64) as usize).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    fn insert(&mut self, index: u64) {
        let word = (index / 64) as usize;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (index % 64);
    }
}

/// Hashes what is a hash already.
#[derive(Debug, Default)]
struct ItsOwnHash(u64);

impl Hasher for ItsOwnHash {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole hashes are hashed")
    }
    fn write_u128(&mut self, hash: u128) {
        self.0 = hash as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn repeats(ids: &[Option<String>], limits: (usize, usize)) -> Vec<u64> {
        let mut known = Ids { limits, ..Ids::default() };
        let mut found: Vec<_> = (0..)
            .zip(ids)
            .filter(|(index, id)| known.repeats(*index, id.as_deref(), &crate::folder::scratch_in_memory))
            .map(|(index, _)| index)
            .collect();
        let all = known.late_repeats().expect("memory is read back");
        if !all.is_empty() {
            // Whoever reads again is told of those that were known as well.
            assert!(found.iter().all(|index| all.contains(*index)));
            found = (0..ids.len() as u64).filter(|index| all.contains(*index)).collect();
        }
        found
    }

    proptest! {
        #[test]
        fn every_repeat_is_found_once_wherever_its_first_row_is_kept(
            ids in prop::collection::vec(prop::option::weighted(0.9, 0..40_u32), 0..200),
            set in 0..30_usize,
            run in 1..20_usize,
        ) {
            let ids: Vec<_> = ids.iter().map(|id| id.map(|id| format!("run-{id}"))).collect();
            let mut seen = HashSet::new();
            let is_repeat = |id: &Option<String>| id.clone().is_some_and(|id| !seen.insert(id));
            let expected: Vec<_> = (0..).zip(ids.iter().map(is_repeat)).filter(|(_, repeats)| *repeats).map(|(index, _)| index).collect();
            prop_assert_eq!(repeats(&ids, (set, run)), expected);
        }
    }

    #[test]
    fn what_cannot_be_written_out_is_not_known() {
        let mut known = Ids { limits: (1, 2), ..Ids::default() };
        for index in 0..9 {
            assert!(!known.repeats(index, Some(&format!("run-{index}")), &|| Err(io::Error::other("the disk is full"))));
        }
        assert!(known.late_repeats().is_err());
    }
}
