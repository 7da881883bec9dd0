//! Confidence intervals and the quantiles they rest on.
//!
//! Quantiles come from statrs. Two of them are fixed by definition instead: the `normal` interval of a mean uses 1.96
//! at level 0.95, as the reference definition of the metric does, while the Wilson interval uses the exact quantile.

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};
use statrs::function::erf::erfc;

use crate::bootstrap::BootstrapKind;
use crate::error::{ErrorCode, MetricsError, Result};

/// The confidence level where none is asked.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// The reference constant of the `normal` interval at [`DEFAULT_LEVEL`].
const REFERENCE_Z: f64 = 1.96;

/// Degrees of freedom from which Student's quantile is expanded around the normal one: up to a level of 0.999, the terms
/// left out are below 1e-10 of it. The exact quantile rests on an incomplete beta function that gets inaccurate there.
const EXPANDED_FROM: f64 = 200.0;

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
    /// For [`CiMethod::Bootstrap`]: how its ends were read off.
    pub bootstrap: Option<BootstrapKind>,
    /// For [`CiMethod::Bootstrap`]: the number of resamples.
    pub resamples: Option<usize>,
    /// For [`CiMethod::Bootstrap`]: the seed.
    pub seed: Option<u64>,
}

impl Interval {
    /// An interval of that method with all else to be filled in.
    pub(crate) fn of(method: CiMethod) -> Self {
        Self {
            method,
            level: DEFAULT_LEVEL,
            low: 0.0,
            high: 0.0,
            clusters: None,
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
    let (trials, mean) = (n as f64, successes as f64 / n as f64);
    let shrink = 1.0 + z * z / trials;
    let centre = (mean + z * z / (2.0 * trials)) / shrink;
    let half = z / shrink * (mean * (1.0 - mean) / trials + z * z / (4.0 * trials * trials)).sqrt();
    Ok(Proportion {
        mean,
        // The ends are exact at 0 and n successes; elsewhere nothing but rounding can lie outside [0, 1].
        low: if successes == 0 {
            0.0
        } else {
            (centre - half).max(0.0)
        },
        high: if successes == n {
            1.0
        } else {
            (centre + half).min(1.0)
        },
        n,
        level,
    })
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

/// The two-sided quantile of the normal distribution; `level` lies in (0, 1).
fn normal_quantile(level: f64) -> f64 {
    normal_inverse(0.5 + 0.5 * level)
}

/// The point below which the standard normal distribution has `probability`.
pub(crate) fn normal_inverse(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// The probability of the standard normal distribution below `z`.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// The probability of the standard normal distribution beyond `z` on both sides.
pub(crate) fn normal_tails(z: f64) -> f64 {
    erfc(z.abs() * std::f64::consts::FRAC_1_SQRT_2)
}

/// The probability of Student's t distribution beyond `t` on both sides; `freedom` is 1 or more.
pub(crate) fn student_tails(t: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if freedom < EXPANDED_FROM => 2.0 * student.sf(t.abs()),
        _ => normal_tails(normal_of_student(t, freedom)),
    }
}

/// The normal deviate with the tail of Student's `t` (Hill 1970, algorithm 395), for many degrees of freedom.
fn normal_of_student(t: f64, freedom: f64) -> f64 {
    let a = freedom - 0.5;
    let b = 48.0 * a * a;
    let y = a * (t * t / freedom).ln_1p();
    let top = (((-0.4 * y - 3.3) * y - 24.0) * y - 85.5) / (0.8 * y * y + 100.0 + b);
    ((top + y + 3.0) / b + 1.0) * y.sqrt()
}

/// The two-sided quantile of Student's t distribution; `level` lies in (0, 1), `freedom` is 1 or more.
pub(crate) fn student_quantile(level: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if freedom < EXPANDED_FROM => exact_student_quantile(&student, level),
        _ => expanded_student_quantile(normal_quantile(level), freedom),
    }
}

/// statrs inverts the distribution to some 8 digits; a Newton step on its upper tail, which is exact, doubles them.
fn exact_student_quantile(student: &StudentsT, level: f64) -> f64 {
    let tail = 0.5 - 0.5 * level;
    let start = student.inverse_cdf(0.5 + 0.5 * level);
    let step = (student.sf(start) - tail) / student.pdf(start);
    if step.is_finite() {
        start + step
    } else {
        start
    }
}

/// Cornish-Fisher expansion in 1/freedom (Abramowitz and Stegun 26.7.5).
fn expanded_student_quantile(z: f64, freedom: f64) -> f64 {
    let square = z * z;
    let g1 = (square + 1.0) / 4.0;
    let g2 = ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let g3 = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    let g4 = ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0)
        / 92160.0;
    z * (1.0 + (g1 + (g2 + (g3 + g4 / freedom) / freedom) / freedom) / freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What quantiles reach: far below the digits that anyone prints.
    const QUANTILE_ERROR: f64 = 1e-11;

    /// What the terms left out of the expansion amount to where it takes over.
    const EXPANSION_ERROR: f64 = 1e-10;

    const LEVELS: [f64; 6] = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999];

    fn assert_close(got: f64, want: f64, tolerance: f64) {
        assert!(
            (got / want - 1.0).abs() < tolerance,
            "got {got}, want {want}, off {:e}",
            got / want - 1.0
        );
    }

    #[test]
    fn student_quantiles_meet_the_closed_forms() {
        for level in LEVELS {
            let one = (std::f64::consts::FRAC_PI_2 * level).tan();
            assert_close(student_quantile(level, 1.0), one, QUANTILE_ERROR);
            let two = level * (2.0 / (1.0 - level * level)).sqrt();
            assert_close(student_quantile(level, 2.0), two, QUANTILE_ERROR);
            let alpha = (1.0 - level * level).sqrt();
            let four = 2.0 * ((alpha.acos() / 3.0).cos() / alpha - 1.0).sqrt();
            assert_close(student_quantile(level, 4.0), four, QUANTILE_ERROR);
        }
    }

    #[test]
    fn student_quantiles_join_their_expansion() {
        for level in LEVELS {
            let freedom = EXPANDED_FROM - 1.0;
            let expanded = expanded_student_quantile(normal_quantile(level), freedom);
            assert_close(student_quantile(level, freedom), expanded, EXPANSION_ERROR);
        }
        assert_close(
            student_quantile(0.95, 1e12),
            normal_quantile(0.95),
            QUANTILE_ERROR,
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
