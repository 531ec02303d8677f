//! One pass over a ledger for everything that watches a trail: inspector, heartbeat, brief.

use super::execution_metrics::ExecutionMetrics;
use super::inspect::{Inspector, TrailSummary};
use super::interner::Interner;
use super::metrics::Heartbeat;
use super::scan::{Scanned, scanned_types};
use super::soundness::Soundness;
use super::soundness_node::Seen;
use super::terms::RENDERED;
use super::words::Words;
use crate::contract::check::RecordVerdict;
use crate::contract::fields::Indexed;
use crate::contract::table::{Contract, Family};
use crate::contract::trail::Filters;
use crate::json::{Parser, Value};
use crate::ledger::{Ledger, LedgerError, Select};
use crate::stream::spread::{Tools, each_stretch};
use std::hash::RandomState;

/// Gathers records, in state order.
#[derive(Debug)]
pub struct Watch<'f> {
    filters: Filters<'f>,
    inspector: Inspector<'f>,
    heartbeat: Heartbeat,
    unreadable: u64,
    /// What reads stretches of texts, kept from one batch to the next for what was learned of them.
    readers: Tools<StretchReader>,
}

/// What a watch saw.
#[derive(Debug, Clone)]
pub struct Watched {
    /// The trail.
    pub summary: TrailSummary,
    /// Whether it holds together.
    pub soundness: Soundness,
    /// The Security metrics of the filtered records.
    pub heartbeat: Heartbeat,
    /// Entries that were passed over since they do not read: nobody knows whose they are.
    pub unreadable: u64,
}

impl<'f> Watch<'f> {
    /// A watch over the records that the filters pick.
    pub fn new(filters: Filters<'f>) -> Self {
        Self {
            inspector: Inspector::new(filters),
            filters,
            heartbeat: Heartbeat { execution: ExecutionMetrics::with_ids(), ..Heartbeat::default() },
            unreadable: 0,
            readers: Tools::default(),
        }
    }

    /// Takes a record in.
    pub fn add(&mut self, record: &Value<'_>) {
        if let Some(scanned) = Scanned::of(record) {
            let picked = self.filters.match_record(&scanned.fields);
            self.inspector.chain().add(&scanned, picked);
            if picked {
                self.inspector.count(scanned.contract, &Words::of(&scanned.fields), 1);
                self.heartbeat.count(&scanned);
            }
        }
    }

    /// Takes in records by their texts, in order. They are read and checked on every core.
    pub fn add_texts<T: AsRef<str> + Sync>(&mut self, texts: &[T]) {
        let (filters, chain) = (self.filters, self.inspector.chain());
        let (seed, none) = (chain.seed().clone(), chain.texts().like());
        let readers = std::mem::take(&mut self.readers);
        let work = |_, texts| readers.with(|reader| reader.read(texts, &filters, &seed, &none));
        each_stretch(texts, STRETCH, work, |stretch| self.take(stretch));
        self.readers = readers;
    }

    /// Takes in what was read of a stretch of texts.
    fn take(&mut self, Stretch { said, records, texts, unreadable }: Stretch<'_>) {
        self.unreadable(unreadable);
        for Said { contract, verdict, words, times } in said {
            self.inspector.count(contract, &words, times);
            self.heartbeat.count_words(contract, &verdict, &words, times);
        }
        let numbers = self.inspector.chain().take_texts(&texts);
        for Noted { contract, picked, link, whole } in records {
            if picked && let Some(whole) = &whole {
                self.heartbeat.execution.add(&Indexed::of(whole), contract);
            }
            let Some(Seen { node, long_id }) = link else { continue };
            if picked && contract.record_type == RENDERED {
                self.heartbeat.execution.add_rendered(long_id.as_deref().unwrap_or_else(|| texts.text(node.id)));
            }
            let node = node.renumbered(|there| numbers[there.place()]);
            self.inspector.chain().take(Seen { node, long_id });
        }
    }

