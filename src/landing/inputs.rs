//! The input files of a run: loaded, digested, scanned, each fault a finding (spec 1, 7, 8).

use super::judge::{INPUT_CASE, MANIFEST_CASE, RuleSet};
use super::policy::shown;
use super::record::{Hit, InputDigest};
use super::rule::InputState;
use crate::corpus::case::{CONTROL_LIMIT, CaseFile, too_large};
use crate::corpus::case_code::CaseCode;
use crate::finding::FindingList;
use crate::folder::{Folder, LoadedFile, load};
use crate::json::{Place, Value, parse};
use crate::leak::{TermSet, credential, leaks_of};
use std::collections::BTreeSet;

/// What a run has gathered about its inputs so far.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Existing inputs in order.
    pub(super) inputs: Vec<InputDigest>,
    /// Required or named inputs that are not there.
    pub(super) missing: Vec<String>,
    /// Findings that block.
    pub(super) findings: FindingList,
    /// Hits of the scan.
    pub(super) hits: BTreeSet<Hit>,
    /// Files scanned.
    pub(super) scanned: u64,
    /// Files digested but not scanned.
    pub(super) unscanned: Vec<String>,
}

/// Suffixes of files that must be text (spec 7).
const TEXT_SUFFIXES: [&str; 10] = [".json", ".jsonl", ".lean", ".log", ".md", ".patch", ".py", ".sh", ".toml", ".txt"];

impl Gathered {
    /// Takes note of an input that was loaded.
    pub(super) fn input(&mut self, path: &str, sha256: &str, size: u64) {
        self.inputs.push(InputDigest { path: path.to_owned(), sha256: sha256.to_owned(), size_bytes: size });
    }

    /// Takes note of credential hits in the file at `path`.
    pub(super) fn term_hits(&mut self, path: &str, terms: TermSet, expected: bool) {
        self.hits.extend(terms.iter().map(|term| Hit::of_term(path, term, expected)));
    }

    /// Loads a required control file: its bytes, or findings that say why not.
    pub(super) fn control(&mut self, folder: &dyn Folder, prefix: &str, name: &str, rules: &RuleSet) -> Option<Vec<u8>> {
        let path = format!("{prefix}/{name}");
        match load(folder, name, CONTROL_LIMIT) {
            Ok(loaded) => self.loaded(&path, loaded, rules),
            Err(state) => {
                self.missing.push(path.clone());
                self.findings.extend(rules.input_findings(state, &path));
                None
            }
        }
    }

    /// Loads a control file that need not be there.
    pub(super) fn optional(&mut self, folder: &dyn Folder, prefix: &str, name: &str, rules: &RuleSet) -> Option<Vec<u8>> {
        match load(folder, name, CONTROL_LIMIT) {
            Err(InputState::Absent) => None,
            _ => self.control(folder, prefix, name, rules),
        }
    }

    /// Loads the manifest, whose absence has a code of its own.
    pub(super) fn manifest(&mut self, folder: &dyn Folder, prefix: &str, name: &str, rules: &RuleSet) -> Option<Vec<u8>> {
        let path = format!("{prefix}/{name}");
        match load(folder, name, CONTROL_LIMIT) {
            Ok(loaded) => self.loaded(&path, loaded, rules),
            Err(_) => {
                self.missing.push(path.clone());
                self.findings.extend(rules.manifest_file_findings(false, &path));
                None
            }
        }
    }

    fn loaded(&mut self, path: &str, loaded: LoadedFile, rules: &RuleSet) -> Option<Vec<u8>> {
        self.input(path, &loaded.sha256(), loaded.size);
        self.scanned += 1;
        if let Some(bytes) = loaded.bytes {
            self.term_hits(path, credential::terms_in_bytes(&bytes), false);
            return Some(bytes);
        }
        let (fault, place) = too_large();
        self.findings.extend(rules.text_findings(&fault, place, INPUT_CASE, "input_file", path));
        None
    }

