//! Reports: what a replay or an audit found, in the forms that other programs and people read.
//!
//! [`Report`] is one typed value, made from the records of a replay ([`stored`]) or from the answer of an
//! audit ([`answer`]). Each format is a pure function from it to text, in a file of its own. No clock, no host
//! path, no text of an input that was not made showable ([`Shown`]): equal records give equal bytes.
//!
//! Left out on purpose: reading files (the command does), judging again, and colour.

pub mod answer;
mod describe;
pub mod github;
pub mod html;
pub mod in_toto;
pub mod json;
pub mod junit;
mod model;
pub mod prov;
mod replay;
pub mod sarif;
mod shown;
pub mod stored;
pub mod summary;
pub mod text;
mod uri;

pub use model::{Input, Item, ItemKind, Outcome, Part, PartKind, Place, RecordFile, Remark, Report, Tally, Verdict};
pub use shown::{Mapping, MappingError, Shown};