    /// Takes note of entries that could not be read: nothing that was watched passes then.
    pub fn unreadable(&mut self, entries: u64) {
        self.unreadable += entries;
        self.inspector.unreadable(entries);
    }

    /// What was seen.
    pub fn finish(self) -> Watched {
        let (mut summary, soundness) = self.inspector.finish();
        summary.extend(&self.heartbeat.execution);
        Watched { summary, soundness, heartbeat: self.heartbeat, unreadable: self.unreadable }
    }
}

/// Watches the records of a ledger.
///
/// # Errors
/// The storage failed.
pub fn watch(ledger: &dyn Ledger, filters: Filters<'_>) -> Result<Watched, LedgerError> {
    let mut watch = Watch::new(filters);
    let mut batch = Batch::default();
    let before = ledger.passed_over();
    ledger.each(Select { types: &scanned_types() }, &mut |entry| {
        batch.push(&entry.payload);
        if batch.is_full() {
            watch.add_texts(&batch.texts);
            batch = Batch::default();
        }
        Ok(())
    })?;
    watch.add_texts(&batch.texts);
    watch.unreadable(ledger.passed_over().saturating_sub(before));
    Ok(watch.finish())
}

/// Texts that a core reads at a time: the fewer, the more often the words that all records have are looked up again.
const STRETCH: usize = 32;

/// Reads stretches of texts, one after another.
#[derive(Debug, Default)]
struct StretchReader {
    parser: Parser,
    /// What the last record says, as it is digested.
    content: Vec<u8>,
}

impl StretchReader {
    fn read<'t, T: AsRef<str>>(&mut self, texts: &'t [T], filters: &Filters<'_>, seed: &RandomState, none: &Interner) -> Stretch<'t> {
        let records = Vec::with_capacity(texts.len());
        let mut stretch = Stretch { said: Vec::new(), records, texts: none.like(), unreadable: 0 };
        for text in texts {
            match self.parser.parse_text(text.as_ref()) {
                Ok(record) => {
                    let plain = self.parser.is_plain().then(|| text.as_ref());
                    stretch.note(record, plain, filters, seed, &mut self.content);
                }
                Err(_) => stretch.unreadable += 1,
            }
        }
        stretch
    }
}

/// What a core made of a stretch of texts. Of most records nothing is left but numbers of texts.
struct Stretch<'t> {
    said: Vec<Said<'t>>,
    records: Vec<Noted<'t>>,
    texts: Interner,
    unreadable: u64,
}

/// What there is to count of records that the filters pick. Few records say what none before them said, so what is
/// the same is counted at once; the first of each stand in the order of their records, which decides what a full
/// counter still takes.
struct Said<'t> {
    contract: &'static Contract,
    verdict: RecordVerdict,
    words: Words<'t>,
    times: u64,
}

/// What there is to take in of a record, by the numbers of its texts in the stretch.
struct Noted<'t> {
    contract: &'static Contract,
    /// Whether the filters pick it.
    picked: bool,
    /// As a record of the chain.
    link: Option<Seen>,
    /// All of it, where more is asked of its family.
    whole: Option<Value<'t>>,
}

impl<'t> Stretch<'t> {
    fn note(&mut self, record: Value<'t>, plain: Option<&str>, filters: &Filters<'_>, seed: &RandomState, content: &mut Vec<u8>) {
        let Some(scanned) = Scanned::of(&record) else { return };
        let picked = filters.match_record(&scanned.fields);
        let link = Seen::of(&scanned, plain, picked, seed, &mut self.texts, content);
        let words = picked.then(|| Words::of(&scanned.fields));
        let Scanned { contract, verdict, .. } = scanned;
        if let Some(words) = words {
            let is_same = |said: &&mut Said<'_>| std::ptr::eq(said.contract, contract) && said.words == words && said.verdict == verdict;
            match self.said.iter_mut().find(is_same) {
                Some(said) => said.times += 1,
                None => self.said.push(Said { contract, verdict, words, times: 1 }),
            }
        }
        let whole = (contract.family == Family::Execution).then_some(record);
        if link.is_some() || whole.is_some() {
            self.records.push(Noted { contract, picked, link, whole });
        }
    }
}

