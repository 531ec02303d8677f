//! Parts of a schema put together: one object where they agree, side by side where they do not.

use serde_json::{Value, json};
use std::collections::BTreeSet;

/// All of the parts that say something; nothing when none does.
pub(super) fn all(parts: impl IntoIterator<Item = Option<Value>>) -> Option<Value> {
    let mut parts: Vec<_> = parts.into_iter().flatten().collect();
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(json!({"allOf": parts})),
    }
}

/// Any of the parts; nothing when one of them cannot be said, since that one may be the one that holds.
pub(super) fn any(parts: impl IntoIterator<Item = Option<Value>>) -> Option<Value> {
    let parts: Option<Vec<_>> = parts.into_iter().collect();
    let mut parts = parts?;
    if parts.len() == 1 { parts.pop() } else { Some(json!({"anyOf": parts})) }
}

/// Takes a part into a schema where that says the same; `false`, and nothing is changed, where it does not.
pub(super) fn merge(schema: &mut Value, part: &Value) -> bool {
    if let Some(parts) = part.get("allOf").and_then(Value::as_array).filter(|_| part.as_object().is_some_and(|part| part.len() == 1)) {
        let mut merged = schema.clone();
        let whole = parts.iter().all(|part| merge(&mut merged, part));
        if whole {
            *schema = merged;
        }
        return whole;
    }
    let mut merged = schema.clone();
    let whole = merge_objects(&mut merged, part);
    if whole {
        *schema = merged;
    }
    whole
}

fn merge_objects(schema: &mut Value, part: &Value) -> bool {
    let (Some(schema), Some(part)) = (schema.as_object_mut(), part.as_object()) else { return false };
    part.iter().all(|(key, new)| {
        let Some(old) = schema.get_mut(key) else {
            schema.insert(key.clone(), new.clone());
            return true;
        };
        match key.as_str() {
            "required" => {
                let both: BTreeSet<String> = strings(old).chain(strings(new)).collect();
                *old = both.into_iter().collect();
                true
            }
            "properties" => {
                let Some(members) = new.as_object() else { return false };
                members.iter().all(|(name, new)| match old.get_mut(name) {
                    Some(old) => merge_objects(old, new),
                    None => {
                        old[name] = new.clone();
                        true
                    }
                })
            }
            "items" => merge_objects(old, new),
            _ => old == new,
        }
    })
}

/// The texts of a list.
pub(super) fn strings(list: &Value) -> impl Iterator<Item = String> {
    let items = list.as_array().cloned().unwrap_or_default();
    items.into_iter().filter_map(|item| item.as_str().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_say_something_else_are_kept_apart() {
        let mut schema = json!({"properties": {"a": {"enum": [1]}}});
        assert!(merge(&mut schema, &json!({"properties": {"a": {"type": "number"}}, "required": ["a"]})));
        assert!(!merge(&mut schema, &json!({"properties": {"a": {"enum": [2]}, "b": {}}})));
        assert_eq!(schema, json!({"properties": {"a": {"enum": [1], "type": "number"}}, "required": ["a"]}));
    }
}
