//! Conditions in plain English: fragments that read after *when*.

use crate::contract::command_text::CommandFault;
use crate::contract::condition::{
    ArgvSplits, Condition, Copy, Counts, Fold, Length, Numbered, Paired, Part, Repeats, Texts, TwoTexts, Within,
};
use crate::contract::items::{FirstFault, ItemFault, Items, ItemsAgree, ItemsCover};
use crate::contract::predicate::{Predicate, TARGETS};
use std::collections::BTreeSet;

impl Condition {
    /// When the condition holds, in plain English.
    pub fn describe(&self) -> String {
        say(self, true)
    }

    /// The fields that the condition looks at; of a list its items' fields too, as `checks[].name`.
    pub fn fields(&self, found: &mut BTreeSet<String>) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.fields(found)),
            Self::Not(part) => part.fields(found),
            Self::Blank(field)
            | Self::Flag(field)
            | Self::IsTrue(field)
            | Self::Present(field)
            | Self::SaysSomething(field)
            | Self::IsObject(field)
            | Self::IsList(field)
            | Self::IsNonemptyList(field) => found.extend([field.clone()]),
            Self::IsFalse(field) | Self::IsText(field) | Self::IsInteger(field) | Self::ArgvAllowlisted(field) | Self::Climbs(field) => {
                found.extend([field.clone()]);
            }
            Self::IsNumber(Numbered { field, .. }) | Self::AtLeast(Numbered { field, .. }) | Self::LongerThan(Length { field, .. }) => {
                found.extend([field.clone()]);
            }
            Self::OneOf(Texts { field, .. }) | Self::NotOneOf(Texts { field, .. }) => found.extend([field.clone()]),
            Self::IsExactly(Part { field, .. })
            | Self::ListHas(Part { field, .. })
            | Self::Lacks(Part { field, .. })
            | Self::HasPart(Part { field, .. }) => found.extend([field.clone()]),
            Self::Same(fields) | Self::FlagsDiffer(fields) | Self::SameText(TwoTexts { fields, .. }) => {
                found.extend(fields.iter().cloned())
            }
            Self::Paired(Paired { field, by, .. }) => found.extend([field.clone(), by.clone()]),
            Self::CopyDiffers(Copy { copy, of, .. }) => found.extend([copy.clone(), of.clone()]),
            Self::Repeats(Repeats { field, of }) => found.extend([field.clone(), of.clone()]),
            Self::Counts(Counts { count, list }) => found.extend([count.clone(), list.clone()]),
            Self::AnyItem(Items { list, fault }) | Self::EachItem(Items { list, fault }) => {
                let mut below = BTreeSet::new();
                match fault {
                    ItemFault::NotObject | ItemFault::Outside(_) | ItemFault::NamesSecret => {}
                    ItemFault::Blank(field) => below.extend([field.clone()]),
                    ItemFault::NotOneOf(texts) => below.extend([texts.field.clone()]),
                    ItemFault::Meets(condition) => condition.fields(&mut below),
                }
                found.extend([list.clone()]);
                found.extend(below.into_iter().map(|field| format!("{list}[].{field}")));
            }
            Self::FirstBadItem(first) => found.extend([first.list.clone(), format!("{}[].status", first.list)]),
            Self::ItemsAgree(ItemsAgree { items, key, list }) => found.extend([items.clone(), format!("{items}[].{key}"), list.clone()]),
            Self::ItemsCover(ItemsCover { items, key, .. }) => found.extend([items.clone(), format!("{items}[].{key}")]),
            Self::Found(object) => found.extend([object.clone()]),
            Self::Within(Within { object, meets }) => {
                let mut below = BTreeSet::new();
                meets.fields(&mut below);
                found.extend(below.into_iter().map(|field| format!("{object}.{field}")));
            }
            Self::CommandText(command) => {
                found.extend([command.field.clone()]);
                if command.fault == CommandFault::TimeoutProfileDiffers {
                    found.extend(["timeout_profile".to_owned()]);
                }
            }
            Self::ArgvSplits(ArgvSplits { argv, command }) => found.extend([argv.clone(), command.clone()]),
            Self::Predicate(Predicate::DirectiveTargetUnsupported) => found.extend(["target".to_owned(), "target_swarm".to_owned()]),
            Self::Predicate(Predicate::NoopArgvNotFixed) => found.extend(["noop_argv".to_owned()]),
            Self::Predicate(Predicate::ArgvDigestUnreadable) => found.extend(["argv_digest".to_owned()]),
        }
    }

    /// The texts that a field may say, where the condition refuses every other.
    pub(in crate::contract) fn wants_of(&self, field: &str, found: &mut Vec<String>) {
        let mut add = |values: &[String]| values.iter().filter(|value| !value.is_empty()).for_each(|value| found.push(value.clone()));
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.wants_of(field, found)),
            Self::NotOneOf(texts) if texts.field == field => add(&texts.values),
            Self::AnyItem(Items { list, fault: ItemFault::NotOneOf(texts) })
            | Self::EachItem(Items { list, fault: ItemFault::NotOneOf(texts) })
                if field == format!("{list}[].{}", texts.field) =>
            {
                add(&texts.values);
            }
            Self::FirstBadItem(first) if field == format!("{}[].status", first.list) => add(&first.statuses),
            Self::Not(part) => match &**part {
                Self::OneOf(texts) if texts.field == field => add(&texts.values),
                Self::IsExactly(wanted) if wanted.field == field => add(std::slice::from_ref(&wanted.text)),
                Self::Paired(paired) if paired.field == field => add(&paired.pairs.values().cloned().collect::<Vec<_>>()),
                _ => {}
            },
            Self::Predicate(Predicate::DirectiveTargetUnsupported) if field == "target" => found.extend(TARGETS.map(str::to_owned)),
            _ => {}
        }
        let mut seen = BTreeSet::new();
        found.retain(|value| seen.insert(value.clone()));
    }
}

