//! The cheap question before the exact one: could this text hold a leak at all?
//!
//! A screen may suspect the innocent and must never miss a leak; a property test holds it to the
//! exact shapes. It works on bytes, so that a whole row is screened as it lies in its block.

use super::credential;
use aho_corasick::packed::{Config, MatchKind, Searcher};
use memchr::memmem;
use std::sync::LazyLock;

/// Byte sequences without which no path but those of [`marks`] and [`colon_slash`] matches. `/users/` may come in any
/// case; four spellings of its first letters, the first [`USERS`], stand for all.
const USERS: usize = 4;
const PATHS: [&str; 9] = ["/Us", "/us", "/US", "/uS", "/home/", "/root/", "/private/", "/var/folders/", "src/ai_workflow"];

/// The paths' sequences, then those without which no credential matches; any of them is enough, so none needs to be found
/// inside another.
static TRIGGERS: LazyLock<Vec<&'static str>> = LazyLock::new(|| PATHS.into_iter().chain(credential::literals()).collect());

static SEARCHER: LazyLock<Option<Searcher>> = LazyLock::new(|| {
    // Beyond sixty-four the library advises against it, for texts in which most are found; here hardly any is.
    Config::new().match_kind(MatchKind::LeftmostFirst).heuristic_pattern_limits(false).builder().extend(TRIGGERS.iter()).build()
});

/// Whether `raw`, JSON text, could hold a leak in a string without escapes. Strings with escapes
/// must be decoded and screened by [`suspects_decoded`].
pub fn suspects_raw(raw: &[u8]) -> bool {
    marks(raw).next().is_some() || colon_slash(raw).next().is_some() || triggers(raw, &mut |_| true)
}

/// Adds to `at` the places of `raw` where [`suspects_raw`] finds something, in no order: of a part of `raw` that is a
/// whole JSON value it finds nothing but these. So a block may be screened before its rows are known.
pub fn suspects_at(raw: &[u8], at: &mut Vec<usize>) {
    at.extend(marks(raw));
    at.extend(colon_slash(raw));
    triggers(raw, &mut |place| {
        at.push(place);
        false
    });
}

/// Whether `text`, a decoded string (or several, joined by newlines), could hold a leak.
pub fn suspects_decoded(text: &str) -> bool {
    suspects_raw(text.as_bytes()) || backslashes(text.as_bytes())
}

/// Whether `bytes` could hold a credential: asked once, it spares a search for each of the shapes.
pub fn suspects_credential(bytes: &[u8]) -> bool {
    colon_slash(bytes).next().is_some()
        || match SEARCHER.as_ref() {
            None => true,
            Some(searcher) => found_by(searcher, bytes, |pattern, _| pattern >= PATHS.len()).next().is_some(),
        }
}

/// Where a trigger stands that counts. One that does not may lie over the beginning of another (`/usrc/ai_workflow`).
fn found_by<'s>(searcher: &'s Searcher, bytes: &'s [u8], counts: impl Fn(usize, usize) -> bool + 's) -> impl Iterator<Item = usize> + 's {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let found = searcher.find_in(bytes, (from..bytes.len()).into())?;
            if counts(found.pattern().as_usize(), found.start()) {
                from = found.end();
                return Some(found.start());
            }
            from = found.start() + 1;
        }
    })
}

/// Tells `found` of every trigger, until it has enough, and says whether it had.
fn triggers(bytes: &[u8], found: &mut dyn FnMut(usize) -> bool) -> bool {
    let is_users = |at: usize| bytes[at..].get(..7).is_some_and(|found| found.eq_ignore_ascii_case(b"/users/"));
    let Some(searcher) = SEARCHER.as_ref() else {
        // No packed search on this processor: one substring search after another.
        return TRIGGERS.iter().any(|trigger| memmem::find_iter(bytes, trigger.as_bytes()).any(&mut *found));
    };
    for place in found_by(searcher, bytes, |pattern, at| pattern >= USERS || is_users(at)) {
        if found(place) {
            return true;
        }
    }
    false
}

