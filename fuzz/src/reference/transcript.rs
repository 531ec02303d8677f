//! The transcripts, read: sections, one a record type, of reasons and the conditions under which each is given.

use super::expression::{Expression, read};
use std::sync::LazyLock;

/// The transcripts, and whether each has all reasons or only what an accepted record must be.
const TEXTS: [(&str, bool); 3] =
    [(include_str!("execution.txt"), true), (include_str!("governance.txt"), true), (include_str!("acceptance.txt"), false)];

/// What the texts say of a record type.
#[derive(Debug)]
pub struct Section {
    /// The type.
    pub record_type: String,
    /// What must hold for the section to be about a record of the type.
    pub(super) guard: Option<Expression>,
    /// The severity of a record that has a reason against it.
    pub severity: String,
    /// Whether the reasons are named; else a record is only accepted or not.
    pub named: bool,
    /// Whether the reasons are sorted, each once.
    pub sorted: bool,
    /// The reasons.
    pub rows: Vec<Row>,
}

/// A reason, and when it is given.
#[derive(Debug)]
pub struct Row {
    /// The reason; `<field>` in it is what a field says.
    pub reason: String,
    /// The condition as it is written.
    pub text: String,
    pub(super) when: Expression,
    pub(super) of: Of,
}

/// What a condition is asked of.
#[derive(Debug, PartialEq)]
pub(super) enum Of {
    /// The record.
    Record,
    /// The record; the reason is no fault of it.
    RecordStructured,
    /// Each object of a list.
    Each(String),
    /// Each item of a list that is no object; the condition is about the record.
    EachOther(String),
}

/// All sections.
///
/// # Panics
/// When a transcript does not read, which a test rules out.
pub fn sections() -> &'static [Section] {
    static SECTIONS: LazyLock<Vec<Section>> =
        LazyLock::new(|| TEXTS.iter().enumerate().flat_map(|(place, (text, named))| section(text, *named, place == 0)).collect());
    &SECTIONS
}

fn section(text: &str, named: bool, sorted: bool) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let expression = |text: &str, given: &[(&str, &str)]| read(text, given).unwrap_or_else(|why| panic!("the transcript reads: {why}"));
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((record_type, rest)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) {
            let (severity, guard) =
                rest.split_once(" when ").map_or((rest, None), |(severity, guard)| (severity, Some(expression(guard, &[]))));
            let (record_type, severity) = (record_type.to_owned(), severity.to_owned());
            sections.push(Section { record_type, guard, severity, named, sorted, rows: Vec::new() });
            continue;
        }
        let (reason, when) = line.split_once(" := ").unwrap_or_else(|| panic!("the transcript has a line of another shape: {line}"));
        let (when, tail) = when.split_once(" ; ").unwrap_or((when, "sentence"));
        let rows = &mut sections.last_mut().expect("a section begins before its reasons").rows;
        let mut row = |reason: String, given: &[(&str, &str)], of: Of| {
            rows.push(Row { reason, text: when.to_owned(), when: expression(when, given), of })
        };
        match tail.split_once(' ').map_or((tail, ""), |(word, rest)| (word, rest)) {
            ("sentence", _) => row(reason.to_owned(), &[], Of::Record),
            ("structured", _) => row(reason.to_owned(), &[], Of::RecordStructured),
            ("each", list) => row(reason.to_owned(), &[], Of::Each(list.to_owned())),
            ("each_other", list) => row(reason.to_owned(), &[], Of::EachOther(list.to_owned())),
            ("for", named) => {
                for named in named.trim_start_matches("f in ").trim_start_matches("f, value in ").split(' ') {
                    let (f, value) = named.split_once('=').unwrap_or((named, ""));
                    row(reason.replace("<f>", f).replace("<value>", value), &[("f", f), ("value", value)], Of::Record);
                }
            }
            other => panic!("the transcript has a tail of another shape: {other:?}"),
        }
    }
    sections
}
