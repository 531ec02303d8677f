//! What a clause can ask of the items of a list.

use super::condition::{Condition, Texts};
use super::fields::Fields;
use super::value::{lower, same, text};
use crate::json::Value;
use serde::{Deserialize, Serialize};

/// A list and what an item of it may not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Items {
    /// The list.
    pub list: String,
    /// What is wrong with an item.
    pub fault: ItemFault,
}

/// What can be wrong with an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemFault {
    /// It is no object.
    NotObject,
    /// It is an object, and a field of it is blank.
    Blank(String),
    /// It is an object, and a field of it is none of these.
    NotOneOf(Texts),
    /// It is an object, and a condition holds of it.
    Meets(Box<Condition>),
    /// It is none of these texts.
    Outside(Vec<String>),
    /// Its text names a secret.
    NamesSecret,
}

/// What the name of a secret has in it, in capitals.
const SECRET_NAMES: [&str; 5] = ["TOKEN", "SECRET", "PASSWORD", "KEY", "CREDENTIAL"];

/// A list whose items say in order what another list is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemsAgree {
    /// The list of objects; what is no object says `null`.
    pub items: String,
    /// The field of each.
    pub key: String,
    /// The other list.
    pub list: String,
}

/// Texts that the items of a list must say between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemsCover {
    /// The list of objects.
    pub items: String,
    /// The field of each.
    pub key: String,
    /// The texts.
    pub texts: Vec<String>,
}

/// The first item that is no object or has another status, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstBadItem {
    /// The list.
    pub list: String,
    /// The statuses an item may have, in lower case.
    pub statuses: Vec<String>,
    /// What is wrong with the first bad one.
    pub fault: FirstFault,
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

impl Items {
    /// The items that have the fault, in order.
    pub fn faulty<'r, 'v: 'r>(&'r self, record: &'r impl Fields<'v>) -> impl Iterator<Item = &'r Value<'v>> {
        let items = record.at(&self.list).and_then(Value::elements).unwrap_or_default();
        items.iter().filter(|item| self.fault.is_of(item))
    }
}

impl ItemFault {
    fn is_of(&self, item: &Value<'_>) -> bool {
        match self {
            Self::NotObject => !item.is_object(),
            Self::Blank(field) => item.is_object() && item.text_at(field).is_empty(),
            Self::NotOneOf(texts) => item.is_object() && !texts.holds(item),
            Self::Meets(condition) => item.is_object() && condition.holds(item),
            Self::Outside(texts) => !item.as_str().is_some_and(|said| texts.iter().any(|text| text == said)),
            Self::NamesSecret => {
                let name = text(Some(item)).to_uppercase();
                SECRET_NAMES.iter().any(|secret| name.contains(secret))
            }
        }
    }
}

impl ItemsAgree {
    pub(super) fn holds<'v>(&self, record: &impl Fields<'v>) -> bool {
        let list = |path: &str| record.at(path).and_then(Value::elements);
        let (Some(items), Some(listed)) = (list(&self.items), list(&self.list)) else { return false };
        items.len() == listed.len() && items.iter().zip(listed).all(|(item, value)| same(item.at(&self.key), Some(value)))
    }
}

impl ItemsCover {
    pub(super) fn holds<'v>(&self, record: &impl Fields<'v>) -> bool {
        let items = record.at(&self.items).and_then(Value::elements).unwrap_or_default();
        self.texts.iter().all(|wanted| items.iter().any(|item| *item.text_at(&self.key) == **wanted))
    }
}

impl FirstBadItem {
    pub(super) fn holds<'v>(&self, record: &impl Fields<'v>) -> bool {
        let items = record.at(&self.list).and_then(Value::elements).unwrap_or_default();
        let fault = items.iter().find_map(|item| {
            if !item.is_object() {
                return Some(FirstFault::NotObject);
            }
            let said = item.text_at("status");
            let status = lower(&said);
            (!self.statuses.iter().any(|known| *known == *status)).then_some(FirstFault::Status)
        });
        fault == Some(self.fault)
    }
}
