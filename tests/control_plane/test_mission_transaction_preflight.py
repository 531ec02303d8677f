"""Preflight: everything that speaks against a landing is named, and nothing is written."""

import sys
import unittest

sys.dont_write_bytecode = True
from workbench import CONTROL_PLANE, EXAMPLE_KEY, SOURCE_REFS, Workbench  # noqa: E402

from tools.meta.control.mission_transaction_preflight import (  # noqa: E402
    SECRET_SHAPES, Claim, ClaimError, Preflight, find_secrets, run_preflight, take_claim,
)

# Each shape's smallest hit and its nearest miss, put together so that this file carries none of them.
SHAPES = {
    "aws_access_key_id": ("AS" + "IA" + "A1" * 8, "AS" + "IA" + "A1" * 8 + "a"),
    "github_token": ("gh" + "o_" + "a" * 36, "gh" + "o_" + "a" * 35),
    "private_key": ("-" * 5 + "BEGIN RSA PRIVATE" + " KEY" + "-" * 5, "-" * 5 + "BEGIN PUBLIC" + " KEY" + "-" * 5),
    "json_web_token": (".".join(["ey" + "Jabcde"] * 2 + ["abcde"]), ".".join(["ey" + "Jabcde", "abcde", "abcde"])),
    "slack_token": ("xo" + "xb-" + "1" * 10, "xo" + "xb-" + "1" * 9),
    "google_api_key": ("AI" + "za" + "b" * 35, "AI" + "za" + "b" * 36),
    "url_password": ("https:" + "//user:word" + "@host", "https://host:8443/user@host"),
}


