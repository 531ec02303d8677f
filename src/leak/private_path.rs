//! Paths that name a person's machine (spec 3.1, *private paths*).
//!
//! "Letter" and "digit" are ASCII's, white space is Unicode's. `/tmp` is not private, nor are
//! remote specs such as `git@host:/srv/x.git` and URLs with ports.

use regex::Regex;
use std::sync::LazyLock;

/// Refused wherever they stand, even inside a URL or a repository path.
const ANYWHERE: [&str; 4] = ["/Users/", "src/ai_workflow", "/private/", "/var/folders/"];

/// Refused where the characters around them say that a path starts there.
const SHAPES: [&str; 6] = [
    // Homes, unless they continue a longer name.
    r"(?:^|[^A-Za-z0-9_.\-])(?:(?i-u:/users/)[^/\\\s]|/home/[^/\\\s]|/root/)",
    // A drive letter; a URL has two slashes behind its colon.
    r"(?:^|[^A-Za-z0-9])[A-Za-z]:(?:\\|/(?:[^/]|$))",
    // A network share.
    r#"(?:^|[\s"'=:(,;\[])\\\\[A-Za-z0-9._\-]+\\[^/\\\s]"#,
    // A home by tilde.
    r#"(?:^|[\s"'=:(,;\[])~[A-Za-z0-9._\-]*/"#,
    r"(?:^|[^A-Za-z0-9+.\-])(?i-u:file:/)",
    // Variables that stand for a home.
    r"\$HOME(?:[^A-Za-z0-9_]|$)|\$\{HOME\}|(?i-u:%USERPROFILE%|%HOMEPATH%)",
];

static PATTERNS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| SHAPES.iter().map(|shape| Regex::new(shape).expect("the shapes are valid expressions")).collect());

/// Whether a private path stands anywhere in `text`.
pub fn found_in(text: &str) -> bool {
    ANYWHERE.iter().any(|literal| memchr::memmem::find(text.as_bytes(), literal.as_bytes()).is_some())
        || PATTERNS.iter().any(|pattern| pattern.is_match(text))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const PRIVATE: [&str; 34] = [
        "/Users/",
        "x/Users/y",
        "https://x/private/y",
        "a src/ai_workflow b",
        "/var/folders/ab",
        "/users/x",
        "see /USERS/mira",
        "/home/x",
        "=/home/mira/x",
        "/root/",
        "(/root/x)",
        "C:\\",
        "C:/",
        "at C:/Users",
        "x=d:\\wip",
        "\u{e9}C:/x",
        "\\\\host\\share",
        "see \\\\fs-1.corp\\s",
        "~/",
        "~/x",
        "~mira/x",
        "x=~/y",
        "[~a.b-c_d/",
        "\u{2003}~/x",
        "file:/x",
        "FILE:///home",
        "(file:/x",
        "$HOME",
        "$HOME/x",
        "a$HOME-b",
        "${HOME}",
        "%UserProfile%",
        "%homepath%",
        "\n/home/x",
    ];

    const PUBLIC: [&str; 26] = [
        "",
        "/home/",
        "/home/ x",
        "/users//x",
        "docs/home/index.md",
        "v1/users/41",
        "a.b/home/x",
        "a-/root/",
        "a_/root/x",
        "/root",
        "git@host:/srv/x.git",
        "https://host:8080/x",
        "https://x",
        "ab:/x",
        "1C:/x",
        "c://x",
        "\\\\host",
        "\\\\host\\ x",
        "\\d+\\.\\d+",
        "HEAD~3",
        "HEAD~3/x",
        "a~/x",
        "profile:/x",
        "x.file:/y",
        "$HOMEPATH $HOME_DIR",
        "/tmp/x",
    ];

    #[test]
    fn private_paths_are_found() {
        for text in PRIVATE {
            assert!(found_in(text), "{text:?}");
        }
    }

    #[test]
    fn public_paths_are_left_alone() {
        for text in PUBLIC {
            assert!(!found_in(text), "{text:?}");
        }
    }
}