    /// Parses a control file; its decoded strings are scanned, and its fault is a finding.
    pub(super) fn parse<'b>(&mut self, path: &str, bytes: &'b [u8], rules: &RuleSet) -> Option<Value<'b>> {
        match parse(bytes) {
            Ok(value) => {
                self.term_hits(path, leaks_of(&value, &[]).credentials, false);
                Some(value)
            }
            Err(fault) => {
                let place = Place::in_text(bytes, fault.offset);
                self.findings.extend(rules.text_findings(&fault, place, INPUT_CASE, "input_file", path));
                None
            }
        }
    }

    /// Digests and scans the evidence that lies beside the rows.
    pub(super) fn evidence(&mut self, folder: &dyn Folder, prefix: &str, rules: &RuleSet) -> std::io::Result<()> {
        for (index, name) in folder.entries("evidence")?.into_iter().enumerate() {
            let path = format!("{prefix}/{}", shown(Some(&name), || format!("evidence[{index}]")));
            match scan_file(folder, &name) {
                Ok(scanned) => {
                    self.input(&path, &scanned.sha256, scanned.size);
                    self.term_hits(&path, scanned.terms, false);
                    if scanned.is_text {
                        self.scanned += 1;
                    } else if TEXT_SUFFIXES.iter().any(|suffix| name.ends_with(suffix)) {
                        self.unreadable_text(&path);
                    } else {
                        self.unscanned.push(path.clone());
                    }
                    self.decoded_evidence(&path, &name, scanned.kept.as_deref());
                }
                Err(state) => {
                    self.missing.push(path.clone());
                    self.findings.extend(rules.input_findings(state, &path));
                }
            }
        }
        Ok(())
    }

    /// Evidence in JSON is scanned as decoded strings too: an escape must hide nothing. `kept` is what was hashed, unless
    /// that was too long: a second look at the file could see another.
    fn decoded_evidence(&mut self, path: &str, name: &str, kept: Option<&[u8]>) {
        if !is_json(name) {
            return;
        }
        let Some(bytes) = kept else {
            let remediation = "keep JSON evidence below 8 MiB, so that its strings can be looked through";
            self.hits.insert(Hit::new(path, "unreadable_text_candidate", "text_read_failed", remediation, false));
            return;
        };
        let lines = name.ends_with(".jsonl");
        let texts = bytes.split(|byte| lines && *byte == b'\n');
        let terms = texts.map(|text| match parse(text) {
            Ok(value) => leaks_of(&value, &[]).credentials,
            Err(_) => credential::terms_in(&unescaped(&String::from_utf8_lossy(text))),
        });
        let terms = terms.fold(TermSet::default(), TermSet::union);
        self.term_hits(path, terms, false);
    }

    /// A text file that is no text: a hit, for nobody can say what is in it.
    pub(super) fn unreadable_text(&mut self, path: &str) {
        let hit = Hit::new(path, "unreadable_text_candidate", "utf8_decode_failed", "store the file as UTF-8, or leave it out", false);
        self.hits.insert(hit);
    }

    /// Takes note of a copied body, found or not.
    pub(super) fn body(&mut self, path: &str, body: Option<&super::manifest::Body>) {
        match body {
            None => self.missing.push(path.to_owned()),
            Some(body) => {
                self.input(path, body.digest.trim_start_matches("sha256:"), body.bytes.len() as u64);
                self.scanned += 1;
                self.term_hits(path, body.credentials(), false);
                if !body.is_utf8() {
                    self.unreadable_text(path);
                }
            }
        }
    }

    /// Scans a case file: what its input leaks is expected where the case expects to be refused for
    /// it; everything else blocks.
    pub(super) fn case(&mut self, file: &CaseFile) {
        let Ok(loaded) = &file.loaded else {
            self.missing.push(file.shown.clone());
            return;
        };
        self.input(&file.shown, &loaded.sha256(), loaded.size);
        let Some(bytes) = &loaded.bytes else { return };
        self.scanned += 1;
        let raw = credential::terms_in_bytes(bytes);
        let Ok(case) = file.read() else {
            self.term_hits(&file.shown, raw, false);
            return;
        };
        let (expected, _) = case.expected();
        let expects = |slug: &str| expected.iter().filter_map(CaseCode::code).any(|code| code.slug() == slug);
        let inside = leaks_of(case.input(), &[]);
        let outside = leaks_of(case.value(), &["input"]);
        let mut path_hit = |expected| {
            let remediation = "write the path relative to the repository";
            self.hits.insert(Hit::new(&file.shown, "private_path", "private_path", remediation, expected));
        };
        if outside.private_path.is_some() {
            path_hit(false);
        }
        if inside.private_path.is_some() {
            path_hit(expects("private_path_leakage"));
        }
        self.term_hits(&file.shown, outside.credentials, false);
        self.term_hits(&file.shown, inside.credentials.union(raw).without(outside.credentials), expects("secret_material"));
    }
}

/// `text` with its `\\u` escapes resolved one by one, for text that calls itself JSON and is none.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        out.push_str(&rest[..at]);
        let digits = rest.get(at + 2..at + 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let (meant, length) = digits.and_then(char::from_u32).map_or(('u', 2), |character| (character, 6));
        out.push(meant);
        rest = &rest[at + length..];
    }
    out + rest
}

