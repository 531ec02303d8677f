//! The one guarded start of a process, tried with programs that misbehave: what it refuses, and that nothing ran then;
//! what reaches a child; that it ends in time, and that nothing of it is left.
//!
//! Each refusal is told by a tripwire, a program that leaves a mark when it runs, and has a positive control: the same
//! start, made well, leaves the mark once. Elsewhere than on Linux processes cannot be seen as these tests see them.
#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_methods, reason = "these tests are about processes and the disk")]
#![expect(clippy::disallowed_macros, reason = "a test that is started as a child says what it could do")]

#[path = "guarded_process/confined.rs"]
mod confined;
#[path = "guarded_process/environment.rs"]
mod environment;
#[path = "guarded_process/folder.rs"]
mod folder;
#[path = "guarded_process/output.rs"]
mod output;
#[path = "guarded_process/programs.rs"]
mod programs;
#[path = "guarded_process/scene.rs"]
mod scene;
#[path = "guarded_process/source.rs"]
mod source;
#[path = "guarded_process/time.rs"]
mod time;
#[path = "guarded_process/words.rs"]
mod words;
