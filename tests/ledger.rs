//! The ledger: its rule, its file between many processes and in hostile hands, and its commands.

#[path = "ledger/commands.rs"]
mod commands;
#[path = "ledger/hostile.rs"]
mod hostile;
#[path = "ledger/killed.rs"]
mod killed;
#[path = "commands/landfall.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod landfall_binary;
#[path = "commands/process.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod process;
#[path = "ledger/rule.rs"]
mod rule;
#[cfg(feature = "postgres")]
#[path = "ledger/server.rs"]
mod server;
#[path = "ledger/suite.rs"]
mod suite;
