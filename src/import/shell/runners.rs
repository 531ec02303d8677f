//! The tables of test runners, builders and publishers.
//!
//! Longer than most files, for the tables.

use super::program::{Act, base};
use super::scope::{cargo_subset, go_subset, js_subset, positional, pytest_subset};

/// What `name` does with `args`, if it is a runner, a builder or a publisher. `first` is the name as written.
pub(super) fn act(first: &str, name: &str, args: &[&str]) -> Option<Act> {
    let sub = args.first().copied().unwrap_or_default();
    let rest = args.get(1..).unwrap_or_default();
    let whole = |runner| Some(Act::Test { runner, subset: false });
    let some = |runner, subset| Some(Act::Test { runner, subset });
    match name {
        "cargo" | "cross" => return cargo(args),
        "pytest" | "py.test" => return some("pytest", pytest_subset(args)),
        "tox" | "nox" => return tox(args),
        "nose2" | "nosetests" | "unit2" => return some("unittest", positional(args)),
        _ if is_python(name) => return python(args),
        "go" => match sub {
            "test" => return some("go test", go_subset(rest)),
            "build" | "install" => return Some(Act::Build("go build")),
            "vet" | "version" | "env" | "list" | "doc" => return Some(Act::Read),
            _ => {}
        },
        "gotestsum" | "ginkgo" | "richgo" => {
            return some("go test", args.iter().any(|arg| arg.starts_with("-run") || arg.starts_with("--focus")));
        }
        "npm" | "pnpm" | "yarn" | "bun" | "deno" => return script_runner(name, args),
        "robot" | "pabot" => return some("robot", args.iter().any(|arg| matches!(*arg, "-t" | "--test" | "-i" | "--include"))),
        "behave" | "cucumber" | "cucumber-js" => return some("cucumber", positional(args)),
        "julia" if args.iter().any(|arg| arg.contains("Pkg.test") || base(arg) == "runtests.jl") => return whole("julia"),
        "R" | "Rscript" if args.iter().any(|arg| R_TESTS.iter().any(|call| arg.contains(call)) || base(arg) == "testthat.R") => {
            return some("testthat", args.iter().any(|arg| arg.contains("test_file") || arg.contains("filter")));
        }
        "mill" if args.iter().any(|arg| arg.split('.').any(|word| matches!(word, "test" | "testForked" | "testCached"))) => {
            return some("test", args.iter().any(|arg| arg.contains("testOnly")));
        }
        "jest" | "vitest" | "mocha" | "ava" | "tap" | "tape" | "karma" | "jasmine" | "wdio" => return some("jest", js_subset(args)),
        "playwright" | "cypress" if matches!(sub, "test" | "run") => return some("playwright", js_subset(rest)),
        "node" if args.iter().any(|arg| *arg == "--test" || arg.starts_with("--test=")) => return some("node", positional(args)),
        "react-scripts" | "ng" | "craco" | "vue-cli-service" | "expo" | "nuxi" | "nuxt" => match sub {
            "test" | "test:unit" => return whole("jest"),
            "build" => return Some(Act::Build("build")),
            "generate" if name.starts_with("nux") => return Some(Act::Build("build")),
            _ => {}
        },
        "nx" | "turbo" | "lerna" | "rush" => {
            let words = args.join(" ");
            if sub == "publish" {
                return Some(Act::Release("publish"));
            }
            if words.contains("test") {
                // What fails of several tasks may be another one.
                let more = ["lint", "build", "check", "format"].iter().any(|task| words.contains(task));
                return whole(if more { "make" } else { "jest" });
            }
            if words.contains("build") {
                return Some(Act::Build("build"));
            }
        }
        "make" | "gmake" | "just" | "task" | "rake" | "ninja" | "invoke" | "inv" | "mage" | "earthly" => return target(name, args),
        "mvn" | "mvnw" | "mvnd" => return maven(args),
        "gradle" | "gradlew" => return gradle(args),
        "rspec" => return some("rspec", positional(args)),
        "rails" if sub.starts_with("test") => return some("rails test", positional(rest)),
        "phpunit" | "pest" | "paratest" => return some("phpunit", positional(args) || args.iter().any(|arg| arg.starts_with("--filter"))),
        "composer" if sub == "test" => return whole("phpunit"),
        "php" if sub == "artisan" && rest.first() == Some(&"test") => return some("phpunit", rest.len() > 1),
        "dotnet" => match sub {
            "test" => return some("dotnet test", args.iter().any(|arg| arg.starts_with("--filter"))),
            "build" | "publish" | "msbuild" => return Some(Act::Build("dotnet build")),
            "nuget" if rest.first() == Some(&"push") => return Some(Act::Release("dotnet nuget push")),
            _ => {}
        },
        "mix" => match sub {
            "test" => return some("mix test", positional(rest)),
            "compile" => return Some(Act::Build("mix compile")),
            "hex.publish" => return Some(Act::Release("mix hex.publish")),
            _ => {}
        },
        "sbt" | "stack" | "cabal" | "swift" | "flutter" | "dart" | "zig" | "lein" | "dune" | "meson" | "bazel" | "bazelisk" | "buck"
        | "buck2" | "forge" | "crystal" | "elm-test" | "xcodebuild" | "lake" | "gleam" | "moon" | "truffle" | "hardhat" | "anchor" => {
            let words = args.join(" ");
            if name == "elm-test" || words.contains("test") || words.contains("spec") {
                return some("test", words.contains("--filter") || words.contains("-Dtest") || words.contains("testOnly"));
            }
            if words.contains("build") || words.contains("compile") || words.contains("archive") || name == "xcodebuild" || name == "lake" {
                return Some(Act::Build("build"));
            }
        }
        "kubectl" | "oc" | "terraform" | "tofu" | "pulumi"
            if !args.iter().any(|arg| arg.starts_with("--dry-run") || arg.starts_with("--preview")) =>
        {
            match (name, sub, rest.first().copied().unwrap_or_default()) {
                ("kubectl" | "oc", "apply", _)
                | ("kubectl" | "oc", "rollout", "status" | "restart")
                | ("kubectl" | "oc", "set", "image") => {
                    return Some(Act::Release("kubectl"));
                }
                ("terraform" | "tofu", "apply", _) | ("pulumi", "up", _) => return Some(Act::Release("terraform apply")),
                ("terraform" | "tofu", "test", _) => {
                    return some("terraform test", rest.iter().any(|arg| arg.starts_with("-filter")));
                }
                _ => {}
            }
        }
        "ssh" if deploys_elsewhere(args) => return Some(Act::Release("ssh deploy")),
        "gh-pages" | "jsr" if name == "gh-pages" || sub == "publish" && !args.contains(&"--dry-run") => {
            return Some(Act::Release("publish"));
        }
        "mkdocs" if sub == "gh-deploy" => return Some(Act::Release("deploy")),
        "ctest" => return some("ctest", args.iter().any(|arg| arg.starts_with("-R") || arg.starts_with("-L") || arg.starts_with("-I"))),
        "prove" | "bats" | "busted" | "shellspec" | "roundup" => return some("prove", positional(args)),
        "cmake" if sub == "--build" => return Some(Act::Build("cmake")),
        "gcc" | "g++" | "clang" | "clang++" | "cc" | "c++" | "rustc" | "javac" | "swiftc" | "kotlinc" | "ghc" | "nasm" | "ld" | "emcc"
        | "tsc" | "vue-tsc" | "webpack" | "rollup" | "esbuild" | "tsup" | "msbuild" | "hugo" | "mkdocs" | "buildah" | "ocamlfind"
        | "wasm-pack" | "maturin" | "lerc" | "pdflatex" | "latexmk" | "tectonic" | "typst" => {
            if name == "maturin" && sub == "publish" {
                return Some(Act::Release("maturin publish"));
            }
            return Some(Act::Build("compiler"));
        }
        "next" | "vite" | "astro" | "gatsby" | "parcel" | "snowpack" | "docusaurus" | "eleventy" | "remix" if sub == "build" => {
            return Some(Act::Build("build"));
        }
        "docker" | "podman" => match sub {
            "build" | "buildx" => return Some(Act::Build("docker build")),
            "compose" if rest.contains(&"build") => return Some(Act::Build("docker build")),
            "push" => return Some(Act::Release("docker push")),
            "ps" | "logs" | "images" | "inspect" | "version" | "info" => return Some(Act::Read),
            _ => {}
        },
        "poetry" | "uv" | "flit" | "hatch" | "pdm" | "rye" => match sub {
            "build" => return Some(Act::Build("build")),
            "publish" => return Some(Act::Release("publish")),
            _ => {}
        },
        "twine" if sub == "upload" => return Some(Act::Release("twine upload")),
        "gem" => match sub {
            "push" => return Some(Act::Release("gem push")),
            "build" => return Some(Act::Build("gem build")),
            _ => {}
        },
        "gh" | "glab" if sub == "release" && rest.first() == Some(&"create") && !args.contains(&"--draft") => {
            return Some(Act::Release("release create"));
        }
        "vsce" | "ovsx" if sub == "publish" => return Some(Act::Release("vsce publish")),
        "changeset" if sub == "publish" => return Some(Act::Release("changeset publish")),
        "semantic-release" | "release-it" | "goreleaser" | "np"
            if !args.iter().any(|arg| arg.contains("dry") || arg.contains("snapshot") || *arg == "check") =>
        {
            return Some(Act::Release("release"));
        }
        "vercel" | "netlify" | "fly" | "flyctl" | "wrangler" | "firebase" | "serverless" | "sls" | "railway" | "surge" | "helm" | "cdk"
        | "sam" | "eb" | "heroku" | "gcloud" => {
            let dry = args.iter().any(|arg| arg.contains("dry-run"));
            let deploys = matches!(sub, "deploy" | "publish" | "upgrade" | "up")
                || args.contains(&"--prod")
                || args.windows(2).any(|two| two == ["app", "deploy"] || two == ["run", "deploy"]);
            if deploys && !dry {
                return Some(Act::Release("deploy"));
            }
        }
        "ruff" | "eslint" | "flake8" | "mypy" | "pyright" | "shellcheck" | "golangci-lint" | "stylelint" | "pylint" | "black" | "isort"
        | "prettier" | "gofmt" | "rustfmt" | "biome" | "clippy-driver" | "rubocop" | "hadolint" | "yamllint" | "markdownlint"
        | "clang-format" | "standard" => {
            let writes = args
                .iter()
                .any(|arg| matches!(*arg, "--fix" | "-w" | "--write" | "--apply" | "-i" | "-A" | "-a" | "--autocorrect" | "format"));
            let formats =
                matches!(name, "black" | "isort" | "rustfmt") && !args.iter().any(|arg| arg.starts_with("--check") || *arg == "--diff");
            return Some(if writes || formats { Act::Other } else { Act::Read });
        }
        _ => {}
    }
    let script = first.contains('/') || name.ends_with(".sh") || name.ends_with(".py") || name.ends_with(".rb") || name.ends_with(".bash");
    (script && is_test_name(name)).then_some(Act::Test { runner: "script", subset: positional(args) })
}

