//! How contract files are kept short: rows, forms and families.
//!
//! Many clauses differ only in a field. `contracts/clause_forms.json` names each such form once, with
//! `{1}`, `{2}` … for the words of a row and `{name}` for what the contract lets a name be. A contract
//! then lists rows: a field and the words that go with it. `contracts/flag_families.json` names the lists
//! that recur (nothing enabled, nothing run, nothing outside …); `@family` in a row stands for its rows,
//! `@ids` for the record's own id and the fields of its parents.
//!
//! All of it is written out when the contracts are read. What is left are plain clauses with typed
//! conditions; no text is interpreted while a record is checked.

use super::table::Clause;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The families and forms that contracts may refer to.
#[derive(Debug)]
pub(super) struct Shorthand {
    families: BTreeMap<String, Vec<String>>,
    forms: BTreeMap<String, Vec<Written>>,
}

/// A clause, or several, as a file writes them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Written {
    /// The form that it has, once for each row.
    form: Option<String>,
    /// The rows; without them the form is used once.
    rows: Option<Vec<String>>,
    /// What names in the form stand for, before what the contract says.
    #[serde(rename = "let")]
    names: BTreeMap<String, String>,
    /// A condition that all of `clauses` share.
    given: Option<Value>,
    clauses: Vec<Written>,
    reason: Option<String>,
    reason_from: Option<String>,
    reason_item: Option<String>,
    also: Vec<String>,
    structured: bool,
    when: Option<Value>,
}

/// What a contract's clauses are written out with.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    /// The rows of `@ids`.
    pub(super) ids: Vec<String>,
    /// What names stand for.
    pub(super) names: BTreeMap<String, String>,
    /// The conditions around, outermost first.
    pub(super) given: Vec<Value>,
}

/// How deep families may refer to each other; deeper is a circle.
const FAMILY_DEPTH: usize = 20;

impl Shorthand {
    /// Reads the families and the forms.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn read(families: &str, forms: &str) -> Result<Self, String> {
        let families = serde_json::from_str(families).map_err(|error| format!("flag_families: {error}"))?;
        let forms = serde_json::from_str(forms).map_err(|error| format!("clause_forms: {error}"))?;
        Ok(Self { families, forms })
    }

    /// The shorthand that landfall's own contracts use.
    pub(super) fn shipped() -> Result<Self, String> {
        Self::read(include_str!("../../contracts/flag_families.json"), include_str!("../../contracts/clause_forms.json"))
    }

    /// Writes out rows: each as its words.
    ///
    /// # Errors
    /// A family that nobody named, or one that refers to itself.
    pub(super) fn rows(&self, rows: &[String], ids: &[String]) -> Result<Vec<Vec<String>>, String> {
        let mut written = Vec::new();
        self.add_rows(rows, ids, FAMILY_DEPTH, &mut written)?;
        Ok(written)
    }

    fn add_rows(&self, rows: &[String], ids: &[String], depth: usize, written: &mut Vec<Vec<String>>) -> Result<(), String> {
        for row in rows {
            match row.strip_prefix('@') {
                None => written.push(row.split_whitespace().map(str::to_owned).collect()),
                Some("ids") => written.extend(ids.iter().map(|id| vec![id.clone()])),
                Some(family) => {
                    let members = self.families.get(family).ok_or_else(|| format!("no family is called {family}"))?;
                    let depth = depth.checked_sub(1).ok_or_else(|| format!("the family {family} refers to itself"))?;
                    self.add_rows(members, ids, depth, written)?;
                }
            }
        }
        Ok(())
    }

    /// Writes out a clause.
    ///
    /// # Errors
    /// A form or family that nobody named, a name without a meaning, a clause that says too little or too
    /// much, a condition of no kind.
    pub(super) fn clauses(&self, written: &Written, scope: &Scope, clauses: &mut Vec<Clause>) -> Result<(), String> {
        match (&written.form, &written.given, &written.when) {
            (Some(form), None, None) => {
                let templates = self.forms.get(form).ok_or_else(|| format!("no form is called {form}"))?;
                let rows = match &written.rows {
                    Some(rows) => self.rows(rows, &scope.ids)?,
                    None => vec![Vec::new()],
                };
                let mut shared = scope.names.clone();
                shared.extend(written.names.clone());
                for row in rows {
                    let mut names = shared.clone();
                    names.extend(row.into_iter().enumerate().map(|(column, word)| ((column + 1).to_string(), word)));
                    for template in templates {
                        clauses.push(template.clause(&names, &scope.given).map_err(|why| format!("form {form}: {why}"))?);
                    }
                }
            }
            (None, Some(given), None) => {
                let mut scope = scope.clone();
                scope.given.push(filled(given, &scope.names)?);
                for clause in &written.clauses {
                    self.clauses(clause, &scope, clauses)?;
                }
            }
            (None, None, Some(_)) => clauses.push(written.clause(&scope.names, &scope.given)?),
            _ => return Err("a clause has a form, a shared condition or its own".to_owned()),
        }
        Ok(())
    }
}

