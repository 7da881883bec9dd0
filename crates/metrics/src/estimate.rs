//! From what is known of the clusters to an interval of the mean and to the p-value of a mean of 0.
//!
//! One partition into clusters feeds every method. This file holds the arithmetic; the
//! [`Aggregator`](crate::Aggregator) brings the numbers.

use crate::bootstrap::{ends, p_value, resample, tie_of, BootstrapRequest, Shape, SAME_RESAMPLES};
use crate::clusters::{Deviation, SecondWay, SPREAD_ROUNDING};
use crate::distribution::{normal_tails, student_quantile, student_tails};
use crate::error::Result;
use crate::interval::{check_level, reference_quantile, CiMethod, Interval};
use crate::kernel::sum;
use crate::range::{Range, Scale};

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
    /// Where steps are clustered in two ways.
    pub(crate) second: Option<SecondWay>,
}

/// The standard error of the mean by its clusters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Robust {
    pub(crate) error: f64,
    /// Student's degrees of freedom.
    pub(crate) freedom: f64,
    pub(crate) clusters: usize,
    pub(crate) clusters2: Option<usize>,
}

/// An interval, and the two-sided p-value of a mean of 0 that goes with it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Estimate {
    pub(crate) interval: Interval,
    pub(crate) p_value: f64,
}

/// An estimate, or why it is missing.
pub(crate) type MaybeEstimate = std::result::Result<Estimate, String>;

/// Why values (or means of clusters) that are all equal have no interval: one of width 0 would claim too much.
pub(crate) const NO_SPREAD: &str = "all values are equal; an interval needs some that differ";

/// Which interval is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IntervalRequest {
    pub(crate) ci: CiMethod,
    pub(crate) level: f64,
    pub(crate) range: Option<Range>,
    pub(crate) bootstrap: BootstrapRequest,
}

impl IntervalRequest {
    /// Checks the request without data.
    pub(crate) fn check(&self) -> Result<()> {
        check_level(self.level)?;
        match self.ci {
            CiMethod::Bootstrap => self.bootstrap.check(self.level),
            CiMethod::Normal | CiMethod::Cluster => Ok(()),
        }
    }
}

impl Sample {
    pub(crate) fn estimate(&self, wanted: &IntervalRequest) -> Result<MaybeEstimate> {
        let range = wanted.range;
        if let (Some(range), 1..) = (range, self.gated) {
            range.check(self.mean)?;
        }
        match wanted.ci {
            CiMethod::Normal => Ok(self.normal(wanted.level, range)),
            CiMethod::Cluster => Ok(self.cluster(wanted.level, range)),
            CiMethod::Bootstrap => self.bootstrap(wanted),
        }
    }

    /// Defined by its formula, and so cut where it leaves the range.
    fn normal(&self, level: f64, range: Option<Range>) -> MaybeEstimate {
        if self.gated < 2 {
            return Err(too_few(self.gated, "step that counts", "a normal interval"));
        }
        let n = self.gated as f64;
        let error = self.spread((self.squares_about_mean / n / n).sqrt())?;
        let half = reference_quantile(level) * error;
        Ok(Estimate {
            interval: Interval {
                level,
                ..within(range, self.mean, half, Interval::blank(CiMethod::Normal))
            },
            p_value: normal_tails(self.mean / error),
        })
    }

    fn cluster(&self, level: f64, range: Option<Range>) -> MaybeEstimate {
        let robust = self.robust("a cluster interval")?;
        let error = self.spread(robust.error)?;
        let reach = student_quantile(level, robust.freedom);
        let interval = Interval {
            level,
            clusters: Some(robust.clusters),
            clusters2: robust.clusters2,
            ..Interval::blank(CiMethod::Cluster)
        };
        let scaled = range.and_then(|range| {
            let ends = range.ends(range.clip(self.mean), error, reach)?;
            Some((range, ends))
        });
        Ok(match scaled {
            Some((range, (low, high))) => Estimate {
                interval: Interval {
                    low,
                    high,
                    scale: Some(range.scale()),
                    ..interval
                },
                p_value: student_tails(range.distance(self.mean, error), robust.freedom),
            },
            None => Estimate {
                interval: within(range, self.mean, reach * error, interval),
                p_value: student_tails(self.mean / error, robust.freedom),
            },
        })
    }

