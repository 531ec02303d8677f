//! What a record is asked for: its fields, by key or by dotted path.
//!
//! A contract asks some dozens of fields, and searching the members for each is most of what a check
//! costs. [`Indexed`] goes through the members once; after that a field is found in a step or two.

use super::command_text::CommandFaults;
use super::value::text;
use crate::json::Value;
use std::borrow::Cow;
use std::cell::OnceCell;

/// Something with fields: a value as it lies, or an [`Indexed`] one.
pub trait Fields<'v> {
    /// The value itself.
    fn value(&self) -> &Value<'v>;

    /// The member `key`.
    fn get(&self, key: &str) -> Option<&Value<'v>>;

    /// The value at a dotted path; a payload that is no object has no members.
    fn at(&self, path: &str) -> Option<&Value<'v>>;

    /// The text of the value at a dotted path ([`text`]).
    fn text_at<'s>(&'s self, path: &str) -> Cow<'s, str>
    where
        'v: 's,
    {
        text(self.at(path))
    }

    /// What is wrong with the command that stands at a dotted path.
    fn command_faults(&self, path: &str) -> CommandFaults {
        CommandFaults::of(&self.text_at(path), &self.text_at("timeout_profile"))
    }
}

impl<'v> Fields<'v> for Value<'v> {
    fn value(&self) -> &Value<'v> {
        self
    }

    fn get(&self, key: &str) -> Option<&Value<'v>> {
        self.get(key)
    }

    fn at(&self, path: &str) -> Option<&Value<'v>> {
        path.split('.').try_fold(self, |value, key| value.get(key))
    }
}

impl<'v, F: Fields<'v>> Fields<'v> for &F {
    fn value(&self) -> &Value<'v> {
        (**self).value()
    }

    fn get(&self, key: &str) -> Option<&Value<'v>> {
        (**self).get(key)
    }

    fn at(&self, path: &str) -> Option<&Value<'v>> {
        (**self).at(path)
    }

    fn command_faults(&self, path: &str) -> CommandFaults {
        (**self).command_faults(path)
    }
}

/// A record whose members, and those of its payload, were indexed by their keys.
#[derive(Debug)]
pub struct Indexed<'r, 'v> {
    record: &'r Value<'v>,
    top: Index,
    payload: Option<(&'r Value<'v>, Index)>,
    /// Several clauses ask of one command, and splitting it is what costs.
    command: OnceCell<CommandFaults>,
}

impl<'r, 'v> Indexed<'r, 'v> {
    /// Indexes a record.
    pub fn of(record: &'r Value<'v>) -> Self {
        let top = Index::of(record);
        let payload = top.get(record, "payload").map(|payload| (payload, Index::of(payload)));
        Self { record, top, payload, command: OnceCell::new() }
    }

    /// The record itself, for as long as it lives.
    pub fn record(&self) -> &'r Value<'v> {
        self.record
    }

    /// The member `key` of the payload.
    pub fn in_payload(&self, key: &str) -> Option<&'r Value<'v>> {
        let (payload, index) = self.payload.as_ref()?;
        index.get(payload, key)
    }
}

impl<'v> Fields<'v> for Indexed<'_, 'v> {
    fn value(&self) -> &Value<'v> {
        self.record
    }

    fn get(&self, key: &str) -> Option<&Value<'v>> {
        self.top.get(self.record, key)
    }

    fn at(&self, path: &str) -> Option<&Value<'v>> {
        match path.strip_prefix("payload.") {
            None if !has_point(path) => self.get(path),
            Some(key) if !has_point(key) => self.in_payload(key),
            _ => path.split_once('.').and_then(|(top, below)| self.get(top)?.at(below)),
        }
    }

    fn command_faults(&self, path: &str) -> CommandFaults {
        let faults = || CommandFaults::of(&self.text_at(path), &self.text_at("timeout_profile"));
        if path == "command" { *self.command.get_or_init(faults) } else { faults() }
    }
}

/// The members of an object, chained by what their keys look like. An object that is too large for it,
/// as no contract wants one, is searched member by member.
#[derive(Debug)]
struct Index {
    /// One more than the place of the last member with such a key; 0 where there is none.
    last: [u8; KINDS],
    /// For each member one more than the place of the one before it with such a key.
    before: [u8; LARGEST],
}

