//! A folder, written as one text: a line `=== path` begins a file, which goes to the next such line.

use landfall::folder::MemoryFolder;

/// The folder; what stands before the first mark is nothing.
pub(super) fn folder(bytes: &[u8]) -> MemoryFolder {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if let Some(path) = line.strip_prefix(b"=== ") {
            files.push((String::from_utf8_lossy(path).trim_end_matches(['\r', '\n']).to_owned(), Vec::new()));
        } else if let Some((_, content)) = files.last_mut() {
            content.extend_from_slice(line);
        }
    }
    let mut folder = MemoryFolder::default();
    for (path, mut content) in files {
        // The last line end belongs to the mark behind it.
        if content.last() == Some(&b'\n') {
            content.pop();
        }
        folder.file(path, content);
    }
    folder
}
