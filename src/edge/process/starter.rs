//! The real starter.

use super::{folder, run};
use crate::execution::start::{Ended, Refusal, Start, StartError, Starter};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Starts one program at a time in this process, so that what is left of it can be told from anything else.
#[derive(Debug, Clone, Copy, Default)]
pub struct GuardedStarter;

/// Holds for the whole process: a second starter waits.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

impl Starter for GuardedStarter {
    fn folder(&mut self, configured: &Path) -> Result<PathBuf, Refusal> {
        folder::validated(configured)
    }

    fn start(&mut self, start: &Start) -> Result<Ended, StartError> {
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        // A look as late as can be: the folder may have been replaced since it was found fit.
        if folder::validated(start.folder())? != start.folder() {
            return Err(Refusal::CwdNotAllowed.into());
        }
        if !start.program().is_file() {
            return Err(Refusal::ProgramNotAllowed.into());
        }
        // A thread of its own, because some of what a child inherits belongs to the thread that starts it, and is
        // never given back: no new privileges. And the child is told to die with this thread, so it stays till the end.
        thread::scope(|scope| {
            let guarded = thread::Builder::new().name("guarded start".to_owned()).spawn_scoped(scope, || run::run(start));
            let guarded = guarded.map_err(|error| StartError::NotStarted(error.to_string()))?;
            guarded.join().unwrap_or_else(|_| Err(StartError::Lost("the thread that watched it ended".to_owned())))
        })
    }
}
