//! A record that is being made or was read back: an owned JSON object with a `type`.

use crate::contract::check::{RecordVerdict, check};
use crate::contract::value::{decimal, text};
use crate::json::{Number, Value};
use serde_json::{Map, Value as Json};

/// An owned record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record(Map<String, Json>);

impl Record {
    /// A record of this type and nothing else.
    pub fn new(record_type: &str) -> Self {
        Self::default().with("type", record_type)
    }

    /// A record of this object, taken as it is.
    pub fn from_map(members: Map<String, Json>) -> Self {
        Self(members)
    }

    /// Reads a record's text, strictly.
    ///
    /// # Errors
    /// What is wrong with the text, with its place.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value = crate::json::parse(text.as_bytes()).map_err(|fault| fault.describe())?;
        Self::from_value(&value).ok_or_else(|| "it is no object".to_owned())
    }

    /// The record of a value that was read strictly; `None` when it is no object.
    pub fn from_value(value: &Value<'_>) -> Option<Self> {
        match owned(value) {
            Json::Object(members) => Some(Self(members)),
            _ => None,
        }
    }

    /// With this top-level field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Json>) -> Self {
        self.set(field, value);
        self
    }

    /// Sets a top-level field.
    pub fn set(&mut self, field: &str, value: impl Into<Json>) {
        self.0.insert(field.to_owned(), value.into());
    }

    /// Sets a top-level field that is absent.
    pub fn set_absent(&mut self, field: &str, value: impl Into<Json>) {
        self.0.entry(field.to_owned()).or_insert_with(|| value.into());
    }

    /// The value at a dotted path.
    pub fn get(&self, path: &str) -> Option<&Json> {
        let mut keys = path.split('.');
        let first = self.0.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get(key))
    }

    /// The text at a dotted path, by the value rules of every check ([`crate::contract::value::text`]).
    pub fn text(&self, path: &str) -> String {
        match self.get(path) {
            None | Some(Json::Null | Json::Bool(false)) => String::new(),
            Some(Json::Bool(true)) => "True".to_owned(),
            Some(Json::Number(number)) if number.as_f64() == Some(0.0) => String::new(),
            Some(Json::Number(number)) if number.is_f64() => number.as_f64().map(decimal).unwrap_or_default(),
            Some(Json::Number(number)) => number.to_string(),
            Some(Json::String(text)) => text.trim().to_owned(),
            Some(Json::Array(items)) if items.is_empty() => String::new(),
            Some(Json::Object(members)) if members.is_empty() => String::new(),
            Some(compound) => {
                // Only what was built in code can nest deeper than a reader follows.
                let line = crate::json::to_line(compound);
                crate::json::parse(line.as_bytes()).map_or_else(|_| " [unreadable]".to_owned(), |value| text(Some(&value)).into_owned())
            }
        }
    }

    /// Whether the field is a list or an object: as an id it names nothing.
    pub fn is_compound(&self, path: &str) -> bool {
        matches!(self.get(path), Some(Json::Array(_) | Json::Object(_)))
    }

    /// The text of a field at the top or, failing that, in the payload.
    pub fn linked(&self, field: &str) -> String {
        let top = self.text(field);
        if top.is_empty() { self.text(&format!("payload.{field}")) } else { top }
    }

    /// Whether a flag is set: anything but absent, null or `false`.
    pub fn is_set(&self, path: &str) -> bool {
        !matches!(self.get(path), None | Some(Json::Null | Json::Bool(false)))
    }

    /// The record's `type`.
    pub fn record_type(&self) -> &str {
        self.0.get("type").and_then(Json::as_str).unwrap_or_default()
    }

    /// The members.
    pub fn members(&self) -> &Map<String, Json> {
        &self.0
    }

    /// One line of JSON with sorted keys.
    pub fn to_line(&self) -> String {
        crate::json::to_line(&self.0)
    }

    /// Checks the record against its contract.
    pub fn verdict(&self) -> RecordVerdict {
        let text = self.to_line();
        match crate::json::parse(text.as_bytes()) {
            Ok(value) => check(&value),
            Err(_) => check(&Value::Null),
        }
    }
}

/// The integer or the nearest double. `serde_json` reads some fractions a unit of their last place off, and a score at a
/// threshold shows it.
fn owned_number(number: Number<'_>) -> Json {
    let integer = number.as_integer().map(serde_json::Number::from).or_else(|| number.as_str().parse::<u64>().ok().map(Into::into));
    // A zero keeps its sign.
    let integer = integer.filter(|_| number.as_str() != "-0");
    integer.or_else(|| serde_json::Number::from_f64(number.as_f64())).map_or(Json::Null, Json::Number)
}

/// The value as one that owns its texts.
pub fn owned(value: &Value<'_>) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Number(number) => owned_number(*number),
        Value::String(text) => Json::String(text.clone().into_owned()),
        Value::Array(items) => Json::Array(items.iter().map(owned).collect()),
        Value::Object(members) => Json::Object(members.iter().map(|(key, value)| (key.clone().into_owned(), owned(value))).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_owned_as_the_double_that_it_is_nearest_to() {
        for written in
            ["0.9666666666666667", "3.9999999999999996", "0.19999999999999998", "1e3", "-0.0", "5e-324", "123456789012345678901234567890"]
        {
            let read = crate::json::parse(written.as_bytes()).expect("it is JSON");
            let double: f64 = written.parse().expect("it is a number");
            assert_eq!(owned(&read).as_f64().map(f64::to_bits), Some(double.to_bits()), "{written}");
        }
        for (written, said) in [("7", "7"), ("-7", "-7"), ("18446744073709551615", "18446744073709551615"), ("-0", "-0.0")] {
            let read = crate::json::parse(written.as_bytes()).expect("it is JSON");
            assert_eq!(owned(&read).to_string(), said);
        }
    }
}
