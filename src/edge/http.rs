//! Reads public sources over HTTP, with every limit set and no private address reached.
//!
//! Redirects are not followed here: the caller sees each one and asks its policy again. The address
//! that a name leads to is checked where it is connected to, so an answer of the name server cannot
//! change in between.

use crate::explore::address::is_public;
use crate::explore::fetch::{Answer, FetchError, Fetcher, Limits};
use crate::explore::location::Location;
use std::io::Read as _;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

/// A client for public sources.
#[derive(Debug)]
pub struct HttpClient {
    agent: ureq::Agent,
    limits: Limits,
    /// Whether everything is read from one loopback address, and so without TLS.
    at_loopback: bool,
}

/// Leads every name to one address of this machine: nothing outside of it can be reached. Addresses that
/// are no public ones stay refused, as they are elsewhere.
#[derive(Debug)]
struct OneSite(SocketAddr);

impl Resolver for OneSite {
    fn resolve(&self, uri: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        if host.parse::<IpAddr>().is_ok_and(|address| !is_public(address)) {
            return Err(private());
        }
        let mut found = self.empty();
        found.push(self.0);
        Ok(found)
    }
}

/// Resolves names to public addresses only, but for those that are allowed by name.
#[derive(Debug)]
struct PublicOnly {
    system: DefaultResolver,
    allowed: Vec<SocketAddr>,
}

impl Resolver for PublicOnly {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.system.resolve(uri, config, timeout)?;
        // One private answer among public ones is one too many: who mixes them means no good.
        if found.iter().all(|address| is_public(address.ip()) || self.allowed.contains(address)) {
            return Ok(found);
        }
        Err(private())
    }
}

fn private() -> ureq::Error {
    ureq::Error::Io(std::io::Error::new(std::io::ErrorKind::PermissionDenied, PRIVATE))
}

const PRIVATE: &str = "the source has a private address";

impl HttpClient {
    /// A client that calls itself `user_agent`. `allowed` are private addresses that tests may reach.
    pub fn new(user_agent: &str, limits: Limits, allowed: Vec<SocketAddr>) -> Self {
        let resolver = PublicOnly { system: DefaultResolver::default(), allowed };
        Self::with(user_agent, limits, resolver, false)
    }

    /// A client for tests that reads every URL, whatever its host, from one loopback address, by its Host
    /// header and without TLS. Nothing else can be reached by it. `None` when the address is no loopback one.
    pub fn at_loopback(user_agent: &str, limits: Limits, site: SocketAddr) -> Option<Self> {
        site.ip().is_loopback().then(|| Self::with(user_agent, limits, OneSite(site), true))
    }

    fn with(user_agent: &str, limits: Limits, resolver: impl Resolver, at_loopback: bool) -> Self {
        let config = Config::builder()
            .user_agent(user_agent)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            // A proxy of the environment would connect for us, past the check of addresses.
            .proxy(None)
            .max_response_header_size(64 << 10)
            .timeout_global(Some(Duration::from_secs_f64(limits.seconds)))
            .timeout_connect(Some(Duration::from_secs_f64(limits.connect_seconds)))
            .build();
        Self { agent: ureq::Agent::with_parts(config, DefaultConnector::default(), resolver), limits, at_loopback }
    }
}

impl Fetcher for HttpClient {
    fn is_loopback(&self) -> bool {
        self.at_loopback
    }

    fn get(&mut self, location: &Location) -> Result<Answer, FetchError> {
        let mut address = location.to_text();
        if self.at_loopback
            && let Some(rest) = address.strip_prefix("https://")
        {
            address = format!("http://{rest}");
        }
        let mut response = self.agent.get(address).call().map_err(|error| refused(&error))?;
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (redirect, content_type, retry_after) = (header("location"), header("content-type"), header("retry-after"));
        let status = response.status().as_u16();
        let mut body = Vec::new();
        let most = self.limits.body_bytes;
        response
            .body_mut()
            .as_reader()
            .take(most as u64 + 1)
            .read_to_end(&mut body)
            .map_err(|error| FetchError::Failed(error.to_string()))?;
        if body.len() > most {
            return Err(FetchError::TooLarge(most));
        }
        Ok(Answer { status, redirect, content_type, retry_after, body })
    }
}

fn refused(error: &ureq::Error) -> FetchError {
    match error {
        ureq::Error::Io(io) if io.kind() == std::io::ErrorKind::PermissionDenied => FetchError::PrivateAddress,
        ureq::Error::Timeout(_) => FetchError::TimedOut,
        other => FetchError::Failed(other.to_string()),
    }
}
