//! Seeding a directive: dry-run and with execution disabled, whatever payload is laid over it.

use super::publishing::LoopError;
use crate::ledger::surroundings::random_hex;
use crate::ledger::{Ledger, Record, Surroundings};
use serde_json::{Map, Value as Json};

/// The actions that may be directed at all.
pub const SAFE_ACTIONS: [&str; 5] = ["OBSERVE", "REDUCE_RISK", "SET_DRY_RUN", "PROMOTE_GOLD_CANDIDATES", "RUN_REPLAY"];

/// What a directive is seeded from.
#[derive(Debug, Clone, Copy)]
pub struct DirectiveRequest<'r> {
    /// One of the safe actions, in any case.
    pub action: &'r str,
    /// Whom it is for.
    pub target: &'r str,
    /// What kind of target that is.
    pub target_type: &'r str,
    /// Who seeds it.
    pub source: &'r str,
    /// How long it holds, in milliseconds; without it, for ever.
    pub ttl_ms: Option<u64>,
    /// Its id; a random one when blank.
    pub directive_id: &'r str,
    /// JSON text of an object to lay over the safe payload.
    pub payload_json: Option<&'r str>,
}

impl Default for DirectiveRequest<'_> {
    fn default() -> Self {
        Self {
            action: "REDUCE_RISK",
            target: "trade",
            target_type: "swarm",
            source: "manual-seed",
            ttl_ms: Some(300_000),
            directive_id: "",
            payload_json: None,
        }
    }
}

/// Publishes one directive.
///
/// # Errors
/// It is refused and nothing is published: an action outside of the safe set, a payload that is no
/// object in strict JSON, or one with which the Security check finds execution enabled or no dry run
/// where it asks for one. Or the ledger failed.
pub fn seed(request: &DirectiveRequest<'_>, ledger: &mut dyn Ledger, around: &mut dyn Surroundings) -> Result<Record, LoopError> {
    let directive = prepare(request, around)?;
    ledger.publish(directive.clone(), around)?;
    Ok(directive)
}

/// What Security says of a directive that would run, or not be dry. Its other reasons are for Security to
/// report: such a directive does nothing.
const UNSAFE: [&str; 4] =
    ["execution_enabled_not_allowed", "safe_action_attempts_live_execution", "safe_action_requires_dry_run", "run_replay_requires_dry_run"];

/// The directive, unpublished: whoever refuses it need not open a ledger.
///
/// # Errors
/// As [`seed`], but for the ledger.
pub fn prepare(request: &DirectiveRequest<'_>, around: &mut dyn Surroundings) -> Result<Record, LoopError> {
    let directive = build(request, around)?;
    if let Err(fault) = crate::json::parse(directive.to_line().as_bytes()) {
        return Err(LoopError::Refused(format!("no reader would read the directive: it has {}", fault.describe())));
    }
    let mut unsafe_reasons = directive.verdict().reasons;
    unsafe_reasons.retain(|reason| UNSAFE.contains(&reason.as_str()));
    if unsafe_reasons.is_empty() {
        return Ok(directive);
    }
    Err(LoopError::Refused(format!("the payload is not safe: {}", unsafe_reasons.join(", "))))
}

fn build(request: &DirectiveRequest<'_>, around: &mut dyn Surroundings) -> Result<Record, LoopError> {
    let action = request.action.trim().to_uppercase();
    if request.source.trim().is_empty() {
        return Err(LoopError::Refused("the source is blank; it is the node that publishes".to_owned()));
    }
    if !SAFE_ACTIONS.contains(&action.as_str()) {
        return Err(LoopError::Refused(format!("the action is outside of the safe set; it may be {}", SAFE_ACTIONS.join(", "))));
    }
    let payload = laid_over(safe_payload(&action), request.payload_json)?;
    let given = request.directive_id.trim();
    let id = if given.is_empty() { random_hex(around) } else { given.to_owned() };
    Ok(Record::new("swarm_directive")
        .with("directive_id", id)
        .with("source", request.source.trim())
        .with("severity", if action == "REDUCE_RISK" { "warning" } else { "info" })
        .with("action", action)
        .with("target", request.target.trim())
        .with("target_type", request.target_type.trim())
        .with("reason", "manual_directive_seed")
        .with("status", "issued")
        .with("ttl_ms", request.ttl_ms)
        .with("created_at", around.now())
        .with("payload", payload))
}

fn safe_payload(action: &str) -> Map<String, Json> {
    let mut payload = Map::new();
    for flag in ["seeded", "runtime_check", "dry_run"] {
        payload.insert(flag.to_owned(), true.into());
    }
    if action != "RUN_REPLAY" {
        payload.insert("execution_enabled".to_owned(), false.into());
    }
    payload
}

