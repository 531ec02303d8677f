//! Reading one source: windows, robots, redirects, and what came of it (loop memory, 3.3).

use super::location::Location;
use super::policy::{SourcePolicy, Windows};
use super::robots::{self, Robots};
use std::collections::HashMap;

/// What a read may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Seconds for the whole answer.
    pub seconds: f64,
    /// Seconds until the connection stands.
    pub connect_seconds: f64,
    /// Bytes of a body, decompressed.
    pub body_bytes: usize,
    /// Redirects of one read.
    pub redirects: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { seconds: 20.0, connect_seconds: 10.0, body_bytes: 4 << 20, redirects: 5 }
    }
}

/// What a server answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// Where a redirect leads, as written.
    pub redirect: Option<String>,
    /// What the body is, as the server says.
    pub content_type: Option<String>,
    /// When to come back, as the server says.
    pub retry_after: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The name leads into a private network.
    #[error("the source has a private address")]
    PrivateAddress,
    /// It took too long.
    #[error("the source took too long to answer")]
    TimedOut,
    /// The body is over the limit, in bytes.
    #[error("the source's body is over {0} bytes")]
    TooLarge(usize),
    /// It leads on and on.
    #[error("the source redirects too often")]
    TooManyRedirects,
    /// It leads to what is no address.
    #[error("the source redirects to what is no address on the web")]
    BadRedirect,
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

/// Who reads one address, without following redirects. The edge has the client.
pub trait Fetcher {
    /// Reads `location` once.
    ///
    /// # Errors
    /// Why there is no answer.
    fn get(&mut self, location: &Location) -> Result<Answer, FetchError>;

    /// Whether everything comes from a site on this machine that a test runs. Records say so.
    fn is_loopback(&self) -> bool {
        false
    }
}

/// A fetcher that reaches nothing.
#[derive(Debug, Clone, Copy)]
pub struct Nowhere;

impl Fetcher for Nowhere {
    fn get(&mut self, _: &Location) -> Result<Answer, FetchError> {
        Err(FetchError::Failed("there is no network".to_owned()))
    }
}

