//! The metrics of many rows at once, written into columns that the caller owns.

use crate::error::Result;
use crate::groups::TokenGroups;
use crate::row::Row;
use crate::shape;
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

/// Measures every row of `logits` (`rows x vocab`, row after row) and returns the number of rows.
///
/// `top` is a buffer to hand in again with the next batch: nothing is allocated for a row. When a row is at fault,
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
    let rows = shape::row_count(logits.len(), vocab)?;
    let (groups, k) = (request.groups.len(), request.k(vocab));
    check(rows, groups, k, vocab, request, columns)?;
    for (index, z) in logits.chunks_exact(vocab).enumerate() {
        write_row(index, z, request, k, columns, top).map_err(|error| error.at_row(index))?;
    }
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
    request: &RowRequest<'_>,
    k: usize,
    columns: &mut RowColumns<'_>,
    top: &mut TopK,
) -> Result<()> {
    let row = Row::new(z)?;
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
    write_target(index, &row, request, columns)?;
    if k > 0 && (columns.top_k_ids.is_some() || columns.top_k_probs.is_some()) {
        row.top_k(k, top)?;
        let cells = index * k..(index + 1) * k;
        if let Some(column) = &mut columns.top_k_ids {
            fill(&mut column[cells.clone()], top.ids());
        }
        if let Some(column) = &mut columns.top_k_probs {
            fill(
                &mut column[cells],
                top.logits().map(|logit| row.probability(logit)),
            );
        }
    }
    Ok(())
}

fn write_target(
    index: usize,
    row: &Row<'_>,
    request: &RowRequest<'_>,
    columns: &mut RowColumns<'_>,
) -> Result<()> {
    let id = request.targets.map_or(NO_TARGET, |targets| targets[index]);
    let target = if id == NO_TARGET {
        None
    } else if columns.target_logprob.is_some() || columns.target_rank.is_some() {
        Some(row.target(id)?)
    } else {
        return Ok(());
    };
    if let Some(column) = &mut columns.target_logprob {
        column[index] = target.map_or(f64::NAN, |target| target.logprob);
    }
    if let Some(column) = &mut columns.target_rank {
        column[index] = target.map_or(0, |target| target.rank);
    }
    Ok(())
}

fn fill<T>(cells: &mut [T], values: impl Iterator<Item = T>) {
    for (cell, value) in cells.iter_mut().zip(values) {
        *cell = value;
    }
}
