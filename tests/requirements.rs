//! Requirements on other crates, held to the lock file: the oldest version that a manifest admits is the one
//! that all of this was built and tested with, so that minimal versions need no build of their own.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

#[test]
#[expect(clippy::disallowed_methods, reason = "the test reads the manifests as cargo does")]
fn every_requirement_names_the_version_that_is_tested() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs its own tests");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let lock =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock")).expect("the lock file is part of the repository");
    let locked: BTreeSet<(&str, &str)> =
        lock.split("[[package]]").filter_map(|package| Some((quoted(package, "name")?, quoted(package, "version")?))).collect();

    let (mut checked, mut apart) = (0, Vec::new());
    for package in metadata["packages"].as_array().expect("packages") {
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let (name, wanted) = (dependency["name"].as_str().expect("a name"), dependency["req"].as_str().expect("a requirement"));
            checked += 1;
            if !locked.iter().any(|(of, version)| *of == name && wanted.strip_prefix('^') == version.split('+').next()) {
                apart.push(format!("{name} {wanted}"));
            }
        }
    }
    assert!(checked > 20, "REQUIREMENTS_MISSING: only {checked} were read");
    assert!(apart.is_empty(), "other versions are locked and tested: {}", apart.join(", "));
}

/// The value of `key = "value"` in a package of the lock file.
fn quoted<'l>(package: &'l str, key: &str) -> Option<&'l str> {
    package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'))
}
