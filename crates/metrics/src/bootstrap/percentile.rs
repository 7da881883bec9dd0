//! The percentile interval, and the p-value, of a number that the caller made of each resample's ratios.

use super::ends::{ends, p_value, Shape, SAME_RESAMPLES, TIE};
use super::request::{check_count, check_size};
use crate::clusters::SPREAD_ROUNDING;
use crate::error::{ErrorCode, MetricsError, Result};
use crate::interval::check_level;

/// The share of resamples that may lack the number. Beyond, so few clusters have what it is made of (some five: a resample
/// misses m clusters with a probability of about exp(-m)) that those it can be made of say little.
pub const MAX_MISSING: f64 = 0.01;

/// A percentile interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PercentileInterval {
    /// The lower end, in the unit of the values.
    pub low: f64,
    /// The upper end, in the unit of the values.
    pub high: f64,
    /// The confidence level, in (0, 1).
    pub level: f64,
    /// The resamples that it rests on: those that have the number.
    pub resamples: usize,
}

/// What a bootstrap distribution says of a number.
#[derive(Debug, Clone, PartialEq)]
pub struct PercentileEstimate {
    /// The interval, where enough resamples have the number and not all have the same.
    pub ci: Option<PercentileInterval>,
    /// The two-sided p-value of the number being 0: 1 - level of the widest interval that leaves 0 out. `None` where too
    /// few resamples have the number, and where it is the same in every one.
    pub p_value: Option<f64>,
    /// Resamples without the number: those whose value is NaN.
    pub missing: usize,
    /// Why there is no interval or no p-value.
    pub reason: Option<String>,
}

/// Reads a percentile interval at `level` off `values`, one a resample, in any order; NaN stands for a resample that does not
/// have the number.
///
/// # Errors
/// `empty_input` for no values, `not_finite` with the index (as the row) for one that is infinite, `bad_argument` for a level
/// outside (0, 1), for values too few for it and for more than 10 million.
pub fn percentile_interval(values: &[f64], level: f64) -> Result<PercentileEstimate> {
    check_level(level)?;
    if values.is_empty() {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "there are no resamples",
            "pass one value a resample",
        )
        .in_input("values"));
    }
    check_count("values", values.len(), level)?;
    check_size("values", values.len())?;
    if let Some(index) = values.iter().position(|x| x.is_infinite()) {
        return Err(MetricsError::new(
            ErrorCode::NotFinite,
            format!("a value is {}", values[index]),
            "pass NaN for a resample without a value",
        )
        .in_input("values")
        .at_row(index));
    }
    let mut ascending: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    ascending.sort_unstable_by(f64::total_cmp);
    let (all, missing) = (values.len(), values.len() - ascending.len());
    let none = |reason| {
        Ok(PercentileEstimate {
            ci: None,
            p_value: None,
            missing,
            reason: Some(reason),
        })
    };
    if missing as f64 > MAX_MISSING * all as f64 {
        return none(format!(
            "{missing} of {all} resamples lack what the number is made of; at most {} % may: too few clusters have it",
            100.0 * MAX_MISSING
        ));
    }
    let (low, high) = match ends(&ascending, Shape::default(), level) {
        Ok(ends) => ends,
        Err(reason) => return none(reason),
    };
    // At most a share of the values was left out, so that there is a first and a last.
    let (first, last) = (ascending[0], ascending[ascending.len() - 1]);
    let size = first.abs().max(last.abs());
    if !(last - first).is_finite() {
        return Err(MetricsError::new(
            ErrorCode::NotFinite,
            "the values are so large that their differences overflow",
            "scale them down",
        )
        .in_input("values"));
    }
    let spread = last - first > SPREAD_ROUNDING * size;
    // An interval of width 0 claims too much.
    let wide = spread && low < high;
    Ok(PercentileEstimate {
        ci: wide.then_some(PercentileInterval {
            low,
            high,
            level,
            resamples: ascending.len(),
        }),
        // Rounding makes differences that are 0 miss it by an ulp.
        p_value: spread.then(|| p_value(&ascending, Shape::default(), 0.0, TIE * size)),
        missing,
        reason: (!wide).then(|| SAME_RESAMPLES.to_owned()),
    })
}
