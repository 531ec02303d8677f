//! `codegen`: pages made from the rules' own texts.

use std::error::Error;
use std::path::Path;

/// Writes or checks `docs/rules.md`.
pub(crate) fn run(root: &Path, check: bool) -> Result<String, Box<dyn Error>> {
    let path = root.join("docs/rules.md");
    let text = landfall::cli::rules_page();
    if !check {
        std::fs::create_dir_all(root.join("docs"))?;
        std::fs::write(&path, text)?;
        return Ok("wrote docs/rules.md".to_owned());
    }
    match std::fs::read_to_string(&path) {
        Ok(found) if found == text => Ok("checked 1 of 1 generated pages".to_owned()),
        Ok(found) => {
            let difference = landfall::corpus::parity::difference(found.as_bytes(), text.as_bytes(), "docs/rules.md", "generated");
            Err(format!("docs/rules.md is not what the rules say; run cargo xtask codegen\n{difference}").into())
        }
        Err(error) => Err(format!("no docs/rules.md: {error}; run cargo xtask codegen").into()),
    }
}
