//! Pages that are known to be evidence for goals of a kind: a list kept by hand.

/// A page of the list.
#[derive(Debug)]
pub(crate) struct CuratedPage {
    pub(crate) url: &'static str,
    /// What it is about, as one name.
    pub(crate) category: &'static str,
    /// The themes that it serves.
    pub(crate) tags: &'static [&'static str],
    pub(crate) authority: f64,
    pub(crate) freshness: f64,
}

const fn page(url: &'static str, category: &'static str, tags: &'static [&'static str], authority: f64, freshness: f64) -> CuratedPage {
    CuratedPage { url, category, tags, authority, freshness }
}

const TASKS: &[&str] = &["orchestration", "code_improvement"];
const DATA: &[&str] = &["memory", "code_improvement"];
const CODE: &[&str] = &["code_improvement", "agents"];

/// The list.
pub(crate) const PAGES: [CuratedPage; 9] = [
    page(
        "https://realpython.com/courses/building-type-safe-llm-agents-with-pydantic-ai",
        "python_llm_agents",
        &["agents", "code_improvement", "orchestration"],
        0.72,
        0.50,
    ),
    page("https://docs.python.org/3/library/asyncio.html", "python_async_runtime", TASKS, 0.96, 0.50),
    page("https://docs.python.org/3/library/asyncio-task.html", "python_async_tasks", TASKS, 0.96, 0.50),
    page(
        "https://docs.python.org/3/library/queue.html",
        "python_coordination_primitives",
        &["orchestration", "memory", "code_improvement"],
        0.96,
        0.50,
    ),
    page("https://docs.python.org/3/library/sqlite3.html", "python_persistence", DATA, 0.96, 0.50),
    page("https://docs.python.org/3/library/dataclasses.html", "python_data_models", DATA, 0.96, 0.50),
    page("https://docs.github.com/en/search-github/searching-on-github/searching-code", "github_code_search", CODE, 0.79, 0.50),
    page(
        "https://docs.github.com/en/search-github/searching-on-github/searching-for-repositories",
        "github_repository_search",
        CODE,
        0.79,
        0.50,
    ),
    page("https://docs.github.com/en/copilot", "ai_code_assistance", CODE, 0.79, 0.60),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::signals::signals;

    #[test]
    fn every_page_is_concrete_and_in_normal_form() {
        for page in &PAGES {
            assert_eq!(crate::memory::url::normalise(page.url), page.url);
            assert_eq!(signals(&serde_json::json!({"url": page.url}))["concrete_evidence_page"], true, "{}", page.url);
        }
    }
}
