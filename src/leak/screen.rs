//! The cheap question before the exact one: could this text hold a leak at all?
//!
//! A screen may suspect the innocent and must never miss a leak; a property test holds it to the
//! exact shapes. It works on bytes, so that a whole row is screened as it lies in its block.

use super::credential;
use aho_corasick::packed::{Config, MatchKind, Searcher};
use memchr::memmem;
use std::sync::LazyLock;

/// Byte sequences without which no path but those of [`marks`] and [`colon_slash`] matches. `/users/` may come in any
/// case; four spellings of its first letters stand for all.
const USERS: [&str; 4] = ["/Us", "/us", "/US", "/uS"];
const PATHS: [&str; 5] = ["/home/", "/root/", "/private/", "/var/folders/", "src/ai_workflow"];

/// What a sequence is the beginning or the mark of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// Perhaps a home: the letters behind it say.
    Users,
    Path,
    Credential,
}

/// Sequences that are looked for in one pass; any that counts is enough, so none needs to be found inside another.
struct Triggers {
    all: Vec<(&'static str, Of)>,
    /// None where the processor has no packed search.
    packed: Option<Searcher>,
}

impl Triggers {
    fn new(all: Vec<(&'static str, Of)>) -> Self {
        // Beyond sixty-four the library advises against it, for texts in which most are found; here hardly any is.
        let config = Config::new().match_kind(MatchKind::LeftmostFirst).heuristic_pattern_limits(false).clone();
        Self { packed: config.builder().extend(all.iter().map(|(text, _)| text)).build(), all }
    }

    /// Where a sequence stands that counts. One that does not may lie over the beginning of another (`/usrc/ai_workflow`).
    fn in_bytes<'s>(&'s self, bytes: &'s [u8], counts: fn(Of) -> bool) -> Box<dyn Iterator<Item = usize> + 's> {
        let is_users = move |at: usize| bytes[at..].get(..7).is_some_and(|found| found.eq_ignore_ascii_case(b"/users/"));
        let counts = move |of: Of, at: usize| counts(of) && (of != Of::Users || is_users(at));
        let Some(searcher) = self.packed.as_ref() else {
            // One substring search after another.
            let places = |(text, of): &'s (&'static str, Of)| memmem::find_iter(bytes, *text).map(move |at| (*of, at));
            return Box::new(self.all.iter().flat_map(places).filter(move |(of, at)| counts(*of, *at)).map(|(_, at)| at));
        };
        let mut from = 0;
        Box::new(std::iter::from_fn(move || {
            loop {
                let found = searcher.find_in(bytes, (from..bytes.len()).into())?;
                if counts(self.all[found.pattern().as_usize()].1, found.start()) {
                    from = found.end();
                    return Some(found.start());
                }
                from = found.start() + 1;
            }
        }))
    }
}

/// The sequences of three bytes, and the longer ones. A packed search asks for as many bytes at once as its shortest sequence
/// has, up to four: three short ones among a hundred would make all of it several times slower.
static TRIGGERS: LazyLock<[Triggers; 2]> = LazyLock::new(|| {
    let of = |texts: &[&'static str], of| texts.iter().map(|text| (*text, of)).collect::<Vec<_>>();
    let mut all = of(&USERS, Of::Users);
    all.extend(of(&PATHS, Of::Path));
    // What has two bytes only is seen by its tilde.
    all.extend(credential::literals().filter(|text| text.len() > 2).map(|text| (text, Of::Credential)));
    let (short, long) = all.into_iter().partition(|(text, _)| text.len() < 4);
    [Triggers::new(short), Triggers::new(long)]
});

/// Whether `raw`, JSON text, could hold a leak in a string without escapes. Strings with escapes
/// must be decoded and screened by [`suspects_decoded`].
pub fn suspects_raw(raw: &[u8]) -> bool {
    marks(raw).next().is_some() || colon_slash(raw).next().is_some() || triggers(raw).next().is_some()
}

/// Adds to `at` the places of `raw` where [`suspects_raw`] finds something, in no order: of a part of `raw` that is a
/// whole JSON value it finds nothing but these. So a block may be screened before its rows are known.
pub fn suspects_at(raw: &[u8], at: &mut Vec<usize>) {
    at.extend(marks(raw));
    at.extend(colon_slash(raw));
    at.extend(triggers(raw));
}

/// Whether `text`, a decoded string (or several, joined by newlines), could hold a leak.
pub fn suspects_decoded(text: &str) -> bool {
    suspects_raw(text.as_bytes()) || backslashes(text.as_bytes())
}

/// Whether `bytes` could hold a credential: asked once, it spares a search for each of the shapes.
pub(super) fn suspects_credential(bytes: &[u8]) -> bool {
    // The one literal that is too short for the triggers.
    credential::literals().filter(|text| text.len() < 3).any(|text| memmem::find(bytes, text.as_bytes()).is_some())
        || colon_slash(bytes).next().is_some()
        || TRIGGERS.iter().any(|triggers| triggers.in_bytes(bytes, |of| of == Of::Credential).next().is_some())
}

/// The places of all triggers.
fn triggers(bytes: &[u8]) -> impl Iterator<Item = usize> {
    TRIGGERS.iter().flat_map(|triggers| triggers.in_bytes(bytes, |_| true))
}

/// Homes by tilde or variable, and the one mark of a credential that ends in a tilde (`Q~`).
fn marks(bytes: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr3_iter(b'~', b'$', b'%', bytes).filter(move |&at| match bytes[at] {
        b'~' => at == 0 || !matches!(bytes[at - 1], b'a'..=b'z' | b'A'..=b'P' | b'R'..=b'Z' | b'0'..=b'9'),
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
