//! Timeout profiles: how long a replay check waits for an execution, and how often it looks.

/// The least pause between two looks, in seconds.
pub const LEAST_PAUSE: f64 = 0.05;

/// How long to wait and how often to look, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timeout {
    /// The wait, at most.
    pub wait_seconds: f64,
    /// The pause between two looks.
    pub poll_interval: f64,
}

/// A named timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeoutProfile {
    /// Three seconds: for a check of one's own.
    Fast,
    /// Fifteen seconds; a safe retry profile.
    Standard,
    /// A minute; a safe retry profile.
    Patient,
}

impl TimeoutProfile {
    /// Its numbers.
    pub fn timeout(self) -> Timeout {
        let (wait_seconds, poll_interval) = match self {
            Self::Fast => (3.0, 0.2),
            Self::Standard => (15.0, 0.5),
            Self::Patient => (60.0, 1.0),
        };
        Timeout { wait_seconds, poll_interval }
    }
}

/// The timeout of a profile, or without one ten seconds; numbers that are given win over both.
pub fn timeout(profile: Option<TimeoutProfile>, wait_seconds: Option<f64>, poll_interval: Option<f64>) -> Timeout {
    let base = profile.map_or(Timeout { wait_seconds: 10.0, poll_interval: 0.5 }, TimeoutProfile::timeout);
    Timeout { wait_seconds: wait_seconds.unwrap_or(base.wait_seconds), poll_interval: poll_interval.unwrap_or(base.poll_interval) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_given_wins() {
        let of = |profile, wait, poll| {
            let timeout = timeout(profile, wait, poll);
            (timeout.wait_seconds, timeout.poll_interval)
        };
        assert_eq!(of(None, None, None), (10.0, 0.5));
        assert_eq!(of(Some(TimeoutProfile::Fast), None, None), (3.0, 0.2));
        assert_eq!(of(Some(TimeoutProfile::Standard), None, None), (15.0, 0.5));
        assert_eq!(of(Some(TimeoutProfile::Patient), Some(1.5), None), (1.5, 1.0));
        assert_eq!(of(Some(TimeoutProfile::Patient), None, Some(0.1)), (60.0, 0.1));
    }
}
