//! Two runs over the same rows, and many comparisons at once.

use metrics::{McNemarMethod, MetricsError, SignFlipRequest};
use napi::bindgen_prelude::{AsyncTask, Either, Float64Array, Null, Uint32Array};
use napi::{Env, Result};

use crate::errors::Failure;
use crate::intervals::{or_null, ConfidenceInterval};
use crate::options::{level, whole};
use crate::steps::AggregateOptions;
use crate::task::{later, now, Later, Measurement};

/// A mean difference and how much stands behind it.
#[napi(object, object_from_js = false)]
pub struct PairedDifference {
    /// The mean of a - b over the gated pairs, or null when none is gated.
    pub mean: Either<f64, Null>,
    /// All pairs, gated or not.
    pub n: i64,
    /// The pairs that the mean rests on.
    pub gated_steps: i64,
    /// `gatedSteps / n`.
    pub coverage: f64,
    /// The interval of the mean, or null where the data are too few for one.
    pub ci: Either<ConfidenceInterval, Null>,
    /// The two-sided p-value of a mean difference of 0, by the method of the interval, or null where the data are too few or
    /// all alike.
    pub p_value: Either<f64, Null>,
    /// The cluster-robust standard error of the mean, whatever the method of the interval, or null for fewer than two clusters.
    pub standard_error: Either<f64, Null>,
    /// Its degrees of freedom: one less than clusters, of two ways those of the smaller number.
    pub freedom: Either<f64, Null>,
    /// Why there is no interval or no p-value.
    pub reason: Option<String>,
}

pub struct DifferenceMeasurement {
    a: Float64Array,
    b: Float64Array,
    options: AggregateOptions,
}

impl Measurement for DifferenceMeasurement {
    type Output = PairedDifference;

    fn measure(&self) -> metrics::Result<PairedDifference> {
        let found = metrics::paired_difference(&self.a, &self.b, &self.options.request()?)?;
        Ok(PairedDifference {
            mean: or_null(found.mean),
            n: found.n as i64,
            gated_steps: found.gated_steps as i64,
            coverage: found.coverage,
            ci: or_null(found.ci.map(ConfidenceInterval::from)),
            p_value: or_null(found.p_value),
            standard_error: or_null(found.standard_error),
            freedom: or_null(found.freedom),
            reason: found.reason,
        })
    }
}

/// The mean of a - b over steps that belong together, with its interval and its p-value, off the event loop.
///
/// The arrays are read in place: leave them unchanged until the promise settles. A gated value that is not finite rejects
/// with an error whose `data.input` is `a` or `b` and whose `data.row` is its index.
#[napi(ts_return_type = "Promise<PairedDifference>")]
pub fn paired_difference(
    a: Float64Array,
    b: Float64Array,
    options: Option<AggregateOptions>,
) -> AsyncTask<Later<DifferenceMeasurement>> {
    let options = options.unwrap_or_default();
    later(DifferenceMeasurement { a, b, options })
}

/// The mean difference at once; otherwise like `pairedDifference`.
#[napi]
pub fn paired_difference_sync(
    env: Env,
    a: Float64Array,
    b: Float64Array,
    options: Option<AggregateOptions>,
) -> Result<PairedDifference> {
    let options = options.unwrap_or_default();
    now(env, &DifferenceMeasurement { a, b, options })
}

/// Which values belong together, and how signs are drawn.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct SignFlipOptions {
    /// One a value: the cluster to which it belongs. Left out: each is its own.
    pub cluster: Option<Uint32Array>,
    /// The share of the distribution under the hypothesis up to `nullHigh`, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
    /// How often signs are drawn where there are more than 16 clusters; 10,000 when left out.
    pub resamples: Option<f64>,
    /// The seed of these draws, a whole number of 0 or more; 0 when left out.
    pub seed: Option<f64>,
}

/// What a sign-flip test says.
#[napi(object, object_from_js = false)]
pub struct SignFlip {
    /// The mean of the values.
    pub mean: f64,
    /// How many values there are.
    pub n: i64,
    /// How many clusters changed sign.
    pub clusters: i64,
    /// Two-sided, in (0, 1]; null for a single cluster.
    pub p_value: Either<f64, Null>,
    /// The size of a mean below which the share `level` of all flips lies; null for a single cluster.
    pub null_high: Either<f64, Null>,
    /// Every way to flip was counted, not a sample of them.
    pub exact: bool,
    /// Why there is no p-value.
    pub reason: Option<String>,
}

