//! From pointers and lengths of C to slices, with every check that is possible on this side.

use std::slice;

use crate::status::Fault;

/// `a * b` entries, if that many can lie in memory at all.
pub(crate) fn product(a: usize, b: usize) -> Result<usize, Fault> {
    a.checked_mul(b).ok_or(Fault::BadArgument)
}

/// `len` entries at `start`; NULL is right for no entries only.
///
/// # Safety
/// Where not NULL, `start` must point to `len` entries that stay unchanged during `'a`.
pub(crate) unsafe fn input<'a, T>(start: *const T, len: usize) -> Result<&'a [T], Fault> {
    if len == 0 {
        return Ok(&[]);
    }
    check_pointer(start, len)?;
    // SAFETY: `start` is aligned and not null, the length does not overflow, and the caller vouches for the rest.
    Ok(unsafe { slice::from_raw_parts(start, len) })
}

/// A column of `len` entries at `start`; NULL is a column that is not wanted.
///
/// # Safety
/// Where not NULL, `start` must point to `len` entries that nothing else touches during `'a`.
pub(crate) unsafe fn column<'a, T>(
    start: *mut T,
    len: usize,
) -> Result<Option<&'a mut [T]>, Fault> {
    if start.is_null() {
        return Ok(None);
    }
    check_pointer(start, len)?;
    // SAFETY: `start` is aligned and not null, the length does not overflow, and the caller vouches for the rest.
    Ok(Some(unsafe { slice::from_raw_parts_mut(start, len) }))
}

fn check_pointer<T>(start: *const T, len: usize) -> Result<(), Fault> {
    let bytes = product(len, size_of::<T>())?;
    if start.is_null() || !start.is_aligned() || isize::try_from(bytes).is_err() {
        return Err(Fault::BadArgument);
    }
    Ok(())
}
