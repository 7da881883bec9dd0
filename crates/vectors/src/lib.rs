//! How alike vectors are: rows scaled to length 1, and the inner products of all pairs, which then are their cosines.
//!
//! Retrieval needs no more of numbers. A call multiplies one block of queries with one block of candidates; a caller with
//! more of either calls block by block. A pair gets the same bits in any block (`dot_loop`). Errors, SIMD levels and
//! threads are those of the `metrics` crate.

mod dot_loop;
mod half;
mod lanes;

use std::borrow::Cow;

use metrics::{run_parts, same_length, ErrorCode, Execution, MetricsError, Result, SimdLevel};

use dot_loop::{dots, LANES};
use half::to_half;
pub use half::LARGEST_HALF;

/// Rows of queries and of candidates that are multiplied at a time: both stay in the second-level cache.
const QUERIES: usize = 64;
const CANDIDATES: usize = 48;

/// Products of two entries that cost as much as one logit of the row metrics.
const PRODUCTS_A_LOGIT: usize = 8;

/// The number of vectors in `len` entries, of `dimension` each.
///
/// # Errors
/// `bad_argument` for a dimension of 0, `empty_input` for no entries, `length_mismatch` when `len` is no multiple.
pub fn vector_count(len: usize, dimension: usize) -> Result<usize> {
    if dimension == 0 {
        return Err(MetricsError::new(
            ErrorCode::BadArgument,
            "the vectors have 0 dimensions",
            "pass the number of entries in a vector",
        ));
    }
    if len == 0 {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "there are no vectors",
            "pass at least one",
        ));
    }
    if !len.is_multiple_of(dimension) {
        return Err(MetricsError::new(
            ErrorCode::LengthMismatch,
            format!("{len} entries are no whole number of vectors of {dimension}"),
            "pass vectors x dimension entries, vector after vector",
        ));
    }
    Ok(len / dimension)
}

/// Scales each vector to length 1, in place, and returns their number. Lengths are taken in `f64`, and each entry is rounded
/// once.
///
/// # Errors
/// Those of [`vector_count`]; `not_finite` for a NaN or an infinity, with row and column, and `bad_argument` for a vector
/// of zeros, which has no direction, with its row. Vectors before it have been scaled.
pub fn normalize_rows(vectors: &mut [f32], dimension: usize) -> Result<usize> {
    let count = vector_count(vectors.len(), dimension)?;
    for (row, vector) in vectors.chunks_exact_mut(dimension).enumerate() {
        // Squares of finite f32 are finite in f64, and those of the least are not 0.
        let length = vector
            .iter()
            .map(|x| f64::from(*x) * f64::from(*x))
            .sum::<f64>()
            .sqrt();
        if !length.is_finite() {
            let column = vector.iter().position(|x| !x.is_finite()).unwrap_or(0);
            return Err(not_finite(
                format!("an entry of a vector is {}", vector[column]),
                row,
                column,
            ));
        }
        if length == 0.0 {
            return Err(MetricsError::new(
                ErrorCode::BadArgument,
                "a vector of zeros has no direction",
                "leave it out, or see why it is empty",
            )
            .at_row(row));
        }
        for x in vector {
            *x = (f64::from(*x) / length) as f32;
        }
    }
    Ok(count)
}

/// The inner product of every query with every candidate, query after query, in `f32`: a sum of `dimension` products in
/// sixteen lanes, within some 1e-7 of the cosine for vectors of length 1. The same bits on any machine, in any block and
/// on any number of threads.
///
/// # Errors
/// Those of [`vector_count`] with the input; `length_mismatch` when `out` is not queries x candidates long;
/// `not_finite` with row and column for a product that is no finite number of the result's kind;
/// `bad_argument` for 0 threads or a level that this machine lacks.
pub fn inner_products(
    execution: Execution,
    queries: &[f32],
    candidates: &[f32],
    dimension: usize,
    out: &mut [f32],
) -> Result<()> {
    multiply(execution, queries, candidates, dimension, out)
}

