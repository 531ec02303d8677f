//! Claims in words.

use landfall::claims::find;
use std::collections::BTreeSet;

/// The target.
pub fn feed(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let found = find(&text);
    let kinds: BTreeSet<_> = found.claims.iter().map(|claim| claim.kind).collect();
    assert_eq!(kinds.len(), found.claims.len(), "two claims of one kind");
    let lines = text.split('\n').count();
    for claim in &found.claims {
        assert!((claim.line as usize) < lines, "a claim on line {} of {lines}", claim.line);
        assert!(claim.hashes.iter().all(|hash| !hash.contains(char::is_uppercase)), "a hash in upper case");
    }
}