fn is_python(name: &str) -> bool {
    name.strip_prefix("python")
        .or_else(|| name.strip_prefix("pypy"))
        .is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

/// Whether a script's name says that it runs tests: `run_tests.sh`, `test.py`, `check-tests`.
fn is_test_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    stem.split(['_', '-', ':']).any(|word| matches!(word, "test" | "tests" | "spec" | "specs" | "suite" | "unittest" | "runtests"))
}

fn cargo(args: &[&str]) -> Option<Act> {
    let args: Vec<&str> = args.iter().copied().skip_while(|arg| arg.starts_with('+') || arg.starts_with('-')).collect();
    let sub = args.first().copied().unwrap_or_default();
    let rest = args.get(1..).unwrap_or_default();
    match sub {
        "test" | "t" | "nextest" | "llvm-cov" | "tarpaulin" | "careful" | "miri" => {
            let listed = rest.iter().any(|arg| matches!(*arg, "--no-run" | "list" | "--list" | "setup" | "report" | "show-env"));
            if listed {
                return Some(if rest.contains(&"--no-run") { Act::Build("cargo test --no-run") } else { Act::Read });
            }
            if sub == "miri" && !rest.iter().any(|arg| matches!(*arg, "test" | "nextest")) {
                return Some(Act::Other);
            }
            Some(Act::Test { runner: if sub == "nextest" { "cargo nextest" } else { "cargo test" }, subset: cargo_subset(rest) })
        }
        "build" | "b" | "check" | "c" | "rustc" | "doc" => Some(Act::Build("cargo build")),
        "publish" if !rest.contains(&"--dry-run") && !rest.contains(&"-n") => Some(Act::Release("cargo publish")),
        "publish" | "package" | "tree" | "metadata" | "search" | "info" | "--version" | "version" | "audit" | "deny" | "bench" => {
            Some(Act::Read)
        }
        "clippy" if !rest.contains(&"--fix") => Some(Act::Read),
        "fmt" if rest.contains(&"--check") || rest.contains(&"-c") => Some(Act::Read),
        _ => Some(Act::Other),
    }
}