impl Written {
    fn clause(&self, names: &BTreeMap<String, String>, given: &[Value]) -> Result<Clause, String> {
        let when = self.when.as_ref().ok_or("a form is made of clauses with their own condition")?;
        let text = |text: &Option<String>| text.as_ref().map(|text| fill(text, names)).transpose();
        let mut parts = given.to_vec();
        parts.push(filled(when, names)?);
        let when = if parts.len() == 1 { parts.remove(0) } else { serde_json::json!({"all": parts}) };
        Ok(Clause {
            reason: text(&self.reason)?,
            reason_from: text(&self.reason_from)?,
            reason_item: text(&self.reason_item)?,
            also: self.also.iter().map(|also| fill(also, names)).collect::<Result<_, _>>()?,
            structured: self.structured,
            when: serde_json::from_value(when).map_err(|error| error.to_string())?,
        })
    }
}

/// A condition with its names replaced; `#` and digits are then a number.
fn filled(value: &Value, names: &BTreeMap<String, String>) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => {
            let text = fill(text, names)?;
            match text.strip_prefix('#').map(str::parse::<i64>) {
                Some(Ok(number)) => number.into(),
                _ => text.into(),
            }
        }
        Value::Array(items) => items.iter().map(|item| filled(item, names)).collect::<Result<_, _>>()?,
        Value::Object(members) => {
            members.iter().map(|(key, value)| Ok((key.clone(), filled(value, names)?))).collect::<Result<_, String>>()?
        }
        other => other.clone(),
    })
}

/// A text with its names replaced.
fn fill(text: &str, names: &BTreeMap<String, String>) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').ok_or_else(|| format!("a brace is open in {text}"))?;
        out.push_str(before);
        out.push_str(names.get(name).ok_or_else(|| format!("nothing is called {name} in {text}"))?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::condition::{Condition, Numbered};

    const FAMILIES: &str = r#"{"one": ["a_flag act"], "both": ["@one", "b_flag be_bad"], "round": ["@round"]}"#;
    const FORMS: &str = r##"{
        "never": [{"reason": "{name}_must_not_{2}", "when": {"flag": "{1}"}}],
        "number": [{"reason": "{1}_must_be_{2}", "when": {"not": {"is_number": {"field": "{1}", "number": "#{2}"}}}}]
    }"##;

    fn written(text: &str) -> Result<Vec<Clause>, String> {
        let shorthand = Shorthand::read(FAMILIES, FORMS)?;
        let names = BTreeMap::from([("name".to_owned(), "it".to_owned())]);
        let scope = Scope { ids: vec!["x_id".to_owned()], names, given: Vec::new() };
        let written: Written = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let mut clauses = Vec::new();
        shorthand.clauses(&written, &scope, &mut clauses)?;
        Ok(clauses)
    }

    #[test]
    fn a_form_is_written_out_for_each_row() {
        let clauses = written(r#"{"form": "never", "rows": ["@both", "c_flag sing"]}"#).expect("it is well formed");
        let reasons: Vec<_> = clauses.iter().filter_map(|clause| clause.reason.as_deref()).collect();
        assert_eq!(reasons, ["it_must_not_act", "it_must_not_be_bad", "it_must_not_sing"]);
        assert_eq!(clauses[1].when, Condition::Flag("b_flag".to_owned()));
        let numbers = written(r#"{"form": "number", "rows": ["count 7"]}"#).expect("it is well formed");
        let seven = Condition::IsNumber(Numbered { field: "count".to_owned(), number: 7 });
        assert_eq!(numbers[0].when, Condition::Not(Box::new(seven)));
        let ids = written(r#"{"form": "never", "rows": ["@ids"], "let": {"2": "be_blank"}}"#).expect("it is well formed");
        assert_eq!(ids[0].reason.as_deref(), Some("it_must_not_be_blank"));
    }

    #[test]
    fn a_shared_condition_comes_before_the_own_one() {
        let text = r#"{"given": {"is_true": "on"}, "clauses": [{"form": "never", "rows": ["@one"]}]}"#;
        let clauses = written(text).expect("it is well formed");
        assert_eq!(clauses[0].when, Condition::All(vec![Condition::IsTrue("on".to_owned()), Condition::Flag("a_flag".to_owned())]));
    }

    #[test]
    fn what_nobody_named_is_refused() {
        for text in [
            r#"{"form": "ever", "rows": ["a b"]}"#,
            r#"{"form": "never", "rows": ["@three"]}"#,
            r#"{"form": "never", "rows": ["@round"]}"#,
            r#"{"form": "never", "rows": ["a_flag"]}"#,
            r#"{"form": "never", "when": {"flag": "x"}}"#,
            r#"{"reason": "x", "when": {"flagg": "x"}}"#,
            r#"{"reason": "{x", "when": {"flag": "x"}}"#,
            r#"{"reason": "x"}"#,
        ] {
            assert!(written(text).is_err(), "{text}");
        }
    }
}
