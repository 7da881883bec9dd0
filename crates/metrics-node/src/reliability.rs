//! The reliability of questionnaires. It runs at once: questionnaires are small.

use napi::bindgen_prelude::{Either, Float64Array, Null};
use napi::{Env, Result};

use crate::effects::EffectOptions;
use crate::errors::Failure;
use crate::intervals::or_null;
use crate::options::{level, whole};

/// The interval of Cronbach's alpha by Feldt's F.
#[napi(object, object_from_js = false)]
pub struct FeldtInterval {
    /// How it was made: (1 - population alpha) / (1 - alpha) is taken as F.
    #[napi(ts_type = "'feldt'")]
    pub method: &'static str,
    /// The confidence level.
    pub level: f64,
    /// The lower end; it may lie below 0.
    pub low: f64,
    /// The upper end, below 1.
    pub high: f64,
}

/// One item among the others.
#[napi(object, object_from_js = false)]
pub struct ItemStatistics {
    /// The mean of its values.
    pub mean: f64,
    /// Their standard deviation, with n - 1; null for a single row.
    pub sd: Either<f64, Null>,
    /// The correlation with the sum of the other items; null for a single item or row, and where either is constant.
    pub rest_correlation: Either<f64, Null>,
    /// Alpha of the other items; null where these have none.
    pub alpha_without: Either<f64, Null>,
}

/// The reliability of a sum of items.
#[napi(object, object_from_js = false)]
pub struct Reliability {
    /// Cronbach's alpha, at most 1; null for fewer than two items or rows, and where the sum is constant.
    pub alpha: Either<f64, Null>,
    /// Its interval, or null.
    pub ci: Either<FeldtInterval, Null>,
    /// The rows.
    pub n: i64,
    /// The items, in order of the columns.
    pub items: Vec<ItemStatistics>,
    /// Why something is null.
    pub reason: Option<String>,
}

/// Cronbach's alpha of `values`, row after row of `items` columns, all scored the same way round.
#[napi(catch_unwind)]
pub fn cronbach_alpha(
    env: Env,
    values: Float64Array,
    items: f64,
    options: Option<EffectOptions>,
) -> Result<Reliability> {
    let compute = || {
        let at = level(options.and_then(|options| options.level));
        metrics::cronbach_alpha(&values, whole("items", items)?, at)
    };
    let found = compute().map_err(|error| Failure::from(error).into_thrown(env))?;
    Ok(Reliability {
        alpha: or_null(found.alpha),
        ci: or_null(found.ci.map(|ci| FeldtInterval {
            method: "feldt",
            level: ci.level,
            low: ci.low,
            high: ci.high,
        })),
        n: found.n as i64,
        items: found
            .items
            .into_iter()
            .map(|item| ItemStatistics {
                mean: item.mean,
                sd: or_null(item.sd),
                rest_correlation: or_null(item.rest_correlation),
                alpha_without: or_null(item.alpha_without),
            })
            .collect(),
        reason: found.reason,
    })
}
