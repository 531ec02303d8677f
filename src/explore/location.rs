//! The address of a source in its one normal form (loop memory, 3.1).

use url::form_urlencoded;

/// Where a source is, normalised.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Location {
    scheme: String,
    authority: String,
    path: String,
    query: String,
}

/// Keys of a query that only say where a reader came from.
const TRACKING: [&str; 6] = ["fbclid", "gclid", "msclkid", "ref", "source", "spm"];

impl Location {
    /// Normalises what somebody wrote; `None` when it is no address on the web.
    pub fn of(said: &str) -> Option<Self> {
        let said = said.trim();
        let (scheme, rest) = match said.split_once("://") {
            Some((scheme, rest)) if is_scheme(scheme) => (scheme.to_ascii_lowercase(), rest),
            _ => ("https".to_owned(), said.trim_start_matches('/')),
        };
        if !matches!(scheme.as_str(), "http" | "https") {
            return None;
        }
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let mut authority = authority.to_lowercase();
        let default = if scheme == "http" { ":80" } else { ":443" };
        if let Some(bare) = authority.strip_suffix(default) {
            authority = bare.to_owned();
        }
        // What the standard refuses, or would read as another host, is no address of ours.
        let standard = url::Url::parse(&format!("{scheme}://{authority}/")).ok()?;
        let misread = |letter: char| letter == '\\' || letter.is_control() || letter.is_whitespace();
        if authority.is_empty() || standard.host_str().is_none_or(str::is_empty) || authority.contains(misread) {
            return None;
        }
        let path = bare(path);
        let path = if path.is_empty() { "/" } else { path };
        Some(Self { scheme, authority, path: path.to_owned(), query: clean(query) })
    }

    /// The whole address.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}://{}{}", self.scheme, self.authority, self.path);
        if !self.query.is_empty() {
            text.push('?');
            text.push_str(&self.query);
        }
        text
    }

    /// `http` or `https`.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The authority, with its port: the domain that counts are kept for.
    pub fn domain(&self) -> &str {
        &self.authority
    }

    /// Path and query, as a server is asked for them.
    pub fn path_and_query(&self) -> String {
        if self.query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, self.query) }
    }
}

/// A path without slashes, blanks and parameters at its end. What is taken off may lay bare another such end, so that
/// only a path without any is its own form.
fn bare(mut path: &str) -> &str {
    loop {
        path = path.trim_end_matches(|last: char| last == '/' || last.is_whitespace());
        let last = path.rfind('/').unwrap_or(path.len());
        match path[last..].find(';') {
            Some(at) => path = &path[..last + at],
            None => return path,
        }
    }
}

fn is_scheme(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn clean(query: &str) -> String {
    let mut cleaned = form_urlencoded::Serializer::new(String::new());
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        let folded = key.to_lowercase();
        if !TRACKING.contains(&folded.as_str()) && !folded.starts_with("utm_") {
            cleaned.append_pair(&key, &value);
        }
    }
    cleaned.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(said: &str) -> Option<String> {
        Location::of(said).map(|location| location.to_text())
    }

    #[test]
    fn one_source_has_one_form() {
        for (said, form) in [
            (" https://Docs.Python.org:443/3/library/asyncio.html/ ", "https://docs.python.org/3/library/asyncio.html"),
            ("www.Example.org", "https://www.example.org/"),
            ("//example.org/a", "https://example.org/a"),
            ("HTTP://example.org:80", "http://example.org/"),
            ("http://example.org:443/", "http://example.org:443/"),
            ("https://e.org/a//b/", "https://e.org/a//b"),
            ("https://e.org/a;p=1?x=&utm_source=n&GCLID=4&b=c d#part", "https://e.org/a?x=&b=c+d"),
            ("https://e.org/?ref=x", "https://e.org/"),
        ] {
            assert_eq!(normal(said).as_deref(), Some(form), "{said}");
        }
    }

    #[test]
    fn what_is_no_address_on_the_web_is_none() {
        for said in [
            "",
            "  ",
            "ftp://e.org/",
            "file:///etc/passwd",
            "https://",
            "https://[::1",
            "https://e.org\\@f.org/",
            "https://e.\torg/",
            "javascript://x",
        ] {
            assert_eq!(normal(said), None, "{said}");
        }
    }

    #[test]
    fn a_form_is_its_own_form() {
        for said in
            ["www.a.org/b/?q=1&q=2", "https://a.org/x;y/z;w", "http://a.org:8080?b", "https://a.org/x;y/", "a.org/b;c//;d /", "a.org/b #c"]
        {
            let form = normal(said).expect("an address");
            assert_eq!(normal(&form).as_deref(), Some(form.as_str()));
        }
    }
}
