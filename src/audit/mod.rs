//! Claims of a session against what the session and its evidence record.
//!
//! Each claim gets one of three answers. `contradicted` is only for evidence that disagrees: an honest agent
//! must never be accused, and missing evidence is `not_shown`. A claim is judged by what was recorded before
//! it. Answers hold places, codes and fixed words; they quote nothing.
//!
//! ```
//! use landfall::{audit::audit, finding::Support, import::{Limits, import_file}};
//!
//! let session = concat!(
//!     r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cargo test"}}]}}"#,
//!     "\n",
//!     r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"#,
//!     r#""content":"test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s"}]}}"#,
//!     "\n",
//!     r#"{"type":"assistant","message":{"content":[{"type":"text","text":"All tests pass."}]}}"#,
//! );
//! let (_, timeline) = import_file(session.as_bytes(), "session.jsonl", Limits::default())?;
//! let judged = audit(&timeline, &[]);
//! assert_eq!(judged[0].answer.support, Support::Contradicted);
//! assert_eq!(judged[0].line, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aim;
mod blocked;
mod checks;
pub mod codes;
mod commits;
mod facts;
mod history;
mod judgement;
mod policy;
mod pushes;
mod record;
mod released;
mod reports;
mod row;

pub use judgement::{Answer, Judgement, Spot, would_show};
pub use policy::{AuditPolicy, POLICY_SCHEMA, PolicyFault, was_changed};
pub use record::{At, AuditRecord, ClaimRecord, CountsRecord, KindCounts, PolicyRecord, ReadCounts, StatementRecord, UnreadCounts};
pub use row::landing_row;

use crate::claims::Kind;
use crate::evidence::EvidenceFile;
use crate::import::{Event, Timeline};
use history::History;

/// Judges the claims of `timeline`, in order.
pub fn audit(timeline: &Timeline, evidence: &[EvidenceFile]) -> Vec<Judgement> {
    audit_under(timeline, evidence, &AuditPolicy::default())
}

/// The same under a policy that was let [`narrow`](AuditPolicy::narrow) the timeline.
pub fn audit_under(timeline: &Timeline, evidence: &[EvidenceFile], policy: &AuditPolicy) -> Vec<Judgement> {
    let history = History::of(timeline, evidence);
    let mut judgements = Vec::new();
    for statement in timeline.events.iter().filter_map(|event| if let Event::Statement(statement) = event { Some(statement) } else { None })
    {
        let before = history.before(statement.began);
        for claim in &statement.claims {
            let answer = match claim.kind {
                Kind::TestsPass => match checks::tests(&before, claim, statement).map(|answer| checks::seen_red(&before, policy, answer)) {
                    Some(answer) => answer,
                    None => continue,
                },
                Kind::BuildOk => checks::build(&before, claim, statement),
                Kind::Committed => commits::committed(&before, claim, statement),
                Kind::Pushed => pushes::pushed(&before, claim, statement),
                Kind::Released => released::released(&before, statement),
                Kind::Done => checks::done(&before),
                Kind::Blocked => blocked::blocked(&before, claim, statement),
            };
            let mut answer = answer;
            answer.codes.sort();
            answer.codes.dedup();
            judgements.push(Judgement {
                file: statement.place.file,
                line: statement.place.line,
                offset: claim.line,
                kind: claim.kind,
                answer,
            });
        }
    }
    judgements
}

#[cfg(test)]
mod tests;
