//! The pair metrics.

use metrics::{row_count, Execution, PairColumns, PairRequest, PairWorkspace};
use napi::bindgen_prelude::{AsyncTask, Float32Array, Float64Array, Uint32Array};
use napi::{Env, Result};

use crate::options::{log_base, threads, top_k, whole};
use crate::task::{later, now, Later, Measurement};

/// What is asked of each pair of rows.
#[napi(object, object_to_js = false)]
pub struct PairOptions {
    /// The number of tokens in the vocabulary, which is the number of logits in a row.
    pub vocab: f64,
    /// The Ks of the top-K form, each 1 or more; more than `vocab` counts as `vocab`.
    pub top_k: Option<Vec<f64>>,
    /// The base of the logarithms: 2, or Math.E, which is the default.
    pub base: Option<f64>,
    /// Threads at most, 1 or more; short batches use fewer. Default: every core for the promise, 1 for the `Sync` twin. The
    /// numbers are the same.
    pub threads: Option<f64>,
}

/// What the union of the top K tokens of both rows says about the Jensen-Shannon divergence, which lies in
/// [lower, upper].
#[napi(object, object_from_js = false)]
pub struct TopKDivergence {
    /// The K.
    pub k: i64,
    /// One a row: tokens in the union.
    pub union_size: Uint32Array,
    /// One a row: the divergence's terms over the union.
    pub partial: Float64Array,
    /// One a row: a lower bound of the divergence, `partial` or more.
    pub lower: Float64Array,
    /// One a row: an upper bound of the divergence, ln 2 (or 1 with base 2) or less.
    pub upper: Float64Array,
}

/// The divergences of each pair of rows: P from the first input, Q from the second, over the whole vocabulary.
#[napi(object, object_from_js = false)]
pub struct PairMetrics {
    /// The number of pairs.
    pub rows: i64,
    /// One a row: Jensen-Shannon divergence, from 0 to ln 2 (or 1 with base 2).
    pub jsd: Float64Array,
    /// One a row: KL(P||Q), 0 or more; Infinity when Q masks a token that P does not.
    #[napi(js_name = "klPQ")]
    pub kl_pq: Float64Array,
    /// One a row: KL(Q||P), 0 or more; Infinity when P masks a token that Q does not.
    #[napi(js_name = "klQP")]
    pub kl_qp: Float64Array,
    /// One a row: total variation distance, from 0 to 1.
    pub total_variation: Float64Array,
    /// One for each K of the options, in their order.
    #[napi(js_name = "topK")]
    pub top_k: Vec<TopKDivergence>,
}

pub struct PairMeasurement {
    a: Float32Array,
    b: Float32Array,
    options: PairOptions,
    default: Execution,
}

impl Measurement for PairMeasurement {
    type Output = PairMetrics;

    fn measure(&self) -> metrics::Result<PairMetrics> {
        let vocab = whole("vocab", self.options.vocab)?;
        let rows = row_count(self.a.len(), vocab)?;
        let ks = self.options.top_k.as_deref().unwrap_or_default();
        let ks: Vec<usize> = ks
            .iter()
            .map(|&k| top_k(k))
            .collect::<metrics::Result<_>>()?;
        let request = PairRequest {
            top_k: &ks,
            base: log_base(self.options.base)?,
        };

        let mut jsd = vec![0.0; rows];
        let mut kl_pq = vec![0.0; rows];
        let mut kl_qp = vec![0.0; rows];
        let mut total_variation = vec![0.0; rows];
        let mut union_size = vec![0; rows * ks.len()];
        let mut partial = vec![0.0; rows * ks.len()];
        let mut lower = vec![0.0; rows * ks.len()];
        let mut upper = vec![0.0; rows * ks.len()];
        let mut columns = PairColumns {
            jsd: Some(&mut jsd),
            kl_pq: Some(&mut kl_pq),
            kl_qp: Some(&mut kl_qp),
            total_variation: Some(&mut total_variation),
            union_size: Some(&mut union_size),
            partial: Some(&mut partial),
            lower: Some(&mut lower),
            upper: Some(&mut upper),
        };
        let workspace = &mut PairWorkspace::default();
        metrics::pair_metrics_on(
            threads(self.options.threads, self.default)?,
            (&self.a, &self.b),
            vocab,
            &request,
            &mut columns,
            workspace,
        )?;
        let by_k = ks.iter().enumerate().map(|(i, &k)| TopKDivergence {
            k: k as i64,
            union_size: every(&union_size, i, ks.len()).into(),
            partial: every(&partial, i, ks.len()).into(),
            lower: every(&lower, i, ks.len()).into(),
            upper: every(&upper, i, ks.len()).into(),
        });
        Ok(PairMetrics {
            rows: rows as i64,
            top_k: by_k.collect(),
            jsd: jsd.into(),
            kl_pq: kl_pq.into(),
            kl_qp: kl_qp.into(),
            total_variation: total_variation.into(),
        })
    }
}

/// Column `i` of a table whose rows are `width` wide.
fn every<T: Copy>(table: &[T], i: usize, width: usize) -> Vec<T> {
    table.iter().copied().skip(i).step_by(width).collect()
}

/// Compares row i of `a` with row i of `b`, for all rows, off the event loop.
///
/// Both hold row after row, each of `options.vocab` raw logits; -Infinity masks a token. The arrays are read in place:
/// leave them unchanged until the promise settles. A faulty row rejects with an error whose `code` is one of
/// `errorCodes()` and whose `data` names `input` (`a` or `b`), `row` and `column`.
#[napi(ts_return_type = "Promise<PairMetrics>")]
pub fn pair_metrics(
    a: Float32Array,
    b: Float32Array,
    options: PairOptions,
) -> AsyncTask<Later<PairMeasurement>> {
    let default = Execution::all_cores();
    later(PairMeasurement {
        a,
        b,
        options,
        default,
    })
}

/// Compares rows of logits at once; otherwise like `pairMetrics`.
#[napi]
pub fn pair_metrics_sync(
    env: Env,
    a: Float32Array,
    b: Float32Array,
    options: PairOptions,
) -> Result<PairMetrics> {
    let default = Execution::default();
    now(
        env,
        &PairMeasurement {
            a,
            b,
            options,
            default,
        },
    )
}
