//! Artifacts on the disk: listed and read as they stand, removed only through the folder that holds them.

use crate::artifacts::{ArtifactStore, ENTRY_LIMIT, Stat, Unlisted};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, open, openat, statat, unlinkat};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

/// The most links on the way to one place.
const LINK_LIMIT: usize = 40;
/// Non-blocking, so that a FIFO swapped in after the look cannot hold us.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The files of the disk; relative paths are below a base.
#[derive(Debug)]
pub struct DiskArtifacts {
    base: PathBuf,
    most_names: usize,
}

impl DiskArtifacts {
    /// A store whose relative paths are below `base`, which should be absolute.
    pub fn new(base: &Path) -> Self {
        Self { base: base.to_owned(), most_names: ENTRY_LIMIT }
    }

    /// The path with links and `..` resolved as far as it exists.
    fn real(&self, path: &str) -> Option<PathBuf> {
        let full = self.base.join(path);
        let mut pending: VecDeque<PathBuf> = full.components().map(|part| PathBuf::from(part.as_os_str())).collect();
        let (mut reached, mut links) = (PathBuf::new(), 0);
        while let Some(part) = pending.pop_front() {
            match part.components().next() {
                Some(Component::ParentDir) => {
                    reached.pop();
                    continue;
                }
                Some(Component::CurDir) | None => continue,
                Some(_) => reached.push(&part),
            }
            let Ok(target) = std::fs::read_link(&reached) else { continue };
            links += 1;
            if links > LINK_LIMIT {
                return None;
            }
            reached.pop();
            target.components().rev().for_each(|part| pending.push_front(PathBuf::from(part.as_os_str())));
        }
        Some(reached)
    }
}

fn stat_of(stat: &rustix::fs::Stat) -> Stat {
    let kind = FileType::from_raw_mode(stat.st_mode);
    // The fields have other widths on other systems.
    #[expect(clippy::allow_attributes, reason = "whether a conversion does nothing depends on the system")]
    #[allow(clippy::unnecessary_cast, clippy::useless_conversion, reason = "the widths differ between systems")]
    Stat {
        is_file: kind == FileType::RegularFile,
        is_folder: kind == FileType::Directory,
        modified_ns: i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
        identity: (stat.st_dev as u64, stat.st_ino as u64),
    }
}

fn why(error: Errno) -> String {
    io::Error::from(error).to_string()
}

/// Opens the folder at an absolute path without following a link.
fn open_folder(path: &Path) -> Result<OwnedFd, Errno> {
    let mut folder = open("/", FOLDER, Mode::empty())?;
    for part in path.components() {
        match part {
            Component::RootDir | Component::CurDir => {}
            Component::Normal(name) => folder = openat(&folder, name, FOLDER, Mode::empty())?,
            _ => return Err(Errno::NOENT),
        }
    }
    Ok(folder)
}

