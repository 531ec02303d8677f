//! The binary from end to end: arguments, streams, files and exit codes, as a shell sees them.

#[path = "commands/action.rs"]
mod action;
#[path = "commands/card.rs"]
mod card;
#[path = "commands/check.rs"]
mod check;
#[path = "commands/check_corpus.rs"]
mod check_corpus;
#[path = "commands/check_loop.rs"]
mod check_loop;
#[path = "commands/explain.rs"]
mod explain;
#[path = "commands/folders.rs"]
mod folders;
#[path = "commands/hostile.rs"]
mod hostile;
#[path = "commands/init.rs"]
mod init;
#[path = "commands/landfall.rs"]
mod landfall_binary;
#[path = "commands/loop_cases.rs"]
mod loop_cases;
#[path = "commands/merge_records.rs"]
mod merge_records;
#[path = "commands/out.rs"]
mod out;
#[path = "commands/process.rs"]
mod process;
#[path = "commands/replay.rs"]
mod replay;
#[path = "commands/report.rs"]
mod report;
#[path = "commands/swapped.rs"]
mod swapped;
#[path = "commands/terminal.rs"]
mod terminal;
