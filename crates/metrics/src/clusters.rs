//! What intervals know of clusters: how far each lies from the mean, and how two ways to cluster meet.

use std::collections::HashMap;

use crate::error::{ErrorCode, MetricsError, Result};
use crate::shape;

/// Spreads below this part of the size of the values are their rounding and no spread.
pub(crate) const SPREAD_ROUNDING: f64 = 1e-14;

/// A cluster with a gated step: how far its values lie from the mean in sum, and how many they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Deviation {
    pub(crate) deviation: f64,
    pub(crate) weight: f64,
}

/// What a second way to cluster adds to a sample.
#[derive(Debug, Clone)]
pub(crate) struct SecondWay {
    /// The clusters of the second way.
    pub(crate) clusters: Vec<Deviation>,
    /// The steps that are together in both ways.
    pub(crate) both: Vec<Deviation>,
}

/// One number for each pair of clusters that steps are in.
///
/// # Errors
/// `bad_argument` without a first way, `length_mismatch` for a second that is not one a step.
pub(crate) fn both_ways(first: Option<&[u32]>, second: &[u32], steps: usize) -> Result<Vec<u32>> {
    let Some(first) = first else {
        return Err(MetricsError::new(
            ErrorCode::BadArgument,
            "a second way to cluster without a first",
            "pass the only way as `cluster`",
        )
        .in_input("cluster2"));
    };
    shape::same_length("cluster", first.len(), steps)?;
    shape::same_length("cluster2", second.len(), steps)?;
    let mut known = HashMap::new();
    Ok(first
        .iter()
        .zip(second)
        .map(|pair| {
            let next = known.len() as u32;
            *known.entry(pair).or_insert(next)
        })
        .collect())
}
