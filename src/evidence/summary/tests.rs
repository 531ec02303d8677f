use super::*;

fn shown(output: &str) -> Option<Shown> {
    of_output(output, true).map(|summary| summary.shown)
}

#[test]
fn each_runner_is_read_in_its_own_words() {
    for (output, expected) in [
        ("test result: ok. 14 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.03s", Shown::Passed),
        (
            "test result: FAILED. 21 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\ntest result: ok. 6 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            Shown::Failed,
        ),
        ("test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 31 filtered out", Shown::Vacuous),
        ("test result: \u{1b}[31mFAILED\u{1b}[0m. 7 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", Shown::Failed),
        ("     Summary [   0.214s] 33 tests run: 33 passed, 0 skipped", Shown::Passed),
        ("     Summary [   0.214s] 33 tests run: 31 passed (1 slow), 2 failed, 0 skipped", Shown::Failed),
        ("========================= 4 failed, 30 passed in 0.41s =========================", Shown::Failed),
        ("8 passed in 0.41s", Shown::Passed),
        ("======================= 2 passed, 61 deselected in 0.41s =======================", Shown::Passed),
        ("30 passed, 4 skipped, 2 warnings in 61.20s (0:01:01)", Shown::Passed),
        ("=== 1 error in 0.10s ===", Shown::Failed),
        ("============ no tests ran in 0.01s ============", Shown::Vacuous),
        ("Ran 12 tests in 0.010s\n\nOK (skipped=2)", Shown::Passed),
        ("Ran 0 tests in 0.000s\n\nOK", Shown::Vacuous),
        ("Ran 12 tests in 0.010s\n\nFAILED (failures=1, errors=2)", Shown::Failed),
        ("ok  \tdemo/api\t0.020s\nok  \tdemo/wire\t0.031s", Shown::Passed),
        ("ok  \tdemo/api\t0.021s\n--- FAIL: TestFrame (0.00s)\nFAIL\nFAIL\tdemo/wire\t0.019s\nFAIL", Shown::Failed),
        ("ok  \tdemo/api\t(cached)\n?   \tdemo\t[no test files]", Shown::Cached),
        ("ok  \tdemo/api\t(cached)\nok  \tdemo/b\t0.1s", Shown::Passed),
        ("Test Suites: 1 failed, 3 passed, 4 total\nTests:       1 failed, 12 passed, 13 total", Shown::Failed),
        ("Tests:       2 skipped, 12 passed, 14 total", Shown::Passed),
        (" Test Files  2 passed (2)\n      Tests  12 passed (12)", Shown::Passed),
        ("  12 passing (34ms)\n  1 failing\n", Shown::Failed),
        ("# tests 3\n# pass 3\n# fail 0", Shown::Passed),
        ("12 examples, 0 failures, 1 pending", Shown::Passed),
        ("12 runs, 24 assertions, 1 failures, 0 errors, 0 skips", Shown::Failed),
        ("OK (12 tests, 34 assertions)", Shown::Passed),
        ("100% tests passed, 0 tests failed out of 9", Shown::Passed),
        ("[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0", Shown::Passed),
        ("Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12", Shown::Passed),
        ("All tests successful.\nFiles=1, Tests=4\nResult: PASS", Shown::Passed),
        ("1..2\nok 1 - a\nnot ok 2 - b", Shown::Failed),
        ("# TOTAL: 2\n# PASS:  2\n# SKIP:  0\n# XFAIL: 0\n# FAIL:  0\n# XPASS: 0\n# ERROR: 0", Shown::Passed),
        ("# TOTAL: 2\n# PASS:  1\n# SKIP:  0\n# XFAIL: 0\n# FAIL:  1\n# XPASS: 0\n# ERROR: 0", Shown::Failed),
        ("Ok:                 4   \nExpected Fail:      0   \nFail:               0   \nTimeout:            0   ", Shown::Passed),
        ("Ok:                 3   \nExpected Fail:      0   \nFail:               1   \nTimeout:            0   ", Shown::Failed),
        ("Test summary: total: 31, failed: 0, succeeded: 31, skipped: 0, duration: 1.1s", Shown::Passed),
        ("Test summary: total: 31, failed: 1, succeeded: 30, skipped: 0, duration: 1.1s", Shown::Failed),
        ("Chrome Headless 120.0 (Linux): Executed 22 of 22 SUCCESS (0.2 secs / 0.1 secs)\nTOTAL: 22 SUCCESS", Shown::Passed),
        ("Chrome Headless 120.0 (Linux): Executed 22 of 22 (1 FAILED) (0.2 secs / 0.1 secs)", Shown::Failed),
        ("    ✔  All specs passed!        00:03        5        5        -", Shown::Passed),
        ("    ✖  1 of 2 failed (50%)      00:03        5        4        1", Shown::Failed),
        ("  14 tests passed", Shown::Passed),
        ("  1 test failed\n  13 tests passed", Shown::Failed),
        ("Build Summary: 3/3 steps succeeded; 12/12 tests passed", Shown::Passed),
        ("Build Summary: 1/3 steps succeeded; 1 failed; 11/12 tests passed; 1 failed", Shown::Failed),
        ("  Tests:    12 passed (30 assertions)", Shown::Passed),
        ("  Tests:    1 failed, 11 passed (30 assertions)", Shown::Failed),
        ("[info] Tests: succeeded 30, failed 0, canceled 0, ignored 0, pending 0", Shown::Passed),
        ("[info] Tests: succeeded 29, failed 1, canceled 0, ignored 0, pending 0", Shown::Failed),
        ("Executed 2 out of 2 tests: 2 tests pass.", Shown::Passed),
        ("Executed 2 out of 2 tests: 1 test passes and 1 fails locally.", Shown::Failed),
    ] {
        assert_eq!(shown(output), Some(expected), "{output}");
    }
}

#[test]
fn lines_are_passed_over_only_where_nothing_is_in_them() {
    let interesting = |line: &str| HINTED.is_match(line) || STARTS.iter().any(|start| line.starts_with(&start[1..]));
    let parts = ["Ran 3 tests", "x", "", "1..2", "ok", "not ok 2", "  passed", "no", "a\u{e9}b", "PASS", "Bail out!", "FAIL x", "1.."];
    // All texts of four lines.
    for number in 0..parts.len().pow(4) {
        let lines: Vec<&str> = (0..4).map(|place| parts[number / parts.len().pow(place) % parts.len()]).collect();
        let text = lines.join("\n");
        let found: Vec<&str> = lines_of_interest(&text).filter(|line| interesting(line)).collect();
        assert_eq!(found, lines.into_iter().filter(|line| interesting(line)).collect::<Vec<_>>(), "{text:?}");
    }
    assert_eq!(lines_of_interest("a\u{1b}b\nc").count(), 2);
}

#[test]
fn words_outside_a_summary_mean_nothing() {
    for output in [
        "test login::error_is_FAILED_state ... ok\nerror: wrong password",
        "BUILD SUCCESSFUL in 4s",
        "All checks passed!",
        "",
        "collecting ...",
    ] {
        assert_eq!(shown(output), None, "{output}");
    }
    assert_eq!(of_output("ok  \tdemo/api\t0.020s", false), None, "what was cut away may have failed");
    assert_eq!(shown("1 failed, 2 passed in 1s\n3 passed in 1s"), Some(Shown::Mixed));
}
