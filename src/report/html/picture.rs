//! Pictures drawn by hand as inline SVG: how many of what, and a session's claims against its evidence.
//!
//! Time runs down and never across, so that a phone shows all of it. Shape says what colour says. The lists beside
//! a picture hold everything that it shows.

use super::super::{Item, Outcome, Part, Place};
use super::class;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The most claims drawn, and the most pieces of evidence drawn for one.
const CLAIMS: usize = 60;
const EVIDENCE: usize = 8;
/// Widths and heights in the picture's own units.
const WIDTH: usize = 360;
const ROW: usize = 26;
const EVIDENCE_X: usize = 120;
const CLAIM_X: usize = 200;

/// A bar of rows or claims by support.
pub(super) fn bar(part: &Part) -> Markup {
    let counts = part.support;
    let shares = [
        ("supported", "accepted", counts.supported),
        ("not shown", "unshown", counts.not_shown),
        ("contradicted", "refused", counts.contradicted),
        ("forbidden", "refused", counts.forbidden),
    ];
    let total = shares.iter().fold(0_u128, |sum, (.., count)| sum + u128::from(*count));
    let told: Vec<_> = shares.iter().filter(|(.., count)| *count > 0).map(|(name, _, count)| format!("{count} {name}")).collect();
    let caption =
        if told.is_empty() { format!("no {}", part.kind.subjects()) } else { format!("{}: {}", part.kind.subjects(), told.join(", ")) };
    // Whole units that end exactly at the width, however large the counts.
    let end = |upto: u128| usize::try_from(upto * WIDTH as u128 / total.max(1)).unwrap_or(WIDTH);
    let mut before = 0_u128;
    let pieces: Vec<_> = shares
        .iter()
        .map(|(_, class, count)| {
            let start = end(before);
            before += u128::from(*count);
            (*class, start, end(before) - start)
        })
        .collect();
    html! {
        figure {
            svg viewBox=(format!("0 0 {WIDTH} 10")) role="img" aria-label=(caption) {
                @for (class, start, width) in pieces {
                    @if width > 0 { rect class={ "fill-" (class) } x=(start) y="0" width=(width) height="10" {} }
                }
                @if total == 0 { rect class="soft" x="0" y="4" width=(WIDTH) height="2" {} }
            }
            figcaption { (caption) }
        }
    }
}

/// A row of the picture.
enum Drawn<'p> {
    File(String),
    Evidence(&'p Place),
    Claim(usize, &'p Item),
}

/// The claims of a session against its evidence, in the order of its lines.
pub(super) fn timeline(part: &Part) -> Markup {
    let claims: Vec<_> = part.items.iter().take(CLAIMS).collect();
    let left_out = part.items.len() - claims.len();
    if claims.is_empty() {
        return html! { p class="note" { "No claim was found, so there is nothing to draw." } };
    }
    let rows = rows(&claims);
    let middle = |row: usize| row * ROW + ROW / 2;
    let at_evidence: BTreeMap<&Place, usize> =
        rows.iter().enumerate().filter_map(|(at, row)| if let Drawn::Evidence(place) = row { Some((*place, at)) } else { None }).collect();
    let height = rows.len() * ROW + 6;
    let named = claims.iter().flat_map(|item| std::iter::once(&item.place).chain(item.evidence.iter().take(EVIDENCE)));
    let by_line = named.clone().all(|place| place.line.is_some());
    html! {
        figure class="timeline" {
            svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label="Claims on the right, the evidence for and against them on the left, in the order of their lines" {
                line class="axis" x1="160" y1="0" x2="160" y2=(height) {}
                // Links first, so that marks lie on top.
                @for (row, drawn) in rows.iter().enumerate() {
                    @if let Drawn::Claim(index, item) = drawn {
                        @for place in claims[*index].evidence.iter().take(EVIDENCE) {
                            @if let Some(from) = at_evidence.get(place) {
                                path class={ "link " (class(item.outcome)) } d=(format!("M{EVIDENCE_X} {} C160 {}, 160 {}, {CLAIM_X} {}", middle(*from), middle(*from), middle(row), middle(row))) {}
                            }
                        }
                    }
                }
                @for (row, drawn) in rows.iter().enumerate() {
                    @match drawn {
                        Drawn::File(name) => { text class="soft" x="4" y=(middle(row) + 4) { (name) } },
                        Drawn::Evidence(place) => {
                            text class="soft" x=(EVIDENCE_X - 10) y=(middle(row) + 4) text-anchor="end" { (label(place)) }
                            circle class="evidence" cx=(EVIDENCE_X) cy=(middle(row)) r="4" {}
                        },
                        Drawn::Claim(_, item) => {
                            (mark(item.outcome, middle(row)))
                            text x=(CLAIM_X + 12) y=(middle(row) + 4) { (item.says) ", " (label(&item.place)) }
                        },
                    }
                }
            }
            figcaption {
                "Left: evidence. Right: claims; a disc is supported, a ring not shown, a cross contradicted."
                @if !by_line { " Places without a line are where their file is." }
                @if left_out > 0 { " The first " (claims.len()) " claims; " (left_out) " more are listed below." }
            }
        }
    }
}

/// The rows of the picture: file by file, line by line, evidence before the claims of its line.
fn rows<'p>(claims: &[&'p Item]) -> Vec<Drawn<'p>> {
    let mut files: Vec<&str> = Vec::new();
    let mut order: BTreeMap<&str, usize> = BTreeMap::new();
    let mut marks: Vec<(usize, Option<u64>, usize, Drawn<'p>)> = Vec::new();
    let mut seen: BTreeMap<&Place, ()> = BTreeMap::new();
    let mut place_of = |file: &'p str| {
        *order.entry(file).or_insert_with(|| {
            files.push(file);
            files.len() - 1
        })
    };
    for (index, item) in claims.iter().copied().enumerate() {
        marks.push((place_of(item.place.file.as_str()), item.place.line, 1 + index, Drawn::Claim(index, item)));
        for place in item.evidence.iter().take(EVIDENCE) {
            if seen.insert(place, ()).is_none() {
                marks.push((place_of(place.file.as_str()), place.line, 0, Drawn::Evidence(place)));
            }
        }
    }
    marks.sort_by_key(|(file, line, order, _)| (*file, *line, *order));
    let mut rows = Vec::new();
    let mut current = None;
    for (file, _, _, drawn) in marks {
        if current != Some(file) {
            rows.push(Drawn::File(shortened(files[file])));
            current = Some(file);
        }
        rows.push(drawn);
    }
    rows
}

/// The end of a long name: it tells files apart.
fn shortened(name: &str) -> String {
    const LIMIT: usize = 48;
    let length = name.chars().count();
    if length <= LIMIT { name.to_owned() } else { format!("\u{2026}{}", name.chars().skip(length - LIMIT).collect::<String>()) }
}

fn label(place: &Place) -> String {
    place.line.map_or_else(|| "whole file".to_owned(), |line| format!("line {line}"))
}

fn mark(outcome: Outcome, y: usize) -> Markup {
    let (left, right, top, bottom) = (CLAIM_X - 5, CLAIM_X + 5, y.saturating_sub(5), y + 5);
    html! {
        @match outcome {
            Outcome::Accepted => { circle class="fill-accepted" cx=(CLAIM_X) cy=(y) r="6" {} },
            Outcome::NotShown => { circle class="hollow" cx=(CLAIM_X) cy=(y) r="5" {} },
            Outcome::Refused => { path class="cross" d=(format!("M{left} {top} L{right} {bottom} M{left} {bottom} L{right} {top}")) {} },
        }
    }
}
