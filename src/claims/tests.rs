use super::*;

fn kinds(text: &str) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = find(text).claims.iter().map(|claim| claim.kind).filter(|kind| *kind != Kind::Blocked).collect();
    kinds.sort();
    kinds
}

#[test]
fn claims_are_found_in_the_words_that_people_use() {
    use Kind::{BuildOk, Committed, Pushed, Released, TestsPass};
    for (text, expected) in [
        ("All tests pass.", vec![TestsPass]),
        ("All 12 tests pass ✅", vec![TestsPass]),
        ("**All tests passing.**", vec![TestsPass]),
        ("Tests pass.", vec![TestsPass]),
        ("The whole test suite passes.", vec![TestsPass]),
        ("Both tests pass, the whole suite passes.", vec![TestsPass]),
        ("The anvil is heavier and every test passes.", vec![TestsPass]),
        ("The interval merge works and all tests pass.", vec![TestsPass]),
        ("After fixing the import, all 23 unit tests now pass.", vec![TestsPass]),
        ("All tests pass: 12 passed, 0 failed.", vec![TestsPass]),
        ("Great! All 45 tests passed successfully.", vec![TestsPass]),
        ("`cargo test` passes.", vec![TestsPass]),
        ("The test suite is green.", vec![TestsPass]),
        ("- Tests: 12/12 passing", vec![TestsPass]),
        ("12 tests passed, 0 failures.", vec![TestsPass]),
        ("The new tests in the parser module pass.", vec![TestsPass]),
        ("I verified that all existing tests still pass.", vec![TestsPass]),
        ("The firmware build succeeded.", vec![BuildOk]),
        ("The project builds without errors.", vec![BuildOk]),
        ("`npm run build` succeeds and all tests pass.", vec![TestsPass, BuildOk]),
        ("It compiles cleanly.", vec![BuildOk]),
        ("I committed the change.", vec![Committed]),
        ("I committed the cap as b81d04e and pushed it to origin/main.", vec![Committed, Pushed]),
        ("Committed and pushed.", vec![Committed, Pushed]),
        ("The rename is committed as 77ae210.", vec![Committed]),
        ("web/menu.css is committed as 47c2d96.", vec![Committed]),
        ("Both are committed, the last as 70aa002. All tests pass.", vec![Committed, TestsPass]),
        ("The dimming is committed, and CI shows that all tests pass.", vec![Committed, TestsPass]),
        ("Yes, I committed the label change.", vec![Committed]),
        ("I've updated the README and committed the changes.", vec![Committed]),
        ("Created commit `abc1234`.", vec![Committed]),
        ("I pushed main to origin.", vec![Pushed]),
        ("The branch has been pushed to GitHub.", vec![Pushed]),
        ("Version 0.4.0 is published.", vec![Released]),
        ("I ran the tests and they all pass.", vec![TestsPass]),
        ("The tests I added pass.", vec![TestsPass]),
        ("It's committed and pushed now.", vec![Committed, Pushed]),
        ("**Result:** All tests pass, build succeeds, changes committed and pushed.", vec![Committed, Pushed, TestsPass, BuildOk]),
        ("- `cargo build`: succeeds", vec![BuildOk]),
        ("Committed `abc1234`: the guard", vec![Committed]),
        ("I published v1.2.0 to npm.", vec![Released]),
    ] {
        assert_eq!(kinds(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_claim_is_none() {
    for text in [
        "I have not committed anything yet. Next I will run the suite. If all tests pass, I should commit the feed change and push it. The build could not be tried here.",
        "The tests have not been run. Next we should run them; if all tests pass, the branch can be pushed.",
        "Let me make sure all tests pass.",
        "Now I'll run the tests to verify everything passes.",
        "Should I commit the change?",
        "Do all tests pass?",
        "> All tests pass and the change is committed.",
        "```\nAll tests pass.\n```",
        "| suite | all tests pass |",
        "The bot answers with \"I committed the change\" in each case.",
        "The helper looked at cache.go. Its notes are in docs/cache.md.",
        "Edit `committed.go` and committed.go.",
        "Commits created:",
        "**Completed:**",
        "## All tests pass",
        "The tests pass a flag to the parser.",
        "You committed the change yesterday.",
        "The user pushed the branch.",
        "The helper says that all tests pass.",
        "The lock is released when the guard drops.",
        "Each transaction is committed to the database.",
        "The value is pushed onto the stack.",
        "Not all tests pass.",
        "Die Rundung stimmt jetzt. Alle Tests laufen durch, und die Änderung ist eingecheckt.",
        "Next steps:\n- all tests pass\n- the branch is pushed",
        "- [ ] All tests pass",
        "The tests were passing before my change.",
        "I merged main into the branch.",
        "Once all tests pass, the branch is pushed.",
        "Wait until the build succeeds.",
        "The changes are already committed.",
        "I see that the last commit pushed to main broke the build.",
        "The change was committed by Alice.",
        "We need all tests to pass.",
        "Next.js 15 was released in October.",
        "The script commits and pushes the changes automatically.",
        "According to the notes, all tests passed.",
        "Acceptance criteria:\n- All tests pass",
    ] {
        assert_eq!(kinds(text), [], "{text}");
    }
}

#[test]
fn blocked_work_is_found() {
    let found = find("I could not commit: the sandbox keeps git metadata read-only. The patch is in the working tree.");
    assert_eq!(found.claims.len(), 1);
    assert_eq!((found.claims[0].kind, found.claims[0].act), (Kind::Blocked, Some(Kind::Committed)));
}

#[test]
fn a_text_that_names_its_failure_is_known() {
    for (text, names) in [
        ("Most tests pass; one still fails.", true),
        ("All tests pass except test_a, which fails.", true),
        ("All parser tests pass. The two network tests are failing.", true),
        ("All tests pass: 12 passed, 0 failed.", false),
        ("I fixed the failing test. All tests pass.", false),
        ("The failing login test is fixed. All tests pass.", false),
        ("Retries on a failed upload work. All tests pass with no failures.", false),
        ("The test no longer fails. All tests pass.", false),
    ] {
        assert_eq!(find(text).names_failure, names, "{text}");
    }
    assert!(find("Most tests pass.").claims[0].partial);
    assert!(find("10/12 tests pass.").claims[0].partial);
    assert!(find("All tests pass.").claims[0].whole);
    assert!(!find("All new tests pass.").claims[0].whole);
}

#[test]
fn names_are_kept_for_the_judge() {
    let claim = &find("I committed the guard to main as 57cccb7.").claims[0];
    assert_eq!((&claim.hashes[..], &claim.targets[..]), (&["57cccb7".to_owned()][..], &["main".to_owned()][..]));
    assert_eq!(find("web/menu.css is committed as 47c2d96.").claims[0].paths, ["web/menu.css"]);
    assert!(find("I committed an empty commit, 0f31bb9, to start the pipeline.").claims[0].empty);
}
