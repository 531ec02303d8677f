//! A run row as the rules see it: typed fields and what the walk over its text found.
//!
//! A row is read in one pass over borrowed text. Fields that no rule interprets leave nothing
//! behind but what the walks noticed: raised authority keys, body keys, leaks.

use super::authority::{self, Level};
use super::refs::Refs;
use crate::json::{Number, Reader, Sink, Stop, Text, Tree, Value};
use crate::leak::{LeakWalk, Leaks, TermSet, body_key, credential, screen};
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
        let mut sink = RowSink::default();
        let end = reader.value(text, at, outer, last, &mut sink)?;
        let raw = &text.as_bytes()[at..end];
        let suspect = sink.saw_body_key || screen::suspects_raw(raw) || screen::suspects_decoded(&sink.escaped);
        let mut row = sink.row;
        if suspect {
            let mut walk = LeakWalk::default();
            reader.value(text, at, outer, last, &mut walk)?;
            row.leaks = walk.finish();
            row.terms = row.leaks.credentials.union(credential::terms_in_bytes(raw));
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

/// The sink that makes a row.
#[derive(Debug, Default)]
struct RowSink<'a> {
    row: RunRow<'a>,
    depth: usize,
    slot: Slot,
    /// The authority key whose value comes next.
    authority: Option<&'static str>,
    /// `validation_outcomes` while it is read.
    outcomes: Option<Tree<'a>>,
    saw_body_key: bool,
    /// Every string with an escape, decoded, a newline behind each: the raw screen cannot see those.
    escaped: String,
}

/// Where the next value of the top level goes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Slot {
    #[default]
    Uninterpreted,
    RunId,
    LandingStatus,
    CommitClaimedLanded,
    HeadBefore,
    HeadAfter,
    ValidationPrecedesCommitAttempt,
    ValidationRefs,
    ClaimedPathRefs,
    WorkLedgerCloseoutRef,
    BlockerCaptureRef,
    LiveGitMutationAuthorized,
    UnrelatedDirtyPathsStaged,
    ReleaseClaimAuthorized,
    ValidationOutcomes,
    HeadBeforeIsAncestor,
    TargetRef,
    TargetRefBefore,
    TargetRefAfter,
}

impl Slot {
    fn named(key: &str) -> Self {
        match key {
            "run_id" => Self::RunId,
            "landing_status" => Self::LandingStatus,
            "commit_claimed_landed" => Self::CommitClaimedLanded,
            "head_before" => Self::HeadBefore,
            "head_after" => Self::HeadAfter,
            "validation_precedes_commit_attempt" => Self::ValidationPrecedesCommitAttempt,
            "validation_refs" => Self::ValidationRefs,
            "claimed_path_refs" => Self::ClaimedPathRefs,
            "work_ledger_closeout_ref" => Self::WorkLedgerCloseoutRef,
            "blocker_capture_ref" => Self::BlockerCaptureRef,
            "live_git_mutation_authorized" => Self::LiveGitMutationAuthorized,
            "unrelated_dirty_paths_staged" => Self::UnrelatedDirtyPathsStaged,
            "release_claim_authorized" => Self::ReleaseClaimAuthorized,
            "validation_outcomes" => Self::ValidationOutcomes,
            "head_before_is_ancestor" => Self::HeadBeforeIsAncestor,
            "target_ref" => Self::TargetRef,
            "target_ref_before" => Self::TargetRefBefore,
            "target_ref_after" => Self::TargetRefAfter,
            _ => Self::Uninterpreted,
        }
    }
}

