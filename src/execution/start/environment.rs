//! The environment a child is given: seven keys, values of the parent, and the fixed folder.

/// The keys that may reach a child; `PWD` never comes from the parent.
pub const ALLOWED_KEYS: [&str; 7] = ["LANG", "LC_ALL", "PATH", "PWD", "PYTHONPATH", "TZ", "VIRTUAL_ENV"];

/// Whether a key of this name may hold a secret; such a key never passes, whatever a list allows.
pub fn is_secret_key(key: &str) -> bool {
    let key = key.to_uppercase();
    ["TOKEN", "SECRET", "PASSWORD", "KEY", "CREDENTIAL"].iter().any(|part| key.contains(part))
}

/// What of `parent` passes, sorted by key, with `PWD` set to `folder`. Of equal keys the first counts, as in a C library.
pub fn allowed(parent: &[(String, String)], folder: &str) -> Vec<(String, String)> {
    let passes = |key: &str| key != "PWD" && !is_secret_key(key);
    let value = |key: &str| parent.iter().find(|(name, value)| name == key && !value.contains('\0')).map(|(_, value)| value.clone());
    ALLOWED_KEYS
        .iter()
        .filter_map(|&key| {
            let value = if key == "PWD" { Some(folder.to_owned()) } else { value(key).filter(|_| passes(key)) };
            value.map(|value| (key.to_owned(), value))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.to_owned(), value.to_owned())
    }

    #[test]
    fn only_the_seven_keys_pass_and_the_folder_is_fixed() {
        let parent = [
            pair("API_TOKEN", "a"),
            pair("DB_PASSWORD", "b"),
            pair("HOME", "/h"),
            pair("LANG", "C"),
            pair("LD_PRELOAD", "x.so"),
            pair("PATH", "/bin"),
            pair("PWD", "/elsewhere"),
            pair("RUST_LOG", "trace"),
            pair("path", "/lower"),
        ];
        assert_eq!(allowed(&parent, "/ws"), [pair("LANG", "C"), pair("PATH", "/bin"), pair("PWD", "/ws")]);
    }

    #[test]
    fn no_allowed_key_could_hold_a_secret() {
        assert!(ALLOWED_KEYS.iter().all(|key| !is_secret_key(key)));
        assert!(["api_token", "Secret", "MONKEY", "x_credentials", "PASSWORD"].iter().all(|key| is_secret_key(key)));
    }

    #[test]
    fn equal_keys_give_one_and_a_value_with_a_nul_none() {
        assert_eq!(allowed(&[pair("TZ", "UTC"), pair("TZ", "x"), pair("LANG", "C\0D")], "/w"), [pair("PWD", "/w"), pair("TZ", "UTC")]);
    }
}
