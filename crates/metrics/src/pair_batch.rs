//! The divergences of many pairs of rows at once, written into columns that the caller owns.

use crate::error::Result;
use crate::execution::{self, take, Execution};
use crate::pair::{LogBase, Pair, PairBuffers, PairMetrics, TopKDivergence};
use crate::shape;

/// What is asked of each pair.
#[derive(Debug, Clone, Copy, Default)]
pub struct PairRequest<'a> {
    /// The Ks of the top-K form, each 1 or more, in any order; more than the vocabulary counts as the vocabulary.
    pub top_k: &'a [usize],
    /// The base of the logarithms.
    pub base: LogBase,
}

/// Where the results go. A column that is `None` is not wanted; lengths are given in entries, rows one after another.
///
/// All but the total variation and the union sizes are in the unit of [`PairRequest::base`].
#[derive(Debug, Default)]
pub struct PairColumns<'a> {
    /// `rows`: Jensen-Shannon divergence.
    pub jsd: Option<&'a mut [f64]>,
    /// `rows`: KL(p||q), may be infinite.
    pub kl_pq: Option<&'a mut [f64]>,
    /// `rows`: KL(q||p), may be infinite.
    pub kl_qp: Option<&'a mut [f64]>,
    /// `rows`: total variation distance.
    pub total_variation: Option<&'a mut [f64]>,
    /// `rows x ks`: tokens in the union of the top K of both rows.
    pub union_size: Option<&'a mut [u32]>,
    /// `rows x ks`: the divergence's terms over the union.
    pub partial: Option<&'a mut [f64]>,
    /// `rows x ks`: a lower bound of the divergence.
    pub lower: Option<&'a mut [f64]>,
    /// `rows x ks`: an upper bound of the divergence.
    pub upper: Option<&'a mut [f64]>,
}

/// Buffers of [`pair_metrics`], to pass again with the next batch: nothing is allocated for a row.
#[derive(Debug, Default)]
pub struct PairWorkspace {
    buffers: PairBuffers,
    top_k: Vec<TopKDivergence>,
}

impl<'a> PairColumns<'a> {
    /// The columns of the first `rows` rows; `self` keeps the rest.
    fn take(&mut self, rows: usize, ks: usize) -> PairColumns<'a> {
        PairColumns {
            jsd: take(&mut self.jsd, rows),
            kl_pq: take(&mut self.kl_pq, rows),
            kl_qp: take(&mut self.kl_qp, rows),
            total_variation: take(&mut self.total_variation, rows),
            union_size: take(&mut self.union_size, rows * ks),
            partial: take(&mut self.partial, rows * ks),
            lower: take(&mut self.lower, rows * ks),
            upper: take(&mut self.upper, rows * ks),
        }
    }

    /// The same columns, lent.
    fn lend(&mut self) -> PairColumns<'_> {
        PairColumns {
            jsd: self.jsd.as_deref_mut(),
            kl_pq: self.kl_pq.as_deref_mut(),
            kl_qp: self.kl_qp.as_deref_mut(),
            total_variation: self.total_variation.as_deref_mut(),
            union_size: self.union_size.as_deref_mut(),
            partial: self.partial.as_deref_mut(),
            lower: self.lower.as_deref_mut(),
            upper: self.upper.as_deref_mut(),
        }
    }
}

/// Compares row i of `a` with row i of `b` (both `rows x vocab`, row after row) on this thread and returns the number of
/// rows.
///
/// When a row is at fault, the rows before it have been written and the rest have not.
///
/// # Errors
/// Those of [`Pair::new`] and [`Pair::measure`] with the row; `empty_input` for no logits, `length_mismatch` for `a`
/// and `b` of different lengths, for no whole number of rows and for a column of the wrong length.
pub fn pair_metrics(
    a: &[f32],
    b: &[f32],
    vocab: usize,
    request: &PairRequest<'_>,
    columns: &mut PairColumns<'_>,
    workspace: &mut PairWorkspace,
) -> Result<usize> {
    pair_metrics_on(
        Execution::default(),
        (a, b),
        vocab,
        request,
        columns,
        workspace,
    )
}

