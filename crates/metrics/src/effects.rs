//! Sizes of effects, each with its interval: standardised mean differences, odds ratios and differences of shares on the arcsine
//! scale.

use statrs::function::gamma::ln_gamma;

use crate::distribution::normal_quantile;
use crate::error::{ErrorCode, MetricsError, Result};
use crate::interval::{check_level, score_ends};
use crate::noncentral::shift_of;
use crate::shape;

/// An effect with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// The effect.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The confidence level, in (0, 1).
    pub level: f64,
}

/// A standardised mean difference.
#[derive(Debug, Clone, PartialEq)]
pub struct StandardisedDifference {
    /// Cohen's d (of pairs d_z) with its interval; `None` without a spread.
    pub d: Option<Effect>,
    /// d less its bias in small samples (Hedges 1981).
    pub hedges_g: Option<f64>,
    /// Student's degrees of freedom.
    pub freedom: usize,
    /// Why it is missing.
    pub reason: Option<String>,
}

/// The mean difference of two groups in units of their pooled standard deviation (Cohen 1988), or, `paired`, of entries that belong
/// together in units of the standard deviation of their differences (d_z). The interval is that of the noncentral t distribution (Steiger and
/// Fouladi 1997); `hedges_g` is d times gamma(m/2) / (sqrt(m/2) gamma((m - 1)/2)), m the degrees of freedom.
///
/// # Errors
/// `empty_input` for a group without values, `length_mismatch` for pairs that are none, `not_finite` with input and row,
/// `bad_argument` for a level outside (0, 1).
pub fn cohen_d(a: &[f64], b: &[f64], paired: bool, level: f64) -> Result<StandardisedDifference> {
    check_level(level)?;
    for (input, values) in [("a", a), ("b", b)] {
        if values.is_empty() {
            let error = MetricsError::new(
                ErrorCode::EmptyInput,
                "a group without values",
                "report that there is no data instead",
            );
            return Err(error.in_input(input));
        }
        if let Some(row) = values.iter().position(|x| !x.is_finite()) {
            let what = format!("a value is {}", values[row]);
            let error = MetricsError::new(ErrorCode::NotFinite, what, "leave it out");
            return Err(error.in_input(input).at_row(row));
        }
    }
    let (difference, spread, freedom, scale) = if paired {
        shape::same_length("b", b.len(), a.len())?;
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        let (mean, squares) = moments(&differences);
        let (n, freedom) = (a.len() as f64, a.len() - 1);
        (mean, squares, freedom, 1.0 / n.sqrt())
    } else {
        let ((first, one), (second, two)) = (moments(a), moments(b));
        let scale = (1.0 / a.len() as f64 + 1.0 / b.len() as f64).sqrt();
        (first - second, one + two, a.len() + b.len() - 2, scale)
    };
    let none = |reason: &str| {
        Ok(StandardisedDifference {
            d: None,
            hedges_g: None,
            freedom,
            reason: Some(reason.to_owned()),
        })
    };
    if freedom == 0 {
        return none("too few values for a standard deviation");
    }
    let deviation = (spread / freedom as f64).sqrt();
    let size = a.iter().chain(b).fold(0.0f64, |most, x| most.max(x.abs()));
    if deviation <= crate::clusters::SPREAD_ROUNDING * size {
        return none("all values are equal; a standard deviation needs some that differ");
    }
    let (d, m) = (difference / deviation, freedom as f64);
    let t = d / scale;
    let tail = 0.5 - 0.5 * level;
    let correction = if freedom < 2 {
        None
    } else {
        Some((ln_gamma(0.5 * m) - ln_gamma(0.5 * (m - 1.0)) - 0.5 * (0.5 * m).ln()).exp())
    };
    Ok(StandardisedDifference {
        d: Some(Effect {
            value: d,
            low: scale * shift_of(t, m, 1.0 - tail),
            high: scale * shift_of(t, m, tail),
            level,
        }),
        hedges_g: correction.map(|j| d * j),
        freedom,
        reason: None,
    })
}

