//! URLs as the explorer reads them: split leniently, normalised in one way.
//!
//! It is not the WHATWG reader. Identities and counters were made with these rules, and a stricter
//! reader would give the same evidence another key.

/// A URL in its parts; each may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Split {
    /// Lower-cased, without its colon.
    pub(crate) scheme: String,
    /// User information, host and port as written.
    pub(crate) authority: String,
    /// With its leading slash.
    pub(crate) path: String,
    /// Without its question mark.
    pub(crate) query: String,
}

/// Splits `text`; the fragment is dropped.
///
/// # Errors
/// The authority has an open or misplaced bracket.
pub(crate) fn split(text: &str) -> Result<Split, String> {
    let text: String = text.trim_start_matches(|c| c <= ' ').chars().filter(|c| !matches!(c, '\t' | '\r' | '\n')).collect();
    let (scheme, rest) = match text.split_once(':') {
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')) =>
        {
            (scheme.to_ascii_lowercase(), rest)
        }
        _ => (String::new(), &*text),
    };
    let (authority, rest) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len())),
        None => ("", rest),
    };
    check_brackets(authority)?;
    let rest = rest.split_once('#').map_or(rest, |(before, _)| before);
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    Ok(Split { scheme, authority: authority.to_owned(), path: path.to_owned(), query: query.to_owned() })
}

fn check_brackets(authority: &str) -> Result<(), String> {
    let invalid = || Err("Invalid IPv6 URL".to_owned());
    if !authority.contains(['[', ']']) {
        return Ok(());
    }
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let Some((before, bracketed)) = place.split_once('[') else { return invalid() };
    let Some((host, port)) = bracketed.split_once(']') else { return invalid() };
    if !before.is_empty() || !(port.is_empty() || port.starts_with(':')) || host.contains('[') || port.contains(['[', ']']) {
        return invalid();
    }
    let address = host.split_once('%').map_or(host, |(address, _)| address);
    let future = host.strip_prefix('v').and_then(|rest| rest.split_once('.'));
    let is_future =
        future.is_some_and(|(version, rest)| !version.is_empty() && version.chars().all(|c| c.is_ascii_hexdigit()) && !rest.is_empty());
    if is_future || address.parse::<std::net::Ipv6Addr>().is_ok() { Ok(()) } else { invalid() }
}

/// The host of an authority, lower-cased, without user information and port.
pub(crate) fn host(authority: &str) -> String {
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let host = match place.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next(),
        None => place.split(':').next(),
    };
    host.unwrap_or_default().to_lowercase()
}

/// The one form of a URL that targets are compared by; blank when there is none.
pub(crate) fn normalise(text: &str) -> String {
    let text = text.trim();
    let Ok(mut parts) = split(text) else { return String::new() };
    if text.is_empty() {
        return String::new();
    }
    if parts.scheme.is_empty() {
        match split(&format!("https://{}", text.trim_start_matches('/'))) {
            Ok(with_scheme) => parts = with_scheme,
            Err(_) => return String::new(),
        }
    }
    let mut authority = parts.authority.to_lowercase();
    let usual_port = match &*parts.scheme {
        "http" => ":80",
        "https" => ":443",
        _ => "",
    };
    if !usual_port.is_empty()
        && let Some(shorter) = authority.strip_suffix(usual_port)
    {
        authority = shorter.to_owned();
    }
    // Parameters belong to the last segment and are dropped with the fragment.
    let last = parts.path.rfind('/').map_or(0, |at| at + 1);
    let path = parts.path[last..].find(';').map_or(&*parts.path, |at| &parts.path[..last + at]).trim_end_matches('/');
    let path = if path.is_empty() { "/" } else { path };
    let query = kept_query(&parts.query);
    let scheme = &parts.scheme;
    if query.is_empty() { format!("{scheme}://{authority}{path}") } else { format!("{scheme}://{authority}{path}?{query}") }
}

/// The authority of a normalised URL.
pub(crate) fn domain(normalised: &str) -> String {
    split(normalised).map(|parts| parts.authority.to_lowercase()).unwrap_or_default()
}

const TRACKING: [&str; 6] = ["fbclid", "gclid", "msclkid", "ref", "source", "spm"];

fn kept_query(query: &str) -> String {
    let mut kept = String::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let key = decode_form(key);
        let lowered = key.to_lowercase();
        if TRACKING.contains(&&*lowered) || lowered.starts_with("utm_") {
            continue;
        }
        if !kept.is_empty() {
            kept.push('&');
        }
        encode_form_into(&key, &mut kept);
        kept.push('=');
        encode_form_into(&decode_form(value), &mut kept);
    }
    kept
}

fn decode_form(text: &str) -> String {
    decode_percent(&text.replace('+', " "))
}

/// Resolves `%XX` once; bytes that are not UTF-8 become the replacement character.
pub(crate) fn decode_percent(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Form encoding: spaces become `+`, everything but letters, digits and `_.-~` its `%XX`.
pub(crate) fn encode_form_into(text: &str, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            b'_' | b'.' | b'-' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => {
                out.push('%');
                out.push(char::from(DIGITS[usize::from(byte >> 4)]));
                out.push(char::from(DIGITS[usize::from(byte & 15)]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_form() {
        for (text, form) in [
            ("", ""),
            ("  ", ""),
            ("www.Example.org", "https://www.example.org/"),
            ("//example.org/a", "https://example.org/a"),
            ("HTTP://Example.org:80/a//b//", "http://example.org/a//b"),
            ("https://example.org:443/?UTM_x=1&b=%20c&a&ref=2#f", "https://example.org/?b=+c&a="),
            ("https://example.org/p;v=1?q=\u{e9}", "https://example.org/p?q=%C3%A9"),
            ("https://example.org:8080/a;b/c", "https://example.org:8080/a;b/c"),
            ("https://[::1/x", ""),
        ] {
            assert_eq!(normalise(text), form, "{text}");
            assert_eq!(normalise(&normalise(text)), form, "it stays as it is");
        }
        assert_eq!(domain("https://example.org:8080/a"), "example.org:8080");
    }

    #[test]
    fn brackets_hold_an_address_or_nothing_is_read() {
        for text in ["https://[::1]/", "https://u@[fe80::1%eth0]:8080/", "https://[v1.x]/", "/a[b]", "no url [at all"] {
            assert!(split(text).is_ok(), "{text}");
        }
        for text in ["https://[::1", "https://::1]", "https://a[::1]", "https://[::1]a", "https://[127.0.0.1]", "https://[x]", "//[[::1]]"]
        {
            assert!(split(text).is_err(), "{text}");
        }
    }

    #[test]
    fn hosts_have_no_port_and_no_user() {
        for (authority, said) in [("User:pw@Example.org:1", "example.org"), ("[::1]:80", "::1"), ("127.0.0.1:8000", "127.0.0.1"), ("", "")]
        {
            assert_eq!(host(authority), said);
        }
    }

    #[test]
    fn percent_signs_that_are_no_escape_stay() {
        assert_eq!(decode_percent("100%+%zz%4"), "100%+%zz%4");
        assert_eq!(decode_percent("%C3%a9%ff"), "\u{e9}\u{fffd}");
    }
}
