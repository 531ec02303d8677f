//! Commit ids as rows record them, and whether two of them show movement (spec 3.1).

/// A recorded commit id: hex digits, with an optional `sha1:` or `sha256:` in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommitId<'a> {
    digits: &'a str,
}

impl<'a> CommitId<'a> {
    /// Reads an id; `None` when `text` is no id Git could have printed.
    ///
    /// Without a prefix 6 to 40 or exactly 64 digits, with one 6 to 64; any case; nothing around it.
    pub fn parse(text: &'a str) -> Option<Self> {
        let prefixed = ["sha1:", "sha256:"].into_iter().filter(|_| text.starts_with(['s', 'S'])).find_map(|prefix| {
            let (head, digits) = text.split_at_checked(prefix.len())?;
            head.eq_ignore_ascii_case(prefix).then_some(digits)
        });
        let digits = prefixed.unwrap_or(text);
        let length = digits.len();
        let plausible = (6..=40).contains(&length) || length == 64 || (prefixed.is_some() && (6..=64).contains(&length));
        // Looking at every digit, without an end at the first wrong one, is done sixteen at a time.
        (plausible && digits.bytes().fold(true, |hex, byte| hex & byte.is_ascii_hexdigit())).then_some(Self { digits })
    }

    /// Whether all digits are zero: no commit, or an unborn branch.
    pub fn is_null(self) -> bool {
        self.digits.bytes().all(|byte| byte == b'0')
    }

    /// Whether both name the same commit: equal in lower case, or one an abbreviation of the other.
    pub fn same_commit(self, other: Self) -> bool {
        let shorter = self.digits.len().min(other.digits.len());
        self.digits.as_bytes()[..shorter].eq_ignore_ascii_case(&other.digits.as_bytes()[..shorter])
    }

    /// Whether a ref that was here and is at `after` now has moved to a commit.
    pub fn moved_to(self, after: Self) -> bool {
        !after.is_null() && !self.same_commit(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(before: &str, after: &str) -> Option<bool> {
        Some(CommitId::parse(before)?.moved_to(CommitId::parse(after)?))
    }

    #[test]
    fn ids_are_hex_of_a_plausible_length() {
        for good in ["abc123", &"a".repeat(40), &"F".repeat(64), "sha1:abcdef", "SHA256:ABCDEF", &format!("sha1:{}", "a".repeat(50))] {
            assert!(CommitId::parse(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "abc12",
            &"a".repeat(41),
            &"a".repeat(50),
            &"a".repeat(65),
            "sha1:abcde",
            "sha512:abcdef",
            " abcdef",
            "abcdef\n",
            "HEAD~1",
            "sha1:",
        ] {
            assert!(CommitId::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn movement_needs_two_different_commits() {
        assert_eq!(moved("abcdef", "abcde0"), Some(true));
        assert_eq!(moved("abcdef12", "ABCDEF"), Some(false));
        assert_eq!(moved("abcdef", "sha1:abcdef0123"), Some(false));
        assert_eq!(moved("abcdef", "000000"), Some(false));
        assert_eq!(moved("000000", "abcdef"), Some(true), "an unborn branch is fine");
        assert_eq!(moved("0000000000", "000000"), Some(false));
    }
}
