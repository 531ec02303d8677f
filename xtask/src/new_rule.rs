//! `new-rule`: a rule is one file and two lines in the table.

use std::error::Error;
use std::path::Path;

/// Arguments of `new-rule`.
#[derive(Debug, clap::Args)]
pub(crate) struct NewRule {
    /// The rule's file name without `.rs`: its code in lower case, without the prefix
    name: String,
}

const TABLE: &str = "src/landing/rules/mod.rs";

/// Writes the scaffold and enters it into the table, in order.
pub(crate) fn run(root: &Path, rule: &NewRule) -> Result<String, Box<dyn Error>> {
    let name = rule.name.as_str();
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if name.is_empty() || !name.bytes().all(plain) || !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Err("a rule's name has lower-case letters, digits and _ only, a letter first".into());
    }
    let file = format!("src/landing/rules/{name}.rs");
    if root.join(&file).symlink_metadata().is_ok() {
        return Err(format!("{file} is there already").into());
    }
    let table = std::fs::read_to_string(root.join(TABLE))?;
    let table =
        with_line(&table, &format!("mod {name};"), |line| line.starts_with("mod ") && line != "mod evidence;" && line != "mod tests;")?;
    let table = with_line(&table, &format!("    {name}::RULE,"), |line| line.ends_with("::RULE,"))?;
    std::fs::write(root.join(&file), scaffold(name))?;
    std::fs::write(root.join(TABLE), table)?;
    let shell = xshell::Shell::new()?;
    shell.change_dir(root);
    xshell::cmd!(shell, "cargo fmt").quiet().run()?;
    Ok(format!(
        "wrote {file} and its two lines in {TABLE}; until it refuses something and has a case, these say what is missing:\n  cargo test --lib rules\n  cargo xtask check-corpus"
    ))
}

/// `text` with `line` among the sorted lines that `like` picks.
fn with_line(text: &str, line: &str, like: impl Fn(&str) -> bool) -> Result<String, Box<dyn Error>> {
    let lines: Vec<_> = text.lines().collect();
    let alike: Vec<_> = lines.iter().enumerate().filter(|(_, found)| like(found)).collect();
    let last = alike.last().ok_or("the table of rules has lost its shape")?.0;
    let key = |line: &str| line.trim_end_matches(['.', ',', ';']).replace("::RULE", "");
    let at = alike.iter().find(|(_, found)| key(found) > key(line)).map_or(last + 1, |(at, _)| *at);
    let mut lines: Vec<_> = lines.into_iter().map(str::to_owned).collect();
    lines.insert(at, line.to_owned());
    Ok(lines.join("\n") + "\n")
}

fn scaffold(name: &str) -> String {
    let code = format!("WORK_LANDING_{}", name.to_ascii_uppercase());
    format!(
        r#"//! # {code}
//!
//! ## Refuses
//!
//! TODO: what is refused, in one sentence.
//!
//! ## Why it matters
//!
//! TODO: what goes wrong when it is accepted.
//!
//! ## Evidence it reads
//!
//! TODO: the fields it looks at.
//!
//! ## Smallest refused
//!
//! ```json row
//! {{"TODO": "the smallest row with this fault"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json row
//! {{}}
//! ```
//!
//! Source: TODO.

use crate::code::Code;
use crate::finding::Refusal;
use crate::landing::row::RunRow;
use crate::landing::rule::{{Check, Rule}};

/// The rule.
pub(crate) const RULE: Rule =
    Rule {{ code: Code::named("{code}"), source: include_str!("{name}.rs"), always_with: &[], checks: &[Check::Row(judge)] }};

fn judge(_row: &RunRow<'_>) -> Option<Refusal> {{
    // Name what was claimed, what was found and what would have satisfied the rule.
    None
}}
"#
    )
}
