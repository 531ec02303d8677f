//! Claims of a release.

use super::codes;
use super::history::{Act, ActFact, Before};
use super::judgement::{Answer, Spot};
use crate::evidence::Happened;
use crate::import::Statement;

/// *Released*, *published*, *deployed*, *live*.
pub(super) fn released(before: &Before<'_, '_>, statement: &Statement) -> Answer {
    let out = before.all.events.iter().find(|(_, event)| matches!(event, Happened::Release { out: true, .. }));
    if let Some((file, _)) = out {
        return Answer::supported([Spot::Beside(*file)]);
    }
    let mut unknown = None;
    for fact in before.acts(&before.all.releases) {
        match fact.act {
            Act::Made => return Answer::supported([fact.spot]),
            Act::Refused if statement.names_failure || unknown.is_some() => {
                return Answer::not_shown([codes::RELEASE_OVERCLAIM], [fact.spot]);
            }
            // What is out already cannot be published again; and a push may start what releases elsewhere.
            Act::Refused if let Some(out) = out_before(before, fact) => return Answer::supported([out.spot]),
            Act::Refused if before.acts(&before.all.pushes).any(|push| push.act != Act::Refused && push.began > fact.began) => {
                return Answer::not_shown([codes::RELEASE_OVERCLAIM], [fact.spot]);
            }
            Act::Refused => return Answer::contradicted(codes::RELEASE_OVERCLAIM, [fact.spot]),
            Act::Unknown => unknown = unknown.or(Some(fact.spot)),
            Act::NotRun => {}
        }
    }
    let codes = unknown.is_none().then_some(codes::EVIDENCE_REF_MISSING);
    Answer::not_shown(codes, unknown)
}

/// A release that went out before the refused one, where nothing was written in between.
fn out_before<'b>(before: &'b Before<'_, '_>, refused: &ActFact) -> Option<&'b ActFact> {
    let made = before.acts(&before.all.releases).find(|fact| fact.act == Act::Made && fact.began < refused.began)?;
    (!before.written_between(made.began, refused.began)).then_some(made)
}
