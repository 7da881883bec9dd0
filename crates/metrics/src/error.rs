//! The one error type of the crate: a stable code, what is wrong, where, and what to do about it.
//!
//! The codes are those of the whole project (`src/errors.ts`), so that an error keeps its name on the way through the C
//! ABI or Node-API.

use std::fmt;

/// The result of every fallible function of the crate.
pub type Result<T> = std::result::Result<T, MetricsError>;

/// The kind of fault, with a name that is the same in all languages of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// An argument has a value that no call accepts: K of 0, a level outside (0, 1), a token id twice in one group.
    BadArgument,
    /// There is nothing to measure: no logits, a vocabulary of 0 tokens, no values.
    EmptyInput,
    /// Two inputs that belong together differ in length, or one is no whole number of rows.
    LengthMismatch,
    /// A token id lies outside the vocabulary.
    OutOfRange,
    /// A logit is NaN or +inf, or a value that counts is not finite.
    NotFinite,
    /// Every logit of a row is -inf, so that the row has no distribution.
    AllMasked,
}

/// Every code that a [`MetricsError`] may carry.
pub const ALL_CODES: [ErrorCode; 6] = [
    ErrorCode::BadArgument,
    ErrorCode::EmptyInput,
    ErrorCode::LengthMismatch,
    ErrorCode::OutOfRange,
    ErrorCode::NotFinite,
    ErrorCode::AllMasked,
];

impl ErrorCode {
    /// The stable name, as in `src/errors.ts`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadArgument => "bad_argument",
            Self::EmptyInput => "empty_input",
            Self::LengthMismatch => "length_mismatch",
            Self::OutOfRange => "out_of_range",
            Self::NotFinite => "not_finite",
            Self::AllMasked => "all_masked",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is wrong, where, and what to do. Its [`Display`](fmt::Display) form is the message for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricsError {
    code: ErrorCode,
    what: String,
    remedy: &'static str,
    input: Option<&'static str>,
    row: Option<usize>,
    column: Option<usize>,
    id: Option<i64>,
}

impl MetricsError {
    /// An error without a place; `what` and `remedy` are clauses without a full stop. For bindings that refuse an
    /// argument before it gets here.
    pub fn new(code: ErrorCode, what: impl Into<String>, remedy: &'static str) -> Self {
        Self {
            code,
            what: what.into(),
            remedy,
            input: None,
            row: None,
            column: None,
            id: None,
        }
    }

    /// The same error with the input in which the fault lies.
    pub fn in_input(mut self, input: &'static str) -> Self {
        self.input = Some(input);
        self
    }

    /// The same error with its row.
    pub fn at_row(mut self, row: usize) -> Self {
        self.row = Some(row);
        self
    }

    /// The same error with its column.
    pub fn at_column(mut self, column: usize) -> Self {
        self.column = Some(column);
        self
    }

    pub(crate) fn with_id(mut self, id: impl Into<i64>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The kind of fault.
    pub fn kind(&self) -> ErrorCode {
        self.code
    }

    /// The stable name of the kind of fault, as in `src/errors.ts`.
    pub fn code(&self) -> &'static str {
        self.code.as_str()
    }

    /// The message for people: what is wrong, where, and what to do.
    pub fn message(&self) -> String {
        self.to_string()
    }

    /// The input in which the fault lies where a call has several: `a` or `b`, `gate`, `cluster`, ...
    pub fn input(&self) -> Option<&'static str> {
        self.input
    }

    /// The row of the batch, or the index of the value, in which the fault lies; counted from 0.
    pub fn row(&self) -> Option<usize> {
        self.row
    }

    /// The column of the row (in logits, the token's id) in which the fault lies; counted from 0.
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    /// The token id that is at fault.
    pub fn id(&self) -> Option<i64> {
        self.id
    }
}

impl fmt::Display for MetricsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        let mut opening = " (";
        let mut place = |f: &mut fmt::Formatter<'_>, part: fmt::Arguments<'_>| {
            f.write_str(std::mem::replace(&mut opening, ", "))?;
            f.write_fmt(part)
        };
        if let Some(input) = self.input {
            place(f, format_args!("in `{input}`"))?;
        }
        if let Some(row) = self.row {
            place(f, format_args!("row {row}"))?;
        }
        if let Some(column) = self.column {
            place(f, format_args!("column {column}"))?;
        }
        if let Some(id) = self.id {
            place(f, format_args!("token id {id}"))?;
        }
        f.write_str(if opening == ", " { "): " } else { ": " })?;
        f.write_str(self.remedy)
    }
}

impl std::error::Error for MetricsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_what_where_and_what_to_do() {
        let bare = MetricsError::new(ErrorCode::EmptyInput, "there are no logits", "pass one row");
        assert_eq!(bare.message(), "there are no logits: pass one row");
        let placed = MetricsError::new(ErrorCode::NotFinite, "a logit is NaN", "mask with -inf")
            .in_input("b")
            .at_row(3)
            .at_column(17);
        assert_eq!(
            placed.message(),
            "a logit is NaN (in `b`, row 3, column 17): mask with -inf"
        );
        assert_eq!(
            (placed.code(), placed.row(), placed.column()),
            ("not_finite", Some(3), Some(17))
        );
    }

    #[test]
    fn codes_are_distinct() {
        for (i, code) in ALL_CODES.iter().enumerate() {
            assert!(ALL_CODES[..i].iter().all(|c| c.as_str() != code.as_str()));
        }
    }
}
