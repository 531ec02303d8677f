//! Texts by number: each distinct one is kept once, in one buffer, however many records say it.
//!
//! A chain of a million records names the same ids again and again. Kept as strings they would be most of
//! its memory; a [`Symbol`] has four bytes, and two are equal when their texts are.

use std::hash::{BuildHasher, RandomState};

/// The number of a text. That of the blank text is [`Symbol::BLANK`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Symbol(u32);

impl Symbol {
    /// The blank text, which names nothing.
    pub(super) const BLANK: Self = Self(0);

    pub(super) fn is_blank(self) -> bool {
        self == Self::BLANK
    }

    /// Its place among all symbols, from 0.
    pub(super) fn place(self) -> usize {
        self.0 as usize
    }
}

/// The texts that were given numbers.
#[derive(Debug)]
pub(super) struct Interner {
    /// All texts, one behind the other.
    buffer: String,
    /// Where each ends.
    ends: Vec<usize>,
    /// A hash table with open places: half a hash, and one more than the number of a text; 0 where none is.
    table: Vec<(u32, u32)>,
    /// Seeded, so that nobody can choose texts that collide.
    hasher: RandomState,
    /// What was said last of each thing that is asked for by [`Interner::symbol_again`].
    last: [Symbol; THINGS],
}

/// The things of which what was said last is remembered.
pub(super) const THINGS: usize = 16;

impl Default for Interner {
    fn default() -> Self {
        Self::seeded(RandomState::new())
    }
}

impl Interner {
    /// Numbers for texts that are hashed with this seed.
    pub(super) fn seeded(hasher: RandomState) -> Self {
        // The blank text is there from the beginning, and is never looked up.
        Self { buffer: String::new(), ends: vec![0], table: vec![(0, 0); 256], hasher, last: [Symbol::BLANK; THINGS] }
    }

    /// One without texts, to be taken in by [`Interner::take_in`].
    pub(super) fn like(&self) -> Self {
        Self::seeded(self.hasher.clone())
    }

    /// The number of a text.
    ///
    /// # Panics
    /// Beyond four thousand million distinct texts, which no memory holds.
    pub(super) fn symbol(&mut self, text: &str) -> Symbol {
        if text.is_empty() {
            return Symbol::BLANK;
        }
        self.symbol_of((self.hasher.hash_one(text) >> 32) as u32, text)
    }

    /// As [`Interner::symbol`], of what a record says of one of [`THINGS`]: mostly what the record before it said, and
    /// comparing the two takes less than hashing one.
    pub(super) fn symbol_again(&mut self, thing: usize, text: &str) -> Symbol {
        if text.is_empty() {
            return Symbol::BLANK;
        }
        if self.text(self.last[thing]) != text {
            self.last[thing] = self.symbol(text);
        }
        self.last[thing]
    }

    /// Takes in the texts of another one of the same seed; for each of its numbers the one that the text has here.
    pub(super) fn take_in(&mut self, other: &Self) -> Vec<Symbol> {
        let mut here = vec![Symbol::BLANK; other.len()];
        for &(half, number) in other.table.iter().filter(|(_, number)| *number > 0) {
            let there = Symbol(number - 1);
            here[there.place()] = self.symbol_of(half, other.text(there));
        }
        here
    }

    fn symbol_of(&mut self, half: u32, text: &str) -> Symbol {
        let mut place = self.first_place(half);
        loop {
            match self.table[place] {
                (_, 0) => break,
                (other, number) if other == half && self.text(Symbol(number - 1)) == text => return Symbol(number - 1),
                _ => place = (place + 1) & (self.table.len() - 1),
            }
        }
        self.buffer.push_str(text);
        self.ends.push(self.buffer.len());
        let number = u32::try_from(self.ends.len()).expect("fewer texts than any memory holds");
        self.table[place] = (half, number);
        if self.ends.len() * 2 > self.table.len() {
            self.grow();
        }
        Symbol(number - 1)
    }

    /// The text of a number.
    pub(super) fn text(&self, symbol: Symbol) -> &str {
        let place = symbol.place();
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.buffer[start..self.ends[place]]
    }

    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Where the search for a hash begins; the table's length is a power of two.
    fn first_place(&self, half: u32) -> usize {
        half as usize & (self.table.len() - 1)
    }

    fn grow(&mut self) {
        let larger = vec![(0, 0); self.table.len() * 2];
        for (half, number) in std::mem::replace(&mut self.table, larger) {
            if number > 0 {
                let mut place = self.first_place(half);
                while self.table[place].1 > 0 {
                    place = (place + 1) & (self.table.len() - 1);
                }
                self.table[place] = (half, number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_one_number_and_every_number_its_text() {
        let mut texts = Interner::default();
        let of = |number: usize| "x".repeat(number % 50) + &number.to_string();
        let symbols: Vec<_> = (0..5000).map(|number| texts.symbol(&of(number))).collect();
        assert_eq!(texts.symbol(""), Symbol::BLANK);
        for (number, symbol) in symbols.iter().enumerate() {
            assert_eq!(texts.text(*symbol), of(number));
            assert_eq!(texts.symbol(&of(number)), *symbol);
        }
        assert_eq!(texts.len(), 5001);
    }

    #[test]
    fn texts_of_two_have_one_number_in_the_one_that_takes_in_the_other() {
        let mut texts = Interner::default();
        let mut others = texts.like();
        let own: Vec<_> = (0..300).map(|number| texts.symbol(&format!("text {number}"))).collect();
        let theirs: Vec<_> = (200..500).map(|number| others.symbol(&format!("text {number}"))).collect();
        let here = texts.take_in(&others);
        assert_eq!(here[Symbol::BLANK.place()], Symbol::BLANK);
        assert_eq!(here.len(), 301);
        for (number, symbol) in (200..500).zip(&theirs) {
            assert_eq!(texts.text(here[symbol.place()]), format!("text {number}"));
        }
        assert!(own[200..].iter().eq(theirs[..100].iter().map(|symbol| &here[symbol.place()])));
        assert_eq!(texts.len(), 501);
    }
}
