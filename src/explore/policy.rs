//! Which sources may be read, and how often (loop memory, 3.2).

use serde_json::Value as Json;
use std::collections::HashMap;

/// The operator's settings.
#[derive(Debug, Clone, PartialEq)]
pub struct SourcePolicy {
    /// Only these domains and what is below them; all when empty.
    pub allow_domains: Vec<String>,
    /// Never these domains and what is below them.
    pub block_domains: Vec<String>,
    /// Only addresses that begin so; all when empty.
    pub allow_prefixes: Vec<String>,
    /// Never addresses that begin so.
    pub block_prefixes: Vec<String>,
    /// Whether robots.txt is asked.
    pub respect_robots: bool,
    /// What we call ourselves.
    pub user_agent: String,
    /// How long a domain's window is, in seconds.
    pub window_seconds: f64,
    /// How many reads a window has.
    pub most_per_window: u64,
}

impl Default for SourcePolicy {
    fn default() -> Self {
        Self {
            allow_domains: Vec::new(),
            block_domains: Vec::new(),
            allow_prefixes: Vec::new(),
            block_prefixes: Vec::new(),
            respect_robots: true,
            user_agent: concat!("landfall/", env!("CARGO_PKG_VERSION")).to_owned(),
            window_seconds: 300.0,
            most_per_window: 3,
        }
    }
}

impl SourcePolicy {
    /// The settings of an environment, asked by name.
    pub fn from_environment(variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let list = |name: &str| {
            let said = variable(name).unwrap_or_default().to_lowercase();
            said.split(',').map(|entry| entry.trim().to_owned()).filter(|entry| !entry.is_empty()).collect()
        };
        let usual = Self::default();
        let robots = variable("EXPLORER_RESPECT_ROBOTS").map(|said| said.trim().to_lowercase());
        let window: Option<f64> = variable("EXPLORER_DOMAIN_WINDOW_SECONDS").and_then(|said| said.trim().parse().ok());
        let most = variable("EXPLORER_MAX_FETCHES_PER_DOMAIN_WINDOW").and_then(|said| said.trim().parse().ok());
        Self {
            allow_domains: list("EXPLORER_ALLOW_DOMAINS"),
            block_domains: list("EXPLORER_BLOCK_DOMAINS"),
            allow_prefixes: list("EXPLORER_ALLOW_URL_PREFIXES"),
            block_prefixes: list("EXPLORER_BLOCK_URL_PREFIXES"),
            respect_robots: robots.is_none_or(|said| matches!(said.as_str(), "1" | "true" | "yes" | "on")),
            user_agent: variable("EXPLORER_USER_AGENT").filter(|said| !said.trim().is_empty()).unwrap_or(usual.user_agent),
            window_seconds: window.filter(|seconds| seconds.is_finite() && *seconds >= 0.0).unwrap_or(usual.window_seconds),
            most_per_window: most.unwrap_or(usual.most_per_window),
        }
    }

    /// Whether a source at this domain and address may be read at all.
    pub fn permits(&self, domain: &str, address: &str) -> bool {
        let below = |entry: &String| domain == entry || domain.strip_suffix(entry.as_str()).is_some_and(|front| front.ends_with('.'));
        let folded = address.to_lowercase();
        let begins = |prefix: &String| folded.starts_with(prefix.as_str());
        !domain.is_empty()
            && (self.allow_domains.is_empty() || self.allow_domains.iter().any(below))
            && !self.block_domains.iter().any(below)
            && (self.allow_prefixes.is_empty() || self.allow_prefixes.iter().any(begins))
            && !self.block_prefixes.iter().any(begins)
    }
}

/// How often each domain was read lately.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Windows {
    by_domain: HashMap<String, (f64, u64)>,
}

/// The most windows that are remembered over a restart.
const REMEMBERED: usize = 10_000;

impl Windows {
    /// The windows that are still open at `now`, as an object of `[began, count]` by domain.
    pub fn to_json(&self, policy: &SourcePolicy, now: f64) -> Json {
        let open = self.by_domain.iter().filter(|(_, (began, _))| now - began <= policy.window_seconds).take(REMEMBERED);
        open.map(|(domain, (began, count))| (domain.clone(), serde_json::json!([began, count]))).collect::<serde_json::Map<_, _>>().into()
    }

