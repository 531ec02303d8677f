//! Which trials a run asks for, and the unique names they are made under.

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::HashSet;

/// What a trial comes to: nothing, or why it fails.
pub(super) type Outcome = Result<(), String>;

/// No finding, or all of them.
pub(super) fn silent(findings: impl Iterator<Item = String>) -> Outcome {
    let lines: Vec<_> = findings.collect();
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
}

/// What a run wants of the trials. A runner that starts one process a trial asks for the names once and
/// for one trial a time: judging the whole corpus each time would be quadratic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asked {
    /// Every outcome.
    Everything,
    /// The names alone.
    Names,
    /// The outcome of one.
    Only(String),
}

impl Asked {
    pub(super) fn of(arguments: &Arguments) -> Self {
        match &arguments.filter {
            _ if arguments.list => Self::Names,
            Some(name) if arguments.exact => Self::Only(name.clone()),
            _ => Self::Everything,
        }
    }
}

/// The trials made so far.
pub(super) struct Named {
    asked: Asked,
    /// Of the one name that is asked for: what it would be, were it nobody's second.
    first: String,
    names: HashSet<String>,
    trials: Vec<Trial>,
}

impl Named {
    pub(super) fn new(asked: Asked) -> Self {
        let first = if let Asked::Only(name) = &asked { first_of(name).to_owned() } else { String::new() };
        Self { asked, first, names: HashSet::new(), trials: Vec::new() }
    }

    pub(super) fn into_trials(self) -> Vec<Trial> {
        self.trials
    }

    /// What is asked for.
    pub(super) fn asked(&self) -> &Asked {
        &self.asked
    }

    /// The one name asked for, as long as it has no trial.
    pub(super) fn sought(&self) -> Option<&str> {
        if let Asked::Only(name) = &self.asked { Some(name).filter(|_| self.trials.is_empty()).map(String::as_str) } else { None }
    }

    /// Of the one name asked for: what it would be, were it nobody's second. Empty if more is asked for.
    pub(super) fn first(&self) -> &str {
        &self.first
    }

    /// Whether a name that begins like this can still be asked for; if not, its family need not be opened.
    pub(super) fn wants_below(&self, prefix: &str) -> bool {
        match &self.asked {
            Asked::Everything | Asked::Names => true,
            Asked::Only(_) => self.sought().is_some_and(|name| name.starts_with(prefix)),
        }
    }

    /// Whether a trial of this name can be the one asked for, or decides what that is called.
    pub(super) fn concerns(&self, name: &str) -> bool {
        match &self.asked {
            Asked::Everything | Asked::Names => true,
            Asked::Only(_) => name.strip_prefix(self.first.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(AGAIN)),
        }
    }

    /// Adds a trial. It is judged here and now, if its outcome is asked for: judging a row costs less than a
    /// thread's turn.
    pub(super) fn add(&mut self, name: String, judge: impl FnOnce() -> Outcome) {
        if !self.concerns(&name) {
            return;
        }
        let is_second = self.names.contains(&name);
        // nextest folds equal names into one test: the second must not vanish.
        let name = if is_second { self.again(&name) } else { name };
        self.names.insert(name.clone());
        let outcome = match &self.asked {
            Asked::Names => Ok(()),
            Asked::Only(wanted) if *wanted != name => return,
            Asked::Everything | Asked::Only(_) => judge(),
        };
        let same = "another trial has the same name";
        let outcome = match outcome {
            Ok(()) if is_second => Err(same.to_owned()),
            Err(why) if is_second => Err(format!("{same}\n{why}")),
            outcome => outcome,
        };
        self.trials.push(Trial::test(name, move || outcome.map_err(Failed::from)));
    }

    fn again(&self, name: &str) -> String {
        (2..).map(|count| format!("{name}{AGAIN}{count}")).find(|name| !self.names.contains(name)).unwrap_or_default()
    }
}

/// What stands behind a name, before a number, when another trial has it.
const AGAIN: &str = "::again_";

/// The name of which another is the second, the third and so on; itself where it is the first.
fn first_of(name: &str) -> &str {
    match name.rsplit_once(AGAIN) {
        Some((first, count)) if !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()) => first_of(first),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDED: [&str; 7] = ["a", "a", "a::again_2", "b", "a", "a::again_2", "b::again_x"];

    fn named(asked: Asked) -> Vec<String> {
        let mut named = Named::new(asked);
        ADDED.iter().for_each(|name| named.add((*name).to_owned(), || Ok(())));
        named.into_trials().iter().map(|trial| trial.name().to_owned()).collect()
    }

    #[test]
    fn one_name_asked_for_is_the_trial_that_a_list_shows_under_it() {
        let all = named(Asked::Everything);
        let expected = ["a", "a::again_2", "a::again_2::again_2", "b", "a::again_3", "a::again_2::again_3", "b::again_x"];
        assert_eq!(all, expected);
        assert_eq!(named(Asked::Names), expected);
        for name in expected {
            assert_eq!(named(Asked::Only(name.to_owned())), [name]);
        }
        assert_eq!(named(Asked::Only("c".to_owned())), [""; 0]);
    }

    #[test]
    fn nothing_is_judged_but_what_is_asked_for() {
        let judged = |asked: Asked| {
            let mut judged = Vec::new();
            let mut named = Named::new(asked);
            for (index, name) in ADDED.iter().enumerate() {
                named.add((*name).to_owned(), || {
                    judged.push(index);
                    Ok(())
                });
            }
            judged
        };
        assert_eq!(judged(Asked::Everything), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(judged(Asked::Names), [0; 0]);
        assert_eq!(judged(Asked::Only("a::again_3".to_owned())), [4]);
    }

    #[test]
    fn families_that_cannot_hold_a_name_are_not_opened() {
        let mut named = Named::new(Asked::Only("landing::x::accepts::a".to_owned()));
        assert!(named.wants_below("landing::x::accepts::"));
        assert!(!named.wants_below("landing::x::refuses::"));
        named.add("landing::x::accepts::a".to_owned(), || Ok(()));
        assert!(!named.wants_below("landing::x::accepts::"), "it is made already");
    }
}