impl<'a> RowSink<'a> {
    fn field(&mut self) -> Option<&mut Field<'a>> {
        let row = &mut self.row;
        Some(match self.slot {
            Slot::RunId => &mut row.run_id,
            Slot::LandingStatus => &mut row.landing_status,
            Slot::CommitClaimedLanded => &mut row.commit_claimed_landed,
            Slot::HeadBefore => &mut row.head_before,
            Slot::HeadAfter => &mut row.head_after,
            Slot::ValidationPrecedesCommitAttempt => &mut row.validation_precedes_commit_attempt,
            Slot::WorkLedgerCloseoutRef => &mut row.work_ledger_closeout_ref,
            Slot::BlockerCaptureRef => &mut row.blocker_capture_ref,
            Slot::LiveGitMutationAuthorized => &mut row.live_git_mutation_authorized,
            Slot::UnrelatedDirtyPathsStaged => &mut row.unrelated_dirty_paths_staged,
            Slot::ReleaseClaimAuthorized => &mut row.release_claim_authorized,
            Slot::HeadBeforeIsAncestor => &mut row.head_before_is_ancestor,
            Slot::TargetRef => &mut row.target_ref,
            Slot::TargetRefBefore => &mut row.target_ref_before,
            Slot::TargetRefAfter => &mut row.target_ref_after,
            Slot::Uninterpreted | Slot::ValidationRefs | Slot::ClaimedPathRefs | Slot::ValidationOutcomes => return None,
        })
    }

    fn refs(&mut self) -> Option<&mut Refs<'a>> {
        match self.slot {
            Slot::ValidationRefs => Some(&mut self.row.validation_refs),
            Slot::ClaimedPathRefs => Some(&mut self.row.claimed_path_refs),
            _ => None,
        }
    }

    /// Notes a value that is about to be taken, `false` or not.
    fn value(&mut self, is_false: bool) {
        if let Some(key) = self.authority.take().filter(|_| !is_false) {
            self.row.raised_authority.get_or_insert(key);
        }
    }

    /// Takes a value that is no string: where it goes depends on the depth it stands at.
    fn take(&mut self, value: Field<'a>) {
        match self.depth {
            1 => {
                if let Some(field) = self.field() {
                    *field = value;
                }
            }
            2 => {
                if let Some(refs) = self.refs() {
                    refs.push(None);
                }
            }
            _ => {}
        }
    }

    fn note_escaped(&mut self, text: Text<'a>) {
        if text.is_escaped() {
            crate::json::unescape_into(text.raw(), &mut self.escaped);
            self.escaped.push('\n');
        }
    }
}

impl<'a> Sink<'a> for RowSink<'a> {
    fn begin_object(&mut self) {
        self.value(false);
        if let Some(tree) = &mut self.outcomes {
            tree.begin_object();
        }
        if self.depth == 0 {
            self.row.is_object = true;
        } else if self.depth == 1 && self.slot == Slot::ValidationOutcomes {
            let mut tree = Tree::default();
            tree.begin_object();
            self.outcomes = Some(tree);
        }
        self.take(Field::Object);
        self.depth += 1;
    }

    fn key(&mut self, key: Text<'a>) {
        self.note_escaped(key);
        let name = key.decode();
        if let Some(tree) = &mut self.outcomes {
            tree.key(key);
        }
        if self.depth == 1 {
            self.slot = Slot::named(&name);
            if self.slot != Slot::Uninterpreted {
                return;
            }
        }
        let level = if self.depth == 1 { Level::Row } else { Level::Inside };
        self.authority = authority::key_named(&name, level);
        self.saw_body_key |= body_key::is_body_key(&name);
    }

    fn end_object(&mut self) {
        self.depth -= 1;
        if let Some(tree) = &mut self.outcomes {
            tree.end_object();
        }
        self.finish_outcomes();
    }

    fn begin_array(&mut self) {
        self.value(false);
        if let Some(tree) = &mut self.outcomes {
            tree.begin_array();
        }
        if self.depth == 1 {
            if self.slot == Slot::ValidationOutcomes {
                let mut tree = Tree::default();
                tree.begin_array();
                self.outcomes = Some(tree);
            } else if let Some(refs) = self.refs() {
                *refs = Refs::list();
            }
        }
        self.take(Field::List);
        self.depth += 1;
    }

    fn end_array(&mut self) {
        self.depth -= 1;
        if let Some(tree) = &mut self.outcomes {
            tree.end_array();
        }
        self.finish_outcomes();
    }

    fn string(&mut self, text: Text<'a>) {
        self.value(false);
        self.note_escaped(text);
        if let Some(tree) = &mut self.outcomes {
            tree.string(text);
        }
        match self.depth {
            1 => {
                if let Some(field) = self.field() {
                    *field = Field::Text(text.decode());
                }
            }
            2 => {
                if let Some(refs) = self.refs() {
                    refs.push(Some(text.decode()));
                }
            }
            _ => {}
        }
    }

    fn number(&mut self, number: Number<'a>) {
        self.value(false);
        if let Some(tree) = &mut self.outcomes {
            tree.number(number);
        }
        self.take(Field::Number(number));
    }

    fn boolean(&mut self, value: bool) {
        self.value(!value);
        if let Some(tree) = &mut self.outcomes {
            tree.boolean(value);
        }
        self.take(Field::Bool(value));
    }

    fn null(&mut self) {
        self.value(false);
        if let Some(tree) = &mut self.outcomes {
            tree.null();
        }
        self.take(Field::Null);
    }
}

impl RowSink<'_> {
    fn finish_outcomes(&mut self) {
        if self.outcomes.as_ref().is_some_and(Tree::is_whole) {
            self.row.validation_outcomes = self.outcomes.take().map(Tree::finish);
        }
    }
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
