//! The difference between two shares over the same rows, with Tango's score interval (Tango 1998).
//!
//! It is to McNemar's test what Wilson's interval is to the test of a share: it holds the differences that a score test does not
//! refuse, and leaves 0 out exactly where (b - c)^2 / (b + c), McNemar's statistic without correction, exceeds z^2.

use crate::distribution::normal_quantile;
use crate::error::{ErrorCode, MetricsError, Result};
use crate::interval::check_level;

/// Halvings of an interval of width 2 that leave less than an ulp of 1.
const HALVINGS: usize = 60;

/// A difference of two shares with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SharesDifference {
    /// `(b - c) / n`, in [-1, 1].
    pub mean: f64,
    /// The lower end, in [-1, 1].
    pub low: f64,
    /// The upper end, in [-1, 1].
    pub high: f64,
    /// The rows.
    pub n: u64,
    /// The confidence level, in (0, 1).
    pub level: f64,
}

/// The first share less the second over `n` rows, `b` of which only the first has as hits, and `c` only the second.
///
/// # Errors
/// `empty_input` for an `n` of 0, `bad_argument` for more disagreements than rows or a level outside (0, 1).
pub fn tango(b: u64, c: u64, n: u64, level: f64) -> Result<SharesDifference> {
    if n == 0 {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "a difference of shares over 0 rows",
            "report that there is no data instead",
        )
        .in_input("n"));
    }
    if b.checked_add(c).is_none_or(|sum| sum > n) {
        return Err(MetricsError::new(
            ErrorCode::BadArgument,
            format!("{b} and {c} disagreements in {n} rows"),
            "pass at most as many disagreements as rows",
        )
        .in_input("b"));
    }
    let z = normal_quantile(check_level(level)?);
    let (first, second, rows) = (b as f64, c as f64, n as f64);
    Ok(SharesDifference {
        mean: (first - second) / rows,
        low: -upper(second, first, rows, z),
        high: upper(first, second, rows, z),
        n,
        level,
    })
}

/// The largest difference whose score lies within `z`: the score falls as the difference grows.
fn upper(b: f64, c: f64, n: f64, z: f64) -> f64 {
    let mut low = (b - c) / n;
    let mut high = 1.0;
    if low >= 1.0 {
        return 1.0;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if score(b, c, n, middle) >= -z {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// How far b - c lies from what `difference` lets expect, in standard errors under it (Tango 1998, equations 13 and 14).
pub(crate) fn score(b: f64, c: f64, n: f64, difference: f64) -> f64 {
    let linear = (2.0 * n - b + c) * difference - b - c;
    let product = c * difference * (1.0 - difference);
    let root = (linear * linear + 8.0 * n * product).sqrt();
    // The likeliest share of rows that only the second has; from the form that does not cancel.
    let only_second = if linear <= 0.0 {
        (root - linear) / (4.0 * n)
    } else {
        2.0 * product / (root + linear)
    };
    let variance = n * (2.0 * only_second + difference * (1.0 - difference));
    (b - c - n * difference) / variance.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(b: u64, c: u64, n: u64, level: f64) -> (f64, f64) {
        let found = tango(b, c, n, level).expect("valid");
        (found.low, found.high)
    }

    /// Closed forms of a table without disagreements and of one in which all rows disagree alike.
    #[test]
    fn the_ends_of_extreme_tables_are_known() {
        let z = normal_quantile(0.95);
        for n in [1, 5, 44, 1000] {
            let rows = n as f64;
            let (low, high) = ends(0, 0, n, 0.95);
            assert!((high - z * z / (rows + z * z)).abs() < 1e-12, "{n}");
            assert_eq!(low, -high);
            let (low, high) = ends(n, 0, n, 0.95);
            assert_eq!(high, 1.0);
            assert!(
                (low - (rows - z * z) / (rows + z * z)).abs() < 1e-12,
                "{n}: {low}"
            );
        }
    }

    /// The interval is McNemar's test without correction, inverted.
    #[test]
    fn it_leaves_0_out_where_mcnemar_without_correction_rejects() {
        for n in [10u64, 60, 400] {
            for b in 0..=n.min(40) {
                for c in 0..=(n - b).min(40) {
                    for level in [0.8, 0.95, 0.99] {
                        let z = normal_quantile(level);
                        let (first, second) = (b as f64, c as f64);
                        let chi = (first - second).powi(2) / (first + second).max(1.0);
                        let (low, high) = ends(b, c, n, level);
                        assert_eq!(low > 0.0 || high < 0.0, chi > z * z, "{b} {c} {n} {level}");
                        assert!(-1.0 <= low && low < high && high <= 1.0);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let code = |b, c, n, level| tango(b, c, n, level).map_err(|e| e.code()).err();
        assert_eq!(code(0, 0, 0, 0.95), Some("empty_input"));
        assert_eq!(code(3, 3, 5, 0.95), Some("bad_argument"));
        assert_eq!(code(u64::MAX, 1, 5, 0.95), Some("bad_argument"));
        assert_eq!(code(1, 1, 5, 0.0), Some("bad_argument"));
    }
}
