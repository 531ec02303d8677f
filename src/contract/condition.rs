//! What a clause can ask of a record: typed data, read once, never expression text.

use super::command_text::{self, CommandFault};
use super::predicate::Predicate;
use super::value::{at, is_set, text};
use crate::json::Value;
use serde::{Deserialize, Serialize};

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
    /// The field is there, `null` included.
    Present(String),
    /// The field is there and not `null`.
    SaysSomething(String),
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
    /// The payload's copy of a field is there and says something else.
    CopyDiffers(Copy),
    /// One of two flags is set and the other is not.
    FlagsDiffer([String; 2]),
    /// The field's text is not blank and lacks a part.
    Lacks(Part),
    /// An item of a list has a fault.
    AnyItem(Items),
    /// Items of a list have a fault: a reason for each that has.
    EachItem(Items),
    /// The first item of a list that is no object or has another status decides, and has this fault.
    FirstBadItem(FirstBadItem),
    /// A command's text has a fault.
    CommandText(CommandText),
    /// What only code can say.
    Predicate(Predicate),
}

/// A field's text against a list of texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    pub(super) field: String,
    pub(super) values: Vec<String>,
    #[serde(default, skip_serializing_if = "Fold::is_none")]
    pub(super) fold: Fold,
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
    pub(super) copy: String,
    pub(super) of: String,
    #[serde(default, skip_serializing_if = "Fold::is_none")]
    pub(super) fold: Fold,
}

/// A text and a part it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub(super) field: String,
    pub(super) text: String,
}

/// A list and what an item of it may not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Items {
    pub(super) list: String,
    pub(super) fault: ItemFault,
}

/// What can be wrong with an item; all but the first look at objects only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemFault {
    /// It is no object.
    NotObject,
    /// A field of it is blank.
    Blank(String),
    /// A field of it is none of these.
    NotOneOf(Texts),
}

/// See [`Condition::FirstBadItem`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstBadItem {
    pub(super) list: String,
    pub(super) statuses: Vec<String>,
    pub(super) fault: FirstFault,
}

/// The two faults of which the first item met decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstFault {
    /// No object.
    NotObject,
    /// Another status.
    Status,
}

/// A command's text and a fault of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandText {
    pub(super) field: String,
    pub(super) fault: CommandFault,
}

impl Condition {
    /// How often the condition holds: 0 or 1, but for [`Condition::EachItem`].
    pub fn times(&self, record: &Value<'_>) -> usize {
        match self {
            Self::EachItem(items) => items.faulty(record).count(),
            other => usize::from(other.holds(record)),
        }
    }

    /// Whether the condition holds.
    pub fn holds(&self, record: &Value<'_>) -> bool {
        let list = |path: &str| at(record, path).and_then(Value::elements);
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(record)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(record)),
            Self::Not(part) => !part.holds(record),
            Self::Blank(field) => text(at(record, field)).is_empty(),
            Self::Flag(field) => is_set(at(record, field)),
            Self::IsTrue(field) => at(record, field).is_some_and(|value| value.is_bool(true)),
            Self::Present(field) => at(record, field).is_some(),
            Self::SaysSomething(field) => at(record, field).is_some_and(|value| *value != Value::Null),
            Self::IsObject(field) => at(record, field).is_some_and(Value::is_object),
            Self::IsList(field) => list(field).is_some(),
            Self::IsNonemptyList(field) => list(field).is_some_and(|items| !items.is_empty()),
            Self::OneOf(texts) => texts.holds(record),
            Self::NotOneOf(texts) => !texts.holds(record),
            Self::CopyDiffers(Copy { copy, of, fold }) => {
                let copied = fold.of(&text(at(record, copy)));
                !copied.is_empty() && copied != fold.of(&text(at(record, of)))
            }
            Self::FlagsDiffer([one, other]) => is_set(at(record, one)) != is_set(at(record, other)),
            Self::Lacks(Part { field, text: part }) => {
                let said = text(at(record, field));
                !said.is_empty() && !said.contains(part.as_str())
            }
            Self::AnyItem(items) | Self::EachItem(items) => items.faulty(record).next().is_some(),
            Self::FirstBadItem(first) => first.holds(list(&first.list).unwrap_or_default()),
            Self::CommandText(CommandText { field, fault }) => command_text::has(&text(at(record, field)), *fault, record),
            Self::Predicate(predicate) => predicate.holds(record),
        }
    }
}

impl Fold {
    fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// The text, folded.
    pub(super) fn of(self, text: &str) -> String {
        match self {
            Self::None => text.to_owned(),
            Self::Lower => text.to_lowercase(),
            Self::Upper => text.to_uppercase(),
        }
    }
}

impl Texts {
    fn holds(&self, record: &Value<'_>) -> bool {
        let said = text(at(record, &self.field));
        match self.fold {
            Fold::None => self.values.iter().any(|value| *value == *said),
            fold => self.values.contains(&fold.of(&said)),
        }
    }
}

impl Items {
    fn faulty<'r>(&'r self, record: &'r Value<'r>) -> impl Iterator<Item = &'r Value<'r>> {
        let items = at(record, &self.list).and_then(Value::elements).unwrap_or_default();
        items.iter().filter(|item| match &self.fault {
            ItemFault::NotObject => !item.is_object(),
            ItemFault::Blank(field) => item.is_object() && text(at(item, field)).is_empty(),
            ItemFault::NotOneOf(texts) => item.is_object() && !texts.holds(item),
        })
    }
}

impl FirstBadItem {
    fn holds(&self, items: &[Value<'_>]) -> bool {
        let fault = items.iter().find_map(|item| {
            if !item.is_object() {
                return Some(FirstFault::NotObject);
            }
            let status = text(at(item, "status")).to_lowercase();
            (!self.statuses.contains(&status)).then_some(FirstFault::Status)
        });
        fault == Some(self.fault)
    }
}
