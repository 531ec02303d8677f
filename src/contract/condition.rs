//! What a clause can ask of a record: typed data, read once, never expression text.

use super::allowlist;
use super::command_text::{self, CommandFault};
use super::fields::Fields;
use super::items::{FirstBadItem, Items, ItemsAgree, ItemsCover};
use super::predicate::Predicate;
use super::value::{is_blank, is_set, length, lower, same, whole};
use crate::json::{Number, Value};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A question about a record. Fields are dotted paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Condition {
    /// Every one of them holds.
    All(Vec<Condition>),
    /// At least one of them holds.
    Any(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// The field's text is blank.
    Blank(String),
    /// A flag that must be false is set: anything but absent, null or `false`.
    Flag(String),
    /// The field is exactly the boolean `true`.
    IsTrue(String),
    /// The field is exactly the boolean `false`.
    IsFalse(String),
    /// The field is there, `null` included.
    Present(String),
    /// The field is there and not `null`.
    SaysSomething(String),
    /// The field is a text.
    IsText(String),
    /// The field is a number written as an integer, of any size.
    IsInteger(String),
    /// The field is that integer.
    IsNumber(Numbered),
    /// The field is an integer, and not less.
    AtLeast(Numbered),
    /// The field is a list with more items, or a text with more characters.
    LongerThan(Length),
    /// The field is an object.
    IsObject(String),
    /// The field is a list.
    IsList(String),
    /// The field is a list with at least one item.
    IsNonemptyList(String),
    /// The field's text is one of these.
    OneOf(Texts),
    /// The field's text is none of these.
    NotOneOf(Texts),
    /// The field is exactly this text, blanks around it included.
    IsExactly(Part),
    /// Two fields are equal values, absent as `null`.
    Same([String; 2]),
    /// Two fields have the same text.
    SameText(TwoTexts),
    /// The field's text is the one that goes with another field's text.
    Paired(Paired),
    /// The payload's copy of a field is there and says something else.
    CopyDiffers(Copy),
    /// One of two flags is set and the other is not.
    FlagsDiffer([String; 2]),
    /// The field's text is not blank and lacks a part.
    Lacks(Part),
    /// The field's text has a part.
    HasPart(Part),
    /// The field's text has another field's text, which is not blank, as a part.
    Repeats(Repeats),
    /// The field is a list, and exactly this text is among its items.
    ListHas(Part),
    /// The field is the number of items of a list; what is no list has none.
    Counts(Counts),
    /// An item of a list has a fault.
    AnyItem(Items),
    /// Items of a list have a fault: a reason for each that has.
    EachItem(Items),
    /// The first item of a list that is no object or has another status decides, and has this fault.
    FirstBadItem(FirstBadItem),
    /// A list is what the items of another say, in order.
    ItemsAgree(ItemsAgree),
    /// Each of these texts is said by an item of a list.
    ItemsCover(ItemsCover),
    /// The object at a path is there and not empty; the first step is looked up in the record, else in the payload.
    Found(String),
    /// The object is there, as with [`Condition::Found`], and a condition holds of it.
    Within(Within),
    /// A command's text has a fault.
    CommandText(CommandText),
    /// The field is a list of words that the allowlist accepts.
    ArgvAllowlisted(String),
    /// The field is the list of words that a command's text splits into.
    ArgvSplits(ArgvSplits),
    /// The field's text, a path, has a `..` part.
    Climbs(String),
    /// What only code can say.
    Predicate(Predicate),
}

/// A field's text against a list of texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// The field.
    pub field: String,
    /// The texts.
    pub values: Vec<String>,
    /// How the field's text is folded; the texts are written folded.
    #[serde(default, skip_serializing_if = "Fold::is_none")]
    pub fold: Fold,
}

/// How a text is folded before it is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fold {
    /// As it is.
    #[default]
    None,
    /// To lower case.
    Lower,
    /// To upper case.
    Upper,
}

