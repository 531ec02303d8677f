//! Ctrl-C and SIGTERM as a flag that somebody looks at.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that Ctrl-C or SIGTERM raises. The second one of a kind ends the process at once.
///
/// # Errors
/// The system took no handler.
pub fn flag() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for (signal, code) in [(signal_hook::consts::SIGINT, 130), (signal_hook::consts::SIGTERM, 143)] {
        // In this order: the first signal finds the flag still down, the second finds it up.
        signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(&flag))?;
        signal_hook::flag::register(signal, Arc::clone(&flag))?;
    }
    Ok(flag)
}
