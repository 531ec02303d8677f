//! One start of one program: what is asked, what is refused, what came of it.
//!
//! All of it is values. Leaves out who may ask (the runners) and how a process is made (the edge).
//!
//! A runner goes in this order, and each step but the last two may refuse while nothing has happened yet:
//!
//! 1. [`Starter::folder`] says whether the configured root is fit, and its real path;
//! 2. [`crate::execution::harness::Program::start`] builds the [`Start`], or names all refusals;
//! 3. the audit entry before, with [`Start::argv_digest`], is appended;
//! 4. [`Starter::start`] returns an [`Ended`], or a [`StartError`] that says whether anything ran;
//! 5. the audit entry after and the result, which keeps [`Start::recorded_argv`] and both sides of [`Confinement`].

mod build;
mod capture;
mod confinement;
mod ended;
mod environment;
mod first_line;
mod refusal;
mod starter;

pub use build::{Asked, BYTE_CAP, Host, Start};
pub use capture::{Capture, Captured, TAIL_CHARACTERS};
pub use confinement::{Confinement, Enforced, Files, Network, REPORT_PREFIX, Requested, Strength};
pub use ended::{Ended, TIMED_OUT};
pub use environment::{ALLOWED_KEYS, allowed, is_secret_key};
pub use first_line::FirstLine;
pub use refusal::Refusal;
pub use starter::{StartError, Starter};
