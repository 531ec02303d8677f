//! A policy of an audit: what reads does not change by being written, and asks for more only.

use landfall::audit::AuditPolicy;
use landfall::finding::Support;

/// The target.
pub fn feed(bytes: &[u8]) {
    if let Ok(policy) = AuditPolicy::read(bytes) {
        assert!(policy.blocks(Support::Contradicted) && policy.blocks(Support::Forbidden), "a policy lets a contradiction pass");
    }
}
