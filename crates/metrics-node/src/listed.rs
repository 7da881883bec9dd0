//! Bounds of row and pair metrics from lists of the likeliest tokens.

use metrics::{
    listed_gap, listed_jsd, listed_mass, Bounds, ErrorCode, GroupTail, ListedRow, MetricsError,
};
use napi::bindgen_prelude::{AsyncTask, Float64Array, Int32Array, Uint32Array};
use napi::{Env, Result};

use crate::task::{later, now, Later, Measurement};

/// What is known of the tokens of each row: one list a row, one after the other.
#[napi(object, object_to_js = false)]
pub struct ListedRows {
    /// rows + 1 places in `keys` and `logProbs`: where each list begins, and where the last one ends.
    pub offsets: Uint32Array,
    /// What a token is known by in every list and group: its id, or a number that stands for its text.
    pub keys: Int32Array,
    /// Natural logarithms of the listed tokens' probabilities; -Infinity for 0.
    pub log_probs: Float64Array,
    /// One a row: a log-probability that no unlisted token exceeds (of the K likeliest tokens, that of the K-th); Infinity
    /// where none is known.
    pub most_unlisted: Float64Array,
    /// By how much each log-probability may be off, in nats, from 0 to 1; 0 when left out.
    pub error: Option<f64>,
}

impl ListedRows {
    fn rows(&self, input: &'static str) -> metrics::Result<Vec<ListedRow<'_>>> {
        let count = self.most_unlisted.len();
        if self.offsets.len() != count + 1 {
            return Err(refuse(
                ErrorCode::LengthMismatch,
                format!(
                    "`{input}` has {} offsets for {count} rows",
                    self.offsets.len()
                ),
                "pass rows + 1 offsets, and one `mostUnlisted` a row",
            ));
        }
        (0..count)
            .map(|row| {
                let range = self.offsets[row] as usize..self.offsets[row + 1] as usize;
                let (Some(keys), Some(log_probs)) =
                    (self.keys.get(range.clone()), self.log_probs.get(range))
                else {
                    return Err(refuse(
                        ErrorCode::OutOfRange,
                        format!("the list of row {row} of `{input}` lies outside the keys"),
                        "pass offsets that rise to the number of keys",
                    ));
                };
                let error = self.error.unwrap_or(0.0);
                ListedRow::new(keys, log_probs, self.most_unlisted[row], error).map_err(|fault| {
                    refuse(
                        fault.kind(),
                        format!("row {row} of `{input}`: {fault}"),
                        "correct the list",
                    )
                })
            })
            .collect()
    }
}

fn refuse(code: ErrorCode, what: String, remedy: &'static str) -> MetricsError {
    MetricsError::new(code, what, remedy)
}

/// Groups of tokens by the keys of the lists.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct ListedOptions {
    /// The keys of each group.
    pub groups: Option<Vec<Int32Array>>,
    /// The keys of a group are all its tokens, so that its unlisted ones can be counted; false when left out.
    pub complete: Option<bool>,
}

/// Bounds, as two columns: each number lies in [lower, upper] for certain.
#[napi(object, object_from_js = false)]
pub struct BoundColumns {
    /// What each number is not below.
    pub lower: Float64Array,
    /// What each number is not above.
    pub upper: Float64Array,
}

impl From<Vec<Bounds>> for BoundColumns {
    fn from(bounds: Vec<Bounds>) -> Self {
        let lower: Vec<f64> = bounds.iter().map(|bound| bound.lower).collect();
        let upper: Vec<f64> = bounds.iter().map(|bound| bound.upper).collect();
        Self {
            lower: lower.into(),
            upper: upper.into(),
        }
    }
}

/// What lists say about whole rows.
#[napi(object, object_from_js = false)]
pub struct ListedRowMetrics {
    /// The number of rows.
    pub rows: i64,
    /// One a row: the probability of all unlisted tokens.
    pub rest: BoundColumns,
    /// rows x groups, row after row: the mass of each group, in [0, 1].
    pub masses: BoundColumns,
    /// One a row: the largest difference between the masses of two groups, in [0, 1].
    pub gap: BoundColumns,
}

