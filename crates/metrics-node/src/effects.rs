//! Sizes of effects, tests against a margin, and power. All run at once: their work does not grow with the data, or is one pass.

use metrics::AggregateRequest;
use napi::bindgen_prelude::{Either, Float64Array, Null, Uint32Array};
use napi::{Env, Result};

use crate::errors::Failure;
use crate::intervals::or_null;
use crate::options::{level, whole};

/// An effect with its interval.
#[napi(object, object_from_js = false)]
pub struct Effect {
    /// The effect.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The confidence level.
    pub level: f64,
}

impl From<metrics::Effect> for Effect {
    fn from(effect: metrics::Effect) -> Self {
        let metrics::Effect {
            value,
            low,
            high,
            level,
        } = effect;
        Self {
            value,
            low,
            high,
            level,
        }
    }
}

/// Which standardised difference is wanted.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct CohenDOptions {
    /// True: entries belong together, and d is d_z; false when left out.
    pub paired: Option<bool>,
    /// The confidence level, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
}

/// A standardised mean difference.
#[napi(object, object_from_js = false)]
pub struct StandardisedDifference {
    /// Cohen's d (of pairs d_z) with its interval, or null without a spread.
    pub d: Either<Effect, Null>,
    /// d less its bias in small samples (Hedges 1981).
    pub hedges_g: Either<f64, Null>,
    /// Student's degrees of freedom.
    pub freedom: i64,
    /// Why it is missing.
    pub reason: Option<String>,
}

/// Cohen's d of two groups, or d_z of pairs, with the interval of the noncentral t distribution.
#[napi(catch_unwind)]
pub fn cohen_d(
    env: Env,
    a: Float64Array,
    b: Float64Array,
    options: Option<CohenDOptions>,
) -> Result<StandardisedDifference> {
    let options = options.unwrap_or_default();
    let found = or_throw(
        env,
        metrics::cohen_d(
            &a,
            &b,
            options.paired.unwrap_or(false),
            level(options.level),
        ),
    )?;
    Ok(StandardisedDifference {
        d: or_null(found.d.map(Effect::from)),
        hedges_g: or_null(found.hedges_g),
        freedom: found.freedom as i64,
        reason: found.reason,
    })
}

/// The level of an effect's interval.
#[napi(object, object_to_js = false)]
pub struct EffectOptions {
    /// The confidence level, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
}

fn level_of(options: Option<EffectOptions>) -> f64 {
    level(options.and_then(|options| options.level))
}

/// An odds ratio with its interval.
#[napi(object, object_from_js = false)]
pub struct OddsRatio {
    /// The odds ratio.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The confidence level.
    pub level: f64,
    /// Whether half a row was added to each cell, since one was 0.
    pub corrected: bool,
}

/// The odds ratio of a 2 x 2 table: hits and misses of a first group, then of a second, with Woolf's interval.
#[napi(catch_unwind)]
pub fn odds_ratio(
    env: Env,
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    options: Option<EffectOptions>,
) -> Result<OddsRatio> {
    let compute = || {
        metrics::odds_ratio(
            count("a", a)?,
            count("b", b)?,
            count("c", c)?,
            count("d", d)?,
            level_of(options),
        )
    };
    let (effect, corrected) = or_throw(env, compute())?;
    Ok(OddsRatio {
        value: effect.value,
        low: effect.low,
        high: effect.high,
        level: effect.level,
        corrected,
    })
}

/// The conditional odds ratio b / c of two runs over the same rows, with the odds of Wilson's ends.
#[napi(catch_unwind)]
pub fn paired_odds_ratio(
    env: Env,
    b: f64,
    c: f64,
    options: Option<EffectOptions>,
) -> Result<Effect> {
    let compute = || metrics::paired_odds_ratio(count("b", b)?, count("c", c)?, level_of(options));
    or_throw(env, compute()).map(Effect::from)
}

/// Cohen's h of two shares, hits and rows of the first, then of the second, with the normal interval.
#[napi(catch_unwind)]
pub fn cohen_h(
    env: Env,
    hits1: f64,
    n1: f64,
    hits2: f64,
    n2: f64,
    options: Option<EffectOptions>,
) -> Result<Effect> {
    let compute = || {
        metrics::cohen_h(
            count("hits1", hits1)?,
            count("n1", n1)?,
            count("hits2", hits2)?,
            count("n2", n2)?,
            level_of(options),
        )
    };
    or_throw(env, compute()).map(Effect::from)
}

