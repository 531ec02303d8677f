//! The slow reference: what the texts ask of a command and of a record, evaluated as naively as they are written.
//!
//! It shares nothing with the contract engine but the tree that the strict reader gives and the text of a compound
//! value, about which the texts say only that it is not blank. Conditions are expressions that are read at run time
//! ([`expression`]), from transcripts of the texts themselves ([`transcript`]): `execution.txt` is the table of contracts
//! of loop execution, `governance.txt` the prose of loop governance, `acceptance.txt` what a record must be where no
//! reason is named. So it disagrees with a contract file that says something else than the text, and with an engine
//! that evaluates a right contract wrongly.

pub mod command;
mod evaluate;
mod expression;
pub mod record;
pub mod transcript;
mod value;
