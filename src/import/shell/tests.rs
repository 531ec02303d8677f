use super::*;

fn test_of(text: &str) -> Check {
    analyse(text).test.unwrap_or_else(|| panic!("{text} runs tests"))
}

#[test]
fn a_status_is_its_own_only_where_nothing_hides_it() {
    for (text, status) in [
        ("cargo test", Status::Sole),
        ("cd a && cargo test", Status::Sole),
        ("cargo test 2>&1", Status::Sole),
        ("cargo test && git commit -m x", Status::Own),
        ("cargo test 2>&1 | tail -5", Status::Masked),
        ("set -o pipefail; cargo test 2>&1 | tail -1", Status::Sole),
        ("cargo test; true", Status::Masked),
        ("cargo test || true", Status::Masked),
        ("cargo test || exit 1", Status::Sole),
        ("cargo test &", Status::Masked),
        ("out=$(cargo test)", Status::Masked),
        ("if cargo test; then echo ok; fi", Status::Masked),
        ("cargo test\ngit status", Status::Masked),
        ("set -e\ncargo test\ngit status", Status::Own),
        ("bash -lc 'cargo test | tail'", Status::Masked),
        ("bash -lc 'cargo test'", Status::Sole),
        ("cargo test 'open", Status::Masked),
        ("cargo test && git commit -m \"$(cat <<'EOF'\nIt's a message\nEOF\n)\"", Status::Own),
        ("cargo test --manifest-path $(pwd)/Cargo.toml", Status::Sole),
    ] {
        assert_eq!(test_of(text).status, status, "{text}");
    }
}

#[test]
fn scope_is_read_from_arguments() {
    for (text, subset) in [
        ("cargo test wrap", true),
        ("cargo test --features x -- --test-threads 1", false),
        ("cargo nextest run --workspace", false),
        ("cargo test -p a", true),
        ("pytest tests", false),
        ("pytest -k fare", true),
        ("python -m pytest --junitxml=report.xml -q", false),
        ("pytest tests/test_a.py::test_b", true),
        ("go test ./...", false),
        ("go test ./wire", true),
        ("npm test", false),
        ("npm test -- src/a.test.ts", true),
        ("npx vitest run", false),
        ("bundle exec rspec", false),
        ("prove -v t", false),
    ] {
        assert_eq!(test_of(text).subset, subset, "{text}");
    }
}

#[test]
fn what_writes_and_where() {
    assert_eq!(analyse("sed -i s/a/b/ src/lib.rs Cargo.toml").writes, Writes::Yes);
    assert_eq!(analyse("cargo test > out.txt 2>&1; cat out.txt").writes_after, Writes::No);
    assert_eq!(analyse("cat > src/a.rs <<'EOF'\nx\nEOF").writes, Writes::Yes);
    assert_eq!(analyse("python3 - <<'EOF'\nopen('a','w')\nEOF").writes, Writes::Yes);
    assert_eq!(analyse("git add -A && git commit -m 'x'").writes, Writes::No);
    assert!(analyse("git add -A && git commit -m 'x'").commit.expect("a commit").broad);
    assert!(analyse("git commit -qam 'x'").commit.expect("a commit").quiet);
    assert!(!analyse("git commit -m quiet").commit.expect("a commit").quiet);
    assert!(analyse("gh pr create --body \"git add -A && git commit -m done\"").commit.is_none());
    assert!(analyse("cat logs/last-run.txt").reads_only);
    assert!(!analyse("make verify").reads_only);
    assert!(!analyse("git update-ref refs/heads/main $(git commit-tree HEAD^{tree} -p HEAD -m x)").reads_only);
    assert_eq!(analyse("git reset --hard HEAD~1").reset, Some(Some(1)));
    assert_eq!(analyse("pytest -q; echo \"exit: $?\"").echoes_status.as_deref(), Some("exit:"));
}

#[test]
fn what_keeps_the_head_and_what_leads_to_tests_is_known() {
    for (text, keeps) in [
        ("git branch feature/x", true),
        ("git branch -f feature/x HEAD", true),
        ("git checkout -b feature/x", true),
        ("git switch -c feature/x", true),
        ("git tag v1", true),
        ("git worktree add ../wt", true),
        ("git branch", false),
        ("git branch -d feature/x", false),
        ("git branch --show-current", false),
        ("git checkout feature/x", false),
        ("git status", false),
    ] {
        assert_eq!(analyse(text).keeps_head, keeps, "{text}");
    }
    for (text, leads) in [
        ("npm run build && npm run lint", true),
        ("npm run build; npm run lint", true),
        ("npm run build && cd dist", false),
        ("npm run build | tail -3", false),
        ("npm run build", false),
    ] {
        assert_eq!(analyse(text).build.expect("a build").leads, leads, "{text}");
    }
    assert!(analyse("git add -A && git commit -m x && git push").push.expect("a push").behind_commit);
    assert!(!analyse("git commit -m x; git push").push.expect("a push").behind_commit);
    for (text, leads) in [
        ("go build ./... && go vet ./... && go test ./... | tail", true),
        ("npm run build && npm test", true),
        ("npm run build; npm test", false),
        ("npm run build | tail -3 && npm test", false),
        ("npm run build", false),
    ] {
        assert_eq!(analyse(text).build.expect("a build").leads_to_tests, leads, "{text}");
    }
}

#[test]
fn what_lands_elsewhere_and_what_only_looks_there() {
    for (text, releases) in [
        ("kubectl apply -f k8s/", true),
        ("kubectl apply --dry-run=server -f k8s/", false),
        ("kubectl get pods", false),
        ("terraform apply -auto-approve", true),
        ("terraform plan", false),
        ("ssh -p 22 deploy@prod 'cd /srv && sudo ./deploy.sh'", true),
        ("ssh prod \"docker compose up -d\"", true),
        ("ssh deploy@prod 'cat /srv/release.log'", false),
        ("ssh prod", false),
        ("npm run deploy", true),
        ("npm run deploy:dry", false),
        ("pnpm deploy dist", false),
        ("yarn npm publish", true),
        ("npx jsr publish --dry-run", false),
        ("npx gh-pages -d dist", true),
        ("git push heroku main", true),
        ("git push origin main", false),
    ] {
        assert_eq!(analyse(text).release.is_some(), releases, "{text}");
    }
}

#[test]
fn environments_that_lint_and_goals_that_package_are_known() {
    for (text, runs, builds) in [
        ("tox", true, false),
        ("tox -e py311", true, false),
        ("tox -e lint,docs", false, false),
        ("nox -s mypy", false, false),
        ("python -m tox -e lint", false, false),
        ("mvn test", true, false),
        ("mvn clean package", true, true),
        ("mvn -DskipTests package", false, true),
        ("terraform test", true, false),
        ("julia --project -e 'using Pkg; Pkg.test()'", true, false),
        ("julia a.jl", false, false),
        ("Rscript -e 'devtools::test()'", true, false),
        ("npx nuxi build", false, true),
    ] {
        let found = analyse(text);
        assert_eq!((found.test.is_some(), found.build.is_some()), (runs, builds), "{text}");
    }
}