/// Kinds of keys that are told apart before they are compared.
const KINDS: usize = 64;
/// The most members that are indexed.
const LARGEST: usize = u8::MAX as usize;

impl Index {
    fn of(object: &Value<'_>) -> Self {
        let mut index = Self { last: [0; KINDS], before: [0; LARGEST] };
        let members = object.members();
        if members.len() <= LARGEST {
            for (place, (key, _)) in members.iter().enumerate() {
                let last = &mut index.last[kind_of(key)];
                index.before[place] = *last;
                *last = place as u8 + 1;
            }
        }
        index
    }

    fn get<'r, 'v>(&self, object: &'r Value<'v>, key: &str) -> Option<&'r Value<'v>> {
        let members = object.members();
        if members.len() > LARGEST {
            return object.get(key);
        }
        let mut place = usize::from(self.last[kind_of(key)]);
        while let Some(at) = place.checked_sub(1) {
            let (name, value) = &members[at];
            if name == key {
                return Some(value);
            }
            place = usize::from(self.before[at]);
        }
        None
    }
}

/// Whether a path has a further step. Hardly any has, and eight bytes are looked at in one go.
fn has_point(path: &str) -> bool {
    const ONES: u64 = u64::MAX / 255;
    let holds = |bytes: &[u8; 8]| {
        let word = u64::from_le_bytes(*bytes) ^ (ONES * b'.' as u64);
        word.wrapping_sub(ONES) & !word & (ONES << 7) != 0
    };
    match path.as_bytes().last_chunk() {
        Some(last) => path.as_bytes().as_chunks().0.iter().any(holds) || holds(last),
        None => path.bytes().any(|byte| byte == b'.'),
    }
}

/// A number that differs for most keys: made of the length and three of the bytes.
fn kind_of(key: &str) -> usize {
    let bytes = key.as_bytes();
    let Some(&last) = bytes.last() else { return 0 };
    let (first, middle) = (usize::from(bytes[0]), usize::from(bytes[bytes.len() / 2]));
    (bytes.len() ^ (first << 1) ^ (middle << 2) ^ usize::from(last).wrapping_mul(5)) % KINDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    proptest::proptest! {
        /// An index finds what a search finds, and nothing else.
        #[test]
        fn an_index_answers_as_the_value_does(keys in proptest::collection::btree_set("[a-c_.]{0,3}", 0..12), asked in "[a-c_.]{0,3}") {
            let members: Vec<_> = keys.iter().map(|key| format!("\"{key}\": {{\"{key}\": \"of {key}\"}}")).collect();
            let object = format!("{{{}}}", members.join(", "));
            let text = object.replacen('}', "", 0).replacen('{', &format!("{{\"payload\": {object}{}", if members.is_empty() { "" } else { ", " }), 1);
            let record = parse(text.as_bytes()).expect("the test's text is JSON");
            let indexed = Indexed::of(&record);
            for path in [asked.clone(), format!("payload.{asked}"), format!("payload.{asked}.{asked}"), format!("{asked}.{asked}")] {
                proptest::prop_assert_eq!(indexed.at(&path), Fields::at(&record, &path), "{}", path);
            }
            proptest::prop_assert_eq!(Fields::get(&indexed, &asked), record.get(&asked));
        }
    }

    #[test]
    fn a_point_is_seen_wherever_it_stands() {
        for length in 0..40 {
            let path = "é-/xyz_0".repeat(5)[..length / 9 * 9].to_owned() + &"x".repeat(length % 9);
            assert!(!has_point(&path), "{path}");
            for at in (0..=path.len()).filter(|at| path.is_char_boundary(*at)) {
                assert!(has_point(&format!("{}.{}", &path[..at], &path[at..])), "{path} at {at}");
            }
        }
    }

    #[test]
    fn an_object_too_large_to_index_is_searched() {
        for members in [LARGEST, LARGEST + 1, 1000] {
            let text: Vec<_> = (0..members).map(|place| format!("\"key {place}\": {place}")).collect();
            let text = format!("{{{}}}", text.join(", "));
            let record = parse(text.as_bytes()).expect("the test's text is JSON");
            let indexed = Indexed::of(&record);
            for place in [0, 1, members / 2, members - 1] {
                assert_eq!(indexed.text_at(&format!("key {place}")), if place == 0 { String::new() } else { place.to_string() });
            }
            assert_eq!(indexed.at("key"), None);
        }
    }
}
