//! One start of one program: what is asked, what is refused, what came of it.
//!
//! All of it is values. Leaves out who may ask (the runners) and how a process is made (the edge).

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