fn python(args: &[&str]) -> Option<Act> {
    let mut at = 0;
    while args.get(at).is_some_and(|arg| arg.starts_with('-') && *arg != "-m" && *arg != "-c" && *arg != "-") {
        at += if matches!(args[at], "-W" | "-X") { 2 } else { 1 };
    }
    let rest = args.get(at + 2..).unwrap_or_default();
    match (args.get(at).copied().unwrap_or_default(), args.get(at + 1).copied().unwrap_or_default()) {
        ("-m", "pytest" | "py.test") => Some(Act::Test { runner: "pytest", subset: pytest_subset(rest) }),
        ("-m", "unittest" | "nose2" | "xmlrunner" | "testtools.run") => {
            Some(Act::Test { runner: "unittest", subset: positional(rest) && !rest.contains(&"discover") })
        }
        ("-m", "coverage") if rest.first() == Some(&"run") => {
            let inner: Vec<&str> = rest[1..].to_vec();
            python(&inner)
        }
        ("-m", "tox" | "nox") => tox(rest),
        ("-m", "behave" | "robot") => Some(Act::Test { runner: "cucumber", subset: positional(rest) }),
        ("-m", "django") if rest.first() == Some(&"test") => Some(Act::Test { runner: "unittest", subset: positional(&rest[1..]) }),
        ("-m", "build" | "compileall" | "py_compile") => Some(Act::Build("python build")),
        ("-m", "json.tool" | "http.server" | "mypy" | "flake8" | "ruff") => Some(Act::Read),
        ("-m", "twine") if rest.first() == Some(&"upload") => Some(Act::Release("twine upload")),
        (script, "test") if base(script) == "manage.py" => Some(Act::Test { runner: "unittest", subset: positional(rest) }),
        // SymPy's own, in a folder of programs.
        (script, _) if script.ends_with("bin/test") => {
            Some(Act::Test { runner: "script", subset: positional(args.get(at + 1..).unwrap_or_default()) })
        }
        (script, _) if script.ends_with(".py") && (is_test_name(base(script)) || base(script) == "runtests.py") => {
            // `run_tests.py` runs what there is; `test_parser.py` is one file of it.
            let runs = base(script).split(['_', '-', '.']).any(|word| matches!(word, "run" | "runtests"));
            Some(Act::Test { runner: "script", subset: !runs || positional(args.get(at + 1..).unwrap_or_default()) })
        }
        _ => None,
    }
}

