//! Makes a row of the reader's events: which field a value goes to, and what the walk notices on the
//! way. Events below the top level leave nothing but that.

use super::authority::{self, Level};
use super::refs::Refs;
use super::row::{Field, RunRow};
use crate::json::{Number, Sink, Text, Tree};
use crate::leak::body_key;

/// The sink that makes a row.
#[derive(Debug, Default)]
pub(super) struct RowSink<'a> {
    /// The row so far.
    pub(super) row: RunRow<'a>,
    depth: usize,
    slot: Slot,
    /// The authority key whose value comes next.
    authority: Option<&'static str>,
    /// `validation_outcomes` or `evidence` while it is read.
    kept: Option<Tree<'a>>,
    /// Whether a key names a body.
    pub(super) saw_body_key: bool,
    /// Every string with an escape, decoded, a newline behind each: the raw screen cannot see those.
    pub(super) escaped: String,
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
    Evidence,
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
            "evidence" => Self::Evidence,
            "head_before_is_ancestor" => Self::HeadBeforeIsAncestor,
            "target_ref" => Self::TargetRef,
            "target_ref_before" => Self::TargetRefBefore,
            "target_ref_after" => Self::TargetRefAfter,
            _ => Self::Uninterpreted,
        }
    }

    /// Whether a list or an object in it is kept whole: optional evidence is rare.
    fn is_kept(self) -> bool {
        matches!(self, Self::ValidationOutcomes | Self::Evidence)
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
            Slot::Uninterpreted | Slot::ValidationRefs | Slot::ClaimedPathRefs | Slot::ValidationOutcomes | Slot::Evidence => return None,
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
        if let Some(tree) = &mut self.kept {
            tree.begin_object();
        }
        if self.depth == 0 {
            self.row.is_object = true;
        } else if self.depth == 1 && self.slot.is_kept() {
            let mut tree = Tree::default();
            tree.begin_object();
            self.kept = Some(tree);
        }
        self.take(Field::Object);
        self.depth += 1;
    }

    fn key(&mut self, key: Text<'a>) {
        self.note_escaped(key);
        let name = key.decode();
        if let Some(tree) = &mut self.kept {
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
        if let Some(tree) = &mut self.kept {
            tree.end_object();
        }
        self.finish_kept();
    }

    fn begin_array(&mut self) {
        self.value(false);
        if let Some(tree) = &mut self.kept {
            tree.begin_array();
        }
        if self.depth == 1 {
            if self.slot.is_kept() {
                let mut tree = Tree::default();
                tree.begin_array();
                self.kept = Some(tree);
            } else if let Some(refs) = self.refs() {
                *refs = Refs::list();
            }
        }
        self.take(Field::List);
        self.depth += 1;
    }

    fn end_array(&mut self) {
        self.depth -= 1;
        if let Some(tree) = &mut self.kept {
            tree.end_array();
        }
        self.finish_kept();
    }

    fn string(&mut self, text: Text<'a>) {
        self.value(false);
        self.note_escaped(text);
        if let Some(tree) = &mut self.kept {
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
        if let Some(tree) = &mut self.kept {
            tree.number(number);
        }
        self.take(Field::Number(number));
    }

    fn boolean(&mut self, value: bool) {
        self.value(!value);
        if let Some(tree) = &mut self.kept {
            tree.boolean(value);
        }
        self.take(Field::Bool(value));
    }

    fn null(&mut self) {
        self.value(false);
        if let Some(tree) = &mut self.kept {
            tree.null();
        }
        self.take(Field::Null);
    }
}

impl RowSink<'_> {
    fn finish_kept(&mut self) {
        if self.kept.as_ref().is_some_and(Tree::is_whole) {
            let whole = self.kept.take().map(Tree::finish);
            if self.slot == Slot::Evidence {
                self.row.evidence = whole;
            } else {
                self.row.validation_outcomes = whole;
            }
        }
    }
}
