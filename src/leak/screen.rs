//! The cheap question before the exact one: could this text hold a leak at all?
//!
//! A screen may suspect the innocent and must never miss a leak; a property test holds it to the
//! exact shapes. It works on bytes, so that a whole row is screened as it lies in its block.

use super::credential;
use crate::stream::Mark;
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

/// What a text could hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Suspicion(u8);

impl Suspicion {
    const PATH: Self = Self(1);
    const CREDENTIAL: Self = Self(2);
    const BOTH: Self = Self(3);

    /// Whether it could hold nothing that leaks.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether it could hold a private path.
    pub fn of_path(self) -> bool {
        self.0 & Self::PATH.0 != 0
    }

    /// Whether it could hold a credential.
    pub fn of_credential(self) -> bool {
        self.0 & Self::CREDENTIAL.0 != 0
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What marks of a text say of it.
    pub fn of_marks(marks: &[Mark]) -> Self {
        marks.iter().fold(Self::default(), |all, mark| all.or(Self(mark.kind)))
    }
}

/// Sequences that are looked for in one pass.
struct Triggers {
    all: Vec<(&'static str, Of)>,
    /// None where the processor has no packed search.
    packed: Option<Searcher>,
}

/// Groups into which a packed search sorts its sequences, by their numbers: it sees at once for which of them a place is
/// perhaps a beginning, and compares with each sequence of those.
const GROUPS: usize = 16;

/// The sequences in an order in which those of a group look alike: what may begin one of a group is then hardly anything
/// else. At random, a group has letters, digits and signs of all kinds, and every eighth place of plain prose is compared.
fn grouped(mut all: Vec<(&'static str, Of)>) -> Vec<(&'static str, Of)> {
    // Halves of bytes are what a packed search looks at; the upper ones tell capitals, letters and signs apart.
    let upper = |text: &str| text.bytes().take(4).map(|byte| byte >> 4).collect::<Vec<_>>();
    all.sort_by(|(one, _), (other, _)| upper(one).cmp(&upper(other)).then_with(|| one.cmp(other)));
    let count = all.len();
    let mut alike = all.into_iter();
    let mut groups: Vec<_> =
        (0..GROUPS).map(|group| alike.by_ref().take((count + GROUPS - 1 - group) / GROUPS).collect::<Vec<_>>().into_iter()).collect();
    (0..count).filter_map(|number| groups[number % GROUPS].next()).collect()
}

impl Triggers {
    fn new(all: Vec<(&'static str, Of)>) -> Self {
        let all = grouped(all);
        // Beyond sixty-four the library advises against it, for texts in which most are found; here hardly any is.
        let config = Config::new().match_kind(MatchKind::LeftmostFirst).heuristic_pattern_limits(false).clone();
        Self { packed: config.builder().extend(all.iter().map(|(text, _)| text)).build(), all }
    }

    /// Says where a sequence stands, and what for, until `found` wants no more. One may lie over the beginning of
    /// another (`/usrc/ai_workflow`): both are found. Of those that begin at one place one is found; none that begins
    /// a path begins a credential.
    fn each(&self, bytes: &[u8], mut found: impl FnMut(usize, Suspicion) -> bool) {
        let is_users = |at: usize| bytes[at..].get(..7).is_some_and(|found| found.eq_ignore_ascii_case(b"/users/"));
        let mut meets = |of: Of, at: usize| match of {
            Of::Users => !is_users(at) || found(at, Suspicion::PATH),
            Of::Path => found(at, Suspicion::PATH),
            Of::Credential => found(at, Suspicion::CREDENTIAL),
        };
        let Some(searcher) = self.packed.as_ref() else {
            // One substring search after another.
            for (text, of) in &self.all {
                if !memmem::find_iter(bytes, *text).all(|at| meets(*of, at)) {
                    return;
                }
            }
            return;
        };
        let mut from = 0;
        while let Some(at) = searcher.find_in(bytes, (from..bytes.len()).into()) {
            if !meets(self.all[at.pattern().as_usize()].1, at.start()) {
                return;
            }
            from = at.start() + 1;
        }
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

/// Adds to `places` where `raw`, JSON text, could hold a leak in a string without escapes, in no order: of a part of
/// `raw` that is a whole JSON value it finds nothing but these. So a block may be screened before its rows are known.
/// Strings with escapes must be decoded and screened by [`suspects_decoded`].
pub fn mark(raw: &[u8], places: &mut Vec<Mark>) {
    each_place(raw, |at, suspicion| {
        places.push(Mark { at, kind: suspicion.0 });
        true
    });
}

/// What `text`, a decoded string (or several, joined by newlines), could hold.
pub fn suspects_decoded(text: &str) -> Suspicion {
    let mut all = if backslashes(text.as_bytes()) { Suspicion::PATH } else { Suspicion::default() };
    each_place(text.as_bytes(), |_, suspicion| {
        all = all.or(suspicion);
        all != Suspicion::BOTH
    });
    all
}

/// Whether `bytes` could hold a credential: asked once, it spares a search for each of the shapes.
pub(super) fn suspects_credential(bytes: &[u8]) -> bool {
    let mut suspects = false;
    each_place(bytes, |_, suspicion| {
        suspects |= suspicion.of_credential();
        !suspects
    });
    suspects
}

/// Says where something could be a leak, and of what, until `found` wants no more.
fn each_place(bytes: &[u8], mut found: impl FnMut(usize, Suspicion) -> bool) {
    if !marks(bytes).all(|(at, suspicion)| found(at, suspicion)) || !colon_slash(bytes).all(|at| found(at, Suspicion::BOTH)) {
        return;
    }
    let mut goes_on = true;
    for triggers in &*TRIGGERS {
        triggers.each(bytes, |at, suspicion| {
            goes_on = found(at, suspicion);
            goes_on
        });
        if !goes_on {
            return;
        }
    }
}

/// Homes by tilde or variable, and the one mark of a credential that ends in a tilde (`Q~`).
fn marks(bytes: &[u8]) -> impl Iterator<Item = (usize, Suspicion)> {
    memchr::memchr3_iter(b'~', b'$', b'%', bytes).filter_map(move |at| {
        match bytes[at] {
            b'~' => match at.checked_sub(1).map(|before| bytes[before]) {
                None => Some(Suspicion::BOTH),
                Some(b'Q') => Some(Suspicion::CREDENTIAL),
                Some(before) => (!before.is_ascii_alphanumeric()).then_some(Suspicion::PATH),
            },
            b'$' => matches!(bytes.get(at + 1), Some(b'H' | b'{')).then_some(Suspicion::PATH),
            _ => matches!(bytes.get(at + 1), Some(b'U' | b'u' | b'H' | b'h')).then_some(Suspicion::PATH),
        }
        .map(|suspicion| (at, suspicion))
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
            assert!(suspects_decoded(text).of_path(), "{text:?}");
        }
        for (id, text) in credential::tests::secrets() {
            assert!(suspects_decoded(&text).of_credential(), "{id}");
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
            let marked = |text: &str| {
                let mut places = Vec::new();
                mark(text.as_bytes(), &mut places);
                places.sort();
                places
            };
            let places = marked(&block);
            let mut start = 0;
            for row in &rows {
                let inside = places.iter().filter(|mark| (start..start + row.len()).contains(&mark.at));
                let inside: Vec<_> = inside.map(|mark| Mark { at: mark.at - start, kind: mark.kind }).collect();
                assert_eq!(inside, marked(row), "{row}");
                start += row.len() + around.len();
            }
        }
        // The beginning of a home that is none hides nothing that begins inside it.
        for text in ["/usrc/ai_workflow".to_owned(), format!("/U{}", concat!("SYNTHETIC_RAW_SEED", "_BODY_SENTINEL"))] {
            assert!(!suspects_decoded(&text).is_none(), "{text}");
        }
        assert!(suspects_credential(format!("/U{}", concat!("SYNTHETIC_RAW_SEED", "_BODY_SENTINEL")).as_bytes()));
    }

    #[test]
    fn grouping_loses_no_sequence() {
        for count in 0..4 * GROUPS {
            let names: Vec<&'static str> = (0..count).map(|number| &*format!("{number:04}").leak()).collect();
            let mut grouped: Vec<_> =
                grouped(names.iter().map(|name| (*name, Of::Path)).collect()).into_iter().map(|(name, _)| name).collect();
            assert!(count < 2 * GROUPS || grouped[GROUPS] == names[1], "the second of a group stands behind the first of all");
            grouped.sort_unstable();
            assert_eq!(grouped, names);
        }
    }

    #[test]
    fn no_beginning_of_a_path_hides_a_credential() {
        let of = |wanted: fn(&Of) -> bool| TRIGGERS.iter().flat_map(|triggers| &triggers.all).filter(move |(_, of)| wanted(of));
        for (path, _) in of(|of| *of != Of::Credential) {
            for (literal, _) in of(|of| *of == Of::Credential) {
                assert!(!path.starts_with(literal) && !literal.starts_with(path), "{path} {literal}");
            }
        }
        // What is too short for a trigger is a mark of its own.
        assert!(credential::literals().filter(|text| text.len() < 3).all(|text| text == "Q~"));
    }

    #[test]
    fn plain_rows_and_plain_urls_are_not() {
        for text in
            ["{\"a\": \"https://github.com/x/y?z=1#L4\", \"b\": \"git@host:/srv/x.git\"}", "100% of HEAD~3 for $5 /usr/bin", "src/user.rs"]
        {
            let mut places = Vec::new();
            mark(text.as_bytes(), &mut places);
            assert_eq!(places, [], "{text}");
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
            let suspicion = suspects_decoded(&text);
            prop_assert!(suspicion.of_path() || !private_path::found_in(&text), "{text:?}");
            prop_assert!(suspicion.of_credential() || credential::terms_in_suspect(text.as_bytes()).is_empty(), "{text:?}");
        }
    }
    use proptest::strategy::Strategy as _;
}
