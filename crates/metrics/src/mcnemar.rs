//! McNemar's test: do two runs that answered the same yes-or-no rows differ in how often they are right?
//!
//! Only the rows on which they disagree count: b of one kind, c of the other. Under the hypothesis that they do not differ, b is
//! binomial with n = b + c and 1/2.

use crate::distribution::normal_tails;
use crate::error::{ErrorCode, MetricsError, Result};

/// Up to this many disagreements the test is exact. It costs a multiplication each, and 2^-n is still a normal number; beyond
/// it, the approximation is within 2 % of the exact value wherever that is above 1e-4.
const EXACT_UP_TO: u64 = 1000;

/// The largest count that `f64` holds exactly, with all below it.
const MAX_COUNT: u64 = 1 << 53;

/// How a p-value of McNemar's test is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McNemarMethod {
    /// From the binomial distribution: twice the smaller tail, at most 1.
    Exact,
    /// From the chi-squared distribution with one degree of freedom, continuity corrected (Edwards 1948).
    Chi2,
}

impl McNemarMethod {
    /// The name in results.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Chi2 => "chi2",
        }
    }
}

/// The outcome of McNemar's test.
#[derive(Debug, Clone, PartialEq)]
pub struct McNemar {
    /// `exact`: the smaller of the two counts; `chi2`: (|b - c| - 1)^2 / (b + c).
    pub statistic: Option<f64>,
    /// Two-sided, in (0, 1]; 0 only where it is too small for an `f64`.
    pub p_value: Option<f64>,
    /// How it was made.
    pub method: McNemarMethod,
    /// The disagreements, b + c.
    pub n: u64,
    /// Why there is no p-value.
    pub reason: Option<String>,
}

/// McNemar's test on `b` rows that only the first run got right and `c` that only the second did.
///
/// # Errors
/// `bad_argument` for counts above 2^53 in sum.
pub fn mcnemar(b: u64, c: u64) -> Result<McNemar> {
    let n = match b.checked_add(c) {
        Some(n) if n <= MAX_COUNT => n,
        _ => {
            return Err(MetricsError::new(
                ErrorCode::BadArgument,
                format!("{b} and {c} disagreements are too many"),
                "pass counts of rows",
            )
            .in_input("b"))
        }
    };
    let (method, statistic, p_value) = if n <= EXACT_UP_TO {
        let fewer = b.min(c);
        (McNemarMethod::Exact, fewer as f64, exact(fewer, n, b == c))
    } else {
        let apart = (b.abs_diff(c) as f64 - 1.0).max(0.0);
        let statistic = apart * apart / n as f64;
        (
            McNemarMethod::Chi2,
            statistic,
            normal_tails(statistic.sqrt()),
        )
    };
    Ok(McNemar {
        statistic: (n > 0).then_some(statistic),
        p_value: (n > 0).then_some(p_value),
        method,
        n,
        reason: (n == 0).then(|| "the runs disagree on no row".to_owned()),
    })
}

/// Twice the probability of at most `fewer` of `n`, each of probability 1/2.
fn exact(fewer: u64, n: u64, even: bool) -> f64 {
    if even {
        return 1.0;
    }
    let mut term = 0.5f64.powi(n as i32);
    let mut tail = term;
    for k in 0..fewer {
        term *= (n - k) as f64 / (k + 1) as f64;
        tail += term;
    }
    (2.0 * tail).min(1.0)
}