/// The condition, or its opposite, as a fragment.
fn say(condition: &Condition, holds: bool) -> String {
    let pick = |yes: String, no: String| if holds { yes } else { no };
    match condition {
        Condition::All(parts) => joined(parts, holds, if holds { "and" } else { "or" }),
        Condition::Any(parts) => joined(parts, holds, if holds { "or" } else { "and" }),
        Condition::Not(part) => say(part, !holds),
        Condition::Blank(field) => pick(format!("`{field}` is blank"), format!("`{field}` is not blank")),
        Condition::Flag(field) => pick(format!("`{field}` is anything but false"), format!("`{field}` is absent, null or false")),
        Condition::IsTrue(field) => pick(format!("`{field}` is true"), format!("`{field}` is not the boolean true")),
        Condition::IsFalse(field) => pick(format!("`{field}` is false"), format!("`{field}` is not the boolean false")),
        Condition::IsText(field) => pick(format!("`{field}` is a text"), format!("`{field}` is no text")),
        Condition::IsInteger(field) => pick(format!("`{field}` is an integer"), format!("`{field}` is no integer")),
        Condition::IsNumber(Numbered { field, number }) => {
            pick(format!("`{field}` is the number {number}"), format!("`{field}` is not the number {number}"))
        }
        Condition::AtLeast(Numbered { field, number }) => {
            pick(format!("`{field}` is an integer of at least {number}"), format!("`{field}` is no integer of at least {number}"))
        }
        Condition::LongerThan(Length { field, length: 0 }) => pick(format!("`{field}` is not empty"), format!("`{field}` is empty")),
        Condition::LongerThan(Length { field, length }) => {
            pick(format!("`{field}` is longer than {length}"), format!("`{field}` is not longer than {length}"))
        }
        Condition::Present(field) => pick(format!("`{field}` is there"), format!("`{field}` is absent")),
        Condition::SaysSomething(field) => pick(format!("`{field}` is there and not null"), format!("`{field}` is absent or null")),
        Condition::IsObject(field) => pick(format!("`{field}` is an object"), format!("`{field}` is no object")),
        Condition::IsList(field) => pick(format!("`{field}` is a list"), format!("`{field}` is no list")),
        Condition::IsNonemptyList(field) => {
            pick(format!("`{field}` is a list with an item"), format!("`{field}` is no list, or an empty one"))
        }
        Condition::OneOf(texts) => one_of(texts, holds),
        Condition::NotOneOf(texts) => one_of(texts, !holds),
        Condition::IsExactly(Part { field, text }) => {
            pick(format!("`{field}` is exactly {}", quoted(text)), format!("`{field}` is not exactly {}", quoted(text)))
        }
        Condition::Same([one, other]) => pick(format!("`{one}` and `{other}` are equal"), format!("`{one}` and `{other}` differ")),
        Condition::SameText(TwoTexts { fields: [one, other], .. }) => {
            pick(format!("`{one}` and `{other}` say the same"), format!("`{one}` and `{other}` do not say the same"))
        }
        Condition::Paired(Paired { field, by, pairs }) => {
            let pairs: Vec<_> = pairs.iter().map(|(by, text)| format!("`{text}` with `{by}`")).collect();
            let pairs = pairs.join(", ");
            pick(
                format!("`{field}` is what goes with `{by}` ({pairs})"),
                format!("`{field}` is not what goes with `{by}` ({pairs}), or nothing goes with it"),
            )
        }
        Condition::CopyDiffers(Copy { copy, of, .. }) => {
            pick(format!("`{copy}` says something else than `{of}`"), format!("`{copy}` is blank or says what `{of}` says"))
        }
        Condition::FlagsDiffer([one, other]) => {
            pick(format!("only one of `{one}` and `{other}` is set"), format!("`{one}` and `{other}` are both set, or neither is"))
        }
        Condition::Lacks(Part { field, text }) => {
            pick(format!("`{field}` says something without `{text}`"), format!("`{field}` is blank or contains `{text}`"))
        }
        Condition::HasPart(Part { field, text }) => {
            pick(format!("`{field}` contains {}", quoted(text)), format!("`{field}` does not contain {}", quoted(text)))
        }
        Condition::Repeats(Repeats { field, of }) => {
            pick(format!("`{field}` contains what `{of}` says"), format!("`{field}` does not contain what `{of}` says, or that is blank"))
        }
        Condition::ListHas(Part { field, text }) => {
            pick(format!("{} is in the list `{field}`", quoted(text)), format!("{} is not in the list `{field}`", quoted(text)))
        }
        Condition::Counts(Counts { count, list }) => {
            pick(format!("`{count}` is the number of items of `{list}`"), format!("`{count}` is not the number of items of `{list}`"))
        }
        Condition::AnyItem(items) => {
            let fault = fault(items);
            pick(format!("an item of `{}` {fault}", items.list), format!("no item of `{}` {fault}", items.list))
        }
        Condition::EachItem(items) => {
            let fault = fault(items);
            pick(format!("an item of `{}` {fault}, once for each that does", items.list), format!("no item of `{}` {fault}", items.list))
        }
        Condition::FirstBadItem(first) => {
            let statuses = texts(&first.statuses, "or");
            let fault = match first.fault {
                FirstFault::NotObject => "is no object".to_owned(),
                FirstFault::Status => format!("has a `status` other than {statuses}"),
            };
            let list = &first.list;
            pick(
                format!("of the items of `{list}` the first that is wrong {fault}"),
                format!("of the items of `{list}` none is wrong, or not the first that {fault}"),
            )
        }
        Condition::ItemsAgree(ItemsAgree { items, key, list }) => pick(
            format!("`{list}` lists what the items of `{items}` say in `{key}`"),
            format!("`{list}` does not list what the items of `{items}` say in `{key}`"),
        ),
        Condition::ItemsCover(ItemsCover { items, key, texts: wanted }) => {
            let wanted = texts(wanted, "and");
            pick(
                format!("the items of `{items}` say each of {wanted} in `{key}`"),
                format!("no item of `{items}` says one of {wanted} in `{key}`"),
            )
        }
        Condition::Found(object) => pick(
            format!("the object `{object}` is there, in the record or its payload"),
            format!("the object `{object}` is not there or empty, in the record and in its payload"),
        ),
        Condition::Within(Within { object, meets }) => {
            let met = say(meets, holds);
            pick(
                format!("there is an object `{object}`, in the record or its payload, and in it {met}"),
                format!("there is no object `{object}`, or in it {met}"),
            )
        }
        Condition::CommandText(command) => {
            let (field, fault) = (&command.field, command_fault(command.fault));
            pick(format!("`{field}` {fault}"), format!("`{field}` is blank, or it is not so that it {fault}"))
        }
        Condition::ArgvAllowlisted(field) => {
            pick(format!("`{field}` is a command on the allowlist"), format!("`{field}` is no command on the allowlist"))
        }
        Condition::ArgvSplits(ArgvSplits { argv, command }) => {
            pick(format!("`{argv}` has the words of `{command}`"), format!("`{argv}` has not the words of `{command}`"))
        }
        Condition::Climbs(field) => pick(format!("the path `{field}` has a part `..`"), format!("the path `{field}` has no part `..`")),
        Condition::Predicate(Predicate::ArgvDigestUnreadable) => pick(
            "`argv_digest` is not `sha256:` with 64 hexadecimal digits in small letters".to_owned(),
            "`argv_digest` is `sha256:` with 64 hexadecimal digits in small letters".to_owned(),
        ),
        Condition::Predicate(Predicate::NoopArgvNotFixed) => pick(
            "`noop_argv` has words and they are not the fixed noop".to_owned(),
            "`noop_argv` has no word, or they are the fixed noop".to_owned(),
        ),
        Condition::Predicate(Predicate::DirectiveTargetUnsupported) => {
            let targets = texts(&TARGETS.map(str::to_owned), "or");
            let which = "`target` (or, where that says nothing, `target_swarm`)";
            pick(format!("{which} is not blank and none of {targets}"), format!("{which} is blank or one of {targets}"))
        }
    }
}

