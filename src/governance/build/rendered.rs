//! A rendered command: a plan's template with its two placeholders filled. It is text, and stays text.

use super::refusal::Asked;
use super::{Refusal, Stamp, is_enabled, object, repeated};
use crate::contract::command_text;
use crate::governance::id;
use crate::governance::terms::{PLAN, RENDERED};
use crate::ledger::Record;
use serde_json::Value as Json;

/// What a token may not hold, beside whitespace and control characters.
const UNSAFE: [char; 7] = [';', '&', '|', '>', '<', '`', '$'];

/// The command of `plan` for this scenario and this directive.
///
/// # Errors
/// Every reason why not, those of the command's text included.
pub fn rendered(plan: &Record, scenario_id: &str, new_directive_id: &str, stamp: &Stamp<'_>) -> Result<Record, Vec<Refusal>> {
    let mut asked = Asked::default();
    asked.is_a(plan, PLAN);
    for field in ["plan_id", "proposal_id", "approval_id"] {
        asked.text(plan, field);
    }
    asked.that(plan.text("status").to_lowercase() == "planned", Refusal::NotPlanned);
    asked.that(!is_enabled(plan), Refusal::ExecutionEnabled);
    let profile = plan.text("timeout_profile");
    asked.safe(&profile);
    let mode = asked.mode(&plan.text("decision_mode"));
    let template = asked.text(plan, "command_template");
    let tokens = [("scenario_id", "--scenario-id", scenario_id), ("new_directive_id", "--directive-id", new_directive_id)];
    let mut command = template.clone();
    for (name, _, token) in tokens {
        asked.that(template.contains(&format!("<{name}>")), Refusal::NoPlaceholder(name));
        asked.said(token.trim(), name);
        asked.that(!is_unsafe(token), Refusal::UnsafeToken(name));
    }
    asked.done()?;
    // No token holds a `<`, so none can bring a placeholder of its own.
    for (name, _, token) in tokens {
        command = command.replace(&format!("<{name}>"), token);
    }
    let links = repeated(plan, &["plan_id", "proposal_id", "approval_id"]);
    let mut payload = object([
        ("scenario_id", Json::from(scenario_id)),
        ("new_directive_id", Json::from(new_directive_id)),
        ("timeout_profile", Json::from(profile.as_str())),
        ("decision_mode", Json::from(mode.as_str())),
        ("command_template", Json::from(template)),
        ("command", Json::from(command.as_str())),
        ("execution_enabled", Json::from(false)),
        ("executed", Json::from(false)),
    ]);
    payload.extend(links);
    let own = stamp.id_or(|| id::rendered(&plan.text("plan_id"), scenario_id, new_directive_id, &command));
    payload.insert("rendered_command_id".to_owned(), Json::from(own.as_str()));
    let record = Record::new(RENDERED)
        .with("rendered_command_id", own)
        .with("plan_id", plan.text("plan_id"))
        .with("proposal_id", plan.text("proposal_id"))
        .with("approval_id", plan.text("approval_id"))
        .with("status", "rendered")
        .with("execution_enabled", false)
        .with("scenario_id", scenario_id)
        .with("new_directive_id", new_directive_id)
        .with("timeout_profile", profile)
        .with("decision_mode", mode)
        .with("command", command.as_str());
    let record = stamp.seal(record, payload)?;
    // Quotes and backslashes can still make another value of a token.
    let words = command_text::split(&command).unwrap_or_default();
    let mut asked = Asked::default();
    for (name, option, token) in tokens {
        let reaches = words.windows(2).any(|pair| pair[0] == option && pair[1] == token);
        asked.that(reaches, Refusal::TokenChanged(name));
    }
    asked.done().map(|()| record)
}

fn is_unsafe(token: &str) -> bool {
    token.starts_with('-')
        || token.chars().any(|character| UNSAFE.contains(&character) || character.is_whitespace() || character.is_control())
}
