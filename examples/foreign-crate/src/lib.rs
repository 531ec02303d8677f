//! A bakery's order book: what matters here is `tests/landing.rs` and the corpus in `landing/`.

/// Loaves still to bake when `baked` of `ordered` are done.
pub fn still_to_bake(ordered: u32, baked: u32) -> u32 {
    ordered.saturating_sub(baked)
}
