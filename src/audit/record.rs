//! The answer of an audit: what is printed, for programs and for people.

use super::judgement::{Answer, Judgement, Spot, would_show};
use super::policy::AuditPolicy;
use crate::claims::Kind;
use crate::code::Code;
use crate::evidence::{Evidence, EvidenceFile};
use crate::finding::Support;
use crate::import::{Format, Timeline};
use serde::Serialize;
use std::collections::BTreeMap;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct At {
    /// The file.
    pub file: String,
    /// Its line, from 1; in a one-document format the place of the message in its list.
    pub line: u32,
}

/// A claim and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClaimRecord {
    /// The file of the claim.
    pub file: String,
    /// Its line, as in [`At`].
    pub line: u32,
    /// What is claimed.
    pub kind: Kind,
    /// `supported`, `contradicted` or `not_shown`.
    pub answer: Support,
    /// Why, sorted.
    pub codes: Vec<Code>,
    /// Where the evidence stands.
    pub evidence: Vec<At>,
    /// What a record would have to hold to show it.
    pub would_show: &'static str,
}

/// Answers of one kind, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct KindCounts {
    /// Shown.
    pub supported: u64,
    /// The evidence disagrees.
    pub contradicted: u64,
    /// Neither.
    pub not_shown: u64,
}

/// What was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReadCounts {
    /// Sessions, by format.
    pub sessions: BTreeMap<&'static str, u64>,
    /// Records of known kinds.
    pub records: u64,
    /// Texts of main sessions.
    pub texts: u64,
    /// Commands.
    pub commands: u64,
    /// Evidence files that say something.
    pub evidence_files: u64,
}

/// What was not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct UnreadCounts {
    /// Records of kinds that are not known.
    pub unknown: u64,
    /// Records that do not read.
    pub malformed: u64,
    /// Records that repeat others.
    pub duplicates: u64,
    /// Records over a limit of length or depth.
    pub over_limits: u64,
    /// Evidence files of no known form.
    pub evidence_files: u64,
}

/// All counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CountsRecord {
    /// By kind and answer; every kind is there.
    #[serde(flatten)]
    pub kinds: BTreeMap<&'static str, KindCounts>,
    /// What was read.
    pub read: ReadCounts,
    /// What was not.
    pub not_read: UnreadCounts,
}

/// The policy that was applied, and what it found by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PolicyRecord {
    /// What it says, with its digest.
    #[serde(flatten)]
    pub policy: AuditPolicy,
    /// Whether a judged session changed it, and it was applied all the same.
    pub changed_by_session: bool,
    /// Where sessions touched what they may not.
    pub touched_outside: Vec<At>,
    /// What became of each statement's signature, where the policy names keys.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<StatementRecord>,
}

/// A statement beside the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StatementRecord {
    /// Its file.
    pub file: String,
    /// `signed by …` a key of the policy, or why it is no evidence.
    pub signature: String,
}

/// The answer of an audit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuditRecord {
    /// Claims in order.
    pub claims: Vec<ClaimRecord>,
    /// Counts.
    pub counts: CountsRecord,
    /// The policy, where one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyRecord>,
}

impl AuditRecord {
    /// An empty one, with what evidence was read.
    pub fn new(evidence: &[EvidenceFile]) -> Self {
        let mut record = Self::default();
        for kind in Kind::ALL {
            record.counts.kinds.insert(kind.as_str(), KindCounts::default());
        }
        for file in evidence {
            match file.evidence {
                Evidence::Unknown => record.counts.not_read.evidence_files += 1,
                _ => record.counts.read.evidence_files += 1,
            }
        }
        record
    }

