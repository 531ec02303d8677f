"""The command line: one JSON answer a command, exit codes that mean something, and the same bytes twice."""

import json
import os
import shutil
import subprocess
import sys
import unittest
from datetime import datetime, timezone
from pathlib import Path

sys.dont_write_bytecode = True
from workbench import CONTROL_PLANE, EXAMPLE_KEY, FAILING, PASSING, SOURCE_REFS, Workbench  # noqa: E402

from system.lib.workitem_runtime_entrypoint import (  # noqa: E402
    COULD_NOT_WORK, DONE, REFUSED, USAGE, handed_in_clock, system_clock,
)

NOW = ["--now", "2026-01-05T09:00:00+01:00"]


class CommandLine(Workbench):
    root = CONTROL_PLANE

    def run_workitem(self, command: str, *args: str, item: str = "item") -> subprocess.CompletedProcess[bytes]:
        program = [sys.executable, "-I", "-B", str(self.root / SOURCE_REFS[0]), command]
        shared = ["--repo", str(self.repo), "--records", str(self.records), "--item", item]
        return subprocess.run([*program, *shared, *args], cwd=self.folder, capture_output=True, check=False)

    def workitem(self, command: str, *args: str, code: int = DONE, item: str = "item") -> dict[str, object]:
        """The command's answer; the exit code has to be the one named."""
        done = self.run_workitem(command, *args, item=item)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        self.assertNotIn(b"Traceback", done.stderr)
        self.assertNotIn(str(self.folder).encode(), done.stdout + done.stderr)
        return json.loads(done.stdout) if done.stdout else {"said": done.stderr.decode()}

    def claimed(self) -> None:
        self.workitem("claim", *NOW, "--path", "owned.txt")
        self.write("owned.txt", "two\n")

    def test_from_claim_to_row(self) -> None:
        self.claimed()
        self.assertEqual(self.workitem("preflight")["findings"], [])
        self.workitem("validate", *NOW, "--", *PASSING)
        self.assertTrue(self.workitem("land", *NOW, "--message", "Say two", "--", *PASSING)["done"])
        row = self.workitem("row")
        self.assertEqual((row["run_id"], row["landing_status"]), ("item", "scoped_commit_landed"))
        self.assertEqual(row["head_after"], self.head())

    def test_what_did_not_work_out_answers_1(self) -> None:
        self.claimed()
        self.assertFalse(self.workitem("validate", "--", *FAILING, code=REFUSED)["done"])
        self.write("other.txt", "two\n")
        self.assertFalse(self.workitem("preflight", code=REFUSED)["done"])
        answer = self.workitem("land", "--message", "Say two", "--", *PASSING, code=REFUSED)
        self.assertEqual(answer["facts"]["landing_status"], "hard_stop")

    def test_block_and_stop_close_an_item(self) -> None:
        self.claimed()
        self.workitem("validate", "--", *PASSING)
        (self.repo / ".git" / "index.lock").touch()
        self.workitem("block", code=REFUSED)
        self.assertEqual(self.workitem("row")["landing_status"], "metadata_blocked_patch_bundle")
        self.workitem("claim", "--path", "owned.txt", item="second")
        self.workitem("stop", "--reason", "no_longer_needed", item="second", code=REFUSED)
        self.assertEqual(self.workitem("row", item="second")["landing_status"], "hard_stop")

    def test_refusals_say_why_on_standard_error(self) -> None:
        self.assertIn("open claim is needed", self.workitem("land", "--message", "x", "--", "x", code=REFUSED)["said"])
        self.assertIn("unusable", self.workitem("claim", "--path", "../up", code=REFUSED)["said"])
        self.claimed()
        self.assertIn("0 closeout entries", self.workitem("row", code=REFUSED)["said"])

    def test_usage_answers_2(self) -> None:
        for args in (("fly",), ("claim",), ("claim", "--path", "a", "--now", "noon"), ("stop",), ("land",)):
            with self.subTest(args=args):
                self.workitem(*args, code=USAGE)
        self.assertIn("offset", self.workitem("claim", "--path", "a", "--now", "2026-01-05T09:00:00", code=USAGE)["said"])

    def test_a_place_to_work_that_is_none_answers_3(self) -> None:
        self.claimed()
        ledger = self.records / "work-ledger.jsonl"
        ledger.write_bytes(ledger.read_bytes()[:-1])
        self.assertIn("torn", self.workitem("row", code=COULD_NOT_WORK)["said"])
        self.repo = self.repo / "folder"
        self.repo.mkdir()
        self.assertIn("not the root", self.workitem("preflight", code=COULD_NOT_WORK)["said"])
        self.repo = self.folder / "nowhere"
        self.workitem("preflight", code=COULD_NOT_WORK)

    def test_answers_and_records_never_repeat_a_secret(self) -> None:
        self.claimed()
        self.write("owned.txt", EXAMPLE_KEY)
        for args in (("preflight",), ("validate", "--", *PASSING), ("land", "--message", "x", "--", *PASSING)):
            done = self.run_workitem(*args)
            self.assertEqual(done.returncode, REFUSED)
            self.assertNotIn(EXAMPLE_KEY.encode(), done.stdout + done.stderr)
        self.assertNotIn(EXAMPLE_KEY, self.record_text())

    def test_the_same_commands_leave_the_same_bytes_elsewhere(self) -> None:
        os.environ |= {"GIT_AUTHOR_DATE": "@1767600000 +0000", "GIT_COMMITTER_DATE": "@1767600000 +0000"}
        texts = []
        for name in ("first", "second-place"):
            self.repo, self.records = self.folder / name / "project", self.folder / name / "evidence"
            self.repo.mkdir(parents=True)
            self.git("init", "-q", "-b", "main")
            self.write("owned.txt", "one\n")
            self.git("add", ".")
            self.git("commit", "-q", "-m", "base")
            self.claimed()
            self.workitem("land", *NOW, "--message", "Say two", "--", "git", "diff", "--check")
            texts.append(self.record_text())
        self.assertEqual(texts[0], texts[1])
        self.assertIn('"clock": "handed_in"', texts[0])

    def test_the_clock_handed_in_is_read_in_utc_one_second_later_each_time(self) -> None:
        clock = handed_in_clock(datetime.fromisoformat(NOW[1]))
        self.assertEqual([clock(), clock()], ["2026-01-05T08:00:00Z", "2026-01-05T08:00:01Z"])

    def test_without_a_clock_the_systems_is_read_and_the_claim_says_so(self) -> None:
        before = datetime.now(timezone.utc).replace(microsecond=0)
        read = datetime.fromisoformat(system_clock().replace("Z", "+00:00"))
        self.assertLessEqual(before, read)
        self.assertEqual(self.workitem("claim", "--path", "owned.txt")["facts"]["clock"], "system")

    def test_the_six_files_work_from_wherever_they_are_copied(self) -> None:
        self.root = self.folder / "copy"
        for source_ref in SOURCE_REFS:
            target = self.root / source_ref
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(CONTROL_PLANE / source_ref, target)
        self.claimed()
        self.workitem("land", "--message", "Say two", "--", *PASSING)

    def test_the_control_plane_is_exactly_its_six_files(self) -> None:
        files = {place.relative_to(CONTROL_PLANE).as_posix() for place in Path(CONTROL_PLANE).rglob("*") if place.is_file()}
        self.assertEqual(files, set(SOURCE_REFS))


if __name__ == "__main__":
    unittest.main()
