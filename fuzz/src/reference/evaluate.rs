//! What an expression says of a record. One arm a call, in the order of the texts' table of them; behind that table
//! the few that put its prose into words.

use super::command::{accepts_words, split};
use super::expression::Expression;
use super::value::{at, integer, number, same, set, text};
use landfall::json::Value;

/// What an expression comes to.
enum Said<'v> {
    Bool(bool),
    Text(String),
    Number(i128),
    /// A value of the record, absent as null.
    Value(Option<&'v Value<'v>>),
    /// Values in order, absent as null.
    Values(Vec<Option<&'v Value<'v>>>),
    Texts(Vec<String>),
}

/// Whether the expression is true of the record.
///
/// # Panics
/// When a transcript calls what there is not: a test reads all of them.
pub(super) fn holds(expression: &Expression, record: &Value<'_>) -> bool {
    match evaluate(expression, record) {
        Said::Bool(holds) => holds,
        _ => panic!("the transcript has a value where a condition is due: {expression:?}"),
    }
}

fn evaluate<'v>(expression: &Expression, record: &'v Value<'v>) -> Said<'v> {
    match expression {
        Expression::Or(left, right) => Said::Bool(holds(left, record) || holds(right, record)),
        Expression::And(left, right) => Said::Bool(holds(left, record) && holds(right, record)),
        Expression::Not(inner) => Said::Bool(!holds(inner, record)),
        Expression::Compare(left, sign, right) => Said::Bool(compare(evaluate(left, record), sign, evaluate(right, record))),
        Expression::Text(said) => Said::Text(said.clone()),
        Expression::Number(number) => Said::Number(*number),
        Expression::List(items) => Said::Texts(
            items
                .iter()
                .map(|item| match item {
                    Expression::Text(said) => said.clone(),
                    other => panic!("a list of the transcript holds {other:?}, which is no text"),
                })
                .collect(),
        ),
        Expression::Call(name, arguments) => call(name, arguments, record),
    }
}

fn compare(left: Said<'_>, sign: &str, right: Said<'_>) -> bool {
    match (left, sign, right) {
        (Said::Text(part), "in", Said::Text(whole)) => whole.contains(&part),
        (Said::Text(said), "in", Said::Texts(texts)) => texts.contains(&said),
        (Said::Number(left), "<", Said::Number(right)) => left < right,
        (Said::Number(left), ">", Said::Number(right)) => left > right,
        (Said::Number(left), "<=", Said::Number(right)) => left <= right,
        (Said::Number(left), ">=", Said::Number(right)) => left >= right,
        (left, "!=", right) => !compare(left, "==", right),
        (Said::Bool(left), "==", Said::Bool(right)) => left == right,
        (Said::Text(left), "==", Said::Text(right)) => left == right,
        (Said::Number(left), "==", Said::Number(right)) => left == right,
        (Said::Value(value), "==", Said::Text(said)) => matches!(value, Some(Value::String(text)) if *text == said),
        (Said::Value(value), "==", Said::Texts(texts)) => {
            matches!(value, Some(Value::Array(items)) if items.is_empty() && texts.is_empty())
        }
        (Said::Values(values), "==", Said::Value(value)) => {
            matches!(value, Some(Value::Array(items)) if items.len() == values.len() && items.iter().zip(&values).all(|(item, value)| same(Some(item), *value)))
        }
        _ => panic!("the transcript compares by {sign} what does not compare"),
    }
}

/// The items of a list; what is no list has none.
fn items<'v>(value: Option<&'v Value<'v>>) -> &'v [Value<'v>] {
    if let Some(Value::Array(items)) = value { items } else { &[] }
}

fn is_object(value: Option<&Value<'_>>) -> bool {
    matches!(value, Some(Value::Object(_)))
}

fn says_something(value: Option<&Value<'_>>) -> bool {
    matches!(value, Some(Value::Object(members)) if !members.is_empty())
}

fn exactly(value: &Value<'_>, said: &str) -> bool {
    matches!(value, Value::String(text) if text == said)
}

