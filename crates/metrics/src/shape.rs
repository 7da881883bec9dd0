//! Checks on the shapes of inputs and outputs: what is a whole number of rows, and is every column as long as it must be.

use crate::error::{ErrorCode, MetricsError, Result};

/// The number of rows in `len` logits, of `vocab` each: what a caller needs to make columns of the right length.
///
/// # Errors
/// `empty_input` for no logits or no vocabulary, `bad_argument` for more tokens than an `i32` id can name,
/// `length_mismatch` when `len` is no multiple of `vocab`.
pub fn row_count(len: usize, vocab: usize) -> Result<usize> {
    if vocab == 0 {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "the vocabulary has 0 tokens",
            "pass the number of logits in a row",
        ));
    }
    if i32::try_from(vocab).is_err() {
        return Err(MetricsError::new(
            ErrorCode::BadArgument,
            format!("a vocabulary of {vocab} tokens is too large"),
            "token ids are 32-bit integers",
        ));
    }
    if len == 0 {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "there are no logits",
            "pass at least one row",
        ));
    }
    if !len.is_multiple_of(vocab) {
        return Err(MetricsError::new(
            ErrorCode::LengthMismatch,
            format!("{len} logits are no whole number of rows of {vocab} tokens"),
            "pass rows x vocabulary logits, row after row",
        ));
    }
    Ok(len / vocab)
}

/// Checks that two inputs that belong together are equally long.
///
/// # Errors
/// `length_mismatch` with the input.
pub fn same_length(name: &'static str, len: usize, expected: usize) -> Result<()> {
    if len == expected {
        return Ok(());
    }
    Err(MetricsError::new(
        ErrorCode::LengthMismatch,
        format!("{len} entries where {expected} are needed"),
        "pass inputs and outputs of matching lengths",
    )
    .in_input(name))
}

/// Checks the length of a column that the caller may have left out.
pub(crate) fn column<T>(
    name: &'static str,
    column: &Option<&mut [T]>,
    expected: usize,
) -> Result<()> {
    column
        .as_ref()
        .map_or(Ok(()), |c| same_length(name, c.len(), expected))
}

/// Checks a K of a top-K metric.
pub(crate) fn top_k(k: usize) -> Result<()> {
    if k >= 1 {
        return Ok(());
    }
    Err(MetricsError::new(
        ErrorCode::BadArgument,
        "a top-K metric with K = 0",
        "pass a K of 1 or more",
    ))
}
