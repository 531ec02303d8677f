//! `fuzz`: builds the fuzz targets and runs each for some seconds, on the stable toolchain that builds everything else.
//!
//! Coverage comes from the compiler's own pass and libFuzzer from its source, so no nightly and no sanitizer is needed;
//! the code under test has no unsafe of its own. What libFuzzer makes up goes into a folder that goes with the run: the
//! committed corpus is only read, and a run that changed it fails.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;
use xshell::{Shell, cmd};

/// The arguments of `fuzz`.
#[derive(Debug, clap::Args)]
pub(crate) struct Fuzz {
    /// The only target to run
    target: Option<String>,
    /// How long each target runs; as many run at once as there are cores
    #[arg(long, default_value_t = SECONDS)]
    seconds: u32,
}

/// Makes about two minutes of all targets on two cores.
const SECONDS: u32 = 10;

impl Fuzz {
    /// Every target, for as long as CI takes.
    pub(crate) fn all() -> Self {
        Self { target: None, seconds: SECONDS }
    }
}

/// What `cargo fuzz build --sanitizer none` hands to the compiler: counters at every edge, and the operands of comparisons.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table --cfg fuzzing";

/// What libFuzzer counted of a run.
#[derive(Debug, PartialEq, Eq)]
struct Counted {
    executions: u64,
    edges: u64,
    features: u64,
}

/// Builds the targets, runs them, and says what each came to.
pub(crate) fn run(root: &Path, fuzz: &Fuzz) -> Result<String, Box<dyn Error>> {
    let package = root.join("fuzz");
    let known = stems(&package.join("fuzz_targets"))?;
    let wanted: Vec<String> = known.iter().filter(|name| fuzz.target.as_ref().is_none_or(|wanted| wanted == *name)).cloned().collect();
    if wanted.is_empty() {
        let named = fuzz.target.as_deref().unwrap_or_default();
        return Err(format!("FILTER_MATCHED_NOTHING: no fuzz target {named:?}; there are {}", known.join(", ")).into());
    }
    if fuzz.seconds == 0 {
        return Err("--seconds 0 would run nothing".into());
    }
    let built = build(root, &package)?;
    let corpus = package.join("corpus");
    let before = contents(&corpus)?;
    let shell = Shell::new()?;
    let scratch = shell.create_temp_dir()?;
    // Beside the folder of the binaries: a target may be called anything.
    let artifacts = built.with_file_name("findings");
    fs::create_dir_all(&artifacts)?;
    let (queue, ended) = (Mutex::new(wanted.iter()), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(name) = queue.lock().expect("no worker panics").next() else { return };
                    let own = scratch.path().join(name);
                    let outcome = fs::create_dir(&own).and_then(|()| {
                        Command::new(built.join(name))
                            .args([
                                format!("-max_total_time={}", fuzz.seconds),
                                format!("-artifact_prefix={}/{name}-", artifacts.display()),
                            ])
                            .args(["-print_final_stats=1", "-timeout=60", "-rss_limit_mb=1024"])
                            .args([&own, &corpus.join(name)])
                            .output()
                    });
                    ended.lock().expect("no worker panics").insert(name.clone(), outcome);
                }
            });
        }
    });
    let mut said = vec![format!("{:>12} {:>7} {:>9}  target ({} s each)", "executions", "edges", "features", fuzz.seconds)];
    let mut failed = Vec::new();
    for (name, outcome) in ended.into_inner().expect("no worker panics") {
        match verdict(outcome, before.keys().filter(|path| path.starts_with(corpus.join(&name))).count()) {
            Ok(Counted { executions, edges, features }) => said.push(format!("{executions:>12} {edges:>7} {features:>9}  {name}")),
            Err(why) => failed.push(format!("{name}: {why}")),
        }
    }
    if contents(&corpus)? != before {
        failed.push("FUZZ_CORPUS_CHANGED: the run changed the committed corpus, which it may only read".to_owned());
    }
    if failed.is_empty() { Ok(said.join("\n")) } else { Err(format!("{}\n{}", said.join("\n"), failed.join("\n")).into()) }
}