fn joined(parts: &[Condition], holds: bool, word: &str) -> String {
    let said = parts.iter().map(|part| {
        let compound = matches!(part, Condition::All(parts) | Condition::Any(parts) if parts.len() > 1);
        let said = say(part, holds);
        if compound && parts.len() > 1 { format!("({said})") } else { said }
    });
    said.collect::<Vec<_>>().join(&format!(" {word} "))
}

fn one_of(of: &Texts, is: bool) -> String {
    let Texts { field, values, fold } = of;
    let case = if *fold == Fold::None { "" } else { ", in capitals or not" };
    let blank = values.iter().any(String::is_empty);
    let named: Vec<_> = values.iter().filter(|value| !value.is_empty()).cloned().collect();
    match (is, named.len()) {
        (true, 1) if !blank => format!("`{field}` is {}{case}", texts(&named, "or")),
        (false, 1) if !blank => format!("`{field}` is not {}{case}", texts(&named, "or")),
        (true, _) => format!("`{field}` is {}one of {}{case}", if blank { "blank or " } else { "" }, texts(&named, "or")),
        (false, _) => format!("`{field}` is {}none of {}{case}", if blank { "not blank and " } else { "" }, texts(&named, "or")),
    }
}

fn fault(items: &Items) -> String {
    match &items.fault {
        ItemFault::NotObject => "is no object".to_owned(),
        ItemFault::Blank(field) => format!("has a blank `{field}`"),
        ItemFault::NotOneOf(Texts { field, values, .. }) => format!("has a `{field}` other than {}", texts(values, "or")),
        ItemFault::Meets(condition) => format!("is so that {}", say(condition, true)),
        ItemFault::Outside(values) => format!("is none of {}", texts(values, "or")),
        ItemFault::NamesSecret => "names a secret".to_owned(),
    }
}

