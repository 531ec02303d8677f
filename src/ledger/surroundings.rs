//! What a writer needs from the world: the clock and a source of random ids, handed in as a value.

/// The clock and the generator. The edge has the real ones; fixtures fix them.
pub trait Surroundings {
    /// Now, in seconds since 1970.
    fn now(&mut self) -> f64;

    /// Sixteen random bytes, the stuff of ids.
    fn random(&mut self) -> [u8; 16];
}

/// A random id of 32 hex digits.
pub fn random_hex(around: &mut dyn Surroundings) -> String {
    around.random().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A random UUID, version 4.
pub fn random_gid(around: &mut dyn Surroundings) -> String {
    uuid::Builder::from_random_bytes(around.random()).into_uuid().to_string()
}

/// Surroundings that say the same in every run: a clock of even steps, ids that count.
#[derive(Debug, Clone)]
pub struct Scripted {
    now: f64,
    step: f64,
    count: u128,
}

impl Scripted {
    /// A clock that begins at `start` and goes on by `step` seconds each time it is read.
    pub fn new(start: f64, step: f64) -> Self {
        Self { now: start, step, count: 0 }
    }
}

impl Surroundings for Scripted {
    fn now(&mut self) -> f64 {
        let now = self.now;
        self.now += self.step;
        now
    }

    fn random(&mut self) -> [u8; 16] {
        self.count += 1;
        self.count.to_be_bytes()
    }
}
