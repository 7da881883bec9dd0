//! The bootstrap of several ratios at once, and what a number that was made of them says.

use metrics::{PercentileInterval as Percentile, RatioRequest};
use napi::bindgen_prelude::{AsyncTask, Either, Float64Array, Null, Uint32Array};
use napi::{Env, Result};

use crate::intervals::or_null;
use crate::options::{level, whole};
use crate::task::{later, now, Later, Measurement};

/// Rows of numerators and denominators, and how they are drawn.
#[napi(object, object_to_js = false)]
pub struct RatioOptions {
    /// rows x `columns` numbers, row after row.
    pub numerators: Float64Array,
    /// As many numbers of 0 or more, in the same order.
    pub denominators: Float64Array,
    /// How many ratios: the numbers a row. 1 or more.
    pub columns: f64,
    /// One a row: the cluster to which it belongs. Left out: every row is a cluster of its own, in the order of the rows.
    pub cluster: Option<Uint32Array>,
    /// One a row: a second way in which rows belong together. Clusters of both ways are drawn, and a row counts as often as
    /// its two clusters were drawn, multiplied (Owen 2007).
    pub cluster2: Option<Uint32Array>,
    /// How often clusters are drawn anew; 10,000 when left out. Times `columns`, at most 10 million.
    pub resamples: Option<f64>,
    /// The seed, a whole number of 0 or more; 0 when left out. The same seed and the same clusters give the same draws.
    pub seed: Option<f64>,
    /// Threads to work on; all that the machine has when left out. The result does not depend on it.
    pub threads: Option<f64>,
}

impl RatioOptions {
    fn request(&self) -> metrics::Result<RatioRequest<'_>> {
        let defaults = RatioRequest::default();
        let count = |name, value: Option<f64>| value.map(|value| whole(name, value)).transpose();
        Ok(RatioRequest {
            columns: whole("columns", self.columns)?,
            cluster: self.cluster.as_deref(),
            cluster2: self.cluster2.as_deref(),
            resamples: count("resamples", self.resamples)?.unwrap_or(defaults.resamples),
            seed: count("seed", self.seed)?.map_or(defaults.seed, |seed| seed as u64),
            threads: count("threads", self.threads)?,
        })
    }
}

/// Ratios of the data and of each resample.
#[napi(object, object_from_js = false)]
pub struct BootstrapRatios {
    /// One a column: the sum of its numerators over that of its denominators; NaN where all denominators are 0.
    pub ratios: Float64Array,
    /// The same of each resample: resamples x `columns`, resample after resample; NaN where all denominators drawn are 0.
    /// Null for a single cluster.
    pub resampled: Either<Float64Array, Null>,
    /// The clusters that are drawn from: all, whatever their denominators.
    pub clusters: i64,
    /// Why there are no resamples.
    pub reason: Option<String>,
}

pub struct RatioMeasurement(RatioOptions);

impl Measurement for RatioMeasurement {
    type Output = BootstrapRatios;

    fn measure(&self) -> metrics::Result<BootstrapRatios> {
        let Self(options) = self;
        let request = options.request()?;
        let found =
            metrics::bootstrap_ratios(&options.numerators, &options.denominators, &request)?;
        Ok(BootstrapRatios {
            ratios: found.ratios.into(),
            resampled: or_null(found.resampled.map(Float64Array::from)),
            clusters: found.clusters as i64,
            reason: found.reason,
        })
    }
}

/// The ratios of sums, column by column, of the rows and of every resample of their clusters, off the event loop: for numbers
/// that are made of several ratios. A number is made of each resample's ratios, and `percentileInterval` reads those.
///
/// The arrays are read in place: leave them unchanged until the promise settles. A number that cannot be rejects with an error
/// whose `data` has `input`, `row` and `column`.
#[napi(ts_return_type = "Promise<BootstrapRatios>")]
pub fn bootstrap_ratios(options: RatioOptions) -> AsyncTask<Later<RatioMeasurement>> {
    later(RatioMeasurement(options))
}

/// The ratios at once; otherwise like `bootstrapRatios`.
#[napi]
pub fn bootstrap_ratios_sync(env: Env, options: RatioOptions) -> Result<BootstrapRatios> {
    now(env, &RatioMeasurement(options))
}

/// How an interval is read off resamples.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct PercentileOptions {
    /// The confidence level, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
}

/// An interval whose ends are quantiles of resamples.
#[napi(object, object_from_js = false)]
pub struct PercentileInterval {
    /// How it was made.
    #[napi(ts_type = "'percentile'")]
    pub method: &'static str,
    /// The confidence level.
    pub level: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The resamples that it rests on: those that have the number.
    pub resamples: i64,
}

impl From<Percentile> for PercentileInterval {
    fn from(interval: Percentile) -> Self {
        Self {
            method: "percentile",
            level: interval.level,
            low: interval.low,
            high: interval.high,
            resamples: interval.resamples as i64,
        }
    }
}

/// What resamples say of a number.
#[napi(object, object_from_js = false)]
pub struct PercentileEstimate {
    /// The interval, or null where more than 1 % of the resamples do not have the number.
    pub ci: Either<PercentileInterval, Null>,
    /// The two-sided p-value of the number being 0; null without an interval, and where all resamples are equal.
    pub p_value: Either<f64, Null>,
    /// Resamples that do not have the number: those whose value is NaN.
    pub missing: i64,
    /// Why something is null.
    pub reason: Option<String>,
}

pub struct PercentileMeasurement {
    values: Float64Array,
    options: PercentileOptions,
}

impl Measurement for PercentileMeasurement {
    type Output = PercentileEstimate;

    fn measure(&self) -> metrics::Result<PercentileEstimate> {
        let found = metrics::percentile_interval(&self.values, level(self.options.level))?;
        Ok(PercentileEstimate {
            ci: or_null(found.ci.map(PercentileInterval::from)),
            p_value: or_null(found.p_value),
            missing: found.missing as i64,
            reason: found.reason,
        })
    }
}

/// The percentile interval and the p-value of a number of which `values` holds one a resample, in any order, off the event
/// loop. NaN stands for a resample that does not have the number.
///
/// The array is read in place: leave it unchanged until the promise settles.
#[napi(ts_return_type = "Promise<PercentileEstimate>")]
pub fn percentile_interval(
    values: Float64Array,
    options: Option<PercentileOptions>,
) -> AsyncTask<Later<PercentileMeasurement>> {
    let options = options.unwrap_or_default();
    later(PercentileMeasurement { values, options })
}

/// The percentile interval at once; otherwise like `percentileInterval`.
#[napi]
pub fn percentile_interval_sync(
    env: Env,
    values: Float64Array,
    options: Option<PercentileOptions>,
) -> Result<PercentileEstimate> {
    let options = options.unwrap_or_default();
    now(env, &PercentileMeasurement { values, options })
}
