//! Supervised workers: threads that do their work tick by tick, and are started again when they fail.

use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// One tick of a worker's work.
pub type Tick<'w> = Box<dyn FnMut() -> Result<(), String> + 'w>;

/// A worker: a name, and how to start it anew.
pub struct Worker<'w> {
    /// Its name.
    pub name: String,
    /// Starts it, in its thread.
    pub start: Box<dyn Fn() -> Result<Tick<'w>, String> + Send + 'w>,
}

impl std::fmt::Debug for Worker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Worker").field(&self.name).finish()
    }
}

/// How long workers work, and what happens when one fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The end; without it they work until they are interrupted.
    pub duration: Option<Duration>,
    /// The pause between two ticks.
    pub tick: Duration,
    /// Whether the first failure ends it all.
    pub strict: bool,
    /// The pause before a failed worker starts again; it doubles with each failure in a row.
    pub backoff: Duration,
    /// The longest such pause.
    pub longest_backoff: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            duration: Some(Duration::from_secs(120)),
            tick: Duration::from_millis(200),
            strict: true,
            backoff: Duration::from_millis(100),
            longest_backoff: Duration::from_secs(5),
        }
    }
}

/// Why the work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedBy {
    /// The time was over.
    Duration,
    /// Somebody interrupted it.
    Interrupt,
    /// A worker failed, and the limits are strict.
    Failure,
}

/// What became of one worker.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct WorkerEnd {
    /// Its name.
    pub name: String,
    /// Ticks that went well.
    pub ticks: u64,
    /// Ticks and starts that failed.
    pub failures: u64,
    /// How often it was started again.
    pub restarts: u64,
    /// What the last failure was.
    pub last_failure: Option<String>,
}

/// When to stop: every worker asks the same.
struct Stop<'s> {
    interrupted: &'s AtomicBool,
    failed: AtomicBool,
    deadline: Option<Instant>,
}

impl Stop<'_> {
    fn due(&self) -> Option<EndedBy> {
        if self.failed.load(Ordering::SeqCst) {
            Some(EndedBy::Failure)
        } else if self.interrupted.load(Ordering::SeqCst) {
            Some(EndedBy::Interrupt)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(EndedBy::Duration)
        } else {
            None
        }
    }

    /// Lets time pass, and notices within a moment that it is time to stop.
    fn pause(&self, length: Duration) {
        const MOMENT: Duration = Duration::from_millis(25);
        let until = Instant::now() + length;
        while self.due().is_none() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(MOMENT));
        }
    }
}

/// Runs workers until the duration is over, `interrupted` is raised, or one fails under strict limits.
pub fn supervise(workers: Vec<Worker<'_>>, limits: &Limits, interrupted: &AtomicBool) -> (EndedBy, Vec<WorkerEnd>) {
    // A duration beyond the clock's own end is no end.
    let deadline = limits.duration.and_then(|duration| Instant::now().checked_add(duration));
    let stop = Stop { interrupted, failed: AtomicBool::new(false), deadline };
    let ends = std::thread::scope(|scope| {
        let stop = &stop;
        let threads: Vec<_> =
            workers.into_iter().map(|worker| (worker.name.clone(), scope.spawn(move || keep(&worker, limits, stop)))).collect();
        let lost =
            |name| WorkerEnd { name, failures: 1, last_failure: Some("the supervisor itself was lost".to_owned()), ..Default::default() };
        threads.into_iter().map(|(name, thread)| thread.join().unwrap_or_else(|_| lost(name))).collect()
    });
    (stop.due().unwrap_or(EndedBy::Duration), ends)
}

