//! `ci`: what `.ci/run` runs, step by step; stops at the first that fails.

use std::error::Error;
use std::path::Path;
use xshell::{Shell, cmd};

/// Runs every step.
pub(crate) fn run(root: &Path) -> Result<String, Box<dyn Error>> {
    let shell = Shell::new()?;
    shell.change_dir(root);
    shell.set_var("RUSTDOCFLAGS", "-D warnings");
    cmd!(shell, "cargo fmt --all --check").run()?;
    cmd!(shell, "cargo fmt --manifest-path fuzz/Cargo.toml --check").run()?;
    // The bare library, the dev-dependency of other crates, the default, everything.
    for features in [&["--no-default-features"][..], &["--no-default-features", "--features", "harness"], &[]] {
        cmd!(shell, "cargo clippy --package landfall --lib {features...} -- -D warnings").run()?;
    }
    cmd!(shell, "cargo clippy --workspace --all-targets --all-features -- -D warnings").run()?;
    oldest_toolchain(&shell)?;
    licences(&shell)?;
    cmd!(shell, "cargo test").run()?;
    // The network and the server are no defaults.
    println!("{}", crate::postgres_suite::run(&shell)?);
    if cmd!(shell, "cargo nextest --version").quiet().ignore_stdout().ignore_stderr().run().is_ok() {
        cmd!(shell, "cargo nextest run --workspace --no-tests fail").run()?;
    } else {
        println!("SKIPPED: cargo-nextest is not installed; the same tests ran under cargo test");
    }
    cmd!(shell, "cargo xtask check-corpus").run()?;
    replay_against_blessed(&shell)?;
    own_landings(&shell)?;
    cmd!(shell, "cargo xtask codegen --check").run()?;
    cmd!(shell, "cargo xtask record-loop --check").run()?;
    cmd!(shell, "cargo doc --workspace --no-deps --all-features").run()?;
    cmd!(shell, "cargo package --quiet --package landfall").run()?;
    python(&shell)?;
    crate::validators::run(&shell)?;
    println!("{}", crate::fuzz::run(root, &crate::fuzz::Fuzz::all())?);
    Ok("ci: every step passed".to_owned())
}

/// The oldest toolchain that the manifest admits builds everything.
fn oldest_toolchain(shell: &Shell) -> Result<(), Box<dyn Error>> {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    let here = cmd!(shell, "rustc --version").read()?;
    if here.strip_prefix("rustc ").is_some_and(|version| version.starts_with(oldest)) {
        println!("this is the oldest toolchain that serves: {here}");
    } else if cmd!(shell, "rustup toolchain install {oldest} --profile minimal").run().is_ok() {
        cmd!(shell, "cargo +{oldest} check --workspace --all-targets --all-features").run()?;
    } else {
        println!("SKIPPED: Rust {oldest}, the oldest that serves, could not be installed; {here} was used");
    }
    Ok(())
}

/// Whatever is linked in may be shipped: `deny.toml` says what is asked.
fn licences(shell: &Shell) -> Result<(), Box<dyn Error>> {
    if cmd!(shell, "cargo deny --version").quiet().ignore_stdout().ignore_stderr().run().is_ok() {
        cmd!(shell, "cargo deny --offline --all-features check licenses bans sources").run()?;
    } else {
        println!("SKIPPED: cargo-deny is not installed; licences and doubled crates are unchecked");
    }
    Ok(())
}

/// A replay with an empty output folder writes exactly the blessed records.
fn replay_against_blessed(shell: &Shell) -> Result<(), Box<dyn Error>> {
    let out = shell.create_temp_dir()?;
    let path = out.path();
    cmd!(shell, "cargo xtask replay --out {path}").run()?;
    let mut compared = 0;
    for blessed in shell.read_dir("fixtures/records")? {
        let name = blessed.file_name().ok_or("a record has a name")?;
        if name == "corpus-digests.json" {
            continue; // check-corpus compares it; replay does not write it.
        }
        if shell.read_binary_file(&blessed)? != shell.read_binary_file(path.join(name))? {
            return Err(
                format!("replay does not write the blessed {}; run cargo xtask check-corpus for the difference", name.display()).into()
            );
        }
        compared += 1;
    }
    if compared != 5 {
        return Err(format!("{compared} blessed records were compared where 5 are due").into());
    }
    println!("checked {compared} of {compared} records against the blessed ones");
    Ok(())
}

/// Our own landings are judged as anybody's, and what comes out describes the release.
fn own_landings(shell: &Shell) -> Result<(), Box<dyn Error>> {
    let out = shell.create_temp_dir()?;
    let (records, statement) = (out.path(), out.path().join("landfall.intoto.json"));
    cmd!(shell, "cargo xtask replay --corpus fixtures/self --out {records}").run()?;
    let version = concat!("pkg:cargo/landfall@", env!("CARGO_PKG_VERSION"));
    cmd!(shell, "cargo xtask report {records} --format in-toto --resource {version} --out {statement}").run()?;
    let said = shell.read_file(&statement)?;
    if !said.contains("\"PASSED\"") {
        return Err(format!("the statement on our own landings does not say PASSED:\n{said}").into());
    }
    println!("the statement that describes the release:\n{said}");
    Ok(())
}

/// The control plane's own tests, and the fixture recorded once more.
fn python(shell: &Shell) -> Result<(), Box<dyn Error>> {
    for program in ["python3", "git"] {
        if cmd!(shell, "{program} --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
            return Err(format!("no {program}; the control plane's tests need it (replay and cargo test do not)").into());
        }
    }
    cmd!(shell, "python3 -B -m unittest discover -s tests/control_plane").run()?;
    cmd!(shell, "cargo xtask record-fixture --check").run()?;
    cmd!(shell, "cargo xtask export-bundle --check").run()?;
    Ok(())
}
