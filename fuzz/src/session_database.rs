//! A session in a database file. The one target that needs a disk: SQLite reads files.

use super::session::judged;
use landfall::edge::opencode::SessionDatabase;
use landfall::import::import_rows;
use std::io::Write;

/// The target.
pub fn feed(bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("the temporary file takes the bytes");
    let Ok(mut rows) = SessionDatabase::open(file.path(), "session.db") else { return };
    if let Ok((format, timeline)) = import_rows(&mut rows) {
        judged(format, &timeline);
    }
}
