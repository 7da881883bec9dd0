//! The metrics of many rows at once, written into columns that the caller owns.

use crate::error::Result;
use crate::execution::{self, take, Execution};
use crate::groups::TokenGroups;
use crate::row::Row;
use crate::shape;
use crate::simd::Kernels;
use crate::topk::TopK;

/// In a list of targets: this row has none. Its log-probability becomes NaN and its rank 0.
pub const NO_TARGET: i32 = -1;

/// What is asked of each row.
#[derive(Debug, Clone, Copy)]
pub struct RowRequest<'a> {
    /// The token groups whose masses are wanted.
    pub groups: TokenGroups<'a>,
    /// One token id a row, or [`NO_TARGET`]; `None` when no row has a target.
    pub targets: Option<&'a [i32]>,
    /// How many of the most probable tokens are wanted: 0 for none; more than the vocabulary gives the vocabulary.
    pub top_k: usize,
}

impl RowRequest<'_> {
    /// The width of the top-K columns: `min(top_k, vocab)`.
    pub fn k(&self, vocab: usize) -> usize {
        self.top_k.min(vocab)
    }
}

/// Where the results go. A column that is `None` is not wanted; lengths are given in entries, rows one after another.
#[derive(Debug, Default)]
pub struct RowColumns<'a> {
    /// `rows`: logsumexp in nats.
    pub logsumexp: Option<&'a mut [f64]>,
    /// `rows`: entropy in nats.
    pub entropy: Option<&'a mut [f64]>,
    /// `rows x groups`: the probability mass of each group.
    pub masses: Option<&'a mut [f64]>,
    /// `rows`: log-probability of the target in nats; NaN without a target.
    pub target_logprob: Option<&'a mut [f64]>,
    /// `rows`: rank of the target, from 1; 0 without a target.
    pub target_rank: Option<&'a mut [u32]>,
    /// `rows x k`: ids of the most probable tokens, the most probable first.
    pub top_k_ids: Option<&'a mut [i32]>,
    /// `rows x k`: their probabilities.
    pub top_k_probs: Option<&'a mut [f64]>,
}

impl<'a> RowColumns<'a> {
    /// The columns of the first `rows` rows; `self` keeps the rest.
    fn take(&mut self, rows: usize, groups: usize, k: usize) -> RowColumns<'a> {
        RowColumns {
            logsumexp: take(&mut self.logsumexp, rows),
            entropy: take(&mut self.entropy, rows),
            masses: take(&mut self.masses, rows * groups),
            target_logprob: take(&mut self.target_logprob, rows),
            target_rank: take(&mut self.target_rank, rows),
            top_k_ids: take(&mut self.top_k_ids, rows * k),
            top_k_probs: take(&mut self.top_k_probs, rows * k),
        }
    }

    /// The same columns, lent.
    fn lend(&mut self) -> RowColumns<'_> {
        RowColumns {
            logsumexp: self.logsumexp.as_deref_mut(),
            entropy: self.entropy.as_deref_mut(),
            masses: self.masses.as_deref_mut(),
            target_logprob: self.target_logprob.as_deref_mut(),
            target_rank: self.target_rank.as_deref_mut(),
            top_k_ids: self.top_k_ids.as_deref_mut(),
            top_k_probs: self.top_k_probs.as_deref_mut(),
        }
    }
}

/// Measures every row of `logits` (`rows x vocab`, row after row) on this thread and returns the number of rows.
///
/// `top` is a buffer to pass again with the next batch: nothing is allocated for a row. When a row is at fault,
/// the rows before it have been written and the rest have not.
///
/// # Errors
/// Those of [`Row::new`], [`Row::mass`] and [`Row::target`] with the row; `empty_input` for no logits,
/// `length_mismatch` for logits that are no whole number of rows, for targets that are not one a row, for groups made
/// for another vocabulary and for a column of the wrong length.
pub fn row_metrics(
    logits: &[f32],
    vocab: usize,
    request: &RowRequest<'_>,
    columns: &mut RowColumns<'_>,
    top: &mut TopK,
) -> Result<usize> {
    row_metrics_on(Execution::default(), logits, vocab, request, columns, top)
}

