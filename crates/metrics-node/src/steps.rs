//! What turns the metrics of steps into results: the gate and the gated mean.

use metrics::{AggregateRequest, GateRequest};
use napi::bindgen_prelude::{AsyncTask, Float64Array, Uint32Array, Uint8Array};
use napi::{Env, Result};

use crate::errors::Failure;
use crate::intervals::{Aggregate, IntervalOptions};
use crate::options::whole;
use crate::task::{later, now, Later, Measurement};

/// What is known of the steps besides their values, and which interval is wanted.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct AggregateOptions {
    /// One a value: 1 where the step counts, 0 where it does not (its value may be NaN). Left out: every step counts.
    pub gate: Option<Uint8Array>,
    /// One a value: the prompt to which the step belongs. Left out: every step is a cluster of its own.
    pub cluster: Option<Uint32Array>,
    /// One a value: a second way in which steps belong together, such as the occupation beside the template.
    pub cluster2: Option<Uint32Array>,
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

impl AggregateOptions {
    /// The request, if its numbers and names can be ones.
    pub(crate) fn request(&self) -> metrics::Result<AggregateRequest<'_>> {
        let interval = IntervalOptions {
            ci: self.ci.clone(),
            bootstrap: self.bootstrap.clone(),
            level: self.level,
            range: self.range.clone(),
            resamples: self.resamples,
            seed: self.seed,
            threads: self.threads,
        };
        Ok(AggregateRequest {
            gate: self.gate.as_deref(),
            cluster: self.cluster.as_deref(),
            cluster2: self.cluster2.as_deref(),
            ..interval.request()?
        })
    }
}

pub struct AggregateMeasurement {
    values: Float64Array,
    options: AggregateOptions,
}

impl Measurement for AggregateMeasurement {
    type Output = Aggregate;

    fn measure(&self) -> metrics::Result<Aggregate> {
        let request = self.options.request()?;
        metrics::aggregate(&self.values, &request).map(Aggregate::from)
    }
}

/// The gated mean of the values of many steps, with its interval, off the event loop.
///
/// The arrays are read in place: leave them unchanged until the promise settles. A gated value that is not finite rejects
/// with an error whose `data.row` is its index.
#[napi(ts_return_type = "Promise<Aggregate>")]
pub fn aggregate(
    values: Float64Array,
    options: Option<AggregateOptions>,
) -> AsyncTask<Later<AggregateMeasurement>> {
    let options = options.unwrap_or_default();
    later(AggregateMeasurement { values, options })
}

/// The gated mean at once; otherwise like `aggregate`.
#[napi]
pub fn aggregate_sync(
    env: Env,
    values: Float64Array,
    options: Option<AggregateOptions>,
) -> Result<Aggregate> {
    let options = options.unwrap_or_default();
    now(env, &AggregateMeasurement { values, options })
}

/// What is known of each step of a text. The arrays hold 0 or 1 and are equally long.
#[napi(object, object_to_js = false)]
pub struct GateOptions {
    /// One a step: is one of the top-K candidates in a token group?
    #[napi(js_name = "topKHits")]
    pub top_k_hits: Uint8Array,
    /// One a step: is its token an occupation word?
    pub occupation: Uint8Array,
    /// One a step: is its token a pronoun or a name?
    pub pronoun_or_name: Uint8Array,
    /// How many tokens, the step's own included, an occupation word and a pronoun or name may lie apart; 1 or more.
    pub window: f64,
    /// How many steps after its own a trigger opens.
    pub steps_after: f64,
}

/// The gate of each step of a text, and what opened it.
#[napi(object, object_from_js = false)]
pub struct Gate {
    /// One a step: 1 where the step counts.
    pub gate: Uint8Array,
    /// Steps with a top-K hit; each opens its own step and those after it.
    #[napi(js_name = "topKTriggers")]
    pub top_k_triggers: i64,
    /// Steps with an occupation word and a pronoun or name in the window; each opens the steps after it.
    pub window_triggers: i64,
    /// The share of steps that count.
    pub coverage: f64,
}

/// Computes which steps of a text count. Runs at once: its work is a few operations a step.
#[napi(catch_unwind)]
pub fn gate(env: Env, options: GateOptions) -> Result<Gate> {
    let compute = || {
        metrics::gate(&GateRequest {
            top_k_hits: &options.top_k_hits,
            occupation: &options.occupation,
            pronoun_or_name: &options.pronoun_or_name,
            window: whole("window", options.window)?,
            steps_after: whole("stepsAfter", options.steps_after)?,
        })
    };
    let gate = compute().map_err(|error| Failure::from(error).into_thrown(env))?;
    Ok(Gate {
        gate: gate.gate.into(),
        top_k_triggers: gate.top_k_triggers as i64,
        window_triggers: gate.window_triggers as i64,
        coverage: gate.coverage,
    })
}