    /// Adds the judgements of a session.
    pub fn add(&mut self, format: Format, timeline: &Timeline, evidence: &[EvidenceFile], judgements: &[Judgement]) {
        let shown = |name: &str| without_names(name, &timeline.private);
        // Lines of one record are lines of the file only where a record is a line of text.
        let of_text = format == Format::Aider;
        for judgement in judgements {
            let Answer { support, codes, evidence: spots } = &judgement.answer;
            let counts = self.counts.kinds.entry(judgement.kind.as_str()).or_default();
            match support {
                Support::Supported => counts.supported += 1,
                Support::Contradicted | Support::Forbidden => counts.contradicted += 1,
                Support::NotShown => counts.not_shown += 1,
            }
            let mut places: Vec<At> = spots
                .iter()
                .map(|spot| match spot {
                    Spot::Session(place) => At { file: shown(&timeline.files[place.file as usize]), line: place.line },
                    Spot::Beside(file) => At { file: shown(&evidence[*file].shown), line: 1 },
                })
                .collect();
            places.sort();
            places.dedup();
            self.claims.push(ClaimRecord {
                file: shown(&timeline.files[judgement.file as usize]),
                line: judgement.line + if of_text { judgement.offset } else { 0 },
                kind: judgement.kind,
                answer: *support,
                codes: codes.clone(),
                evidence: places,
                would_show: would_show(judgement.kind),
            });
        }
        let counts = timeline.counts;
        let read = &mut self.counts.read;
        *read.sessions.entry(format.as_str()).or_default() += 1;
        read.records += counts.known;
        read.texts += counts.texts;
        read.commands += counts.commands;
        let unread = &mut self.counts.not_read;
        unread.unknown += counts.unknown;
        unread.malformed += counts.malformed;
        unread.duplicates += counts.duplicates;
        unread.over_limits += counts.over_limits;
    }

    /// Adds what became of the signatures.
    pub fn note_signatures(&mut self, evidence: &[EvidenceFile]) {
        let Some(record) = self.policy.as_mut().filter(|record| !record.policy.attestation_keys.is_empty()) else { return };
        for file in evidence {
            let Evidence::Attested(statements) = &file.evidence else { continue };
            let file = without_names(&file.shown, &[]);
            record.statements.extend(
                statements
                    .iter()
                    .map(|statement| StatementRecord { file: file.clone(), signature: super::policy::word_of(&statement.signed) }),
            );
        }
    }

    /// Adds what the policy finds in a session by itself.
    pub fn hold_to_policy(&mut self, timeline: &Timeline) {
        let Some(record) = &mut self.policy else { return };
        let at = |place: crate::import::Place| At {
            file: without_names(&timeline.files[place.file as usize], &timeline.private),
            line: place.line,
        };
        record.touched_outside.extend(record.policy.outside(timeline).into_iter().map(at));
    }

    /// Whether something blocks: a contradicted claim always, and what the policy says.
    pub fn is_blocked(&self) -> bool {
        let policy = self.policy.as_ref();
        self.is_contradicted()
            || policy.is_some_and(|record| {
                !record.touched_outside.is_empty() || self.claims.iter().any(|claim| record.policy.blocks(claim.answer))
            })
    }

    /// Whether some claim is contradicted.
    pub fn is_contradicted(&self) -> bool {
        self.claims.iter().any(|claim| claim.answer == Support::Contradicted)
    }
}

/// A file's name without the names of homes that the record holds.
pub(super) fn without_names(name: &str, private: &[String]) -> String {
    let hidden = |part: &str| {
        let lower = part.to_lowercase();
        private.iter().any(|word| lower.contains(&word.to_lowercase())) || names_home(&lower) || crate::leak::leaks(part)
    };
    let shown = name.split('/').map(|part| if hidden(part) { "<private>" } else { part }).collect::<Vec<_>>().join("/");
    let shown = if crate::leak::leaks(&shown) { "<private>".to_owned() } else { shown };
    shown.replace(crate::landing::row::is_unprintable, "?")
}

/// Whether a folder's name is a home's path with other marks between its names, as tools write it for a project.
fn names_home(name: &str) -> bool {
    let drive = |name: &str| name.as_bytes().first().is_some_and(u8::is_ascii_lowercase) && name[1..].starts_with("--users-");
    ["-home-", "-users-", "-root-", "-var-home-", "-mnt-c-users-"].iter().any(|home| name.starts_with(home)) || drive(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_named_after_homes_are_not_shown_though_the_record_names_none() {
        for name in ["-home-mira-x", "-Users-mira-x", "C--Users-mira-x", "-root-x", "-mnt-c-Users-mira"] {
            assert_eq!(without_names(&format!("projects/{name}/a.jsonl"), &[]), "projects/<private>/a.jsonl");
        }
        assert_eq!(without_names("my-home-page/a-users-guide.md", &[]), "my-home-page/a-users-guide.md");
        assert_eq!(without_names("é--users-x", &[]), "é--users-x");
    }

    #[test]
    fn names_of_homes_are_not_shown() {
        let private = vec!["wenceslao".to_owned()];
        assert_eq!(without_names("projects/-home-wenceslao-x/a.jsonl", &private), "projects/<private>/a.jsonl");
        assert_eq!(without_names("session.jsonl", &private), "session.jsonl");
        assert_eq!(without_names("a\u{1b}b", &[]), "a?b");
        assert_eq!(without_names("/home/somebody/a", &[]), "<private>");
    }
}