fn script_runner(name: &str, args: &[&str]) -> Option<Act> {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        match *arg {
            "--prefix" | "-w" | "--workspace" | "--filter" | "-F" | "--cwd" | "-C" | "--dir" => at += 2,
            option if option.starts_with('-') => at += 1,
            "workspace" if name == "yarn" => at += 2,
            "workspaces" => at += 1,
            "foreach" => at += 1,
            _ => break,
        }
    }
    let narrowed = args[..at.min(args.len())].iter().any(|arg| matches!(*arg, "-w" | "--workspace" | "--filter" | "-F"));
    let sub = args.get(at).copied().unwrap_or_default();
    let rest = args.get(at + 1..).unwrap_or_default();
    let of_yarn = name == "yarn" && sub == "npm" && rest.first() == Some(&"publish");
    if (sub == "publish" || of_yarn) && matches!(name, "npm" | "pnpm" | "yarn" | "bun" | "deno") && !rest.contains(&"--dry-run") {
        return Some(Act::Release("npm publish"));
    }
    let (script, rest) = if matches!(sub, "run" | "run-script" | "task") {
        (rest.first().copied().unwrap_or_default(), rest.get(1..).unwrap_or_default())
    } else {
        (sub, rest)
    };
    let direct = sub == script;
    let says = |wanted: &[&str]| script.split([':', '-', '_']).any(|word| wanted.contains(&word));
    let only_looks = says(&["dry", "check", "test", "preview", "build", "lint"]) || rest.iter().any(|arg| arg.contains("dry"));
    // `npm deploy` is no command, and `pnpm deploy` copies a package into a folder.
    let of_its_own = direct && matches!(name, "npm" | "pnpm");
    if says(&["deploy"]) && !only_looks && !of_its_own {
        return Some(Act::Release("npm run deploy"));
    }
    if name == "npm" && direct && !matches!(script, "test" | "t" | "tst" | "it") {
        return match script {
            "ls" | "list" | "view" | "info" | "outdated" | "audit" | "whoami" | "config" | "help" => Some(Act::Read),
            "exec" | "x" => act_of_exec(rest),
            _ => Some(Act::Other),
        };
    }
    if is_script_test(script) || matches!(script, "vitest" | "jest" | "mocha") {
        return Some(Act::Test { runner: "npm test", subset: narrowed || js_subset(rest) });
    }
    if script.split([':', '-', '_']).any(|word| matches!(word, "build" | "compile" | "bundle")) {
        return Some(Act::Build("npm run build"));
    }
    if script.split([':', '-', '_']).any(|word| matches!(word, "lint" | "typecheck" | "types"))
        && !rest.iter().any(|arg| arg.contains("fix"))
        && !script.contains("fix")
    {
        return Some(Act::Read);
    }
    if matches!(script, "tsc" | "vite" | "next") {
        return Some(Act::Build("npm run build"));
    }
    Some(Act::Other)
}

