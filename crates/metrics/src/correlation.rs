//! How strongly two columns go together: Pearson's and Spearman's correlation, with an interval and a test.

use crate::clusters::SPREAD_ROUNDING;
use crate::distribution::{normal_quantile, student_tails};
use crate::error::{ErrorCode, MetricsError, Result};
use crate::interval::{check_level, DEFAULT_LEVEL};
use crate::ranks::{mid_ranks, permutation_p_value, EXACT_UP_TO};
use crate::shape;
use crate::wide::Wide;

/// A correlation is known to some 1e-15, so that one this near to 1 counts as 1.
const LINE: f64 = 1e-14;

/// What is correlated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CorrelationMethod {
    /// The values: how near the pairs lie to a line.
    #[default]
    Pearson,
    /// Their ranks, equal values sharing the mean of theirs: how near the pairs are to one order.
    Spearman,
}

impl CorrelationMethod {
    /// The name in results and options.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pearson => "pearson",
            Self::Spearman => "spearman",
        }
    }
}

impl std::str::FromStr for CorrelationMethod {
    type Err = MetricsError;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "pearson" => Ok(Self::Pearson),
            "spearman" => Ok(Self::Spearman),
            _ => Err(MetricsError::new(
                ErrorCode::BadArgument,
                format!("`{name}` is no correlation"),
                "choose `pearson` or `spearman`",
            )
            .in_input("method")),
        }
    }
}

/// How the p-value of a correlation of 0 is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CorrelationTest {
    /// Student's t at r sqrt((n - 2) / (1 - r^2)) with n - 2 degrees of freedom.
    Student,
    /// The share of all orders of one column whose correlation is as far from 0.
    Permutation,
}

impl CorrelationTest {
    /// The name in results.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Permutation => "permutation",
        }
    }
}

/// Which correlation is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorrelationRequest {
    /// What is correlated.
    pub method: CorrelationMethod,
    /// The confidence level, in (0, 1).
    pub level: f64,
    /// Whether ranks of few pairs get Student's t too, as most programs do it, and not the exact test.
    pub approximate: bool,
}

impl Default for CorrelationRequest {
    fn default() -> Self {
        Self {
            method: CorrelationMethod::default(),
            level: DEFAULT_LEVEL,
            approximate: false,
        }
    }
}

/// The interval of a correlation by Fisher's transformation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FisherInterval {
    /// The lower end, in [-1, 1].
    pub low: f64,
    /// The upper end, in [-1, 1].
    pub high: f64,
    /// The confidence level, in (0, 1).
    pub level: f64,
}

/// A correlation and how much stands behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlation {
    /// What is correlated.
    pub method: CorrelationMethod,
    /// In [-1, 1]; `None` for a single pair and where one column is constant.
    pub r: Option<f64>,
    /// The pairs.
    pub n: usize,
    /// The interval, where the pairs allow one: 4 or more that do not lie on a line.
    pub ci: Option<FisherInterval>,
    /// The two-sided p-value of a correlation of 0, where the pairs give one.
    pub p_value: Option<f64>,
    /// How `p_value` was made, where there is one.
    pub test: Option<CorrelationTest>,
    /// Why something is missing.
    pub reason: Option<String>,
}

/// The correlation of `x` with `y`, whose entries belong to the same rows.
///
/// # Errors
/// `empty_input` for no rows, `length_mismatch` when `y` is not as long as `x`, `not_finite` with the input and the row for a
/// NaN or an infinity, `bad_argument` for a level outside (0, 1).
pub fn correlation(x: &[f64], y: &[f64], request: &CorrelationRequest) -> Result<Correlation> {
    check_level(request.level)?;
    shape::same_length("y", y.len(), x.len())?;
    if x.is_empty() {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "a correlation of 0 pairs",
            "report that there is no data instead",
        )
        .in_input("x"));
    }
    for (input, column) in [("x", x), ("y", y)] {
        if let Some(row) = column.iter().position(|value| !value.is_finite()) {
            return Err(MetricsError::new(
                ErrorCode::NotFinite,
                format!("a value is {}", column[row]),
                "leave out rows that lack one of the two",
            )
            .in_input(input)
            .at_row(row));
        }
    }
    let n = x.len();
    let mut found = Correlation {
        method: request.method,
        r: None,
        n,
        ci: None,
        p_value: None,
        test: None,
        reason: None,
    };
    if n == 1 {
        found.reason = Some("only 1 pair; a correlation needs at least 2".to_owned());
        return Ok(found);
    }
    let (Some(mut of_x), Some(mut of_y)) = (Deviations::new(x), Deviations::new(y)) else {
        let constant = |column: &[f64]| Deviations::new(column).is_none();
        let which = match (constant(x), constant(y)) {
            (true, true) => "x and y are",
            (true, false) => "x is",
            _ => "y is",
        };
        found.reason = Some(format!(
            "{which} constant, so that nothing can go together with it"
        ));
        return Ok(found);
    };
    let mut ranks = None;
    if request.method == CorrelationMethod::Spearman {
        let (x, y) = (mid_ranks(x), mid_ranks(y));
        // Ranks of a column that is not constant are not constant.
        if let (Some(x), Some(y)) = (Deviations::new(&x), Deviations::new(&y)) {
            (of_x, of_y) = (x, y);
        }
        ranks = Some((x, y));
    }
    let r = of_x.correlation(&of_y);
    found.r = Some(r);
    found.ci = fisher(r, n, request);
    (found.p_value, found.test) = match ranks {
        Some((x, y)) if n <= EXACT_UP_TO && !request.approximate || r.abs() == 1.0 => (
            Some(permutation_p_value(&x, &y)),
            Some(CorrelationTest::Permutation),
        ),
        _ if n > 2 && r.abs() < 1.0 => (Some(student(r, n)), Some(CorrelationTest::Student)),
        _ => (None, None),
    };
    found.reason = explain_absence(&found);
    Ok(found)
}

