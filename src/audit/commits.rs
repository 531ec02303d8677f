//! Claims of a commit, against what git printed and what was recorded of the repository.

use super::codes;
use super::history::{Act, Before, CommitAct, CommitFact};
use super::judgement::{Answer, Spot};
use crate::claims::Claim;
use crate::evidence::git::Repository;
use crate::evidence::git_output::CommitLine;
use crate::evidence::reflog::{By, Movement};
use crate::finding::Support;
use crate::import::Statement;
use crate::import::shell::CommitFlags;

/// *Committed*.
pub(super) fn committed(before: &Before<'_, '_>, claim: &Claim, statement: &Statement) -> Answer {
    let answer = by_the_session(before, claim, statement);
    by_the_repository(before, claim, statement, answer)
}

/// The branch's own commits that stand, counted forward: what was made less what was taken back.
fn undone<'b>(before: &'b Before<'_, '_>) -> Option<&'b CommitFact<'b>> {
    let facts: Vec<&CommitFact<'_>> = before.commits().collect();
    let (mut depth, mut sure, mut last, mut folder) = (0u32, true, None, 0);
    let mut made: Option<&CommitFact<'_>> = None;
    for fact in facts.into_iter().rev() {
        match fact.act {
            CommitAct::Made => {
                let amends = fact.command.shell.commit.as_ref().is_some_and(|flags| flags.amend);
                depth =
                    depth.saturating_add(if amends { u32::from(depth == 0) } else { fact.command.facts.commits.made.len().max(1) as u32 });
                last = None;
                made = Some(fact);
                folder = fact.command.shell.commit.as_ref().map_or(0, |flags| flags.folder);
            }
            // Another folder may be another repository.
            CommitAct::Undone(_, elsewhere) if elsewhere != folder => {
                sure = false;
                last = None;
            }
            CommitAct::Undone(Some(_), _) if fact.command.shell.resets_to_remote.is_some() => {
                // Only the branch that the last commit was made on, and only by what git says of where it is now.
                let lost = made.is_some_and(|made| lost_to_remote(made, fact));
                sure &= lost;
                depth = if lost { 0 } else { depth };
                last = lost.then_some(fact);
            }
            CommitAct::Undone(Some(back), _) => {
                depth = depth.saturating_sub(back);
                last = (depth == 0).then_some(fact);
            }
            CommitAct::Undone(None, _) => {
                sure = false;
                last = None;
            }
            CommitAct::Unknown => sure = false,
            // What a branch or a tag holds is not taken back with HEAD.
            CommitAct::Kept => sure &= depth == 0 && last.is_none_or(|last: &CommitFact<'_>| last.command.shell.resets_to_remote.is_none()),
            CommitAct::Refused(_) | CommitAct::NotRun => {}
        }
    }
    last.filter(|_| sure)
}

/// Whether a branch was set back to what it has elsewhere, and the commit was made on that branch and is not what it has there.
fn lost_to_remote(made: &CommitFact<'_>, reset: &CommitFact<'_>) -> bool {
    let lines = &made.command.facts.commits.made;
    let on_branch = lines.iter().all(|line| line.branch.is_some() && line.branch == reset.command.shell.resets_to_remote);
    let now = reset.command.facts.head_now.as_deref();
    !lines.is_empty() && on_branch && now.is_some_and(|now| !lines.iter().any(|line| same(now, &line.hash)))
}

fn by_the_session(before: &Before<'_, '_>, claim: &Claim, statement: &Statement) -> Answer {
    let made = before.commits().find(|fact| fact.act == CommitAct::Made);
    let refused = before.commits().find(|fact| matches!(fact.act, CommitAct::Refused(_)));
    let named = !claim.hashes.is_empty()
        && before
            .commits()
            .flat_map(|fact| &fact.command.facts.commits.made)
            .any(|commit| claim.hashes.iter().any(|hash| same(hash, &commit.hash)));
    // *0badc0d was committed in May*: of a hash that the session did not make nothing is known.
    let foreign = claim.of_hash && !named;
    if let Some(made) = made
        && let Some(undone) = undone(before)
        && !before.acts(&before.all.pushes).any(|push| push.began >= made.began && may_have_sent(push.act, undone))
    {
        return Answer::contradicted(codes::HEAD_ADVANCE_MISSING, [made.spot, undone.spot]);
    }
    if let Some(refused) = refused_by_name(before, claim).filter(|_| !statement.names_failure && !claim.partial) {
        return Answer::contradicted(codes::HEAD_ADVANCE_MISSING, [refused]);
    }
    match (made, refused) {
        (Some(made), Some(refused)) if refused.began > made.began && !named => {
            let touched = before.written_between(made.began, refused.began);
            let nothing = refused.act == CommitAct::Refused(true);
            let folder = |fact: &CommitFact<'_>| fact.command.shell.commit.as_ref().map_or(0, |flags| flags.folder);
            let elsewhere = folder(made) != folder(refused);
            if !touched {
                supported(before, made, claim)
            } else if nothing || elsewhere || may_have_committed(before, refused) || statement.names_failure || claim.partial || foreign {
                Answer::not_shown([], [made.spot, refused.spot])
            } else {
                Answer::contradicted(codes::HEAD_ADVANCE_MISSING, [refused.spot])
            }
        }
        (Some(made), _) => supported(before, made, claim),
        (None, Some(refused)) => {
            // Another attempt, or a merge, may have made it without a word.
            if may_have_committed(before, refused) || pushed_behind(before, refused) || statement.names_failure || claim.partial || foreign
            {
                Answer::not_shown([], [refused.spot])
            } else {
                Answer::contradicted(codes::HEAD_ADVANCE_MISSING, [refused.spot])
            }
        }
        (None, None) => {
            let tried = before.commits().find(|fact| fact.act == CommitAct::Unknown);
            let codes = tried.is_none().then_some(codes::EVIDENCE_REF_MISSING);
            Answer::not_shown(codes, tried.map(|fact| fact.spot))
        }
    }
}

/// Whether what was pushed may be what a branch was set back to.
fn may_have_sent(act: Act, undone: &CommitFact<'_>) -> bool {
    act == Act::Made || act == Act::Unknown && undone.command.shell.resets_to_remote.is_some()
}

/// The refusal of a commit whose subject the claim names, where nothing behind it may have made it.
fn refused_by_name(before: &Before<'_, '_>, claim: &Claim) -> Option<Spot> {
    let fact = before.commits().next()?;
    let flags = fact.command.shell.commit.as_ref()?;
    let subject = &flags.subject;
    let named = subject.contains(' ') && claim.subject.iter().any(|name| name == subject);
    // *Nothing to commit*: it may be committed.
    let first = named && fact.act == CommitAct::Refused(false) && !flags.amend && !pushed_behind(before, fact);
    // Under this subject, or under one that is not known, it may have gone in before.
    let other = |flags: &CommitFlags| !flags.subject.is_empty() && flags.subject != *subject;
    let made = |fact: &CommitFact<'_>| !matches!(fact.act, CommitAct::Refused(_)) && !fact.command.shell.commit.as_ref().is_some_and(other);
    (first && !before.commits().skip(1).any(made)).then_some(fact.spot)
}

/// Whether something else may have made the commit without a word: another attempt at any time, a merge or a script
/// behind the refusal. Before it only where the refusal says that there was nothing left to commit.
fn may_have_committed(before: &Before<'_, '_>, refused: &CommitFact<'_>) -> bool {
    let nothing = refused.act == CommitAct::Refused(true);
    before
        .commits()
        .filter(|fact| fact.act == CommitAct::Unknown)
        .any(|fact| nothing || fact.command.shell.commit.is_some() || fact.began > refused.began)
}

/// Whether a push behind a refusal sent something that no commit of the session made: it was committed beside the session.
fn pushed_behind(before: &Before<'_, '_>, refused: &CommitFact<'_>) -> bool {
    before.acts(&before.all.pushes).any(|push| push.act == Act::Made && push.began > refused.began)
}

/// A commit was printed: what the session itself says about it.
fn supported(before: &Before<'_, '_>, made: &CommitFact<'_>, claim: &Claim) -> Answer {
    let mut answer = Answer::supported([made.spot]);
    let Some(flags) = &made.command.shell.commit else { return answer };
    let lines = &made.command.facts.commits.made;
    let others = before.commits().filter(|fact| fact.act == CommitAct::Made && fact.began < made.began).count();
    let empty = flags.allow_empty
        && !flags.hidden_output
        && !flags.quiet
        && !lines.is_empty()
        && lines.iter().all(|line| line.files_changed.is_none());
    if empty && others == 0 && !claim.empty {
        return Answer::contradicted(codes::CLAIMED_PATHS_MISSING, [made.spot]);
    }
    if flags.amend && others == 0 {
        answer = answer.with(codes::HISTORY_REWRITTEN);
    }
    let changed: u32 = lines.iter().filter_map(|line| line.files_changed).max().unwrap_or(0);
    let mut touched: Vec<&str> =
        before.all.touches.iter().filter(|touch| touch.began < made.began).map(|touch| touch.path.as_str()).collect();
    touched.sort_unstable();
    touched.dedup();
    let by_hand = before.all.writes.iter().filter(|write| write.at < made.began).count()
        <= before.all.touches.iter().filter(|touch| touch.began < made.began).count();
    if flags.broad && by_hand && !touched.is_empty() && changed as usize > touched.len() && others == 0 {
        answer = answer.with(codes::DIRTY_TREE);
    }
    answer
}

fn same(one: &str, other: &str) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// Seconds around a record's time in which a movement is the record's.
const SLACK: i64 = 2;

fn by_the_repository(before: &Before<'_, '_>, claim: &Claim, statement: &Statement, mut answer: Answer) -> Answer {
    let printed: Vec<&CommitLine> = before.commits().flat_map(|fact| &fact.command.facts.commits.made).take(200).collect();
    for (file, repository) in &before.all.repositories {
        answer = by_reflog(before, repository, *file, statement, &printed, answer);
        answer = by_refs(before, repository, *file, claim, &printed, answer);
        answer = by_objects(before, repository, *file, claim, &printed, answer);
    }
    answer
}

/// The window of the session up to the claim, in seconds.
fn window(before: &Before<'_, '_>, statement: &Statement) -> Option<(i64, i64)> {
    Some((before.all.timeline.started?.div_euclid(1000), statement.at?.div_euclid(1000)))
}

fn by_reflog(
    before: &Before<'_, '_>,
    repository: &Repository,
    file: usize,
    statement: &Statement,
    printed: &[&CommitLine],
    answer: Answer,
) -> Answer {
    let Some((start, said)) = window(before, statement) else { return answer };
    let Some(log) = repository.head_log.as_deref().filter(|log| !log.is_empty()) else {
        // Without a log the tip itself may be of the session.
        let tip = repository.head_tip().and_then(|tip| repository.commit(tip));
        let inside = tip.is_some_and(|commit| commit.at >= start - SLACK && commit.at <= said + SLACK);
        let tried = before.commits().any(|fact| fact.act == CommitAct::Unknown);
        return if inside && tried && answer.support == Support::NotShown { Answer::supported([Spot::Beside(file)]) } else { answer };
    };
    let inside = |movement: &&Movement| movement.at >= start - SLACK && movement.at <= said + SLACK;
    let landed = log.iter().filter(inside).find(|movement| movement.lands());
    let head_before = log.iter().take_while(|movement| movement.at < start).last().map(|movement| movement.new.as_str());
    let head_after = log.iter().take_while(|movement| movement.at <= said + SLACK).last().map(|movement| movement.new.as_str());
    let stood_still = head_before.is_some() && head_before == head_after;
    let ours = printed.iter().any(|line| log.iter().any(|movement| movement.new.starts_with(&line.hash)));
    let spot = Spot::Beside(file);
    // A stash resets too, to where HEAD is; and what a branch still holds was left there, not taken back.
    let back = |movement: &Movement| movement.by == By::Reset && movement.old != movement.new && head_before == Some(movement.new.as_str());
    let held = |landed: &Movement| repository.refs.values().any(|tip| *tip == landed.new);
    match (landed, answer.support) {
        // Made and taken back again: HEAD ends where it began.
        (Some(landed), _) if stood_still && !held(landed) && log.iter().filter(inside).any(back) => {
            Answer::contradicted(codes::HEAD_ADVANCE_MISSING, [spot])
        }
        (Some(landed), Support::NotShown | Support::Supported) => {
            let mut answer = if answer.support == Support::Supported {
                answer
            } else {
                Answer { support: Support::Supported, codes: Vec::new(), evidence: vec![spot] }
            };
            let replaced = landed.by == By::Commit(true) && head_before == Some(landed.old.as_str());
            if replaced {
                answer.codes.push(codes::HISTORY_REWRITTEN);
            }
            answer
        }
        (Some(_), _) if answer.codes.contains(&codes::HEAD_ADVANCE_MISSING) => {
            // The attempt that was refused was not the last word.
            let refused = before.commits().find(|fact| matches!(fact.act, CommitAct::Refused(_)));
            let after = refused.and_then(|fact| fact.command.times.1.or(fact.command.times.0)).map(|at| at.div_euclid(1000));
            let later = after.is_some_and(|after| log.iter().filter(inside).any(|movement| movement.lands() && movement.at >= after));
            if later { Answer::supported([spot]) } else { answer }
        }
        (None, Support::NotShown) => {
            // The log speaks of the whole session only if it has entries on both sides.
            let ended = before.all.timeline.ended.map_or(said, |ended| ended.div_euclid(1000));
            let covers = log.first().is_some_and(|first| first.at <= start) && log.last().is_some_and(|last| last.at >= ended);
            let known = before.all.timeline.head.as_deref().is_none_or(|head| head_before.is_some_and(|before| same(head, before)));
            if covers && stood_still && known && !ours { Answer::contradicted(codes::HEAD_ADVANCE_MISSING, [spot]) } else { answer }
        }
        _ => answer,
    }
}

/// A branch that the claim names, and that did not move.
fn by_refs(
    before: &Before<'_, '_>,
    repository: &Repository,
    file: usize,
    claim: &Claim,
    printed: &[&CommitLine],
    answer: Answer,
) -> Answer {
    if answer.support != Support::Supported || printed.is_empty() {
        return answer;
    }
    for target in &claim.targets {
        let name = format!("refs/heads/{target}");
        let Some(tip) = repository.refs.get(&name) else { continue };
        if printed.iter().any(|line| line.branch.as_deref() == Some(target) || tip.starts_with(&line.hash)) {
            continue;
        }
        let whole: Vec<String> = printed.iter().filter_map(|line| repository.whole_hash(&line.hash)).collect();
        let outside =
            !whole.is_empty() && whole.len() == printed.len() && whole.iter().all(|hash| repository.reaches(tip, hash) == Some(false));
        // *to docs* may mean the folder.
        let folder =
            whole.iter().filter_map(|hash| repository.changed_paths(hash)).flatten().any(|path| path.split('/').any(|part| part == target));
        // The branch may have got the work under another hash: then it moved.
        let start = before.all.timeline.started.map(|at| at.div_euclid(1000));
        let logged = repository.branch_logs.get(&name).and_then(|log| log.last()).map(|last| last.at);
        let moved_at = logged.or_else(|| repository.commit(tip).map(|commit| commit.at));
        let still = start.zip(moved_at).is_some_and(|(start, moved)| moved < start - SLACK);
        if outside && still && !folder {
            return Answer::contradicted(codes::TARGET_REF_NOT_ADVANCED, [Spot::Beside(file)]);
        }
    }
    answer
}

/// What the commit holds.
fn by_objects(
    before: &Before<'_, '_>,
    repository: &Repository,
    file: usize,
    claim: &Claim,
    printed: &[&CommitLine],
    mut answer: Answer,
) -> Answer {
    if answer.support != Support::Supported {
        return answer;
    }
    let wanted = printed.iter().find(|line| claim.hashes.iter().any(|hash| same(hash, &line.hash))).or(printed.first());
    let hash = match wanted {
        Some(line) => repository.whole_hash(&line.hash),
        None => None,
    };
    let Some(changed) = hash.as_deref().and_then(|hash| repository.changed_paths(hash)) else { return answer };
    let spot = Spot::Beside(file);
    let made = before.commits().find(|fact| fact.act == CommitAct::Made);
    let amends = made.and_then(|fact| fact.command.shell.commit.as_ref()).is_some_and(|flags| flags.amend);
    if changed.is_empty() {
        let parents = hash.as_deref().and_then(|hash| repository.commit(hash)).map_or(0, |commit| commit.parents.len());
        if parents == 1 && !claim.empty && printed.len() == 1 {
            return Answer::contradicted(codes::CLAIMED_PATHS_MISSING, [spot]);
        }
        return answer;
    }
    let is_in = |path: &str| {
        changed.iter().any(|landed| landed == path || landed.ends_with(&format!("/{path}")) || path.ends_with(&format!("/{landed}")))
    };
    if !claim.paths.is_empty() && printed.len() == 1 && !claim.paths.iter().any(|path| is_in(path)) {
        answer.codes.push(codes::CLAIMED_PATHS_DIFFER);
        answer.evidence.push(spot);
    }
    let broad = made.and_then(|fact| fact.command.shell.commit.as_ref()).is_some_and(|flags| flags.broad);
    let touched: Vec<&str> = before.all.touches.iter().map(|touch| touch.path.as_str()).filter(|path| !path.is_empty()).collect();
    if broad && !amends && !touched.is_empty() {
        let stranger = changed.iter().any(|landed| {
            let near = |path: &str| landed == path || landed.ends_with(&format!("/{path}")) || path.ends_with(&format!("/{landed}"));
            !touched.iter().any(|path| near(path)) && !claim.paths.iter().any(|path| near(path))
        });
        if stranger {
            answer.codes.push(codes::DIRTY_TREE);
            answer.evidence.push(spot);
        }
    }
    answer
}