fn act_of_exec(args: &[&str]) -> Option<Act> {
    let words: Vec<String> = args.iter().skip_while(|arg| arg.starts_with('-')).map(|arg| (*arg).to_owned()).collect();
    Some(super::program::act(&words))
}

fn is_script_test(script: &str) -> bool {
    script == "t"
        || script.split([':', '-', '_']).any(|word| matches!(word, "test" | "tests" | "unit" | "e2e" | "vitest" | "jest" | "spec"))
}

fn target(name: &str, args: &[&str]) -> Option<Act> {
    let targets: Vec<&str> = {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            match *arg {
                "-C" | "-f" | "-j" | "-t" | "--directory" | "--file" if name != "ninja" || *arg != "-t" => {
                    at += if *arg == "-j" && args.get(at + 1).is_none_or(|next| next.parse::<u32>().is_err()) { 1 } else { 2 };
                }
                option if option.starts_with('-') || option.contains('=') => at += 1,
                target => {
                    found.push(target);
                    at += 1;
                }
            }
        }
        found
    };
    let says = |words: &[&str]| targets.iter().any(|target| target.split([':', '-', '_', '.', '/']).any(|word| words.contains(&word)));
    if args.iter().any(|arg| matches!(*arg, "-n" | "--dry-run" | "--list" | "-l" | "-T")) && name != "make" {
        return Some(Act::Read);
    }
    if says(&["test", "tests", "check", "spec", "unittest", "pytest", "e2e"]) {
        return Some(Act::Test { runner: "make", subset: false });
    }
    if says(&["release", "publish", "deploy"]) {
        return Some(Act::Release(RELEASE_TARGET));
    }
    if says(&[
        "lint",
        "fmt",
        "format",
        "clean",
        "install",
        "run",
        "dev",
        "start",
        "help",
        "ci",
        "verify",
        "all-checks",
        "up",
        "down",
        "docs",
        "generate",
        "gen",
        "migrate",
        "setup",
    ]) {
        return Some(Act::Other);
    }
    if matches!(name, "make" | "gmake" | "ninja") || says(&["build", "compile", "all", "dist"]) {
        Some(Act::Build("make"))
    } else {
        Some(Act::Other)
    }
}

/// What a target is called that may build a release or send one out.
pub(crate) const RELEASE_TARGET: &str = "make release";

