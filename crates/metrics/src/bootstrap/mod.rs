//! The cluster bootstrap of a gated mean: whole clusters are drawn with replacement, and the ratio of what they hold is taken
//! anew, thousands of times.
//!
//! It works on one pair of numbers a cluster, so that its cost does not depend on the number of steps, and draws from a
//! counter-based generator, so that its result depends on the seed and not on threads. The pieces: [`philox`] draws,
//! [`resample`] makes the distribution, [`ends`] reads intervals and p-values off it.

mod ends;
mod philox;
mod resample;

use crate::error::{ErrorCode, MetricsError, Result};
pub(crate) use ends::{ends, p_value, Shape};
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
        if self.threads == Some(0) {
            return Err(MetricsError::new(
                ErrorCode::BadArgument,
                "a bootstrap on 0 threads",
                "pass 1 thread or more, or leave it out for all",
            )
            .in_input("threads"));
        }
        // The outer end of an interval must lie between two resamples at least.
        let least = (2.0 / (1.0 - level)).ceil() - 1.0;
        if (self.resamples as f64) < least {
            return Err(MetricsError::new(
                ErrorCode::BadArgument,
                format!(
                    "{} resamples are too few for level {level}, which needs {least}",
                    self.resamples
                ),
                "pass more; 10000 are usual",
            )
            .in_input("resamples"));
        }
        if self.resamples > MAX_RESAMPLES {
            return Err(MetricsError::new(
                ErrorCode::BadArgument,
                format!("{} resamples are too many", self.resamples),
                "pass at most 10000000; 10000 are usual",
            )
            .in_input("resamples"));
        }
        Ok(())
    }
}
