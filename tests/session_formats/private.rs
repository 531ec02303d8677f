//! Home paths, tokens and what tools printed, planted in sessions of every format, and looked for in everything that is
//! printed or written: audits, rows, verdicts, and each report on both.

use crate::in_process::{Printed, landfall};
use crate::written::{FORMATS, Step};
use landfall::cli::Exit;
use serde_json::Value;
use std::path::Path;

const REPORTS: [&str; 9] = ["text", "json", "junit", "sarif", "github", "summary", "in-toto", "prov", "html"];
/// The name of a home's owner.
const NAME: &str = "zebulonk";
/// What a tool printed, and what the agent was asked.
const PRINTED: &str = "PRINTED-7f3a";

/// Tokens of several kinds; put together here, so that none lies in a file.
fn tokens() -> Vec<String> {
    vec![
        format!("gh{}_{}", "p", "a1B2".repeat(9)),
        format!("AK{}IOSFODNN7EXAMPLE", "IA"),
        format!("xo{}-123456789012-1234567890123-{}", "xb", "aB3dE5gH7jK9mN1pQ3sT5vX7"),
        format!("-----BEGIN {} KEY-----", "RSA PRIVATE"),
    ]
}

fn steps(token: &str, file: &str) -> Vec<Step> {
    let home = format!("/home/{NAME}/work");
    let printed = |rest: &str| format!("{PRINTED} {token} in {home}/target, C:\\Users\\{NAME}\\x\n{rest}");
    vec![
        Step::Edit("src/count.rs".to_owned()),
        Step::Edit(format!("src/{token}.rs")),
        Step::Edit(format!("{home}/elsewhere/other.rs")),
        Step::Edit(format!("notes/{file}.rs")),
        Step::Run(
            format!("export TOKEN='{token}' && cd {home}/count && cargo test"),
            printed("test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"),
            101,
        ),
        Step::Run(
            format!("git commit -am 'For {NAME}: {token}'"),
            format!("[main 1a2b3c4] {PRINTED} {token} {home}\n 1 file changed, 1 insertion(+)\n create mode 100644 src/{token}.rs"),
            0,
        ),
        Step::Run(
            format!("git push https://{NAME}:{token}@x.invalid/r.git HEAD:{NAME}"),
            printed(&format!("To https://{NAME}:{token}@x.invalid/r.git\n   1a2b3c4..5d6e7f8  {NAME} -> {token}")),
            0,
        ),
        Step::Say(format!(
            "All tests pass. I committed the change as 1a2b3c4 and pushed it to {NAME}. It is in src/{token}.rs and {home}/other.rs."
        )),
    ]
}

/// Whether nothing that was planted is in `text`.
fn clean(text: &str, token: &str, place: &str) {
    let lower = text.to_lowercase();
    for planted in [NAME, PRINTED, token] {
        if let Some(at) = lower.find(&planted.to_lowercase()) {
            let around = lower.get(at.saturating_sub(60)..).unwrap_or(&lower[at..]);
            panic!("{place} shows {planted}: …{}", around.chars().take(160).collect::<String>());
        }
    }
}

/// All files below `folder`, with their names.
fn files(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).expect("it lists") {
        let path = entry.expect("an entry").path();
        text.push_str(&path.file_name().expect("a name").to_string_lossy());
        text.push('\n');
        text.push_str(&if path.is_dir() { files(&path) } else { std::fs::read_to_string(&path).expect("it reads") });
    }
    text
}

#[test]
fn nothing_private_of_a_session_is_in_any_report() {
    let mut reports = 0;
    for (format, written) in FORMATS {
        // A bare name is known for a home's where the record says in which folder the work was done. These do not.
        let file = if matches!(format, "gemini lines" | "gemini document" | "aider") { "other" } else { NAME };
        for token in tokens() {
            let folder = tempfile::tempdir().expect("a folder");
            let root = folder.path();
            // Tools name a project's folder after the home that it is in.
            let project = format!("projects/-home-{NAME}-work");
            std::fs::create_dir_all(root.join(&project)).expect("a folder");
            let session = format!("{project}/{}", written(&root.join(&project), &format!("/home/{NAME}/work/count"), &steps(&token, file)));
            let place = |what: &str| format!("{what} of {format}");
            let quiet = |words: &[&str]| {
                let Printed { exit, out, err } = landfall(root, words, b"");
                clean(&out, &token, &place(words[0]));
                clean(&err, &token, &place(&format!("the talk of {}", words[0])));
                (exit, out)
            };
            quiet(&["audit", &session, "--format", "text"]);
            let (exit, answer) = quiet(&["audit", &session, "--format", "json"]);
            assert_eq!(exit, Exit::Blocked, "{}", place("the lie"));
            let claims = serde_json::from_str::<Value>(&answer).expect("it is JSON")["claims"].as_array().expect("claims").len();
            assert!(claims > 0, "{}", place("no claim"));
            std::fs::write(root.join("audit.json"), &answer).expect("it writes");
            let (exit, _) = quiet(&["import", &session]);
            assert_eq!(exit, Exit::Pass, "{}", place("import"));
            quiet(&["import", &session, "--out", "corpus"]);
            quiet(&["replay", "--corpus", "corpus", "--out", "records"]);
            clean(&files(&root.join("corpus")), &token, &place("the corpus"));
            clean(&files(&root.join("records")), &token, &place("the records"));
            for source in ["audit.json", "records"] {
                for report in REPORTS {
                    let (_, out) = quiet(&["report", source, "--format", report]);
                    assert!(out.len() > 20, "{report} of {source} says nothing");
                    reports += 1;
                }
            }
        }
    }
    assert_eq!(reports, tokens().len() * REPORTS.len() * FORMATS.len() * 2);
}
