//! # WORK_LANDING_SOURCE_MODULE_DIGEST_MISMATCH
//!
//! ## Refuses
//!
//! A module row whose `sha256` is not exactly `sha256:` and the lower-case digest of the body's bytes.
//!
//! ## Why it matters
//!
//! The digest is what makes a copy exact; a bare, padded or upper-case one is another string.
//!
//! ## Evidence it reads
//!
//! `sha256` of a module row, the bytes of its body.
//!
//! ## Smallest refused
//!
//! ```json manifest
//! {"manifest": {"modules": [{"path": "a.py", "sha256": "sha256:00"}]}, "files": {"a.py": "x\n"}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json manifest
//! {
//!   "manifest": {
//!     "modules": [
//!       {
//!         "path": "a.py",
//!         "sha256": "sha256:73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac"
//!       }
//!     ]
//!   },
//!   "files": {
//!     "a.py": "x\n"
//!   }
//! }
//! ```
//!
//! Source: work-landing specification, section 3.4.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::manifest::Module;
use crate::landing::rule::{Check, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_SOURCE_MODULE_DIGEST_MISMATCH"),
    source: include_str!("source_module_digest_mismatch.rs"),
    always_with: &[],
    checks: &[Check::Module(judge)],
};

fn judge(module: &Module<'_>) -> Option<Refusal> {
    let body = module.body()?;
    (module.text("sha256") != Some(&body.digest)).then(|| {
        let found = match module.text("sha256") {
            Some(_) => "another text in sha256",
            None => module.describe("sha256"),
        };
        Refusal::new(Support::Contradicted, "an exact copy", format!("{found} than the digest of the body"), body.digest.clone())
    })
}