/// [`inner_products`] as the bits of IEEE half precision, each rounded to the nearest half, of two as near to the even one.
///
/// # Errors
/// As [`inner_products`]; a product beyond [`LARGEST_HALF`] is `not_finite`.
pub fn inner_products_half(
    execution: Execution,
    queries: &[f32],
    candidates: &[f32],
    dimension: usize,
    out: &mut [u16],
) -> Result<()> {
    multiply(execution, queries, candidates, dimension, out)
}

/// What a product may be kept as.
trait Cell: Copy + Send {
    /// The product as this, or `None` where it is not finite.
    fn from_product(product: f32) -> Option<Self>;
}

impl Cell for f32 {
    fn from_product(product: f32) -> Option<Self> {
        product.is_finite().then_some(product)
    }
}

impl Cell for u16 {
    fn from_product(product: f32) -> Option<Self> {
        const EXPONENT: u16 = 0x7c00;
        let half = to_half(product);
        (half & EXPONENT != EXPONENT).then_some(half)
    }
}

fn multiply<C: Cell>(
    execution: Execution,
    queries: &[f32],
    candidates: &[f32],
    dimension: usize,
    out: &mut [C],
) -> Result<()> {
    let rows = vector_count(queries.len(), dimension).map_err(|e| e.in_input("queries"))?;
    let columns =
        vector_count(candidates.len(), dimension).map_err(|e| e.in_input("candidates"))?;
    same_length("out", out.len(), rows.saturating_mul(columns))?;
    let level = execution.level()?;
    let width = dimension.next_multiple_of(LANES);
    let (queries, candidates) = (pad(queries, dimension), pad(candidates, dimension));
    let work = out.len().saturating_mul(width) / PRODUCTS_A_LOGIT;
    let share = execution.rows_a_thread(rows, work)?;
    let parts = queries
        .chunks(share * width)
        .zip(out.chunks_mut(share * columns))
        .enumerate();
    run_parts(
        parts.collect(),
        &mut Vec::new(),
        |(part, (a, out)), tile| {
            multiply_part(level, (a, &candidates), width, out, tile).map_err(
                |(row, column, product)| {
                    let what =
                        format!("the product {product} is no finite number of the result's kind");
                    not_finite(what, part * share + row, column)
                },
            )
        },
    )
}

/// One thread's queries, block by block; `tile` is its workspace. The place of a product that is not finite is the fault.
fn multiply_part<C: Cell>(
    level: SimdLevel,
    (a, b): (&[f32], &[f32]),
    width: usize,
    out: &mut [C],
    tile: &mut Vec<f32>,
) -> std::result::Result<(), (usize, usize, f32)> {
    let columns = b.len() / width;
    for (block, (a, out)) in a
        .chunks(QUERIES * width)
        .zip(out.chunks_mut(QUERIES * columns))
        .enumerate()
    {
        for (panel, b) in b.chunks(CANDIDATES * width).enumerate() {
            let (across, first) = (b.len() / width, panel * CANDIDATES);
            tile.resize(a.len() / width * across, 0.0);
            dots(level, a, b, width, tile);
            for (row, products) in tile.chunks_exact(across).enumerate() {
                let cells = &mut out[row * columns + first..][..across];
                for (column, (cell, &product)) in cells.iter_mut().zip(products).enumerate() {
                    *cell = C::from_product(product).ok_or((
                        block * QUERIES + row,
                        first + column,
                        product,
                    ))?;
                }
            }
        }
    }
    Ok(())
}

/// The same vectors with zeros behind each, up to whole lanes: they add nothing.
fn pad(vectors: &[f32], dimension: usize) -> Cow<'_, [f32]> {
    let width = dimension.next_multiple_of(LANES);
    if width == dimension {
        return Cow::Borrowed(vectors);
    }
    let mut wide = vec![0.0; vectors.len() / dimension * width];
    for (wide, vector) in wide
        .chunks_exact_mut(width)
        .zip(vectors.chunks_exact(dimension))
    {
        wide[..dimension].copy_from_slice(vector);
    }
    Cow::Owned(wide)
}

fn not_finite(what: String, row: usize, column: usize) -> MetricsError {
    MetricsError::new(
        ErrorCode::NotFinite,
        what,
        "pass finite vectors, scaled to length 1 where cosines are wanted",
    )
    .at_row(row)
    .at_column(column)
}
