//! The schemas of the input files, read and compiled.

use super::near_misses::NearMiss;
use super::{json_files, read_json, root};
use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The schemas, by file name.
pub(super) struct Shelf {
    pub(super) schemas: BTreeMap<String, Value>,
}

/// A compiled schema.
pub(super) struct Judge {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Shelf {
    pub(super) fn read() -> Self {
        let named = |path: PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).expect("schemas have names in UTF-8");
            (name.to_owned(), read_json(&path))
        };
        // Those of loop records are generated, and held to their contracts.
        let of_inputs = json_files(&root().join("schemas")).into_iter().filter(|path| path.parent() == Some(&root().join("schemas")));
        let schemas: BTreeMap<_, _> = of_inputs.map(named).collect();
        assert!(!schemas.is_empty(), "SCHEMAS_MISSING: no schema below schemas");
        Self { schemas }
    }

    /// The near misses that a change of a schema can reach, by schema; the most first, since compiling is
    /// what takes the time.
    pub(super) fn misses_near<'m>(&self, name: &str, misses: &'m [NearMiss]) -> Vec<(&'m str, Vec<&'m NearMiss>)> {
        let mut near: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let reached: Vec<_> = self.schemas.iter().filter(|(other, text)| *other == name || text.to_string().contains(name)).collect();
        for miss in misses.iter().filter(|miss| reached.iter().any(|(other, _)| *other == miss.schema)) {
            near.entry(miss.schema).or_default().push(miss);
        }
        let mut near: Vec<_> = near.into_iter().collect();
        near.sort_by_key(|(_, misses)| std::cmp::Reverse(misses.len()));
        near
    }

    /// Compiles a schema, or the part of one behind `#`. Nothing is loaded from anywhere.
    pub(super) fn compile(&self, place: &str) -> Judge {
        let mut compiler = Compiler::new();
        for (name, schema) in &self.schemas {
            compiler.add_resource(&format!("file:///schemas/{name}"), schema.clone()).expect("a schema's name makes a URL");
        }
        let mut schemas = Schemas::new();
        let index = compiler
            .compile(&format!("file:///schemas/{place}"), &mut schemas)
            .unwrap_or_else(|error| panic!("{place} does not compile: {error:#}"));
        Judge { schemas, index }
    }
}

impl Judge {
    pub(super) fn accepts(&self, value: &Value) -> bool {
        self.schemas.validate(value, self.index).is_ok()
    }

    pub(super) fn accept(&self, value: &Value, what: &str) {
        if let Err(error) = self.schemas.validate(value, self.index) {
            panic!("{what} is refused: {error:#}");
        }
    }
}
