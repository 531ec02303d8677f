//! The strict reader: the one way in for JSON text, and the one way out.
//!
//! Every input file, row and record passes through [`read`] before anything interprets it. The
//! reader refuses what lenient parsers let by (equal keys, lone surrogates, `NaN`, numbers no
//! double can hold) and reports a located [`Fault`]. It works on borrowed text and hands events
//! to a [`Sink`], so a row of a large table never becomes a tree unless somebody asks for one.
//!
//! Left out on purpose: lenient modes, comments, recovery. A text is whole or it is refused.

mod canonical;
mod depth;
mod fault;
mod keys;
mod layout;
mod number;
mod read;
mod sink;
mod string;
mod tape;
mod value;

pub use canonical::{digest_of, to_canonical_text, to_line};
pub use fault::{Fault, FaultKind, Place};
pub use number::Number;
pub use read::{DEPTH_LIMIT, Reader, Stop, read};
pub use sink::{Nothing, Sink};
pub use string::Text;
pub use tape::{Elements, Members, NODE_LIMIT, Record, Shape, Tape};
pub use value::{Parser, Tree, Value, parse};

#[cfg(feature = "cli")]
pub(crate) use canonical::ordered_to_line;
pub(crate) use canonical::{digest_text, hex, to_spaced_line};
pub(crate) use depth::{DepthScan, too_deep_at};
pub(crate) use read::{ended_early, outranked, skip_space};
pub(crate) use string::unescape_into;
