//! What a site's robots.txt permits (RFC 9309).
//!
//! The longest rule that matches decides, a permission wins a tie, and a group for our own name
//! wins over the one for everybody. A file that is not there permits everything; a site that cannot
//! say permits nothing.

/// The most that is read of a robots.txt, as the standard asks for at least.
pub const LIMIT: usize = 500 << 10;

/// The rules of one site for one reader.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Robots {
    rules: Vec<Rule>,
    /// The seconds between two reads that the site asks for.
    pub crawl_delay: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
struct Rule {
    allow: bool,
    pattern: String,
}

impl Robots {
    /// A site that permits everything.
    pub fn all() -> Self {
        Self::default()
    }

    /// A site that permits nothing.
    pub fn none() -> Self {
        Self { rules: vec![Rule { allow: false, pattern: "/".to_owned() }], crawl_delay: None }
    }

    /// What an answer to the request for robots.txt means: its rules when it came, everything when the
    /// site has none (4xx), nothing when the site could not say (5xx).
    pub fn of_answer(status: u16, body: &str, agent: &str) -> Self {
        match status {
            200..=299 => Self::parse(body, agent),
            500..=599 => Self::none(),
            _ => Self::all(),
        }
    }

    /// Reads the rules for `agent` (its product name, without a version).
    pub fn parse(text: &str, agent: &str) -> Self {
        let product = product(agent);
        let (mut ours, mut everybodys) = (Self::default(), Self::default());
        let mut named = false;
        // Whether the group being read is for us, for everybody; a group is its agents, then its rules.
        let (mut to_us, mut to_all, mut in_rules) = (false, false, true);
        let text = text.trim_start_matches('\u{feff}');
        for line in text.split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if in_rules {
                        (to_us, to_all, in_rules) = (false, false, false);
                    }
                    to_all |= value == "*";
                    to_us |= !product.is_empty() && self::product(value) == product;
                    named |= to_us;
                }
                rule @ ("allow" | "disallow") => {
                    in_rules = true;
                    // An empty rule matches nothing; it closes the agents of its group all the same.
                    if !value.is_empty() {
                        let rule = Rule { allow: rule == "allow", pattern: decoded(value) };
                        if to_us {
                            ours.rules.push(rule.clone());
                        }
                        if to_all {
                            everybodys.rules.push(rule);
                        }
                    }
                }
                "crawl-delay" => {
                    in_rules = true;
                    let delay = value.parse().ok().filter(|delay: &f64| delay.is_finite() && *delay >= 0.0);
                    if to_us {
                        ours.crawl_delay = ours.crawl_delay.or(delay);
                    }
                    if to_all {
                        everybodys.crawl_delay = everybodys.crawl_delay.or(delay);
                    }
                }
                // What the standard does not know (sitemap and the like) is no part of a group.
                _ => {}
            }
        }
        if named { ours } else { everybodys }
    }

    /// Whether the path (with its query) may be read.
    pub fn permits(&self, path: &str) -> bool {
        if path == "/robots.txt" {
            return true;
        }
        let path = decoded(path);
        let matching = self.rules.iter().filter(|rule| matches(&rule.pattern, &path));
        let decisive = matching.max_by_key(|rule| (rule.pattern.len(), rule.allow));
        decisive.is_none_or(|rule| rule.allow)
    }
}

/// The product name that a user-agent line or header names: letters, `_` and `-`, in lower case.
fn product(agent: &str) -> String {
    agent
        .trim()
        .chars()
        .take_while(|letter| letter.is_ascii_alphabetic() || matches!(letter, '_' | '-'))
        .collect::<String>()
        .to_ascii_lowercase()
}

/// With what need not be encoded decoded and all else encoded in one way, so that both sides compare.
fn decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut text = String::with_capacity(path.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match escaped {
            Some(value) if value.is_ascii_alphanumeric() || matches!(value, b'-' | b'.' | b'_' | b'~') => text.push(char::from(value)),
            Some(value) => text.push_str(&format!("%{value:02X}")),
            None if byte.is_ascii_graphic() => text.push(char::from(byte)),
            None => text.push_str(&format!("%{byte:02X}")),
        }
        at += if escaped.is_some() { 3 } else { 1 };
    }
    text
}

/// Whether a pattern (`*` for anything, `$` at the end for the end) matches the beginning of a path.
///
/// Each `*` takes as little as it can, which is enough for patterns of this kind and linear in the path.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, anchored) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let mut last_was_piece = true;
    let pieces: Vec<_> = pieces.collect();
    for (index, piece) in pieces.iter().enumerate() {
        last_was_piece = false;
        if anchored && index + 1 == pieces.len() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    !anchored || (last_was_piece && rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_decides_and_a_permission_wins_a_tie() {
        let robots = Robots::parse("User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /c\nAllow: /c\n", "landfall/1");
        assert!(!robots.permits("/a/x") && robots.permits("/a/b/x") && robots.permits("/c") && robots.permits("/"));
    }

    #[test]
    fn a_group_for_our_name_wins_over_everybodys() {
        let text = "user-agent: *\ndisallow: /\n\nUser-Agent: other\nUser-Agent: LandFall/2.0\nDisallow: /x # why\nCrawl-delay: 2.5\n\nUser-agent: landfall\nDisallow: /y";
        let robots = Robots::parse(text, "landfall/1.0 (+about)");
        assert!(robots.permits("/") && !robots.permits("/x") && !robots.permits("/y"), "groups of one name are one group");
        assert_eq!(robots.crawl_delay, Some(2.5));
        assert!(!Robots::parse(text, "someone").permits("/"));
    }

    #[test]
    fn stars_and_ends_match_as_the_standard_says() {
        for (pattern, path, held) in [
            ("/fish", "/fish.html", true),
            ("/fish*", "/fish", true),
            ("/*.php", "/a/b.php?x", true),
            ("/*.php$", "/a/b.php", true),
            ("/*.php$", "/a/b.php?x", false),
            ("/*.php$", "/a.php/b.php", true),
            ("/fish*.php", "/fishheads/catfish.php?p", true),
            ("/fish*.php", "/Fish.PHP", false),
            ("/a$", "/a", true),
            ("/a$", "/ab", false),
            ("/*", "/", true),
            ("*$", "/x", true),
        ] {
            assert_eq!(matches(pattern, path), held, "{pattern} {path}");
        }
        let encoded = Robots::parse("User-agent: *\nDisallow: /foo/b%61r\nDisallow: /ツ", "x");
        assert!(!encoded.permits("/foo/bar") && !encoded.permits("/%E3%83%84"));
    }

    #[test]
    fn a_site_that_cannot_say_permits_nothing_and_one_without_rules_everything() {
        let rules = "User-agent: *\nDisallow: /";
        assert!(!Robots::of_answer(503, "", "a").permits("/x"));
        assert!(Robots::of_answer(404, rules, "a").permits("/x"));
        assert!(!Robots::of_answer(200, rules, "a").permits("/x"));
        assert!(Robots::of_answer(200, rules, "a").permits("/robots.txt"));
        assert!(Robots::parse("Disallow: /\nUser-agent: b\nDisallow:", "a").permits("/x"), "a rule before any agent is nobody's");
    }

    #[test]
    fn a_hostile_pattern_takes_no_time() {
        let pattern = "/".to_owned() + &"*a".repeat(20_000) + "$";
        let robots = Robots::parse(&format!("User-agent: *\nDisallow: {pattern}"), "x");
        assert!(robots.permits(&("/".to_owned() + &"a".repeat(10_000))));
    }
}
