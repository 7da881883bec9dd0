//! The cluster bootstrap: whole clusters are drawn with replacement, and the ratio of what they hold is taken anew, thousands
//! of times.
//!
//! It works on one pair of numbers a cluster, so that its cost does not depend on the number of steps, and draws from a
//! counter-based generator, so that its result depends on the seed and not on threads. The pieces: [`philox`] gives random
//! words, [`draws`] makes clusters of them, [`resample`] the distribution of a gated mean, [`ratios`] that of several ratios
//! at once, [`groups`] intervals of the ratios of many groups; [`ends`] reads intervals and p-values off a distribution, and [`percentile`] does so for numbers from outside.

mod draws;
mod ends;
mod groups;
mod percentile;
mod philox;
mod ratios;
mod resample;

use crate::error::{ErrorCode, MetricsError, Result};
use crate::shape;
pub(crate) use ends::{ends, p_value, tie_of, Shape};
pub use groups::{bootstrap_groups, BootstrapGroups, GroupRequest, NO_GROUP};
pub use percentile::{percentile_interval, PercentileEstimate, PercentileInterval, MAX_MISSING};
pub(crate) use philox::Stream;
pub use ratios::{bootstrap_ratios, BootstrapRatios, RatioRequest};
pub(crate) use resample::resample;

/// Resamples where none are asked: the ends of a 95 % interval then rest on 250 resamples each.
pub const DEFAULT_RESAMPLES: usize = 10_000;

/// More would be a slip of the keyboard: their distribution alone would fill 80 megabytes.
const MAX_RESAMPLES: usize = 10_000_000;

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
}

fn check_threads(threads: Option<usize>) -> Result<()> {
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
fn check_count(input: &'static str, resamples: usize, level: f64) -> Result<()> {
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
fn check_size(input: &'static str, numbers: usize) -> Result<()> {
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
fn ratio_rows(numerators: &[f64], denominators: &[f64], columns: usize) -> Result<usize> {
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
