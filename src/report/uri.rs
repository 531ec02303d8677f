//! Paths as relative URI references.

/// `path` with everything percent-encoded that is neither unreserved nor `/`.
pub(super) fn of_path(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::of_path;

    #[test]
    fn nothing_of_a_path_is_taken_for_a_scheme_a_query_or_a_fragment() {
        assert_eq!(of_path("a b/javascript:x?y#\u{e9}<"), "a%20b/javascript%3Ax%3Fy%23%C3%A9%3C");
    }
}
