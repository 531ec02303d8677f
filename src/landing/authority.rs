//! Authority keys: the words by which a record could grant itself what no record may (spec 3.1, 6.6).

/// Keys of the ceiling; each must be exactly `false` wherever it stands.
pub const CEILING_KEYS: [&str; 8] = [
    "live_git_mutation_authorized",
    "broad_checkpoint_authorized",
    "unrelated_dirty_paths_authorized",
    "source_mutation_authorized",
    "provider_calls_authorized",
    "release_authorized",
    "launch_authorized",
    "commit_landed_claim_authorized_without_head_advance",
];

/// Keys that have a code of their own at the top of a row, and count as authority anywhere else.
const ROW_FLAGS: [&str; 2] = ["unrelated_dirty_paths_staged", "release_claim_authorized"];

/// Where a key stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// At the top of a run row.
    Row,
    /// In a lane of the policy.
    Lane,
    /// Directly in the policy or its ceiling.
    Policy,
    /// Below the top of a row.
    Inside,
}

/// The authority key that `key` is at this level, if it is one without a code of its own there.
pub fn key_named(key: &str, level: Level) -> Option<&'static str> {
    // All of them are long and end in one of three letters: most keys stop here.
    if key.len() < 17 || !matches!(key.as_bytes()[key.len() - 1], b'd' | b'e') {
        return None;
    }
    let own_code: &[&str] = match level {
        Level::Row => &["live_git_mutation_authorized", "unrelated_dirty_paths_staged", "release_claim_authorized"],
        // The row's flags are no keys of the ceiling: a policy has nothing to say by them.
        Level::Lane => &["release_authorized", "unrelated_dirty_paths_staged", "release_claim_authorized"],
        Level::Policy => &["unrelated_dirty_paths_staged", "release_claim_authorized"],
        Level::Inside => &[],
    };
    CEILING_KEYS.iter().chain(&ROW_FLAGS).find(|name| **name == key && !own_code.contains(name)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortcut_admits_every_key() {
        for key in CEILING_KEYS.iter().chain(&ROW_FLAGS) {
            assert_eq!(key_named(key, Level::Inside), Some(*key));
        }
        assert_eq!(key_named("live_git_mutation_authorized", Level::Row), None);
        assert_eq!(key_named("release_authorized", Level::Lane), None);
        assert_eq!(key_named("release_authorized", Level::Row), Some("release_authorized"));
        assert_eq!(key_named("Release_authorized", Level::Inside), None);
        assert_eq!(key_named("", Level::Inside), None);
    }
}