/// Texts of records that are read together.
#[derive(Debug, Default)]
struct Batch {
    texts: Vec<String>,
    bytes: usize,
}

impl Batch {
    fn push(&mut self, text: &str) {
        self.bytes += text.len();
        self.texts.push(text.to_owned());
    }

    /// Whether it is time to look at them: many, or long ones.
    fn is_full(&self) -> bool {
        self.texts.len() >= 1024 || self.bytes >= 1 << 20
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::governance::counter::OTHER;
    use crate::governance::terms::APPROVAL;

    /// Two ledgers: the chain of a retry, and what guards an execution.
    const LEDGERS: [&str; 2] = [
        include_str!("../../fixtures/loop/retry-governance/records.jsonl"),
        include_str!("../../fixtures/loop/controlled-execution/records.jsonl"),
    ];

    /// What is seen of records by their texts, which is what is seen of one after the other.
    fn watched_alike(texts: &[String], filters: Filters<'_>) -> Watched {
        let (mut by_text, mut by_one) = (Watch::new(filters), Watch::new(filters));
        texts.chunks(700).for_each(|texts| by_text.add_texts(texts));
        for text in texts {
            match crate::json::parse(text.as_bytes()) {
                Ok(record) => by_one.add(&record),
                Err(_) => by_one.unreadable(1),
            }
        }
        let (by_text, by_one) = (by_text.finish(), by_one.finish());
        let summary = |watched: &Watched| serde_json::to_value(&watched.summary).expect("it is JSON");
        assert_eq!(summary(&by_text), summary(&by_one));
        assert_eq!(by_text.soundness, by_one.soundness);
        assert_eq!(by_text.heartbeat, by_one.heartbeat);
        by_text
    }

    #[test]
    fn a_full_counter_keeps_the_words_that_came_first() {
        let text = |number: usize| {
            // None comes twice before all of them came.
            let (status, mode) = (number * 7919 % 2500, number * 7919 % 1200);
            format!("{{\"type\": \"{APPROVAL}\", \"status\": \"s{status}\", \"decision_mode\": \"m{mode}\"}}")
        };
        let watched = watched_alike(&(0..3000).map(text).collect::<Vec<_>>(), Filters::default());
        // Of the modes the last two hundred found no room, each twice.
        assert_eq!(watched.summary.said("decision_modes", OTHER), 400);
    }

    #[test]
    fn records_by_their_texts_are_watched_as_one_by_one() {
        let mut texts: Vec<String> = Vec::new();
        for round in 0..30 {
            // Every second round has the ids of the one before it; some ids are too long to be kept.
            let long = if round % 6 == 5 { "x".repeat(5000) } else { String::new() };
            let own = if round < 4 { "\"replay-retry-".to_owned() } else { format!("\"own{long}-{}-", round / 2) };
            let records = LEDGERS.iter().flat_map(|ledger| ledger.lines());
            texts.extend(records.map(|text| text.replace("\"replay-retry-", &own)));
            texts.push(format!("{{\"no\": {round}"));
            texts.push(format!("{{\"type\": \"{APPROVAL}\", \"status\": \"N\\u00f6 {round}\", \"decision_mode\": \"MANUAL\"}}"));
        }
        assert!(texts.len() > 4 * STRETCH);
        let proposal = crate::json::parse(texts[3].as_bytes()).expect("it is JSON");
        let proposal = proposal.get("proposal_id").and_then(Value::as_str).expect("the fixture's fourth record is a proposal");
        for filters in [Filters::default(), Filters { proposal_id: Some(proposal), ..Filters::default() }] {
            let by_text = watched_alike(&texts, filters);
            assert_eq!((by_text.unreadable, by_text.heartbeat.records > 0, by_text.summary.total_records > 7), (30, true, true));
        }
    }
}