    /// Reads what [`Windows::to_json`] made. What does not read, or began after `now`, is left out.
    pub fn from_json(said: &Json, now: f64) -> Self {
        let window = |pair: &Json| Some((pair.get(0)?.as_f64().filter(|began| *began <= now)?, pair.get(1)?.as_u64()?));
        let said = said.as_object().into_iter().flatten().take(REMEMBERED);
        Self { by_domain: said.filter_map(|(domain, pair)| Some((domain.clone(), window(pair)?))).collect() }
    }

    /// Asks for a read of `domain` at `now` and counts it when it is granted; why it is not, otherwise.
    ///
    /// # Errors
    /// `missing_domain`, or `domain_window_rate_limited`.
    pub fn take(&mut self, policy: &SourcePolicy, domain: &str, now: f64) -> Result<(), &'static str> {
        if domain.is_empty() {
            return Err("missing_domain");
        }
        let (began, count) = self.by_domain.entry(domain.to_owned()).or_insert((now, 0));
        if now - *began > policy.window_seconds {
            (*began, *count) = (now, 0);
        }
        if *count >= policy.most_per_window {
            return Err("domain_window_rate_limited");
        }
        *count += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_name_domains_and_what_is_below_them() {
        let said = |name: &str| match name {
            "EXPLORER_ALLOW_DOMAINS" => Some(" Python.org, github.com,,".to_owned()),
            "EXPLORER_BLOCK_DOMAINS" => Some("gist.github.com".to_owned()),
            "EXPLORER_BLOCK_URL_PREFIXES" => Some("https://python.org/private".to_owned()),
            "EXPLORER_RESPECT_ROBOTS" => Some("no".to_owned()),
            _ => None,
        };
        let policy = SourcePolicy::from_environment(&said);
        assert!(policy.permits("docs.python.org", "https://docs.python.org/") && policy.permits("github.com", "https://github.com/a"));
        assert!(
            !policy.permits("notpython.org", "https://notpython.org/")
                && !policy.permits("a.gist.github.com", "https://a.gist.github.com/")
        );
        assert!(!policy.permits("python.org", "https://python.org/Private/x") && !policy.permits("", "https:///"));
        assert!(!policy.respect_robots);
    }

    #[test]
    fn windows_outlive_a_restart_as_long_as_they_are_open() {
        let (policy, mut windows) = (SourcePolicy::default(), Windows::default());
        for (domain, now) in [("old.org", 0.0), ("a.org", 500.0), ("a.org", 501.0), ("a.org", 502.0)] {
            assert_eq!(windows.take(&policy, domain, now), Ok(()));
        }
        let said = windows.to_json(&policy, 510.0);
        assert_eq!(said, serde_json::json!({"a.org": [500.0, 3]}));
        let mut again = Windows::from_json(&said, 510.0);
        assert_eq!(again.take(&policy, "a.org", 511.0), Err("domain_window_rate_limited"));
        let junk = serde_json::json!({"a.org": [1e9, 3], "b.org": 7, "c.org": ["x", 1], "d.org": [1.0, -1]});
        assert_eq!(Windows::from_json(&junk, 510.0), Windows::default());
    }

    #[test]
    fn a_domain_is_read_three_times_in_a_window() {
        let (policy, mut windows) = (SourcePolicy::default(), Windows::default());
        for now in [0.0, 10.0, 300.0] {
            assert_eq!(windows.take(&policy, "a.org", now), Ok(()));
        }
        assert_eq!(windows.take(&policy, "a.org", 300.0), Err("domain_window_rate_limited"));
        assert_eq!(windows.take(&policy, "b.org", 300.0), Ok(()));
        assert_eq!(windows.take(&policy, "a.org", 300.5), Ok(()));
        assert_eq!(windows.take(&policy, "", 0.0), Err("missing_domain"));
    }
}
