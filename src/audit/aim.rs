//! Whether a run, or what failed in it, is of what a claim names.

use super::history::Run;

impl Run {
    /// Whether it was aimed at each of `matters`, and at nothing else: *the date tests*, of `pytest tests/test_date.py`.
    pub(super) fn aims_at(&self, matters: &[String]) -> bool {
        let Some(target) = self.target.as_deref().filter(|_| !matters.is_empty()) else { return false };
        matters.iter().all(|matter| {
            let mut said = words(matter).peekable();
            // *a.py* says nothing but its own name.
            let last = matter.rsplit('/').next().unwrap_or(matter);
            if said.peek().is_none() {
                return target.rsplit('/').next() == Some(last);
            }
            said.all(|word| words(target).any(|known| is_kin(word, known)))
        })
    }

    /// Whether a build's own words ask for each of `matters`: *the musl build*, of `cargo build --target x86_64-unknown-linux-musl`.
    pub(super) fn asks_for(&self, matters: &[String]) -> bool {
        let Some(asked) = self.asked.as_deref().filter(|_| !matters.is_empty()) else { return false };
        matters.iter().all(|matter| {
            let mut said = words(matter).peekable();
            said.peek().is_some() && said.all(|word| words(asked).any(|known| word == known))
        })
    }

    /// Whether what failed may be of `matters`: a name of it is kin to one of them, or no name of it is known.
    pub(super) fn fails_of(&self, matters: &[String]) -> bool {
        let mut names = self.failing_tests.iter().chain(&self.failing_files).peekable();
        let of = |name: &String| matters.iter().flat_map(|matter| words(matter)).any(|word| words(name).any(|known| is_kin(word, known)));
        names.peek().is_none() || names.any(of)
    }
}

/// The words of a name that say something: *test_date.py* is about dates.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let name = name.strip_suffix("()").unwrap_or(name);
    name.split(|each: char| !each.is_alphanumeric()).filter(|word| {
        word.len() >= 2
            && !matches!(*word, "test" | "tests" | "spec" | "specs" | "src" | "py" | "rs" | "js" | "ts" | "tsx" | "go" | "rb" | "the")
    })
}

/// Whether two words are one in different forms: *model* and *models*, *separable* and *separability*.
fn is_kin(one: &str, other: &str) -> bool {
    let shared = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let (short, long) = (one.len().min(other.len()), one.len().max(other.len()));
    one == other || shared >= 4 && shared + 2 >= short && long - shared <= 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kin_in_their_forms_and_not_by_their_beginnings() {
        for (one, other) in [("model", "models"), ("separable", "separability"), ("sort", "sorting"), ("lint", "lint")] {
            assert!(is_kin(one, other) && is_kin(other, one), "{one} {other}");
        }
        for (one, other) in [("date", "data"), ("net", "network"), ("form", "formulation"), ("user", "used")] {
            assert!(!is_kin(one, other) && !is_kin(other, one), "{one} {other}");
        }
    }
}
