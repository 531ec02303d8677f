//! A session that is a folder: events, messages and parts in files of their own, transcripts with sub-agents.

use super::folder::folder;
use super::session::judged;
use landfall::import::{Limits, import_folder};

/// The target.
pub fn feed(bytes: &[u8]) {
    if let Ok((format, timeline)) = import_folder(&folder(bytes), "session", Limits::default()) {
        judged(format, &timeline);
    }
}