/// A payload's copy of a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copy {
    /// Where the copy is.
    pub copy: String,
    /// Of what it is one.
    pub of: String,
    /// How both texts are folded.
    #[serde(default, skip_serializing_if = "Fold::is_none")]
    pub fold: Fold,
}

/// A field and a text that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The field.
    pub field: String,
    /// The text.
    pub text: String,
}

/// A field and an integer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbered {
    /// The field.
    pub field: String,
    /// The integer.
    pub number: i64,
}

/// A field and a number of items or characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Length {
    /// The field.
    pub field: String,
    /// Items of a list, characters of a text.
    pub length: usize,
}

/// Two fields whose texts are compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwoTexts {
    /// The fields.
    pub fields: [String; 2],
    /// How both texts are folded.
    #[serde(default, skip_serializing_if = "Fold::is_none")]
    pub fold: Fold,
}

/// See [`Condition::Paired`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paired {
    /// The field that is asked about.
    pub field: String,
    /// The field that decides.
    pub by: String,
    /// For each text of `by` the text of `field`; for another text of `by` nothing is right.
    pub pairs: BTreeMap<String, String>,
}

/// See [`Condition::Repeats`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeats {
    /// The longer text.
    pub field: String,
    /// The field whose text is its part.
    pub of: String,
}

/// See [`Condition::Counts`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// The number.
    pub count: String,
    /// The list.
    pub list: String,
}

/// See [`Condition::Within`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Within {
    /// The path of the object.
    pub object: String,
    /// What holds of it.
    pub meets: Box<Condition>,
}

/// See [`Condition::ArgvSplits`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArgvSplits {
    /// The list.
    pub argv: String,
    /// The command's text.
    pub command: String,
}

/// A command's text and a fault of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandText {
    /// The field of the text.
    pub field: String,
    /// The fault.
    pub fault: CommandFault,
}

