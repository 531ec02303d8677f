//! The reasons against a chain, and their names.

use serde::Serialize;

/// Why a chain is not sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// There is no record at all.
    ChainEmpty,
    /// Entries of the ledger that could not be read: what they say is not known.
    RecordUnreadable,
    /// The record's contract refuses it.
    RecordInvalid,
    /// No record is the parent that it names.
    ParentMissing,
    /// What it names as its parent is a record of another type.
    ParentOfOtherType,
    /// The parent it names belongs to another proposal, approval, plan or command than the record says.
    ParentOfOtherChain,
    /// The record stands before its parent in state order.
    ChildBeforeParent,
    /// Another record of the same stage has the same parent.
    StageDuplicated,
    /// An earlier record says the same under the same id.
    RecordRepeated,
    /// An earlier record says something else under the same id.
    IdReused,
    /// The proposal's only decision is not an approval.
    ApprovalNotApproved,
    /// The proposal is approved and rejected at once.
    ApprovedAndRejected,
    /// The record has other terms than its parent, or is another command than its plan's template makes.
    TermsDiffer,
    /// The payload repeats a link or a term as another.
    CopyDiffers,
    /// An own id or a link is a list or an object, and names nothing.
    IdUnreadable,
    /// An eligibility that names nothing, beside a rendered command.
    EligibilityOrphaned,
    /// An eligibility says that something is missing that stands before it.
    NotMissing,
}

impl Fault {
    /// The reason as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ChainEmpty => "chain_empty",
            Self::RecordUnreadable => "record_unreadable",
            Self::RecordInvalid => "record_invalid",
            Self::ParentMissing => "parent_missing",
            Self::ParentOfOtherType => "parent_of_other_type",
            Self::ParentOfOtherChain => "parent_of_other_chain",
            Self::ChildBeforeParent => "child_before_parent",
            Self::StageDuplicated => "stage_duplicated",
            Self::RecordRepeated => "record_repeated",
            Self::IdReused => "id_reused",
            Self::ApprovalNotApproved => "approval_not_approved",
            Self::ApprovedAndRejected => "approved_and_rejected",
            Self::TermsDiffer => "terms_differ",
            Self::CopyDiffers => "copy_differs",
            Self::IdUnreadable => "id_unreadable",
            Self::EligibilityOrphaned => "eligibility_orphaned",
            Self::NotMissing => "not_missing",
        }
    }
}
