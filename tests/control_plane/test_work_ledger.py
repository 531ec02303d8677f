"""The ledger: what it keeps, and every way of altering it that reading has to notice."""

import json
import sys
import threading
import unittest

sys.dont_write_bytecode = True
from workbench import Workbench  # noqa: E402

from tools.meta.factory.work_ledger import (  # noqa: E402
    FIRST_PREVIOUS, LedgerError, WorkLedger, digest_of, verify_lines,
)

AT = "2026-01-05T09:00:00Z"


class Ledger(Workbench):
    def setUp(self) -> None:
        super().setUp()
        self.ledger = WorkLedger(self.records / "work-ledger.jsonl")

    def filled(self) -> list[bytes]:
        """The lines of a ledger with three entries."""
        for kind in ("claim", "attempt", "closeout"):
            self.ledger.append_entry(kind, "item", AT, {"note": kind})
        return self.ledger.path.read_bytes().splitlines()

    def assert_refused(self, lines: list[bytes], words: str) -> None:
        with self.assertRaisesRegex(LedgerError, words):
            verify_lines(b"".join(line + b"\n" for line in lines))

    def test_each_line_carries_the_digest_of_the_line_before(self) -> None:
        lines = self.filled()
        carried = [json.loads(line)["previous"] for line in lines]
        self.assertEqual(carried, [FIRST_PREVIOUS, digest_of(lines[0]), digest_of(lines[1])])

    def test_refs_resolve_and_locations_name_the_line(self) -> None:
        self.filled()
        entry = self.ledger.resolve("ledger:3:closeout")
        self.assertEqual(entry.facts, {"note": "closeout"})
        self.assertEqual(self.ledger.location(entry), "evidence/work-ledger.jsonl#L3")

    def test_refs_to_no_line_or_another_kind_are_refused(self) -> None:
        self.filled()
        for ref in ("ledger:4:closeout", "ledger:0:claim", "ledger:3:claim", "closeout", ""):
            with self.subTest(ref=ref), self.assertRaises(LedgerError):
                self.ledger.resolve(ref)

    def test_a_missing_ledger_is_empty(self) -> None:
        self.assertEqual(self.ledger.read_entries(), [])

    def test_an_edited_fact_breaks_the_chain(self) -> None:
        lines = self.filled()
        self.assert_refused([lines[0].replace(b'"claim"}', b'"claims"}'), *lines[1:]], "line 2 does not carry")

    def test_a_removed_line_breaks_the_chain(self) -> None:
        lines = self.filled()
        self.assert_refused([lines[0], lines[2]], "line 2 is misnumbered")

    def test_a_removed_and_renumbered_line_breaks_the_chain(self) -> None:
        lines = self.filled()
        self.assert_refused([lines[0], lines[2].replace(b'"number": 3', b'"number": 2')], "line 2 does not carry")

    def test_swapped_lines_break_the_chain(self) -> None:
        lines = self.filled()
        self.assert_refused([lines[1], lines[0], lines[2]], "line 1 is misnumbered")

    def test_a_respelled_line_is_refused(self) -> None:
        lines = self.filled()
        for spelled in (lines[2].replace(b": ", b":"), lines[2].replace(b'{"at"', b'{"at": "x", "at"')):
            with self.subTest(spelled=spelled):
                self.assert_refused([*lines[:2], spelled], "not spelled")

    def test_lines_that_are_no_entries_are_refused(self) -> None:
        for line in (b"", b"{", b"[]", b"{}"):
            with self.subTest(line=line):
                self.assert_refused([line], "line 1 is no ")

    def test_a_torn_last_line_is_refused_and_nothing_is_added_after_it(self) -> None:
        self.filled()
        torn = self.ledger.path.read_bytes()[:-1]
        self.ledger.path.write_bytes(torn)
        with self.assertRaisesRegex(LedgerError, "torn"):
            self.ledger.append_entry("claim", "next", AT, {})
        self.assertEqual(self.ledger.path.read_bytes(), torn)

    def test_nothing_is_added_to_an_altered_ledger(self) -> None:
        lines = self.filled()
        altered = lines[0].replace(b'"item"', b'"atem"', 1) + b"\n" + b"\n".join(lines[1:]) + b"\n"
        self.ledger.path.write_bytes(altered)
        with self.assertRaises(LedgerError):
            self.ledger.append_entry("claim", "next", AT, {})
        self.assertEqual(self.ledger.path.read_bytes(), altered)

    def test_unknown_kinds_and_unusable_items_are_refused(self) -> None:
        for kind, item in (("landing", "item"), ("claim", ""), ("claim", "../up"), ("claim", "a b"), ("claim", "-a")):
            with self.subTest(kind=kind, item=item), self.assertRaises(LedgerError):
                self.ledger.append_entry(kind, item, AT, {})
        self.assertFalse(self.ledger.path.exists())

    def test_a_claim_is_open_until_its_own_closeout(self) -> None:
        self.ledger.append_entry("claim", "first", AT, {})
        self.ledger.append_entry("claim", "second", AT, {})
        self.ledger.append_entry("closeout", "first", AT, {})
        self.assertEqual([entry.item for entry in self.ledger.open_claims()], ["second"])

    def test_writers_at_the_same_time_continue_one_chain(self) -> None:
        def write(name: str) -> None:
            for _ in range(10):
                WorkLedger(self.ledger.path).append_entry("claim", name, AT, {})

        writers = [threading.Thread(target=write, args=(f"item-{number}",)) for number in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        self.assertEqual(len(self.ledger.read_entries()), 40)

    def test_kept_files_are_never_overwritten(self) -> None:
        first = self.ledger.keep_file("validation", "item", ".log", b"first")
        second = self.ledger.keep_file("validation", "item", ".log", b"second")
        self.assertEqual((first.ref, second.ref), ("evidence/validation/item.log", "evidence/validation/item.2.log"))
        self.assertEqual((self.records / "validation" / "item.log").read_bytes(), b"first")

    def test_an_edited_or_missing_kept_file_is_noticed(self) -> None:
        kept = self.ledger.keep_file("validation", "item", ".log", b"exit_code: 1\n")
        entry = self.ledger.append_entry("validation", "item", AT, {"log_ref": kept.ref, "log_sha256": kept.sha256})
        self.ledger.check_kept(entry)
        place = self.records / "validation" / "item.log"
        place.write_bytes(b"exit_code: 0\n")
        with self.assertRaisesRegex(LedgerError, "edited"):
            self.ledger.check_kept(entry)
        place.unlink()
        with self.assertRaisesRegex(LedgerError, "gone"):
            self.ledger.check_kept(entry)


if __name__ == "__main__":
    unittest.main()
