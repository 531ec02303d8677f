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
fn runners_that_sum_up_in_a_line_of_their_own_are_read() {
    for (output, expected) in [
        // gotestsum; a test that was run again may have passed.
        ("DONE 12 tests in 0.1s", Some(Shown::Passed)),
        ("DONE 12 tests, 2 skipped in 0.1s", Some(Shown::Passed)),
        ("DONE 12 tests, 1 failure in 0.1s", Some(Shown::Failed)),
        ("DONE 0 tests, 1 error in 2.412s", Some(Shown::Failed)),
        ("DONE 2 runs, 13 tests, 1 failure in 0.4s", None),
        ("DONE 0 tests in 0.1s", Some(Shown::Vacuous)),
        // Ginkgo, one line a suite.
        ("Ran 9 of 9 Specs in 0.1 seconds\nSUCCESS! -- 9 Passed | 0 Failed | 0 Pending | 0 Skipped", Some(Shown::Passed)),
        ("Ran 9 of 9 Specs in 0.1 seconds\nFAIL! -- 8 Passed | 1 Failed | 0 Pending | 0 Skipped", Some(Shown::Failed)),
        (
            "FAIL! -- 8 Passed | 1 Failed | 0 Pending | 0 Skipped\nSUCCESS! -- 4 Passed | 0 Failed | 0 Pending | 0 Skipped",
            Some(Shown::Failed),
        ),
        // Forge.
        ("Suite result: ok. 12 passed; 0 failed; 0 skipped; finished in 1.1ms", Some(Shown::Passed)),
        ("Suite result: FAILED. 11 passed; 1 failed; 0 skipped; finished in 1.1ms", Some(Shown::Failed)),
        ("Ran 1 test suite in 2ms (1ms CPU time): 12 tests passed, 0 failed, 0 skipped (12 total tests)", Some(Shown::Passed)),
        ("Encountered a total of 1 failing tests, 11 tests succeeded", Some(Shown::Failed)),
        // clojure.test
        ("Ran 14 tests containing 30 assertions.\n0 failures, 0 errors.", Some(Shown::Passed)),
        ("Ran 14 tests containing 30 assertions.\n2 failures, 0 errors.", Some(Shown::Failed)),
        ("Ran 0 tests containing 0 assertions.\n0 failures, 0 errors.", Some(Shown::Vacuous)),
        ("2 failures, 0 errors.", None),
        // Cabal and Stack.
        ("1 of 1 test suites (1 of 1 test cases) passed.", Some(Shown::Passed)),
        ("0 of 1 test suites (0 of 1 test cases) passed.", Some(Shown::Failed)),
        ("Test suite demo-test: PASS", Some(Shown::Passed)),
        ("Test suite demo-test: FAIL", Some(Shown::Failed)),
        ("demo> Test suite demo-test passed", Some(Shown::Passed)),
        ("demo> Test suite demo-test failed", Some(Shown::Failed)),
        ("a> Test suite a-test failed\nb> Test suite b-test passed", Some(Shown::Failed)),
        // WebdriverIO
        ("Spec Files:\t 2 passed, 2 total (100% completed) in 00:00:09", Some(Shown::Passed)),
        ("Spec Files:\t 2 passed, 1 retries, 2 total (100% completed) in 00:00:09", Some(Shown::Passed)),
        ("Spec Files:\t 1 passed, 1 failed, 2 total (100% completed) in 00:00:09", Some(Shown::Failed)),
        // Swift Testing; XCTest's line beside it counts none of its tests.
        ("✔ Test run with 12 tests passed after 0.012 seconds.", Some(Shown::Passed)),
        ("✘ Test run with 12 tests in 3 suites failed after 0.012 seconds with 1 issue.", Some(Shown::Failed)),
        (
            "\t Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.000) seconds\n✔ Test run with 12 tests passed after 0.012 seconds.",
            Some(Shown::Passed),
        ),
        // Robot Framework, behave, Cucumber.
        ("5 tests, 5 passed, 0 failed", Some(Shown::Passed)),
        ("5 tests, 4 passed, 1 failed", Some(Shown::Failed)),
        ("2 features passed, 0 failed, 0 skipped\n9 scenarios passed, 0 failed, 0 skipped", Some(Shown::Passed)),
        ("1 feature passed, 1 failed, 0 skipped\n8 scenarios passed, 1 failed, 0 skipped", Some(Shown::Failed)),
        ("9 scenarios (9 passed)\n30 steps (30 passed)", Some(Shown::Passed)),
        ("9 scenarios (1 failed, 8 passed)\n30 steps (1 failed, 29 passed)", Some(Shown::Failed)),
        ("9 scenarios (1 undefined, 8 passed)", None),
        // Julia: columns of the table stand only where there is something in them.
        ("Test Summary: | Pass  Total  Time\nall           |   31     31  2.0s", Some(Shown::Passed)),
        ("Test Summary: | Pass  Fail  Total  Time\nall           |   30     1     31  2.0s", Some(Shown::Failed)),
        ("Test Summary: | Error  Total  Time\nall           |     1      1  2.0s", Some(Shown::Failed)),
        ("     Testing Demo tests passed", Some(Shown::Passed)),
        ("ERROR: Package Demo errored during testing", Some(Shown::Failed)),
        // R.
        ("[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]", Some(Shown::Passed)),
        ("[ FAIL 1 | WARN 2 | SKIP 0 | PASS 11 ]", Some(Shown::Failed)),
        ("[ FAIL 0 | WARN 0 | SKIP 0 | PASS 0 ]", Some(Shown::Vacuous)),
        // Terraform, Mill, sbt below JUnit, both that are called Unity.
        ("Success! 4 passed, 0 failed.", Some(Shown::Passed)),
        ("Failure! 3 passed, 1 failed.", Some(Shown::Failed)),
        ("Tests: 9, Passed: 9, Failed: 0", Some(Shown::Passed)),
        ("Tests: 9, Passed: 8, Failed: 1", Some(Shown::Failed)),
        ("1 targets failed\nfoo.test 1 tests failed: ", Some(Shown::Failed)),
        ("[info] Passed: Total 9, Failed 0, Errors 0, Passed 9", Some(Shown::Passed)),
        ("[error] Failed: Total 9, Failed 1, Errors 0, Passed 8", Some(Shown::Failed)),
        ("10 Tests 0 Failures 0 Ignored \nOK", Some(Shown::Passed)),
        ("10 Tests 1 Failures 0 Ignored \nFAIL", Some(Shown::Failed)),
        ("Test run completed. Exiting with code 2 (Failed). One or more tests failed.", Some(Shown::Failed)),
    ] {
        assert_eq!(shown(output), expected, "{output}");
    }
}

