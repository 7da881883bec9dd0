//! Bounds from lists: what a row's likeliest tokens say about numbers over its whole vocabulary.
//!
//! Where only the log-probabilities of some tokens are known, as an endpoint lists them, the others share what is left of
//! 1, and none of them is likelier than the list allows. Every number of the row then lies in an interval, and these are
//! the tightest ones that hold for every distribution with that list over a vocabulary of unknown size, but for two
//! things: what is allowed for errors of the listed numbers is an upper bound of what they can do, and where there are more
//! than two groups the gap is bounded pair by pair. docs/design/bounds.md has the proofs.

mod divergence;
mod mass;
mod row;

pub use divergence::listed_jsd;
pub use mass::{listed_gap, listed_mass, GroupTail};
pub use row::{Bounds, ListedRow};
