//! The row and pair metrics of the `metrics` crate behind a C ABI, for logits in host memory.
//!
//! The crate only forwards: it turns pointers into slices, errors into [`la_status`] and panics into [`LA_PANIC`], and
//! computes nothing. `build.rs` writes the header `include/logit_audit_metrics.h` from these modules.
//!
//! A call with one row is the normal use. It neither allocates (buffers live as long as their thread) nor sorts: that no
//! group holds an id twice is checked once for all rows by [`la_validate_groups`].

// The names are those of the C header.
#![allow(non_camel_case_types)]

mod memory;
mod pairs;
mod rows;
mod status;

pub use pairs::{la_pair_columns, la_pair_metrics};
pub use rows::{la_row_columns, la_row_metrics, la_row_request, la_validate_groups};
pub use status::{
    la_code, la_code_name, la_status, la_status_message, LA_ALL_MASKED, LA_BAD_ARGUMENT,
    LA_EMPTY_INPUT, LA_LENGTH_MISMATCH, LA_NOT_FINITE, LA_OK, LA_OUT_OF_RANGE, LA_PANIC,
};
