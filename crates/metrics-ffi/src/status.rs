//! Errors as C sees them: a code and a place, and the words for both on request.

use std::ffi::{c_char, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};

use metrics::{ErrorCode, MetricsError};

/// The kind of fault, one of LA_OK to LA_PANIC.
pub type la_code = i32;

/// No fault: every wanted column is written.
pub const LA_OK: la_code = 0;
/// An argument has a value that no call accepts, a pointer is NULL where it must not be, a group holds an id twice, or
/// the environment's LOGIT_AUDIT_SIMD names kernels that this machine lacks.
pub const LA_BAD_ARGUMENT: la_code = 1;
/// There are no rows, or the vocabulary has 0 tokens.
pub const LA_EMPTY_INPUT: la_code = 2;
/// The group offsets do not cut the group ids into groups.
pub const LA_LENGTH_MISMATCH: la_code = 3;
/// A token id of a group or a target lies outside the vocabulary.
pub const LA_OUT_OF_RANGE: la_code = 4;
/// A logit is NaN or +inf.
pub const LA_NOT_FINITE: la_code = 5;
/// Every logit of a row is -inf.
pub const LA_ALL_MASKED: la_code = 6;
/// A fault of this library, caught at its border.
pub const LA_PANIC: la_code = 7;

/// What came of a call.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct la_status {
    /// The kind of fault, LA_OK for none.
    pub code: la_code,
    /// The row at fault, from 0; -1 where no row is.
    pub row: i64,
    /// The column at fault, from 0, which is the token's id; for LA_OUT_OF_RANGE the id that is out of range, for
    /// LA_BAD_ARGUMENT the id that a group holds twice. -1 where no column is.
    pub column: i64,
}

impl la_status {
    const fn bare(code: la_code) -> Self {
        Self {
            code,
            row: -1,
            column: -1,
        }
    }
}

/// Why a call failed, before it crosses to C.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A pointer or a size that cannot be.
    BadArgument,
    /// A fault that the metrics found.
    Metrics(MetricsError),
}

impl From<MetricsError> for Fault {
    fn from(error: MetricsError) -> Self {
        Self::Metrics(error)
    }
}

impl From<Fault> for la_status {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::BadArgument => Self::bare(LA_BAD_ARGUMENT),
            Fault::Metrics(error) => {
                let place = |place: Option<usize>| place.and_then(|p| i64::try_from(p).ok());
                Self {
                    code: code_of(error.kind()),
                    row: place(error.row()).unwrap_or(-1),
                    column: error.id().or(place(error.column())).unwrap_or(-1),
                }
            }
        }
    }
}

const fn code_of(kind: ErrorCode) -> la_code {
    match kind {
        ErrorCode::BadArgument => LA_BAD_ARGUMENT,
        ErrorCode::EmptyInput => LA_EMPTY_INPUT,
        ErrorCode::LengthMismatch => LA_LENGTH_MISMATCH,
        ErrorCode::OutOfRange => LA_OUT_OF_RANGE,
        ErrorCode::NotFinite => LA_NOT_FINITE,
        ErrorCode::AllMasked => LA_ALL_MASKED,
    }
}

/// Runs a call so that neither an error nor a panic gets past it.
///
/// A panic leaves nothing half-changed that a later call sees: buffers are cleared before they are used.
pub(crate) fn answer(call: impl FnOnce() -> Result<(), Fault>) -> la_status {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => la_status::bare(LA_OK),
        Ok(Err(fault)) => fault.into(),
        Err(_) => la_status::bare(LA_PANIC),
    }
}

/// The stable name of a code ("ok", "bad_argument", ...; "internal" for LA_PANIC and for what is no code), the same as
/// in the errors of the other languages. A static string.
#[no_mangle]
pub extern "C" fn la_code_name(code: la_code) -> *const c_char {
    name(code).as_ptr()
}

fn name(code: la_code) -> &'static CStr {
    match code {
        LA_OK => c"ok",
        LA_BAD_ARGUMENT => c"bad_argument",
        LA_EMPTY_INPUT => c"empty_input",
        LA_LENGTH_MISMATCH => c"length_mismatch",
        LA_OUT_OF_RANGE => c"out_of_range",
        LA_NOT_FINITE => c"not_finite",
        LA_ALL_MASKED => c"all_masked",
        _ => c"internal",
    }
}

/// What a status means, for people: ASCII, without a line end.
///
/// Writes as much as fits, and a NUL after it, into the `capacity` bytes at `buffer`. Returns the length of the whole
/// message without the NUL: a `capacity` above that suffices. `buffer` may be NULL to learn the length.
///
/// # Safety
/// Where not NULL, `buffer` must point to `capacity` writable bytes.
#[no_mangle]
pub unsafe extern "C" fn la_status_message(
    status: la_status,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    catch_unwind(|| {
        let message = message(status);
        if !buffer.is_null() && capacity > 0 {
            let fitting = message.len().min(capacity - 1);
            // SAFETY: `fitting + 1` is at most `capacity`, and the caller vouches for that many bytes.
            unsafe {
                buffer.copy_from_nonoverlapping(message.as_ptr().cast(), fitting);
                buffer.add(fitting).write(0);
            }
        }
        message.len()
    })
    .unwrap_or(0)
}

fn message(status: la_status) -> String {
    let what = match status.code {
        LA_OK => return "no error".to_owned(),
        LA_BAD_ARGUMENT if status.column >= 0 => "a token group holds the same id twice",
        LA_BAD_ARGUMENT => "an argument is NULL, 0 or too large where it must not be",
        LA_EMPTY_INPUT => "there are no rows, or the vocabulary has 0 tokens",
        LA_LENGTH_MISMATCH => {
            "the group offsets must be groups + 1, start at 0, never fall and end at the number of ids"
        }
        LA_OUT_OF_RANGE => "a token id lies outside the vocabulary",
        LA_NOT_FINITE => "a logit is NaN or +inf; only -inf may stand for a masked token",
        LA_ALL_MASKED => "every logit of a row is -inf, so there is no distribution",
        _ => "a fault inside the metrics library; please report it",
    };
    let row = (status.row >= 0).then(|| format!("row {}", status.row));
    let column = match status.code {
        LA_OUT_OF_RANGE => Some(format!("token id {}", status.column)),
        LA_BAD_ARGUMENT => (status.column >= 0).then(|| format!("token id {}", status.column)),
        _ => (status.column >= 0).then(|| format!("column {}", status.column)),
    };
    match (row, column) {
        (Some(row), Some(column)) => format!("{what} ({row}, {column})"),
        (Some(place), None) | (None, Some(place)) => format!("{what} ({place})"),
        (None, None) => what.to_owned(),
    }
}