impl Condition {
    /// How often the condition holds: 0 or 1, but for [`Condition::EachItem`].
    pub fn times<'v>(&self, record: &impl Fields<'v>) -> usize {
        match self {
            Self::EachItem(items) => items.faulty(record).count(),
            other => usize::from(other.holds(record)),
        }
    }

    /// Whether the condition holds.
    pub fn holds<'v>(&self, record: &impl Fields<'v>) -> bool {
        let list = |path: &str| record.at(path).and_then(Value::elements);
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(record)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(record)),
            Self::Not(part) => !part.holds(record),
            Self::Blank(field) => is_blank(record.at(field)),
            Self::Flag(field) => is_set(record.at(field)),
            Self::IsTrue(field) => record.at(field).is_some_and(|value| value.is_bool(true)),
            Self::IsFalse(field) => record.at(field).is_some_and(|value| value.is_bool(false)),
            Self::Present(field) => record.at(field).is_some(),
            Self::SaysSomething(field) => record.at(field).is_some_and(|value| *value != Value::Null),
            Self::IsText(field) => record.at(field).is_some_and(|value| value.as_str().is_some()),
            Self::IsInteger(field) => whole(record.at(field)).is_some(),
            Self::IsNumber(Numbered { field, number }) => whole(record.at(field)).and_then(Number::as_integer) == Some(*number),
            Self::AtLeast(Numbered { field, number }) => whole(record.at(field)).is_some_and(|found| match found.as_integer() {
                Some(found) => found >= *number,
                // Beyond 64 bits only the sign matters.
                None => !found.as_str().starts_with('-'),
            }),
            Self::LongerThan(limit) => length(record.at(&limit.field)) > limit.length,
            Self::IsObject(field) => record.at(field).is_some_and(Value::is_object),
            Self::IsList(field) => list(field).is_some(),
            Self::IsNonemptyList(field) => list(field).is_some_and(|items| !items.is_empty()),
            Self::OneOf(texts) => texts.holds(record),
            Self::NotOneOf(texts) => !texts.holds(record),
            Self::IsExactly(Part { field, text }) => record.at(field).and_then(Value::as_str) == Some(text),
            Self::Same([one, other]) => same(record.at(one), record.at(other)),
            Self::SameText(TwoTexts { fields: [one, other], fold }) => fold.of(&record.text_at(one)) == fold.of(&record.text_at(other)),
            Self::Paired(Paired { field, by, pairs }) => {
                pairs.get(&*record.text_at(by)).is_some_and(|paired| *paired == *record.text_at(field))
            }
            Self::CopyDiffers(Copy { copy, of, fold }) => {
                let said = record.text_at(copy);
                let copied = fold.of(&said);
                !copied.is_empty() && copied != fold.of(&record.text_at(of))
            }
            Self::FlagsDiffer([one, other]) => is_set(record.at(one)) != is_set(record.at(other)),
            Self::Lacks(Part { field, text: part }) => {
                let said = record.text_at(field);
                !said.is_empty() && !has_part(&said, part)
            }
            Self::HasPart(Part { field, text: part }) => has_part(&record.text_at(field), part),
            Self::Repeats(Repeats { field, of }) => {
                let part = record.text_at(of);
                !part.is_empty() && record.text_at(field).contains(&*part)
            }
            Self::ListHas(Part { field, text }) => list(field).is_some_and(|items| items.iter().any(|item| item.as_str() == Some(text))),
            Self::Counts(Counts { count, list: counted }) => {
                let number = whole(record.at(count)).and_then(Number::as_integer);
                number.and_then(|number| usize::try_from(number).ok()) == Some(list(counted).unwrap_or_default().len())
            }
            Self::AnyItem(items) | Self::EachItem(items) => items.faulty(record).next().is_some(),
            Self::FirstBadItem(first) => first.holds(record),
            Self::ItemsAgree(agree) => agree.holds(record),
            Self::ItemsCover(cover) => cover.holds(record),
            Self::Found(path) => found(record, path).is_some(),
            Self::Within(Within { object, meets }) => found(record, object).is_some_and(|object| meets.holds(object)),
            Self::CommandText(CommandText { field, fault }) => record.command_faults(field).has(*fault),
            Self::ArgvAllowlisted(field) => list(field).is_some_and(allowlist::accepts_words),
            Self::ArgvSplits(ArgvSplits { argv, command }) => {
                let said = record.text_at(command);
                let words = command_text::split(&said);
                words.is_some_and(|words| {
                    list(argv).is_some_and(|argv| argv.iter().map(Value::as_str).eq(words.iter().map(|word| Some(&**word))))
                })
            }
            Self::Climbs(field) => allowlist::climbs(&record.text_at(field)),
            Self::Predicate(predicate) => predicate.holds(record),
        }
    }
}

/// Whether `part` stands in `text`. Commands and templates begin with the program that is asked for, and preparing to
/// search for something long costs more than most searches.
fn has_part(text: &str, part: &str) -> bool {
    text.starts_with(part) || text.contains(part)
}

impl Fold {
    fn is_none(&self) -> bool {
        *self == Self::None
    }

    fn of(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::None => Cow::Borrowed(text),
            Self::Lower => lower(text),
            Self::Upper => Cow::Owned(text.to_uppercase()),
        }
    }
}

impl Texts {
    /// Whether the field's text is one of them.
    pub(super) fn holds<'v>(&self, record: &impl Fields<'v>) -> bool {
        let said = record.text_at(&self.field);
        let folded = self.fold.of(&said);
        self.values.iter().any(|value| *value == *folded)
    }
}

/// The object at a path, its first step looked up in the record and, failing that, in the payload.
pub(super) fn found<'r, 'v>(record: &'r impl Fields<'v>, path: &str) -> Option<&'r Value<'v>> {
    let (top, rest) = path.split_once('.').map_or((path, None), |(top, rest)| (top, Some(rest)));
    let holds_something = |value: &&Value<'_>| !value.members().is_empty();
    let copied = || record.get("payload").and_then(|payload| payload.get(top)).filter(holds_something);
    let object = record.get(top).filter(holds_something).or_else(copied)?;
    rest.map_or(Some(object), |rest| object.at(rest)).filter(holds_something)
}

#[cfg(test)]
mod tests;