/// [`row_metrics`] on threads and kernels of one's own choice: the same numbers on any number of threads, and the error
/// of the first row at fault. With several threads, rows after it may have been written.
///
/// # Errors
/// As [`row_metrics`]; `bad_argument` for 0 threads or a level that this machine lacks.
pub fn row_metrics_on(
    execution: Execution,
    logits: &[f32],
    vocab: usize,
    request: &RowRequest<'_>,
    columns: &mut RowColumns<'_>,
    top: &mut TopK,
) -> Result<usize> {
    let rows = shape::row_count(logits.len(), vocab)?;
    let (groups, k) = (request.groups.len(), request.k(vocab));
    check(rows, groups, k, vocab, request, columns)?;
    let kernels = execution.kernels()?;
    let share = execution.rows_a_thread(rows, logits.len())?;
    let mut columns = columns.lend();
    let parts = logits.chunks(share * vocab).enumerate().map(|(i, part)| {
        let columns = columns.take(part.len() / vocab, groups, k);
        (i * share, part, columns)
    });
    execution::run_parts(parts.collect(), top, |(first, part, mut columns), top| {
        for (index, z) in part.chunks_exact(vocab).enumerate() {
            let target = request.targets.map_or(NO_TARGET, |all| all[first + index]);
            write_row(index, z, (request, target, k), kernels, &mut columns, top)
                .map_err(|error| error.at_row(first + index))?;
        }
        Ok(())
    })?;
    Ok(rows)
}

fn check(
    rows: usize,
    groups: usize,
    k: usize,
    vocab: usize,
    request: &RowRequest<'_>,
    columns: &RowColumns<'_>,
) -> Result<()> {
    request.groups.check_vocab(vocab)?;
    if let Some(targets) = request.targets {
        shape::same_length("targets", targets.len(), rows)?;
    }
    // Inputs are slices in memory, so a product that overflows cannot be the length of a column.
    let (masses, tops) = (rows.saturating_mul(groups), rows.saturating_mul(k));
    shape::column("logsumexp", &columns.logsumexp, rows)?;
    shape::column("entropy", &columns.entropy, rows)?;
    shape::column("masses", &columns.masses, masses)?;
    shape::column("targetLogprob", &columns.target_logprob, rows)?;
    shape::column("targetRank", &columns.target_rank, rows)?;
    shape::column("topKIds", &columns.top_k_ids, tops)?;
    shape::column("topKProbs", &columns.top_k_probs, tops)
}

fn write_row(
    index: usize,
    z: &[f32],
    (request, target, k): (&RowRequest<'_>, i32, usize),
    kernels: &'static Kernels,
    columns: &mut RowColumns<'_>,
    top: &mut TopK,
) -> Result<()> {
    let wants_target = columns.target_logprob.is_some() || columns.target_rank.is_some();
    let target = if target == NO_TARGET || !wants_target {
        None
    } else {
        Some(Row::target_logit(z, target)?)
    };
    let wants_top = k > 0 && (columns.top_k_ids.is_some() || columns.top_k_probs.is_some());
    let row = Row::sweep(
        z,
        kernels,
        true,
        target,
        wants_top.then_some((&mut *top, k)),
    )?;
    if let Some(column) = &mut columns.logsumexp {
        column[index] = row.logsumexp();
    }
    if let Some(column) = &mut columns.entropy {
        column[index] = row.entropy();
    }
    if let Some(column) = &mut columns.masses {
        let groups = request.groups.len();
        let cells = &mut column[index * groups..(index + 1) * groups];
        for (cell, ids) in cells.iter_mut().zip(request.groups.iter()) {
            *cell = row.mass(ids)?;
        }
    }
    let target = target.map(|logit| row.target_from_sweep(logit));
    if let Some(column) = &mut columns.target_logprob {
        column[index] = target.map_or(f64::NAN, |target| target.logprob);
    }
    if let Some(column) = &mut columns.target_rank {
        column[index] = target.map_or(0, |target| target.rank);
    }
    if wants_top {
        let cells = index * k..(index + 1) * k;
        if let Some(column) = &mut columns.top_k_ids {
            fill(&mut column[cells.clone()], top.ids());
        }
        if let Some(column) = &mut columns.top_k_probs {
            let probabilities = top.logits().map(|logit| row.probability(logit));
            fill(&mut column[cells], probabilities);
        }
    }
    Ok(())
}

fn fill<T>(cells: &mut [T], values: impl Iterator<Item = T>) {
    for (cell, value) in cells.iter_mut().zip(values) {
        *cell = value;
    }
}
