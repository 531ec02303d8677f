//! The workspace root, checked on disk.

use crate::execution::start::Refusal;
use std::path::{Component, Path, PathBuf};

/// `configured` without links, when it is fit to work in.
///
/// A link is followed only to a folder beside it: one that leads out of its parent would let whoever may write a
/// link choose where landfall works.
pub(super) fn validated(configured: &Path) -> Result<PathBuf, Refusal> {
    let climbs = configured.components().any(|part| matches!(part, Component::ParentDir));
    if !configured.is_absolute() || climbs {
        return Err(Refusal::CwdNotAllowed);
    }
    let real = configured.canonicalize().map_err(|_| Refusal::CwdNotAllowed)?;
    let within = match configured.parent() {
        Some(parent) => parent.canonicalize().is_ok_and(|parent| real != parent && real.starts_with(parent)),
        None => true,
    };
    if !within || !real.is_dir() || real.to_str().is_none() {
        return Err(Refusal::CwdNotAllowed);
    }
    Ok(real)
}
