//! The experience loop: directive, result, evidence, memory; scenarios and their dry-run replay
//! (loop governance, sections 4 and 5). Every writer here is a function of its arguments, a ledger
//! and its [surroundings](crate::ledger::Surroundings); nothing starts a process.