/// Keeps one worker working.
fn keep(worker: &Worker<'_>, limits: &Limits, stop: &Stop<'_>) -> WorkerEnd {
    let mut end = WorkerEnd { name: worker.name.clone(), ..Default::default() };
    let mut backoff = limits.backoff;
    loop {
        let ticks = end.ticks;
        // What a panic leaves half done is the worker's own: it is dropped, and made anew.
        let worked = catch_unwind(AssertUnwindSafe(|| work(worker, limits, stop, &mut end.ticks)));
        let failure = match worked {
            Ok(Ok(())) => return end,
            Ok(Err(failure)) => failure,
            Err(panic) => format!("it panicked: {}", said(&*panic)),
        };
        end.failures += 1;
        end.last_failure = Some(failure);
        if limits.strict {
            stop.failed.store(true, Ordering::SeqCst);
            return end;
        }
        if end.ticks > ticks {
            backoff = limits.backoff;
        }
        stop.pause(backoff);
        backoff = backoff.saturating_mul(2).min(limits.longest_backoff);
        if stop.due().is_some() {
            return end;
        }
        end.restarts += 1;
    }
}

/// Starts a worker and ticks until it is time to stop; at least once.
fn work(worker: &Worker<'_>, limits: &Limits, stop: &Stop<'_>, ticks: &mut u64) -> Result<(), String> {
    let mut tick = (worker.start)()?;
    loop {
        tick()?;
        *ticks += 1;
        stop.pause(limits.tick);
        if stop.due().is_some() {
            return Ok(());
        }
    }
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned()).or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "without a word".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    /// Nothing here takes long; on a busy machine everything does.
    fn limits(strict: bool) -> Limits {
        let tick = Duration::from_millis(1);
        Limits { duration: Some(Duration::from_secs(600)), tick, strict, backoff: tick, longest_backoff: tick * 4 }
    }

    /// A worker that fails at every start but from the `good`th on, by error and by panic in turn; once it
    /// works it interrupts all.
    fn failing<'w>(starts: &'w AtomicU64, good: u64, done: &'w AtomicBool) -> Worker<'w> {
        Worker {
            name: "w".to_owned(),
            start: Box::new(move || {
                let start = starts.fetch_add(1, Ordering::SeqCst);
                Ok(Box::new(move || match start {
                    start if start >= good => {
                        done.store(true, Ordering::SeqCst);
                        Ok(())
                    }
                    start if start % 2 == 0 => Err("no ledger".to_owned()),
                    _ => panic!("a test's own panic"),
                }))
            }),
        }
    }

    #[test]
    fn a_failed_worker_is_started_again_and_counted() {
        let (starts, done) = (AtomicU64::new(0), AtomicBool::new(false));
        let (by, ends) = supervise(vec![failing(&starts, 3, &done)], &limits(false), &done);
        let [end] = &ends[..] else { panic!("one worker") };
        assert_eq!((by, end.failures, end.restarts, end.ticks), (EndedBy::Interrupt, 3, 3, 1));
        assert_eq!(end.last_failure.as_deref(), Some("no ledger"));
    }

    #[test]
    fn the_first_failure_ends_strict_work() {
        let (starts, idle, never) = (AtomicU64::new(1), AtomicU64::new(9), AtomicBool::new(false));
        let began = Instant::now();
        let (by, ends) = supervise(vec![failing(&starts, 9, &never), idler(&idle)], &limits(true), &never);
        assert_eq!((by, ends[0].failures, ends[1].failures), (EndedBy::Failure, 1, 0));
        assert!(ends[0].last_failure.as_deref().is_some_and(|said| said.contains("a test's own panic")));
        assert!(began.elapsed() < Duration::from_secs(300), "the other one stopped too");
    }

    fn idler(ticks: &AtomicU64) -> Worker<'_> {
        let tick = move || {
            ticks.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        Worker { name: "idle".to_owned(), start: Box::new(move || Ok(Box::new(tick))) }
    }

    #[test]
    fn an_interrupt_or_the_duration_ends_work() {
        let ticks = AtomicU64::new(0);
        let (by, ends) = supervise(vec![idler(&ticks)], &Limits { duration: None, ..limits(true) }, &AtomicBool::new(true));
        assert_eq!((by, ends[0].ticks), (EndedBy::Interrupt, 1), "it looks once at least");
        let short = Limits { duration: Some(Duration::from_millis(20)), ..limits(true) };
        assert_eq!(supervise(vec![idler(&ticks)], &short, &AtomicBool::new(false)).0, EndedBy::Duration);
    }
}
