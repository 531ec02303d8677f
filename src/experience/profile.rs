//! Which nodes run together: one line a profile.

use super::node::NodeKind::{self, Explorer, ExplorerMeta, Memory, Overseer, Security, Simulation, Trade};

/// A set of nodes that `cluster up` runs.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Kinds and how many of each, in start order.
    pub nodes: &'static [(NodeKind, u8)],
    /// Whether its memory nodes also take in what is older than they are.
    pub remembers_older: bool,
}

/// The profiles; the first is the default.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "runtime-safe",
        about: "the experience loop",
        nodes: &[(Trade, 1), (Security, 1), (Memory, 1), (Simulation, 1), (Overseer, 1)],
        remembers_older: false,
    },
    Profile { name: "replay", about: "answers replays and nothing else", nodes: &[(Simulation, 1)], remembers_older: false },
    Profile {
        name: "full-safe",
        about: "trade, security, explorer and overseer",
        nodes: &[(Trade, 1), (Security, 1), (Explorer, 1), (ExplorerMeta, 1), (Overseer, 1)],
        remembers_older: false,
    },
    Profile {
        name: "explorer-evidence",
        about: "looks for evidence; reads the network only with --network",
        nodes: &[(Explorer, 1), (ExplorerMeta, 1)],
        remembers_older: false,
    },
    Profile { name: "memory-evidence", about: "takes in evidence that was found", nodes: &[(Memory, 1)], remembers_older: true },
    Profile {
        name: "explorer-memory-evidence",
        about: "looks for evidence and takes it in; reads the network only with --network",
        nodes: &[(Explorer, 1), (ExplorerMeta, 1), (Memory, 1)],
        remembers_older: true,
    },
];

impl Profile {
    /// The profile of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PROFILES.iter().find(|profile| profile.name == name)
    }

    /// The names of all profiles, in the order of the table.
    pub fn names() -> Vec<&'static str> {
        PROFILES.iter().map(|profile| profile.name).collect()
    }

    /// Its nodes by name, in start order. Of kinds that come once in any profile the name has no number.
    pub fn nodes(&self) -> Vec<(String, NodeKind)> {
        let name = |kind: NodeKind, number| match kind {
            Security => "security-node".to_owned(),
            Explorer => "explorer-node".to_owned(),
            ExplorerMeta => "explorer-meta".to_owned(),
            Overseer => "overseer".to_owned(),
            _ => format!("{}-{number}", kind.swarm()),
        };
        self.nodes.iter().flat_map(|&(kind, count)| (1..=count).map(move |number| (name(kind, number), kind))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn profiles_and_their_nodes_have_unique_names() {
        let names: BTreeSet<_> = Profile::names().into_iter().collect();
        assert_eq!(names.len(), PROFILES.len());
        for profile in PROFILES {
            let nodes = profile.nodes();
            let unique: BTreeSet<_> = nodes.iter().map(|(name, _)| name).collect();
            assert!(!nodes.is_empty() && unique.len() == nodes.len(), "{}", profile.name);
        }
        let base = Profile::named("runtime-safe").expect("the base profile").nodes();
        let names: Vec<_> = base.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["trade-1", "security-node", "memory-1", "simulation-1", "overseer"]);
        let of =
            |name: &str| Profile::named(name).expect("it is in the table").nodes().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(of("full-safe"), ["trade-1", "security-node", "explorer-node", "explorer-meta", "overseer"]);
        assert_eq!(of("explorer-memory-evidence"), ["explorer-node", "explorer-meta", "memory-1"]);
        assert!(Profile::named("unsafe").is_none());
    }
}