impl ArtifactStore for DiskArtifacts {
    fn children(&self, folder: &str) -> Result<Vec<String>, Unlisted> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(self.base.join(folder)).map_err(|_| Unlisted::Missing)? {
            let name = entry.map_err(|_| Unlisted::Missing)?.file_name();
            if names.len() == self.most_names {
                return Err(Unlisted::TooMany);
            }
            // A name that is no text is listed by what it nearly says; nothing stands there.
            names.push(name.to_string_lossy().into_owned());
        }
        Ok(names)
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        rustix::fs::stat(self.base.join(path)).ok().map(|stat| stat_of(&stat))
    }

    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, String> {
        let path = self.base.join(path);
        let is_file = |stat: rustix::fs::Stat| if stat_of(&stat).is_file { Ok(()) } else { Err("no regular file".to_owned()) };
        // Look first: opening a device can have effects of its own.
        rustix::fs::stat(&path).map_err(why).and_then(is_file)?;
        let file = open(&path, READ, Mode::empty()).map_err(why)?;
        fstat(&file).map_err(why).and_then(is_file)?;
        let mut bytes = Vec::new();
        File::from(file).take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    fn resolve(&self, path: &str) -> Option<String> {
        self.real(path)?.into_os_string().into_string().ok()
    }

    fn remove(&mut self, resolved: &str, seen: &Stat) -> Result<(), String> {
        let path = Path::new(resolved);
        let (Some(parent), Some(name), true) = (path.parent(), path.file_name(), path.is_absolute()) else {
            return Err("no regular file".to_owned());
        };
        let folder = open_folder(parent).map_err(why)?;
        let now = stat_of(&statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(why)?);
        if now != *seen {
            return Err("artifact changed since it was listed".to_owned());
        }
        unlinkat(&folder, name, AtFlags::empty()).map_err(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifacts::{Cleanup, Retention, check_cleanup, index, latest};
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    use std::time::{Duration, SystemTime};

    const VALID: &str = r#"{"type": "memory_replay_latest_summary", "status": "passed", "contract_ok": true}"#;
    const NOW: f64 = 1_700_000_000.0;

    /// A base with `artifacts` and, beside it, a valid file.
    fn base() -> (tempfile::TempDir, PathBuf) {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let base = scratch.path().canonicalize().expect("it is there");
        std::fs::create_dir(base.join("artifacts")).expect("a folder");
        write(&base.join("outside.json"), VALID);
        (scratch, base)
    }

    /// Writes an old file.
    fn write(path: &Path, text: &str) {
        std::fs::write(path, text).expect("a file");
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000);
        File::options().write(true).open(path).expect("it opens").set_modified(then).expect("it has a time");
    }

    fn clean_up(base: &Path, store: &mut impl ArtifactStore, root: &str) -> serde_json::Value {
        let default_root = base.join("artifacts").to_string_lossy().into_owned();
        Cleanup { root, default_root: &default_root, retention: Retention::new(10.0, 0.0), now: NOW, execute: true }.run(store).to_json()
    }

    #[test]
    fn the_disk_and_its_links_are_judged_as_a_lay_out_is() {
        let (_scratch, base) = base();
        let root = base.join("artifacts");
        write(&root.join("old.json"), VALID);
        symlink("../outside.json", root.join("z.json")).expect("a link");
        symlink("none.json", root.join("dangling.json")).expect("a link");
        symlink("round.json", root.join("round.json")).expect("a link");
        std::fs::create_dir(root.join("d.json")).expect("a folder");
        rustix::fs::mkfifoat(rustix::fs::CWD, root.join("fifo.json"), Mode::RWXU).expect("a FIFO");
        symlink("artifacts", base.join("to-artifacts")).expect("a link");
        let mut store = DiskArtifacts::new(&base);
        assert_eq!(index(&store, "artifacts", Retention::default(), NOW)["artifact_count"], 2);
        assert_eq!(store.resolve("artifacts/round.json/x"), None);
        assert_eq!(store.resolve("to-artifacts/../to-artifacts/none/.."), Some(root.to_string_lossy().into_owned()));
        for root in ["artifacts/..", ".", "artifacts/d.json"] {
            assert_eq!(clean_up(&base, &mut store, root)["status"], "blocked", "{root}");
        }
        let result = clean_up(&base, &mut store, "to-artifacts/../artifacts");
        assert_eq!((result["status"].as_str(), result["deleted_count"].as_u64()), (Some("partial"), Some(1)));
        assert_eq!(result["deletion_errors"][0]["reason"], "path_outside_artifacts_root");
        assert_eq!(check_cleanup(&result), ["source_contract_ok must match contract_ok"]);
        assert!(base.join("outside.json").exists() && !root.join("old.json").exists());
    }

    #[test]
    fn a_sibling_whose_name_begins_like_the_root_is_outside() {
        let (_scratch, base) = base();
        std::fs::create_dir(base.join("artifacts-else")).expect("a folder");
        write(&base.join("artifacts-else/x.json"), VALID);
        symlink("../artifacts-else/x.json", base.join("artifacts/z.json")).expect("a link");
        let result = clean_up(&base, &mut DiskArtifacts::new(&base), "artifacts");
        assert_eq!(result["deletion_errors"][0]["reason"], "path_outside_artifacts_root");
        assert!(base.join("artifacts-else/x.json").exists());
    }

    #[test]
    fn the_latest_is_found_by_its_time() {
        let (_scratch, base) = base();
        write(&base.join("artifacts/explorer_memory_replay_smoke.json"), "{}");
        let store = DiskArtifacts::new(&base);
        let found = latest(&store, None, &[".".to_owned(), "artifacts".to_owned()]);
        assert_eq!(found["artifact_path"], "./artifacts/explorer_memory_replay_smoke.json");
        assert_eq!(found["artifact_mtime"], 1_600_000_000.0);
    }

    #[test]
    fn names_of_any_kind_are_one_file_each() {
        let (_scratch, base) = base();
        let root = base.join("artifacts");
        // Read loosely, the first two would be one and the same.
        let names = ["a\nb.json", "a b.json", "a  b.json", "\u{1b}[2J.json", "..json", ".json", "-rf.json", "\u{e4}'\"\\.json"];
        for name in names {
            write(&root.join(name), VALID);
        }
        std::fs::write(root.join("fresh\n.json"), VALID).expect("a file");
        let outside = std::ffi::OsStr::from_bytes(b"\xff.json");
        std::fs::write(root.join(outside), VALID).expect("a file");
        let far = DiskArtifacts::new(&base).stat("artifacts/fresh\n.json").expect("it is there").modified();
        let default_root = root.to_string_lossy().into_owned();
        let retention = Retention::new(far - 1_650_000_000.0, 0.0);
        let cleanup = Cleanup { root: "artifacts", default_root: &default_root, retention, now: far, execute: true };
        let result = cleanup.run(&mut DiskArtifacts::new(&base)).to_json();
        assert_eq!(
            (&result["status"], &result["deleted_count"], check_cleanup(&result)),
            (&"completed".into(), &names.len().into(), Vec::new())
        );
        let mut left: Vec<_> = std::fs::read_dir(&root).expect("it lists").map(|entry| entry.expect("an entry").file_name()).collect();
        left.sort();
        assert_eq!(left, ["fresh\n.json".into(), outside.to_owned()]);
    }

    #[test]
    fn a_folder_with_too_many_names_is_not_listed() {
        let (_scratch, base) = base();
        for name in ["a.json", "b.json", "c"] {
            write(&base.join("artifacts").join(name), VALID);
        }
        let listed = |most_names| DiskArtifacts { base: base.clone(), most_names }.children("artifacts").map(|names| names.len());
        assert_eq!((listed(3), listed(2)), (Ok(3), Err(Unlisted::TooMany)));
        let mut few = DiskArtifacts { base: base.clone(), most_names: 2 };
        let result = clean_up(&base, &mut few, "artifacts");
        assert_eq!((&result["status"], &result["deletion_errors"][0]["reason"]), (&"blocked".into(), &"source_contract_not_ok".into()));
        assert!(base.join("artifacts/a.json").exists());
    }

    /// A disk on which somebody acts between the listing and the deletion.
    struct Meanwhile<F>(DiskArtifacts, F);

    impl<F: Fn()> ArtifactStore for Meanwhile<F> {
        fn children(&self, folder: &str) -> Result<Vec<String>, Unlisted> {
            self.0.children(folder)
        }
        fn stat(&self, path: &str) -> Option<Stat> {
            self.0.stat(path)
        }
        fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, String> {
            self.0.read(path, limit)
        }
        fn resolve(&self, path: &str) -> Option<String> {
            self.0.resolve(path)
        }
        fn remove(&mut self, resolved: &str, seen: &Stat) -> Result<(), String> {
            (self.1)();
            self.0.remove(resolved, seen)
        }
    }

    #[test]
    fn a_swapped_file_and_a_swapped_folder_stay() {
        let (_scratch, base) = base();
        let root = base.join("artifacts");
        let reason = |act: &dyn Fn()| {
            let result = clean_up(&base, &mut Meanwhile(DiskArtifacts::new(&base), act), "artifacts");
            (result["deleted_count"].clone(), result["deletion_errors"][0]["reason"].as_str().unwrap_or_default().to_owned())
        };
        write(&root.join("old.json"), VALID);
        let swap_file = || {
            write(&base.join("new"), VALID);
            std::fs::rename(base.join("new"), root.join("old.json")).expect("it moves");
        };
        assert_eq!(reason(&swap_file), (0.into(), "artifact changed since it was listed".to_owned()));
        let swap_link = || {
            std::fs::remove_file(root.join("old.json")).expect("it goes");
            symlink("../outside.json", root.join("old.json")).expect("a link");
        };
        assert_eq!(reason(&swap_link), (0.into(), "artifact changed since it was listed".to_owned()));
        std::fs::remove_file(root.join("old.json")).expect("it goes");
        write(&root.join("old.json"), VALID);
        std::fs::create_dir(base.join("precious")).expect("a folder");
        write(&base.join("precious/old.json"), VALID);
        let swap_folder = || {
            std::fs::rename(&root, base.join("moved")).expect("it moves");
            symlink("precious", &root).expect("a link");
        };
        let (deleted, reason) = reason(&swap_folder);
        assert_eq!(deleted, 0);
        assert!(reason.contains("os error"), "{reason}");
        assert!(base.join("precious/old.json").exists() && base.join("moved/old.json").exists());
    }
}
