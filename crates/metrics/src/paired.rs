//! The mean difference between two runs over the same rows, with its interval and its p-value.
//!
//! A difference is taken row by row, so that what the runs share cancels out, and is then a value like any other.

use crate::aggregate::AggregateRequest;
use crate::error::{ErrorCode, MetricsError, Result};
use crate::estimate::NO_SPREAD;
use crate::interval::Interval;
use crate::shape;

/// A mean difference and how much stands behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedDifference {
    /// The mean of `a - b` over the gated pairs, in the unit of the values; `None` when none is gated.
    pub mean: Option<f64>,
    /// All pairs, gated or not.
    pub n: usize,
    /// The pairs that the mean rests on.
    pub gated_steps: usize,
    /// `gated_steps / n`, in [0, 1].
    pub coverage: f64,
    /// The interval, where the data allow one.
    pub ci: Option<Interval>,
    /// The two-sided p-value of a mean difference of 0, by the method of the interval, where the data allow one.
    pub p_value: Option<f64>,
    /// The cluster-robust standard error of the mean, in the unit of the values and whatever the method of the interval;
    /// `None` for fewer than two clusters.
    pub standard_error: Option<f64>,
    /// Its degrees of freedom: one less than clusters, of two ways those of the smaller number.
    pub freedom: Option<f64>,
    /// Why there is no interval and no p-value.
    pub reason: Option<String>,
}

/// Compares `a` with `b`, whose entries belong to the same steps. The request is that of
/// [`aggregate`](crate::aggregate()), and so are the intervals.
///
/// # Errors
/// Those of `aggregate`; `length_mismatch` too when `b` is not as long as `a`, and `not_finite` with the input and the step
/// for a gated value of either that is NaN or infinite.
pub fn paired_difference(
    a: &[f64],
    b: &[f64],
    request: &AggregateRequest<'_>,
) -> Result<PairedDifference> {
    shape::same_length("b", b.len(), a.len())?;
    if let Some(gate) = request.gate {
        shape::same_length("gate", gate.len(), a.len())?;
    }
    for (input, values) in [("a", a), ("b", b)] {
        let counts = |index: usize| request.gate.is_none_or(|gate| gate[index] == 1);
        let bad = |(index, value): (usize, &f64)| !value.is_finite() && counts(index);
        if let Some(index) = values.iter().enumerate().position(bad) {
            return Err(MetricsError::new(
                ErrorCode::NotFinite,
                format!("a gated value is {}", values[index]),
                "set the gate of steps without a value to 0",
            )
            .in_input(input)
            .at_row(index));
        }
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let (sample, estimate) = request.estimate(&differences)?;
    let gated = sample.gated as usize;
    let estimate = estimate.map_err(|reason| match reason.as_str() {
        NO_SPREAD => {
            "all differences are equal; an interval and a test need some that differ".to_owned()
        }
        _ => reason,
    });
    let robust = sample.robust("a standard error").ok();
    Ok(PairedDifference {
        standard_error: robust.as_ref().map(|robust| robust.error),
        freedom: robust.as_ref().map(|robust| robust.freedom),
        mean: (gated > 0).then_some(sample.mean),
        n: a.len(),
        gated_steps: gated,
        coverage: gated as f64 / a.len() as f64,
        reason: estimate.as_ref().err().cloned(),
        p_value: estimate.as_ref().ok().map(|found| found.p_value),
        ci: estimate.ok().map(|found| found.interval),
    })
}
