//! A rule: one code, one page, one pure function for each kind of subject it judges.

use super::manifest::{Manifest, Module};
use super::policy::{Lane, Policy};
use super::protocol::Protocol;
use super::row::RunRow;
use crate::code::Code;
use crate::corpus::coverage::{CaseSeen, CoverageSeen};
use crate::finding::Refusal;
use crate::json::FaultKind;

/// One rule of the landing family. Its page is the doc comment at the top of its file.
#[derive(Debug)]
pub struct Rule {
    /// The code it refuses with.
    pub code: Code,
    /// The text of its file, for the page.
    pub source: &'static str,
    /// Codes that every input refused with this code is refused with too, by construction.
    pub always_with: &'static [Code],
    /// What it judges, and how.
    pub checks: &'static [Check],
}

/// A pure function over one kind of subject. A subject gets each code at most once.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// A fault of reading a JSON text.
    Text(fn(&FaultKind) -> bool),
    /// A required input file: what stands in its place, if it is not a regular file.
    Input(fn(InputState) -> Option<Refusal>),
    /// A run row that is an object.
    Row(fn(&RunRow<'_>) -> Option<Refusal>),
    /// An element of the run table, object or not.
    Element(fn(&RunRow<'_>) -> Option<Refusal>),
    /// A row among the others: whether an earlier one has its id.
    Repeat(fn(bool) -> Option<Refusal>),
    /// The run table as a whole.
    Table(fn(TableShape) -> Option<Refusal>),
    /// The landing policy.
    Policy(fn(&Policy<'_>) -> Option<Refusal>),
    /// A lane that is an object, with the case its findings belong to.
    Lane(&'static str, fn(&Lane<'_>) -> Option<Refusal>),
    /// An element of the lane table, object or not.
    LaneElement(fn(&Lane<'_>) -> Option<Refusal>),
    /// The projection protocol.
    Protocol(fn(&Protocol<'_>) -> Option<Refusal>),
    /// The manifest of a bundle: whether there is such a file.
    ManifestFile(fn(bool) -> Option<Refusal>),
    /// The manifest's own fields.
    Manifest(fn(&Manifest<'_>) -> Option<Refusal>),
    /// A module row that is an object.
    Module(fn(&Module<'_>) -> Option<Refusal>),
    /// An element of `modules`, object or not.
    ModuleElement(fn(&Module<'_>) -> Option<Refusal>),
    /// One of the nine negative cases, as it was found and judged.
    Case(fn(&CaseSeen<'_>) -> Option<Refusal>),
    /// The coverage record that `check-corpus` is given.
    Coverage(fn(&CoverageSeen) -> Option<Refusal>),
    /// A file among the copied bodies; whether a module row names it.
    BodyFile(fn(bool) -> Option<Refusal>),
}

/// What stands where an input file should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputState {
    /// A regular file.
    File,
    /// Nothing.
    Absent,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A FIFO, socket or device.
    Special,
    /// A file that cannot be read.
    Unreadable,
}

/// The shape of a run table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableShape {
    /// The top level is no object.
    NotObject,
    /// The key is absent.
    KeyAbsent,
    /// The key holds something other than a list.
    NotList,
    /// A list, with this many elements.
    Rows(u64),
}

impl Rule {
    /// The rule's page: the doc comment at the top of its file, as Markdown.
    pub fn page(&self) -> String {
        crate::page::of_source(self.source)
    }
}
