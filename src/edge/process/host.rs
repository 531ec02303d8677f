//! What the process itself contributes to a start.

use crate::execution::start::Host;
use std::io;

/// The running executable, by the path that the system has for it, and the environment. Keys and values that are no
/// text are left out: none of them could pass.
///
/// # Errors
/// The system does not tell the path.
pub fn host() -> io::Result<Host> {
    let program = std::env::current_exe()?;
    let environment = std::env::vars_os().filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)));
    Ok(Host { program, environment: environment.collect() })
}
