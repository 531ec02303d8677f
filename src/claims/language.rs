//! What a language has to say for the matcher to know it.

use super::Kind;

/// How a pattern's match is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Force {
    /// A claim.
    Plain,
    /// A claim only where the record has its matter.
    Weak,
    /// A claim about a pipeline elsewhere.
    Pipeline,
    /// A claim only where it names a file of tests.
    Files,
}

/// A pattern of a claim, over a clause in lower case with names and code taken out.
pub(super) struct Pattern {
    pub(super) kind: Kind,
    pub(super) force: Force,
    pub(super) text: &'static str,
}

/// The words of a language.
///
/// Patterns see clauses in lower case, in which `TEST`, `BUILD`, `CODE`, `HASH`, `PATH` and `VER` stand for
/// code spans and names.
pub(super) struct Language {
    /// Claims.
    pub(super) claims: &'static [Pattern],
    /// Kinds of claims that a clause like this does not make, whatever it matches.
    pub(super) denials: &'static [(Kind, &'static str)],
    /// A closing offer or question behind what a sentence says: it is taken off.
    pub(super) closing: &'static str,
    /// Words that make the rest of their sentence, and what stands before them, a condition.
    pub(super) conditions: &'static str,
    /// Words before a match that make it a plan.
    pub(super) plans: &'static str,
    /// Phrases that look like a plan and tell what was done: taken out before the search for plans.
    pub(super) past: &'static str,
    /// Words that say whose wish something was, not who did it.
    pub(super) asked: &'static str,
    /// Words that begin a clause and stand for a matter of the clause before it.
    pub(super) pronouns: &'static str,
    /// What such a word may stand for.
    pub(super) matters: &'static str,
    /// Words before a match that turn it round.
    pub(super) negations: &'static str,
    /// Harmless phrases with a word of negation in them: taken out before the search for negations.
    pub(super) harmless: &'static str,
    /// Subjects that are somebody else, before a match.
    pub(super) others: &'static str,
    /// The same before a claim about tests, where what is tested may be the subject.
    pub(super) test_others: &'static str,
    /// Phrases before the comma that a clause begins with; they are taken off.
    pub(super) intro: &'static str,
    /// Words that say which tests are meant, whatever *all* says.
    pub(super) scoped: &'static str,
    /// Words for a pipeline elsewhere.
    pub(super) pipeline: &'static str,
    /// A sentence without any of these claims nothing.
    pub(super) hints: &'static [&'static str],
    /// Of each kind of claim: what makes one holds one of these.
    pub(super) needs: &'static [(Kind, &'static [&'static str])],
    /// Subjects that are the speaker.
    pub(super) selves: &'static str,
    /// Words that point at what was named before.
    pub(super) these: &'static str,
    /// Subjects that may be what was committed or released, and no speaker: *the script is committed*.
    pub(super) things: &'static str,
    /// Where a commit is named by its subject.
    pub(super) subject: &'static str,
    /// Where branches are named that were pushed to.
    pub(super) sent: &'static str,
    /// Words of reported speech, before a match.
    pub(super) reported: &'static str,
    /// Words that say that something speaks of all.
    pub(super) whole: &'static str,
    /// Words that say that something speaks of a part.
    pub(super) partial: &'static str,
    /// What may stand behind *could not commit* where all that there is was meant.
    pub(super) whole_object: &'static str,
    /// Words by which a claim speaks of some matter, place or condition only.
    pub(super) qualifiers: &'static str,
    /// Phrases with such a word that leave nothing out: taken out before the search for qualifiers.
    pub(super) unqualified: &'static str,
    /// Where what a claim says of itself ends.
    pub(super) apart: &'static str,
    /// Names behind a word of place, which say which tests are meant where a run was aimed at them.
    pub(super) aimed: &'static str,
    /// A count of tests that may leave others out.
    pub(super) counted: &'static str,
    /// What a user says who did something beside the session.
    pub(super) by_user: &'static str,
    /// What claims about tests are about.
    pub(super) test_nouns: &'static str,
    /// What claims about builds are about.
    pub(super) build_nouns: &'static str,
    /// Words before such a noun that do not say which build.
    pub(super) generic_builds: &'static str,
    /// Words by which tests are meant that failed before.
    pub(super) formerly: &'static str,
    /// What joins a clause with a subject of its own.
    pub(super) joint: &'static str,
    /// Words by which a heading says that work has landed.
    pub(super) finite: &'static str,
    /// Words before one test by which all are meant.
    pub(super) each: &'static str,
    /// A beginning that says where or how, without a comma behind it.
    pub(super) places: &'static str,
    /// Words before a noun of tests that do not say which tests.
    pub(super) generic: &'static str,
    /// Words for what the speaker changed, as a part of what there is.
    pub(super) own_part: &'static str,
    /// Words by which a sentence takes something out of what it says, wherever they stand in it.
    pub(super) exceptions: &'static str,
    /// Words that say which kind of tests are meant, all of which may be meant.
    pub(super) named: &'static str,
    /// Words that name a failure which stands.
    pub(super) failures: &'static str,
    /// What such words must be about.
    pub(super) failure_matter: &'static str,
    /// Phrases with such a word that name none that stands.
    pub(super) no_failures: &'static str,
    /// Words for skipped tests.
    pub(super) skips: &'static str,
    /// Words that say that what could not be done was done in the end.
    pub(super) recovery: &'static str,
    /// Words that say that a commit is empty on purpose.
    pub(super) empty: &'static str,
    /// What parts clauses.
    pub(super) clauses: &'static str,
    /// Headings under which items are plans.
    pub(super) plan_headings: &'static str,
    /// Acts, for blocked claims.
    pub(super) acts: &'static [(Kind, &'static str)],
}