/// Builds every target at once; the folder they lie in.
fn build(root: &Path, package: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let shell = Shell::new()?;
    shell.change_dir(package);
    // Versions come from the repository's own lock; a second list would only age.
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock"))?;
    let version = cmd!(shell, "rustc -vV").quiet().read()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder)).join("fuzz");
    // With a target named, the flags do not reach build scripts, which have no libFuzzer to link.
    cmd!(shell, "cargo build --bins --target {host} --target-dir {target}").env("RUSTFLAGS", FLAGS).run()?;
    Ok(target.join(host).join("debug"))
}

/// What a run came to, by libFuzzer's own words; `corpus` is how many files it had to replay first.
fn verdict(outcome: io::Result<Output>, corpus: usize) -> Result<Counted, String> {
    let output = outcome.map_err(|error| format!("FUZZ_TARGET_DID_NOT_START: {error}"))?;
    let words = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let lines: Vec<&str> = words.lines().filter(|line| !line.starts_with(['#', '\t'])).collect();
        return Err(format!("FUZZ_TARGET_FAILED: {}\n  {}", output.status, lines[lines.len().saturating_sub(40)..].join("\n  ")));
    }
    let counted = counted(&words).ok_or("FUZZ_TARGET_UNCOUNTED: libFuzzer printed no counts")?;
    if corpus == 0 {
        return Err("FUZZ_CORPUS_EMPTY: it has no committed corpus".to_owned());
    }
    if counted.executions <= corpus as u64 || counted.edges == 0 {
        return Err(format!("FUZZ_TARGET_DID_NOTHING: {counted:?} with a corpus of {corpus} files"));
    }
    Ok(counted)
}

/// The counts in libFuzzer's words.
fn counted(words: &str) -> Option<Counted> {
    let executions = words.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))?.trim().parse().ok()?;
    let last = words.lines().rfind(|line| line.starts_with('#') && line.contains(" cov: "))?;
    let behind = |label: &str| last.split_once(label)?.1.split_whitespace().next()?.parse().ok();
    Some(Counted { executions, edges: behind(" cov: ")?, features: behind(" ft: ")? })
}

/// The names in a folder without their ending, sorted.
fn stems(folder: &Path) -> io::Result<Vec<String>> {
    let mut stems: Vec<String> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()))
        .collect::<io::Result<_>>()?;
    stems.sort();
    Ok(stems)
}

/// Every file of the corpora with its bytes.
fn contents(corpus: &Path) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for folder in fs::read_dir(corpus)? {
        for file in fs::read_dir(folder?.path())? {
            let path = file?.path();
            found.insert(path.clone(), fs::read(&path)?);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    const WORDS: &str = "INFO: seed corpus: files: 3\n#4\tINITED cov: 10 ft: 12 corp: 3/9b exec/s: 0 rss: 30Mb\n\
        #900\tNEW    cov: 14 ft: 20 corp: 4/19b lim: 4 exec/s: 0 rss: 30Mb L: 4/4 MS: 1 CrossOver-\n\
        #1000\tDONE   cov: 14 ft: 21 corp: 4/19b lim: 4 exec/s: 500 rss: 30Mb\nstat::number_of_executed_units: 1000\n";

    fn ended(code: i32, words: &str) -> io::Result<Output> {
        Ok(Output { status: ExitStatus::from_raw(code << 8), stdout: Vec::new(), stderr: words.as_bytes().to_vec() })
    }

    #[test]
    fn a_run_counts_by_the_words_of_the_engine() {
        assert_eq!(verdict(ended(0, WORDS), 3), Ok(Counted { executions: 1000, edges: 14, features: 21 }));
    }

    #[test]
    fn what_did_nothing_or_failed_is_named() {
        let why = |outcome, corpus| verdict(outcome, corpus).expect_err("it is no run");
        assert!(why(ended(0, WORDS), 0).starts_with("FUZZ_CORPUS_EMPTY"));
        assert!(why(ended(0, WORDS), 1000).starts_with("FUZZ_TARGET_DID_NOTHING"));
        assert!(why(ended(0, &WORDS.replace("cov: 14", "cov: 0")), 3).starts_with("FUZZ_TARGET_DID_NOTHING"));
        assert!(why(ended(0, ""), 3).starts_with("FUZZ_TARGET_UNCOUNTED"));
        assert!(why(ended(77, &format!("{WORDS}panicked at x\n")), 3).contains("panicked at x"));
        assert!(why(Err(io::Error::other("gone")), 3).starts_with("FUZZ_TARGET_DID_NOT_START"));
    }
}
