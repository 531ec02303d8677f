//! W3C PROV as PROV-JSON: which activity used which inputs and made which records and verdicts.
//!
//! Ids are numbers of our own; names of inputs are labels. There are no times, since a report has no clock.

use super::{Part, Place, Report};
use crate::json::to_canonical_text;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The report as PROV-JSON.
pub fn render(report: &Report) -> String {
    let mut document = Document::default();
    document.agent(env!("CARGO_PKG_VERSION"));
    for (index, part) in report.parts.iter().enumerate() {
        document.part(&format!("landfall:{}{}", part.kind.as_str(), index + 1), part);
    }
    to_canonical_text(&document.finish())
}

#[derive(Default)]
struct Document {
    sections: BTreeMap<&'static str, Map<String, Value>>,
    relations: u64,
}

impl Document {
    fn agent(&mut self, version: &str) {
        let agent = json!({
            "prov:type": {"$": "prov:SoftwareAgent", "type": "prov:QUALIFIED_NAME"},
            "prov:label": "landfall",
            "landfall:version": version,
        });
        self.sections.entry("agent").or_default().insert("landfall:landfall".to_owned(), agent);
    }

    fn add(&mut self, section: &'static str, id: &str, attributes: Value) {
        self.sections.entry(section).or_default().insert(id.to_owned(), attributes);
    }

    fn relate(&mut self, relation: &'static str, attributes: Value) {
        self.relations += 1;
        let id = format!("_:r{}", self.relations);
        self.add(relation, &id, attributes);
    }

    fn part(&mut self, activity: &str, part: &Part) {
        self.add("activity", activity, json!({"prov:label": part.kind.as_str(), "landfall:verdict": part.verdict.as_str()}));
        self.relate("wasAssociatedWith", json!({"prov:activity": activity, "prov:agent": "landfall:landfall"}));
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for (index, input) in part.inputs.iter().enumerate() {
            let id = format!("{activity}-input{}", index + 1);
            self.add(
                "entity",
                &id,
                json!({"prov:label": input.path, "landfall:sha256": input.sha256, "landfall:sizeBytes": input.size_bytes}),
            );
            self.relate("used", json!({"prov:activity": activity, "prov:entity": id}));
            files.insert(input.path.as_str().to_owned(), id);
        }
        for (index, record) in part.records.iter().enumerate() {
            let id = format!("{activity}-record{}", index + 1);
            self.add("entity", &id, json!({"prov:label": record.name, "landfall:sha256": record.sha256}));
            self.relate("wasGeneratedBy", json!({"prov:entity": id, "prov:activity": activity}));
        }
        let mut places: BTreeMap<Place, String> = BTreeMap::new();
        for (index, item) in part.items.iter().enumerate() {
            let id = format!("{activity}-verdict{}", index + 1);
            let codes: Vec<_> = item.remarks.iter().map(|remark| &remark.code).collect();
            let mut attributes = json!({
                "prov:label": item.name,
                "landfall:kind": item.kind.as_str(),
                "landfall:support": item.support.as_str(),
                "landfall:outcome": item.outcome.as_str(),
            });
            if !codes.is_empty() {
                attributes["landfall:code"] = json!(codes);
            }
            self.add("entity", &id, attributes);
            self.relate("wasGeneratedBy", json!({"prov:entity": id, "prov:activity": activity}));
            for place in std::iter::once(&item.place).chain(&item.evidence) {
                let used = self.place(activity, place, &files, &mut places);
                self.relate("wasDerivedFrom", json!({"prov:generatedEntity": id, "prov:usedEntity": used}));
            }
        }
    }

    /// The entity of a place: the input itself, or a line of a file that has no digest here.
    fn place(&mut self, activity: &str, place: &Place, files: &BTreeMap<String, String>, places: &mut BTreeMap<Place, String>) -> String {
        if place.line.is_none()
            && let Some(id) = files.get(place.file.as_str())
        {
            return id.clone();
        }
        if let Some(id) = places.get(place) {
            return id.clone();
        }
        let id = format!("{activity}-place{}", places.len() + 1);
        let mut attributes = json!({"prov:label": place.to_string(), "prov:location": place.file});
        if let Some(line) = place.line {
            attributes["landfall:line"] = json!(line);
        }
        self.add("entity", &id, attributes);
        self.relate("used", json!({"prov:activity": activity, "prov:entity": id}));
        places.insert(place.clone(), id.clone());
        id
    }

    fn finish(self) -> Value {
        let mut document: Map<String, Value> =
            self.sections.into_iter().map(|(section, entries)| (section.to_owned(), Value::Object(entries))).collect();
        document.insert("prefix".to_owned(), json!({"landfall": "urn:x-landfall:prov#", "prov": "http://www.w3.org/ns/prov#"}));
        Value::Object(document)
    }
}