fn command_fault(fault: CommandFault) -> &'static str {
    match fault {
        CommandFault::Unsafe => "holds a character that a shell acts on, such as `;`, `&`, `>`, `$` or a new line",
        CommandFault::Unsplittable => "has an open quote, or ends in an escape",
        CommandFault::OtherProgram => "starts another program than the replay evidence check",
        CommandFault::ScenarioId => "has no `--scenario-id` with a value",
        CommandFault::DirectiveId => "has no `--directive-id` with a value",
        CommandFault::NoTimeoutProfile => "has no `--timeout-profile`",
        CommandFault::TimeoutProfileLast => "ends in its first `--timeout-profile`, without a value",
        CommandFault::TimeoutProfileDiffers => "has a `--timeout-profile` with another value than `timeout_profile`",
    }
}

/// A text in a sentence.
fn quoted(text: &str) -> String {
    format!("`{text}`")
}

/// Texts as a list in a sentence: `a`, `b` or `c`.
pub(super) fn texts(values: &[String], word: &str) -> String {
    let quoted: Vec<_> = values.iter().map(|value| quoted(value)).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} {word} {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(condition: &str) -> String {
        serde_json::from_str::<Condition>(condition).expect("the test's condition reads").describe()
    }

    #[test]
    fn a_condition_and_its_opposite_read_as_english() {
        assert_eq!(said(r#"{"blank": "a"}"#), "`a` is blank");
        assert_eq!(said(r#"{"not": {"blank": "a"}}"#), "`a` is not blank");
        assert_eq!(
            said(r#"{"all": [{"one_of": {"field": "s", "values": ["x"], "fold": "lower"}}, {"any": [{"flag": "a"}, {"flag": "p.a"}]}]}"#),
            "`s` is `x`, in capitals or not and (`a` is anything but false or `p.a` is anything but false)"
        );
        assert_eq!(
            said(r#"{"not": {"any": [{"is_true": "a"}, {"not_one_of": {"field": "s", "values": ["x", "y"]}}]}}"#),
            "`a` is not the boolean true and `s` is one of `x` or `y`"
        );
        assert_eq!(said(r#"{"not_one_of": {"field": "s", "values": ["", "x", "y"]}}"#), "`s` is not blank and none of `x` or `y`");
    }
}
