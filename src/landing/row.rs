//! A run row as the rules see it: typed fields and what the walk over its text found.
//!
//! A row is read in one pass over borrowed text. Fields that no rule interprets leave nothing
//! behind but what the walks noticed: raised authority keys, body keys, leaks.

use super::refs::Refs;
use super::row_sink::RowSink;
use crate::json::{Number, Reader, Stop, Value};
use crate::leak::screen::{self, Suspicion};
use crate::leak::{LeakWalk, Leaks, Marked, TermSet, credential};
use std::borrow::Cow;

/// A scalar field of a row; lists and objects are named by their kind only.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Field<'a> {
    /// Not in the row.
    #[default]
    Absent,
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number<'a>),
    /// A string.
    Text(Cow<'a, str>),
    /// A list.
    List,
    /// An object.
    Object,
}

impl Field<'_> {
    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Whether it is exactly the boolean `wanted`.
    pub fn is(&self, wanted: bool) -> bool {
        *self == Self::Bool(wanted)
    }

    /// Whether it is in the row at all.
    pub fn is_present(&self) -> bool {
        *self != Self::Absent
    }

    /// Whether it is in the row and not `null`.
    pub fn says_something(&self) -> bool {
        !matches!(self, Self::Absent | Self::Null)
    }

    /// What it is, without its text.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Absent => "nothing",
            Self::Null => "null",
            Self::Bool(true) => "true",
            Self::Bool(false) => "false",
            Self::Number(_) => "a number",
            Self::Text(text) if text.trim().is_empty() => "a blank string",
            Self::Text(_) => "a string",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }
}

/// One recorded landing attempt.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunRow<'a> {
    /// Whether the row is an object; if not, everything else is empty.
    pub is_object: bool,
    /// `run_id`: names the row.
    pub run_id: Field<'a>,
    /// `landing_status`: how the attempt ended, in the row's own words.
    pub landing_status: Field<'a>,
    /// `commit_claimed_landed`: the landed-commit claim.
    pub commit_claimed_landed: Field<'a>,
    /// `head_before`: recorded HEAD before the attempt.
    pub head_before: Field<'a>,
    /// `head_after`: recorded HEAD after it.
    pub head_after: Field<'a>,
    /// `validation_precedes_commit_attempt`
    pub validation_precedes_commit_attempt: Field<'a>,
    /// `validation_refs`
    pub validation_refs: Refs<'a>,
    /// `claimed_path_refs`
    pub claimed_path_refs: Refs<'a>,
    /// `work_ledger_closeout_ref`: completion of the work log.
    pub work_ledger_closeout_ref: Field<'a>,
    /// `blocker_capture_ref`
    pub blocker_capture_ref: Field<'a>,
    /// `live_git_mutation_authorized`
    pub live_git_mutation_authorized: Field<'a>,
    /// `unrelated_dirty_paths_staged`
    pub unrelated_dirty_paths_staged: Field<'a>,
    /// `release_claim_authorized`
    pub release_claim_authorized: Field<'a>,
    /// `validation_outcomes`, whole: optional evidence is rare.
    pub validation_outcomes: Option<Value<'a>>,
    /// `evidence`, whole: what an importer found out about each fact, and how deep that goes.
    pub evidence: Option<Value<'a>>,
    /// `head_before_is_ancestor`
    pub head_before_is_ancestor: Field<'a>,
    /// `target_ref`
    pub target_ref: Field<'a>,
    /// `target_ref_before`
    pub target_ref_before: Field<'a>,
    /// `target_ref_after`
    pub target_ref_after: Field<'a>,
    /// Authority keys whose value is not exactly `false` (spec 3.1, `AUTHORITY_OVERCLAIM`).
    pub raised_authority: Option<&'static str>,
    /// What no row may carry.
    pub leaks: Leaks,
    /// Credential terms in the row's strings or in its raw text, for the scan.
    pub terms: TermSet,
}

/// The three statuses a row may have.
pub const LANDED: &str = "scoped_commit_landed";
/// See [`LANDED`].
pub const BLOCKED: &str = "metadata_blocked_patch_bundle";
/// See [`LANDED`].
pub const STOPPED: &str = "hard_stop";

impl<'a> RunRow<'a> {
    /// Reads the row that starts at `at` in `text` and returns it with the offset behind it.
    ///
    /// # Errors
    /// As [`Reader::value`].
    pub fn read(reader: &mut Reader, text: &'a str, at: usize, outer: usize, last: bool) -> Result<(Self, usize), Stop> {
        Self::read_screened(reader, text, at, outer, last, |end| Marked::of(text, at, end))
    }

