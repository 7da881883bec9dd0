//! The row metrics, from C's arrays into C's columns.

use std::cell::RefCell;

use metrics::{RowColumns, RowRequest, TokenGroups, TopK};

use crate::memory::{self, product};
use crate::status::{answer, la_status, Fault};

/// What is asked of each row.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct la_row_request {
    /// The token ids of all groups, one group after another; each id at most once a group.
    pub group_ids: *const i32,
    /// groups + 1 entries: group g is `group_ids[group_offsets[g]]` up to before `group_ids[group_offsets[g + 1]]`.
    pub group_offsets: *const usize,
    /// The number of groups; 0 for none (then the two arrays may be NULL).
    pub groups: usize,
    /// One token id a row, -1 for a row without a target; NULL when no row has one.
    pub targets: *const i32,
    /// How many of the most probable tokens are wanted; 0 for none.
    pub top_k: usize,
}

/// Where the results go, rows one after another. A column that is NULL is not wanted. k is min(top_k, vocab).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct la_row_columns {
    /// rows: ln of the sum of exp of the logits.
    pub logsumexp: *mut f64,
    /// rows: entropy in nats, 0 or more.
    pub entropy: *mut f64,
    /// rows x groups: probability of each group, in [0, 1].
    pub masses: *mut f64,
    /// rows: log-probability of the target in nats; NaN without a target.
    pub target_logprob: *mut f64,
    /// rows: 1 + number of logits strictly larger than the target's; 0 without a target.
    pub target_rank: *mut u32,
    /// rows x k: the most probable tokens, the most probable first, the lower id first among equals.
    pub top_k_ids: *mut i32,
    /// rows x k: their probabilities.
    pub top_k_probs: *mut f64,
}

/// Checks the token groups of a request for a vocabulary, once for all rows.
///
/// LA_OUT_OF_RANGE (with the id as the column) and LA_LENGTH_MISMATCH are found by la_row_metrics too; that a group
/// holds an id twice, which would count its probability double, is found only here: LA_BAD_ARGUMENT with the id.
///
/// # Safety
/// `request` must be NULL or point to a request whose pointers are as it describes.
#[no_mangle]
pub unsafe extern "C" fn la_validate_groups(
    request: *const la_row_request,
    vocab: usize,
) -> la_status {
    answer(|| {
        // SAFETY: the caller vouches for the request.
        let request = unsafe { request.as_ref() }.ok_or(Fault::BadArgument)?;
        // SAFETY: the caller vouches for the request's pointers.
        let (ids, offsets) = unsafe { group_arrays(request) }?;
        TokenGroups::new(ids, offsets, vocab)?;
        Ok(())
    })
}

thread_local! {
    static TOP: RefCell<TopK> = RefCell::default();
}

/// Measures each of `rows` rows of `vocab` logits, row after row.
///
/// When a row is at fault the status names it; the rows before it are written and the rest are not. Call
/// la_validate_groups once with the same request before the first row.
///
/// # Safety
/// `logits` must point to rows x vocab floats, `request` and `out` to structures whose pointers are as they describe. No
/// column may overlap another or an input.
#[no_mangle]
pub unsafe extern "C" fn la_row_metrics(
    logits: *const f32,
    rows: usize,
    vocab: usize,
    request: *const la_row_request,
    out: *mut la_row_columns,
) -> la_status {
    answer(|| {
        // SAFETY: the caller vouches for both structures.
        let request = unsafe { request.as_ref() }.ok_or(Fault::BadArgument)?;
        // SAFETY: as above; only the pointers inside are written through.
        let out = unsafe { out.as_ref() }.ok_or(Fault::BadArgument)?;
        // SAFETY: the caller vouches for rows x vocab logits.
        let logits = unsafe { memory::input(logits, product(rows, vocab)?) }?;
        // SAFETY: the caller vouches for the request's pointers.
        let (ids, offsets) = unsafe { group_arrays(request) }?;
        let targets = if request.targets.is_null() {
            None
        } else {
            // SAFETY: the caller vouches for one target a row.
            Some(unsafe { memory::input(request.targets, rows) }?)
        };
        let request = RowRequest {
            groups: TokenGroups::with_distinct_ids(ids, offsets, vocab)?,
            targets,
            top_k: request.top_k,
        };
        // SAFETY: the caller vouches for the columns.
        let mut columns = unsafe { columns(out, rows, &request, vocab) }?;
        TOP.with_borrow_mut(|top| {
            metrics::row_metrics(logits, vocab, &request, &mut columns, top)
        })?;
        Ok(())
    })
}

/// # Safety
/// The pointers of `out` must be as it describes.
unsafe fn columns<'a>(
    out: &la_row_columns,
    rows: usize,
    request: &RowRequest<'_>,
    vocab: usize,
) -> Result<RowColumns<'a>, Fault> {
    let masses = product(rows, request.groups.len())?;
    let tops = product(rows, request.k(vocab))?;
    // SAFETY: the caller vouches for the pointers, and the lengths are those that the structure describes.
    unsafe {
        Ok(RowColumns {
            logsumexp: memory::column(out.logsumexp, rows)?,
            entropy: memory::column(out.entropy, rows)?,
            masses: memory::column(out.masses, masses)?,
            target_logprob: memory::column(out.target_logprob, rows)?,
            target_rank: memory::column(out.target_rank, rows)?,
            top_k_ids: memory::column(out.top_k_ids, tops)?,
            top_k_probs: memory::column(out.top_k_probs, tops)?,
        })
    }
}

/// The ids and offsets of a request's groups.
///
/// # Safety
/// The request's pointers must be as it describes.
unsafe fn group_arrays<'a>(request: &la_row_request) -> Result<(&'a [i32], &'a [usize]), Fault> {
    if request.groups == 0 {
        return Ok((&[], &[]));
    }
    let entries = request.groups.checked_add(1).ok_or(Fault::BadArgument)?;
    // SAFETY: the caller vouches for groups + 1 offsets.
    let offsets: &[usize] = unsafe { memory::input(request.group_offsets, entries) }?;
    let ids = offsets.last().copied().unwrap_or(0);
    // SAFETY: the caller vouches for as many ids as the last offset says.
    Ok((unsafe { memory::input(request.group_ids, ids) }?, offsets))
}
