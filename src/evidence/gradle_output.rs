//! What Gradle prints of test tasks: counts only where one failed.

use super::summary::Shown;

/// What a run of test tasks shows by its last line and by the outcomes that its tasks are marked with.
pub fn of_output(output: &str) -> Option<Shown> {
    // Quiet or cut: the tasks are not named, and all of them succeeded.
    of_tasks(output, Some(Shown::Passed))
}

/// The same of a run that may have had no task that tests: only one that is named is one.
pub fn of_named_tasks(output: &str) -> Option<Shown> {
    of_tasks(output, None)
}

fn of_tasks(output: &str, unnamed: Option<Shown>) -> Option<Shown> {
    let (mut ran, mut old, mut empty, mut succeeded) = (false, false, false, false);
    for line in super::terminal::shown(output).lines().filter(|line| line.len() <= 1000) {
        let line = line.trim();
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
    match (ran, old, empty) {
        _ if !succeeded => None,
        (true, ..) => Some(Shown::Passed),
        (_, true, _) => Some(Shown::Cached),
        (_, _, true) => Some(Shown::Vacuous),
        _ => unnamed,
    }
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
        assert_eq!(of_named_tasks("> Task :compileJava\n> Task :test\n\nBUILD SUCCESSFUL in 8s"), Some(Shown::Passed));
        assert_eq!(of_named_tasks("BUILD SUCCESSFUL in 8s"), None, "no test may be among its tasks");
        assert_eq!(of_output("> Task :test FAILED\n\nBUILD FAILED in 8s"), None);
    }
}