fn laid_over(mut payload: Map<String, Json>, text: Option<&str>) -> Result<Map<String, Json>, LoopError> {
    let Some(text) = text else { return Ok(payload) };
    let over = Record::parse(text).map_err(|fault| LoopError::Refused(format!("the payload is no JSON object: {fault}")))?;
    payload.extend(over.members().clone());
    Ok(payload)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::surroundings::Scripted;

    fn seeded(request: DirectiveRequest<'_>) -> Result<Record, LoopError> {
        let mut ledger = MemoryLedger::new("n");
        let seeded = seed(&request, &mut ledger, &mut Scripted::new(10.0, 1.0));
        assert_eq!(ledger.len(), usize::from(seeded.is_ok()), "a refused directive is not published");
        seeded
    }

    #[test]
    fn the_defaults_reduce_risk_in_a_dry_run() {
        let directive = seeded(DirectiveRequest::default()).expect("the defaults are safe");
        assert!(directive.verdict().valid);
        for (field, said) in [("action", "REDUCE_RISK"), ("target", "trade"), ("target_type", "swarm"), ("status", "issued")] {
            assert_eq!(directive.text(field), said);
        }
        assert_eq!((directive.text("severity"), directive.text("ttl_ms")), ("warning".to_owned(), "300000".to_owned()));
        assert_eq!(directive.text("directive_id").len(), 32);
        assert_eq!(directive.get("payload.dry_run"), Some(&Json::Bool(true)));
        assert_eq!(directive.get("payload.execution_enabled"), Some(&Json::Bool(false)));
    }

    #[test]
    fn every_safe_action_is_valid_and_replay_says_nothing_of_execution() {
        for action in SAFE_ACTIONS {
            let (target, payload_json) =
                if action == "RUN_REPLAY" { ("simulation", Some(r#"{"scenario_id": "s"}"#)) } else { ("trade", Some(r#"{"note": 1}"#)) };
            let lower = action.to_lowercase();
            let directive =
                seeded(DirectiveRequest { action: &lower, target, payload_json, directive_id: "d", ..Default::default() }).expect(action);
            assert_eq!(directive.text("directive_id"), "d");
            assert_eq!(directive.get("payload.execution_enabled").is_none(), action == "RUN_REPLAY");
            assert_eq!(directive.text("severity") == "warning", action == "REDUCE_RISK");
        }
    }

    #[test]
    fn what_is_unsafe_is_refused_and_not_published() {
        let enabled = [r#"{"execution_enabled": true}"#, r#"{"execution_enabled": 0}"#];
        let broken = [r#"{"dry_run": true, "dry_run": false}"#, "[]", "7", "", "{", "{'a': 1}", r#"{"a": NaN}"#];
        for action in SAFE_ACTIONS {
            for payload in enabled.into_iter().chain(broken) {
                let request = DirectiveRequest { action, payload_json: Some(payload), ..Default::default() };
                assert!(matches!(seeded(request), Err(LoopError::Refused(_))), "{action} {payload}");
            }
        }
        for action in ["REDUCE_RISK", "SET_DRY_RUN", "RUN_REPLAY"] {
            for payload in [r#"{"dry_run": false}"#, r#"{"dry_run": "true"}"#, r#"{"dry_run": null}"#] {
                let request = DirectiveRequest { action, payload_json: Some(payload), ..Default::default() };
                assert!(matches!(seeded(request), Err(LoopError::Refused(_))), "{action} {payload}");
            }
        }
        for action in ["BUY", "", "RUN REPLAY"] {
            assert!(matches!(seeded(DirectiveRequest { action, ..Default::default() }), Err(LoopError::Refused(_))), "{action}");
        }
        assert!(matches!(seeded(DirectiveRequest { source: " ", ..Default::default() }), Err(LoopError::Refused(_))));
    }

    #[test]
    fn what_only_security_finds_fault_with_is_published() {
        for (request, reason) in [
            (DirectiveRequest { target: "moon", ..Default::default() }, "unsupported_target"),
            (DirectiveRequest { target: "all", ..Default::default() }, "unsupported_target"),
            (DirectiveRequest { target: "trade-1", target_type: "node", ..Default::default() }, "unsupported_target"),
            (DirectiveRequest { target_type: "capability", ..Default::default() }, "unsupported_target_type"),
            (DirectiveRequest { action: "RUN_REPLAY", ..Default::default() }, "run_replay_missing_scenario_id"),
        ] {
            let directive = seeded(request).expect("it cannot do anything");
            assert!(directive.verdict().reasons.iter().any(|said| said == reason), "{request:?}: {:?}", directive.verdict().reasons);
        }
        for action in ["OBSERVE", "PROMOTE_GOLD_CANDIDATES"] {
            let request = DirectiveRequest { action, payload_json: Some(r#"{"dry_run": false}"#), ..Default::default() };
            assert_eq!(seeded(request).expect("it runs nothing").get("payload.dry_run"), Some(&Json::Bool(false)), "{action}");
        }
    }

    #[test]
    fn a_payload_too_deep_to_be_read_back_is_refused() {
        let deep = format!("{{\"a\": {}1{}}}", "[".repeat(127), "]".repeat(127));
        let request = DirectiveRequest { payload_json: Some(&deep), ..Default::default() };
        assert!(matches!(seeded(request), Err(LoopError::Refused(_))));
    }
}
