# An honest part of the row rules: the status, the claim, the flags, the refs, the movement of HEAD, the claimed paths, and
# private paths and three credential shapes in every string. No uniqueness of ids, no evidence blocks, no strict reading.
package row

import rego.v1

statuses := {"scoped_commit_landed", "metadata_blocked_patch_bundle", "hard_stop"}

placeholders := {"", "todo", "tbd", "fixme", "none", "n/a", "na", "null", "nil", "pending", "unknown", "-", "--", "?", "..."}

usable(ref) if {
	is_string(ref)
	not lower(trim_space(ref)) in placeholders
}

landed if input.landing_status == "scoped_commit_landed"

landed if input.commit_claimed_landed == true

on_path if landed

on_path if input.landing_status == "metadata_blocked_patch_bundle"

commit_id(id) if {
	is_string(id)
	regex.match(`^(?i)([0-9a-f]{6,40}|[0-9a-f]{64}|sha(1|256):[0-9a-f]{6,64})$`, id)
}

moved if {
	commit_id(input.head_before)
	commit_id(input.head_after)
	lower(input.head_before) != lower(input.head_after)
	not regex.match(`^0+$`, input.head_after)
}

refused contains "run_id_missing" if not usable_id

usable_id if {
	is_string(input.run_id)
	trim_space(input.run_id) != ""
}

refused contains "landing_status_unknown" if not input.landing_status in statuses

refused contains "landed_claim_not_boolean" if not is_boolean(input.commit_claimed_landed)

refused contains "landed_claim_contradicted" if {
	input.commit_claimed_landed == true
	input.landing_status != "scoped_commit_landed"
}

refused contains "landed_claim_contradicted" if {
	input.commit_claimed_landed == false
	input.landing_status == "scoped_commit_landed"
}

refused contains "head_advance_missing" if {
	landed
	not moved
}

refused contains "validation_order_missing" if {
	on_path
	not input.validation_precedes_commit_attempt == true
}

refused contains "evidence_ref_missing" if count([ref | some ref in input.validation_refs; usable(ref)]) == 0

refused contains "claimed_paths_missing" if count([ref | some ref in input.claimed_path_refs; usable(ref)]) == 0

refused contains "ref_item_invalid" if {
	some ref in input.validation_refs
	not usable(ref)
}

refused contains "claimed_path_invalid" if {
	some path in input.claimed_path_refs
	regex.match(`^[/\\~]|^[A-Za-z]:|^(?i)file:|(^|[/\\])\.\.([/\\]|$)|[\x00-\x1f\x7f]`, path)
}

refused contains "ledger_closeout_missing" if not usable(input.work_ledger_closeout_ref)

refused contains "blocker_capture_missing" if {
	input.landing_status == "metadata_blocked_patch_bundle"
	not usable(input.blocker_capture_ref)
}

refused contains "live_git_mutation_authority" if not input.live_git_mutation_authorized == false

refused contains "dirty_tree_boundary_missing" if not input.unrelated_dirty_paths_staged == false

refused contains "release_overclaim" if not input.release_claim_authorized == false

refused contains "private_path_leakage" if {
	walk(input, [_, text])
	is_string(text)
	regex.match(`(^|[^A-Za-z0-9_.-])((?i)/users/[^/\\\s]|/home/[^/\\\s]|/root/)|(^|[\s"'=:(,;\[])~[A-Za-z0-9._-]*/|/private/|/var/folders/`, text)
}

refused contains "secret_material" if {
	walk(input, [_, text])
	is_string(text)
	regex.match(`(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{36}|-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----`, text)
}
