"""What the control-plane tests share: a scratch repository nobody else's Git settings reach, and short verbs for it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
REPOSITORY = Path(__file__).resolve().parents[2]
CONTROL_PLANE = REPOSITORY / "fixtures" / "control-plane"
sys.path.insert(0, str(CONTROL_PLANE))

SOURCE_REFS = (
    "system/lib/workitem_runtime_entrypoint.py",
    "system/lib/work_landing_status.py",
    "tools/meta/control/work_landing.py",
    "tools/meta/control/mission_transaction_preflight.py",
    "tools/meta/control/scoped_commit.py",
    "tools/meta/factory/work_ledger.py",
)
# AWS's documented example key, put together so that no file of the tree carries it.
EXAMPLE_KEY = "AKIA" + "IOSFODNN7" + "EXAMPLE"
PASSING = [sys.executable, "-c", "pass"]
FAILING = [sys.executable, "-c", "raise SystemExit(3)"]

_ISOLATED = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Test Author",
    "GIT_AUTHOR_EMAIL": "author@landfall.invalid",
    "GIT_COMMITTER_NAME": "Test Committer",
    "GIT_COMMITTER_EMAIL": "committer@landfall.invalid",
}


class Workbench(unittest.TestCase):
    """A repository on branch `main` with two committed files, `owned.txt` and `other.txt`."""

    def setUp(self) -> None:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        patched = mock.patch.dict(os.environ, kept | _ISOLATED, clear=True)
        patched.start()
        self.addCleanup(patched.stop)
        folder = tempfile.TemporaryDirectory(prefix="control-plane-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.repo = self.folder / "project"
        self.records = self.folder / "evidence"
        self.repo.mkdir()
        self.git("init", "-q", "-b", "main")
        self.write("owned.txt", "one\n")
        self.write("other.txt", "other\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "base")

    def git(self, *args: str) -> str:
        """Git's output in the scratch repository; a failure fails the test."""
        done = subprocess.run(["git", *args], cwd=self.repo, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode().strip()

    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def write(self, path: str, text: str) -> None:
        place = self.repo / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def move_head(self) -> str:
        """Somebody else commits; the working tree keeps what it has."""
        tree = self.git("rev-parse", "HEAD^{tree}")
        commit = self.git("commit-tree", tree, "-p", "HEAD", "-m", "somebody else")
        self.git("update-ref", "refs/heads/main", commit)
        return commit

    def objects(self) -> set[str]:
        """The names of all loose objects, to see whether something was written."""
        folder = self.repo / ".git" / "objects"
        return {str(place.relative_to(folder)) for place in folder.rglob("*") if place.is_file()}

    def record_text(self) -> str:
        """Everything the control plane kept, as one text."""
        files = sorted(place for place in self.records.rglob("*") if place.is_file())
        return "\n".join(place.read_text(encoding="utf-8") for place in files)
