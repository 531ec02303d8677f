//! A case file: one JSON object, one fault, known by its file stem (design 3).

use super::case_code::CaseCode;
use super::faults::{self, CorpusFault};
use super::input::Kind;
use crate::folder::{Folder, LoadedFile, load};
use crate::json::{Fault, Place, Value, parse};
use crate::landing::rule::InputState;
use std::io;

/// The longest control file, in bytes: policy, protocol, manifests, cases.
pub const CONTROL_LIMIT: usize = 8 << 20;

/// A file among the negative cases, as it was found.
#[derive(Debug)]
pub struct CaseFile {
    /// Path relative to the folder of cases.
    pub path: String,
    /// The path to show in records.
    pub shown: String,
    /// File name without `.json`.
    pub stem: String,
    /// The bytes, or what stands there instead.
    pub loaded: Result<LoadedFile, InputState>,
}

/// The text of a case, read but not judged.
#[derive(Debug)]
pub struct Case<'c> {
    value: Value<'c>,
}

/// The members a case may have.
const MEMBERS: [&str; 8] = ["$schema", "case_id", "kind", "expected_codes", "why", "twin", "origin", "input"];

impl CaseFile {
    /// The files of a folder of cases, sorted by path, each loaded when it is asked for: a folder of
    /// large cases is never held whole. Files that are no `.json` come too: the audit names them.
    ///
    /// # Errors
    /// What listing the folder met.
    pub fn each(folder: &dyn Folder) -> io::Result<impl Iterator<Item = Self>> {
        Ok(folder.entries("")?.into_iter().map(|path| Self::load(folder, path)))
    }

    /// The file at `path` of a folder of cases.
    pub(crate) fn load(folder: &dyn Folder, path: String) -> Self {
        let shown = Self::shown(&path);
        Self { loaded: load(folder, &path, CONTROL_LIMIT), shown, stem: Self::stem(&path).to_owned(), path }
    }

    /// File name without `.json`.
    pub(crate) fn stem(path: &str) -> &str {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.strip_suffix(".json").unwrap_or(name)
    }

    /// The path to show in records.
    pub(crate) fn shown(path: &str) -> String {
        format!("negatives/{}", crate::landing::policy::shown(Some(path), || "?".to_owned()))
    }

    /// Whether the file lies directly in its folder, as the nine do.
    pub fn is_top(&self) -> bool {
        !self.path.contains('/')
    }

    /// Whether the file is named as a case is.
    pub fn is_json(&self) -> bool {
        self.path.ends_with(".json")
    }

    /// The stem, when it can be shown; else the path as shown.
    pub fn id(&self) -> &str {
        if self.shown.ends_with('?') { &self.shown } else { &self.stem }
    }

    /// Reads the case.
    ///
    /// # Errors
    /// The fault of its text and its place.
    pub fn read(&self) -> Result<Case<'_>, (Fault, Place)> {
        let bytes = match &self.loaded {
            Ok(LoadedFile { bytes: Some(bytes), .. }) => bytes.as_slice(),
            Ok(_) => return Err(too_large()),
            Err(_) => &[],
        };
        parse(bytes).map(|value| Case { value }).map_err(|fault| {
            let place = Place::in_text(bytes, fault.offset);
            (fault, place)
        })
    }
}

/// The fault of a control file beyond its limit.
pub(crate) fn too_large() -> (Fault, Place) {
    let fault = Fault { kind: crate::json::FaultKind::TooLarge(CONTROL_LIMIT), offset: CONTROL_LIMIT };
    (fault, Place { line: 1, column: 1, offset: CONTROL_LIMIT as u64 })
}

impl<'c> Case<'c> {
    /// A string member.
    fn text(&self, key: &str) -> Option<&str> {
        self.value.get(key).and_then(Value::as_str)
    }

    /// The whole case.
    pub fn value(&self) -> &Value<'c> {
        &self.value
    }

    /// `case_id`, if it is a string.
    pub fn case_id(&self) -> Option<&str> {
        self.text("case_id")
    }

    /// The kind, if this version judges it.
    pub fn kind(&self) -> Option<Kind> {
        self.text("kind").and_then(Kind::named)
    }

    /// `why`
    pub fn why(&self) -> &str {
        self.text("why").unwrap_or_default().trim()
    }

    /// `twin`
    pub fn twin(&self) -> Option<&str> {
        self.text("twin").map(str::trim).filter(|twin| !twin.is_empty())
    }

    /// `input`; absent is `null`.
    pub fn input(&self) -> &Value<'c> {
        self.value.get("input").unwrap_or(&Value::Null)
    }

    /// The codes it expects, those that its kind can have; and whether the list is well-formed.
    pub fn expected(&self) -> (Vec<CaseCode>, bool) {
        let Some(items) = self.value.get("expected_codes").and_then(Value::elements) else { return (Vec::new(), false) };
        let kind = self.kind();
        let codes: Vec<_> = items.iter().filter_map(Value::as_str).filter_map(|name| CaseCode::named(name, kind)).collect();
        let whole =
            codes.len() == items.len() && !codes.is_empty() && codes.iter().collect::<std::collections::BTreeSet<_>>().len() == codes.len();
        (codes, whole)
    }

    /// Whether it expects something that is no code of this version.
    pub fn expects_unknown(&self) -> bool {
        match self.value.get("expected_codes") {
            None => false,
            Some(Value::Array(items)) => {
                let kind = self.kind();
                items.iter().any(|item| item.as_str().and_then(|name| CaseCode::named(name, kind)).is_none())
            }
            Some(_) => true,
        }
    }

    /// What is wrong with the case as a file, its input aside.
    pub fn faults(&self, file: &CaseFile) -> Vec<CorpusFault> {
        let mut found = Vec::new();
        let mut fault = |code, message: &str| found.push(CorpusFault::new(code, &file.shown, message));
        if !self.value.is_object() || self.value.members().iter().any(|(key, _)| !MEMBERS.contains(&&**key)) {
            fault(faults::CASE_UNREADABLE, &format!("found something other than an object with the members {}", MEMBERS.join(", ")));
        }
        if !self.expected().1 {
            fault(
                faults::CASE_UNREADABLE,
                "found expected_codes that are no list of different codes landfall has for the kind, at least one",
            );
        }
        if self.case_id() != Some(&file.stem) {
            fault(faults::CASE_ID_MISMATCH, "found a case_id that is not the file stem");
        }
        if self.kind().is_none() {
            fault(faults::CASE_KIND_UNKNOWN, &format!("found a kind that is none of {}", Kind::names().join(", ")));
        }
        if self.why().is_empty() {
            fault(faults::CASE_WHY_MISSING, "found no why");
        }
        let todo = |text: &str| text.contains("TODO:");
        if todo(self.why()) || self.twin().is_some_and(todo) {
            fault(faults::CASE_TODO, "found a TODO: in why or twin");
        }
        found
    }
}
