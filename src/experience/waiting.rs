//! Waiting, handed in as a value: a check that polls sleeps through this, and a test does not sleep.

/// A clock that only goes forward, and a way to let time pass.
pub trait Waiting {
    /// Seconds since some fixed moment.
    fn elapsed(&mut self) -> f64;

    /// Lets about this many seconds pass.
    fn sleep(&mut self, seconds: f64);
}

/// Waiting that takes no time: the clock goes on by what is slept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scripted {
    /// Seconds that were slept, in order.
    pub slept: Vec<f64>,
}

impl Waiting for Scripted {
    fn elapsed(&mut self) -> f64 {
        self.slept.iter().sum()
    }

    fn sleep(&mut self, seconds: f64) {
        self.slept.push(seconds);
    }
}
