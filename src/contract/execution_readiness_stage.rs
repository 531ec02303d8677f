//! What a record type adds to the readiness of a trail: its stage, and the checks that the stage must pass.
//!
//! The checks stand in the type's contract. Every stage asks whether its records name a present record of
//! the parent type, whether that parent is in the status the arrow wants, and whether they keep their
//! contract; what a stage asks besides is listed.

use super::condition::Condition;
use super::form::Shorthand;
use serde::Deserialize;

/// The stage of a record type.
#[derive(Debug, Clone)]
pub struct ExecutionStage {
    /// What its keys and checks begin with.
    pub prefix: String,
    /// The key that says that no record is an orphan.
    pub linkage: String,
    /// The whole name of the check for orphans.
    pub links: String,
    /// When there must be a record of the type.
    pub demanded: Option<Demanded>,
    /// Whether a parent may have one decision only.
    pub single_decision: bool,
    /// What else is asked of every record, in order.
    pub checks: Vec<StageCheck>,
}

/// See [`ExecutionStage::demanded`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demanded {
    /// The name of the check.
    pub name: String,
    /// Holds of some record of the immediate parent's type when a child is due.
    pub when: Condition,
}

/// A check of every record of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageCheck {
    /// The whole name of the check.
    pub name: String,
    /// What is asked.
    pub asks: Asks,
}

/// What a check asks of every record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asks {
    /// That a flag is set neither in the record nor in its payload.
    Unset(String),
    /// That a condition holds.
    Holds(Condition),
}

/// A stage as a contract writes it; names of checks are written without the prefix.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenStage {
    prefix: String,
    linkage: Option<String>,
    demanded: Option<Demanded>,
    links_to: String,
    #[serde(default)]
    single_decision: bool,
    checks: Vec<WrittenCheck>,
}

/// Checks as a contract writes them: rows of a flag and a word, or one with its own condition.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct WrittenCheck {
    /// Flags that are never set; the check is called `does_not_` and the word.
    never: Vec<String>,
    /// Flags that are never set; the check is called by the word.
    unset: Vec<String>,
    /// Fields that are exactly true.
    #[serde(rename = "true")]
    holds: Vec<String>,
    name: Option<String>,
    every: Option<Condition>,
}

impl WrittenStage {
    /// The stage, written out.
    ///
    /// # Errors
    /// A family that nobody named, a row without a word, a check without a name.
    pub(super) fn stage(self, shorthand: &Shorthand) -> Result<ExecutionStage, String> {
        let prefix = self.prefix;
        let named = |name: &str| format!("{prefix}_{name}");
        let mut checks = Vec::new();
        for written in self.checks {
            let lists = [(&written.never, "does_not_"), (&written.unset, ""), (&written.holds, "")];
            for (kind, (rows, before)) in lists.into_iter().enumerate() {
                for row in shorthand.rows(rows, &[])? {
                    let [field, word] = row.try_into().map_err(|row| format!("a check is a field and a word, not {row:?}"))?;
                    let asks = if kind == 2 { Asks::Holds(Condition::IsTrue(field)) } else { Asks::Unset(field) };
                    checks.push(StageCheck { name: named(&format!("{before}{word}")), asks });
                }
            }
            match (written.name, written.every) {
                (Some(name), Some(every)) => checks.push(StageCheck { name: named(&name), asks: Asks::Holds(every) }),
                (None, None) => {}
                _ => return Err("a check with a condition of its own has a name".to_owned()),
            }
        }
        Ok(ExecutionStage {
            linkage: self.linkage.unwrap_or_else(|| named("linkage_complete")),
            links: named(&format!("links_to_{}", self.links_to)),
            demanded: self.demanded.map(|demanded| Demanded { name: named(&demanded.name), ..demanded }),
            single_decision: self.single_decision,
            checks,
            prefix,
        })
    }
}
