//! The source modules of a bundle: the manifest and its copied bodies, judged and projected into the result.

use super::inputs::{Gathered, manifest_path};
use super::judge::RuleSet;
use super::manifest::{BODIES_FOLDER, IMPORT_CLASS, MANIFEST_FILE, MATERIAL_CLASSES, Manifest, SOURCE_REFS, Target, escapes};
use super::policy::shown;
use super::record::{ModuleEntry, SourceModuleImports};
use super::runs::LIST_LIMIT;
use crate::corpus::input::body_in;
use crate::finding::FindingList;
use crate::folder::{Folder, plain};
use crate::json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The modules of a bundle, judged.
#[derive(Default)]
pub(super) struct Modules {
    pub(super) findings: FindingList,
    pub(super) entries: Vec<ModuleEntry>,
    pub(super) count: u64,
    /// The plain paths that rows name.
    pub(super) declared: BTreeSet<String>,
}

/// Judges the manifest, and each module that it declares with its body.
pub(super) fn judge_manifest(gathered: &mut Gathered, folder: &dyn Folder, prefix: &str, rules: &RuleSet) -> Modules {
    let Some(bytes) = gathered.manifest(folder, prefix, MANIFEST_FILE, rules) else { return Modules::default() };
    let path = manifest_path(prefix);
    let Some(value) = gathered.parse(&path, &bytes, rules) else { return Modules::default() };
    let manifest = Manifest::from_value(&value);
    let findings = rules.manifest_findings(&manifest, &path).into();
    let mut modules = Modules { findings, count: manifest.module_count() as u64, ..Modules::default() };
    for module in manifest.modules(|path| body_in(folder, path)) {
        let refused = rules.module_findings(&module);
        let verdict = if refused.is_empty() { "pass" } else { "blocked" };
        modules.findings.extend(refused);
        let named = module.get("path").filter(|path| !escapes(Some(path))).and_then(Value::as_str).map(plain);
        let fallback = || format!("{BODIES_FOLDER}[{}]", module.index);
        let target = format!("{prefix}/{}", shown(named.as_deref(), fallback));
        if named.as_deref().is_some_and(|named| !named.is_empty()) && module.target != Target::Outside {
            gathered.body(&target, module.body());
        }
        modules.declared.extend(named);
        let Some(body) = module.body().filter(|_| modules.entries.len() < LIST_LIMIT) else { continue };
        let one_of = |key: &str, known: &[&str]| module.text(key).filter(|found| known.contains(found)).map(str::to_owned);
        modules.entries.push(ModuleEntry {
            module_id: module.shown_id(),
            source_ref: one_of("source_ref", &SOURCE_REFS),
            target_ref: target,
            material_class: one_of("material_class", &MATERIAL_CLASSES),
            sha256: module.text("sha256").filter(|digest| is_digest(digest)).map(str::to_owned),
            actual_sha256: body.digest.clone(),
            line_count: body.line_count(),
            source_to_target_relation: one_of("source_to_target_relation", &["exact_copy"]),
            body_in_receipt: false,
            body_text_in_receipt: false,
            verdict: verdict.to_owned(),
        });
    }
    debug_assert_eq!(IMPORT_CLASS, "copied_non_secret_macro_body");
    modules
}

fn is_digest(text: &str) -> bool {
    let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.strip_prefix("sha256:").is_some_and(|digits| digits.len() == 64 && digits.bytes().all(hex))
}

/// What the result says of them.
pub(super) fn source_module_imports(modules: &Modules, prefix: &str, bundle: bool) -> SourceModuleImports {
    let green = modules.findings.is_empty() && modules.count > 0;
    SourceModuleImports {
        status: if !bundle {
            "not_applicable"
        } else if green {
            "pass"
        } else {
            "blocked"
        }
        .to_owned(),
        source_module_manifest_ref: manifest_path(prefix),
        module_count: modules.count,
        modules: modules.entries.clone(),
        findings: modules.findings.clone().into_sorted(),
        observed_negative_cases: BTreeMap::new(),
    }
}
