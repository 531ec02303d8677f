//! Edits of a record: small, named by a path, and total over whatever the record is.

use crate::contract::value::at;
use crate::json::Value;
use std::borrow::Cow;

/// One change of a record. Paths are dotted, as in conditions.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Edit {
    /// A field says this; objects on the way are made.
    Set(String, Value<'static>),
    /// A field is taken out.
    Remove(String),
    /// The second field says what the first says.
    Copy(String, String),
    /// An item more at the end of a list; what is no list becomes one.
    Push(String, Value<'static>),
    /// The item at this place of a list is this.
    Item(String, usize, Value<'static>),
    /// The item at this place of a list is taken out.
    DropItem(String, usize),
    /// An edit of the item at this place of a list.
    InItem(String, usize, Box<Edit>),
    /// Whatever else says the first text, alone or as a word, says the second.
    Rename(String, String),
}

impl Edit {
    /// Sets a field to a text.
    pub(super) fn text(path: &str, text: impl Into<String>) -> Self {
        Self::Set(path.to_owned(), string(text))
    }

    /// Sets a flag.
    pub(super) fn flag(path: &str, value: bool) -> Self {
        Self::Set(path.to_owned(), Value::Bool(value))
    }

    /// Takes a field out.
    pub(super) fn remove(path: &str) -> Self {
        Self::Remove(path.to_owned())
    }

    /// The field that is set or taken out, unless it is an item's.
    pub(super) fn path(&self) -> Option<&str> {
        match self {
            Self::Set(path, _) | Self::Remove(path) => Some(path),
            _ => None,
        }
    }

    /// The same edit of another field.
    pub(super) fn moved(&self, path: &str) -> Option<Self> {
        match self {
            Self::Set(_, value) => Some(Self::Set(path.to_owned(), value.clone())),
            Self::Remove(_) => Some(Self::remove(path)),
            _ => None,
        }
    }

    /// The edit, of the object at a path.
    pub(super) fn under(self, object: &str) -> Self {
        let below = |path: String| format!("{object}.{path}");
        match self {
            Self::Set(path, value) => Self::Set(below(path), value),
            Self::Remove(path) => Self::Remove(below(path)),
            Self::Copy(from, to) => Self::Copy(below(from), below(to)),
            Self::Push(list, value) => Self::Push(below(list), value),
            Self::Item(list, index, value) => Self::Item(below(list), index, value),
            Self::DropItem(list, index) => Self::DropItem(below(list), index),
            Self::InItem(list, index, edit) => Self::InItem(below(list), index, edit),
            Self::Rename(from, to) => Self::Rename(from, to),
        }
    }

    /// Makes the change.
    pub(super) fn apply(&self, record: &mut Value<'_>) {
        match self {
            Self::Set(path, value) => put(record, path, Some(value.clone())),
            Self::Remove(path) => put(record, path, None),
            Self::Copy(from, to) => {
                let copied = at_owned(record, from);
                put(record, to, copied);
            }
            Self::Push(list, value) => items_at(record, list).push(value.clone()),
            Self::Item(list, index, value) => {
                if let Some(item) = items_at(record, list).get_mut(*index) {
                    *item = value.clone();
                }
            }
            Self::DropItem(list, index) => {
                let items = items_at(record, list);
                if *index < items.len() {
                    items.remove(*index);
                }
            }
            Self::InItem(list, index, edit) => {
                if let Some(item) = items_at(record, list).get_mut(*index) {
                    edit.apply(item);
                }
            }
            Self::Rename(from, to) => rename(record, from, to),
        }
    }
}

/// A text as a value.
pub(super) fn string(text: impl Into<String>) -> Value<'static> {
    Value::String(Cow::Owned(text.into()))
}

/// What is at a path, apart from the record.
fn at_owned<'v>(record: &Value<'v>, path: &str) -> Option<Value<'v>> {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    let found = record.get(head)?;
    rest.map_or_else(|| Some(found.clone()), |rest| at_owned(found, rest))
}