/// What R is told to run that runs tests.
const R_TESTS: [&str; 7] = ["devtools::test", "test_dir(", "test_local(", "test_package(", "test_check(", "test_file(", "tinytest::"];

/// tox and nox run what their environments are for: the names say which of them lint, and no more.
fn tox(args: &[&str]) -> Option<Act> {
    let chosen = args.windows(2).find(|two| matches!(two[0], "-e" | "-s" | "--session" | "--sessions" | "-m")).map(|two| two[1]);
    let lints = |name: &str| {
        matches!(
            name.split(['-', '_']).next().unwrap_or_default(),
            "lint" | "fmt" | "format" | "docs" | "doc" | "mypy" | "typing" | "types" | "flake8" | "style" | "ruff" | "black" | "pylint"
        )
    };
    if args.iter().any(|arg| matches!(*arg, "-l" | "list" | "--list" | "--notest" | "config")) {
        return Some(Act::Other);
    }
    match chosen {
        Some(names) if names.split(',').all(lints) => Some(Act::Other),
        _ => Some(Act::Test { runner: "tox", subset: false }),
    }
}

/// Whether what `ssh` is told to run over there brings work live.
fn deploys_elsewhere(args: &[&str]) -> bool {
    let mut at = 0;
    while let Some(arg) = args.get(at).filter(|arg| arg.starts_with('-')) {
        let takes_value = arg.len() == 2 && "BbcDEeFIiJLlmOopQRSWw".contains(&arg[1..]);
        at += if takes_value { 2 } else { 1 };
    }
    let remote = args.get(at + 1..).unwrap_or_default().join(" ");
    super::lex::split(&remote).parts.iter().any(|part| {
        let words = super::program::program(&part.words);
        let Some(first) = words.first() else { return false };
        let shell = matches!(base(first), "bash" | "sh" | "zsh");
        let script = if shell { words.iter().skip(1).find(|word| !word.starts_with('-')) } else { Some(first) };
        let named = script.is_some_and(|script| {
            base(script).split(|each: char| !each.is_ascii_alphanumeric()).any(|word| matches!(word, "deploy" | "release"))
        });
        let composed = matches!(base(first), "docker" | "docker-compose" | "podman")
            && words.iter().any(|word| word == "up")
            && words.iter().any(|word| word.contains("compose"));
        named || composed
    })
}

/// Whether a run of tests of Maven is a build as well: more than what tests need is asked for.
pub(super) fn packages(words: &[String]) -> bool {
    words.first().is_some_and(|word| matches!(base(word), "mvn" | "mvnw" | "mvnd"))
        && words.iter().any(|arg| matches!(arg.as_str(), "package" | "install" | "verify" | "integration-test"))
}

fn maven(args: &[&str]) -> Option<Act> {
    let has = |goals: &[&str]| args.iter().any(|arg| goals.contains(arg));
    if has(&["deploy"]) {
        return Some(Act::Release("mvn deploy"));
    }
    let skips = args.iter().any(|arg| arg.starts_with("-DskipTests") || arg.starts_with("-Dmaven.test.skip"));
    if has(&["test", "verify", "install", "package", "integration-test"]) && !skips {
        return Some(Act::Test { runner: "mvn test", subset: args.iter().any(|arg| arg.starts_with("-Dtest") || *arg == "-pl") });
    }
    has(&["compile", "package", "install", "test-compile"]).then_some(Act::Build("mvn"))
}

fn gradle(args: &[&str]) -> Option<Act> {
    let tasks: Vec<&str> = args.iter().filter(|arg| !arg.starts_with('-')).map(|arg| arg.rsplit(':').next().unwrap_or(arg)).collect();
    if tasks.iter().any(|task| task.starts_with("publish") || *task == "uploadArchives") {
        return Some(Act::Release("gradle publish"));
    }
    if tasks.iter().any(|task| task.to_ascii_lowercase().contains("test") || *task == "check") {
        return Some(Act::Test { runner: "gradle test", subset: args.contains(&"--tests") });
    }
    tasks
        .iter()
        .any(|task| {
            *task == "build" || task.starts_with("assemble") || task.starts_with("compile") || *task == "jar" || *task == "installDist"
        })
        .then_some(Act::Build("gradle"))
}
