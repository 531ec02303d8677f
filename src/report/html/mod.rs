//! One page that needs nothing else: what landed, what was refused and why, a session's claims against its evidence.
//!
//! No script, no link, nothing fetched; the content policy allows the one style of the page, by its digest, and
//! nothing besides. Everything that varies is escaped by the template; only the style is written as it is.

mod picture;
mod style;

use super::{Item, ItemKind, Outcome, Part, PartKind, Report};
use base64::Engine as _;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use style::STYLE;

/// The most items of one list; the JSON report has all.
const SHOWN: usize = 500;

/// The report as a page.
pub fn render(report: &Report) -> String {
    let digest = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    let policy = format!("default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'");
    let verdict = report.verdict.as_str();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                title { "landfall: " (verdict) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { "landfall" }
                    p class={ "verdict " (class_of_verdict(report)) } { (verdict) }
                    p class="lead" { (lead(report)) }
                }
                main {
                    @for part in &report.parts { (section(part)) }
                }
                footer {
                    p { "Made by landfall " (env!("CARGO_PKG_VERSION")) " from recorded evidence. Nothing recorded is trusted for describing itself well." }
                }
            }
        }
    };
    page.into_string() + "\n"
}

fn class_of_verdict(report: &Report) -> &'static str {
    match report.verdict {
        super::Verdict::Pass => "accepted",
        super::Verdict::NotShown => "unshown",
        super::Verdict::Blocked => "refused",
    }
}

fn class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted => "accepted",
        Outcome::NotShown => "unshown",
        Outcome::Refused => "refused",
    }
}

fn lead(report: &Report) -> String {
    let count = |outcome| report.items().filter(|(_, item)| item.outcome == outcome).count();
    let all = report.items().count();
    let unshown = match count(Outcome::NotShown) {
        0 => String::new(),
        number => format!(" {number} not shown."),
    };
    format!("{all} judged: {} accepted, {} refused.{unshown}", count(Outcome::Accepted), count(Outcome::Refused))
}

fn section(part: &Part) -> Markup {
    let of = |outcome: Outcome| part.items.iter().filter(move |item| item.outcome == outcome);
    let reserved: Vec<_> = of(Outcome::Accepted).filter(|item| !item.remarks.is_empty()).collect();
    html! {
        section {
            h2 { (part.kind.as_str()) ": " (part.verdict.as_str()) }
            (picture::bar(part))
            dl class="tallies" {
                @for tally in &part.tallies {
                    div { dt { (tally.label) } dd { (tally.count) " of " (tally.of) } }
                }
            }
            @if part.kind == PartKind::Audit { (picture::timeline(part)) }
            (list("Refused", &of(Outcome::Refused).collect::<Vec<_>>()))
            (list("Not shown", &of(Outcome::NotShown).collect::<Vec<_>>()))
            (list("Accepted with a reservation", &reserved))
            @if part.unlisted_findings > 0 {
                p { (part.unlisted_findings) " more findings are counted in the record and not listed." }
            }
            @if part.unlisted_subjects > 0 {
                p { (part.unlisted_subjects) " more " (part.kind.subjects()) " are counted in the record and not listed." }
            }
            (accepted(part))
            (basis(part))
            p class="anti" { (part.anti_claim) "." }
        }
    }
}

fn list(title: &str, items: &[&Item]) -> Markup {
    html! {
        @if !items.is_empty() {
            h3 { (title) " " span class="count" { (items.len()) } }
            @for item in items.iter().take(SHOWN) { (card(item)) }
            @if items.len() > SHOWN { p { (items.len() - SHOWN) " more; the JSON report lists them." } }
        }
    }
}

fn card(item: &Item) -> Markup {
    html! {
        article class=(class(item.outcome)) {
            h4 { (item.kind.as_str()) " " code { (item.name) } " " span class="support" { (item.support.as_str().replace('_', " ")) } }
            p class="place" { code { (item.place) } @if item.kind != ItemKind::Claim { " \u{2014} " (item.says) } }
            @for remark in &item.remarks {
                p { code class="reason" { (remark.code) } br; (remark.message) }
            }
            @if !item.evidence.is_empty() {
                p class="place" {
                    "evidence: "
                    @for (index, place) in item.evidence.iter().take(20).enumerate() { @if index > 0 { ", " } code { (place) } }
                    @if item.evidence.len() > 20 { " and " (item.evidence.len() - 20) " more" }
                }
            }
        }
    }
}

/// What was accepted without a word, a list a kind; rows and claims open, the rest folded.
fn accepted(part: &Part) -> Markup {
    let kinds = [
        (ItemKind::Row, "What landed, or honestly did not"),
        (ItemKind::Claim, "Supported claims"),
        (ItemKind::Module, "Copied bodies that are what they copy"),
        (ItemKind::Case, "Broken cases refused as they must be"),
        (ItemKind::File, "Files read without a fault"),
        (ItemKind::Scan, "Scans without a hit"),
    ];
    html! {
        @for (kind, title) in kinds {
            @let of_kind: Vec<_> = part.items.iter().filter(|item| item.kind == kind && item.outcome == Outcome::Accepted && item.remarks.is_empty()).collect();
            @if !of_kind.is_empty() {
                details open[matches!(kind, ItemKind::Row | ItemKind::Claim)] {
                    summary { (title) " " span class="count" { (of_kind.len()) } }
                    ul {
                        @for item in of_kind.iter().take(SHOWN) {
                            li { code { (item.name) } @if matches!(kind, ItemKind::Row | ItemKind::Module) { " \u{2014} " (item.says) } @if kind == ItemKind::Claim { " at " code { (item.place) } } }
                        }
                        @if of_kind.len() > SHOWN { li { (of_kind.len() - SHOWN) " more" } }
                    }
                }
            }
        }
    }
}

fn basis(part: &Part) -> Markup {
    html! {
        @if !part.recomputed.is_empty() || !part.declared.is_empty() {
            details {
                summary { "What was recomputed, and what rests on the claimant\u{2019}s word" }
                @if !part.recomputed.is_empty() { h4 { "Recomputed" } ul { @for text in &part.recomputed { li { (text) } } } }
                @if !part.declared.is_empty() { h4 { "Declared" } ul { @for text in &part.declared { li { (text) } } } }
            }
        }
        details {
            summary { "Digests" }
            ul class="digests" {
                @for record in &part.records { li { code { (record.name) } br; code class="digest" { "sha256:" (record.sha256) } } }
                @for input in part.inputs.iter().take(SHOWN) { li { code { (input.path) } br; code class="digest" { "sha256:" (input.sha256) } } }
                @if part.inputs.len() > SHOWN { li { (part.inputs.len() - SHOWN) " more; the JSON report lists them." } }
            }
        }
    }
}
