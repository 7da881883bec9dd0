//! The token groups of a request, from C's arrays.

use metrics::TokenGroups;

use crate::memory;
use crate::rows::la_row_request;
use crate::status::{answer, la_status, Fault};

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
        let (ids, offsets) = unsafe { arrays(request) }?;
        TokenGroups::new(ids, offsets, vocab)?;
        Ok(())
    })
}

/// The ids and offsets of a request's groups.
///
/// # Safety
/// The request's pointers must be as it describes.
pub(crate) unsafe fn arrays<'a>(
    request: &la_row_request,
) -> Result<(&'a [i32], &'a [usize]), Fault> {
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
