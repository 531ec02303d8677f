//! Keys under which a body would lie, in any spelling.

/// The keys, lower-cased and without anything but letters and digits (spec 3.1).
const BODY_KEYS: [&str; 13] = [
    "privatesourcebody",
    "rawdiffbody",
    "providerpayload",
    "secretvalue",
    "absoluteprivatepath",
    "body",
    "sourcebody",
    "sourcetext",
    "payloadbody",
    "sessionpayload",
    "operatorthreadbody",
    "credentialpayload",
    "matchedexcerpt",
];

/// The longest of [`BODY_KEYS`].
const LONGEST: usize = 19;

/// Whether `key`, lower-cased and stripped to `a-z0-9`, names a body.
pub fn is_body_key(key: &str) -> bool {
    let mut bare = [0u8; LONGEST];
    let mut length = 0;
    let mut push = |byte: u8| {
        if length < LONGEST {
            bare[length] = byte;
        }
        length += 1;
        length <= LONGEST
    };
    for character in key.chars() {
        if character.is_ascii() {
            let byte = character.to_ascii_lowercase() as u8;
            if byte.is_ascii_alphanumeric() && !push(byte) {
                return false;
            }
        } else {
            // Some letters beyond ASCII become ASCII in lower case (the Kelvin sign).
            for lower in character.to_lowercase().filter(char::is_ascii_alphanumeric) {
                if !push(lower as u8) {
                    return false;
                }
            }
        }
    }
    BODY_KEYS.iter().any(|name| name.as_bytes() == &bare[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_spelling_of_a_body_key_is_one() {
        for key in
            ["body", "Private_Source_Body", "rawDiffBody", "provider-payload", " secret value ", "matched.excerpt", "so\u{212A}urce_body"]
        {
            assert_eq!(is_body_key(key), key != "so\u{212A}urce_body", "{key}");
        }
        assert!(is_body_key("absolute_private_path"));
    }

    #[test]
    fn words_around_a_body_key_are_harmless() {
        for key in ["", "body_in_receipt", "body_redacted", "diff_stat", "secrets_found", "absolute_private_paths", "anybody"] {
            assert!(!is_body_key(key), "{key}");
        }
    }

    #[test]
    fn the_buffer_holds_the_longest() {
        assert_eq!(BODY_KEYS.iter().map(|key| key.len()).max(), Some(LONGEST));
    }
}
