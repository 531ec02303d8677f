//! Guarded execution: builders, the controlled runner, the five runners, the golden path.
//!
//! Each refusal is told by a tripwire, a program that leaves a mark when it runs, and stands beside its
//! positive control: the same trail, unharmed, leaves the mark once.
#![cfg(all(feature = "cli", target_os = "linux"))]
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "tests read cases and start the built binary")]

#[path = "execution/audit.rs"]
mod audit;
#[path = "execution/binary.rs"]
mod binary;
#[path = "execution/builders.rs"]
mod builders;
#[path = "execution/intent.rs"]
mod intent;
#[path = "execution/killed.rs"]
mod killed;
#[path = "execution/lineage.rs"]
mod lineage;
#[path = "execution/readiness.rs"]
mod readiness;
#[path = "execution/scene.rs"]
mod scene;
#[path = "execution/threats.rs"]
mod threats;
#[path = "execution/unreadable.rs"]
mod unreadable;
