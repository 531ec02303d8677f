//! What was asked to be taken from a child, and what was: never one for the other.
//!
//! The child confines itself before it does anything else and says in its first line what came of it.
//! An old kernel, or a sandbox around us, may grant less than was asked; that is no error, and it is said.

use crate::json::{Value, parse, to_line};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a child's first line of standard output begins with, before the JSON of an [`Enforced`].
pub const REPORT_PREFIX: &str = "landfall-confinement: ";

/// Which files a child may open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Files {
    /// Any that its user may open.
    Any,
    /// Those below its working directory, to read and to write.
    WorkingFolder,
    /// None at all.
    None,
}

/// What a child is asked to take from itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Requested {
    /// The files that remain.
    pub files: Files,
    /// No network.
    pub no_network: bool,
    /// No gaining of privileges by running another program.
    pub no_new_privileges: bool,
    /// No capabilities, not even the superuser's.
    pub no_capabilities: bool,
    /// Resource limits: bytes, seconds or numbers by name.
    pub limits: BTreeMap<String, u64>,
}

impl Requested {
    /// Nothing is asked; no report is waited for.
    pub fn nothing() -> Self {
        Self { files: Files::Any, no_network: false, no_new_privileges: false, no_capabilities: false, limits: BTreeMap::new() }
    }

    /// For a program that only computes and prints. Its output may be a file, so what it may write is bounded and not nothing.
    pub fn alone() -> Self {
        let limits = limits(&[
            ("address_space", 1 << 30),
            ("core", 0),
            ("cpu_seconds", 10),
            ("file_size", 16 << 20),
            ("open_files", 32),
            ("processes", 0),
        ]);
        Self { files: Files::None, no_network: true, no_new_privileges: true, no_capabilities: true, limits }
    }

    /// For a program that works on files of its working directory. A superuser keeps the right to open them there.
    pub fn in_folder() -> Self {
        let limits = limits(&[("address_space", 4 << 30), ("core", 0), ("cpu_seconds", 120), ("file_size", 1 << 30), ("open_files", 256)]);
        Self { files: Files::WorkingFolder, no_network: true, no_new_privileges: true, no_capabilities: false, limits }
    }

    /// Whether a report is waited for.
    pub fn is_any(&self) -> bool {
        *self != Self::nothing()
    }
}

fn limits(limits: &[(&str, u64)]) -> BTreeMap<String, u64> {
    limits.iter().map(|&(name, value)| (name.to_owned(), value)).collect()
}

/// How far a restriction holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Wholly.
    FullyEnforced,
    /// The system knows only a part of it.
    PartiallyEnforced,
    /// Not at all.
    NotEnforced,
}

/// What keeps a child from the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// A namespace that has no network.
    EmptyNamespace,
    /// TCP is refused; other protocols are not.
    TcpRefused,
    /// Nothing.
    Open,
}

/// What a child says was taken from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Enforced {
    /// Whether the child said anything.
    pub reported: bool,
    /// How far the files are restricted.
    pub files: Strength,
    /// What keeps it from the network.
    pub network: Network,
    /// No gaining of privileges.
    pub no_new_privileges: bool,
    /// No capabilities.
    pub no_capabilities: bool,
    /// The limits that hold, by name.
    pub limits: BTreeMap<String, u64>,
}

impl Enforced {
    /// Nothing that anybody knows of.
    pub fn nothing() -> Self {
        let (files, network) = (Strength::NotEnforced, Network::Open);
        Self { reported: false, files, network, no_new_privileges: false, no_capabilities: false, limits: BTreeMap::new() }
    }

    /// The line in which a child says so, without its newline.
    pub fn report(&self) -> String {
        format!("{REPORT_PREFIX}{}", to_line(self))
    }

