//! How two columns go together, and a column with the groups of its rows.

use metrics::{CorrelationRequest, FisherInterval};
use napi::bindgen_prelude::{AsyncTask, Either, Float64Array, Null, Uint32Array};
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
    /// For `spearman`: Student's t for few pairs too, as most programs do it, and not the exact test; false when left out.
    pub approximate: Option<bool>,
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
            approximate: self.options.approximate.unwrap_or_default(),
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

/// The outcome of the test of Kruskal and Wallis.
#[napi(object, object_from_js = false)]
pub struct KruskalWallis {
    /// The statistic H, corrected for ties, 0 to n - 1; null for a single group, for groups of one value each, and where all
    /// values are equal.
    pub h: Either<f64, Null>,
    /// The degrees of freedom: one less than groups.
    pub freedom: i64,
    /// The probability, under chi-squared, of an H as large if all groups had one distribution; null where `h` is.
    pub p_value: Either<f64, Null>,
    /// (h - groups + 1) / (n - groups): the share of the ranks' variance between groups, less what chance gives. At most 1,
    /// below 0 where the groups differ less than chance lets them; null where `h` is.
    pub epsilon_squared: Either<f64, Null>,
    /// The values.
    pub n: i64,
    /// The groups that have values.
    pub groups: i64,
    /// Why there is no test.
    pub reason: Option<String>,
}

pub struct GroupMeasurement {
    values: Float64Array,
    group: Uint32Array,
}

impl Measurement for GroupMeasurement {
    type Output = KruskalWallis;

    fn measure(&self) -> metrics::Result<KruskalWallis> {
        let found = metrics::kruskal_wallis(&self.values, &self.group)?;
        Ok(KruskalWallis {
            h: or_null(found.h),
            freedom: found.freedom as i64,
            p_value: or_null(found.p_value),
            epsilon_squared: or_null(found.epsilon_squared),
            n: found.n as i64,
            groups: found.groups as i64,
            reason: found.reason,
        })
    }
}

/// The test of Kruskal and Wallis: whether the values of several groups are distributed alike, off the event loop. `group` names the
/// group of each value by a number.
///
/// The arrays are read in place: leave them unchanged until the promise settles. A value that is not finite rejects with an
/// error whose `data.row` is its index.
#[napi(ts_return_type = "Promise<KruskalWallis>")]
pub fn kruskal_wallis(
    values: Float64Array,
    group: Uint32Array,
) -> AsyncTask<Later<GroupMeasurement>> {
    later(GroupMeasurement { values, group })
}

/// The test at once; otherwise like `kruskalWallis`.
#[napi]
pub fn kruskal_wallis_sync(
    env: Env,
    values: Float64Array,
    group: Uint32Array,
) -> Result<KruskalWallis> {
    now(env, &GroupMeasurement { values, group })
}
