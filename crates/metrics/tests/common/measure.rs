//! Short ways to ask the crate, for tests whose input is valid, on each of the machine's levels in turn.

use std::cell::Cell;

use metrics::{
    available_levels, Pair, PairBuffers, PairMetrics, Row, SimdLevel, TopK, TopKDivergence,
};

use super::{F32_KERNELS, F64_SUMS};

thread_local! {
    static LEVEL: Cell<SimdLevel> = const { Cell::new(SimdLevel::Scalar) };
}

/// Runs a test once on every level that the machine has; the functions below obey.
pub fn on_every_level(test: impl Fn()) {
    let run = |_: ()| -> Result<(), std::convert::Infallible> {
        test();
        Ok(())
    };
    let Ok(()) = try_on_every_level(|| run(()));
}

/// [`on_every_level`] for a property, which fails by its result.
pub fn try_on_every_level<E>(test: impl Fn() -> Result<(), E>) -> Result<(), E> {
    for level in available_levels() {
        LEVEL.set(level);
        // Named where a test fails: output of tests that pass is not shown.
        println!("level {level}");
        test()?;
    }
    Ok(())
}

/// The level of the moment.
pub fn level() -> SimdLevel {
    LEVEL.get()
}

/// The relative error that the level of the moment may have.
pub fn sums() -> f64 {
    match level() {
        SimdLevel::Scalar => F64_SUMS,
        _ => F32_KERNELS,
    }
}

pub fn row(z: &[f32]) -> Row<'_> {
    Row::new_at(z, level()).expect("a valid row")
}

pub fn top_ids(z: &[f32], k: usize) -> Vec<i32> {
    let mut top = TopK::new();
    row(z).top_k(k, &mut top).expect("K > 0");
    top.ids().collect()
}

pub fn pair(a: &[f32], b: &[f32]) -> PairMetrics {
    pair_at(a, b, &[]).0
}

pub fn pair_at(a: &[f32], b: &[f32], ks: &[usize]) -> (PairMetrics, Vec<TopKDivergence>) {
    let mut top_k = vec![TopKDivergence::default(); ks.len()];
    let measured = Pair::new_at(a, b, level())
        .and_then(|pair| pair.measure(ks, &mut top_k, &mut PairBuffers::default()))
        .expect("a valid pair");
    (measured, top_k)
}
