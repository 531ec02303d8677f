//! What the texts mean by *text*, *blank*, *set* and *equal*.

use landfall::json::Value;

/// The value at a dotted path.
pub fn at<'v>(record: &'v Value<'v>, path: &str) -> Option<&'v Value<'v>> {
    let mut here = record;
    for key in path.split('.') {
        let Value::Object(members) = here else { return None };
        here = members.iter().find(|(name, _)| name == key).map(|(_, value)| value)?;
    }
    Some(here)
}

/// Absent, null, false, 0 and everything empty is blank; anything else is turned into text and trimmed.
pub fn text(value: Option<&Value<'_>>) -> String {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => String::new(),
        Some(Value::Bool(true)) => "True".to_owned(),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) if number.as_f64() == 0.0 => String::new(),
        Some(Value::Number(number)) => match integer(value) {
            Some(_) => number.as_str().to_owned(),
            None if number.as_f64().fract() == 0.0 => format!("{}.0", number.as_f64()),
            None => number.as_f64().to_string(),
        },
        Some(Value::Array(items)) if items.is_empty() => String::new(),
        Some(Value::Object(members)) if members.is_empty() => String::new(),
        // "Some non-blank text": which, the texts leave open.
        Some(Value::Array(_) | Value::Object(_)) => landfall::contract::value::text(value).into_owned(),
    }
}

/// A flag that must stay false is violated by anything but absent, null and `false`.
pub fn set(value: Option<&Value<'_>>) -> bool {
    !(value.is_none() || value == Some(&Value::Null) || value == Some(&Value::Bool(false)))
}

/// The digits of a number that is written as an integer.
pub fn integer<'v>(value: Option<&Value<'v>>) -> Option<&'v str> {
    match value {
        Some(Value::Number(number)) if !number.as_str().contains(['.', 'e', 'E']) => Some(number.as_str()),
        _ => None,
    }
}

/// An integer as a number; what is beyond 128 bits is the nearest.
pub fn number(value: Option<&Value<'_>>) -> i128 {
    let digits = integer(value).unwrap_or("0");
    digits.parse().unwrap_or(if digits.starts_with('-') { i128::MIN } else { i128::MAX })
}

/// Equal values: absent as null, numbers by value, members in any order.
pub fn same(one: Option<&Value<'_>>, other: Option<&Value<'_>>) -> bool {
    match (one.unwrap_or(&Value::Null), other.unwrap_or(&Value::Null)) {
        (Value::Number(left), Value::Number(right)) => match (integer(one), integer(other)) {
            (Some(left), Some(right)) => left == right || number(one) == 0 && number(other) == 0,
            _ => left.as_f64() == right.as_f64(),
        },
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && (0..left.len()).all(|at| same(left.get(at), right.get(at)))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| right.iter().any(|(name, theirs)| name == key && same(Some(value), Some(theirs))))
        }
        (left, right) => left == right,
    }
}
