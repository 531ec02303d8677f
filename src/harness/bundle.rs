//! Trials of a bundle: one for the manifest as such, and one a module.

use super::named::{Named, silent};
use super::part_name;
use crate::corpus::input::body_in;
use crate::folder::Folder;
use crate::json::Place;
use crate::landing::RuleSet;
use crate::landing::manifest::{MANIFEST_FILE, Manifest};

/// The trials of the manifest in `folder`.
pub(super) fn module_trials(named: &mut Named, name: &str, folder: &dyn Folder) {
    let whole = format!("landing::{name}::manifest");
    if !named.wants_below(&whole) && !named.wants_below(&format!("landing::{name}::module::")) {
        return;
    }
    let rules = RuleSet::all();
    let loaded = crate::folder::load(folder, MANIFEST_FILE, crate::corpus::case::CONTROL_LIMIT).ok().and_then(|loaded| loaded.bytes);
    let Some(bytes) = loaded else {
        return named.add(whole, || Err("WORK_LANDING_SOURCE_MODULE_MANIFEST_MISSING".to_owned()));
    };
    let value = match crate::json::parse(&bytes) {
        Ok(value) => value,
        Err(fault) => return named.add(whole, || Err(format!("{} at {}", fault.describe(), Place::in_text(&bytes, fault.offset)))),
    };
    let manifest = Manifest::from_value(&value);
    let line = |finding: &crate::finding::Finding| format!("{} {}: {}", finding.error_code, finding.subject_id, finding.message);
    named.add(whole, || silent(rules.manifest_findings(&manifest, MANIFEST_FILE).iter().map(line)));
    for module in manifest.modules(|path| body_in(folder, path)) {
        let trial = part_name(&module.shown_id(), || format!("module[{}]", module.index));
        named.add(format!("landing::{name}::module::{trial}"), || silent(rules.module_findings(&module).iter().map(line)));
    }
}
