//! How a bootstrap is asked for, and the checks of what every bootstrap is asked.

use crate::error::{ErrorCode, MetricsError, Result};
use crate::interval::{check_level, BootstrapKind};
use crate::shape;

/// Resamples where none are asked: the ends of a 95 % interval then rest on 250 resamples each.
pub const DEFAULT_RESAMPLES: usize = 10_000;

/// More is taken for a typing error: their distribution alone would fill 80 megabytes.
const MAX_RESAMPLES: usize = 10_000_000;

/// How a bootstrap is done. Its result depends on everything here but `threads`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BootstrapRequest {
    /// How the ends are read off.
    pub kind: BootstrapKind,
    /// How often the clusters are drawn anew.
    pub resamples: usize,
    /// The seed of the random generator.
    pub seed: u64,
    /// Threads to work on, 1 or more. `None`: as many as the machine has.
    pub threads: Option<usize>,
}

impl Default for BootstrapRequest {
    fn default() -> Self {
        Self {
            kind: BootstrapKind::default(),
            resamples: DEFAULT_RESAMPLES,
            seed: 0,
            threads: None,
        }
    }
}

impl BootstrapRequest {
    /// Checks the request for an interval at `level`.
    pub(crate) fn check(&self, level: f64) -> Result<()> {
        check_threads(self.threads)?;
        check_resamples(self.resamples, level)
    }

    /// Checks the request for intervals at `level` of numbers that are made of `columns` ratios, before there are rows.
    ///
    /// # Errors
    /// `bad_argument`, as [`bootstrap_ratios`](crate::bootstrap_ratios) and
    /// [`percentile_interval`](crate::percentile_interval) give it.
    pub fn check_ratios(&self, columns: usize, level: f64) -> Result<()> {
        check_draws(self.resamples, columns, self.threads)?;
        check_count("resamples", self.resamples, check_level(level)?)
    }
}

/// Checks how often `columns` ratios are drawn anew.
pub(super) fn check_draws(resamples: usize, columns: usize, threads: Option<usize>) -> Result<()> {
    let refused = |what: &str, remedy, input| {
        Err(MetricsError::new(ErrorCode::BadArgument, what, remedy).in_input(input))
    };
    if columns == 0 {
        let remedy = "pass the number of ratios, 1 or more";
        return refused("ratios of 0 columns", remedy, "columns");
    }
    check_threads(threads)?;
    if resamples == 0 {
        let remedy = "pass 1 or more; 10000 are usual";
        return refused("a bootstrap of 0 resamples", remedy, "resamples");
    }
    check_size("resamples", resamples.saturating_mul(columns))
}

pub(super) fn check_threads(threads: Option<usize>) -> Result<()> {
    if threads != Some(0) {
        return Ok(());
    }
    Err(MetricsError::new(
        ErrorCode::BadArgument,
        "a bootstrap on 0 threads",
        "pass 1 thread or more, or leave it out for all",
    )
    .in_input("threads"))
}

/// Checks that so many resamples are enough for `level`, and not too many.
pub(crate) fn check_resamples(resamples: usize, level: f64) -> Result<()> {
    check_count("resamples", resamples, level)?;
    check_size("resamples", resamples)
}

/// Checks that an interval at `level` can be read off so many resamples.
pub(super) fn check_count(input: &'static str, resamples: usize, level: f64) -> Result<()> {
    // The outer end of an interval must lie between two resamples at least.
    let least = (2.0 / (1.0 - level)).ceil() - 1.0;
    if resamples as f64 >= least {
        return Ok(());
    }
    Err(MetricsError::new(
        ErrorCode::BadArgument,
        format!("{resamples} resamples are too few for level {level}, which needs {least}"),
        "pass more; 10000 are usual",
    )
    .in_input(input))
}

/// Checks that a distribution of so many numbers may be made.
pub(super) fn check_size(input: &'static str, numbers: usize) -> Result<()> {
    if numbers <= MAX_RESAMPLES {
        return Ok(());
    }
    Err(MetricsError::new(
        ErrorCode::BadArgument,
        format!("{numbers} numbers in all resamples are too many"),
        "pass at most 10000000; 10000 resamples are usual",
    )
    .in_input(input))
}

/// The number of rows of `columns` ratios each, 1 or more.
pub(super) fn ratio_rows(
    numerators: &[f64],
    denominators: &[f64],
    columns: usize,
) -> Result<usize> {
    let refused = |code, what: String, remedy| {
        Err(MetricsError::new(code, what, remedy).in_input("numerators"))
    };
    if numerators.is_empty() {
        let what = "there are no rows to draw from".to_owned();
        let remedy = "report that there is no data instead";
        return refused(ErrorCode::EmptyInput, what, remedy);
    }
    if !numerators.len().is_multiple_of(columns) {
        let count = numerators.len();
        let what = format!("{count} numbers are no whole number of rows of {columns} columns");
        let remedy = "pass rows x columns numbers, row after row";
        return refused(ErrorCode::LengthMismatch, what, remedy);
    }
    shape::same_length("denominators", denominators.len(), numerators.len())?;
    Ok(numerators.len() / columns)
}
