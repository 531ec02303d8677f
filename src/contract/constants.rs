//! What a contract fixes: the values that every valid record of its type has.
//!
//! They follow from the clauses, so that what builds a record and what checks it cannot drift apart. A
//! clause below a shared condition fixes nothing, and neither does one about a payload or a nested object.

use super::condition::Condition;
use super::table::Contract;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// What a contract fixes of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constant {
    /// A flag that is never set.
    Unset,
    /// A flag that is always true.
    True,
    /// A text.
    Text(String),
    /// An integer.
    Number(i64),
    /// A list with these texts among its items; none: an empty list.
    List(Vec<String>),
}

impl Constant {
    /// The value as a record has it.
    pub fn value(&self) -> Json {
        match self {
            Self::Unset => false.into(),
            Self::True => true.into(),
            Self::Text(text) => text.as_str().into(),
            Self::Number(number) => (*number).into(),
            Self::List(texts) => texts.as_slice().into(),
        }
    }
}

/// What `contract` fixes, by top-level field.
pub fn constants(contract: &Contract) -> BTreeMap<&str, Constant> {
    let mut fixed = BTreeMap::new();
    for clause in &contract.clauses {
        let Some((field, constant)) = constant(&clause.when).filter(|(field, _)| !field.contains('.')) else { continue };
        match (fixed.get_mut(field), constant) {
            (Some(Constant::List(texts)), Constant::List(more)) => texts.extend(more),
            (Some(_), _) => {}
            (None, constant) => {
                fixed.insert(field, constant);
            }
        }
    }
    fixed
}

/// What is left of a field when the condition, which no valid record meets, does not hold.
fn constant(when: &Condition) -> Option<(&str, Constant)> {
    match when {
        Condition::Flag(field) => Some((field, Constant::Unset)),
        Condition::Any(any) => match any.as_slice() {
            // Of a flag and its copy in the payload, or of a flag that must be true wherever it is said.
            [first @ Condition::Flag(field), Condition::Flag(copy)] if copy.strip_prefix("payload.") == Some(field) => constant(first),
            [first @ Condition::Not(not), _] if matches!(**not, Condition::IsTrue(_)) => constant(first),
            _ => None,
        },
        Condition::Not(not) => match &**not {
            Condition::IsTrue(field) => Some((field, Constant::True)),
            Condition::IsFalse(field) => Some((field, Constant::Unset)),
            Condition::IsNumber(numbered) => Some((&numbered.field, Constant::Number(numbered.number))),
            Condition::ListHas(part) => Some((&part.field, Constant::List(vec![part.text.clone()]))),
            _ => None,
        },
        Condition::NotOneOf(texts) => match texts.values.as_slice() {
            [only] => Some((&texts.field, Constant::Text(only.clone()))),
            _ => None,
        },
        Condition::LongerThan(length) if length.length == 0 => Some((&length.field, Constant::List(Vec::new()))),
        _ => None,
    }
}

/// The fields whose text goes with another field's text: the field, the one that decides, and the pairs.
pub fn paired(contract: &Contract) -> impl Iterator<Item = &super::condition::Paired> {
    contract.clauses.iter().filter_map(|clause| match &clause.when {
        Condition::Not(not) => match &**not {
            Condition::Paired(paired) => Some(paired),
            _ => None,
        },
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::table::contracts;

    #[test]
    fn what_clauses_demand_of_every_record_is_fixed_and_what_depends_is_not() {
        let gate = &contracts().of_type("replay_lifecycle_retry_real_execution_final_gate")[0];
        let fixed = constants(gate);
        assert_eq!(fixed["gate_status"], Constant::Text("blocked".to_owned()));
        assert_eq!(fixed["subprocess_invoked"], Constant::Unset);
        let reasons = ["real_adapter_not_supported", "subprocess_not_supported", "explicit_execution_pr_required"].map(str::to_owned);
        assert_eq!(fixed["reasons"], Constant::List(reasons.to_vec()));
        assert_eq!(fixed.get("real_execution_final_gate_id"), None, "an id is not fixed");
        let approval = &contracts().of_type("replay_lifecycle_retry_real_execution_approval")[0];
        assert_eq!(constants(approval).get("approval_status"), None, "one of three is not fixed");
    }
}
