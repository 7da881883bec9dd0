//! What intervals look like in JavaScript: how they are asked for, and how they come back.

use metrics::{AggregateRequest, BootstrapRequest, Interval};
use napi::bindgen_prelude::{Either, Null};
use napi::{Env, Result};

use crate::errors::Failure;
use crate::options::{ci_method, level, range, whole};

/// Which interval is wanted.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct IntervalOptions {
    /// How the interval is made: `cluster` (the default) takes prompts as clusters, `bootstrap` draws them anew thousands of
    /// times, `normal` takes steps as independent.
    #[napi(ts_type = "'normal' | 'cluster' | 'bootstrap'")]
    pub ci: Option<String>,
    /// For `bootstrap`: how the ends are read off; `bca` when left out.
    #[napi(ts_type = "'percentile' | 'bca'")]
    pub bootstrap: Option<String>,
    /// The confidence level, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
    /// The least and the greatest value that the quantity can have, infinities allowed: no interval leaves them.
    #[napi(ts_type = "readonly [low: number, high: number]")]
    pub range: Option<Vec<f64>>,
    /// For `bootstrap`: how often clusters are drawn anew; 10,000 when left out.
    pub resamples: Option<f64>,
    /// For `bootstrap`: the seed, a whole number of 0 or more; 0 when left out. The same seed gives the same interval.
    pub seed: Option<f64>,
    /// For `bootstrap`: threads to work on; all that the machine has when left out. The result does not depend on it.
    pub threads: Option<f64>,
}

impl IntervalOptions {
    /// The request, without steps.
    pub(crate) fn request(&self) -> metrics::Result<AggregateRequest<'static>> {
        let defaults = BootstrapRequest::default();
        let count = |name, value: Option<f64>| value.map(|value| whole(name, value)).transpose();
        Ok(AggregateRequest {
            ci: ci_method(self.ci.as_deref())?,
            level: level(self.level),
            range: self.range.as_deref().map(range).transpose()?,
            bootstrap: BootstrapRequest {
                kind: self
                    .bootstrap
                    .as_deref()
                    .map_or(Ok(defaults.kind), str::parse)?,
                resamples: count("resamples", self.resamples)?.unwrap_or(defaults.resamples),
                seed: count("seed", self.seed)?.map_or(defaults.seed, |seed| seed as u64),
                threads: count("threads", self.threads)?,
            },
            ..AggregateRequest::default()
        })
    }
}

/// Checks interval options before anything is measured: throws the `bad_argument` that measuring with them would.
///
/// Left out `columns`: for the mean of one quantity. With it: for numbers that are made of so many ratios, 1 or more, as
/// `bootstrapRatios` and `percentileInterval` make them, whatever `ci` says.
#[napi(catch_unwind)]
pub fn check_interval(
    env: Env,
    options: Option<IntervalOptions>,
    columns: Option<f64>,
) -> Result<()> {
    let check = || {
        let request = options.unwrap_or_default().request()?;
        match columns {
            None => request.check(),
            Some(columns) => {
                let columns = whole("columns", columns)?;
                request.bootstrap.check_ratios(columns, request.level)
            }
        }
    };
    check().map_err(|error| Failure::from(error).into_thrown(env))
}

/// A confidence interval of a mean.
#[napi(object, object_from_js = false)]
pub struct ConfidenceInterval {
    /// How it was made: `normal` is mean +- z * population sd / sqrt(n) over the gated steps, with z = 1.96 at 0.95;
    /// `cluster` is the ratio estimator with prompts as clusters, Student t with one degree of freedom less than clusters;
    /// `bootstrap` draws clusters with replacement.
    #[napi(ts_type = "'normal' | 'cluster' | 'bootstrap'")]
    pub method: &'static str,
    /// The confidence level.
    pub level: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// For `cluster` and `bootstrap`: the clusters with a gated step.
    pub clusters: Option<i64>,
    /// Of two ways to cluster: the clusters of the second.
    pub clusters2: Option<i64>,
    /// Where a range was given: the scale on which the interval was made.
    #[napi(ts_type = "'identity' | 'logit' | 'log'")]
    pub scale: Option<&'static str>,
    /// True where an end was moved to the end of the range.
    pub clipped: Option<bool>,
    /// For `bootstrap`: how the ends were read off.
    #[napi(ts_type = "'percentile' | 'bca'")]
    pub bootstrap: Option<&'static str>,
    /// For `bootstrap`: how often clusters were drawn anew.
    pub resamples: Option<i64>,
    /// For `bootstrap`: the seed.
    pub seed: Option<i64>,
}

/// A gated mean and how much stands behind it.
#[napi(object, object_from_js = false)]
pub struct Aggregate {
    /// The mean over the gated steps; 0 when no step is gated.
    pub mean: f64,
    /// All steps, gated or not.
    pub n: i64,
    /// The steps that the mean rests on. 0 says that `mean` is no measurement.
    pub gated_steps: i64,
    /// `gatedSteps / n`.
    pub coverage: f64,
    /// The interval, or null where the data are too few for one.
    pub ci: Either<ConfidenceInterval, Null>,
    /// Why there is no interval.
    pub reason: Option<String>,
}

impl From<metrics::Aggregate> for Aggregate {
    fn from(aggregate: metrics::Aggregate) -> Self {
        Self {
            mean: aggregate.mean,
            n: aggregate.n as i64,
            gated_steps: aggregate.gated_steps as i64,
            coverage: aggregate.coverage,
            ci: or_null(aggregate.ci.map(ConfidenceInterval::from)),
            reason: aggregate.reason,
        }
    }
}

impl From<Interval> for ConfidenceInterval {
    fn from(interval: Interval) -> Self {
        Self {
            method: interval.method.as_str(),
            level: interval.level,
            low: interval.low,
            high: interval.high,
            clusters: interval.clusters.map(|clusters| clusters as i64),
            clusters2: interval.clusters2.map(|clusters| clusters as i64),
            scale: interval.scale.map(|scale| scale.as_str()),
            clipped: interval.clipped.then_some(true),
            bootstrap: interval.bootstrap.map(|kind| kind.as_str()),
            resamples: interval.resamples.map(|resamples| resamples as i64),
            seed: interval.seed.map(|seed| seed as i64),
        }
    }
}

/// `value`, or null.
pub(crate) fn or_null<T>(value: Option<T>) -> Either<T, Null> {
    value.map_or(Either::B(Null), Either::A)
}
