//! What Gradle prints of test tasks: counts only where one failed.

use super::summary::Shown;

/// What a run of test tasks shows by its last line and by the outcomes that its tasks are marked with.
pub fn of_output(output: &str) -> Option<Shown> {
    let (mut ran, mut old, mut empty, mut succeeded) = (false, false, false, false);
    for line in output.lines().filter(|line| line.len() <= 1000) {
        let plain = super::summary::without_escapes(line);
        let line = plain.trim();
        succeeded |= line.starts_with("BUILD SUCCESSFUL");
        let Some(task) = line.strip_prefix("> Task ") else { continue };
        let (name, mark) = task.split_once(' ').unwrap_or((task, ""));
        let last = name.rsplit(':').next().unwrap_or_default().to_ascii_lowercase();
        // `compileTestJava` and the like only prepare.
        if !last.contains("test") || ["compile", "process"].iter().any(|start| last.starts_with(start)) || last.ends_with("classes") {
            continue;
        }
        match mark {
            "UP-TO-DATE" | "FROM-CACHE" => old = true,
            "NO-SOURCE" | "SKIPPED" => empty = true,
            _ => ran = true,
        }
    }
    succeeded.then_some(match (ran, old, empty) {
        (true, ..) => Shown::Passed,
        (_, true, _) => Shown::Cached,
        (_, _, true) => Shown::Vacuous,
        // Quiet or cut: the tasks are not named, and all of them succeeded.
        _ => Shown::Passed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outcome_of_the_test_task_counts() {
        assert_eq!(of_output("> Task :compileTestJava\n> Task :test\n\nBUILD SUCCESSFUL in 8s"), Some(Shown::Passed));
        assert_eq!(of_output("> Task :compileTestJava\n> Task :test UP-TO-DATE\n\nBUILD SUCCESSFUL in 1s"), Some(Shown::Cached));
        assert_eq!(of_output("> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s"), Some(Shown::Vacuous));
        assert_eq!(of_output("> Task :app:testDebugUnitTest FROM-CACHE\n> Task :lib:test\nBUILD SUCCESSFUL in 1s"), Some(Shown::Passed));
        assert_eq!(of_output("> Task :test FAILED\n\nBUILD FAILED in 8s"), None);
    }
}
