//! From what is known of the clusters to an interval of the mean and to the p-value of a mean of 0.
//!
//! One partition into clusters feeds every method. Here the arithmetic lies; where the numbers come from is the
//! [`Aggregator`](crate::Aggregator)'s business.

use crate::bootstrap::{ends, p_value, resample, BootstrapRequest, Shape};
use crate::distribution::{normal_tails, student_quantile, student_tails};
use crate::error::Result;
use crate::interval::{reference_quantile, CiMethod, Interval};
use crate::kernel::sum;

/// Spreads below this part of the size of the values are their rounding and no spread.
pub(crate) const SPREAD_ROUNDING: f64 = 1e-14;

/// A cluster with a gated step: how far its values lie from the mean in sum, and how many they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Deviation {
    pub(crate) deviation: f64,
    pub(crate) weight: f64,
}

/// What an interval is made of.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// Steps that count.
    pub(crate) gated: u64,
    pub(crate) mean: f64,
    /// The sum of squares of the values.
    pub(crate) squares: f64,
    /// The sum of squares of the values about their mean.
    pub(crate) squares_about_mean: f64,
    /// In an order that does not depend on the order of the data.
    pub(crate) clusters: Vec<Deviation>,
}

/// An interval, and the two-sided p-value of a mean of 0 that goes with it; `None` where the values have no spread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Estimate {
    pub(crate) interval: Interval,
    pub(crate) p_value: Option<f64>,
}

/// An estimate, or why there is none.
pub(crate) type MaybeEstimate = std::result::Result<Estimate, String>;

/// Which interval is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) ci: CiMethod,
    pub(crate) level: f64,
    pub(crate) bootstrap: BootstrapRequest,
}

impl Sample {
    pub(crate) fn estimate(&self, wanted: &Wanted) -> Result<MaybeEstimate> {
        match wanted.ci {
            CiMethod::Normal => Ok(self.normal(wanted.level)),
            CiMethod::Cluster => Ok(self.cluster(wanted.level)),
            CiMethod::Bootstrap => self.bootstrap(wanted),
        }
    }

    fn normal(&self, level: f64) -> MaybeEstimate {
        if self.gated < 2 {
            return Err(too_few(self.gated, "step that counts", "a normal interval"));
        }
        let n = self.gated as f64;
        let error = (self.squares_about_mean / n / n).sqrt();
        let half = reference_quantile(level) * error;
        Ok(Estimate {
            interval: Interval {
                level,
                low: self.mean - half,
                high: self.mean + half,
                ..Interval::of(CiMethod::Normal)
            },
            p_value: self.spread(error).map(|e| normal_tails(self.mean / e)),
        })
    }

    fn cluster(&self, level: f64) -> MaybeEstimate {
        self.enough_clusters("a cluster interval")?;
        let squares = sum(self.clusters.iter().map(|c| c.deviation * c.deviation));
        let (c, weight) = (self.clusters.len() as f64, self.gated as f64);
        let error = (c / (c - 1.0) * squares).sqrt() / weight;
        let half = student_quantile(level, c - 1.0) * error;
        Ok(Estimate {
            interval: Interval {
                level,
                low: self.mean - half,
                high: self.mean + half,
                clusters: Some(self.clusters.len()),
                ..Interval::of(CiMethod::Cluster)
            },
            p_value: self
                .spread(error)
                .map(|e| student_tails(self.mean / e, c - 1.0)),
        })
    }

    fn bootstrap(&self, wanted: &Wanted) -> Result<MaybeEstimate> {
        let request = &wanted.bootstrap;
        request.check(wanted.level)?;
        if let Err(reason) = self.enough_clusters("a bootstrap interval") {
            return Ok(Err(reason));
        }
        let offsets = resample(&self.clusters, request)?;
        let shape = match Shape::new(request.kind, &offsets, &self.clusters) {
            Ok(shape) => shape,
            Err(reason) => return Ok(Err(reason)),
        };
        let squares = sum(self.clusters.iter().map(|c| c.deviation * c.deviation));
        let spread = self.spread(squares.sqrt() / self.gated as f64);
        Ok(
            ends(&offsets, shape, wanted.level).map(|(low, high)| Estimate {
                interval: Interval {
                    level: wanted.level,
                    low: self.mean + low,
                    high: self.mean + high,
                    clusters: Some(self.clusters.len()),
                    bootstrap: Some(request.kind),
                    resamples: Some(request.resamples),
                    seed: Some(request.seed),
                    ..Interval::of(CiMethod::Bootstrap)
                },
                p_value: spread.map(|_| p_value(&offsets, shape, -self.mean, 0.0)),
            }),
        )
    }

    fn enough_clusters(&self, interval: &str) -> std::result::Result<(), String> {
        match self.clusters.len() {
            0 | 1 => Err(too_few(
                self.clusters.len() as u64,
                "text or row that counts",
                interval,
            )),
            _ => Ok(()),
        }
    }

    /// The standard error, if it is more than rounding of the values.
    fn spread(&self, error: f64) -> Option<f64> {
        let size = (self.squares / self.gated as f64).sqrt();
        (error > SPREAD_ROUNDING * size).then_some(error)
    }
}

fn too_few(count: u64, what: &str, interval: &str) -> String {
    match count {
        0 => "no step counts".to_owned(),
        _ => format!("only {count} {what}; {interval} needs at least 2"),
    }
}