    /// The cluster-robust standard error. Of two ways that of Cameron, Gelbach and Miller 2011: the variances of both ways less
    /// that of their intersection, each with its own C/(C - 1), and as many degrees of freedom as the way with fewer clusters
    /// has. That sum may fall below the variance of one way alone, or below 0: then the larger of the two holds.
    pub(crate) fn robust(&self, what: &str) -> std::result::Result<Robust, String> {
        self.enough_clusters(what)?;
        let weight = self.gated as f64;
        let variance = |clusters: &[Deviation]| {
            let squares = sum(clusters.iter().map(|c| c.deviation * c.deviation));
            let c = clusters.len() as f64;
            (c / (c - 1.0) * squares) / weight / weight
        };
        let (first, one) = (self.clusters.len(), variance(&self.clusters));
        let Some(second) = &self.second else {
            return Ok(Robust {
                error: one.sqrt(),
                freedom: first as f64 - 1.0,
                clusters: first,
                clusters2: None,
            });
        };
        let two = variance(&second.clusters);
        Ok(Robust {
            error: (one + two - variance(&second.both))
                .max(one)
                .max(two)
                .sqrt(),
            freedom: first.min(second.clusters.len()) as f64 - 1.0,
            clusters: first,
            clusters2: Some(second.clusters.len()),
        })
    }

    fn bootstrap(&self, wanted: &IntervalRequest) -> Result<MaybeEstimate> {
        let request = &wanted.bootstrap;
        if let Err(reason) = self.enough_clusters("a bootstrap interval") {
            return Ok(Err(reason));
        }
        if self.second.is_some() {
            return Ok(Err(
                "two ways to cluster have no bootstrap interval of a mean; ask for cluster".into(),
            ));
        }
        let squares = sum(self.clusters.iter().map(|c| c.deviation * c.deviation));
        if let Err(reason) = self.spread(squares.sqrt() / self.gated as f64) {
            return Ok(Err(reason));
        }
        let offsets = resample(&self.clusters, request)?;
        let tie = tie_of(&self.clusters, self.mean);
        let shape = match Shape::new(request.kind, &offsets, &self.clusters, tie) {
            Ok(shape) => shape,
            Err(reason) => return Ok(Err(reason)),
        };
        // Means of values in the range are in the range, but for rounding.
        let inside = |end: f64| wanted.range.map_or(end, |range| range.clip(end));
        let (low, high) = match ends(&offsets, shape, wanted.level) {
            Ok((low, high)) if low < high => (self.mean + low, self.mean + high),
            Ok(_) => return Ok(Err(SAME_RESAMPLES.to_owned())),
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(Ok(Estimate {
            interval: Interval {
                level: wanted.level,
                low: inside(low),
                high: inside(high),
                clusters: Some(self.clusters.len()),
                scale: wanted.range.map(|_| Scale::Identity),
                bootstrap: Some(request.kind),
                resamples: Some(request.resamples),
                seed: Some(request.seed),
                ..Interval::blank(CiMethod::Bootstrap)
            },
            p_value: p_value(&offsets, shape, -self.mean, tie),
        }))
    }

    fn enough_clusters(&self, interval: &str) -> std::result::Result<(), String> {
        let second = self.second.as_ref().map(|second| second.clusters.len());
        match second.unwrap_or(usize::MAX).min(self.clusters.len()) {
            fewest @ (0 | 1) => Err(too_few(
                fewest as u64,
                match second {
                    Some(_) => "cluster that counts in one of two ways",
                    None => "text or row that counts",
                },
                interval,
            )),
            _ => Ok(()),
        }
    }

    /// The standard error, if it is more than rounding of the values.
    fn spread(&self, error: f64) -> std::result::Result<f64, String> {
        let size = (self.squares / self.gated as f64).sqrt();
        // A NaN is an overflow, which is refused later.
        if error > SPREAD_ROUNDING * size {
            return Ok(error);
        }
        Err(NO_SPREAD.to_owned())
    }
}

/// `interval` from `half` below the mean to `half` above, cut at the ends of the range.
fn within(range: Option<Range>, mean: f64, half: f64, interval: Interval) -> Interval {
    let (low, high) = (mean - half, mean + half);
    let Some(range) = range else {
        return Interval {
            low,
            high,
            ..interval
        };
    };
    let inside = (range.clip(low), range.clip(high));
    Interval {
        low: inside.0,
        high: inside.1,
        scale: Some(Scale::Identity),
        clipped: inside != (low, high),
        ..interval
    }
}

fn too_few(count: u64, what: &str, interval: &str) -> String {
    match count {
        0 => "no step counts".to_owned(),
        _ => format!("only {count} {what}; {interval} needs at least 2"),
    }
}
