//! How far the items of a questionnaire measure one thing: Cronbach's alpha, its interval, and what each item adds to it.
//!
//! Rows are those who answered, or the times that one was asked; columns are items, all scored the same way round. With k items,
//! v_i the variance of item i and v that of the sum,
//!
//! ```text
//! alpha = k / (k - 1) * (1 - sum(v_i) / v)
//! ```
//!
//! Feldt (1965): in a two-way layout of normal values, (1 - population alpha) / (1 - alpha) is distributed as F with n - 1 and
//! (n - 1)(k - 1) degrees of freedom, which gives the interval.

use crate::clusters::SPREAD_ROUNDING;
use crate::correlation::{correlation, CorrelationRequest};
use crate::distribution::fisher_quantile;
use crate::error::{ErrorCode, MetricsError, Result};
use crate::interval::check_level;
use crate::shape;

/// An interval of Cronbach's alpha by Feldt's F.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeldtInterval {
    /// The lower end; it may lie below 0, as alpha itself may.
    pub low: f64,
    /// The upper end, below 1.
    pub high: f64,
    /// The confidence level, in (0, 1).
    pub level: f64,
}

/// One item among the others.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemStatistics {
    /// The mean of its values.
    pub mean: f64,
    /// Their standard deviation, with n - 1; `None` for a single row.
    pub sd: Option<f64>,
    /// Pearson's correlation with the sum of the other items; `None` for a single item or row, and where either is constant.
    pub rest_correlation: Option<f64>,
    /// Alpha of the other items; `None` where these have none.
    pub alpha_without: Option<f64>,
}

/// The reliability of a sum of items.
#[derive(Debug, Clone, PartialEq)]
pub struct Reliability {
    /// Cronbach's alpha, at most 1 and without a lower limit; `None` for fewer than two items or rows, and where the sum is constant.
    pub alpha: Option<f64>,
    /// Its interval; `None` without an alpha, and where alpha is 1.
    pub ci: Option<FeldtInterval>,
    /// The rows.
    pub n: usize,
    /// The items, in order of the columns.
    pub items: Vec<ItemStatistics>,
    /// Why alpha, or its interval, is missing.
    pub reason: Option<String>,
}

/// Cronbach's alpha of `values`, row after row of `items` each, with an interval at `level`.
///
/// # Errors
/// `empty_input` for no values or no items, `length_mismatch` for values that are no whole number of rows, `not_finite` with row and
/// column for a NaN or an infinity, `bad_argument` for a level outside (0, 1).
pub fn cronbach_alpha(values: &[f64], items: usize, level: f64) -> Result<Reliability> {
    check_level(level)?;
    if values.is_empty() || items == 0 {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "a reliability of 0 values",
            "report that there is no data instead",
        )
        .in_input("values"));
    }
    shape::same_length("values", values.len(), values.len().next_multiple_of(items))?;
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        return Err(MetricsError::new(
            ErrorCode::NotFinite,
            format!("a value is {}", values[at]),
            "leave out rows that lack an item",
        )
        .in_input("values")
        .at_row(at / items)
        .at_column(at % items));
    }
    let n = values.len() / items;
    let columns: Vec<Vec<f64>> = (0..items)
        .map(|item| values.iter().skip(item).step_by(items).copied().collect())
        .collect();
    let all: Vec<usize> = (0..items).collect();
    let (alpha, reason) = match alpha_of(&columns, &all) {
        Ok(alpha) => (Some(alpha), None),
        Err(reason) => (None, Some(reason)),
    };
    let ci = alpha.and_then(|alpha| feldt(alpha, n, items, level));
    let reason = reason.or_else(|| {
        let exact = ci.is_none();
        exact.then(|| {
            "all items rise and fall as one, so that alpha is 1 and nothing says how it would scatter"
                .to_owned()
        })
    });
    let statistics = (0..items)
        .map(|item| item_statistics(&columns, item))
        .collect::<Result<_>>()?;
    Ok(Reliability {
        alpha,
        ci,
        n,
        items: statistics,
        reason,
    })
}

/// The sums of rows over the chosen columns.
fn totals(columns: &[Vec<f64>], chosen: &[usize]) -> Vec<f64> {
    let n = columns.first().map_or(0, Vec::len);
    (0..n)
        .map(|row| chosen.iter().map(|&item| columns[item][row]).sum())
        .collect()
}

/// Mean, sum of squares about it, and whether these are more than the rounding of the values.
fn spread(column: &[f64]) -> (f64, f64, bool) {
    let n = column.len() as f64;
    let mean = column.iter().sum::<f64>() / n;
    let squares: f64 = column.iter().map(|value| (value - mean).powi(2)).sum();
    let size = (column.iter().map(|value| value * value).sum::<f64>() / n).sqrt();
    let varies = (squares / n).sqrt() > SPREAD_ROUNDING * size;
    (mean, if varies { squares } else { 0.0 }, varies)
}

/// Alpha of the chosen columns, or why it is missing.
fn alpha_of(columns: &[Vec<f64>], chosen: &[usize]) -> std::result::Result<f64, String> {
    let k = chosen.len() as f64;
    let sums = totals(columns, chosen);
    if chosen.len() < 2 {
        return Err("only 1 item; alpha needs at least 2".to_owned());
    }
    if sums.len() < 2 {
        return Err("only 1 complete row; alpha needs at least 2".to_owned());
    }
    let parts: f64 = chosen.iter().map(|&item| spread(&columns[item]).1).sum();
    let (_, whole, varies) = spread(&sums);
    if varies {
        return Ok(k / (k - 1.0) * (1.0 - parts / whole));
    }
    Err(if parts == 0.0 {
        "all rows have the same values, so that nothing varies".to_owned()
    } else {
        "all rows have the same sum, so that it has no variance to explain".to_owned()
    })
}

/// `None` where alpha is 1, for an interval of width 0 would claim too much.
fn feldt(alpha: f64, n: usize, items: usize, level: f64) -> Option<FeldtInterval> {
    let rest = 1.0 - alpha;
    if rest < f64::EPSILON * items as f64 {
        return None;
    }
    let f1 = n as f64 - 1.0;
    let f2 = f1 * (items as f64 - 1.0);
    let tail = 0.5 - 0.5 * level;
    Some(FeldtInterval {
        low: 1.0 - rest * fisher_quantile(1.0 - tail, f1, f2),
        high: 1.0 - rest * fisher_quantile(tail, f1, f2),
        level,
    })
}

fn item_statistics(columns: &[Vec<f64>], item: usize) -> Result<ItemStatistics> {
    let column = &columns[item];
    let others: Vec<usize> = (0..columns.len()).filter(|&other| other != item).collect();
    let (mean, squares, _) = spread(column);
    let rest_correlation = if others.is_empty() {
        None
    } else {
        correlation(
            column,
            &totals(columns, &others),
            &CorrelationRequest::default(),
        )?
        .r
    };
    Ok(ItemStatistics {
        mean,
        sd: (column.len() > 1).then(|| (squares / (column.len() as f64 - 1.0)).sqrt()),
        rest_correlation,
        alpha_without: alpha_of(columns, &others).ok(),
    })
}