/// The nested objects of a controlled result; the top one is taken from the record, else from the payload.
fn nested<'v>(record: &'v Value<'v>, name: &str) -> Option<&'v Value<'v>> {
    let top =
        |key: &str| Some(at(record, key)).filter(|value| says_something(*value)).unwrap_or_else(|| at(record, &format!("payload.{key}")));
    let below = |object: Option<&'v Value<'v>>, key: &str| object.and_then(|object| at(object, key));
    let mock = || below(top("mock_execution"), "mock_execution");
    let adapter = || below(mock(), "adapter_result");
    match name {
        "command_parse" => top("command_parse"),
        "gate" => top("gate_evaluation"),
        "mock" => mock(),
        "adapter" => adapter(),
        "adapter_payload" => below(adapter(), "payload"),
        other => panic!("the transcript knows no nested object {other}"),
    }
}

/// The words of a command without shell syntax.
fn plain_words(said: &str) -> Option<Vec<String>> {
    if said.is_empty() || shell_syntax(said) { None } else { split(said) }
}

fn shell_syntax(said: &str) -> bool {
    [";", "&", "|", ">", "<", "`", "$", "\n", "\r"].iter().any(|token| said.contains(token))
}

fn call<'v>(name: &str, arguments: &[Expression], record: &'v Value<'v>) -> Said<'v> {
    let argument = |place: usize| match arguments.get(place) {
        Some(Expression::Text(said)) => said.as_str(),
        other => panic!("{name} of the transcript has {other:?} where a text is due"),
    };
    let listed = |place: usize| match arguments.get(place).map(|argument| evaluate(argument, record)) {
        Some(Said::Texts(texts)) => texts,
        _ => panic!("{name} of the transcript has no list where one is due"),
    };
    let field = |place: usize| at(record, argument(place));
    let copy = || at(record, "payload").filter(|payload| is_object(Some(payload))).and_then(|payload| at(payload, argument(0)));
    let entries = || items(field(0)).iter();
    let keyed = |item: &'v Value<'v>| at(item, argument(1));
    let words = || plain_words(&text(field(0)));
    let is_fixed = |words: &[String]| {
        words.first().is_some_and(|word| word == "python")
            && words.get(1).is_some_and(|word| word == "-m")
            && words.get(2).is_some_and(|word| word == "src.testing.run_replay_evidence_check")
    };
    Said::Bool(match name {
        "value" => return Said::Value(field(0)),
        "text" => return Said::Text(text(field(0))),
        "lower" => return Said::Text(text(field(0)).to_lowercase()),
        "upper" => return Said::Text(text(field(0)).to_uppercase()),
        "number" => return Said::Number(number(field(0))),
        "length" => {
            return Said::Number(match field(0) {
                Some(Value::Array(items)) => items.len() as i128,
                Some(Value::String(said)) => said.chars().count() as i128,
                _ => 0,
            });
        }
        "targets_of" => return Said::Values(entries().map(|item| at(item, "target")).collect()),
        "object_text" => {
            let said = text(nested(record, argument(0)).and_then(|object| at(object, argument(1))));
            return Said::Text(if said.is_empty() { "none".to_owned() } else { said });
        }
        "blank" => text(field(0)).is_empty(),
        "null" => matches!(field(0), None | Some(Value::Null)),
        "set" => set(field(0)),
        "payload_set" => set(copy()),
        "any_set" => set(field(0)) || set(copy()),
        "not_true" => field(0) != Some(&Value::Bool(true)),
        "any_not_true" => field(0) != Some(&Value::Bool(true)) || copy().is_some_and(|copy| *copy != Value::Bool(true)),
        "int" => integer(field(0)).is_some(),
        "list" => matches!(field(0), Some(Value::Array(_))),
        "string" => matches!(field(0), Some(Value::String(_))),
        "object" => says_something(field(0)),
        "equals" => match arguments.get(1) {
            Some(Expression::Number(wanted)) => integer(field(0)).is_some() && number(field(0)) == *wanted,
            other => panic!("equals of the transcript has {other:?} where a number is due"),
        },
        "nonempty_list" => !items(field(0)).is_empty(),
        "lacks" => !entries().any(|item| exactly(item, argument(1))),
        "has" => entries().any(|item| exactly(item, argument(1))),
        "same" => same(field(0), field(1)),
        "is_false" => field(0) == Some(&Value::Bool(false)),
        "any_item" => entries().any(|item| is_object(Some(item)) && set(keyed(item))),
        "nonobject_item" => entries().any(|item| !is_object(Some(item))),
        "object_present" => says_something(nested(record, argument(0))),
        "object_flag" => set(nested(record, argument(0)).and_then(|object| at(object, argument(1)))),
        "argv_allowlisted" => {
            let words: Option<Vec<String>> = entries().map(|item| if let Value::String(word) = item { Some(word.to_string()) } else { None }).collect();
            matches!(field(0), Some(Value::Array(_))) && words.is_some_and(|words| accepts_words(&words))
        }
        "argv_equals_command" => split(&text(field(1))).is_some_and(|words| {
            matches!(field(0), Some(Value::Array(items)) if items.len() == words.len() && items.iter().zip(&words).all(|(item, word)| exactly(item, word)))
        }),
        "secret_env" => entries().any(|item| {
            let name = text(Some(item)).to_uppercase();
            ["TOKEN", "SECRET", "PASSWORD", "KEY", "CREDENTIAL"].iter().any(|part| name.contains(part))
        }),
        "env_not_allowed" => {
            let allowed = ["PATH", "PYTHONPATH", "PWD", "VIRTUAL_ENV", "LANG", "LC_ALL", "TZ"];
            !entries().all(|item| allowed.iter().any(|key| exactly(item, key)))
        }
        "traverses" => text(field(0)).replace('\\', "/").split('/').any(|part| part == ".."),
        // What the texts say in prose.
        "present" => field(0).is_some(),
        "mapping" => is_object(field(0)),
        "list_length" => return Said::Number(items(field(0)).len() as i128),
        "some_word_has" => entries().any(|word| text(Some(word)).contains(argument(1))),
        "last_word_has" => entries().next_back().is_some_and(|word| text(Some(word)).contains(argument(1))),
        "some_item_says_other" => entries().any(|item| text(keyed(item)) != argument(2)),
        "some_item_fails" => entries().any(|item| is_object(Some(item)) && text(keyed(item)).to_lowercase() != argument(2)),
        "items_lack" => listed(2).iter().any(|wanted| !entries().any(|item| text(keyed(item)) == *wanted)),
        "first_bad_is_nonobject" | "first_bad_has_status" => {
            let right = listed(1);
            let status = |item: &'v Value<'v>| text(at(item, "status")).to_lowercase();
            let bad = entries().find(|item| !is_object(Some(item)) || !right.contains(&status(item)));
            bad.is_some_and(|bad| is_object(Some(bad)) == (name == "first_bad_has_status"))
        }
        "copy_differs" => !text(copy()).is_empty() && text(copy()) != text(field(0)),
        "copy_differs_folded" => !text(copy()).is_empty() && text(copy()).to_lowercase() != text(field(0)).to_lowercase(),
        "shell_syntax" => shell_syntax(&text(field(0))),
        "splits" => split(&text(field(0))).is_some(),
        "plain_command" => words().is_some(),
        "begins_as_fixed" => words().is_some_and(|words| is_fixed(&words)),
        "has_word" => words().is_some_and(|words| words.iter().any(|word| word == argument(1))),
        "option_lacks_value" => words().is_some_and(|words| {
            let place = words.iter().position(|word| word == argument(1));
            let value = place.and_then(|place| words.get(place + 1));
            value.is_none_or(|value| value.trim().is_empty() || value.starts_with("--"))
        }),
        "first_is_last_word" => words().is_some_and(|words| words.iter().position(|word| word == argument(1)).is_some_and(|place| place + 1 == words.len())),
        "some_option_says_other" => words().is_some_and(|words| {
            words.windows(2).any(|pair| pair[0] == argument(1) && pair[1] != text(field(2)))
        }),
        other => panic!("the transcript calls {other}, which there is not"),
    })
}
