//! Waiting in real time.

use crate::experience::waiting::Waiting;
use std::time::{Duration, Instant};

/// The process's steady clock.
#[derive(Debug, Clone, Copy)]
pub struct RealTime(Instant);

impl RealTime {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Waiting for RealTime {
    fn elapsed(&mut self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    fn sleep(&mut self, seconds: f64) {
        // What is no duration (negative, not a number, beyond all years) is none to wait for.
        if let Ok(pause) = Duration::try_from_secs_f64(seconds) {
            std::thread::sleep(pause);
        }
    }
}
