//! The row metrics.

use metrics::{row_count, Execution, RowColumns, RowRequest, TokenGroups, TopK};
use napi::bindgen_prelude::{AsyncTask, Float32Array, Float64Array, Int32Array, Uint32Array};
use napi::{Env, Result};

use crate::options::{threads, top_k, whole};
use crate::task::{later, now, Later, Measurement};

/// What is asked of each row.
#[napi(object, object_to_js = false)]
pub struct RowOptions {
    /// The number of tokens in the vocabulary, which is the number of logits in a row.
    pub vocab: f64,
    /// Token groups, each an array of distinct token ids; their masses are wanted.
    pub groups: Option<Vec<Int32Array>>,
    /// One token id a row, or -1 for a row without a target.
    pub targets: Option<Int32Array>,
    /// How many of the most probable tokens are wanted, 1 or more; more than `vocab` counts as `vocab`.
    pub top_k: Option<f64>,
    /// Threads at most, 1 or more; short batches use fewer. Default: every core for the promise, 1 for the `Sync` twin. The
    /// numbers are the same.
    pub threads: Option<f64>,
}

/// The metrics of each row. Arrays with several entries a row hold row after row. Logarithms are natural.
#[napi(object, object_from_js = false)]
pub struct RowMetrics {
    /// The number of rows.
    pub rows: i64,
    /// One a row: ln of the sum of exp of the logits.
    pub logsumexp: Float64Array,
    /// One a row: entropy in nats, from 0 to ln(vocab).
    pub entropy: Float64Array,
    /// rows x groups: the probability of each group, in [0, 1].
    pub masses: Float64Array,
    /// One a row: log-probability of the target, NaN for a row without one. Empty when no targets were given.
    pub target_logprob: Float64Array,
    /// One a row: 1 + number of logits strictly larger than the target's, 0 for a row without one. Empty when no targets
    /// were given.
    pub target_rank: Uint32Array,
    /// rows x k: ids of the most probable tokens, the most probable first, the lower id first among equals.
    #[napi(js_name = "topKIds")]
    pub top_k_ids: Int32Array,
    /// rows x k: their probabilities; 0 for masked tokens.
    #[napi(js_name = "topKProbs")]
    pub top_k_probs: Float64Array,
    /// Tokens a row in `topKIds` and `topKProbs`: the smaller of `topK` and `vocab`, 0 when no `topK` was given.
    pub k: i64,
}

pub struct RowMeasurement {
    logits: Float32Array,
    options: RowOptions,
    default: Execution,
}

impl Measurement for RowMeasurement {
    type Output = RowMetrics;

    fn measure(&self) -> metrics::Result<RowMetrics> {
        let vocab = whole("vocab", self.options.vocab)?;
        let rows = row_count(self.logits.len(), vocab)?;
        let (ids, offsets) = concatenate(self.options.groups.as_deref().unwrap_or_default());
        let request = RowRequest {
            groups: TokenGroups::new(&ids, &offsets, vocab)?,
            targets: self.options.targets.as_deref(),
            top_k: self.options.top_k.map_or(Ok(0), top_k)?,
        };
        let k = request.k(vocab);
        let with_target = if request.targets.is_some() { rows } else { 0 };

        let mut logsumexp = vec![0.0; rows];
        let mut entropy = vec![0.0; rows];
        let mut masses = vec![0.0; rows * request.groups.len()];
        let mut target_logprob = vec![0.0; with_target];
        let mut target_rank = vec![0; with_target];
        let mut top_k_ids = vec![0; rows * k];
        let mut top_k_probs = vec![0.0; rows * k];
        let mut columns = RowColumns {
            logsumexp: Some(&mut logsumexp),
            entropy: Some(&mut entropy),
            masses: Some(&mut masses),
            target_logprob: request.targets.and(Some(&mut target_logprob)),
            target_rank: request.targets.and(Some(&mut target_rank)),
            top_k_ids: Some(&mut top_k_ids),
            top_k_probs: Some(&mut top_k_probs),
        };
        metrics::row_metrics_on(
            threads(self.options.threads, self.default)?,
            &self.logits,
            vocab,
            &request,
            &mut columns,
            &mut TopK::new(),
        )?;
        Ok(RowMetrics {
            rows: rows as i64,
            logsumexp: logsumexp.into(),
            entropy: entropy.into(),
            masses: masses.into(),
            target_logprob: target_logprob.into(),
            target_rank: target_rank.into(),
            top_k_ids: top_k_ids.into(),
            top_k_probs: top_k_probs.into(),
            k: k as i64,
        })
    }
}

fn concatenate(groups: &[Int32Array]) -> (Vec<i32>, Vec<usize>) {
    let (mut ids, mut offsets) = (Vec::new(), vec![0]);
    for group in groups {
        ids.extend_from_slice(group);
        offsets.push(ids.len());
    }
    (ids, offsets)
}

/// Measures rows of logits, off the event loop.
///
/// `logits` holds row after row, each of `options.vocab` raw logits (not probabilities); -Infinity masks a token. The
/// arrays are read in place: leave them unchanged until the promise settles. A faulty row rejects with an error whose
/// `code` is one of `errorCodes()` and whose `data` names `row` and `column`.
#[napi(ts_return_type = "Promise<RowMetrics>")]
pub fn row_metrics(logits: Float32Array, options: RowOptions) -> AsyncTask<Later<RowMeasurement>> {
    let default = Execution::all_cores();
    later(RowMeasurement {
        logits,
        options,
        default,
    })
}

/// Measures rows of logits at once; otherwise like `rowMetrics`.
#[napi]
pub fn row_metrics_sync(env: Env, logits: Float32Array, options: RowOptions) -> Result<RowMetrics> {
    let default = Execution::default();
    now(
        env,
        &RowMeasurement {
            logits,
            options,
            default,
        },
    )
}