#[test]
fn a_package_in_front_of_a_line_is_taken_off_and_hides_no_failure() {
    for (output, expected) in [
        ("packages/core test:       Tests  31 passed (31)", Some(Shown::Passed)),
        ("packages/core test:       Tests  1 failed | 30 passed (31)\npackages/web test:       Tests  9 passed (9)", Some(Shown::Failed)),
        ("web:test:  Test Files  3 passed (3)\nweb:test:       Tests  31 passed (31)", Some(Shown::Passed)),
        ("@k/api:test:unit: Tests:       1 failed, 30 passed, 31 total\nweb:test: Tests:       9 passed, 9 total", Some(Shown::Failed)),
        ("@k/core: Tests:       12 passed, 12 total", Some(Shown::Passed)),
        ("web-1  | ============ 1 failed, 8 passed in 0.41s ============", Some(Shown::Failed)),
        ("web-1  | 9 passed in 0.41s", Some(Shown::Passed)),
        ("➤ YN0000: [core]: Tests:       12 passed, 12 total", Some(Shown::Passed)),
        (
            "➤ YN0000: [core]: Tests:       1 failed, 11 passed, 12 total\n➤ YN0000: [web]: Tests:       12 passed, 12 total",
            Some(Shown::Failed),
        ),
        // One package's own second attempt.
        ("web:test: Tests:       1 failed, 11 passed, 12 total\nweb:test: Tests:       12 passed, 12 total", Some(Shown::Mixed)),
        // What a program logs under a name of its own is no summary.
        ("INFO: 2 failed in 0.30s", None),
        ("worker: 1 failed", None),
        ("worker test-queue: 2 failed in 0.30s", None),
        ("[worker]: 2 failed in 0.30s", None),
    ] {
        assert_eq!(shown(output), expected, "{output}");
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
