//! The streaming aggregator as a class, and its state as plain JSON.

use std::cell::RefCell;
use std::sync::Arc;

use metrics::{AggregatorState as State, ClusterIds, ClusterState, KeptState, Steps};
use metrics::{ErrorCode, MetricsError};
use napi::bindgen_prelude::{AsyncTask, Either, Float64Array, Null, Uint32Array, Uint8Array};
use napi::{Env, Result};

use crate::errors::Failure;
use crate::intervals::{Aggregate, IntervalOptions};
use crate::options::whole;
use crate::task::{later, now, Later, Measurement};

/// A batch of steps.
#[napi(object, object_to_js = false)]
pub struct StepColumns {
    /// One a step.
    pub values: Float64Array,
    /// One a step: 1 where the step counts, 0 where it does not (its value may be NaN). Left out: every step counts.
    pub gate: Option<Uint8Array>,
    /// One a step: the prompt to which the step belongs, by number or by name. Left out: every step is a cluster of its
    /// own. All batches of an aggregator do it one way.
    pub cluster: Option<Either<Uint32Array, Vec<String>>>,
}

/// All that an aggregator knows, as plain JSON. Cluster i has `clusters.ids[i]`, `weights[i]`, and so on.
#[napi(object)]
pub struct AggregatorState {
    /// What this is: `logit-audit/aggregator`.
    #[napi(ts_type = "'logit-audit/aggregator'")]
    pub format: String,
    /// The version of the format: 1.
    pub version: f64,
    /// All steps, gated or not.
    pub steps: f64,
    /// The sum of squares of the gated values, and what rounding would lose of it.
    pub squares: Vec<f64>,
    /// The gated values where steps have no clusters; null otherwise.
    pub values: Either<Vec<f64>, Null>,
    /// The clusters with a gated step; null where steps have none.
    pub clusters: Either<ClusterColumns, Null>,
}

/// Clusters as columns of one length.
#[napi(object)]
pub struct ClusterColumns {
    /// The kind of ids, known even where there are no ids.
    #[napi(ts_type = "'number' | 'name'")]
    pub by: String,
    /// Numbers or names, ascending.
    pub ids: Either<Vec<f64>, Vec<String>>,
    /// Gated steps, 1 or more.
    pub weights: Vec<f64>,
    /// Sums of the gated values.
    pub sums: Vec<f64>,
    /// What rounding would lose of the sums.
    pub rests: Vec<f64>,
}

const FORMAT: &str = "logit-audit/aggregator";
const BY_NUMBER: &str = "number";
const BY_NAME: &str = "name";

/// A gated mean of steps that come in batches or from several processes: `add` and `merge` give what `aggregate` gives for
/// all steps at once. It keeps two numbers a cluster (or the values, where steps have no clusters).
#[napi]
#[derive(Default)]
pub struct Aggregator {
    /// Shared with results under way, which see the steps of their call. The cell lets steps be added meanwhile: an object
    /// of JavaScript counts as borrowed for as long as one of its promises is open.
    inner: RefCell<Arc<metrics::Aggregator>>,
}

#[napi]
impl Aggregator {
    /// An aggregator of no steps.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a batch. After an error, nothing of it was added.
    #[napi(catch_unwind)]
    pub fn add(&self, env: Env, columns: StepColumns) -> Result<()> {
        let batch = Steps {
            values: &columns.values,
            gate: columns.gate.as_deref(),
            cluster: columns.cluster.as_ref().map(|ids| match ids {
                Either::A(numbers) => ClusterIds::Numbers(numbers),
                Either::B(names) => ClusterIds::Names(names),
            }),
        };
        let added = Arc::make_mut(&mut self.inner.borrow_mut()).add(&batch);
        added.map_err(|error| Failure::from(error).into_thrown(env))
    }

    /// Adds the steps of another aggregator, which stays as it is. Clusters of the same id are one cluster.
    #[napi(catch_unwind)]
    pub fn merge(&self, env: Env, other: &Aggregator) -> Result<()> {
        // An aggregator that is merged into itself counts twice.
        let other = Arc::clone(&other.inner.borrow());
        let merged = Arc::make_mut(&mut self.inner.borrow_mut()).merge(&other);
        merged.map_err(|error| Failure::from(error).into_thrown(env))
    }

    /// The gated mean of all steps so far with its interval, off the event loop.
    #[napi(ts_return_type = "Promise<Aggregate>")]
    pub fn result(&self, options: Option<IntervalOptions>) -> AsyncTask<Later<ResultMeasurement>> {
        later(self.measurement(options))
    }

    /// The gated mean at once; otherwise like `result`.
    #[napi]
    pub fn result_sync(&self, env: Env, options: Option<IntervalOptions>) -> Result<Aggregate> {
        now(env, &self.measurement(options))
    }

    /// All that the aggregator knows, as plain JSON.
    #[napi(js_name = "toJSON", catch_unwind)]
    pub fn to_json(&self) -> AggregatorState {
        self.inner.borrow().to_state().into()
    }

