//! Tests against a margin: equivalence by two one-sided tests (Schuirmann 1987) and non-inferiority, and the least effect that a
//! test of so many rows finds.

use crate::aggregate::AggregateRequest;
use crate::distribution::{
    normal_cdf, normal_inverse, normal_quantile, student_quantile, student_tails,
};
use crate::error::{ErrorCode, MetricsError, Result};
use crate::interval::check_level;
use crate::noncentral::{bisect, t_power};
use crate::shape;
use crate::tango::{self, tango};

/// What two one-sided tests say of a difference a - b.
#[derive(Debug, Clone, PartialEq)]
pub struct Equivalence {
    /// The difference.
    pub difference: f64,
    /// The interval at level 1 - 2 alpha (90 % for a level of 95 %): within the margins exactly where the tests find equivalence.
    pub interval: Option<(f64, f64)>,
    /// One-sided, of a difference of -margin or less: small where a is not inferior to b.
    pub p_non_inferiority: Option<f64>,
    /// The larger of both one-sided p-values: small where the difference lies within the margins.
    pub p_equivalence: Option<f64>,
    /// Why it is missing.
    pub reason: Option<String>,
}

/// Tests a mean difference of pairs against `margin` by Student's t over the clusters of `request` (gate and range are not looked at).
///
/// # Errors
/// Those of [`paired_difference`](crate::paired_difference), and `bad_argument` for a margin that is not above 0.
pub fn mean_equivalence(
    a: &[f64],
    b: &[f64],
    margin: f64,
    request: &AggregateRequest<'_>,
) -> Result<Equivalence> {
    check_margin(margin, f64::INFINITY)?;
    shape::same_length("b", b.len(), a.len())?;
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let request = AggregateRequest {
        gate: None,
        range: None,
        ci: crate::interval::CiMethod::Cluster,
        ..*request
    };
    let (sample, estimate) = request.estimate(&differences)?;
    let mean = sample.mean;
    let robust = match estimate.and_then(|_| sample.robust("a test against a margin")) {
        Ok(robust) => robust,
        Err(reason) => {
            return Ok(Equivalence {
                difference: mean,
                interval: None,
                p_non_inferiority: None,
                p_equivalence: None,
                reason: Some(reason),
            })
        }
    };
    let beyond = |t: f64| {
        let tail = 0.5 * student_tails(t, robust.freedom);
        if t > 0.0 {
            tail
        } else {
            1.0 - tail
        }
    };
    let (above, below) = (
        beyond((mean + margin) / robust.error),
        beyond((margin - mean) / robust.error),
    );
    let half = student_quantile(one_sided(request.level), robust.freedom) * robust.error;
    Ok(Equivalence {
        difference: mean,
        interval: Some((mean - half, mean + half)),
        p_non_inferiority: Some(above),
        p_equivalence: Some(above.max(below)),
        reason: None,
    })
}

/// Tests the difference of two shares over the same `n` rows (`b` only the first has as hits, `c` only the second) against `margin`
/// by Tango's score (Tango 1998).
///
/// # Errors
/// Those of [`tango`], and `bad_argument` for a margin outside (0, 1).
pub fn share_equivalence(b: u64, c: u64, n: u64, margin: f64, level: f64) -> Result<Equivalence> {
    check_margin(margin, 1.0)?;
    let found = tango(b, c, n, one_sided(check_level(level)?))?;
    let score =
        |first: u64, second: u64| tango::score(first as f64, second as f64, n as f64, -margin);
    let (above, below) = (normal_cdf(-score(b, c)), normal_cdf(-score(c, b)));
    Ok(Equivalence {
        difference: found.mean,
        interval: Some((found.low, found.high)),
        p_non_inferiority: Some(above),
        p_equivalence: Some(above.max(below)),
        reason: None,
    })
}

/// The level whose two-sided interval belongs to one-sided tests at `level`.
fn one_sided(level: f64) -> f64 {
    // At levels of 50 % or less one-sided tests have no two-sided interval.
    (2.0 * level - 1.0).max(f64::EPSILON)
}

fn check_margin(margin: f64, most: f64) -> Result<()> {
    if margin > 0.0 && margin < most {
        return Ok(());
    }
    Err(MetricsError::new(
        ErrorCode::BadArgument,
        format!("a margin of {margin}"),
        "pass the largest difference that still counts as none, above 0 and, of shares, below 1",
    )
    .in_input("margin"))
}

/// The least effects that a two-sided test finds with a given power.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DetectableEffect {
    /// As Cohen's d: of the t-test.
    pub d: f64,
    /// As Cohen's h: of the normal test of shares.
    pub h: f64,
}

/// The least standardised effect that a two-sided test at `level` finds with probability `power`, for `n` pairs (the paired t-test; d is
/// d_z), or, `independent`, for two groups of `n` rows each (Cohen 1988).
///
/// # Errors
/// `bad_argument` for fewer than 2 rows, and for a level or a power outside (0, 1) or a power not above 1 - level.
pub fn minimum_detectable_effect(
    n: u64,
    independent: bool,
    level: f64,
    power: f64,
) -> Result<DetectableEffect> {
    let z = normal_quantile(check_level(level)?);
    if n < 2 {
        return Err(MetricsError::new(
            ErrorCode::BadArgument,
            format!("the power of {n} rows"),
            "pass 2 rows or more",
        )
        .in_input("n"));
    }
    if !(power > 1.0 - level && power < 1.0) {
        return Err(MetricsError::new(
            ErrorCode::BadArgument,
            format!("a power of {power}"),
            "pass one between 1 - level and 1, such as 0.8",
        )
        .in_input("power"));
    }
    let rows = n as f64;
    let (freedom, scale) = if independent {
        (2.0 * rows - 2.0, (2.0 / rows).sqrt())
    } else {
        (rows - 1.0, (1.0 / rows).sqrt())
    };
    let most =
        2.0 * (student_quantile(level, freedom) + 10.0) * student_quantile(power, freedom).max(1.0);
    let shift = bisect(0.0, most, |shift| t_power(freedom, level, shift) < power);
    let shifted = |shift: f64| normal_cdf(shift - z) + normal_cdf(-shift - z);
    let start = z + normal_inverse(power).abs() + 1.0;
    Ok(DetectableEffect {
        d: scale * shift,
        h: scale * bisect(0.0, 2.0 * start, |shift| shifted(shift) < power),
    })
}