pub struct ListedRowMeasurement {
    lists: ListedRows,
    options: ListedOptions,
}

impl Measurement for ListedRowMeasurement {
    type Output = ListedRowMetrics;

    fn measure(&self) -> metrics::Result<ListedRowMetrics> {
        let rows = self.lists.rows("lists")?;
        let groups = self.options.groups.as_deref().unwrap_or_default();
        let tail = match self.options.complete {
            Some(true) => GroupTail::Counted,
            _ => GroupTail::Unknown,
        };
        let by_row: Vec<Vec<Bounds>> = rows
            .iter()
            .map(|row| {
                groups
                    .iter()
                    .map(|group| listed_mass(row, group, tail))
                    .collect()
            })
            .collect();
        Ok(ListedRowMetrics {
            rows: rows.len() as i64,
            rest: rows.iter().map(ListedRow::rest).collect::<Vec<_>>().into(),
            gap: by_row
                .iter()
                .map(|masses| listed_gap(masses))
                .collect::<Vec<_>>()
                .into(),
            masses: by_row.into_iter().flatten().collect::<Vec<_>>().into(),
        })
    }
}

/// What lists of the likeliest tokens say about numbers over the whole vocabulary: bounds that hold for certain, off the event
/// loop.
///
/// The arrays are read in place: leave them unchanged until the promise settles. A list that cannot be rejects with an error
/// that names its row.
#[napi(ts_return_type = "Promise<ListedRowMetrics>")]
pub fn listed_row_metrics(
    lists: ListedRows,
    options: Option<ListedOptions>,
) -> AsyncTask<Later<ListedRowMeasurement>> {
    let options = options.unwrap_or_default();
    later(ListedRowMeasurement { lists, options })
}

/// The bounds at once; otherwise like `listedRowMetrics`.
#[napi]
pub fn listed_row_metrics_sync(
    env: Env,
    lists: ListedRows,
    options: Option<ListedOptions>,
) -> Result<ListedRowMetrics> {
    let options = options.unwrap_or_default();
    now(env, &ListedRowMeasurement { lists, options })
}

/// What two lists a pair say about divergences over the whole vocabulary.
#[napi(object, object_from_js = false)]
pub struct ListedPairMetrics {
    /// The number of pairs.
    pub rows: i64,
    /// One a pair: the Jensen-Shannon divergence, in nats, in [0, ln 2].
    pub jsd: BoundColumns,
}

pub struct ListedPairMeasurement {
    a: ListedRows,
    b: ListedRows,
}

impl Measurement for ListedPairMeasurement {
    type Output = ListedPairMetrics;

    fn measure(&self) -> metrics::Result<ListedPairMetrics> {
        let (a, b) = (self.a.rows("a")?, self.b.rows("b")?);
        if a.len() != b.len() {
            return Err(refuse(
                ErrorCode::LengthMismatch,
                format!("`a` has {} rows and `b` has {}", a.len(), b.len()),
                "pass as many rows in both",
            ));
        }
        let jsd: Vec<Bounds> = a.iter().zip(&b).map(|(p, q)| listed_jsd(p, q)).collect();
        Ok(ListedPairMetrics {
            rows: jsd.len() as i64,
            jsd: jsd.into(),
        })
    }
}

/// Bounds of the divergence of row i of `a` and row i of `b`, for all rows, off the event loop. The keys of both are of one
/// vocabulary.
///
/// The arrays are read in place: leave them unchanged until the promise settles. A list that cannot be rejects with an error
/// that names its input and row.
#[napi(ts_return_type = "Promise<ListedPairMetrics>")]
pub fn listed_pair_metrics(
    a: ListedRows,
    b: ListedRows,
) -> AsyncTask<Later<ListedPairMeasurement>> {
    later(ListedPairMeasurement { a, b })
}

/// The bounds at once; otherwise like `listedPairMetrics`.
#[napi]
pub fn listed_pair_metrics_sync(
    env: Env,
    a: ListedRows,
    b: ListedRows,
) -> Result<ListedPairMetrics> {
    now(env, &ListedPairMeasurement { a, b })
}
