//! The real clock and generator.

use crate::ledger::Surroundings;

/// The process's clock, and random bytes of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Real;

impl Surroundings for Real {
    fn now(&mut self) -> f64 {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
    }

    fn random(&mut self) -> [u8; 16] {
        *uuid::Uuid::new_v4().as_bytes()
    }
}
