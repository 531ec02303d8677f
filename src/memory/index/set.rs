//! Sets of small numbers, and lists of them by key: as numbers where they are few, as bits where they are many.

use std::collections::HashMap;

/// A list longer than a thirty-second of what it is of takes more room than its bits.
const FEW: usize = 32;

/// A set of the numbers below a bound.
#[derive(Debug, Clone)]
pub(super) struct Set(Vec<u64>);

impl Set {
    pub(super) fn none(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    /// The numbers below `count`.
    pub(super) fn first(count: usize, bound: usize) -> Self {
        let mut set = Self::none(bound);
        for (at, word) in set.0.iter_mut().enumerate() {
            let left = count.saturating_sub(at * 64);
            *word = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        }
        set
    }

    pub(super) fn insert(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    pub(super) fn add(&mut self, numbers: &[u32]) {
        numbers.iter().for_each(|&number| self.insert(number));
    }

    pub(super) fn add_set(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().zip((0_u32..).step_by(64)).flat_map(|(&word, from)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(from + bit)
            })
        })
    }
}

/// For each key, which is a small number as well, the numbers that have it.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Where the list of each key begins in `numbers`, and one end more.
    starts: Vec<usize>,
    numbers: Vec<u32>,
    /// The lists that would be long.
    many: HashMap<u32, Set>,
}

impl Lists {
    /// Of `keys` keys and numbers below `bound`. `entered` tells each pair of key and number once, and the same when it
    /// is asked again.
    pub(super) fn of(keys: usize, bound: usize, entered: impl Fn(&mut dyn FnMut(u32, u32))) -> Self {
        let mut counts = vec![0_u32; keys];
        entered(&mut |key, _| counts[key as usize] += 1);
        let is_many = |count: u32| count as usize > bound / FEW;
        let many = counts.iter().zip(0_u32..).filter(|&(&count, _)| is_many(count)).map(|(_, key)| (key, Set::none(bound)));
        let mut many: HashMap<u32, Set> = many.collect();
        let mut starts = vec![0_usize];
        let mut end = 0;
        starts.extend(counts.iter().map(|&count| {
            end += if is_many(count) { 0 } else { count as usize };
            end
        }));
        // Where the next number of each key goes.
        let mut next = starts.clone();
        let mut numbers = vec![0_u32; end];
        entered(&mut |key, number| {
            if is_many(counts[key as usize]) {
                many.entry(key).and_modify(|set| set.insert(number));
            } else {
                numbers[next[key as usize]] = number;
                next[key as usize] += 1;
            }
        });
        Self { starts, numbers, many }
    }

    /// Adds the numbers of a key.
    pub(super) fn add_to(&self, key: u32, set: &mut Set) {
        match self.many.get(&key) {
            Some(many) => set.add_set(many),
            None => set.add(self.few(key)),
        }
    }

    /// The numbers of a key, in the order in which they were told; those of a long list in their own.
    pub(super) fn each(&self, key: u32, mut seen: impl FnMut(u32)) {
        match self.many.get(&key) {
            Some(many) => many.iter().for_each(seen),
            None => self.few(key).iter().for_each(|&number| seen(number)),
        }
    }

    /// How many numbers a key has.
    pub(super) fn len(&self, key: u32) -> usize {
        self.many.get(&key).map_or_else(|| self.few(key).len(), Set::len)
    }

    fn few(&self, key: u32) -> &[u32] {
        &self.numbers[self.starts[key as usize]..self.starts[key as usize + 1]]
    }
}

/// The numbers of one key that stands alone.
#[derive(Debug)]
pub(super) enum Numbers {
    Few(Vec<u32>),
    Many(Set),
}

impl Numbers {
    pub(super) fn of(set: Set, bound: usize) -> Self {
        if set.len() > bound / FEW { Self::Many(set) } else { Self::Few(set.iter().collect()) }
    }

    pub(super) fn add_to(&self, set: &mut Set) {
        match self {
            Self::Few(numbers) => set.add(numbers),
            Self::Many(many) => set.add_set(many),
        }
    }
}