pub struct SignFlipMeasurement {
    values: Float64Array,
    options: SignFlipOptions,
}

impl Measurement for SignFlipMeasurement {
    type Output = SignFlip;

    fn measure(&self) -> metrics::Result<SignFlip> {
        let SignFlipOptions {
            cluster,
            resamples,
            seed,
            ..
        } = &self.options;
        let defaults = SignFlipRequest::default();
        let count = |name, value: &Option<f64>| value.map(|value| whole(name, value)).transpose();
        let request = SignFlipRequest {
            cluster: cluster.as_deref(),
            level: level(self.options.level),
            resamples: count("resamples", resamples)?.unwrap_or(defaults.resamples),
            seed: count("seed", seed)?.map_or(defaults.seed, |seed| seed as u64),
        };
        let found = metrics::sign_flip(&self.values, &request)?;
        Ok(SignFlip {
            mean: found.mean,
            n: found.n as i64,
            clusters: found.clusters as i64,
            p_value: or_null(found.p_value),
            null_high: or_null(found.null_high),
            exact: found.exact,
            reason: found.reason,
        })
    }
}

/// Tests a mean of 0 by exchanging the sides of clusters, off the event loop. The arrays are read in place: leave them unchanged until
/// the promise settles.
#[napi(ts_return_type = "Promise<SignFlip>")]
pub fn sign_flip(
    values: Float64Array,
    options: Option<SignFlipOptions>,
) -> AsyncTask<Later<SignFlipMeasurement>> {
    let options = options.unwrap_or_default();
    later(SignFlipMeasurement { values, options })
}

/// The test at once; otherwise like `signFlip`.
#[napi]
pub fn sign_flip_sync(
    env: Env,
    values: Float64Array,
    options: Option<SignFlipOptions>,
) -> Result<SignFlip> {
    let options = options.unwrap_or_default();
    now(env, &SignFlipMeasurement { values, options })
}

/// The outcome of McNemar's test.
#[napi(object, object_from_js = false)]
pub struct McNemar {
    /// `exact`: the smaller of the two counts; `chi2`: (|b - c| - 1)^2 / (b + c). Null when the runs disagree nowhere.
    pub statistic: Either<f64, Null>,
    /// Two-sided; null when the runs disagree nowhere.
    pub p_value: Either<f64, Null>,
    /// `exact`, from the binomial distribution, up to 1000 disagreements; `chi2`, continuity corrected, beyond.
    #[napi(ts_type = "'exact' | 'chi2'")]
    pub method: &'static str,
    /// The disagreements, b + c.
    pub n: i64,
    /// Why there is no p-value.
    pub reason: Option<String>,
}

/// McNemar's test on `b` rows that only the first run got right and `c` that only the second did. Runs at once.
#[napi(catch_unwind)]
pub fn mcnemar(env: Env, b: f64, c: f64) -> Result<McNemar> {
    let compute = || metrics::mcnemar(whole("b", b)? as u64, whole("c", c)? as u64);
    let found = compute().map_err(|error| Failure::from(error).into_thrown(env))?;
    Ok(McNemar {
        statistic: or_null(found.statistic),
        p_value: or_null(found.p_value),
        method: McNemarMethod::as_str(found.method),
        n: found.n as i64,
        reason: found.reason,
    })
}

/// Holm's adjustment of p-values, in their order: each may be held against the level that all tests together are to have,
/// whatever the dependence between them. Runs at once.
#[napi(catch_unwind)]
pub fn holm(env: Env, p_values: Float64Array) -> Result<Float64Array> {
    adjusted_p_values(env, metrics::holm(&p_values))
}

/// Benjamini and Hochberg's adjustment of p-values, in their order: held against a level, they keep the expected share of
/// false alarms among the alarms below it. Runs at once.
#[napi(catch_unwind)]
pub fn benjamini_hochberg(env: Env, p_values: Float64Array) -> Result<Float64Array> {
    adjusted_p_values(env, metrics::benjamini_hochberg(&p_values))
}

fn adjusted_p_values(env: Env, p_values: metrics::Result<Vec<f64>>) -> Result<Float64Array> {
    let throw = |error: MetricsError| Failure::from(error).into_thrown(env);
    p_values.map(Float64Array::from).map_err(throw)
}