/// Homes by tilde or variable.
fn marks(bytes: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr3_iter(b'~', b'$', b'%', bytes).filter(move |&at| match bytes[at] {
        b'~' => at == 0 || !matches!(bytes[at - 1], b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9'),
        b'$' => matches!(bytes.get(at + 1), Some(b'H' | b'{')),
        _ => matches!(bytes.get(at + 1), Some(b'U' | b'u' | b'H' | b'h')),
    })
}

/// Drive letters, `file:/` and passwords in URLs; settles a plain URL where it stands.
fn colon_slash(bytes: &[u8]) -> impl Iterator<Item = usize> {
    static COLON_SLASH: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(":/"));
    COLON_SLASH.find_iter(bytes).filter(move |&at| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        if matches!(before, Some(b'e' | b'E')) && at >= 4 && bytes[at - 4..at].eq_ignore_ascii_case(b"file") {
            return true;
        }
        if bytes.get(at + 2) != Some(&b'/') {
            let alone = at.checked_sub(2).is_none_or(|outer| !bytes[outer].is_ascii_alphanumeric());
            return alone && before.is_some_and(|byte| byte.is_ascii_alphabetic());
        }
        let authority = bytes[at + 3..].iter().take_while(|byte| !matches!(byte, b'/' | b'"' | b' '));
        authority.into_iter().any(|&byte| byte == b'@')
    })
}

/// Drive letters and network shares.
fn backslashes(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', bytes)
        .any(|at| bytes.get(at + 1) == Some(&b'\\') || at.checked_sub(1).is_some_and(|before| bytes[before] == b':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leak::{credential, private_path};

    #[test]
    fn every_known_leak_is_suspected() {
        for text in private_path::tests::PRIVATE {
            assert!(suspects_decoded(text), "{text:?}");
        }
        for (id, text) in credential::tests::secrets() {
            assert!(suspects_decoded(&text), "{id}");
            assert!(suspects_credential(text.as_bytes()), "{id}");
        }
    }

    #[test]
    fn a_row_that_is_suspected_alone_is_suspected_in_its_block() {
        let texts = private_path::tests::PRIVATE.iter().map(|text| (*text).to_owned());
        let texts = texts.chain(credential::tests::secrets().into_iter().map(|(_, text)| text)).chain(["plain".to_owned()]);
        let rows: Vec<_> = texts.map(|text| serde_json::json!({"note": text}).to_string()).collect();
        for around in [",", ",\n ", "] ["] {
            let block = rows.join(around);
            let mut at = Vec::new();
            suspects_at(block.as_bytes(), &mut at);
            let mut start = 0;
            for row in &rows {
                let inside = at.iter().any(|at| (start..start + row.len()).contains(at));
                assert_eq!(inside, suspects_raw(row.as_bytes()), "{row}");
                start += row.len() + around.len();
            }
        }
        // The beginning of a home that is none hides nothing that begins inside it.
        for text in ["/usrc/ai_workflow".to_owned(), format!("/U{}", concat!("SYNTHETIC_RAW_SEED", "_BODY_SENTINEL"))] {
            assert!(suspects_decoded(&text), "{text}");
        }
        assert!(suspects_credential(format!("/U{}", concat!("SYNTHETIC_RAW_SEED", "_BODY_SENTINEL")).as_bytes()));
    }

    #[test]
    fn plain_rows_and_plain_urls_are_not() {
        for text in
            ["{\"a\": \"https://github.com/x/y?z=1#L4\", \"b\": \"git@host:/srv/x.git\"}", "100% of HEAD~3 for $5 /usr/bin", "src/user.rs"]
        {
            assert!(!suspects_raw(text.as_bytes()), "{text}");
        }
    }

    proptest::proptest! {
        /// Random text around fragments of every shape: what the exact rules find, the screen suspects.
        #[test]
        fn the_screen_misses_nothing(parts in proptest::collection::vec(proptest::prop_oneof![
            "[ a-zA-Z0-9/\\\\:~$%{}@._\\-\"'=(\u{2003}\u{e9}]{0,6}",
            proptest::sample::select(vec!["/users/", "/Users/", "/uSeRs/x", "/home/", "/root/", "file:/", "FILE:", "C:", "://", "a:b@", "~", "$HOME", "${HOME}",
                "%UserProfile%", "%HOMEPATH%", "\\\\", "/private/", "/var/folders/", "src/ai_workflow", "AKIA", "eyJ", "xoxb-", "AIza", "ghp_", "-----BEGIN ",
                "/us", "src/ai_workflow", "sk_live_", "npm_", "hf_", "hooks.slack.com/services/", "Authorization: Bearer ", "dop_v1_"]).prop_map(str::to_owned),
            "[A-Z0-9]{16}", "[a-z0-9]{36}",
        ], 0..6)) {
            use proptest::prelude::*;
            let text = parts.concat();
            if private_path::found_in(&text) || !credential::terms_in(&text).is_empty() {
                prop_assert!(suspects_decoded(&text), "{text:?}");
            }
        }
    }
    use proptest::strategy::Strategy as _;
}
