//! Plain text for people: verdict first, then what was refused and why, then the counts.

use super::{Item, Outcome, Part, Report};

/// The most items of one outcome that are written out.
const SHOWN: usize = 50;

/// The report as text.
pub fn render(report: &Report) -> String {
    let mut out = format!("{}\n", report.verdict.as_str());
    for part in &report.parts {
        part_text(part, &mut out);
    }
    out
}

fn part_text(part: &Part, out: &mut String) {
    out.push_str(&format!("\n{}: {}\n", part.kind.as_str(), part.verdict.as_str()));
    if part.support == crate::landing::record::SupportCounts::default() {
        out.push_str(&format!("  no {} at all\n", part.kind.subjects()));
    }
    for outcome in [Outcome::Refused, Outcome::NotShown] {
        let of_it: Vec<_> = part.items.iter().filter(|item| item.outcome == outcome).collect();
        for item in of_it.iter().take(SHOWN) {
            item_text(item, out);
        }
        if of_it.len() > SHOWN {
            out.push_str(&format!("  and {} more that are {}; --format json lists them\n", of_it.len() - SHOWN, outcome.as_str()));
        }
    }
    for item in part.items.iter().filter(|item| item.outcome == Outcome::Accepted && !item.remarks.is_empty()).take(SHOWN) {
        item_text(item, out);
    }
    if part.unlisted_findings > 0 {
        out.push_str(&format!("  and {} findings that the record counts and does not list\n", part.unlisted_findings));
    }
    if part.unlisted_subjects > 0 {
        out.push_str(&format!("  {} {} are counted and not listed\n", part.unlisted_subjects, part.kind.subjects()));
    }
    let width = part.tallies.iter().map(|tally| tally.label.as_str().chars().count()).max().unwrap_or_default();
    for tally in &part.tallies {
        out.push_str(&format!("  {:<width$}  {} of {}\n", tally.label.as_str(), tally.count, tally.of));
    }
    out.push_str(&format!("  {}\n", part.anti_claim));
}

fn item_text(item: &Item, out: &mut String) {
    out.push_str(&format!(
        "  {} {} {} ({}) at {}: {}\n",
        item.outcome.as_str(),
        item.kind.as_str(),
        item.name,
        item.support.as_str(),
        item.place,
        item.says
    ));
    for remark in &item.remarks {
        out.push_str(&format!("    {}: {}\n", remark.code, remark.message));
    }
    if !item.evidence.is_empty() {
        let places: Vec<_> = item.evidence.iter().take(SHOWN).map(ToString::to_string).collect();
        let more = if item.evidence.len() > SHOWN { format!(" and {} more", item.evidence.len() - SHOWN) } else { String::new() };
        out.push_str(&format!("    evidence: {}{more}\n", places.join(", ")));
    }
}
