//! Claims of a push.

use super::codes;
use super::history::{Act, ActFact, Before, CommitAct};
use super::judgement::{Answer, Spot};
use crate::claims::Claim;
use crate::evidence::Happened;
use crate::import::{Event, Statement};

/// *Pushed*.
pub(super) fn pushed(before: &Before<'_, '_>, claim: &Claim, statement: &Statement) -> Answer {
    let pushes = &before.all.pushes;
    let made = before.acts(pushes).find(|fact| fact.act == Act::Made);
    let refused = before.acts(pushes).find(|fact| fact.act == Act::Refused);
    if let Some((file, forced)) = event(before) {
        let answer = Answer::supported([Spot::Beside(file)]);
        return if forced { answer.with(codes::HISTORY_REWRITTEN) } else { answer };
    }
    if let Some(rejected) = rejected(before, claim).filter(|_| !statement.names_failure && !claim.partial) {
        return Answer::contradicted(codes::TARGET_REF_NOT_ADVANCED, [rejected]);
    }
    match (made, refused) {
        (Some(made), Some(refused)) if refused.began > made.began => {
            // Something new was to be sent, and was not; without it the earlier update stands.
            let new = before.commits().any(|fact| fact.act == CommitAct::Made && fact.began > made.began);
            let later = sent_later(before, refused);
            // What was sent somewhere is there, whatever another place took.
            let remote = |fact: &ActFact| match before.all.timeline.events.get(fact.event) {
                Some(Event::Command(command)) => command.facts.pushes.remote.as_deref(),
                _ => None,
            };
            let elsewhere = remote(made).zip(remote(refused)).is_some_and(|(made, refused)| made != refused);
            // *1f0c2ab is pushed; what came behind it is not.*
            let named =
                before.commits().filter(|fact| fact.began < made.began).flat_map(|fact| &fact.command.facts.commits.made).any(|commit| {
                    claim.hashes.iter().any(|hash| commit.hash.starts_with(hash.as_str()) || hash.starts_with(commit.hash.as_str()))
                });
            if !new || named {
                Answer::supported([made.spot])
            } else if later || elsewhere || statement.names_failure || claim.partial {
                Answer::not_shown([codes::TARGET_REF_NOT_ADVANCED], [refused.spot])
            } else {
                Answer::contradicted(codes::TARGET_REF_NOT_ADVANCED, [refused.spot])
            }
        }
        (Some(made), _) => Answer::supported([made.spot]),
        (None, Some(refused)) => {
            let later = sent_later(before, refused);
            if later || statement.names_failure || claim.partial {
                Answer::not_shown([codes::TARGET_REF_NOT_ADVANCED], [refused.spot])
            } else {
                Answer::contradicted(codes::TARGET_REF_NOT_ADVANCED, [refused.spot])
            }
        }
        (None, None) => {
            let tried = before.acts(pushes).find(|fact| fact.act == Act::Unknown);
            let codes = tried.is_none().then_some(codes::EVIDENCE_REF_MISSING);
            Answer::not_shown(codes, tried.map(|fact| fact.spot))
        }
    }
}

/// Whether something behind a refusal may have sent the work: a push without a word, or what makes and sends commits by another name.
fn sent_later(before: &Before<'_, '_>, refused: &ActFact) -> bool {
    let by_name = |fact: &super::history::CommitFact<'_>| fact.act == CommitAct::Unknown && fact.command.shell.unseen;
    before.acts(&before.all.pushes).any(|fact| fact.act == Act::Unknown && fact.began > refused.began)
        || before.commits().any(|fact| by_name(fact) && fact.began > refused.began)
}

/// A push that rejected a branch to which the claim says that it was pushed, and which no push of the session sent.
fn rejected(before: &Before<'_, '_>, claim: &Claim) -> Option<Spot> {
    let mut rejected = None;
    let mut open: Vec<&str> = claim.sent_to.iter().map(String::as_str).collect();
    for fact in before.acts(&before.all.pushes) {
        let Some(Event::Command(command)) = before.all.timeline.events.get(fact.event) else { return None };
        let pushes = &command.facts.pushes;
        match fact.act {
            // What was sent where is not known.
            Act::Unknown => return None,
            Act::Made if pushes.updated_refs.is_empty() => return None,
            Act::Made => open.retain(|branch| !pushes.updated_refs.iter().any(|name| name.eq_ignore_ascii_case(branch))),
            Act::Refused if rejected.is_none() => {
                let of = |branch: &&str| pushes.refused_refs.iter().any(|name| name.eq_ignore_ascii_case(branch));
                rejected = open.iter().copied().find(of).map(|branch| (branch.to_owned(), fact.spot));
            }
            Act::Refused | Act::NotRun => {}
        }
    }
    // Scripts and aliases may have sent it.
    let unseen = before.commits().any(|fact| fact.act == CommitAct::Unknown);
    rejected.filter(|(branch, _)| open.contains(&&**branch) && !unseen).map(|(_, spot)| spot)
}

/// A push or merge event for a commit that the session made.
fn event(before: &Before<'_, '_>) -> Option<(usize, bool)> {
    let hashes: Vec<&str> =
        before.commits().flat_map(|fact| &fact.command.facts.commits.made).map(|commit| commit.hash.as_str()).take(1000).collect();
    let ours = |hash: &str| hashes.iter().any(|short| hash.starts_with(short));
    before.all.events.iter().find_map(|(file, event)| match event {
        Happened::Push { after, commits, forced, .. } if ours(after) || commits.iter().any(|hash| ours(hash)) => Some((*file, *forced)),
        Happened::Merge { merged: true, hashes, .. } if hashes.iter().any(|hash| ours(hash)) => Some((*file, false)),
        _ => None,
    })
}
