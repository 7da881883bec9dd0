//! Confidence intervals: what they are asked for by, what they look like, and that of a proportion.
//!
//! One quantile is fixed by definition: the `normal` interval of a mean uses 1.96 at level 0.95, as the reference definition
//! of the metric does, while the Wilson interval uses the exact quantile.

use crate::distribution::normal_quantile;
use crate::error::{ErrorCode, MetricsError, Result};
use crate::range::Scale;

/// The confidence level where none is asked.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// The reference constant of the `normal` interval at [`DEFAULT_LEVEL`].
const REFERENCE_Z: f64 = 1.96;

/// How an interval of a mean of steps is made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CiMethod {
    /// `mean +- z * population sd / sqrt(n)` over the gated steps, as if steps were independent.
    Normal,
    /// Ratio estimator with prompts as clusters, Student t with one degree of freedom less than clusters.
    #[default]
    Cluster,
    /// Prompts as clusters, drawn anew thousands of times; for distributions that are skewed.
    Bootstrap,
}

impl CiMethod {
    /// The name in results and options.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Cluster => "cluster",
            Self::Bootstrap => "bootstrap",
        }
    }
}

impl std::str::FromStr for CiMethod {
    type Err = MetricsError;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "normal" => Ok(Self::Normal),
            "cluster" => Ok(Self::Cluster),
            "bootstrap" => Ok(Self::Bootstrap),
            _ => Err(MetricsError::new(
                ErrorCode::BadArgument,
                format!("`{name}` is no interval method"),
                "choose `cluster`, `bootstrap` or `normal`",
            )
            .in_input("ci")),
        }
    }
}

/// How the ends of an interval are read off the bootstrap distribution.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BootstrapKind {
    /// Its quantiles.
    Percentile,
    /// Its quantiles, moved for bias and for a spread that changes with the mean (Efron 1987).
    #[default]
    Bca,
}

impl BootstrapKind {
    /// The name in results and options.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Percentile => "percentile",
            Self::Bca => "bca",
        }
    }
}

impl std::str::FromStr for BootstrapKind {
    type Err = MetricsError;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "percentile" => Ok(Self::Percentile),
            "bca" => Ok(Self::Bca),
            _ => Err(MetricsError::new(
                ErrorCode::BadArgument,
                format!("`{name}` is no bootstrap interval"),
                "choose `bca` or `percentile`",
            )
            .in_input("bootstrap")),
        }
    }
}

/// A confidence interval of a mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// How it was made.
    pub method: CiMethod,
    /// The confidence level, in (0, 1).
    pub level: f64,
    /// The lower end, in the unit of the values.
    pub low: f64,
    /// The upper end, in the unit of the values.
    pub high: f64,
    /// For [`CiMethod::Cluster`] and [`CiMethod::Bootstrap`]: the number of clusters with a gated step, 2 or more.
    pub clusters: Option<usize>,
    /// Of two ways to cluster: the number of clusters of the second.
    pub clusters2: Option<usize>,
    /// Where the quantity has a range: the scale on which the interval was made.
    pub scale: Option<Scale>,
    /// Whether an end was moved to the end of the range.
    pub clipped: bool,
    /// For [`CiMethod::Bootstrap`]: how its ends were read off.
    pub bootstrap: Option<BootstrapKind>,
    /// For [`CiMethod::Bootstrap`]: the number of resamples.
    pub resamples: Option<usize>,
    /// For [`CiMethod::Bootstrap`]: the seed.
    pub seed: Option<u64>,
}

impl Interval {
    /// An interval of that method with all else to be filled in.
    pub(crate) fn blank(method: CiMethod) -> Self {
        Self {
            method,
            level: DEFAULT_LEVEL,
            low: 0.0,
            high: 0.0,
            clusters: None,
            clusters2: None,
            scale: None,
            clipped: false,
            bootstrap: None,
            resamples: None,
            seed: None,
        }
    }
}

