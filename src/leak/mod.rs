//! What must never reach a record: private paths, bodies under a key, credentials.
//!
//! [`Leaks`] is what one walk over a value found; the rules `private_path_leakage` and
//! `secret_material` turn it into findings, the scan into hits. Neither ever carries the matched
//! text, only its kind and the place. Exact shapes cost time, so rows of a large table pass the
//! [`screen`] first and are walked only when it suspects them.

pub mod body_key;
pub mod credential;
pub mod private_path;
pub mod screen;
mod walk;

pub use credential::{Term, TermSet};
pub use walk::{LeakWalk, Leaks, Marked, leaks_of};

/// Whether `text` holds a private path or a credential, so that no output may show it.
pub fn leaks(text: &str) -> bool {
    let suspicion = screen::suspects_decoded(text);
    (suspicion.of_path() && private_path::found_in(text))
        || (suspicion.of_credential() && !credential::terms_in_suspect(text.as_bytes()).is_empty())
}
