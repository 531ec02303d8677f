//! Refuses search text that looks for what should not be public.
//!
//! The rule is a list of terms, each refused wherever it stands in the cleaned, lower-cased text: a
//! `tokenizer` is refused for its `token`. A search engine also reads through full-width letters, letters
//! of other scripts that look the same, invisible characters and percent signs; so the list is asked a
//! second time of the text with these undone. That can only refuse more.

use super::url::decode_percent;
use super::value::collapse;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// The denied terms.
const DENIED_TERMS: [&str; 26] = [
    "admin",
    "apikey",
    "api_key",
    "aws_access_key_id",
    "credential",
    "credentials",
    "darkweb",
    "dark web",
    "dump",
    "exfil",
    "exploit",
    "exposed",
    "htpasswd",
    "index of",
    "intitle:index.of",
    "leak",
    "leaked",
    "password",
    "passwd",
    "private key",
    "secret",
    "secrets",
    "shadow",
    "ssh key",
    "token",
    "vulnerability",
];

static DENIED: LazyLock<AhoCorasick> = LazyLock::new(|| AhoCorasick::new(DENIED_TERMS).expect("a short list of terms compiles"));

/// Whether a denied term stands in `text`, as written or in disguise.
pub(crate) fn is_denied(text: &str) -> bool {
    DENIED.is_match(&collapse(text).to_lowercase()) || DENIED.is_match(&undisguised(text))
}

/// `text` as a search engine may read it, lower-cased.
fn undisguised(text: &str) -> String {
    let plain: String = decode_percent(text).chars().filter(|&c| !is_invisible(c)).map(look_alike).collect();
    let lowered: String = plain.to_lowercase().chars().map(look_alike).collect();
    collapse(&lowered)
}

/// Characters that take no room, and marks that sit on the letter before them.
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{0}'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{61c}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// The ASCII character that `character` is read as, or itself.
fn look_alike(character: char) -> char {
    match character {
        // Full-width forms lie in the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(character as u32 - 0xfee0).unwrap_or(character),
        // So do the letters of the mathematical alphabets, thirteen of fifty-two.
        '\u{1d400}'..='\u{1d6a3}' => {
            let place = (character as u32 - 0x1d400) % 52;
            char::from_u32(if place < 26 { 'A' as u32 + place } else { 'a' as u32 + place - 26 }).unwrap_or(character)
        }
        // Circled letters.
        '\u{24b6}'..='\u{24cf}' => char::from_u32(character as u32 - 0x24b6 + 'a' as u32).unwrap_or(character),
        '\u{24d0}'..='\u{24e9}' => char::from_u32(character as u32 - 0x24d0 + 'a' as u32).unwrap_or(character),
        // Cyrillic, Greek and Latin letters that look like these.
        '\u{430}' | '\u{3b1}' | '\u{251}' => 'a',
        '\u{44c}' => 'b',
        '\u{441}' | '\u{3f2}' => 'c',
        '\u{501}' => 'd',
        '\u{435}' | '\u{454}' | '\u{3b5}' | '\u{e9}' | '\u{e8}' | '\u{ea}' | '\u{eb}' => 'e',
        '\u{4bb}' => 'h',
        '\u{456}' | '\u{3b9}' | '\u{131}' | '\u{ed}' | '\u{ec}' | '\u{ef}' => 'i',
        '\u{458}' => 'j',
        '\u{43a}' | '\u{3ba}' => 'k',
        '\u{4cf}' => 'l',
        '\u{43c}' => 'm',
        '\u{578}' => 'n',
        '\u{43e}' | '\u{3bf}' | '\u{585}' | '\u{f3}' | '\u{f2}' | '\u{f6}' | '\u{f8}' => 'o',
        '\u{440}' | '\u{3c1}' => 'p',
        '\u{455}' => 's',
        '\u{442}' | '\u{3c4}' => 't',
        '\u{57d}' | '\u{3c5}' | '\u{fc}' | '\u{fa}' => 'u',
        '\u{475}' | '\u{3bd}' => 'v',
        '\u{51d}' | '\u{461}' => 'w',
        '\u{445}' | '\u{3c7}' => 'x',
        '\u{443}' | '\u{3b3}' => 'y',
        '\u{e0}' | '\u{e1}' | '\u{e2}' | '\u{e4}' | '\u{e5}' => 'a',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_refused_wherever_it_stands() {
        for text in ["tokenizer design", "the DARK \u{2003}\n web", "Intitle:Index.Of", "index  of /", "my_api_key"] {
            assert!(is_denied(text), "{text}");
        }
        for text in [
            "",
            "autonomous agents memory",
            "\u{43f}\u{430}\u{43c}\u{44f}\u{442}\u{44c} \u{430}\u{433}\u{435}\u{43d}\u{442}\u{43e}\u{432}",
            "darkness web",
            "100% of",
        ] {
            assert!(!is_denied(text), "{text}");
        }
    }

    #[test]
    fn a_disguise_does_not_help() {
        for text in [
            "\u{ff50}\u{ff41}\u{ff53}\u{ff53}\u{ff57}\u{ff4f}\u{ff52}\u{ff44}",
            "pass\u{200b}word",
            "to\u{ad}ken",
            "s\u{435}cr\u{435}t",
            "S\u{415}CR\u{415}T",
            "se\u{301}cret",
            "pass%77ord",
            "private%20key",
            "\u{1d42d}\u{1d428}\u{1d424}\u{1d41e}\u{1d427}",
        ] {
            assert!(is_denied(text), "{text}");
        }
    }
}