/// Puts a value at a path, or takes out what is there.
fn put<'v>(record: &mut Value<'v>, path: &str, value: Option<Value<'v>>) {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    if !record.is_object() {
        if value.is_none() {
            return;
        }
        *record = Value::Object(Vec::new());
    }
    let Value::Object(members) = record else { return };
    let place = members.iter().position(|(key, _)| key == head);
    match (rest, place, value) {
        (None, Some(place), None) => drop(members.remove(place)),
        (None, Some(place), Some(value)) => members[place].1 = value,
        (Some(rest), Some(place), value) => put(&mut members[place].1, rest, value),
        (None, None, Some(value)) => members.push((Cow::Owned(head.to_owned()), value)),
        (Some(rest), None, Some(value)) => {
            let mut below = Value::Object(Vec::new());
            put(&mut below, rest, Some(value));
            members.push((Cow::Owned(head.to_owned()), below));
        }
        (_, None, None) => {}
    }
}

/// The items of the list at a path; whatever else stands there becomes an empty list.
fn items_at<'m, 'v>(record: &'m mut Value<'v>, path: &str) -> &'m mut Vec<Value<'v>> {
    if at(record, path).and_then(Value::elements).is_none() {
        put(record, path, Some(Value::Array(Vec::new())));
    }
    let mut here = record;
    for key in path.split('.') {
        let Value::Object(members) = here else { unreachable!("a list was put at the path") };
        here = &mut members.iter_mut().find(|(name, _)| name == key).expect("a list was put at the path").1;
    }
    let Value::Array(items) = here else { unreachable!("a list was put at the path") };
    items
}

fn rename(value: &mut Value<'_>, from: &str, to: &str) {
    match value {
        Value::String(text) if text == from => *text = Cow::Owned(to.to_owned()),
        Value::String(text) if text.split(' ').any(|word| word == from) => {
            let words: Vec<_> = text.split(' ').map(|word| if word == from { to } else { word }).collect();
            *text = Cow::Owned(words.join(" "));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, from, to)),
        Value::Object(members) => members.iter_mut().for_each(|(_, member)| rename(member, from, to)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn edited(text: &str, edit: &Edit) -> String {
        let mut record = parse(text.as_bytes()).expect("the test's text is JSON");
        edit.apply(&mut record);
        record.to_text()
    }

    #[test]
    fn an_edit_changes_one_place_and_makes_the_way_to_it() {
        assert_eq!(edited(r#"{"a":1}"#, &Edit::text("b.c", "x")), r#"{"a":1,"b":{"c":"x"}}"#);
        assert_eq!(edited(r#"{"b":7}"#, &Edit::flag("b.c", true)), r#"{"b":{"c":true}}"#);
        assert_eq!(edited(r#"{"b":{"c":1,"d":2}}"#, &Edit::remove("b.c")), r#"{"b":{"d":2}}"#);
        assert_eq!(edited(r#"{"b":7}"#, &Edit::remove("b.c")), r#"{"b":7}"#);
        assert_eq!(edited(r#"{"b":{"c":[1]}}"#, &Edit::Copy("b.c".into(), "d".into())), r#"{"b":{"c":[1]},"d":[1]}"#);
        assert_eq!(edited(r#"{"b":7}"#, &Edit::Copy("b.c".into(), "b".into())), "{}");
        assert_eq!(edited(r#"{"l":[{"s":1},2]}"#, &Edit::InItem("l".into(), 0, Box::new(Edit::remove("s")))), r#"{"l":[{},2]}"#);
        assert_eq!(edited(r#"{"a":"x","b":["y x z","xy"]}"#, &Edit::Rename("x".into(), "w".into())), r#"{"a":"w","b":["y w z","xy"]}"#);
    }

    #[test]
    fn an_edit_of_a_list_is_total() {
        assert_eq!(edited(r#"{"l":[1,2]}"#, &Edit::Item("l".into(), 0, Value::Null)), r#"{"l":[null,2]}"#);
        assert_eq!(edited(r#"{"l":[1,2]}"#, &Edit::DropItem("l".into(), 0)), r#"{"l":[2]}"#);
        assert_eq!(edited(r#"{"l":7}"#, &Edit::DropItem("l".into(), 9)), r#"{"l":[]}"#);
        assert_eq!(edited("[]", &Edit::Push("p.l".into(), Value::Null).under("o")), r#"{"o":{"p":{"l":[null]}}}"#);
    }
}
