//! How two columns go together.

use metrics::{CorrelationRequest, FisherInterval};
use napi::bindgen_prelude::{AsyncTask, Either, Float64Array, Null};
use napi::{Env, Result};

use crate::intervals::or_null;
use crate::options::level;
use crate::task::{later, now, Later, Measurement};

/// Which correlation is wanted.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct CorrelationOptions {
    /// What is correlated: the values (`pearson`, the default) or their ranks (`spearman`).
    #[napi(ts_type = "'pearson' | 'spearman'")]
    pub method: Option<String>,
    /// The confidence level, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
}

/// The interval of a correlation by Fisher's transformation.
#[napi(object, object_from_js = false)]
pub struct CorrelationInterval {
    /// How it was made: atanh(r) is taken as normal.
    #[napi(ts_type = "'fisher'")]
    pub method: &'static str,
    /// The confidence level.
    pub level: f64,
    /// The lower end, -1 to 1.
    pub low: f64,
    /// The upper end, -1 to 1.
    pub high: f64,
}

impl From<FisherInterval> for CorrelationInterval {
    fn from(interval: FisherInterval) -> Self {
        Self {
            method: "fisher",
            level: interval.level,
            low: interval.low,
            high: interval.high,
        }
    }
}

/// A correlation and how much stands behind it.
#[napi(object, object_from_js = false)]
pub struct Correlation {
    /// What was correlated.
    #[napi(ts_type = "'pearson' | 'spearman'")]
    pub method: &'static str,
    /// From -1 to 1, or null for a single pair and where one column is constant.
    pub r: Either<f64, Null>,
    /// The pairs.
    pub n: i64,
    /// The interval, or null for fewer than 4 pairs and where r is 1 or -1.
    pub ci: Either<CorrelationInterval, Null>,
    /// The two-sided p-value of a correlation of 0, or null where the pairs give none.
    pub p_value: Either<f64, Null>,
    /// How `pValue` was made: by Student's t with n - 2 degrees of freedom, or from all orders of one column.
    #[napi(ts_type = "'student' | 'permutation'")]
    pub test: Option<&'static str>,
    /// Why something is null.
    pub reason: Option<String>,
}

pub struct CorrelationMeasurement {
    x: Float64Array,
    y: Float64Array,
    options: CorrelationOptions,
}

impl Measurement for CorrelationMeasurement {
    type Output = Correlation;

    fn measure(&self) -> metrics::Result<Correlation> {
        let method = self.options.method.as_deref();
        let request = CorrelationRequest {
            method: method.map_or(Ok(Default::default()), str::parse)?,
            level: level(self.options.level),
        };
        let found = metrics::correlation(&self.x, &self.y, &request)?;
        Ok(Correlation {
            method: found.method.as_str(),
            r: or_null(found.r),
            n: found.n as i64,
            ci: or_null(found.ci.map(CorrelationInterval::from)),
            p_value: or_null(found.p_value),
            test: found.test.map(metrics::CorrelationTest::as_str),
            reason: found.reason,
        })
    }
}

/// The correlation of two columns whose entries belong to the same rows, with its interval and its p-value, off the event
/// loop.
///
/// The arrays are read in place: leave them unchanged until the promise settles. A value that is not finite rejects with an
/// error whose `data.input` is `x` or `y` and whose `data.row` is its index.
#[napi(ts_return_type = "Promise<Correlation>")]
pub fn correlation(
    x: Float64Array,
    y: Float64Array,
    options: Option<CorrelationOptions>,
) -> AsyncTask<Later<CorrelationMeasurement>> {
    let options = options.unwrap_or_default();
    later(CorrelationMeasurement { x, y, options })
}

/// The correlation at once; otherwise like `correlation`.
#[napi]
pub fn correlation_sync(
    env: Env,
    x: Float64Array,
    y: Float64Array,
    options: Option<CorrelationOptions>,
) -> Result<Correlation> {
    let options = options.unwrap_or_default();
    now(env, &CorrelationMeasurement { x, y, options })
}
