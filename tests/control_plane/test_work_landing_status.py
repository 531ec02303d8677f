"""Statuses and rows: the words a row may use, and the ledgers that support none."""

import json
import sys
import unittest
from typing import Any

sys.dont_write_bytecode = True
from workbench import REPOSITORY, Workbench  # noqa: E402

from system.lib.work_landing_status import (  # noqa: E402
    HARD_STOP, LANDING_STATUSES, METADATA_BLOCKED_PATCH_BUNDLE, SCOPED_COMMIT_LANDED, StatusError, build_landing_row,
    decide_landing_status, hand_out_row,
)
from tools.meta.factory.work_ledger import LedgerError, WorkLedger  # noqa: E402

AT = "2026-01-05T09:00:00Z"
BEFORE, AFTER = "a" * 40, "b" * 40
FIELDS = [
    "run_id", "landing_status", "commit_claimed_landed", "head_before", "head_after",
    "validation_precedes_commit_attempt", "validation_refs", "claimed_path_refs", "work_ledger_closeout_ref",
    "blocker_capture_ref", "live_git_mutation_authorized", "unrelated_dirty_paths_staged", "release_claim_authorized",
]


class Decisions(unittest.TestCase):
    def test_each_end_has_its_status(self) -> None:
        self.assertEqual(decide_landing_status(AFTER, BEFORE, AFTER, "", ""), SCOPED_COMMIT_LANDED)
        self.assertEqual(decide_landing_status("", BEFORE, BEFORE, "blocker", ""), METADATA_BLOCKED_PATCH_BUNDLE)
        self.assertEqual(decide_landing_status("", BEFORE, BEFORE, "", "stop"), HARD_STOP)
        self.assertEqual(len(set(LANDING_STATUSES)), 3)

    def test_no_end_and_two_ends_support_no_status(self) -> None:
        for ends in (("", "", ""), (AFTER, "blocker", ""), (AFTER, "", "stop"), ("", "blocker", "stop")):
            with self.subTest(ends=ends), self.assertRaises(StatusError):
                decide_landing_status(ends[0], BEFORE, AFTER, ends[1], ends[2])

    def test_a_commit_that_did_not_move_head_is_not_landed(self) -> None:
        for commit, after in ((BEFORE, BEFORE), (AFTER, BEFORE), (AFTER, "c" * 40)):
            with self.subTest(commit=commit, after=after), self.assertRaises(StatusError):
                decide_landing_status(commit, BEFORE, after, "", "")