    /// As [`RunRow::read`], where `marked` gives what the screen marked of the text as far as the row's end.
    pub(super) fn read_screened<'m>(
        reader: &mut Reader,
        text: &'a str,
        at: usize,
        outer: usize,
        last: bool,
        marked: impl FnOnce(usize) -> Marked<'m>,
    ) -> Result<(Self, usize), Stop> {
        let mut sink = RowSink::default();
        let end = reader.value(text, at, outer, last, &mut sink)?;
        let raw = &text.as_bytes()[at..end];
        let marked = marked(end);
        let suspect = sink.saw_body_key || !marked.marks.is_empty() || !screen::suspects_decoded(&sink.escaped).is_none();
        let mut row = sink.row;
        if suspect {
            let mut walk = LeakWalk::of_marked(text, &marked, sink.saw_body_key);
            reader.value(text, at, outer, last, &mut walk)?;
            row.leaks = walk.finish();
            row.terms = row.leaks.credentials;
            if Suspicion::of_marks(&marked.marks).of_credential() {
                row.terms = row.terms.union(credential::terms_in_suspect(raw));
            }
        }
        Ok((row, end))
    }

    /// The row that `value` is.
    pub fn from_value(value: &'a Value<'_>) -> Self {
        let mut sink = RowSink::default();
        value.send(&mut sink);
        let mut row = sink.row;
        row.leaks = crate::leak::leaks_of(value, &[]);
        row.terms = row.leaks.credentials;
        row
    }

    /// Whether the row says that a commit landed, by its status or by its claim.
    pub fn claims_landed(&self) -> bool {
        self.landing_status.as_str() == Some(LANDED) || self.commit_claimed_landed.is(true)
    }

    /// Whether the row was on its way to a commit: validation must come first.
    pub fn on_commit_path(&self) -> bool {
        self.landing_status.as_str() == Some(BLOCKED) || self.claims_landed()
    }

    /// The `run_id`, when it can name the row: a string that is not blank.
    pub fn usable_id(&self) -> Option<&str> {
        self.run_id.as_str().filter(|id| !id.trim().is_empty())
    }

    /// The name to show: the `run_id` unless it is unusable, leaks, or is no single line of sane length.
    pub fn shown_id(&self, index: u64) -> String {
        let showable = |id: &&str| id.len() <= 256 && !id.chars().any(is_unprintable) && !crate::leak::leaks(id);
        self.usable_id().filter(showable).map_or_else(|| format!("row[{index}]"), str::to_owned)
    }
}

/// Control characters and those that reorder, hide or join text on a terminal.
pub(crate) fn is_unprintable(character: char) -> bool {
    let unseen = [
        '\u{ad}'..='\u{ad}',
        '\u{34f}'..='\u{34f}',
        '\u{61c}'..='\u{61c}',
        '\u{115f}'..='\u{1160}',
        '\u{17b4}'..='\u{17b5}',
        '\u{180b}'..='\u{180f}',
        '\u{200b}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2060}'..='\u{206f}',
        '\u{3164}'..='\u{3164}',
        '\u{fe00}'..='\u{fe0f}',
        '\u{feff}'..='\u{feff}',
        '\u{ffa0}'..='\u{ffa0}',
        '\u{fff0}'..='\u{fffb}',
        '\u{1bca0}'..='\u{1bca3}',
        '\u{1d173}'..='\u{1d17a}',
        '\u{e0000}'..='\u{e0fff}',
    ];
    character.is_control() || (!character.is_ascii() && unseen.iter().any(|range| range.contains(&character)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    const TEXT: &str = r#"{"run_id": "a\u0041", "validation_refs": ["x", 1, ["y"], {"z": []}], "claimed_path_refs": {"a": ["b"]},
        "extra": {"run_id": "inner", "validation_refs": ["no"], "launch_authorized": 0}, "head_before": null, "head_after": [],
        "validation_outcomes": [{"ref": "x", "exit_code": 1}], "release_claim_authorized": false, "note": "\u002fhome\u002fmira"}"#;

    #[test]
    fn fields_are_those_of_the_top_level() {
        let (row, end) = RunRow::read(&mut Reader::new(), TEXT, 0, 0, true).expect("the row reads");
        assert_eq!(end, TEXT.len());
        assert_eq!(row.run_id.as_str(), Some("aA"));
        assert_eq!((row.validation_refs.len(), row.validation_refs.is_mixed()), (4, true));
        assert_eq!(row.claimed_path_refs, Refs::default());
        assert_eq!((&row.head_before, &row.head_after, &row.target_ref), (&Field::Null, &Field::List, &Field::Absent));
        assert_eq!(row.raised_authority, Some("launch_authorized"));
        assert_eq!(row.leaks.private_path.as_deref(), Some("/note"));
        let outcomes = row.validation_outcomes.as_ref().and_then(Value::elements).expect("a list");
        assert_eq!(outcomes[0].get("ref").and_then(Value::as_str), Some("x"));
    }

    #[test]
    fn text_and_tree_make_the_same_row() {
        let value = parse(TEXT.as_bytes()).expect("the row reads");
        let (read, _) = RunRow::read(&mut Reader::new(), TEXT, 0, 0, true).expect("the row reads");
        assert_eq!(RunRow::from_value(&value), read);
    }

    #[test]
    fn what_is_no_object_has_no_fields() {
        let (row, _) = RunRow::read(&mut Reader::new(), r#"["run_id"]"#, 0, 0, true).expect("the row reads");
        assert_eq!(row, RunRow::default());
    }

    #[test]
    fn names_that_cannot_be_shown_become_positions() {
        for id in [r#""""#, r#""/home/mira""#, r#""a\u001b[31m""#, r#""a\u202eb""#, "7", "null"] {
            let text = format!("{{\"run_id\": {id}}}");
            let (row, _) = RunRow::read(&mut Reader::new(), &text, 0, 0, true).expect("the row reads");
            assert_eq!(row.shown_id(3), "row[3]", "{id}");
        }
    }
}
