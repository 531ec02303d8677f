use super::*;

#[test]
fn builders_are_read_in_their_own_words() {
    for (output, expected) in [
        ("** BUILD SUCCEEDED **", Some(true)),
        ("▸ Build Succeeded", Some(true)),
        ("** ARCHIVE FAILED **", Some(false)),
        ("ESM ⚡️ Build success in 31ms", Some(true)),
        ("ESM ⚡️ Build success in 31ms\nDTS Build error\nsrc/a.ts(3,5): error TS2322: x", Some(false)),
        ("#12 exporting to image\n#12 exporting layers 0.3s done\n#12 DONE 1.2s", Some(true)),
        ("#11 [4/4] RUN npm ci\n#11 DONE 1.2s", None),
        (" => => naming to registry.example.invalid/library/x", Some(true)),
        ("ERROR: failed to solve: process \"/bin/sh -c npm ci\" did not complete successfully: exit code: 1", Some(false)),
        ("packages/a build: Done", Some(true)),
        ("packages/a build: Done\npackages/b build: Failed", Some(false)),
        (" ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  a@1.0.0 build: `tsc`", Some(false)),
        (" ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  a@1.0.0 test: `jest`", None),
        ("Application bundle generation complete. [2.1 seconds]", Some(true)),
        ("✘ [ERROR] TS2322: x\n\nApplication bundle generation failed. [2.1 seconds]", Some(false)),
        ("✓ Built build/app/outputs/flutter-apk/app-release.apk (21.1MB)", Some(true)),
        ("Gradle task assembleRelease failed with exit code 1", Some(false)),
        ("[100%] Built target h", Some(true)),
        ("[ 50%] Built target h", None),
        ("[100%] Built target h\nmake: *** [all] Error 2", Some(false)),
        ("make: *** [Makefile:14: test] Error 1", None),
        ("[9/9] Linking target app", Some(true)),
        ("[8/9] Compiling a.c", None),
        ("# demo/gw\ngw/mw.go:14:9: undefined: Limitr", Some(false)),
        ("./a.go:3:5: declared and not used: x", Some(false)),
        ("./a.go:3:5: fmt.Printf format %d has arg x of wrong type string", None),
        ("./a_test.go:3:5: undefined: foo", None),
        ("a.go:3:5: undefined: foo (typecheck)", None),
        (" Tasks:    4 successful, 4 total", Some(true)),
        (" Tasks:    2 successful, 4 total\n  Failed:    a#build", Some(false)),
        (" Tasks:    2 successful, 4 total\n  Failed:    a#test", None),
        (" NX   Successfully ran target build for 3 projects (9s)", Some(true)),
        (" NX   Ran target build for 3 projects (9s)\n\n ✖  1/3 failed\n\nFailed tasks:\n\n- api:build:production", Some(false)),
        ("ERROR: Build did NOT complete successfully", Some(false)),
        ("INFO: Build completed successfully, 12 total actions", Some(true)),
        ("error: emit-module command failed with exit code 1 (use -v to see invocation)", Some(false)),
        ("Sources/A/a.swift:3:5: error: cannot find 'x' in scope", Some(false)),
        ("src/a.c:3:5: error: 'x' undeclared", Some(false)),
        ("src/a.ts:3:5: error: Parsing error", None),
        ("[ERROR] Could not resolve \"./x\" from \"src/a.astro\"", Some(false)),
        ("[build] Complete!", Some(true)),
        ("ERROR  Nuxt Build Error: x", Some(false)),
        ("✔ You can preview this build using node .output/server/index.mjs", Some(true)),
        ("Error: error building site: \"a.md:1:1\": x", Some(false)),
        ("Total in 88 ms", Some(true)),
        ("Aborted with 3 warnings in strict mode!", Some(false)),
        ("Error: Compiling your crate to WebAssembly failed", Some(false)),
        ("[INFO]: :-) Done in 2.1s", Some(true)),
        ("A.cs(9,13): error CS0103: x", Some(false)),
        ("[ERROR] COMPILATION ERROR : ", Some(false)),
    ] {
        assert_eq!(of_build(output), expected, "{output}");
    }
}

#[test]
fn a_run_of_tests_shows_where_the_code_did_not_compile() {
    for (output, expected) in [
        ("error: could not compile `a` (lib) due to 1 previous error", true),
        ("error: could not compile `a` (bin \"a\") due to 1 previous error", true),
        ("error: could not compile `a` (lib test) due to 1 previous error", false),
        ("error: could not compile `a` (test \"x\") due to 1 previous error", false),
        ("[ERROR] COMPILATION ERROR : \n[ERROR] Failed to execute goal x:compile (default-compile) on project a", true),
        ("[ERROR] COMPILATION ERROR : \n[ERROR] Failed to execute goal x:testCompile (default-testCompile) on project a", false),
        ("> Task :compileKotlin FAILED", true),
        ("> Task :compileTestJava FAILED", false),
        ("/srv/x/A/A.cs(9,13): error CS0103: x", true),
        ("/srv/x/A.Tests/ATests.cs(9,13): error CS0103: x", false),
        ("# demo\n./a.go:3:5: undefined: foo\nFAIL\tdemo [build failed]", true),
        ("# demo [demo.test]\n./a_test.go:3:5: undefined: foo\nFAIL\tdemo [build failed]", false),
        ("BUILD FAILED in 8s", false),
        ("[INFO] BUILD FAILURE", false),
    ] {
        assert_eq!(did_not_compile(output), expected, "{output}");
    }
}

#[test]
fn releases_are_read() {
    for output in [
        "➤ YN0000: Package archive published",
        "Successfully published @o/a@1.2.0",
        "deployment \"h\" successfully rolled out",
        "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.",
        "Published",
        "remote: Verifying deploy... done.",
        "remote: https://h.example.invalid/ deployed to Heroku",
        "✔  Deploy complete!",
        "Deploy is live!",
    ] {
        assert!(published(output), "{output}");
    }
    for output in ["published: false", "Publishing to registry", "Nothing published", "deployment.apps/h created"] {
        assert!(!published(output), "{output}");
    }
    for output in [
        "error: error validating \"k8s/d.yaml\"",
        "Error from server (Forbidden): error when creating \"k8s/d.yaml\"",
        "error: deployment \"h\" exceeded its progress deadline",
        "│ Error: creating instance: UnauthorizedOperation",
        "remote:  !     Push rejected, failed to compile Node.js app.",
    ] {
        assert!(not_published(output), "{output}");
    }
    for output in ["0 errors", "Error budget: fine", "deployment.apps/h configured"] {
        assert!(!not_published(output), "{output}");
    }
}
