//! Paths that name a person's machine (spec 3.1, *private paths*).
//!
//! "Letter" and "digit" are ASCII's, white space is Unicode's. `/tmp` is not private, nor are
//! remote specs such as `git@host:/srv/x.git` and URLs with ports.

use memchr::memmem::Finder;
use regex::Regex;
use std::sync::LazyLock;

/// Refused wherever they stand, even inside a URL or a repository path.
const ANYWHERE: [&str; 4] = ["/Users/", "src/ai_workflow", "/private/", "/var/folders/"];

/// A shape refused where the characters around it say that a path starts there.
struct Shape {
    /// A cheap question that must be yes wherever the expression matches.
    could_match: fn(&[u8]) -> bool,
    expression: &'static str,
}

const SHAPES: [Shape; 6] = [
    // Homes, unless they continue a longer name.
    Shape { could_match: holds_home, expression: r"(?:^|[^A-Za-z0-9_.\-])(?:(?i-u:/users/)[^/\\\s]|/home/[^/\\\s]|/root/)" },
    // A drive letter; a URL has two slashes behind its colon.
    Shape { could_match: holds_drive, expression: r"(?:^|[^A-Za-z0-9])[A-Za-z]:(?:\\|/(?:[^/]|$))" },
    // A network share.
    Shape { could_match: holds_share, expression: r#"(?:^|[\s"'=:(,;\[])\\\\[A-Za-z0-9._\-]+\\[^/\\\s]"# },
    // A home by tilde.
    Shape { could_match: |text| memchr::memchr(b'~', text).is_some(), expression: r#"(?:^|[\s"'=:(,;\[])~[A-Za-z0-9._\-]*/"# },
    Shape { could_match: holds_scheme, expression: r"(?:^|[^A-Za-z0-9+.\-])(?i-u:file:/)" },
    // Variables that stand for a home.
    Shape {
        could_match: |text| memchr::memchr2(b'$', b'%', text).is_some(),
        expression: r"\$HOME(?:[^A-Za-z0-9_]|$)|\$\{HOME\}|(?i-u:%USERPROFILE%|%HOMEPATH%)",
    },
];

static ANYWHERE_FINDERS: LazyLock<[Finder<'static>; 4]> = LazyLock::new(|| ANYWHERE.map(Finder::new));

static PATTERNS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| SHAPES.iter().map(|shape| Regex::new(shape.expression).expect("the shapes are valid expressions")).collect());

fn holds_share(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', text).any(|at| text.get(at + 1) == Some(&b'\\'))
}

fn holds_scheme(text: &[u8]) -> bool {
    memchr::memchr_iter(b':', text).any(|at| text.get(at + 1) == Some(&b'/'))
}

fn holds_home(text: &[u8]) -> bool {
    let home = |at: usize| {
        let rest = &text[at..];
        rest.starts_with(b"/home/")
            || rest.starts_with(b"/root/")
            || rest.get(..7).is_some_and(|found| found.eq_ignore_ascii_case(b"/users/"))
    };
    memchr::memchr_iter(b'/', text).any(home)
}

fn holds_drive(text: &[u8]) -> bool {
    memchr::memchr_iter(b':', text).any(|at| match text.get(at + 1..) {
        Some([b'\\', ..]) => true,
        Some([b'/', rest @ ..]) => rest.first() != Some(&b'/'),
        _ => false,
    })
}

/// Whether a home stands in `text` in the plainest way, behind a blank or the like. What is found is mostly one of these,
/// and takes no expression to see.
fn holds_plain_home(text: &[u8]) -> bool {
    let begins = |at: usize| at.checked_sub(1).is_none_or(|before| b" \t\n\r\"'=:(,;[".contains(&text[before]));
    let of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    memchr::memchr2_iter(b'~', b'/', text).any(|at| {
        let rest = &text[at + 1..];
        begins(at)
            && match text[at] {
                b'~' => rest.iter().find(|byte| !of_name(byte)) == Some(&b'/'),
                _ => rest.strip_prefix(b"home/").and_then(<[u8]>::first).is_some_and(of_name),
            }
    })
}

/// Whether a private path stands anywhere in `text`.
pub fn found_in(text: &str) -> bool {
    let bytes = text.as_bytes();
    holds_plain_home(bytes)
        || SHAPES.iter().zip(PATTERNS.iter()).any(|(shape, pattern)| (shape.could_match)(bytes) && pattern.is_match(text))
        || ANYWHERE_FINDERS.iter().any(|literal| literal.find(bytes).is_some())
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

    proptest::proptest! {
        /// The cheap questions never hide a match from the expressions.
        #[test]
        fn no_cheap_question_hides_a_match(parts in proptest::collection::vec(proptest::sample::select(vec!["/uSeRs/", "/home/", "/root/", "C:", "d", ":", "/", "//", "\\\\", "~", "mira",
            "FiLe:", "$HOME", "${HOME}", "%UserProfile%", " ", "\"", "\u{e9}", "."]), 0..8)) {
            let text = parts.concat();
            for (shape, pattern) in SHAPES.iter().zip(PATTERNS.iter()) {
                proptest::prop_assert!(!pattern.is_match(&text) || (shape.could_match)(text.as_bytes()), "{text:?}");
            }
            let found = PATTERNS.iter().any(|pattern| pattern.is_match(&text));
            proptest::prop_assert!(found || !holds_plain_home(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn plain_homes_take_no_expression() {
        for text in ["built in ~/wip", "~mira-2/x", "'/home/mira/x'", "/home/x"] {
            assert!(holds_plain_home(text.as_bytes()), "{text:?}");
        }
        for text in PUBLIC {
            assert!(!holds_plain_home(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn public_paths_are_left_alone() {
        for text in PUBLIC {
            assert!(!found_in(text), "{text:?}");
        }
    }
}
