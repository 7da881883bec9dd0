//! Shares: of counts, of rows that may belong together, and the difference of two over the same rows.

use metrics::ShareRequest;
use napi::bindgen_prelude::{Either, Null, Uint32Array, Uint8Array};
use napi::{Env, Result};

use crate::errors::Failure;
use crate::intervals::or_null;
use crate::options::{level, whole};

/// How a proportion's interval is made.
#[napi(object, object_to_js = false)]
pub struct WilsonOptions {
    /// The confidence level, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
}

/// A proportion with its Wilson score interval.
#[napi(object, object_from_js = false)]
pub struct Proportion {
    /// `successes / n`.
    pub mean: f64,
    /// The lower end, 0 or more.
    pub low: f64,
    /// The upper end, 1 or less.
    pub high: f64,
    /// The number of trials.
    pub n: i64,
    /// The confidence level.
    pub level: f64,
}

/// The Wilson score interval of `successes` out of `n` trials, without continuity correction. Runs at once.
#[napi(catch_unwind)]
pub fn wilson(
    env: Env,
    successes: f64,
    n: f64,
    options: Option<WilsonOptions>,
) -> Result<Proportion> {
    let level = level(options.and_then(|options| options.level));
    let compute = || {
        let (successes, n) = (whole("successes", successes)?, whole("n", n)?);
        metrics::wilson(successes as u64, n as u64, level)
    };
    let proportion = compute().map_err(|error| Failure::from(error).into_thrown(env))?;
    Ok(Proportion {
        mean: proportion.mean,
        low: proportion.low,
        high: proportion.high,
        n: proportion.n as i64,
        level: proportion.level,
    })
}

/// How rows belong together, and the level.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct ShareOptions {
    /// One a row: the cluster to which it belongs. Left out: rows are independent.
    pub cluster: Option<Uint32Array>,
    /// One a row: a second way in which rows belong together, such as the occupation beside the template.
    pub cluster2: Option<Uint32Array>,
    /// The confidence level, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
    /// A share between 0 and 1 to test against.
    pub against: Option<f64>,
}

/// A score interval of a share.
#[napi(object, object_from_js = false)]
pub struct ShareInterval {
    /// How it was made: `wilson` over rows, `clusterWilson` at the effective sample size with Student's t.
    #[napi(ts_type = "'wilson' | 'clusterWilson'")]
    pub method: &'static str,
    /// The confidence level.
    pub level: f64,
    /// The lower end, 0 or more.
    pub low: f64,
    /// The upper end, 1 or less.
    pub high: f64,
    /// For `clusterWilson`: the clusters.
    pub clusters: Option<i64>,
    /// Of two ways to cluster: the clusters of the second.
    pub clusters2: Option<i64>,
    /// For `clusterWilson`: how many independent rows would say as much.
    pub effective_n: Option<f64>,
}

/// A share with its score interval.
#[napi(object, object_from_js = false)]
pub struct Share {
    /// `hits / n`.
    pub mean: f64,
    /// Rows that are hits.
    pub hits: i64,
    /// All rows.
    pub n: i64,
    /// The interval, or null where there are too few clusters for one.
    pub ci: Either<ShareInterval, Null>,
    /// Two-sided, of the share `against`, by the score test that the interval inverts; null without one, and where there are
    /// too few clusters.
    pub p_value: Either<f64, Null>,
    /// Why there is no interval.
    pub reason: Option<String>,
}

/// The share of rows that are hits (1, not 0), with Wilson's interval, where rows have clusters at the effective sample
/// size. Runs at once.
#[napi(catch_unwind)]
pub fn share(env: Env, hits: Uint8Array, options: Option<ShareOptions>) -> Result<Share> {
    let options = options.unwrap_or_default();
    let request = ShareRequest {
        cluster: options.cluster.as_deref(),
        cluster2: options.cluster2.as_deref(),
        level: level(options.level),
        against: options.against,
    };
    let found =
        metrics::share(&hits, &request).map_err(|error| Failure::from(error).into_thrown(env))?;
    Ok(Share {
        mean: found.mean,
        hits: found.hits as i64,
        n: found.n as i64,
        ci: or_null(found.ci.map(|ci| ShareInterval {
            method: ci.method.as_str(),
            level: ci.level,
            low: ci.low,
            high: ci.high,
            clusters: ci.clusters.map(|clusters| clusters as i64),
            clusters2: ci.clusters2.map(|clusters| clusters as i64),
            effective_n: ci.effective_n,
        })),
        p_value: or_null(found.p_value),
        reason: found.reason,
    })
}

/// A difference of two shares with its interval.
#[napi(object, object_from_js = false)]
pub struct SharesDifference {
    /// `(b - c) / n`.
    pub mean: f64,
    /// The lower end, -1 or more.
    pub low: f64,
    /// The upper end, 1 or less.
    pub high: f64,
    /// The number of rows.
    pub n: i64,
    /// The confidence level.
    pub level: f64,
}

/// Tango's score interval of the difference of two shares over the same `n` rows, `b` of which only the first has as hits,
/// and `c` only the second. Runs at once.
#[napi(catch_unwind)]
pub fn tango(
    env: Env,
    b: f64,
    c: f64,
    n: f64,
    options: Option<WilsonOptions>,
) -> Result<SharesDifference> {
    let level = level(options.and_then(|options| options.level));
    let compute = || {
        let (b, c, n) = (whole("b", b)?, whole("c", c)?, whole("n", n)?);
        metrics::tango(b as u64, c as u64, n as u64, level)
    };
    let found = compute().map_err(|error| Failure::from(error).into_thrown(env))?;
    Ok(SharesDifference {
        mean: found.mean,
        low: found.low,
        high: found.high,
        n: found.n as i64,
        level: found.level,
    })
}