/// How a read ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Fetched {
    /// What was to be read is no address; nothing was counted.
    NoAddress(&'static str),
    /// The policy or the domain's window refused it: `policy_blocked`, `missing_domain`, `domain_window_rate_limited`.
    Refused(&'static str),
    /// robots.txt forbids it.
    RobotsDisallowed,
    /// There is an answer, from the last location.
    Answered(Location, Answer),
    /// There is none.
    Failed(FetchError),
}

/// Reads sources under a policy and remembers what it learned of each site.
#[derive(Debug, Default)]
pub struct Reader {
    policy: SourcePolicy,
    limits: Limits,
    windows: Windows,
    robots: HashMap<String, Robots>,
}

impl Reader {
    /// A reader under this policy.
    pub fn new(policy: SourcePolicy, limits: Limits) -> Self {
        Self { policy, limits, ..Self::default() }
    }

    /// The policy.
    pub fn policy(&self) -> &SourcePolicy {
        &self.policy
    }

    /// The delay that the robots.txt of this location's site asks for, in seconds, if it is known.
    pub fn crawl_delay(&self, location: &Location) -> Option<f64> {
        self.robots.get(&site_of(location)).and_then(|robots| robots.crawl_delay)
    }

    /// How often each domain was read lately, to be remembered over a restart.
    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// Goes on with the windows of an earlier reader.
    pub fn remember(&mut self, windows: Windows) {
        self.windows = windows;
    }

    /// Reads `said` at `now` (seconds since 1970). Every redirect is asked for anew: the policy, the
    /// domain's window and its robots.txt hold for where it leads, too.
    pub fn read(&mut self, said: &str, fetcher: &mut dyn Fetcher, now: f64) -> Fetched {
        if said.trim().is_empty() {
            return Fetched::NoAddress("empty_url");
        }
        let Some(mut location) = Location::of(said) else { return Fetched::NoAddress("invalid_url") };
        for _ in 0..=self.limits.redirects {
            if !self.policy.permits(location.domain(), &location.to_text()) {
                return Fetched::Refused("policy_blocked");
            }
            if let Err(reason) = self.windows.take(&self.policy, location.domain(), now) {
                return Fetched::Refused(reason);
            }
            if self.policy.respect_robots && !self.permitted(&location, fetcher) {
                return Fetched::RobotsDisallowed;
            }
            let answer = match fetcher.get(&location) {
                Ok(answer) => answer,
                Err(error) => return Fetched::Failed(error),
            };
            match &answer.redirect {
                Some(redirect) if matches!(answer.status, 301 | 302 | 303 | 307 | 308) => match resolve(&location, redirect) {
                    Some(next) => location = next,
                    None => return Fetched::Failed(FetchError::BadRedirect),
                },
                _ => return Fetched::Answered(location, answer),
            }
        }
        Fetched::Failed(FetchError::TooManyRedirects)
    }

    /// Whether robots.txt of the location's site permits it; the site is asked once.
    fn permitted(&mut self, location: &Location, fetcher: &mut dyn Fetcher) -> bool {
        let site = site_of(location);
        if !self.robots.contains_key(&site) {
            let robots = ask(&site, fetcher, &self.policy.user_agent, self.limits.redirects);
            self.robots.insert(site.clone(), robots);
        }
        self.robots.get(&site).is_some_and(|robots| robots.permits(&location.path_and_query()))
    }
}

fn site_of(location: &Location) -> String {
    format!("{}://{}", location.scheme(), location.domain())
}

/// Asks a site for its robots.txt. One that cannot be reached permits nothing: we do not know.
fn ask(site: &str, fetcher: &mut dyn Fetcher, agent: &str, redirects: usize) -> Robots {
    let Some(mut location) = Location::of(&format!("{site}/robots.txt")) else { return Robots::none() };
    for _ in 0..=redirects {
        let Ok(answer) = fetcher.get(&location) else { return Robots::none() };
        match &answer.redirect {
            Some(redirect) if (300..400).contains(&answer.status) => match resolve(&location, redirect) {
                Some(next) => location = next,
                None => return Robots::all(),
            },
            _ => {
                let body = &answer.body[..answer.body.len().min(robots::LIMIT)];
                return Robots::of_answer(answer.status, &String::from_utf8_lossy(body), agent);
            }
        }
    }
    // Too many redirects count as no robots.txt (RFC 9309, 2.3.1.2).
    Robots::all()
}

/// Where a redirect or a link of a page at `location` leads; `None` when that is no address on the web.
pub fn resolve(location: &Location, said: &str) -> Option<Location> {
    let base = url::Url::parse(&location.to_text()).ok()?;
    let target = base.join(said.trim()).ok()?;
    // A password in an address is nobody's to pass on.
    if !target.username().is_empty() || target.password().is_some() || !matches!(target.scheme(), "http" | "https") {
        return None;
    }
    Location::of(target.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A web in memory: what stands at an address; a plain 404 elsewhere.
    #[derive(Default)]
    struct Web {
        pages: HashMap<&'static str, Answer>,
        asked: Vec<String>,
    }

    impl Web {
        fn page(mut self, at: &'static str, status: u16, body: &str) -> Self {
            self.pages.insert(at, Answer { status, body: body.into(), ..Answer::default() });
            self
        }

        fn redirect(mut self, at: &'static str, to: &str) -> Self {
            self.pages.insert(at, Answer { status: 302, redirect: Some(to.to_owned()), ..Answer::default() });
            self
        }
    }

    impl Fetcher for Web {
        fn get(&mut self, location: &Location) -> Result<Answer, FetchError> {
            self.asked.push(location.to_text());
            if location.domain() == "private.org" {
                return Err(FetchError::PrivateAddress);
            }
            Ok(self.pages.get(location.to_text().as_str()).cloned().unwrap_or(Answer { status: 404, ..Answer::default() }))
        }
    }

    fn reader() -> Reader {
        Reader::new(SourcePolicy { block_domains: vec!["bad.org".to_owned()], ..SourcePolicy::default() }, Limits::default())
    }

    #[test]
    fn robots_are_asked_once_a_site_and_obeyed() {
        let mut web =
            Web::default().page("https://a.org/robots.txt", 200, "User-agent: *\nDisallow: /x").page("https://a.org/y", 200, "hello");
        let mut reader = reader();
        assert_eq!(reader.read("https://a.org/x", &mut web, 0.0), Fetched::RobotsDisallowed);
        assert!(matches!(reader.read("https://a.org/y", &mut web, 0.0), Fetched::Answered(_, answer) if answer.body == b"hello"));
        assert_eq!(web.asked, ["https://a.org/robots.txt", "https://a.org/y"]);
    }

    #[test]
    fn a_redirect_is_asked_for_anew() {
        let mut web = Web::default()
            .redirect("https://a.org/1", "//bad.org/")
            .redirect("https://a.org/2", "https://private.org/")
            .redirect("https://b.org/loop", "/loop")
            .redirect("https://c.org/", "https://user:secret@d.org/")
            .redirect("https://e.org/", "file:///etc/passwd");
        let mut reader = Reader::new(SourcePolicy { most_per_window: 100, ..reader().policy }, Limits::default());
        assert_eq!(reader.read("https://a.org/1", &mut web, 0.0), Fetched::Refused("policy_blocked"));
        // Its robots.txt cannot be reached either, so nothing is permitted there.
        assert_eq!(reader.read("https://a.org/2", &mut web, 0.0), Fetched::RobotsDisallowed);
        assert_eq!(reader.read("https://b.org/loop", &mut web, 0.0), Fetched::Failed(FetchError::TooManyRedirects));
        assert_eq!(reader.read("https://c.org/", &mut web, 0.0), Fetched::Failed(FetchError::BadRedirect));
        assert_eq!(reader.read("https://e.org/", &mut web, 0.0), Fetched::Failed(FetchError::BadRedirect));
    }

    #[test]
    fn a_domain_is_not_read_beyond_its_window_and_nothing_is_asked_for_what_is_no_address() {
        let mut web = Web::default();
        let mut reader = reader();
        for _ in 0..3 {
            assert!(matches!(reader.read("a.org", &mut web, 5.0), Fetched::Answered(_, answer) if answer.status == 404));
        }
        let asked = web.asked.len();
        assert_eq!(reader.read("a.org", &mut web, 6.0), Fetched::Refused("domain_window_rate_limited"));
        assert_eq!(reader.read(" ", &mut web, 6.0), Fetched::NoAddress("empty_url"));
        assert_eq!(reader.read("ftp://a.org", &mut web, 6.0), Fetched::NoAddress("invalid_url"));
        assert_eq!(web.asked.len(), asked);
    }
}