/// A column's deviations from its mean.
struct Deviations {
    values: Vec<f64>,
    /// The sum of their squares.
    squares: f64,
}

impl Deviations {
    /// Of a column that is not constant: one whose spread is more than the rounding of its values.
    fn new(column: &[f64]) -> Option<Self> {
        let scale = Scale::from_column(column);
        let n = column.len() as f64;
        let sum = column
            .iter()
            .fold(Wide::default(), |sum, &x| sum.plus(scale.times(x)));
        let mean = sum.over(n);
        let deviation = |&x: &f64| Wide::from(scale.times(x)).minus_wide(mean).value();
        let values: Vec<f64> = column.iter().map(deviation).collect();
        let squares = values
            .iter()
            .fold(Wide::default(), |sum, d| sum.plus(d * d))
            .value();
        let spread = (squares / n).sqrt();
        let size = (squares / n + mean.value() * mean.value()).sqrt();
        (spread > SPREAD_ROUNDING * size).then_some(Self { values, squares })
    }

    /// In [-1, 1].
    fn correlation(&self, other: &Self) -> f64 {
        let products = self.values.iter().zip(&other.values).map(|(a, b)| a * b);
        let sum = products.fold(Wide::default(), Wide::plus).value();
        // The root of a product, and not two roots: that of a square is exact.
        let r = sum / (self.squares * other.squares).sqrt();
        if r.abs() > 1.0 - LINE {
            r.signum()
        } else {
            r
        }
    }
}

/// The power of two that brings the largest value of a column near 1, in two factors: one alone may be beyond float64. It
/// costs no digit, and no square or sum can overflow or vanish.
struct Scale(f64, f64);

impl Scale {
    fn from_column(column: &[f64]) -> Self {
        let largest = column
            .iter()
            .fold(0.0f64, |largest, x| largest.max(x.abs()));
        if largest == 0.0 {
            return Self(1.0, 1.0);
        }
        let exponent = -(largest.log2().floor() as i32);
        let half = exponent / 2;
        Self(2f64.powi(half), 2f64.powi(exponent - half))
    }

    fn times(&self, x: f64) -> f64 {
        x * self.0 * self.1
    }
}

/// Fisher's interval (1921): atanh(r) is nearly normal with variance 1 / (n - 3); that of ranks has (1 + r^2 / 2) / (n - 3)
/// (Bonett and Wright 2000).
fn fisher(r: f64, n: usize, request: &CorrelationRequest) -> Option<FisherInterval> {
    if n < 4 || r.abs() == 1.0 {
        return None;
    }
    let widened = match request.method {
        CorrelationMethod::Pearson => 1.0,
        CorrelationMethod::Spearman => 1.0 + r * r / 2.0,
    };
    let half = normal_quantile(request.level) * (widened / (n as f64 - 3.0)).sqrt();
    let z = r.atanh();
    Some(FisherInterval {
        low: (z - half).tanh(),
        high: (z + half).tanh(),
        level: request.level,
    })
}

fn student(r: f64, n: usize) -> f64 {
    let freedom = n as f64 - 2.0;
    student_tails(r * (freedom / ((1.0 - r) * (1.0 + r))).sqrt(), freedom)
}

/// Why `found`, which has a correlation, has no interval or no p-value.
fn explain_absence(found: &Correlation) -> Option<String> {
    let line = found.r.is_some_and(|r| r.abs() == 1.0);
    let ranks = found.method == CorrelationMethod::Spearman;
    match (&found.ci, found.p_value) {
        (Some(_), Some(_)) => None,
        _ if found.n < 4 => Some(format!(
            "only {} pairs{}; an interval of a correlation needs at least 4",
            found.n,
            if line && !ranks { ", on a line" } else { "" }
        )),
        _ if ranks => {
            Some("both columns have one order; nothing says how far an interval reaches".to_owned())
        }
        _ => Some("all pairs lie on a line; nothing says how they scatter about it".to_owned()),
    }
}
