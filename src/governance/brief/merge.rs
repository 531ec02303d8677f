//! Metrics of several heartbeats as those of one: integers added, count maps merged.

use serde_json::{Map, Value as Json};

/// The sum of what `heartbeats` say under names with this prefix. What is neither a count nor a map of
/// counts is left out; sums stop at the largest integer.
pub fn sum<'h>(heartbeats: impl IntoIterator<Item = &'h Map<String, Json>>, prefix: &str) -> Map<String, Json> {
    let mut total = Map::new();
    for (name, value) in heartbeats.into_iter().flatten().filter(|(name, _)| name.starts_with(prefix)) {
        match value {
            Json::Number(number) => add(&mut total, name, number.as_u64()),
            Json::Object(counts) => {
                let merged = total.entry(name.clone()).or_insert_with(|| Json::Object(Map::new()));
                if let Some(merged) = merged.as_object_mut() {
                    counts.iter().for_each(|(key, count)| add(merged, key, count.as_u64()));
                }
            }
            _ => {}
        }
    }
    total
}

/// What a snapshot says, or the sum of the heartbeats where it says nothing.
pub fn said_or_summed(said: Option<&Map<String, Json>>, heartbeats: &[&Map<String, Json>], prefix: &str) -> Map<String, Json> {
    said.filter(|said| !said.is_empty()).cloned().unwrap_or_else(|| sum(heartbeats.iter().copied(), prefix))
}

fn add(total: &mut Map<String, Json>, name: &str, more: Option<u64>) {
    let Some(more) = more else { return };
    let known = total.get(name).map_or(Some(0), Json::as_u64);
    if let Some(known) = known {
        total.insert(name.to_owned(), known.saturating_add(more).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_are_added_and_maps_merged() {
        let maps = [
            json!({"security_validation_records": 2, "security_validation_severity_counts": {"info": 2}, "load": 9, "security_validation_x": "no"}),
            json!({"security_validation_records": 3, "security_validation_severity_counts": {"info": 1, "critical": 1}}),
        ];
        let heartbeats: Vec<_> = maps.iter().filter_map(Json::as_object).collect();
        let total = said_or_summed(None, &heartbeats, "security_validation");
        let wanted = json!({"security_validation_records": 5, "security_validation_severity_counts": {"critical": 1, "info": 3}});
        assert_eq!(Json::Object(total), wanted);
        assert_eq!(said_or_summed(Some(heartbeats[0]), &heartbeats, "security_validation"), *heartbeats[0]);
    }
}
