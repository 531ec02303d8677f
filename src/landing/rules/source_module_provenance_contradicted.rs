//! # WORK_LANDING_SOURCE_MODULE_PROVENANCE_CONTRADICTED
//!
//! ## Refuses
//!
//! A module row in which an optional `line_count`, `byte_count`, `source_sha256`, `target_sha256` or
//! `sha256_match` is present and not what the body says.
//!
//! ## Why it matters
//!
//! An exact copy cannot disagree with itself.
//!
//! ## Evidence it reads
//!
//! The five optional fields of a module row, the bytes of its body. Digests may be bare or prefixed; lines are
//! newlines plus one for an unfinished last line.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "a.py", "line_count": 7}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "a.py", "line_count": 1, "byte_count": 2}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::json::{Number, Value};
use crate::landing::manifest::Module;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_PROVENANCE_CONTRADICTED"),
    source: include_str!("source_module_provenance_contradicted.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    let body = module.body()?;
    let bare = body.digest.trim_start_matches("sha256:");
    let counted = |value: &Value<'_>, actual: u64| value.as_number().and_then(Number::as_integer) == i64::try_from(actual).ok();
    let digested = |value: &Value<'_>| value.as_str().is_some_and(|said| said == bare || said == body.digest);
    let agrees = |field: &str, value: &Value<'_>| match field {
        "line_count" => counted(value, body.line_count()),
        "byte_count" => counted(value, body.bytes.len() as u64),
        "sha256_match" => value.is_bool(true) && module.text("sha256") == Some(&body.digest),
        _ => digested(value),
    };
    let wrong: Vec<_> = FIELDS.into_iter().filter(|field| module.get(field).is_some_and(|value| !agrees(field, value))).collect();
    (!wrong.is_empty()).then(|| {
        let found = format!("{} at odds with the body", wrong.join(", "));
        Refusal::new(Support::Contradicted, "an exact copy", found, "what the body says, or the field left out")
    })
}

const FIELDS: [&str; 5] = ["line_count", "byte_count", "source_sha256", "target_sha256", "sha256_match"];

#[cfg(test)]
mod tests {
    use crate::landing::rules::tests::refused;

    #[test]
    fn each_field_is_held_to_the_body() {
        let digest = "73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac";
        let refuses = |fields: &str| {
            let fields = fields.replace("DIGEST", digest);
            let input = format!(r#"{{"manifest": {{"modules": [{{"path": "a.py", {fields}}}]}}, "files": {{"a.py": "x\n"}}}}"#);
            !refused("manifest", &input, "WORK_LANDING_SOURCE_MODULE_PROVENANCE_CONTRADICTED").is_empty()
        };
        for field in ["source_sha256", "target_sha256"] {
            assert!(!refuses(&format!(r#""{field}": "DIGEST""#)), "{field}, bare");
            assert!(!refuses(&format!(r#""{field}": "sha256:DIGEST""#)), "{field}, prefixed");
            assert!(refuses(&format!(r#""{field}": "sha256:{}""#, "0".repeat(64))), "{field} of another body");
        }
        assert!(!refuses(r#""sha256": "sha256:DIGEST", "sha256_match": true"#));
        assert!(refuses(r#""sha256": "sha256:DIGEST", "sha256_match": false"#), "they do match");
        assert!(refuses(r#""sha256": "sha256:0", "sha256_match": true"#), "they do not match");
        assert!(refuses(r#""byte_count": 3"#));
        assert!(refuses(r#""line_count": "1""#), "a text counts nothing");
    }
}