/// How pairs belong together, and the level.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct EquivalenceOptions {
    /// One a pair: the cluster to which it belongs. Left out: pairs are independent.
    pub cluster: Option<Uint32Array>,
    /// One a pair: a second way in which pairs belong together.
    pub cluster2: Option<Uint32Array>,
    /// The confidence level of the one-sided tests, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
}

/// What two one-sided tests say of a difference.
#[napi(object, object_from_js = false)]
pub struct Equivalence {
    /// a - b.
    pub difference: f64,
    /// The lower end of the interval at 1 - 2 (1 - level): within the margins exactly where the tests find equivalence.
    pub low: Either<f64, Null>,
    /// Its upper end.
    pub high: Either<f64, Null>,
    /// One-sided, of a difference of -margin or less: small where a is not inferior to b.
    pub p_non_inferiority: Either<f64, Null>,
    /// The larger of both one-sided p-values: small where the difference lies within the margins.
    pub p_equivalence: Either<f64, Null>,
    /// Why it is missing.
    pub reason: Option<String>,
}

impl From<metrics::Equivalence> for Equivalence {
    fn from(found: metrics::Equivalence) -> Self {
        Self {
            difference: found.difference,
            low: or_null(found.interval.map(|(low, _)| low)),
            high: or_null(found.interval.map(|(_, high)| high)),
            p_non_inferiority: or_null(found.p_non_inferiority),
            p_equivalence: or_null(found.p_equivalence),
            reason: found.reason,
        }
    }
}

/// Two one-sided tests of the mean of a - b against a margin, by Student's t over clusters.
#[napi(catch_unwind)]
pub fn mean_equivalence(
    env: Env,
    a: Float64Array,
    b: Float64Array,
    margin: f64,
    options: Option<EquivalenceOptions>,
) -> Result<Equivalence> {
    let options = options.unwrap_or_default();
    let request = AggregateRequest {
        cluster: options.cluster.as_deref(),
        cluster2: options.cluster2.as_deref(),
        level: level(options.level),
        ..AggregateRequest::default()
    };
    or_throw(env, metrics::mean_equivalence(&a, &b, margin, &request)).map(Equivalence::from)
}

/// Two one-sided tests of the difference of two shares over the same n rows against a margin, by Tango's score.
#[napi(catch_unwind)]
pub fn share_equivalence(
    env: Env,
    b: f64,
    c: f64,
    n: f64,
    margin: f64,
    options: Option<EffectOptions>,
) -> Result<Equivalence> {
    let compute = || {
        let (b, c, n) = (count("b", b)?, count("c", c)?, count("n", n)?);
        metrics::share_equivalence(b, c, n, margin, level_of(options))
    };
    or_throw(env, compute()).map(Equivalence::from)
}

/// The test whose power is asked for.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct PowerOptions {
    /// True: two groups of n rows each; false, when left out: n pairs.
    pub independent: Option<bool>,
    /// The level of the two-sided test, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
    /// The probability with which the effect is found; 0.8 when left out.
    pub power: Option<f64>,
}

/// The least effects that a test finds.
#[napi(object, object_from_js = false)]
pub struct DetectableEffect {
    /// As Cohen's d (of pairs d_z): of the t-test.
    pub d: f64,
    /// As Cohen's h: of the normal test of shares.
    pub h: f64,
}

const USUAL_POWER: f64 = 0.8;

/// The least standardised effect that a two-sided test of n rows finds with a given power.
#[napi(catch_unwind)]
pub fn minimum_detectable_effect(
    env: Env,
    n: f64,
    options: Option<PowerOptions>,
) -> Result<DetectableEffect> {
    let options = options.unwrap_or_default();
    let compute = || {
        metrics::minimum_detectable_effect(
            count("n", n)?,
            options.independent.unwrap_or(false),
            level(options.level),
            options.power.unwrap_or(USUAL_POWER),
        )
    };
    let found = or_throw(env, compute())?;
    Ok(DetectableEffect {
        d: found.d,
        h: found.h,
    })
}

fn count(name: &str, value: f64) -> metrics::Result<u64> {
    whole(name, value).map(|count| count as u64)
}

fn or_throw<T>(env: Env, found: metrics::Result<T>) -> Result<T> {
    found.map_err(|error| Failure::from(error).into_thrown(env))
}
