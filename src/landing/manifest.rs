//! The source-module manifest and the bodies it names, as the rules see them (spec 2.4, 3.4).

use super::policy::{describe, shown};
use crate::json::Value;
use crate::leak::{Leaks, TermSet, credential, leaks_of};
use std::collections::HashSet;

/// The file's name in a bundle.
pub const MANIFEST_FILE: &str = "source_module_manifest.json";
/// The folder of the bodies in a bundle.
pub const BODIES_FOLDER: &str = "source_modules";
/// The one import class.
pub const IMPORT_CLASS: &str = "copied_non_secret_macro_body";
/// The material classes a body may have.
pub const MATERIAL_CLASSES: [&str; 3] = ["public_macro_tool_body", "public_macro_ledger_body", "public_macro_transaction_body"];
/// The folders a source may lie in.
pub const SOURCE_FOLDERS: [&str; 3] = ["system/lib/", "tools/meta/control/", "tools/meta/factory/"];
/// The six control files, each of which a manifest must name once.
pub const SOURCE_REFS: [&str; 6] = [
    "system/lib/workitem_runtime_entrypoint.py",
    "system/lib/work_landing_status.py",
    "tools/meta/control/work_landing.py",
    "tools/meta/control/mission_transaction_preflight.py",
    "tools/meta/control/scoped_commit.py",
    "tools/meta/factory/work_ledger.py",
];

/// What the edge found at a path of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The path leaves the bundle, or a link stands on the way.
    Outside,
    /// Nothing there, no regular file, or none that can be read within the limit.
    Missing,
    /// The body.
    Found(Box<Body>),
}

/// A copied body and what a record may say of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// `sha256:` and hex, recomputed.
    pub digest: String,
}

impl Body {
    /// A body of these bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { digest: crate::json::digest_of(&bytes), bytes }
    }

    /// Newline characters, plus one for an unfinished last line.
    pub fn line_count(&self) -> u64 {
        let newlines = memchr::memchr_iter(b'\n', &self.bytes).count() as u64;
        newlines + u64::from(self.bytes.last().is_some_and(|&last| last != b'\n'))
    }

    /// Whether it is text.
    pub fn is_utf8(&self) -> bool {
        std::str::from_utf8(&self.bytes).is_ok()
    }

    /// The credentials in it.
    pub fn credentials(&self) -> TermSet {
        credential::terms_in_bytes(&self.bytes)
    }
}

/// A source-module manifest. Its bodies are opened one at a time, by [`Manifest::modules`].
#[derive(Debug)]
pub struct Manifest<'v> {
    value: &'v Value<'v>,
    elements: &'v [Value<'v>],
    /// What the manifest may not carry, outside its rows.
    pub leaks: Leaks,
}

/// The most bytes of bodies that one manifest may make us read. Six bodies need far less; a
/// manifest of a hundred thousand rows over one large body must not hold us for hours.
const BODY_BUDGET: usize = 64 << 20;

/// One element of `modules`.
#[derive(Debug)]
pub struct Module<'v> {
    /// Position in the list.
    pub index: usize,
    value: &'v Value<'v>,
    /// What lies at `path`.
    pub target: Target,
    /// Whether an earlier row has the same id.
    pub repeats_id: bool,
    /// What the row may not carry.
    pub leaks: Leaks,
}

impl<'v> Manifest<'v> {
    /// The manifest that `value` is; no object is read as an empty one.
    pub fn from_value(value: &'v Value<'v>) -> Self {
        let elements = value.get("modules").and_then(Value::elements).unwrap_or_default();
        // Rows have leaks of their own; whatever else stands in their place belongs to the manifest.
        let skipped: &[&str] = if value.get("modules").is_some_and(|modules| modules.elements().is_some()) { &["modules"] } else { &[] };
        let junk = elements.iter().filter(|element| !element.is_object()).map(|element| leaks_of(element, &[]));
        Self { value, elements, leaks: junk.fold(leaks_of(value, skipped), Leaks::or) }
    }

    /// How many elements `modules` has.
    pub fn module_count(&self) -> usize {
        self.elements.len()
    }

    /// The modules, one at a time; `open` finds the body at a path that [`escapes`] has let pass.
    pub fn modules(&self, mut open: impl FnMut(&str) -> Target) -> impl Iterator<Item = Module<'v>> {
        let mut seen = HashSet::new();
        let mut read = 0;
        self.elements.iter().enumerate().map(move |(index, value)| {
            let id = value.get("module_id").and_then(Value::as_str);
            let target = if escapes(value.get("path")) || escapes(value.get("target_ref")) {
                Target::Outside
            } else {
                match value.get("path").and_then(Value::as_str).filter(|path| !path.is_empty()) {
                    Some(path) if read <= BODY_BUDGET => open(path),
                    _ => Target::Missing,
                }
            };
            if let Target::Found(body) = &target {
                read += body.bytes.len();
            }
            let repeats_id = id.is_some_and(|id| !seen.insert(id));
            let skipped: &[&str] = if value.is_object() { &["required_anchors", "path", "target_ref"] } else { &[] };
            Module { index, value, target, repeats_id, leaks: leaks_of(value, skipped) }
        })
    }

    /// A member of the manifest.
    pub fn get(&self, key: &str) -> Option<&'v Value<'v>> {
        self.value.get(key)
    }

    /// The `source_ref`s of the rows that are objects; `None` for one that is no string.
    pub fn source_refs(&self) -> impl Iterator<Item = Option<&'v str>> {
        self.elements.iter().filter(|element| element.is_object()).map(|element| element.get("source_ref").and_then(Value::as_str))
    }
}

impl<'v> Module<'v> {
    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        self.value.is_object()
    }

    /// A member of the row.
    pub fn get(&self, key: &str) -> Option<&'v Value<'v>> {
        self.value.get(key)
    }

    /// A member that is a string.
    pub fn text(&self, key: &str) -> Option<&'v str> {
        self.get(key).and_then(Value::as_str)
    }

    /// `source_ref`, if it is a string.
    pub fn source_ref(&self) -> Option<&'v str> {
        self.text("source_ref")
    }

    /// `path` without `.` segments, if it is a string.
    pub fn path(&self) -> Option<String> {
        self.text("path").map(|path| path.split('/').filter(|segment| *segment != ".").collect::<Vec<_>>().join("/"))
    }

    /// The body, when there is one.
    pub fn body(&self) -> Option<&Body> {
        if let Target::Found(body) = &self.target { Some(body) } else { None }
    }

    /// The anchors that can be looked for.
    pub fn usable_anchors(&self) -> impl Iterator<Item = &'v str> {
        let items = self.get("required_anchors").and_then(Value::elements).unwrap_or_default();
        items.iter().filter_map(Value::as_str).filter(|anchor| !anchor.trim().is_empty())
    }

    /// What a member is, without its text.
    pub fn describe(&self, key: &str) -> &'static str {
        describe(self.get(key))
    }

    /// The name to show in findings.
    pub fn shown_id(&self) -> String {
        shown(self.text("module_id"), || format!("module[{}]", self.index))
    }
}

/// Whether a path leaves the folder it is meant to stay in: no string, absolute, a drive letter, a
/// `..` segment or a NUL. Absent, `null` and empty ones do not: they name nothing.
pub fn escapes(path: Option<&Value<'_>>) -> bool {
    match path {
        None | Some(Value::Null) => false,
        Some(Value::String(path)) => {
            let bytes = path.as_bytes();
            let drive = bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':');
            drive || path.starts_with(['/', '\\']) || path.contains('\0') || path.split(['/', '\\']).any(|segment| segment == "..")
        }
        Some(_) => true,
    }
}
