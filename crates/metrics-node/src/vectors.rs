//! Vectors that stand for texts, and how alike they are.

use ::vectors::vector_count;
use metrics::Execution;
use napi::bindgen_prelude::{AsyncTask, Float32Array, ToNapiValue, TypeName, Uint16Array};
use napi::{Env, Result};

use crate::options::{threads, whole};
use crate::task::{later, now, Later, Measurement};

/// How vectors lie in an array.
#[napi(object, object_to_js = false)]
pub struct VectorOptions {
    /// The number of entries in a vector, 1 or more.
    pub dimension: f64,
}

/// How the products of two sets of vectors are computed.
#[napi(object, object_to_js = false)]
pub struct ProductOptions {
    /// The number of entries in a vector, 1 or more.
    pub dimension: f64,
    /// Threads at most, 1 or more; small blocks use fewer. Default: every core for the promise, 1 for the `Sync` twin. The
    /// numbers are the same.
    pub threads: Option<f64>,
}

pub struct Normalization {
    vectors: Float32Array,
    options: VectorOptions,
}

impl Measurement for Normalization {
    type Output = Float32Array;

    fn measure(&self) -> metrics::Result<Float32Array> {
        let mut scaled = self.vectors.to_vec();
        ::vectors::normalize_rows(&mut scaled, whole("dimension", self.options.dimension)?)?;
        Ok(scaled.into())
    }
}

/// Each vector scaled to length 1, in a new array, off the event loop.
///
/// `vectors` holds vector after vector and is read in place: leave it unchanged until the promise settles. An entry that
/// is not finite rejects with `data.row` and `data.column`, a vector of zeros with `data.row`.
#[napi(ts_return_type = "Promise<Float32Array>")]
pub fn normalize_rows(
    vectors: Float32Array,
    options: VectorOptions,
) -> AsyncTask<Later<Normalization>> {
    later(Normalization { vectors, options })
}

/// Each vector scaled to length 1, at once; otherwise like `normalizeRows`.
#[napi]
pub fn normalize_rows_sync(
    env: Env,
    vectors: Float32Array,
    options: VectorOptions,
) -> Result<Float32Array> {
    now(env, &Normalization { vectors, options })
}

/// What the products are kept as.
pub trait Products: Send + 'static {
    type Cell: Copy + Default;
    type Array: From<Vec<Self::Cell>> + ToNapiValue + TypeName + Send + 'static;

    fn multiply(
        execution: Execution,
        inputs: (&[f32], &[f32]),
        dimension: usize,
        out: &mut [Self::Cell],
    ) -> metrics::Result<()>;
}

pub struct Single;
pub struct Half;

impl Products for Single {
    type Cell = f32;
    type Array = Float32Array;

    fn multiply(
        execution: Execution,
        (queries, candidates): (&[f32], &[f32]),
        dimension: usize,
        out: &mut [f32],
    ) -> metrics::Result<()> {
        ::vectors::inner_products(execution, queries, candidates, dimension, out)
    }
}

impl Products for Half {
    type Cell = u16;
    type Array = Uint16Array;

    fn multiply(
        execution: Execution,
        (queries, candidates): (&[f32], &[f32]),
        dimension: usize,
        out: &mut [u16],
    ) -> metrics::Result<()> {
        ::vectors::inner_products_half(execution, queries, candidates, dimension, out)
    }
}

pub struct ProductMeasurement<P> {
    queries: Float32Array,
    candidates: Float32Array,
    options: ProductOptions,
    default: Execution,
    kept_as: std::marker::PhantomData<P>,
}

impl<P: Products> ProductMeasurement<P> {
    fn new(
        queries: Float32Array,
        candidates: Float32Array,
        options: ProductOptions,
        default: Execution,
    ) -> Self {
        Self {
            queries,
            candidates,
            options,
            default,
            kept_as: std::marker::PhantomData,
        }
    }
}

impl<P: Products> Measurement for ProductMeasurement<P> {
    type Output = P::Array;

    fn measure(&self) -> metrics::Result<P::Array> {
        let dimension = whole("dimension", self.options.dimension)?;
        // The crate refuses what has no number of vectors; here it only sizes the result.
        let count = |entries: usize| vector_count(entries, dimension).unwrap_or(0);
        let mut out =
            vec![P::Cell::default(); count(self.queries.len()) * count(self.candidates.len())];
        P::multiply(
            threads(self.options.threads, self.default)?,
            (&self.queries, &self.candidates),
            dimension,
            &mut out,
        )?;
        Ok(out.into())
    }
}

/// The inner product of every query with every candidate, query after query, off the event loop: cosines, where the
/// vectors have length 1. A pair's number depends on its two vectors alone.
///
/// The arrays are read in place: leave them unchanged until the promise settles. A product that is not finite rejects with
/// an error whose `data.row` and `data.column` are the query and the candidate.
#[napi(ts_return_type = "Promise<Float32Array>")]
pub fn inner_products(
    queries: Float32Array,
    candidates: Float32Array,
    options: ProductOptions,
) -> AsyncTask<Later<ProductMeasurement<Single>>> {
    let cores = Execution::all_cores();
    later(ProductMeasurement::new(queries, candidates, options, cores))
}

/// The inner products at once; otherwise like `innerProducts`.
#[napi]
pub fn inner_products_sync(
    env: Env,
    queries: Float32Array,
    candidates: Float32Array,
    options: ProductOptions,
) -> Result<Float32Array> {
    let one = Execution::default();
    let products = ProductMeasurement::<Single>::new(queries, candidates, options, one);
    now(env, &products)
}

/// `innerProducts` as the bits of IEEE half precision, each rounded to the nearest half, ties to even. A product beyond
/// 65504 counts as not finite.
#[napi(ts_return_type = "Promise<Uint16Array>")]
pub fn inner_products_half(
    queries: Float32Array,
    candidates: Float32Array,
    options: ProductOptions,
) -> AsyncTask<Later<ProductMeasurement<Half>>> {
    let cores = Execution::all_cores();
    later(ProductMeasurement::new(queries, candidates, options, cores))
}

/// The inner products in half precision at once; otherwise like `innerProductsHalf`.
#[napi]
pub fn inner_products_half_sync(
    env: Env,
    queries: Float32Array,
    candidates: Float32Array,
    options: ProductOptions,
) -> Result<Uint16Array> {
    let one = Execution::default();
    let products = ProductMeasurement::<Half>::new(queries, candidates, options, one);
    now(env, &products)
}