/// The mean, and the sum of squares about it.
fn moments(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (mean, values.iter().map(|x| (x - mean) * (x - mean)).sum())
}

/// The odds of hits in a first group (`a` hits, `b` misses) over those in a second (`c`, `d`), with the interval of Woolf 1955 on
/// the log scale. Where a cell is 0, half a row is added to each (Haldane 1956, Anscombe 1956), and the flag says so.
///
/// # Errors
/// `empty_input` for a group without rows, `bad_argument` for a level outside (0, 1).
pub fn odds_ratio(a: u64, b: u64, c: u64, d: u64, level: f64) -> Result<(Effect, bool)> {
    let z = normal_quantile(check_level(level)?);
    if a.saturating_add(b) == 0 || c.saturating_add(d) == 0 {
        return Err(no_rows("a group without rows"));
    }
    let corrected = [a, b, c, d].contains(&0);
    let [a, b, c, d] = [a, b, c, d].map(|count| count as f64 + if corrected { 0.5 } else { 0.0 });
    let log = (a * d / (b * c)).ln();
    let error = (1.0 / a + 1.0 / b + 1.0 / c + 1.0 / d).sqrt();
    let effect = Effect {
        value: log.exp(),
        low: (log - z * error).exp(),
        high: (log + z * error).exp(),
        level,
    };
    Ok((effect, corrected))
}

/// The conditional odds ratio b / c of two runs over the same rows, of which `b` only the first has as hits and `c` only the second
/// (McNemar's table), with the odds of Wilson's ends of b / (b + c) (Fagerland, Lydersen and Laake 2014). It is infinite for a `c` of 0.
///
/// # Errors
/// `empty_input` where the runs disagree nowhere, `bad_argument` for a level outside (0, 1).
pub fn paired_odds_ratio(b: u64, c: u64, level: f64) -> Result<Effect> {
    let z = normal_quantile(check_level(level)?);
    let n = b as f64 + c as f64;
    if n == 0.0 {
        return Err(no_rows("runs that disagree nowhere"));
    }
    let (low, high) = score_ends(b as f64 / n, n, z);
    Ok(Effect {
        value: b as f64 / c as f64,
        low: low / (1.0 - low),
        high: high / (1.0 - high),
        level,
    })
}

/// Cohen's h, the difference of two shares on the scale 2 asin(sqrt(p)), with the normal interval of variance 1/n1 + 1/n2 (Cohen
/// 1988, chapter 6), for shares of independent rows.
///
/// # Errors
/// `empty_input` for a group without rows, `bad_argument` for more hits than rows or a level outside (0, 1).
pub fn cohen_h(hits1: u64, n1: u64, hits2: u64, n2: u64, level: f64) -> Result<Effect> {
    let z = normal_quantile(check_level(level)?);
    if n1 == 0 || n2 == 0 {
        return Err(no_rows("a group without rows"));
    }
    if hits1 > n1 || hits2 > n2 {
        return Err(MetricsError::new(
            ErrorCode::BadArgument,
            format!("{hits1} hits in {n1} rows, {hits2} in {n2}"),
            "pass at most as many hits as rows",
        ));
    }
    let angle = |hits: u64, n: u64| 2.0 * (hits as f64 / n as f64).sqrt().asin();
    let value = angle(hits1, n1) - angle(hits2, n2);
    let half = z * (1.0 / n1 as f64 + 1.0 / n2 as f64).sqrt();
    Ok(Effect {
        value,
        low: (value - half).max(-std::f64::consts::PI),
        high: (value + half).min(std::f64::consts::PI),
        level,
    })
}

fn no_rows(what: &str) -> MetricsError {
    MetricsError::new(
        ErrorCode::EmptyInput,
        what,
        "report that there is no data instead",
    )
}
