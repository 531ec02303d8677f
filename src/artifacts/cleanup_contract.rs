//! The contract of a cleanup result: nothing deleted that was not listed, nothing done in a dry run.

use super::cleanup::{COUNTS, DRY_RUN, EXECUTE};
use crate::memory::{
    flags_set, is_set,
    value::{clean, field, int, is_blank, num, truthy},
};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;

/// The entries of a list, one after the other.
type Each<'l> = &'l dyn Fn(&mut dyn FnMut(&Json));

/// The lists of a result, which need not lie in it: how many entries each has, and how to see them. `None` is no list.
pub(super) struct Lists<'l> {
    pub(super) would_delete: Option<(usize, Each<'l>)>,
    pub(super) deleted: Option<(usize, Each<'l>)>,
    pub(super) deletion_errors: Option<usize>,
}

/// What is wrong with a cleanup result, in order; empty when it keeps its contract.
pub fn check(result: &Json) -> Vec<String> {
    let of = |name: &str| field(result, name).as_array();
    let (would_delete, deleted) = (of("would_delete"), of("deleted"));
    let each_listed = |seen: &mut dyn FnMut(&Json)| would_delete.into_iter().flatten().for_each(seen);
    let each_deleted = |seen: &mut dyn FnMut(&Json)| deleted.into_iter().flatten().for_each(seen);
    let lists = Lists {
        would_delete: would_delete.map(|items| (items.len(), &each_listed as Each<'_>)),
        deleted: deleted.map(|items| (items.len(), &each_deleted as Each<'_>)),
        deletion_errors: of("deletion_errors").map(Vec::len),
    };
    check_lists(result, &lists)
}

/// The same of a result whose lists lie elsewhere.
pub(super) fn check_lists(result: &Json, lists: &Lists<'_>) -> Vec<String> {
    let mut errors = Vec::new();
    let said = |name: &str| field(result, name);
    let mode = said("mode").as_str().unwrap_or_default();
    if said("type") != "cluster_latest_artifacts_cleanup_result" {
        errors.push("type must be cluster_latest_artifacts_cleanup_result".to_owned());
    }
    if ![DRY_RUN, EXECUTE].contains(&mode) {
        errors.push(format!("mode must be one of ['{DRY_RUN}', '{EXECUTE}']"));
    }
    if !said("status").as_str().is_some_and(|status| ["completed", "blocked", "partial", "failed"].contains(&status)) {
        errors.push("status must be completed, blocked, partial, or failed".to_owned());
    }
    errors.extend(flags_set(result).map(|flag| format!("{flag} must be false")));
    check_deleted(result, lists, mode, &mut errors);
    let mut ask = |holds: bool, reason: &str| {
        if !holds {
            errors.push(reason.to_owned());
        }
    };
    let would_delete_count = int(said("would_delete_count"), -1);
    ask(lists.would_delete.is_some(), "would_delete must be a list");
    let length = lists.would_delete.map_or(0, |(length, _)| length);
    ask(
        i128::try_from(length) == Ok(would_delete_count),
        &format!("would_delete_count must equal len(would_delete): would_delete_count={would_delete_count}, len={length}"),
    );
    ask(lists.deletion_errors.is_some(), "deletion_errors must be a list");
    let is_clean = lists.deletion_errors.unwrap_or(0) == 0;
    ask(!truthy(said("contract_ok")) || is_clean, "deletion_errors must be empty when contract_ok is true");
    let retention = said("retention");
    ask(retention.is_object(), "retention must be a mapping");
    ask(field(retention, "mode") == "inspect_only", "retention.mode must be inspect_only");
    let in_retention = int(field(retention, "would_delete_count"), -1);
    ask(
        in_retention == would_delete_count,
        &format!("retention.would_delete_count must match would_delete_count: retention={in_retention}, cleanup={would_delete_count}"),
    );
    ask(num(field(retention, "max_age_seconds"), -1.0) >= 0.0, "retention.max_age_seconds must be >= 0");
    for name in COUNTS {
        ask(int(said(name), -1) >= 0, &format!("{name} must be >= 0"));
    }
    ask(truthy(said("source_contract_ok")) == truthy(said("contract_ok")), "source_contract_ok must match contract_ok");
    check_items(lists, &mut errors);
    let executed = mode == EXECUTE && is_clean;
    check_post_cleanup(said("post_cleanup"), executed, &mut errors);
    errors
}

fn check_deleted(result: &Json, lists: &Lists<'_>, mode: &str, errors: &mut Vec<String>) {
    let said = |name: &str| field(result, name);
    let is_true = |name: &str| *said(name) == Json::Bool(true);
    let mut ask = |holds: bool, reason: &str| {
        if !holds {
            errors.push(reason.to_owned());
        }
    };
    let (length, count) = (lists.deleted.map_or(0, |(length, _)| length), int(said("deleted_count"), -1));
    ask(lists.deleted.is_some(), "deleted must be a list");
    ask(i128::try_from(length) == Ok(count), &format!("deleted_count must equal len(deleted): deleted_count={count}, len={length}"));
    if mode == DRY_RUN {
        ask(count == 0, "deleted_count must be 0 for dry-run cleanup");
        ask(length == 0, "deleted must be an empty list for dry-run cleanup");
        ask(!is_set(said("local_artifact_deletion_performed")), "local_artifact_deletion_performed must be false for dry-run");
    }
    if mode == EXECUTE {
        ask(is_true("execute_delete_local_artifacts"), "execute_delete_local_artifacts must be true in execute mode");
        ask(is_true("artifacts_root_allowed"), "artifacts_root_allowed must be true in execute mode");
        ask(
            count <= 0 || is_true("local_artifact_deletion_performed"),
            "local_artifact_deletion_performed must be true when deleted_count > 0",
        );
    }
}

fn check_items(lists: &Lists<'_>, errors: &mut Vec<String>) {
    // A digest of each path, since there may be a million.
    let mut listed: HashSet<[u8; 16]> = HashSet::new();
    let digest = |item: &Json| {
        let mut short = [0; 16];
        short.copy_from_slice(&Sha256::digest(clean(field(item, "path")))[..16]);
        short
    };
    let mut number = 0;
    let mut would_delete = |item: &Json| {
        number += 1;
        if !item.is_object() {
            errors.push(format!("would_delete item #{number} must be a mapping"));
            return;
        }
        for name in ["path", "reason"] {
            if is_blank(field(item, name)) {
                errors.push(format!("would_delete item #{number} {name} is required"));
            }
        }
        if num(field(item, "age_seconds"), -1.0) < 0.0 {
            errors.push(format!("would_delete item #{number} age_seconds must be >= 0"));
        }
        listed.insert(digest(item));
    };
    if let Some((_, each)) = lists.would_delete {
        each(&mut would_delete);
    }
    let mut number = 0;
    let mut deleted = |item: &Json| {
        number += 1;
        if !item.is_object() {
            errors.push(format!("deleted item #{number} must be a mapping"));
        } else if is_blank(field(item, "path")) {
            errors.push(format!("deleted item #{number} path is required"));
        } else if !listed.contains(&digest(item)) {
            errors.push(format!("deleted item #{number} path must be present in would_delete"));
        }
    };
    if let Some((_, each)) = lists.deleted {
        each(&mut deleted);
    }
}

fn check_post_cleanup(post: &Json, executed: bool, errors: &mut Vec<String>) {
    let mut ask = |holds: bool, reason: &str| {
        if !holds {
            errors.push(format!("post_cleanup{reason}"));
        }
    };
    let retention = field(post, "retention");
    let would_delete = int(field(retention, "would_delete_count"), -1);
    ask(post.is_object(), " must be a mapping");
    ask(*field(post, "checked") == Json::Bool(true), ".checked must be true");
    for name in COUNTS {
        ask(int(field(post, name), -1) >= 0, &format!(".{name} must be >= 0"));
    }
    ask(retention.is_object(), ".retention must be a mapping");
    ask(would_delete >= 0, ".retention.would_delete_count must be >= 0");
    ask(num(field(retention, "max_age_seconds"), -1.0) >= 0.0, ".retention.max_age_seconds must be >= 0");
    if executed {
        ask(int(field(post, "stale_artifact_count"), -1) == 0, ".stale_artifact_count must be 0 after successful execute cleanup");
        ask(would_delete == 0, ".retention.would_delete_count must be 0 after successful execute cleanup");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn items_are_told_by_their_number() {
        let would_delete = [json!(7), json!({"path": " "}), json!({"path": "p", "reason": "r", "age_seconds": "1"})];
        let deleted = [json!([]), json!({}), json!({"path": "q"}), json!({"path": " p "})];
        let mut errors = check(&json!({"would_delete": would_delete, "deleted": deleted}));
        errors.retain(|error| error.contains(" item #"));
        assert_eq!(
            errors,
            [
                "would_delete item #1 must be a mapping",
                "would_delete item #2 path is required",
                "would_delete item #2 reason is required",
                "would_delete item #2 age_seconds must be >= 0",
                "deleted item #1 must be a mapping",
                "deleted item #2 path is required",
                "deleted item #3 path must be present in would_delete"
            ]
        );
    }

    #[test]
    fn a_dry_run_that_deleted_is_refused_thrice() {
        let result = json!({"mode": "dry_run", "deleted": [{}], "deleted_count": 1, "local_artifact_deletion_performed": "no"});
        let errors = check(&result);
        for reason in [
            "deleted_count must be 0 for dry-run cleanup",
            "deleted must be an empty list for dry-run cleanup",
            "local_artifact_deletion_performed must be false for dry-run",
        ] {
            assert!(errors.iter().any(|error| error == reason), "{reason}");
        }
    }
}
