//! The one style of the page: light and dark, from a phone to a desk.

/// Written into the page as it is; the content policy names its digest.
pub(super) const STYLE: &str = "
:root {
  color-scheme: light dark;
  --ground: #fbfbf9; --sheet: #ffffff; --ink: #1d2327; --soft: #5b656d; --line: #d9dcd8;
  --good: #1a7048; --open: #8a5a00; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181b; --sheet: #1c2226; --ink: #e6e9ea; --soft: #a3adb4; --line: #36404a;
    --good: #5fc795; --open: #e3b04b; --bad: #ff8a80;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 56rem; padding: 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.25rem; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: 1rem; margin: 0; font-weight: 600; }
p { margin: .35rem 0; }
.verdict { font-size: 1.25rem; font-weight: 700; }
.lead { color: var(--soft); flex-basis: 100%; }
.verdict.accepted, .accepted .support { color: var(--good); }
.verdict.unshown, .unshown .support { color: var(--open); }
.verdict.refused, .refused .support { color: var(--bad); }
.count { color: var(--soft); font-weight: 400; }
code { font: .9em/1.4 ui-monospace, monospace; unicode-bidi: isolate; }
.reason { font-weight: 600; }
.place, .anti, footer, .note { color: var(--soft); font-size: .9rem; }
article { background: var(--sheet); border: 1px solid var(--line); border-left: 4px solid var(--soft); border-radius: 4px;
  padding: .6rem .8rem; margin: .5rem 0; }
article.accepted { border-left-color: var(--good); }
article.unshown { border-left-color: var(--open); }
article.refused { border-left-color: var(--bad); }
.tallies { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 0 1.5rem; margin: .75rem 0; }
.tallies div { display: flex; justify-content: space-between; gap: 1rem; border-bottom: 1px solid var(--line); padding: .2rem 0; }
dt { color: var(--soft); } dd { margin: 0; white-space: nowrap; font-variant-numeric: tabular-nums; }
details { border-top: 1px solid var(--line); padding: .4rem 0; }
summary { cursor: pointer; }
ul { margin: .4rem 0; padding-left: 1.2rem; }
.digest { color: var(--soft); }
figure { margin: 1rem 0; }
figure.timeline { max-width: 34rem; }
figcaption { color: var(--soft); font-size: .9rem; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg .soft { fill: var(--soft); }
svg .axis { stroke: var(--line); stroke-width: 2; }
svg .evidence { fill: var(--soft); }
svg .fill-accepted { fill: var(--good); } svg .fill-unshown { fill: var(--open); } svg .fill-refused { fill: var(--bad); }
svg .link { fill: none; stroke-width: 1.5; }
svg .link.accepted { stroke: var(--good); } svg .link.unshown { stroke: var(--open); stroke-dasharray: 4 3; }
svg .link.refused { stroke: var(--bad); }
svg .hollow { fill: var(--ground); stroke: var(--open); stroke-width: 2; }
svg .cross { fill: none; stroke: var(--bad); stroke-width: 3; stroke-linecap: round; }
footer { border-top: 1px solid var(--line); margin-top: 2rem; }
@media print { details { display: block; } }
";