class Preflights(Workbench):
    def setUp(self) -> None:
        super().setUp()
        self.claim = take_claim(self.repo, ["owned.txt"])

    def look(self, message: str = "") -> Preflight:
        return run_preflight(self.repo, self.claim, message)

    def kinds(self, **options: str) -> list[tuple[str, str]]:
        return [(finding.kind, finding.path) for finding in self.look(**options).findings]

    def test_an_owned_change_on_an_unmoved_head_is_clear(self) -> None:
        self.write("owned.txt", "two\n")
        seen = self.look()
        self.assertTrue(seen.clear)
        self.assertEqual((seen.head, seen.target_ref), (self.head(), "refs/heads/main"))
        self.assertEqual(seen.owned, {"owned.txt": self.git("hash-object", "owned.txt")})

    def test_preflight_writes_nothing(self) -> None:
        self.write("owned.txt", "two\n")
        index = (self.repo / ".git" / "index").read_bytes()
        objects = self.objects()
        self.look()
        self.assertEqual((self.repo / ".git" / "index").read_bytes(), index)
        self.assertEqual(self.objects(), objects)

    def test_the_content_digest_follows_the_owned_bytes_only(self) -> None:
        self.write("owned.txt", "two\n")
        first = self.look().content
        self.write("other.txt", "two\n")
        self.assertEqual(self.look().content, first)
        self.write("owned.txt", "three\n")
        self.assertNotEqual(self.look().content, first)

    def test_a_deleted_owned_file_is_owned_work(self) -> None:
        (self.repo / "owned.txt").unlink()
        seen = self.look()
        self.assertTrue(seen.clear)
        self.assertEqual(seen.owned, {"owned.txt": ""})

    def test_every_unowned_dirty_path_is_named_and_stays_unstaged(self) -> None:
        for path in ("owned.txt", "other.txt", "folder/new.txt"):
            self.write(path, "two\n")
        self.assertEqual(self.kinds(), [("unowned_dirty_path", "folder/new.txt"), ("unowned_dirty_path", "other.txt")])
        self.assertEqual(self.git("diff", "--cached", "--name-only"), "")

    def test_ignored_files_are_not_dirty(self) -> None:
        (self.repo / ".git" / "info" / "exclude").write_text("ignored.txt\n", encoding="utf-8")
        self.write("ignored.txt", "x\n")
        self.write("owned.txt", "two\n")
        self.assertTrue(self.look().clear)

    def test_a_staged_path_is_refused_even_if_owned(self) -> None:
        self.write("owned.txt", "two\n")
        self.git("add", "owned.txt")
        self.assertEqual(self.kinds(), [("index_not_clean", "owned.txt")])

    def test_a_head_that_moved_since_the_claim_is_refused(self) -> None:
        self.write("owned.txt", "two\n")
        self.move_head()
        self.assertEqual(self.kinds(), [("head_moved", "")])

    def test_another_branch_is_refused(self) -> None:
        self.git("checkout", "-q", "-b", "side")
        self.write("owned.txt", "two\n")
        self.assertEqual(self.kinds(), [("target_ref_changed", "")])

    def test_a_merge_in_progress_is_refused(self) -> None:
        self.write("owned.txt", "two\n")
        (self.repo / ".git" / "MERGE_HEAD").write_text(self.head() + "\n", encoding="utf-8")
        self.assertEqual(self.kinds(), [("operation_in_progress", "MERGE_HEAD")])

    def test_unchanged_owned_paths_are_refused(self) -> None:
        self.assertEqual(self.kinds(), [("owned_paths_unchanged", "")])

    def test_a_link_and_a_path_through_a_link_are_refused(self) -> None:
        (self.repo / "link.txt").symlink_to("owned.txt")
        (self.repo / "folder").mkdir()
        (self.repo / "folder" / "file.txt").write_text("x\n", encoding="utf-8")
        (self.repo / "door").symlink_to("folder")
        claim = Claim(("door/file.txt", "link.txt"), self.claim.head, self.claim.target_ref)
        refused = [f.path for f in run_preflight(self.repo, claim).findings if f.kind == "owned_path_not_a_plain_file"]
        self.assertEqual(refused, ["door/file.txt", "link.txt"])

    def test_a_secret_in_an_owned_file_is_refused_by_place_and_never_repeated(self) -> None:
        self.write("owned.txt", f"one\nkey = {EXAMPLE_KEY}\n")
        objects = self.objects()
        seen = self.look()
        recorded = [finding.recorded() for finding in seen.findings]
        place = {"kind": "secret_in_owned_file", "path": "owned.txt", "line": 2, "shape": "aws_access_key_id"}
        self.assertEqual(recorded, [place])
        self.assertNotIn(EXAMPLE_KEY, repr(seen))
        self.assertEqual(seen.owned, {}, "the id of a file with a secret lets guesses be tested")
        self.assertEqual(self.objects(), objects)

    def test_a_secret_in_an_unowned_file_is_not_this_claims_business(self) -> None:
        self.write("owned.txt", "two\n")
        self.write("other.txt", EXAMPLE_KEY)
        self.assertEqual(self.kinds(), [("unowned_dirty_path", "other.txt")])

    def test_a_secret_in_the_message_is_refused(self) -> None:
        self.write("owned.txt", "two\n")
        self.assertEqual(self.kinds(message="use " + EXAMPLE_KEY), [("secret_in_message", "")])

    def test_all_reasons_are_named_at_once(self) -> None:
        self.write("owned.txt", EXAMPLE_KEY)
        self.write("other.txt", "two\n")
        self.move_head()
        found = {kind for kind, _ in self.kinds()}
        self.assertEqual(found, {"head_moved", "unowned_dirty_path", "secret_in_owned_file"})

    def test_unusable_claims_are_refused(self) -> None:
        unusable = ["", "/etc/hosts", "../up", "a/../b", "a//b", "./a", "a\\b", "C" + ":/a", ".git/config", "a\nb", "a/"]
        for path in unusable:
            with self.subTest(path=path), self.assertRaises(ClaimError):
                take_claim(self.repo, [path])
        for paths in ([], ["owned.txt", "owned.txt"]):
            with self.subTest(paths=paths), self.assertRaises(ClaimError):
                take_claim(self.repo, paths)

    def test_a_detached_head_cannot_be_claimed_on(self) -> None:
        self.git("checkout", "-q", "--detach")
        with self.assertRaisesRegex(ClaimError, "detached"):
            take_claim(self.repo, ["owned.txt"])

    def test_an_unborn_branch_is_claimed_with_zeros(self) -> None:
        self.git("checkout", "-q", "--orphan", "fresh")
        claim = take_claim(self.repo, ["owned.txt"])
        self.assertEqual((claim.head, claim.target_ref), ("0" * 40, "refs/heads/fresh"))


class Secrets(unittest.TestCase):
    def test_every_shape_has_its_hit_and_its_nearest_miss(self) -> None:
        self.assertEqual(set(SHAPES), set(SECRET_SHAPES))
        for shape, (hit, miss) in SHAPES.items():
            with self.subTest(shape=shape):
                self.assertEqual(find_secrets(b"\n" + hit.encode() + b"\n"), [(2, shape)])
                self.assertEqual(find_secrets(miss.encode()), [])

    def test_utf_16_hides_nothing(self) -> None:
        for encoding in ("utf-16-le", "utf-16-be"):
            self.assertEqual(find_secrets(EXAMPLE_KEY.encode(encoding)), [(1, "aws_access_key_id")])

    def test_the_six_control_files_look_like_no_secret(self) -> None:
        for source_ref in SOURCE_REFS:
            self.assertEqual(find_secrets((CONTROL_PLANE / source_ref).read_bytes()), [], source_ref)


if __name__ == "__main__":
    unittest.main()