/// A proportion with its Wilson score interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proportion {
    /// `successes / n`, in [0, 1].
    pub mean: f64,
    /// The lower end, in [0, 1].
    pub low: f64,
    /// The upper end, in [0, 1].
    pub high: f64,
    /// The number of trials.
    pub n: u64,
    /// The confidence level, in (0, 1).
    pub level: f64,
}

/// The Wilson score interval of `successes` out of `n` at a confidence level (Wilson 1927, without continuity
/// correction), with the exact normal quantile.
///
/// # Errors
/// `empty_input` for an `n` of 0, `bad_argument` for more successes than trials or a level outside (0, 1).
pub fn wilson(successes: u64, n: u64, level: f64) -> Result<Proportion> {
    if n == 0 {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "a proportion of 0 trials",
            "report that there is no data instead",
        )
        .in_input("n"));
    }
    if successes > n {
        return Err(MetricsError::new(
            ErrorCode::BadArgument,
            format!("{successes} successes in {n} trials"),
            "pass at most as many successes as trials",
        )
        .in_input("successes"));
    }
    let z = normal_quantile(check_level(level)?);
    let mean = successes as f64 / n as f64;
    let (low, high) = score_ends(mean, n as f64, z);
    Ok(Proportion {
        mean,
        low,
        high,
        n,
        level,
    })
}

/// Wilson's ends for a share of `trials`, which need not be whole, at `z` standard errors.
pub(crate) fn score_ends(mean: f64, trials: f64, z: f64) -> (f64, f64) {
    let shrink = 1.0 + z * z / trials;
    let centre = (mean + z * z / (2.0 * trials)) / shrink;
    let half = z / shrink * (mean * (1.0 - mean) / trials + z * z / (4.0 * trials * trials)).sqrt();
    // The ends are exact at 0 and n successes; elsewhere nothing but rounding can lie outside [0, 1].
    let low = if mean == 0.0 {
        0.0
    } else {
        (centre - half).max(0.0)
    };
    let high = if mean == 1.0 {
        1.0
    } else {
        (centre + half).min(1.0)
    };
    (low, high)
}

/// `level` if it lies in (0, 1).
pub(crate) fn check_level(level: f64) -> Result<f64> {
    if level > 0.0 && level < 1.0 {
        return Ok(level);
    }
    Err(MetricsError::new(
        ErrorCode::BadArgument,
        format!("a confidence level of {level}"),
        "pass a level between 0 and 1, such as 0.95",
    )
    .in_input("level"))
}

/// How many standard errors the `normal` interval reaches to each side.
pub(crate) fn reference_quantile(level: f64) -> f64 {
    if level == DEFAULT_LEVEL {
        REFERENCE_Z
    } else {
        normal_quantile(level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What quantiles reach: far below the digits that anyone prints.
    const QUANTILE_ERROR: f64 = 1e-11;

    fn assert_close(got: f64, want: f64, tolerance: f64) {
        assert!(
            (got / want - 1.0).abs() < tolerance,
            "got {got}, want {want}"
        );
    }

    #[test]
    fn only_the_reference_level_has_a_fixed_constant() {
        assert_eq!(reference_quantile(0.95), 1.96);
        assert_close(
            reference_quantile(0.99),
            2.575_829_303_548_901,
            QUANTILE_ERROR,
        );
        assert_close(normal_quantile(0.95), 1.959_963_984_540_054, QUANTILE_ERROR);
    }

    #[test]
    fn wilson_refuses_what_is_no_proportion() {
        let code = |result: Result<Proportion>| result.err().map(|e| e.code());
        assert_eq!(code(wilson(0, 0, 0.95)), Some("empty_input"));
        assert_eq!(code(wilson(3, 2, 0.95)), Some("bad_argument"));
        for level in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(code(wilson(1, 2, level)), Some("bad_argument"));
        }
    }

    #[test]
    fn wilson_is_exact_at_its_ends() {
        let none = wilson(0, 5, 0.9).expect("valid");
        let all = wilson(5, 5, 0.9).expect("valid");
        assert_eq!((none.low, all.high), (0.0, 1.0));
        assert_close(none.high, 1.0 - all.low, QUANTILE_ERROR);
    }
}
