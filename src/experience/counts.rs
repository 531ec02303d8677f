//! Counts by text, where the texts come from records and may be hostile.

use serde::Serialize;
use std::collections::BTreeMap;

/// More different texts than this are counted together.
const DISTINCT: usize = 1000;
/// A longer text is no name of anything.
const LONGEST: usize = 120;

/// How often each text came. Whatever goes beyond a thousand different texts, or is overlong, counts as `other`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Counts(BTreeMap<String, u64>);

impl Counts {
    /// Counts a text once, lower-cased; blank is `unknown`.
    pub fn add(&mut self, text: &str) {
        self.add_exactly(&text.to_lowercase());
    }

    /// Counts a text once as it is; blank is `unknown`.
    pub fn add_exactly(&mut self, text: &str) {
        self.add_times(text, 1);
    }

    /// Adds all counts of another.
    pub fn merge(&mut self, other: &Self) {
        for (text, times) in &other.0 {
            self.add_times(text, *times);
        }
    }

    /// How often this text came.
    pub fn of(&self, text: &str) -> u64 {
        self.0.get(text).copied().unwrap_or(0)
    }

    /// All of them, by text.
    pub fn each(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(text, times)| (text.as_str(), *times))
    }

    fn add_times(&mut self, text: &str, times: u64) {
        let text = if text.is_empty() { "unknown" } else { text };
        let room = self.0.len() < DISTINCT || self.0.contains_key(text);
        let key = if text.len() <= LONGEST && room { text } else { "other" };
        let count = self.0.entry(key.to_owned()).or_default();
        *count = count.saturating_add(times);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_share_one_count() {
        let mut counts = Counts::default();
        counts.add("");
        counts.add("Passed");
        counts.add(&"x".repeat(LONGEST + 1));
        for index in 0..2 * DISTINCT {
            counts.add(&format!("k{index}"));
        }
        assert_eq!((counts.of("unknown"), counts.of("passed")), (1, 1));
        assert!(counts.of("other") > 1 && counts.0.len() <= DISTINCT + 1);
        assert_eq!(counts.0.values().sum::<u64>(), 3 + 2 * DISTINCT as u64);
    }
}