/// A file that was hashed and scanned as it was read.
struct Scanned {
    sha256: String,
    size: u64,
    terms: TermSet,
    is_text: bool,
    /// All bytes of a JSON file that is not too long to be decoded.
    kept: Option<Vec<u8>>,
}

/// Whether evidence of this name is looked through as JSON, or as JSON Lines.
fn is_json(name: &str) -> bool {
    name.ends_with(".json") || name.ends_with(".jsonl")
}

/// Hashes and scans a file of any size in constant memory: pieces overlap by more than a credential
/// is long.
fn scan_file(folder: &dyn Folder, name: &str) -> Result<Scanned, InputState> {
    const OVERLAP: usize = 64 << 10;
    let input = folder.open(name)?;
    let scanned = crate::stream::with_blocks(input, |blocks| {
        let (mut terms, mut is_text, mut carry) = (TermSet::default(), true, 0);
        let mut kept = is_json(name).then(Vec::new);
        // Bytes at the end of a window that may be the beginning of a character.
        let mut cut = 0;
        while let Some(window) = blocks.next(carry)? {
            terms = terms.union(credential::terms_in_bytes(window.bytes));
            kept = kept.filter(|kept| kept.len() + (window.bytes.len() - carry) <= CONTROL_LIMIT);
            if let Some(kept) = &mut kept {
                kept.extend_from_slice(&window.bytes[carry..]);
            }
            // What was carried over was looked at before, but for a character cut in two.
            let fresh = &window.bytes[carry - cut..];
            cut = match std::str::from_utf8(fresh) {
                Ok(_) => 0,
                Err(error) if error.error_len().is_none() && !window.last => fresh.len() - error.valid_up_to(),
                Err(_) => {
                    is_text = false;
                    0
                }
            };
            carry = window.bytes.len().min(OVERLAP);
        }
        Ok((terms, is_text, kept))
    });
    let ((terms, is_text, kept), digested) = scanned.map_err(|_| InputState::Unreadable)?;
    Ok(Scanned { sha256: digested.sha256.trim_start_matches("sha256:").to_owned(), size: digested.size, terms, is_text, kept })
}

/// The subject id of the manifest: its display path.
pub(super) fn manifest_path(prefix: &str) -> String {
    debug_assert_eq!(MANIFEST_CASE, "source_module_manifest");
    format!("{prefix}/{}", super::manifest::MANIFEST_FILE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::MemoryFolder;
    use std::cell::Cell;
    use std::io::Read;

    /// A folder whose files are others when they are opened again.
    struct Swapped {
        first: MemoryFolder,
        then: MemoryFolder,
        opened: Cell<bool>,
    }

    impl Folder for Swapped {
        fn open(&self, path: &str) -> Result<Box<dyn Read + Send + '_>, InputState> {
            if self.opened.replace(true) { self.then.open(path) } else { self.first.open(path) }
        }

        fn entries(&self, path: &str) -> std::io::Result<Vec<String>> {
            self.first.entries(path)
        }
    }

    fn hits(folder: &dyn Folder) -> usize {
        let mut gathered = Gathered::default();
        gathered.evidence(folder, "corpus", &RuleSet::all()).expect("memory lists");
        gathered.hits.len()
    }

    #[test]
    fn evidence_is_decoded_as_it_was_hashed() {
        let escaped = format!("{{\"a\": \"\\u0041{}IOSFODNN7{}\"}}", "KIA", "QWERTYZ");
        let of = |name: &str, text: &str| {
            let mut folder = MemoryFolder::default();
            folder.file(name, text);
            folder
        };
        for name in ["evidence/a.json", "evidence/a.jsonl"] {
            assert_eq!(hits(&of(name, &escaped)), 1, "what is escaped is found");
            let swapped = Swapped { first: of(name, &escaped), then: of(name, "{}"), opened: Cell::new(false) };
            assert_eq!(hits(&swapped), 1, "a file that is another by now hides nothing");
            let gone = Swapped { first: of(name, &escaped), then: MemoryFolder::default(), opened: Cell::new(false) };
            assert_eq!(hits(&gone), 1, "nor does one that is gone");
        }
        let at = |length: usize| format!("[\"{}\"]", "x".repeat(length - 4));
        assert_eq!(hits(&of("evidence/a.json", &at(CONTROL_LIMIT))), 0, "as long as may be");
        assert_eq!(hits(&of("evidence/a.json", &at(CONTROL_LIMIT + 1))), 1, "too long to be looked through");
    }
}
