//! What an export and an import need of the disk: a file written whole or not at all, an input kept.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a file with what `write` gives, beside its place first, then in one step; a regular file
/// that is there is replaced.
///
/// # Errors
/// What `write` answers, or that the file cannot be written; then nothing is replaced.
pub fn write_file<E: From<io::Error>>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E> {
    if path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("something is there that is no regular file").into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let permissions = std::fs::Permissions::from_mode(0o644);
    let mut file = tempfile::Builder::new().permissions(permissions).prefix(".landfall-").tempfile_in(folder)?;
    let mut out = BufWriter::new(&mut file);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()?;
    Ok(())
}

/// An input that comes only once, kept in a nameless file to be read again.
///
/// # Errors
/// It cannot be read, or there is no room for it.
pub fn spool(input: &mut dyn Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(input, &mut file)?;
    file.rewind()?;
    Ok(file)
}