    /// What a report says; `None` when `line` is none, or is not as [`Enforced::report`] writes it.
    pub fn from_report(line: &[u8]) -> Option<Self> {
        let text = line.strip_prefix(REPORT_PREFIX.as_bytes())?;
        let value = parse(text).ok()?;
        let flag = |name: &str| match value.get(name)? {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        };
        let limit =
            |(name, value): &(std::borrow::Cow<'_, str>, Value<'_>)| Some((name.to_string(), value.as_number()?.as_str().parse().ok()?));
        let enforced = Self {
            reported: flag("reported")?,
            files: named(value.get("files")?, &[Strength::FullyEnforced, Strength::PartiallyEnforced, Strength::NotEnforced])?,
            network: named(value.get("network")?, &[Network::EmptyNamespace, Network::TcpRefused, Network::Open])?,
            no_new_privileges: flag("no_new_privileges")?,
            no_capabilities: flag("no_capabilities")?,
            limits: value.get("limits")?.members().iter().map(limit).collect::<Option<_>>()?,
        };
        // One spelling only: what says more, or says it otherwise, is no report.
        (enforced.reported && enforced.report().as_bytes() == line).then_some(enforced)
    }
}

fn named<T: Serialize + Copy>(value: &Value<'_>, all: &[T]) -> Option<T> {
    let wanted = value.as_str()?;
    all.iter().copied().find(|one| to_line(one).trim_matches('"') == wanted)
}

/// Both sides. A record holds both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confinement {
    /// What was asked.
    pub requested: Requested,
    /// What is known to hold.
    pub enforced: Enforced,
}

impl Confinement {
    /// Names of what was asked and does not wholly hold, sorted; a policy that demands everything wants none.
    pub fn shortfalls(&self) -> Vec<String> {
        let (asked, held) = (&self.requested, &self.enforced);
        let mut names = vec![
            (asked.files != Files::Any && held.files != Strength::FullyEnforced, "files"),
            (asked.no_capabilities && !held.no_capabilities, "no_capabilities"),
            (asked.no_network && held.network != Network::EmptyNamespace, "no_network"),
            (asked.no_new_privileges && !held.no_new_privileges, "no_new_privileges"),
        ]
        .into_iter()
        .filter(|&(short, _)| short)
        .map(|(_, name)| name.to_owned())
        .collect::<Vec<_>>();
        let loose = |(name, most): (&String, &u64)| held.limits.get(name).is_none_or(|held| held > most).then(|| format!("limit_{name}"));
        names.extend(asked.limits.iter().filter_map(loose));
        names.sort();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Enforced {
        Enforced {
            reported: true,
            files: Strength::FullyEnforced,
            network: Network::EmptyNamespace,
            no_new_privileges: true,
            no_capabilities: true,
            limits: Requested::alone().limits,
        }
    }

    #[test]
    fn a_report_is_read_back_and_nothing_else_is() {
        let line = full().report();
        assert_eq!(Enforced::from_report(line.as_bytes()), Some(full()));
        for other in [
            "",
            "controlled-noop-ok",
            REPORT_PREFIX,
            &line[1..],
            &line.replace("true,", "1,"),
            &line.replace("fully_enforced", "mostly"),
            &line.replace('}', ",\"more\":1}"),
            &Enforced::nothing().report(),
            &format!("{line} "),
        ] {
            assert_eq!(Enforced::from_report(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn what_does_not_wholly_hold_is_named() {
        let of = |enforced| Confinement { requested: Requested::alone(), enforced }.shortfalls();
        assert_eq!(of(full()), [""; 0]);
        assert_eq!(of(Enforced { files: Strength::PartiallyEnforced, ..full() }), ["files"]);
        assert_eq!(of(Enforced { network: Network::TcpRefused, ..full() }), ["no_network"]);
        assert_eq!(of(Enforced { limits: limits(&[("core", 1)]), ..full() }).len(), Requested::alone().limits.len());
        assert_eq!(of(Enforced::nothing()).len(), 4 + Requested::alone().limits.len());
        let unasked = Confinement { requested: Requested::nothing(), enforced: Enforced::nothing() };
        assert_eq!(unasked.shortfalls(), [""; 0]);
    }
}
