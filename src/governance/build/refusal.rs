//! Why a record was not built.

use crate::governance::terms::{DECISION_MODES, safe_profile};
use crate::ledger::{ROWS_UNREADABLE, Record};
use std::borrow::Cow;

/// A reason why a record was not built.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Refusal {
    /// The parent is of another type than the one needed.
    #[error("the parent is no {0}")]
    WrongType(&'static str),
    /// The ledger has no parent of this type under the id that names it.
    #[error("the ledger has no {0} under the id that names it")]
    ParentMissing(&'static str),
    /// An id or another needed text is blank.
    #[error("{0} is blank")]
    Missing(&'static str),
    /// A brief's action that asks for no retry.
    #[error("the action asks for no retry")]
    NotARetry,
    /// A decision that is neither approved nor rejected.
    #[error("the status is neither approved nor rejected")]
    StatusUnknown,
    /// A decision mode that is neither manual nor policy.
    #[error("the decision mode is neither manual nor policy")]
    DecisionModeUnknown,
    /// Execution would be, or is, enabled.
    #[error("execution is enabled, and nothing may run yet")]
    ExecutionEnabled,
    /// The proposal is not pending.
    #[error("the proposal is not pending")]
    ProposalNotPending,
    /// The approval does not approve.
    #[error("the approval does not say approved")]
    NotApproved,
    /// The approval is one of another proposal.
    #[error("the approval is for another proposal")]
    OtherProposal,
    /// The approval names another profile or template than the proposal.
    #[error("the approval names another {0} than the proposal")]
    OtherTerms(&'static str),
    /// The profile is no safe retry profile.
    #[error("the timeout profile is neither standard nor patient")]
    UnsafeProfile,
    /// The plan is not planned.
    #[error("the plan's status is not planned")]
    NotPlanned,
    /// The template lacks a placeholder.
    #[error("the template has no <{0}>")]
    NoPlaceholder(&'static str),
    /// A token holds what a shell, or an option parser, would act on.
    #[error("{0} holds what a shell or an option parser would act on")]
    UnsafeToken(&'static str),
    /// Rendered and split again, the command does not have the token as the option's value.
    #[error("{0} would not reach the command as it is")]
    TokenChanged(&'static str),
    /// The parent already has a record of this type that says something else.
    #[error("there is already another {0} of the same parent")]
    AlreadyHas(&'static str),
    /// One own id was given for several records.
    #[error("one id was given for several records")]
    IdForSeveral,
    /// Rows of the ledger that may hold a parent, or what speaks against one, do not read.
    #[error("rows of the ledger that may speak against it do not read; landfall ledger check counts them")]
    RowsUnreadable,
    /// Something in the chain behind the parent, or in the parent, speaks against it.
    #[error("the chain says {0}")]
    Chain(String),
    /// The contract of the record's own type refuses it, for this reason.
    #[error("its contract says {0}")]
    Contract(String),
}

impl Refusal {
    /// The reason as a word.
    pub fn code(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::WrongType(_) => "parent_of_wrong_type",
            Self::ParentMissing(_) => "parent_missing",
            Self::Missing(field) => return Cow::Owned(format!("missing_{field}")),
            Self::NotARetry => "not_a_retry_action",
            Self::StatusUnknown => "invalid_approval_status",
            Self::DecisionModeUnknown => "invalid_decision_mode",
            Self::ExecutionEnabled => "execution_enabled_before_runner",
            Self::ProposalNotPending => "proposal_not_pending",
            Self::NotApproved => "approval_not_approved",
            Self::OtherProposal => "approval_for_other_proposal",
            Self::OtherTerms(field) => return Cow::Owned(format!("approval_{field}_differs")),
            Self::UnsafeProfile => "unsafe_timeout_profile",
            Self::NotPlanned => "plan_not_planned",
            Self::NoPlaceholder(field) => return Cow::Owned(format!("template_without_{field}")),
            Self::UnsafeToken(field) => return Cow::Owned(format!("unsafe_{field}")),
            Self::TokenChanged(field) => return Cow::Owned(format!("{field}_changed_by_rendering")),
            Self::AlreadyHas(_) => "already_has_another",
            Self::IdForSeveral => "one_id_for_several_records",
            Self::RowsUnreadable => ROWS_UNREADABLE,
            Self::Chain(reason) | Self::Contract(reason) => return Cow::Owned(reason.clone()),
        })
    }
}

/// Every reason why a record was not built; at least one.
pub type Refusals = Vec<Refusal>;

/// Gathers reasons, so that a builder says all of them at once.
#[derive(Debug, Default)]
pub(super) struct Asked(Refusals);

impl Asked {
    /// Refuses unless `holds`.
    pub(super) fn that(&mut self, holds: bool, refusal: Refusal) {
        if !holds {
            self.0.push(refusal);
        }
    }

    /// The record is of this type.
    pub(super) fn is_a(&mut self, record: &Record, record_type: &'static str) {
        self.that(record.record_type() == record_type, Refusal::WrongType(record_type));
    }

    /// The text of a field, which must not be blank, and no list or object.
    pub(super) fn text(&mut self, record: &Record, field: &'static str) -> String {
        let text = if record.is_compound(field) { String::new() } else { record.text(field) };
        self.said(&text, field);
        text
    }

    /// A text must not be blank.
    pub(super) fn said(&mut self, text: &str, name: &'static str) {
        self.that(!text.is_empty(), Refusal::Missing(name));
    }

    /// The profile is safe.
    pub(super) fn safe(&mut self, profile: &str) {
        self.that(safe_profile(profile).is_some(), Refusal::UnsafeProfile);
    }

    /// The decision mode, folded, is one of the two.
    pub(super) fn mode(&mut self, mode: &str) -> String {
        let mode = mode.trim().to_lowercase();
        self.that(DECISION_MODES.contains(&mode.as_str()), Refusal::DecisionModeUnknown);
        mode
    }

    /// All reasons, if there are any.
    pub(super) fn done(self) -> Result<(), Refusals> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }
}

/// The record, if its own contract accepts it.
///
/// # Errors
/// The reasons of its contract.
pub fn sealed(record: Record) -> Result<Record, Refusals> {
    let verdict = record.verdict();
    if verdict.valid { Ok(record) } else { Err(verdict.reasons.into_iter().map(Refusal::Contract).collect()) }
}
