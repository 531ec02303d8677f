//! What a code refuses, in a sentence, for formats that want each rule described.

use crate::code::Code;
use crate::corpus::faults::{FAULTS, FaultPage};
use crate::landing::rule::Rule;
use crate::landing::rules::RULES;
use crate::page;

/// What `code` refuses: from its page where it has one, else its own words.
pub(super) fn code(code: &str) -> String {
    let known = Code::lookup(code);
    let page = known.and_then(|code| {
        let rule = RULES.iter().find(|rule| rule.code == code).map(Rule::page);
        rule.or_else(|| FAULTS.iter().find(|fault| fault.code == code).map(FaultPage::page))
    });
    let refuses = page.as_deref().and_then(|page| page::section(page, "Refuses"));
    match refuses {
        Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        None => words(code),
    }
}

/// A code in words: lower case, without its family's prefix.
pub(super) fn words(code: &str) -> String {
    let name = code.strip_prefix(crate::code::LANDING_PREFIX).unwrap_or(code);
    name.to_ascii_lowercase().replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_with_and_without_a_page_are_described() {
        assert!(code("WORK_LANDING_HEAD_ADVANCE_MISSING").len() > 40);
        assert_eq!(code("CLAIM_NOT_SHOWN"), "claim not shown");
    }
}
