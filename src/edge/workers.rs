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

/// What happens to a worker, told when it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'e> {
    /// It starts, for the first time or again.
    Starts,
    /// It works, and nothing was told for a while.
    Beats,
    /// It failed.
    Failed(&'e str),
    /// It ended, after so many ticks.
    Ended(u64),
}

/// Who is told what happens to a worker, by its name.
pub type Told<'t> = dyn Fn(&str, Event<'_>) + Sync + 't;

/// How long workers work, and what happens when one fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// How long they work once the last one has started; without it they work until they are interrupted.
    pub duration: Option<Duration>,
    /// The pause between the starts of one worker and the next.
    pub start_delay: Duration,
    /// How long a worker works between two beats.
    pub beat: Duration,
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
            start_delay: Duration::ZERO,
            beat: Duration::from_secs(30),
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
pub fn supervise(workers: Vec<Worker<'_>>, limits: &Limits, interrupted: &AtomicBool, told: &Told<'_>) -> (EndedBy, Vec<WorkerEnd>) {
    let delay_of = |index: usize| limits.start_delay.saturating_mul(u32::try_from(index).unwrap_or(u32::MAX));
    let last = delay_of(workers.len().saturating_sub(1));
    // A duration beyond the clock's own end is no end.
    let deadline = limits.duration.and_then(|duration| Instant::now().checked_add(duration.checked_add(last)?));
    let stop = Stop { interrupted, failed: AtomicBool::new(false), deadline };
    let ends = std::thread::scope(|scope| {
        let stop = &stop;
        let start = workers.into_iter().enumerate().map(|(index, worker)| {
            let name = worker.name.clone();
            (name, scope.spawn(move || keep(&worker, delay_of(index), limits, stop, told)))
        });
        let threads: Vec<_> = start.collect();
        let lost =
            |name| WorkerEnd { name, failures: 1, last_failure: Some("the supervisor itself was lost".to_owned()), ..Default::default() };
        threads.into_iter().map(|(name, thread)| thread.join().unwrap_or_else(|_| lost(name))).collect()
    });
    (stop.due().unwrap_or(EndedBy::Duration), ends)
}

/// Keeps one worker working, once its turn to start has come.
fn keep(worker: &Worker<'_>, delay: Duration, limits: &Limits, stop: &Stop<'_>, told: &Told<'_>) -> WorkerEnd {
    let mut end = WorkerEnd { name: worker.name.clone(), ..Default::default() };
    if !delay.is_zero() {
        stop.pause(delay);
        if stop.due().is_some() {
            return end;
        }
    }
    let mut backoff = limits.backoff;
    loop {
        let ticks = end.ticks;
        told(&worker.name, Event::Starts);
        // What a panic leaves half done is the worker's own: it is dropped, and made anew.
        let worked = catch_unwind(AssertUnwindSafe(|| work(worker, limits, stop, &mut end.ticks, told)));
        let failure = match worked {
            Ok(Ok(())) => {
                told(&worker.name, Event::Ended(end.ticks));
                return end;
            }
            Ok(Err(failure)) => failure,
            Err(panic) => format!("it panicked: {}", said(&*panic)),
        };
        told(&worker.name, Event::Failed(&failure));
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
fn work(worker: &Worker<'_>, limits: &Limits, stop: &Stop<'_>, ticks: &mut u64, told: &Told<'_>) -> Result<(), String> {
    let mut tick = (worker.start)()?;
    let mut beat = Instant::now();
    loop {
        tick()?;
        *ticks += 1;
        if beat.elapsed() >= limits.beat {
            told(&worker.name, Event::Beats);
            beat = Instant::now();
        }
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
        let duration = Some(Duration::from_secs(600));
        Limits { duration, tick, strict, backoff: tick, longest_backoff: tick * 4, ..Limits::default() }
    }

    /// Nobody listens.
    fn untold(_: &str, _: Event<'_>) {}

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
        let (by, ends) = supervise(vec![failing(&starts, 3, &done)], &limits(false), &done, &untold);
        let [end] = &ends[..] else { panic!("one worker") };
        assert_eq!((by, end.failures, end.restarts, end.ticks), (EndedBy::Interrupt, 3, 3, 1));
        assert_eq!(end.last_failure.as_deref(), Some("no ledger"));
    }

    #[test]
    fn the_first_failure_ends_strict_work() {
        let (starts, idle, never) = (AtomicU64::new(1), AtomicU64::new(9), AtomicBool::new(false));
        let began = Instant::now();
        let (by, ends) = supervise(vec![failing(&starts, 9, &never), idler(&idle)], &limits(true), &never, &untold);
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
        let (by, ends) = supervise(vec![idler(&ticks)], &Limits { duration: None, ..limits(true) }, &AtomicBool::new(true), &untold);
        assert_eq!((by, ends[0].ticks), (EndedBy::Interrupt, 1), "it looks once at least");
        let short = Limits { duration: Some(Duration::from_millis(20)), ..limits(true) };
        assert_eq!(supervise(vec![idler(&ticks)], &short, &AtomicBool::new(false), &untold).0, EndedBy::Duration);
    }

    #[test]
    fn workers_start_one_after_the_other_and_what_happens_is_told() {
        let (ticks, done) = (AtomicU64::new(0), AtomicBool::new(false));
        let seen = std::sync::Mutex::new(Vec::new());
        let told = |name: &str, event: Event<'_>| {
            let mut seen = seen.lock().expect("no holder panicked");
            // The second begins when the first has beaten, and ends it all.
            done.store(name == "second" || done.load(Ordering::SeqCst), Ordering::SeqCst);
            seen.push(format!("{name} {event:?}"));
        };
        let named = |name: &str| Worker { name: name.to_owned(), ..idler(&ticks) };
        let beat = Duration::from_millis(1);
        let limits = Limits { start_delay: Duration::from_millis(400), beat, ..limits(true) };
        let (by, ends) = supervise(vec![named("first"), named("second"), named("never")], &limits, &done, &told);
        let seen = seen.into_inner().expect("no holder panicked");
        assert_eq!((by, seen[0].as_str(), seen[1].as_str()), (EndedBy::Interrupt, "first Starts", "first Beats"), "{seen:?}");
        assert!(seen.contains(&"second Ended(1)".to_owned()) && !seen.iter().any(|told| told.starts_with("never")), "{seen:?}");
        assert_eq!(ends[2], WorkerEnd { name: "never".to_owned(), ..WorkerEnd::default() });
    }
}
