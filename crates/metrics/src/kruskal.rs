//! The test of Kruskal and Wallis: are the values of several groups distributed alike, or do some have higher ones?
//!
//! It asks only for the order of the values. With r their ranks (equal values share the mean of theirs), N values in k groups
//! and H as below, everything rests on two sums of squares about the mean rank (N + 1) / 2: that of all ranks, and that of the
//! groups' mean ranks. Their ratio has the correction for ties in it.

use std::collections::BTreeMap;

use crate::distribution::chi_squared_tail;
use crate::error::{ErrorCode, MetricsError, Result};
use crate::ranks::mid_ranks;
use crate::shape;

/// The outcome of the test.
#[derive(Debug, Clone, PartialEq)]
pub struct KruskalWallis {
    /// (N - 1) times the groups' sum of squares over that of all ranks, 0 to N - 1; `None` for a single group, for groups of
    /// one value each, and where all values are equal.
    pub h: Option<f64>,
    /// The degrees of freedom, k - 1.
    pub freedom: usize,
    /// The probability of an H as large under chi-squared with `freedom` degrees; absent where `h` is.
    pub p_value: Option<f64>,
    /// (H - k + 1) / (N - k): the share of the ranks' variance that lies between groups, less what chance gives (Kelley 1935).
    /// At most 1; below 0 where the groups differ less than chance lets them. Absent where `h` is.
    pub epsilon_squared: Option<f64>,
    /// The values.
    pub n: usize,
    /// The groups that have values.
    pub groups: usize,
    /// Why there is no test.
    pub reason: Option<String>,
}

/// The test on `values`, of which each belongs to the group of the same place in `group`.
///
/// # Errors
/// `empty_input` for no values, `length_mismatch` when `group` is not as long as `values`, `not_finite` with the row for a NaN or
/// an infinity.
pub fn kruskal_wallis(values: &[f64], group: &[u32]) -> Result<KruskalWallis> {
    shape::same_length("group", group.len(), values.len())?;
    if values.is_empty() {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "a test of 0 values",
            "report that there is no data instead",
        )
        .in_input("values"));
    }
    if let Some(row) = values.iter().position(|value| !value.is_finite()) {
        return Err(MetricsError::new(
            ErrorCode::NotFinite,
            format!("a value is {}", values[row]),
            "leave out rows without a value",
        )
        .in_input("values")
        .at_row(row));
    }
    let n = values.len();
    // Twice a rank less twice the mean rank is a whole number, so that sums are exact and equal groups give an H of 0.
    let mean = n as f64 + 1.0;
    let mut all = 0i128;
    let mut sums: BTreeMap<u32, (i128, usize)> = BTreeMap::new();
    for (rank, &id) in mid_ranks(values).into_iter().zip(group) {
        let deviation = (2.0 * rank - mean) as i128;
        all += deviation * deviation;
        let (sum, count) = sums.entry(id).or_default();
        *sum += deviation;
        *count += 1;
    }
    let k = sums.len();
    let reason = if k == 1 {
        Some("only 1 group; a comparison needs at least 2".to_owned())
    } else if k == n {
        Some(
            "every group has a single value; nothing says how values scatter within one".to_owned(),
        )
    } else if all == 0 {
        Some("all values are equal, so that no group can have higher ones".to_owned())
    } else {
        None
    };
    let h = reason.is_none().then(|| {
        let between: f64 = sums
            .values()
            .map(|&(sum, count)| (sum * sum) as f64 / count as f64)
            .sum();
        // No more than the whole, also after rounding.
        (n as f64 - 1.0) * (between / all as f64).min(1.0)
    });
    Ok(KruskalWallis {
        h,
        freedom: k - 1,
        p_value: h.map(|h| chi_squared_tail(h, k - 1)),
        epsilon_squared: h.map(|h| (h - (k as f64 - 1.0)) / (n - k) as f64),
        n,
        groups: k,
        reason,
    })
}