    /// The aggregator that gave `state`. What no aggregator gives is refused.
    #[napi(factory, js_name = "fromJSON", catch_unwind)]
    pub fn from_json(env: Env, state: AggregatorState) -> Result<Self> {
        let read = State::try_from(state).and_then(|state| metrics::Aggregator::from_state(&state));
        match read {
            Ok(inner) => Ok(Self {
                inner: RefCell::new(Arc::new(inner)),
            }),
            Err(error) => Err(Failure::from(error).into_thrown(env)),
        }
    }

    fn measurement(&self, options: Option<IntervalOptions>) -> ResultMeasurement {
        ResultMeasurement {
            inner: Arc::clone(&self.inner.borrow()),
            options: options.unwrap_or_default(),
        }
    }
}

pub struct ResultMeasurement {
    inner: Arc<metrics::Aggregator>,
    options: IntervalOptions,
}

impl Measurement for ResultMeasurement {
    type Output = Aggregate;

    fn measure(&self) -> metrics::Result<Aggregate> {
        let request = self.options.request()?;
        self.inner.result(&request).map(Aggregate::from)
    }
}

impl From<State> for AggregatorState {
    fn from(state: State) -> Self {
        let columns = |by: &str, ids, clusters: Vec<ClusterState>| {
            Either::A(ClusterColumns {
                by: by.to_owned(),
                ids,
                weights: clusters.iter().map(|c| c.weight as f64).collect(),
                sums: clusters.iter().map(|c| c.sum.0).collect(),
                rests: clusters.iter().map(|c| c.sum.1).collect(),
            })
        };
        let (values, clusters) = match state.kept {
            KeptState::Nothing => (Either::B(Null), Either::B(Null)),
            KeptState::Values(values) => (Either::A(values), Either::B(Null)),
            KeptState::Numbers(clusters) => {
                let (ids, sums): (Vec<u32>, _) = clusters.into_iter().unzip();
                let ids = ids.into_iter().map(f64::from).collect();
                (Either::B(Null), columns(BY_NUMBER, Either::A(ids), sums))
            }
            KeptState::Names(clusters) => {
                let (ids, sums) = clusters.into_iter().unzip();
                (Either::B(Null), columns(BY_NAME, Either::B(ids), sums))
            }
        };
        Self {
            format: FORMAT.to_owned(),
            version: f64::from(state.version),
            steps: state.steps as f64,
            squares: vec![state.squares.0, state.squares.1],
            values,
            clusters,
        }
    }
}

impl TryFrom<AggregatorState> for State {
    type Error = MetricsError;

    fn try_from(state: AggregatorState) -> metrics::Result<Self> {
        if state.format != FORMAT {
            return Err(state_fault(format!("a state of format `{}`", state.format)));
        }
        let &[high, low] = state.squares.as_slice() else {
            return Err(state_fault("`squares` is not two numbers".to_owned()));
        };
        let kept = match (state.values, state.clusters) {
            (Either::B(_), Either::B(_)) => KeptState::Nothing,
            (Either::A(values), Either::B(_)) => KeptState::Values(values),
            (Either::B(_), Either::A(columns)) => match (columns.by.as_str(), &columns.ids) {
                (BY_NUMBER, Either::A(ids)) => {
                    let ids = ids.iter().map(|&id| number(id));
                    let ids: Vec<u32> = ids.collect::<metrics::Result<_>>()?;
                    KeptState::Numbers(clusters(ids, &columns)?)
                }
                (BY_NAME, Either::B(ids)) => KeptState::Names(clusters(ids.clone(), &columns)?),
                // A list of nothing is a list of anything.
                (BY_NAME, Either::A(ids)) if ids.is_empty() => {
                    KeptState::Names(clusters(Vec::new(), &columns)?)
                }
                _ => return Err(state_fault("the `ids` are not what `by` says".to_owned())),
            },
            (Either::A(_), Either::A(_)) => {
                return Err(state_fault(
                    "a state of both `values` and `clusters`".to_owned(),
                ))
            }
        };
        Ok(State {
            version: number(state.version)?,
            steps: whole("steps", state.steps)? as u64,
            squares: (high, low),
            kept,
        })
    }
}

fn number(value: f64) -> metrics::Result<u32> {
    u32::try_from(whole("clusters", value)?)
        .map_err(|_| state_fault(format!("a cluster or version of number {value}")))
}

fn clusters<K>(ids: Vec<K>, columns: &ClusterColumns) -> metrics::Result<Vec<(K, ClusterState)>> {
    let lengths = [
        columns.weights.len(),
        columns.sums.len(),
        columns.rests.len(),
    ];
    if lengths.iter().any(|&length| length != ids.len()) {
        return Err(state_fault(
            "the columns of `clusters` differ in length".to_owned(),
        ));
    }
    let sums = columns.sums.iter().zip(&columns.rests);
    let rows = ids.into_iter().zip(columns.weights.iter().zip(sums));
    rows.map(|(id, (&weight, (&high, &low)))| {
        let weight = whole("weights", weight)? as u64;
        let sum = (high, low);
        Ok((id, ClusterState { weight, sum }))
    })
    .collect()
}

fn state_fault(what: String) -> MetricsError {
    MetricsError::new(
        ErrorCode::BadArgument,
        what,
        "pass an aggregator's state as it was written",
    )
}
