//! What the integration tests share: the shared vectors, tolerances by name, and the closeness they mean.

// Each test binary uses its own part of this module.
#![allow(dead_code)]

pub mod measure;
pub mod oracle;
pub mod random;

use std::path::PathBuf;

use serde_json::Value;

/// For numbers from sums of `f64` terms against an independent `f64` program: both round differently.
pub const F64_SUMS: f64 = 1e-11;

/// For numbers from the vector kernels, whose exponentials are `f32`: what the crate promises of them.
pub const F32_KERNELS: f64 = 1e-6;

/// The absolute error of the shared vectors themselves: their program subtracts logits and log-sums of up to 100 from each
/// other in `f64`, and an entropy or divergence near 0 keeps that rounding. (50-digit arithmetic sides with this crate.)
pub const REFERENCE_NOISE: f64 = 2e-14;

/// For intervals against Student and normal quantiles from arbitrary-precision arithmetic.
pub const QUANTILES: f64 = 1e-9;

/// The shared vectors of that name, or `None` with a message where the folder is missing.
pub fn vectors(name: &str) -> Option<Vec<Value>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/vectors")
        .join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED, NOTHING TESTED: {} is absent", path.display());
        return None;
    };
    let cases: Vec<Value> = serde_json::from_str(&text).expect("the vectors are a JSON list");
    assert!(!cases.is_empty(), "{name} has no cases");
    Some(cases)
}

pub fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) if text == "-inf" => f64::NEG_INFINITY,
        other => other.as_f64().expect("a number"),
    }
}

pub fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(number).collect()
}

pub fn logits(value: &Value) -> Vec<f32> {
    numbers(value).iter().map(|&z| z as f32).collect()
}

/// Asserts `got` within `tolerance` of `want`, relative to `want`; an infinite or zero `want` is met exactly.
#[track_caller]
pub fn assert_close(got: f64, want: f64, tolerance: f64, what: &str) {
    assert_near(got, want, tolerance, 0.0, what);
}

/// Asserts `got` within `tolerance`, relative to `want`, or within `floor`, absolutely.
#[track_caller]
pub fn assert_near(got: f64, want: f64, tolerance: f64, floor: f64, what: &str) {
    let allowed = (tolerance * want.abs()).max(floor);
    assert!(
        got == want || (got - want).abs() <= allowed,
        "{what}: got {got:e}, want {want:e}, off by {:e}",
        got - want
    );
}
