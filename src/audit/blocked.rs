//! Claims that something could not be done.

use super::history::{Act, Before, CommitAct, Verdict};
use super::judgement::Answer;
use crate::claims::{Claim, Kind};
use crate::import::Statement;

/// *Could not commit* and the like: honest where the act failed or was refused before.
pub(super) fn blocked(before: &Before<'_, '_>, claim: &Claim, statement: &Statement) -> Answer {
    let also = |kind: Kind| statement.claims.iter().any(|other| other.kind == kind);
    let act = |acts: &[super::history::ActFact], kind: Kind| {
        let last = before.acts(acts).next();
        let refused = before.acts(acts).find(|fact| matches!(fact.act, Act::Refused | Act::NotRun));
        match (last, refused) {
            // The same act succeeded in between.
            (Some(last), Some(_)) if last.act == Act::Made && claim.firm && !also(kind) => contradicted(last.spot),
            (_, Some(refused)) => Answer::supported([refused.spot]),
            _ => Answer::not_shown([], []),
        }
    };
    match claim.act {
        Some(Kind::Committed) => {
            let last = before.commits().next();
            let refused = before.commits().find(|fact| matches!(fact.act, CommitAct::Refused(_) | CommitAct::NotRun));
            match (last, refused) {
                (Some(last), Some(_)) if last.act == CommitAct::Made && claim.firm && !also(Kind::Committed) => contradicted(last.spot),
                (_, Some(refused)) => Answer::supported([refused.spot]),
                _ => Answer::not_shown([], []),
            }
        }
        Some(Kind::Pushed) => act(&before.all.pushes, Kind::Pushed),
        Some(Kind::Released) => act(&before.all.releases, Kind::Released),
        Some(Kind::TestsPass | Kind::BuildOk) => {
            let runs = before.ended(&before.all.tests).chain(before.ended(&before.all.builds));
            let stopped =
                runs.into_iter().find(|run| matches!(run.verdict, Verdict::Failed | Verdict::NotRun | Verdict::Unknown { masked: false }));
            stopped.map_or_else(|| Answer::not_shown([], []), |run| Answer::supported([run.spot]))
        }
        _ => {
            let commit = before.commits().find(|fact| matches!(fact.act, CommitAct::Refused(_) | CommitAct::NotRun)).map(|fact| fact.spot);
            let push = before.acts(&before.all.pushes).find(|fact| matches!(fact.act, Act::Refused | Act::NotRun)).map(|fact| fact.spot);
            commit.or(push).map_or_else(|| Answer::not_shown([], []), |spot| Answer::supported([spot]))
        }
    }
}

fn contradicted(spot: super::judgement::Spot) -> Answer {
    Answer { support: crate::finding::Support::Contradicted, codes: Vec::new(), evidence: vec![spot] }
}
