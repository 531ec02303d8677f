//! Which nodes run together: one line a profile.

use super::node::NodeKind::{
    self, Explorer, ExplorerMeta, Improver, Memory, Overseer, Security, SecurityMeta, Simulation, Trade, TradeMeta,
};

/// A set of nodes that `cluster up` runs.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Kinds and how many of each, unless asked otherwise, in start order. A kind that is not named cannot be asked for.
    pub nodes: &'static [(NodeKind, u8)],
    /// Whether it is about memory: then it has a memory node at least, and its memory nodes also take in what is older
    /// than they are.
    pub remembers_older: bool,
}

/// What is asked of a profile besides its name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// How many trade nodes, where the profile has any.
    pub trade: Option<u8>,
    /// How many memory nodes, where the profile may have any.
    pub memory: Option<u8>,
    /// Whether the trade nodes are summed up.
    pub trade_meta: bool,
    /// Whether recommended actions are listed.
    pub improver: bool,
}

/// The profile of the experience loop alone.
pub const EXPERIENCE: &str = "runtime-safe";

/// The profiles; the first is the default of a cluster.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "full-safe",
        about: "trade, security, explorer and overseer",
        nodes: &[
            (Trade, 1),
            (TradeMeta, 0),
            (Security, 1),
            (SecurityMeta, 1),
            (Explorer, 1),
            (ExplorerMeta, 1),
            (Memory, 0),
            (Overseer, 1),
        ],
        remembers_older: false,
    },
    Profile {
        name: EXPERIENCE,
        about: "the experience loop",
        nodes: &[(Trade, 1), (TradeMeta, 0), (Security, 1), (Memory, 1), (Simulation, 1), (Overseer, 1)],
        remembers_older: false,
    },
    Profile { name: "replay", about: "answers replays and nothing else", nodes: &[(Simulation, 1)], remembers_older: false },
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
    pub fn nodes(&self, asked: Asked) -> Vec<(String, NodeKind)> {
        let name = |kind: NodeKind, number| match kind {
            TradeMeta => "trade-meta".to_owned(),
            Security => "security-node".to_owned(),
            SecurityMeta => "security-meta".to_owned(),
            Explorer => "explorer-node".to_owned(),
            ExplorerMeta => "explorer-meta".to_owned(),
            Overseer => "overseer".to_owned(),
            Improver => "improver".to_owned(),
            Trade | Memory | Simulation => format!("{}-{number}", kind.swarm()),
        };
        let count = |kind: NodeKind, count: u8| match kind {
            Trade => asked.trade.unwrap_or(count),
            TradeMeta => u8::from(asked.trade_meta),
            Memory if self.remembers_older => asked.memory.unwrap_or(count).max(1),
            Memory => asked.memory.unwrap_or(count),
            _ => count,
        };
        let improver = asked.improver.then_some((Improver, 1));
        let counted = self.nodes.iter().map(|&(kind, said)| (kind, count(kind, said))).chain(improver);
        counted.flat_map(|(kind, count)| (1..=count).map(move |number| (name(kind, number), kind))).collect()
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
            let nodes = profile.nodes(Asked { memory: Some(3), trade: Some(2), trade_meta: true, improver: true });
            let unique: BTreeSet<_> = nodes.iter().map(|(name, _)| name).collect();
            assert!(!nodes.is_empty() && unique.len() == nodes.len(), "{}", profile.name);
        }
        assert!(Profile::named("unsafe").is_none());
    }

    #[test]
    fn a_profile_has_its_nodes_and_those_that_are_asked_for() {
        let of = |name: &str, asked: Asked| {
            let nodes = Profile::named(name).expect("it is in the table").nodes(asked);
            nodes.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(" ")
        };
        let all = Asked { trade: Some(2), memory: Some(2), trade_meta: true, improver: true };
        let none = Asked { trade: Some(0), memory: Some(0), ..Asked::default() };
        for (name, asked, nodes) in [
            ("full-safe", Asked::default(), "trade-1 security-node security-meta explorer-node explorer-meta overseer"),
            (
                "full-safe",
                all,
                "trade-1 trade-2 trade-meta security-node security-meta explorer-node explorer-meta memory-1 memory-2 overseer improver",
            ),
            ("full-safe", none, "security-node security-meta explorer-node explorer-meta overseer"),
            ("explorer-evidence", Asked::default(), "explorer-node explorer-meta"),
            ("explorer-evidence", all, "explorer-node explorer-meta improver"),
            ("memory-evidence", Asked::default(), "memory-1"),
            ("memory-evidence", none, "memory-1"),
            ("memory-evidence", all, "memory-1 memory-2 improver"),
            ("explorer-memory-evidence", Asked::default(), "explorer-node explorer-meta memory-1"),
            ("explorer-memory-evidence", all, "explorer-node explorer-meta memory-1 memory-2 improver"),
            ("runtime-safe", Asked::default(), "trade-1 security-node memory-1 simulation-1 overseer"),
            ("replay", none, "simulation-1"),
        ] {
            assert_eq!(of(name, asked), nodes, "{name} {asked:?}");
        }
    }
}
