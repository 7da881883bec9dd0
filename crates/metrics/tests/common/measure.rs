//! Short ways to ask the crate, for tests whose input is valid.

use metrics::{Pair, PairBuffers, PairMetrics, Row, TopK, TopKDivergence};

pub fn row(z: &[f32]) -> Row<'_> {
    Row::new(z).expect("a valid row")
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
    let measured = Pair::new(a, b)
        .and_then(|pair| pair.measure(ks, &mut top_k, &mut PairBuffers::default()))
        .expect("a valid pair");
    (measured, top_k)
}