/// [`pair_metrics`] on threads and kernels of one's own choice: the same numbers on any number of threads, and the error
/// of the first row at fault. With several threads, rows after it may have been written.
///
/// # Errors
/// As [`pair_metrics`]; `bad_argument` for 0 threads or a level that this machine lacks.
pub fn pair_metrics_on(
    execution: Execution,
    (a, b): (&[f32], &[f32]),
    vocab: usize,
    request: &PairRequest<'_>,
    columns: &mut PairColumns<'_>,
    workspace: &mut PairWorkspace,
) -> Result<usize> {
    let rows = shape::row_count(a.len(), vocab).map_err(|error| error.in_input("a"))?;
    shape::same_length("b", b.len(), a.len())?;
    for &k in request.top_k {
        shape::top_k(k)?;
    }
    let ks = request.top_k.len();
    check_columns(rows, ks, columns)?;
    let kernels = execution.kernels()?;
    let share = execution.rows_a_thread(rows, a.len().saturating_add(b.len()))?;
    let largest = request.top_k.iter().copied().max().unwrap_or(0);
    let mut columns = columns.lend();
    let both = a.chunks(share * vocab).zip(b.chunks(share * vocab));
    let parts = both.enumerate().map(|(i, (a, b))| {
        let columns = columns.take(a.len() / vocab, ks);
        (i * share, a, b, columns)
    });
    let work = |(first, a, b, mut columns): (usize, &[f32], &[f32], PairColumns<'_>),
                workspace: &mut PairWorkspace| {
        let PairWorkspace { buffers, top_k } = workspace;
        top_k.clear();
        top_k.resize(ks, TopKDivergence::default());
        let pairs = a.chunks_exact(vocab).zip(b.chunks_exact(vocab));
        for (index, (a, b)) in pairs.enumerate() {
            let pair = Pair::sweep(a, b, kernels, largest, buffers)
                .map_err(|error| error.at_row(first + index))?;
            let metrics = pair.measure_members(request.top_k, top_k, buffers);
            write_row(index, metrics, request.base, &mut columns);
            write_top_k(index, top_k, request.base, &mut columns);
        }
        Ok(())
    };
    execution::run_parts(parts.collect(), workspace, work)?;
    Ok(rows)
}

fn check_columns(rows: usize, ks: usize, columns: &PairColumns<'_>) -> Result<()> {
    let cells = rows.saturating_mul(ks);
    shape::column("jsd", &columns.jsd, rows)?;
    shape::column("klPQ", &columns.kl_pq, rows)?;
    shape::column("klQP", &columns.kl_qp, rows)?;
    shape::column("totalVariation", &columns.total_variation, rows)?;
    shape::column("unionSize", &columns.union_size, cells)?;
    shape::column("partial", &columns.partial, cells)?;
    shape::column("lower", &columns.lower, cells)?;
    shape::column("upper", &columns.upper, cells)
}

fn write_row(row: usize, metrics: PairMetrics, base: LogBase, columns: &mut PairColumns<'_>) {
    set(&mut columns.jsd, row, base.from_nats(metrics.jsd));
    set(&mut columns.kl_pq, row, base.from_nats(metrics.kl_pq));
    set(&mut columns.kl_qp, row, base.from_nats(metrics.kl_qp));
    set(&mut columns.total_variation, row, metrics.total_variation);
}

fn write_top_k(row: usize, top_k: &[TopKDivergence], base: LogBase, columns: &mut PairColumns<'_>) {
    for (i, divergence) in top_k.iter().enumerate() {
        let cell = row * top_k.len() + i;
        set(&mut columns.union_size, cell, divergence.union_size);
        set(
            &mut columns.partial,
            cell,
            base.from_nats(divergence.partial),
        );
        set(&mut columns.lower, cell, base.from_nats(divergence.lower));
        set(&mut columns.upper, cell, base.from_nats(divergence.upper));
    }
}

fn set<T>(column: &mut Option<&mut [T]>, cell: usize, value: T) {
    if let Some(column) = column {
        column[cell] = value;
    }
}
