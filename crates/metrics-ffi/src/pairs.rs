//! The pair metrics, from C's arrays into C's columns.

use std::cell::RefCell;

use metrics::{LogBase, PairColumns, PairRequest, PairWorkspace};

use crate::memory::{self, product};
use crate::status::{answer, la_status, Fault};

/// Where the results go, rows one after another, divergences in nats. A column that is NULL is not wanted.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct la_pair_columns {
    /// rows: Jensen-Shannon divergence, in [0, ln 2].
    pub jsd: *mut f64,
    /// rows: KL(p||q) with p from `a` and q from `b`; infinite when q masks a token that p does not.
    pub kl_pq: *mut f64,
    /// rows: KL(q||p); infinite when p masks a token that q does not.
    pub kl_qp: *mut f64,
    /// rows: total variation distance, in [0, 1].
    pub total_variation: *mut f64,
    /// rows x ks: number of tokens in the union of the top K of both rows.
    pub union_size: *mut u32,
    /// rows x ks: the divergence's terms over that union.
    pub partial: *mut f64,
    /// rows x ks: a lower bound of the divergence, `partial` or more.
    pub lower: *mut f64,
    /// rows x ks: an upper bound of the divergence, ln 2 or less.
    pub upper: *mut f64,
}

thread_local! {
    static WORKSPACE: RefCell<PairWorkspace> = RefCell::default();
}

/// Compares row i of `a` with row i of `b`, each of `rows` rows of `vocab` logits, for each of the `ks` values of K at
/// `top_k` (1 or more, in any order; more than the vocabulary counts as the vocabulary; `top_k` may be NULL for ks = 0).
///
/// When a row is at fault the status names it, but not its side; the rows before it are written and the rest are not.
///
/// # Safety
/// `a` and `b` must point to rows x vocab floats, `top_k` to ks sizes, `out` to a structure whose pointers are as it
/// describes. No column may overlap another or an input.
#[no_mangle]
pub unsafe extern "C" fn la_pair_metrics(
    a: *const f32,
    b: *const f32,
    rows: usize,
    vocab: usize,
    top_k: *const usize,
    ks: usize,
    out: *mut la_pair_columns,
) -> la_status {
    answer(|| {
        // SAFETY: the caller vouches for the structure; only the pointers inside are written through.
        let out = unsafe { out.as_ref() }.ok_or(Fault::BadArgument)?;
        let len = product(rows, vocab)?;
        // SAFETY: the caller vouches for rows x vocab logits on each side.
        let (a, b) = unsafe { (memory::input(a, len)?, memory::input(b, len)?) };
        let request = PairRequest {
            // SAFETY: the caller vouches for ks sizes.
            top_k: unsafe { memory::input(top_k, ks) }?,
            base: LogBase::E,
        };
        // SAFETY: the caller vouches for the columns.
        let mut columns = unsafe { columns(out, rows, product(rows, ks)?) }?;
        WORKSPACE.with_borrow_mut(|workspace| {
            metrics::pair_metrics(a, b, vocab, &request, &mut columns, workspace)
        })?;
        Ok(())
    })
}

/// # Safety
/// The pointers of `out` must be as it describes.
unsafe fn columns<'a>(
    out: &la_pair_columns,
    rows: usize,
    cells: usize,
) -> Result<PairColumns<'a>, Fault> {
    // SAFETY: the caller vouches for the pointers, and the lengths are those that the structure describes.
    unsafe {
        Ok(PairColumns {
            jsd: memory::column(out.jsd, rows)?,
            kl_pq: memory::column(out.kl_pq, rows)?,
            kl_qp: memory::column(out.kl_qp, rows)?,
            total_variation: memory::column(out.total_variation, rows)?,
            union_size: memory::column(out.union_size, cells)?,
            partial: memory::column(out.partial, cells)?,
            lower: memory::column(out.lower, cells)?,
            upper: memory::column(out.upper, cells)?,
        })
    }
}
