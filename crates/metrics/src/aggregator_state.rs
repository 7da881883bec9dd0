//! An aggregator as plain data: to be kept in a file, sent to another process, and taken back with nothing lost.
//!
//! What comes back is not trusted: it may have been cut, edited, or written by another version. Whatever could not have come
//! from an aggregator is refused, so that it cannot turn into a number.

use std::collections::HashMap;
use std::hash::Hash;

use crate::aggregator::{Aggregator, ClusterSum, Kept};
use crate::error::{ErrorCode, MetricsError, Result};
use crate::wide::Wide;

/// The version of [`AggregatorState`] that this crate writes and reads.
pub const AGGREGATOR_VERSION: u32 = 1;

/// Counts beyond this are not exact in the `f64` that they become.
const MAX_COUNT: u64 = 1 << 53;

/// By how much rounding may push the squares of cluster means above the sum of squares. (At equal values they meet.)
const SQUARES_ROUNDING: f64 = 1e-12;

/// An aggregator as plain data. Clusters ascend by id.
#[derive(Debug, Clone, PartialEq)]
pub struct AggregatorState {
    /// [`AGGREGATOR_VERSION`].
    pub version: u32,
    /// All steps, gated or not.
    pub steps: u64,
    /// The sum of squares of the gated values, and what rounding would lose of it.
    pub squares: (f64, f64),
    /// What is kept of the gated steps.
    pub kept: KeptState,
}

/// What an aggregator keeps of the gated steps.
#[derive(Debug, Clone, PartialEq)]
pub enum KeptState {
    /// Nothing was added yet.
    Nothing,
    /// The values themselves, where steps have no clusters.
    Values(Vec<f64>),
    /// Clusters by number.
    Numbers(Vec<(u32, ClusterState)>),
    /// Clusters by name.
    Names(Vec<(String, ClusterState)>),
}

/// The gated steps of one cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusterState {
    /// How many they are, 1 or more.
    pub weight: u64,
    /// The sum of their values, and what rounding would lose of it.
    pub sum: (f64, f64),
}

impl Aggregator {
    /// All that the aggregator knows.
    pub fn to_state(&self) -> AggregatorState {
        AggregatorState {
            version: AGGREGATOR_VERSION,
            steps: self.steps,
            squares: self.squares.parts(),
            kept: match &self.kept {
                Kept::Nothing => KeptState::Nothing,
                Kept::Values(values) => KeptState::Values(values.clone()),
                Kept::Numbered(sums) => KeptState::Numbers(ascending(sums)),
                Kept::Named(sums) => KeptState::Names(ascending(sums)),
            },
        }
    }

    /// The aggregator that wrote `state`.
    ///
    /// # Errors
    /// `bad_argument` for another version and for whatever no aggregator writes: more gated steps than steps, a cluster
    /// twice or without steps, squares that are too small for the sums; `not_finite` for a number that is not finite. The
    /// row is the place of the faulty value or cluster.
    pub fn from_state(state: &AggregatorState) -> Result<Self> {
        if state.version != AGGREGATOR_VERSION {
            return Err(MetricsError::new(
                ErrorCode::BadArgument,
                format!("a state of version {}", state.version),
                "make it anew with this version, which writes and reads version 1",
            )
            .in_input("version"));
        }
        if state.steps > MAX_COUNT {
            return Err(state_fault(format!("a state of {} steps", state.steps)).in_input("steps"));
        }
        let kept = match &state.kept {
            KeptState::Nothing => Kept::Nothing,
            KeptState::Values(values) => {
                if let Some(index) = values.iter().position(|value| !value.is_finite()) {
                    return Err(not_finite("a kept value").in_input("values").at_row(index));
                }
                Kept::Values(values.clone())
            }
            KeptState::Numbers(clusters) => Kept::Numbered(sums(clusters)?),
            KeptState::Names(clusters) => Kept::Named(sums(clusters)?),
        };
        let (gated, least) = gated_and_least_squares(&kept);
        if gated > state.steps || (matches!(kept, Kept::Nothing) && state.steps > 0) {
            return Err(state_fault(format!(
                "a state of {gated} gated steps among {}",
                state.steps
            ))
            .in_input("steps"));
        }
        let (high, low) = state.squares;
        let squares = Wide::from_parts(high, low)
            .ok_or_else(|| not_finite("the sum of squares").in_input("squares"))?;
        // Squares below the least normal number have lost digits, however few they are.
        let rounding = SQUARES_ROUNDING * least + f64::MIN_POSITIVE;
        let exact = matches!(kept, Kept::Values(_) | Kept::Nothing);
        if high < least - rounding || (exact && high > least + rounding) {
            return Err(state_fault(format!(
                "a sum of squares of {high:e} where the sums give {least:e}"
            ))
            .in_input("squares"));
        }
        Ok(Self {
            steps: state.steps,
            squares,
            kept,
        })
    }
}

/// The gated steps, and the least sum of squares that they can have: each value at the mean of its cluster.
fn gated_and_least_squares(kept: &Kept) -> (u64, f64) {
    let of_sums = |sums: &mut dyn Iterator<Item = &ClusterSum>| {
        sums.fold((0u64, 0.0), |(gated, squares), c| {
            let sum = c.sum.value();
            let square = sum * (sum / c.weight as f64);
            (gated.saturating_add(c.weight), squares + square)
        })
    };
    match kept {
        Kept::Nothing => (0, 0.0),
        Kept::Values(values) => (values.len() as u64, values.iter().map(|x| x * x).sum()),
        Kept::Numbered(sums) => of_sums(&mut sums.values()),
        Kept::Named(sums) => of_sums(&mut sums.values()),
    }
}

fn ascending<K: Ord + Clone>(sums: &HashMap<K, ClusterSum>) -> Vec<(K, ClusterState)> {
    let mut clusters: Vec<_> = sums
        .iter()
        .map(|(id, cluster)| {
            let state = ClusterState {
                weight: cluster.weight,
                sum: cluster.sum.parts(),
            };
            (id.clone(), state)
        })
        .collect();
    clusters.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    clusters
}

fn sums<K: Hash + Eq + Clone>(clusters: &[(K, ClusterState)]) -> Result<HashMap<K, ClusterSum>> {
    let mut sums = HashMap::with_capacity(clusters.len());
    for (index, (id, cluster)) in clusters.iter().enumerate() {
        if cluster.weight == 0 || cluster.weight > MAX_COUNT {
            let what = format!("a cluster of {} gated steps", cluster.weight);
            return Err(state_fault(what).in_input("weights").at_row(index));
        }
        let (high, low) = cluster.sum;
        let sum = Wide::from_parts(high, low).ok_or_else(|| {
            not_finite("the sum of a cluster")
                .in_input("sums")
                .at_row(index)
        })?;
        let entry = ClusterSum {
            weight: cluster.weight,
            sum,
        };
        if sums.insert(id.clone(), entry).is_some() {
            let what = "a cluster that is there twice";
            return Err(state_fault(what).in_input("clusters").at_row(index));
        }
    }
    Ok(sums)
}

fn state_fault(what: impl Into<String>) -> MetricsError {
    MetricsError::new(
        ErrorCode::BadArgument,
        what,
        "pass an aggregator's state as it was written",
    )
}

fn not_finite(what: &str) -> MetricsError {
    MetricsError::new(
        ErrorCode::NotFinite,
        format!("{what} is not finite, or not kept as a number and its rest"),
        "pass an aggregator's state as it was written",
    )
}
