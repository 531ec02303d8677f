//! Answers for the areas `artifacts` and `cleanup`, over a lay-out in memory.

use super::cleanup::{COUNTS, Cleanup};
use super::cleanup_contract;
use super::index::{Retention, index};
use super::latest::latest;
use super::layout::{LayOut, ROOT};
use crate::memory::value::{clean, field, list, members, num, text, truthy};
use crate::memory::{Answer, Unanswered};
use serde_json::{Map, Value as Json, json};

/// Answers one operation of the two areas.
pub(crate) fn answer(area: &str, operation: &str, input: &Json) -> Result<Answer, Unanswered> {
    match (area, operation) {
        ("artifacts", "index") => {
            let store = LayOut::of(input).ok_or(Unanswered::LayOut)?;
            let summary = index(&store, ROOT, Retention::from_json(input), num(field(input, "now"), 0.0));
            Ok(summarized(summary, "cluster_latest_artifacts_contract_not_ok"))
        }
        ("artifacts", "latest") => {
            let store = LayOut::of(input).ok_or(Unanswered::LayOut)?;
            let roots: Vec<String> = list(field(input, "search_roots")).iter().map(text).collect();
            let path = text(field(input, "json_path"));
            let mut summary = latest(&store, Some(&*path).filter(|path| !path.is_empty()), &roots);
            if let Some(summary) = summary.as_object_mut() {
                summary.remove("artifact_mtime");
            }
            Ok(summarized(summary, "memory_replay_latest_contract_not_ok"))
        }
        ("cleanup", "run") => run(input),
        ("cleanup", "validate") => {
            let reasons = cleanup_contract::check(field(input, "result"));
            Ok(Answer { output: json!({"errors": reasons}), reasons })
        }
        _ => Err(Unanswered::UnknownOperation),
    }
}

fn summarized(summary: Json, reason: &str) -> Answer {
    let ok = truthy(field(&summary, "contract_ok"));
    let output = json!({"summary": summary, "exit_code_check_contract": u8::from(!ok)});
    Answer { output, reasons: if ok { Vec::new() } else { vec![reason.to_owned()] } }
}

fn run(input: &Json) -> Result<Answer, Unanswered> {
    const ELSEWHERE: &str = "/base/elsewhere";
    const LINKED: &str = "/base/artifacts-link";
    let mut store = LayOut::of(input).ok_or(Unanswered::LayOut)?;
    let kind = clean(field(input, "root_kind"));
    let (root, default_root) = match &*kind {
        "" | "allowlisted" => (ROOT, ROOT),
        "other" => (ROOT, ELSEWHERE),
        "dotdot" => ("<ROOT>/../artifacts", ROOT),
        "symlink_root" => {
            store.add(&json!({"name": LINKED, "kind": "symlink", "target": ROOT}), 0.0).ok_or(Unanswered::LayOut)?;
            (LINKED, ROOT)
        }
        "subdir" => ("<ROOT>/sub", ROOT),
        "parent" => ("<ROOT>/..", ROOT),
        _ => return Err(Unanswered::LayOut),
    };
    let cleanup = Cleanup {
        root,
        default_root,
        retention: Retention::from_json(input),
        now: num(field(input, "now"), 0.0),
        execute: truthy(field(input, "execute")),
    };
    let result = cleanup.run(&mut store).to_json();
    let errors = cleanup_contract::check(&result);
    let kept = errors.is_empty() && truthy(field(&result, "contract_ok"));
    let mut output = shown_of(&result);
    output.insert("remaining_files".to_owned(), store.remaining().into());
    output.insert("outside_intact".to_owned(), store.outside_intact().into());
    output.insert("exit_code_plain".to_owned(), u8::from(!errors.is_empty()).into());
    output.insert("exit_code_check_contract".to_owned(), u8::from(!kept).into());
    output.insert("result_contract_errors".to_owned(), errors.clone().into());
    let mut reasons = errors;
    if !kept && reasons.is_empty() {
        reasons.push("cluster_latest_artifacts_cleanup_contract_not_ok".to_owned());
    }
    Ok(Answer { output: Json::Object(output), reasons })
}

/// The part of a cleanup result that a case describes.
fn shown_of(result: &Json) -> Map<String, Json> {
    const SHOWN: [&str; 16] = [
        "type",
        "mode",
        "status",
        "artifacts_root_allowed",
        "execute_delete_local_artifacts",
        "local_artifact_deletion_performed",
        "source_status",
        "source_contract_ok",
        "would_delete_count",
        "deleted_count",
        "contract_ok",
        "external_write_performed",
        "real_execution_enabled",
        "production_paths_mutated",
        "production_secrets_accessed",
        "post_cleanup",
    ];
    let mut shown: Map<String, Json> = SHOWN.iter().chain(&COUNTS).map(|name| ((*name).to_owned(), field(result, name).clone())).collect();
    let texts = |name: &str, of: &str| list(field(result, name)).iter().map(|entry| clean(field(entry, of))).collect::<Vec<_>>();
    shown.insert("would_delete_names".to_owned(), texts("would_delete", "name").into());
    shown.insert("deleted_names".to_owned(), texts("deleted", "name").into());
    shown.insert("deletion_error_reasons".to_owned(), texts("deletion_errors", "reason").into());
    let mut post = members(field(result, "post_cleanup"));
    let would_delete = field(field(result, "post_cleanup"), "retention").get("would_delete_count").cloned();
    for name in ["retention", "source_summary_type", "artifacts_root"] {
        post.remove(name);
    }
    post.insert("retention_would_delete_count".to_owned(), would_delete.into());
    shown.insert("post_cleanup".to_owned(), Json::Object(post));
    shown
}
