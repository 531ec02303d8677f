"""The transaction: its order, its one closeout, and every step that has to keep the next one from happening."""

import json
import subprocess
import sys
import unittest
from collections.abc import Sequence
from unittest import mock

sys.dont_write_bytecode = True
from workbench import EXAMPLE_KEY, FAILING, PASSING, Workbench  # noqa: E402

from system.lib.work_landing_status import build_landing_row  # noqa: E402
from tools.meta.control import work_landing  # noqa: E402
from tools.meta.control.work_landing import (  # noqa: E402
    Desk, LandingRefused, block_item, claim_item, land_item, read_unittest_counts, stop_item, validate_item,
)
from tools.meta.factory.work_ledger import LedgerEntry  # noqa: E402


def running(code: str) -> list[str]:
    """A validation that runs some Python."""
    return [sys.executable, "-c", code]


class Landings(Workbench):
    def setUp(self) -> None:
        super().setUp()
        times = (f"2026-01-05T09:00:{second:02}Z" for second in range(60))
        self.desk = Desk(self.repo, self.records, lambda: next(times), "handed_in")
        claim_item(self.desk, "item", ["owned.txt"])
        self.before = self.head()
        self.write("owned.txt", "two\n")

    def land(self, command: Sequence[str] = PASSING, item: str = "item", message: str = "Say two") -> LedgerEntry:
        return land_item(self.desk, item, message, command)

    def kinds(self, item: str = "item") -> list[str]:
        return [entry.kind for entry in self.desk.ledger.of_item(item)]

    def assert_stopped(self, closeout: LedgerEntry, step: str, *kinds: str) -> None:
        """Stopped at the step for these reasons, with HEAD still and nothing attempted or staged."""
        self.assertEqual(closeout.facts["landing_status"], "hard_stop")
        record = json.loads((self.folder / closeout.facts["stop_ref"]).read_text())
        self.assertEqual((record["step"], [f["kind"] for f in record["findings"]]), (step, list(kinds)))
        self.assertEqual(self.head(), self.before)
        self.assertNotIn("attempt", self.kinds())
        self.assertEqual(self.git("diff", "--cached", "--name-only"), "")

    def test_work_lands_in_the_one_order(self) -> None:
        closeout = self.land()
        self.assertEqual(self.kinds(), ["claim", "validation", "attempt", "closeout"])
        self.assertEqual(closeout.facts["landing_status"], "scoped_commit_landed")
        self.assertEqual((closeout.facts["commit"], self.git("rev-parse", "HEAD^")), (self.head(), self.before))
        self.assertEqual(self.git("status", "--porcelain"), "")
        times = [entry.at for entry in self.desk.ledger.read_entries()]
        self.assertEqual(times, sorted(times))

    def test_an_unowned_dirty_path_stops_before_validation(self) -> None:
        self.write("other.txt", "two\n")
        self.assert_stopped(self.land(), "preflight", "unowned_dirty_path")
        self.assertEqual(self.kinds(), ["claim", "stop", "closeout"])

    def test_a_head_that_moved_since_the_claim_stops_before_validation(self) -> None:
        self.before = self.move_head()
        self.assert_stopped(self.land(), "preflight", "head_moved")

    def test_a_secret_stops_and_is_nowhere_in_the_records_or_the_objects(self) -> None:
        validate_item(self.desk, "item", PASSING)
        self.write("owned.txt", f"key = {EXAMPLE_KEY}\n")
        objects = self.objects()
        self.assert_stopped(self.land(), "preflight", "secret_in_owned_file")
        self.assertNotIn(EXAMPLE_KEY, self.record_text())
        self.assertEqual(self.objects(), objects)
        row = build_landing_row(self.desk.ledger, "item")
        self.assertEqual(row["validation_refs"], ["evidence/validation/item.log"])

    def test_a_failing_validation_means_no_commit_attempt(self) -> None:
        self.assert_stopped(self.land(FAILING), "validation", "validation_failed")
        self.assertEqual(self.kinds(), ["claim", "validation", "stop", "closeout"])

    def test_a_validation_that_cannot_start_has_not_passed(self) -> None:
        self.assert_stopped(self.land(["no-such-program-anywhere"]), "validation", "validation_failed")

    def test_a_validation_that_does_not_end_has_not_passed(self) -> None:
        with mock.patch.object(work_landing, "VALIDATION_SECONDS", 0.05):
            closeout = self.land(running("import time; time.sleep(60)"))
        self.assert_stopped(closeout, "validation", "validation_failed")

    def test_a_validation_that_edits_the_work_validated_something_else(self) -> None:
        closeout = self.land(running("open('owned.txt', 'w').write('three')"))
        self.assert_stopped(closeout, "validation", "owned_content_changed")

    def test_a_validation_that_plants_a_secret_stops(self) -> None:
        plant = "open('owned.txt', 'w').write('AKIA' + 'IOSFODNN7' + 'EXAMPLE')"
        self.assert_stopped(self.land(running(plant)), "validation", "secret_in_owned_file")

    def test_a_validation_that_moves_head_stops(self) -> None:
        code = "import subprocess as s; s.run('git commit -q --allow-empty -m x'.split(), check=True)"
        closeout = self.land(running(code))
        self.before = self.head()
        self.assert_stopped(closeout, "validation", "head_moved")

    def test_what_a_validation_leaves_behind_is_never_staged(self) -> None:
        closeout = self.land(running("open('report.txt', 'w').write('x')"))
        self.assertEqual((closeout.facts["landing_status"], closeout.facts["unrelated_staged"]), ("scoped_commit_landed", []))
        self.assertEqual(self.git("status", "--porcelain"), "?? report.txt")

    def test_a_held_lock_blocks_and_the_patch_holds_the_work(self) -> None:
        stop_item(self.desk, "item", "making_room")
        for name in ("index.lock", "refs/heads/main.lock"):
            with self.subTest(lock=name):
                item = "blocked-" + name[:3]
                claim_item(self.desk, item, ["owned.txt"])
                lock = self.repo / ".git" / name
                lock.touch()
                closeout = self.land(item=item)
                lock.unlink()
                self.assertEqual(closeout.facts["landing_status"], "metadata_blocked_patch_bundle")
                self.assertEqual(self.kinds(item), ["claim", "validation", "attempt", "blocker", "closeout"])
                self.assertEqual(self.head(), self.before)
                record = json.loads((self.folder / closeout.facts["blocker_ref"]).read_text())
                self.assertEqual((record["refusal"]["reason"], record["base"]), ("lock_held", self.before))
                self.git("apply", "--check", "--reverse", str(self.folder / record["patch_ref"]))
                row = build_landing_row(self.desk.ledger, item)
                self.assertIs(row["validation_precedes_commit_attempt"], True)

    def test_a_patch_that_would_carry_a_secret_is_not_kept(self) -> None:
        self.write("owned.txt", f"key = {EXAMPLE_KEY}\n")
        self.git("commit", "-q", "-a", "-m", "somebody committed a key")
        stop_item(self.desk, "item", "making_room")
        claim_item(self.desk, "removal", ["owned.txt"])
        self.write("owned.txt", "key = gone\n")
        (self.repo / ".git" / "index.lock").touch()
        closeout = self.land(item="removal")
        self.assertEqual(closeout.facts["landing_status"], "hard_stop")
        self.assertNotIn(EXAMPLE_KEY, self.record_text())

    def test_landing_on_top_of_this_one_does_not_unmake_it(self) -> None:
        really = work_landing.scoped_commit.commit_owned_paths

        def overtaken(*args: object) -> object:
            outcome = really(*args)
            self.move_head()
            return outcome

        with mock.patch.object(work_landing.scoped_commit, "commit_owned_paths", overtaken):
            closeout = self.land()
        self.assertEqual(closeout.facts["landing_status"], "scoped_commit_landed")
        self.assertEqual(closeout.facts["head_after"], self.git("rev-parse", "HEAD^"))

    def test_the_attempt_is_written_before_git_is_asked(self) -> None:
        with mock.patch.object(work_landing.scoped_commit, "commit_owned_paths", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                self.land()
        self.assertEqual(self.kinds(), ["claim", "validation", "attempt"])
        self.assertEqual(self.land().facts["landing_status"], "scoped_commit_landed")
        self.assertIs(build_landing_row(self.desk.ledger, "item")["validation_precedes_commit_attempt"], True)

    def test_logs_are_free_of_durations_host_paths_and_credentials(self) -> None:
        # Printed the way a failing test prints: a path of this repository, one outside it, a key, a summary.
        prints = "print(__import__('os').getcwd() + '/owned.txt', '/usr/lib/x.py', sep='\\n');"
        prints += "print('AKIA' + 'IOSFODNN7' + 'EXAMPLE'); print('Ran 3 tests in 0.123s\\n\\nOK (skipped=1)')"
        validation = validate_item(self.desk, "item", running(prints))
        lines = (self.folder / validation.facts["log_ref"]).read_text().split("--- output\n")[1].split("\n")
        self.assertEqual(lines[:4], ["owned.txt", "<outside>/x.py", "[line left out]", "Ran 3 tests"])
        self.assertEqual((validation.facts["passed"], validation.facts["failed"]), (2, 0))
        self.assertNotIn(str(self.folder), self.record_text())

    def test_unittest_counts_are_read_or_left_unknown(self) -> None:
        cases = {
            "Ran 3 tests in 0.001s\n\nOK\n": (3, 0),
            "Ran 1 test in 0.001s\n\nFAILED (failures=1)\n": (0, 1),
            "Ran 9 tests in 2.5s\n\nFAILED (failures=2, errors=1, skipped=3)\n": (3, 3),
            "Ran 4 tests in 0.0s\n\nOK (skipped=1, expected failures=1)\n": (2, 0),
            "OK\n": (None, None),
            "Ran 3 tests in 0.001s\n": (None, None),
        }
        for output, counts in cases.items():
            with self.subTest(output=output):
                self.assertEqual(read_unittest_counts(output), counts)

    def test_a_path_has_one_open_owner(self) -> None:
        with self.assertRaisesRegex(LandingRefused, "owned by open work item 'item'"):
            claim_item(self.desk, "second", ["new.txt", "owned.txt"])
        stop_item(self.desk, "item", "handed_over")
        claim_item(self.desk, "second", ["new.txt", "owned.txt"])

    def test_items_are_claimed_once_and_closed_once(self) -> None:
        with self.assertRaisesRegex(LandingRefused, "in the ledger already"):
            claim_item(self.desk, "item", ["new.txt"])
        self.land()
        steps = [self.land, lambda: stop_item(self.desk, "item", "late"), lambda: block_item(self.desk, "item")]
        for step in [*steps, lambda: validate_item(self.desk, "item", PASSING)]:
            with self.assertRaisesRegex(LandingRefused, "is closed"):
                step()
        with self.assertRaisesRegex(LandingRefused, "is not claimed"):
            self.land(item="nobody")

    def test_unusable_arguments_are_refused_before_anything_happens(self) -> None:
        ledger = self.desk.ledger.path.read_bytes()
        refused = [
            lambda: claim_item(self.desk, "a b", ["new.txt"]),
            lambda: self.land(message=" \n"),
            lambda: stop_item(self.desk, "item", "Because I say so"),
            lambda: validate_item(self.desk, "item", [*PASSING, EXAMPLE_KEY]),
        ]
        for step in refused:
            with self.assertRaises(LandingRefused):
                step()
        self.assertEqual(self.desk.ledger.path.read_bytes(), ledger)

    def test_nothing_is_run_on_a_file_with_a_secret(self) -> None:
        self.write("owned.txt", EXAMPLE_KEY)
        with self.assertRaisesRegex(LandingRefused, "credential"):
            validate_item(self.desk, "item", PASSING)
        self.assertEqual(self.kinds(), ["claim"])

    def test_block_needs_a_passing_validation_of_this_content_and_a_real_refusal(self) -> None:
        (self.repo / ".git" / "index.lock").touch()
        with self.assertRaisesRegex(LandingRefused, "validate first"):
            block_item(self.desk, "item")
        validate_item(self.desk, "item", FAILING)
        with self.assertRaisesRegex(LandingRefused, "validate first"):
            block_item(self.desk, "item")
        validate_item(self.desk, "item", PASSING)
        self.write("owned.txt", "three\n")
        with self.assertRaisesRegex(LandingRefused, "validate first"):
            block_item(self.desk, "item")
        self.write("owned.txt", "two\n")
        (self.repo / ".git" / "index.lock").unlink()
        with self.assertRaisesRegex(LandingRefused, "refuses nothing"):
            block_item(self.desk, "item")
        self.assertNotIn("attempt", self.kinds())
        (self.repo / ".git" / "index.lock").touch()
        self.assertEqual(block_item(self.desk, "item").facts["landing_status"], "metadata_blocked_patch_bundle")
        self.assertEqual(self.head(), self.before)

    def test_a_stop_keeps_its_reason(self) -> None:
        self.assert_stopped(stop_item(self.desk, "item", "scope_was_wrong"), "operator", "scope_was_wrong")

    def test_the_scratch_repository_is_sound_after_a_landing(self) -> None:
        self.land()
        done = subprocess.run(["git", "fsck", "--strict"], cwd=self.repo, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
