"""The scoped commit: what gets into it, and what happens when Git's metadata says no."""

import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
from workbench import Workbench  # noqa: E402

from tools.meta.control.scoped_commit import (  # noqa: E402
    CommitOutcome, CommitRequest, ContentChanged, Refusal, capture_patch, commit_owned_paths, git_date, probe_refusal,
)

MAIN = "refs/heads/main"


class ScopedCommit(Workbench):
    def request(self, *paths: str, head: str | None = None) -> CommitRequest:
        """A request for the paths as they lie there now."""
        owned = {path: self.git("hash-object", "--", path) if (self.repo / path).exists() else "" for path in paths}
        return CommitRequest(MAIN, head or self.head(), owned, "Say two\n\nBecause.", "@1767603600 +0000")

    def commit(self, *paths: str) -> CommitOutcome:
        return commit_owned_paths(self.repo, self.request(*paths))

    def changed_in_head(self) -> list[str]:
        return self.git("diff-tree", "--root", "--no-commit-id", "--name-only", "-r", "HEAD").split()

    def assert_refused(self, outcome: CommitOutcome, head: str) -> Refusal:
        """Refused, nothing landed, and the refusal names nothing of this machine."""
        self.assertEqual(outcome.commit, "")
        self.assertEqual(self.head(), head)
        assert outcome.refusal is not None
        self.assertNotIn(str(self.folder), outcome.refusal.git_message)
        return outcome.refusal

    def test_only_owned_paths_are_committed(self) -> None:
        before = self.head()
        for path in ("owned.txt", "other.txt", "untracked.txt"):
            self.write(path, "two\n")
        outcome = self.commit("owned.txt")
        self.assertIsNone(outcome.refusal)
        self.assertEqual((outcome.commit, self.git("rev-parse", "HEAD^")), (self.head(), before))
        self.assertEqual(self.changed_in_head(), ["owned.txt"])
        self.assertEqual(self.git("status", "--porcelain").split("\n"), ["M other.txt", "?? untracked.txt"])

    def test_a_path_somebody_else_staged_stays_out_and_staged(self) -> None:
        self.write("other.txt", "two\n")
        self.git("add", "other.txt")
        self.write("owned.txt", "two\n")
        self.commit("owned.txt")
        self.assertEqual(self.changed_in_head(), ["owned.txt"])
        self.assertEqual(self.git("diff", "--cached", "--name-only"), "other.txt")

    def test_added_and_deleted_files_are_committed(self) -> None:
        self.write("new/file.txt", "new\n")
        (self.repo / "owned.txt").unlink()
        outcome = self.commit("new/file.txt", "owned.txt")
        self.assertTrue(outcome.index_synced)
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", "HEAD").split(), ["new/file.txt", "other.txt"])
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_paths_that_look_like_patterns_are_plain_names(self) -> None:
        names = [":(magic).txt", "[o]*.txt"]
        for path in [*names, "other.txt"]:
            self.write(path, "two\n")
        self.commit(*names)
        self.assertEqual(self.changed_in_head(), names)

    def test_an_unborn_branch_gets_its_first_commit(self) -> None:
        self.git("update-ref", "-d", "HEAD")
        self.git("rm", "-q", "--cached", "-r", ".")
        outcome = commit_owned_paths(self.repo, self.request("owned.txt", head="0" * 40))
        self.assertEqual(outcome.commit, self.head())
        self.assertEqual(self.git("ls-tree", "--name-only", "HEAD"), "owned.txt")

    def test_message_and_time_are_the_ones_handed_in(self) -> None:
        self.write("owned.txt", "two\n")
        self.commit("owned.txt")
        self.assertEqual(self.git("log", "-1", "--format=%at %ct %B"), "1767603600 1767603600 Say two\n\nBecause.")
        self.assertEqual(git_date("2026-01-05T09:00:00Z"), "@1767603600 +0000")

    def test_a_held_index_lock_refuses_and_is_left_alone(self) -> None:
        self.write("owned.txt", "two\n")
        head, lock = self.head(), self.repo / ".git" / "index.lock"
        lock.touch()
        refusal = self.assert_refused(self.commit("owned.txt"), head)
        self.assertEqual((refusal.reason, refusal.step), ("lock_held", "index"))
        self.assertEqual(refusal.lock_path, ".git/index.lock")
        self.assertTrue(lock.exists())

    def test_a_held_ref_lock_refuses_and_is_left_alone(self) -> None:
        self.write("owned.txt", "two\n")
        head, lock = self.head(), self.repo / ".git" / "refs" / "heads" / "main.lock"
        lock.touch()
        refusal = self.assert_refused(self.commit("owned.txt"), head)
        self.assertEqual((refusal.reason, refusal.step), ("lock_held", "update_ref"))
        self.assertEqual(refusal.lock_path, ".git/refs/heads/main.lock")
        self.assertTrue(lock.exists())
        self.assertEqual(self.git("diff", "--cached", "--name-only"), "")

    def test_a_head_that_moved_in_between_is_never_overwritten(self) -> None:
        self.write("owned.txt", "two\n")
        request = self.request("owned.txt")
        moved = self.move_head()
        refusal = self.assert_refused(commit_owned_paths(self.repo, request), moved)
        self.assertEqual((refusal.reason, refusal.step), ("head_moved", "update_ref"))

    def test_content_that_changed_after_preflight_is_not_committed(self) -> None:
        self.write("owned.txt", "two\n")
        request, head = self.request("owned.txt"), self.head()
        self.write("owned.txt", "three\n")
        with self.assertRaisesRegex(ContentChanged, "owned.txt"):
            commit_owned_paths(self.repo, request)
        self.assertEqual(self.head(), head)

    @unittest.skipIf(os.geteuid() == 0, "permissions do not bind the superuser")
    def test_a_repository_without_write_permission_refuses_and_the_work_is_captured(self) -> None:
        self.write("owned.txt", "two\n")
        head, folder = self.head(), self.repo / ".git"
        folder.chmod(0o555)
        self.addCleanup(folder.chmod, 0o755)
        refusal = self.assert_refused(self.commit("owned.txt"), head)
        self.assertEqual(refusal.reason, "permission_denied")
        self.assertIn(b"+two", capture_patch(self.repo, head, ["owned.txt"]))

    def test_probe_says_what_a_commit_would_meet_and_leaves_nothing(self) -> None:
        before = (self.head(), self.objects())
        self.assertIsNone(probe_refusal(self.repo, MAIN, self.head()))
        for name in ("index.lock", "refs/heads/main.lock"):
            lock = self.repo / ".git" / name
            lock.touch()
            refusal = probe_refusal(self.repo, MAIN, self.head())
            assert refusal is not None
            self.assertEqual(refusal.reason, "lock_held")
            lock.unlink()
        stale = probe_refusal(self.repo, MAIN, "1" * 40)
        self.assertEqual(getattr(stale, "reason", None), "head_moved")
        self.assertEqual((self.head(), self.objects()), before)

    def test_a_patch_carries_the_owned_work_and_nothing_else(self) -> None:
        base = self.head()
        (self.repo / "owned.txt").unlink()
        self.write("new/file.bin", "a\0b\n")
        self.write("other.txt", "two\n")
        objects = self.objects()
        patch = capture_patch(self.repo, base, ["owned.txt", "new/file.bin"])
        self.assertEqual(self.objects(), objects)
        clone = self.folder / "clone"
        self.git("clone", "-q", str(self.repo), str(clone))
        (self.folder / "work.patch").write_bytes(patch)
        self.git("-C", str(clone), "apply", str(self.folder / "work.patch"))
        self.assertEqual((clone / "new/file.bin").read_bytes(), b"a\0b\n")
        self.assertFalse((clone / "owned.txt").exists())
        self.assertEqual((clone / "other.txt").read_text(), "other\n")

    def test_a_patch_is_captured_while_the_index_is_locked(self) -> None:
        self.write("owned.txt", "two\n")
        (self.repo / ".git" / "index.lock").touch()
        self.assertIn(b"+two", capture_patch(self.repo, self.head(), ["owned.txt"]))

    def test_a_patch_against_an_unborn_branch_holds_the_whole_file(self) -> None:
        patch = capture_patch(self.repo, "0" * 40, ["owned.txt"])
        self.assertIn(b"new file mode 100644", patch)

    def test_git_variables_of_the_caller_do_not_lead_elsewhere(self) -> None:
        self.write("owned.txt", "two\n")
        request = self.request("owned.txt")
        nowhere = str(Path(self.folder, "nowhere"))
        os.environ |= {"GIT_DIR": nowhere, "GIT_INDEX_FILE": nowhere, "GIT_WORK_TREE": nowhere}
        outcome = commit_owned_paths(self.repo, request)
        for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
            del os.environ[name]
        self.assertEqual(outcome.commit, self.head())


if __name__ == "__main__":
    unittest.main()
