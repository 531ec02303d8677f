//! Counts by a key that records choose: bounded in keys and in their length, whatever is recorded.

use serde::Serialize;
use std::collections::BTreeMap;

/// Distinct keys that a counter keeps beside the known ones; the rest is counted as [`OTHER`].
pub const DISTINCT: usize = 1000;
/// The key of everything beyond [`DISTINCT`].
pub const OTHER: &str = "other";
/// The key of what is too long for a key, or is no plain word.
pub const UNREADABLE: &str = "unreadable";
/// The key of what is blank.
pub const UNKNOWN: &str = "unknown";

/// Counts by key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Counter(BTreeMap<String, u64>);

impl Counter {
    /// Counts a word that a record says: blank is `unknown`, what reads like no word `unreadable`.
    pub fn count_said(&mut self, said: &str) {
        self.count_said_times(said, 1);
    }

    /// Counts a word that so many records say, as [`Counter::count_said`] does for one.
    pub fn count_said_times(&mut self, said: &str, times: u64) {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let key = match said {
            "" => UNKNOWN,
            said if said.len() <= 80 && said.bytes().all(plain) => said,
            _ => UNREADABLE,
        };
        if let Some(count) = self.0.get_mut(key) {
            *count += times;
            return;
        }
        // The words that judges ask for must be found however many others came before.
        self.count_times(if self.0.len() < DISTINCT || KNOWN.contains(&key) { key } else { OTHER }, times);
    }

    /// Counts a key that landfall itself chose.
    pub fn count(&mut self, key: &str) {
        self.count_times(key, 1);
    }

    /// Counts a key that landfall itself chose so many times.
    pub fn count_times(&mut self, key: &str, times: u64) {
        match self.0.get_mut(key) {
            Some(count) => *count += times,
            None => {
                self.0.insert(key.to_owned(), times);
            }
        }
    }

    /// How often a key was counted.
    pub fn of(&self, key: &str) -> u64 {
        self.0.get(key).copied().unwrap_or_default()
    }

    /// All counts together.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// Whether nothing but `key` was counted, and that at least once.
    pub fn is_only(&self, key: &str) -> bool {
        self.0.len() == 1 && self.of(key) > 0
    }

    /// Keys and counts, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(key, count)| (key.as_str(), *count))
    }
}

/// The words that checks and briefs ask for by name.
const KNOWN: [&str; 22] = [
    "approved",
    "rejected",
    "pending",
    "planned",
    "rendered",
    "skipped",
    "blocked",
    "manual",
    "policy",
    "standard",
    "patient",
    "passed",
    "failed",
    "completed",
    "execution_disabled",
    "execution_not_supported",
    "missing_rendered_command",
    "missing_rendered_command_result",
    "execution_not_observed_before_timeout",
    UNKNOWN,
    UNREADABLE,
    OTHER,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_keys_do_not_grow_it_and_do_not_hide_a_known_word() {
        let mut counter = Counter::default();
        for number in 0..5000 {
            counter.count_said(&format!("s{number}"));
        }
        counter.count_said("skipped");
        counter.count_said(&"x".repeat(81));
        counter.count_said("Skipped now");
        counter.count_said("");
        assert_eq!(counter.of("skipped"), 1);
        assert_eq!((counter.of(UNREADABLE), counter.of(UNKNOWN)), (2, 1));
        assert_eq!(counter.of(OTHER), 4000);
        assert_eq!(counter.total(), 5004);
        assert!(counter.iter().count() <= DISTINCT + KNOWN.len());
    }
}