class Rows(Workbench):
    def setUp(self) -> None:
        super().setUp()
        self.ledger = WorkLedger(self.records / "work-ledger.jsonl")
        facts = {"paths": ["owned.txt"], "head": BEFORE, "target_ref": "refs/heads/main"}
        self.ledger.append_entry("claim", "item", AT, facts)

    def validated(self, exit_code: int = 0, content: str = "seen", **counts: int) -> str:
        kept = self.ledger.keep_file("validation", "item", ".log", b"log\n")
        facts = {"content": content, "exit_code": exit_code, "command": "make check", **counts}
        facts |= {"log_ref": kept.ref, "log_sha256": kept.sha256}
        self.ledger.append_entry("validation", "item", AT, facts)
        return kept.ref

    def attempted(self, content: str = "seen") -> None:
        self.ledger.append_entry("attempt", "item", AT, {"content": content})

    def closed(self, **facts: Any) -> dict[str, Any]:
        """Closes the item, as landed unless told otherwise, and reads its row."""
        landed = {
            "landing_status": SCOPED_COMMIT_LANDED, "commit": AFTER, "head_after": AFTER, "blocker_ref": "",
            "stop_ref": "", "unrelated_staged": [], "target_ref_after": AFTER, "head_before_is_ancestor": True,
        }
        self.ledger.append_entry("closeout", "item", AT, landed | facts)
        return build_landing_row(self.ledger, "item")

    def test_a_landed_row_says_what_the_ledger_shows(self) -> None:
        ref = self.validated(passed=3, failed=0)
        self.attempted()
        row = self.closed()
        self.assertEqual(list(row)[: len(FIELDS)], FIELDS)
        self.assertEqual((row["landing_status"], row["commit_claimed_landed"]), (SCOPED_COMMIT_LANDED, True))
        self.assertEqual((row["head_before"], row["head_after"]), (BEFORE, AFTER))
        self.assertIs(row["validation_precedes_commit_attempt"], True)
        self.assertEqual((row["validation_refs"], row["claimed_path_refs"]), ([ref], ["owned.txt"]))
        self.assertEqual(row["work_ledger_closeout_ref"], "evidence/work-ledger.jsonl#L4")
        for flag in FIELDS[-3:]:
            self.assertIs(row[flag], False)
        outcome = {"ref": ref, "exit_code": 0, "passed": 3, "failed": 0}
        outcome |= {"recorded_by": "tools/meta/control/work_landing.py", "producing_command": "make check"}
        self.assertEqual(row["validation_outcomes"], [outcome])
        self.assertEqual((row["target_ref_before"], row["target_ref_after"]), (BEFORE, AFTER))

    def test_unknown_counts_are_left_out_and_not_guessed(self) -> None:
        self.validated()
        self.attempted()
        self.assertFalse({"passed", "failed"} & set(self.closed()["validation_outcomes"][0]))

    def test_a_blocked_row_claims_nothing_and_names_its_blocker(self) -> None:
        self.validated()
        self.attempted()
        ends = {"commit": "", "head_after": BEFORE, "blocker_ref": "evidence/blocker/item.json"}
        row = self.closed(landing_status=METADATA_BLOCKED_PATCH_BUNDLE, **ends)
        self.assertEqual((row["commit_claimed_landed"], row["blocker_capture_ref"]), (False, ends["blocker_ref"]))
        self.assertNotIn("target_ref", row)

    def test_a_stop_without_an_attempt_says_no_validation_preceded_one(self) -> None:
        ref = self.validated()
        ends = {"commit": "", "head_after": BEFORE, "stop_ref": "evidence/stop/item.json"}
        row = self.closed(landing_status=HARD_STOP, **ends)
        self.assertIs(row["validation_precedes_commit_attempt"], False)
        self.assertEqual((row["validation_refs"], row["blocker_capture_ref"]), ([ref], ends["stop_ref"]))

    def test_a_validation_after_the_attempt_is_not_cited_and_not_before_it(self) -> None:
        self.attempted()
        self.validated()
        row = self.closed()
        self.assertEqual((row["validation_precedes_commit_attempt"], row["validation_refs"]), (False, []))

    def test_a_validation_of_other_content_is_not_cited(self) -> None:
        self.validated(content="something else")
        self.attempted()
        row = self.closed()
        self.assertEqual((row["validation_precedes_commit_attempt"], row["validation_refs"]), (False, []))

    def test_after_a_second_attempt_the_row_speaks_of_that_one(self) -> None:
        self.validated(content="first")
        self.attempted(content="first")
        ref = self.validated(content="second")
        self.attempted(content="second")
        self.assertEqual(self.closed()["validation_refs"], [ref])

    def test_a_failed_validation_precedes_nothing_but_is_shown(self) -> None:
        ref = self.validated(exit_code=1)
        self.attempted()
        row = self.closed()
        self.assertEqual((row["validation_precedes_commit_attempt"], row["validation_refs"]), (False, [ref]))

    def test_staged_unrelated_paths_are_admitted(self) -> None:
        self.validated()
        self.attempted()
        self.assertIs(self.closed(unrelated_staged=["other.txt"])["unrelated_dirty_paths_staged"], True)

    def test_a_closeout_whose_words_go_beyond_its_facts_is_refused(self) -> None:
        self.validated()
        self.attempted()
        with self.assertRaisesRegex(StatusError, "its own facts say 'hard_stop'"):
            self.closed(commit="", head_after=BEFORE, stop_ref="evidence/stop/item.json")

    def test_items_that_are_open_or_closed_twice_have_no_row(self) -> None:
        with self.assertRaisesRegex(StatusError, "0 closeout"):
            build_landing_row(self.ledger, "item")
        self.closed()
        with self.assertRaisesRegex(StatusError, "2 closeout"):
            self.closed()
        with self.assertRaisesRegex(StatusError, "0 claim"):
            build_landing_row(self.ledger, "nobody")

    def test_a_row_whose_log_was_edited_is_not_handed_out(self) -> None:
        ref = self.validated()
        self.attempted()
        self.closed()
        (self.folder / ref).write_text("all passed\n", encoding="utf-8")
        with self.assertRaisesRegex(LedgerError, "edited"):
            build_landing_row(self.ledger, "item")

    def test_text_keeps_the_order_and_reads_back(self) -> None:
        self.validated()
        self.attempted()
        row = self.closed()
        self.assertEqual(list(json.loads(hand_out_row(row)).items()), list(row.items()))


class FirstWave(Workbench):
    """The fixture in the tree, read back with the control plane that recorded it."""

    evidence = REPOSITORY / "fixtures" / "first-wave" / "evidence"

    def rows(self) -> list[dict[str, Any]]:
        table = json.loads((self.evidence.parent / "work_landing_runs.json").read_text(encoding="utf-8"))
        return table["work_landing_runs"]

    def test_every_row_is_the_one_its_ledger_gives(self) -> None:
        ledger = WorkLedger(self.evidence / "work-ledger.jsonl")
        self.assertEqual([row["landing_status"] for row in self.rows()], list(LANDING_STATUSES))
        for row in self.rows():
            self.assertEqual(build_landing_row(ledger, row["run_id"]), row)

    def test_the_history_holds_the_heads_and_the_landed_paths(self) -> None:
        landed = self.rows()[0]
        self.git("fetch", "-q", str(self.evidence / "history.bundle"), "refs/heads/main:refs/recorded/main")
        self.assertEqual(self.git("rev-parse", "refs/recorded/main"), landed["head_after"])
        self.assertEqual(self.git("rev-parse", "refs/recorded/main^"), landed["head_before"])
        changed = self.git("diff", "--name-only", landed["head_before"], landed["head_after"]).split()
        self.assertEqual(changed, landed["claimed_path_refs"])

    def test_the_blocked_work_applies_to_the_head_it_was_made_on(self) -> None:
        blocked = self.rows()[1]
        self.git("fetch", "-q", str(self.evidence / "history.bundle"), "refs/heads/main:refs/recorded/main")
        self.git("checkout", "-q", "--detach", blocked["head_before"])
        self.git("apply", "--check", str(self.evidence / "blocker" / f"{blocked['run_id']}.patch"))


if __name__ == "__main__":
    unittest.main()
