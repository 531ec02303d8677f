//! What every record of the family must leave false, and the fields that wait for a vector.

use super::value::{Object, field, int, lower, num, trimmed};
use serde_json::Value as Json;

/// The safety flags, in the order in which they are reported.
pub(crate) const FLAGS: [&str; 4] =
    ["external_write_performed", "real_execution_enabled", "production_paths_mutated", "production_secrets_accessed"];

/// What may be said of an embedding that landfall never computes.
pub(crate) const EMBEDDING_STATUSES: [&str; 4] = ["not_computed", "pending", "failed", "computed"];

/// Sets the four flags false.
pub(crate) fn clear_flags(object: &mut Object) {
    for flag in FLAGS {
        object.insert(flag.to_owned(), Json::Bool(false));
    }
}

/// Whether a flag that must be false is set: anything but absent, null or `false`.
pub(crate) fn is_set(flag: &Json) -> bool {
    !matches!(flag, Json::Null | Json::Bool(false))
}

/// The flags that are set in `value`, in order.
pub(crate) fn flags_set(value: &Json) -> impl Iterator<Item = &'static str> {
    FLAGS.into_iter().filter(|flag| is_set(field(value, flag)))
}

/// The vector-ready fields of `source`, normalised. Semantic retrieval is off whatever it says.
pub(crate) fn vector(source: &Json) -> Object {
    let status = lower(field(source, "embedding_status"));
    let status = if EMBEDDING_STATUSES.contains(&&*status) { &status } else { EMBEDDING_STATUSES[0] };
    let dim = i64::try_from(int(field(source, "embedding_dim"), 0).max(0)).unwrap_or(i64::MAX);
    let mut fields = Object::new();
    fields.insert("semantic_retrieval_enabled".to_owned(), Json::Bool(false));
    fields.insert("embedding_status".to_owned(), status.into());
    for name in ["embedding_model", "embedding_hash", "embedding_vector_ref"] {
        fields.insert(name.to_owned(), trimmed(field(source, name)).into());
    }
    fields.insert("embedding_dim".to_owned(), dim.into());
    fields.insert("embedding_updated_at".to_owned(), num(field(source, "embedding_updated_at"), 0.0).max(0.0).into());
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn vector_fields_are_held_to_their_kinds() {
        let fields = vector(&json!({
            "semantic_retrieval_enabled": true, "embedding_status": " Computed ", "embedding_model": "  a  b ", "embedding_dim": "-4",
            "embedding_updated_at": -1, "embedding_hash": 7
        }));
        assert_eq!(
            Json::Object(fields),
            json!({
                "semantic_retrieval_enabled": false, "embedding_status": "computed", "embedding_model": "a  b", "embedding_dim": 0,
                "embedding_hash": "7", "embedding_vector_ref": "", "embedding_updated_at": 0.0
            })
        );
    }

    #[test]
    fn only_false_and_nothing_are_false() {
        let said = json!({"production_secrets_accessed": "", "real_execution_enabled": 0, "external_write_performed": false, "production_paths_mutated": null});
        let set: Vec<_> = flags_set(&said).collect();
        assert_eq!(set, ["real_execution_enabled", "production_secrets_accessed"]);
        assert_eq!(flags_set(&json!([true])).count(), 0);
    }
}
