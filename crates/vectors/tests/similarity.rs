//! Vectors of length 1 and the products of all pairs: against plain `f64`, and the same bits however they are computed.

#[allow(dead_code)] // Its rows of logits are not needed here.
#[path = "../../metrics/tests/common/random.rs"]
mod random;

use metrics::{available_levels, Execution, MetricsError};
use random::Numbers;
use vectors::{inner_products, inner_products_half, normalize_rows, LARGEST_HALF};

/// A product of unit vectors in `f32`: each of sixteen sums rounds `dimension / 16` times, and their total four times.
const PRODUCT: f64 = 2e-7;

fn vectors(count: usize, dimension: usize, seed: u64) -> Vec<f32> {
    let mut numbers = Numbers::new(seed);
    let mut all: Vec<f32> = (0..count * dimension).map(|_| numbers.half()).collect();
    normalize_rows(&mut all, dimension).expect("finite");
    all
}

fn products(execution: Execution, a: &[f32], b: &[f32], dimension: usize) -> Vec<f32> {
    let mut out = vec![f32::NAN; (a.len() / dimension) * (b.len() / dimension)];
    inner_products(execution, a, b, dimension, &mut out).expect("products");
    out
}

fn halves(a: &[f32], b: &[f32], dimension: usize) -> Vec<u16> {
    let mut out = vec![0; (a.len() / dimension) * (b.len() / dimension)];
    inner_products_half(Execution::default(), a, b, dimension, &mut out).expect("halves");
    out
}

#[test]
fn a_vector_becomes_one_of_length_1_in_its_direction() {
    let mut both = [3.0, 0.0, -4.0, 0.0, 2e-40, 0.0];
    assert_eq!(normalize_rows(&mut both, 3), Ok(2));
    assert_eq!(both, [0.6, 0.0, -0.8, 0.0, 1.0, 0.0]);
    let mut large = [f32::MAX, f32::MAX];
    normalize_rows(&mut large, 2).expect("its squares fit into f64");
    assert_eq!(large, [std::f32::consts::FRAC_1_SQRT_2; 2]);
    for (count, dimension) in [(7, 1), (5, 12), (3, 1024)] {
        for vector in vectors(count, dimension, 3).chunks_exact(dimension) {
            let length = vector
                .iter()
                .map(|x| f64::from(*x).powi(2))
                .sum::<f64>()
                .sqrt();
            assert!((length - 1.0).abs() < 1e-7, "{length} at {dimension}");
        }
    }
}

#[test]
fn products_are_those_of_plain_sums_and_the_same_bits_on_every_level() {
    // Whole lanes and odd ones, whole tiles and odd ones, more than a block of queries and than a panel of candidates.
    let shapes = [
        (1, 1, 1),
        (2, 3, 16),
        (5, 7, 12),
        (4, 9, 384),
        (67, 50, 33),
        (130, 101, 48),
        (3, 2, 1024),
    ];
    for (rows, columns, dimension) in shapes {
        let (a, b) = (vectors(rows, dimension, 1), vectors(columns, dimension, 2));
        let first = products(Execution::default(), &a, &b, dimension);
        for (i, got) in first.iter().enumerate() {
            let x = &a[i / columns * dimension..][..dimension];
            let y = &b[i % columns * dimension..][..dimension];
            let plain: f64 = x
                .iter()
                .zip(y)
                .map(|(x, y)| f64::from(*x) * f64::from(*y))
                .sum();
            let what = (rows, columns, dimension, i);
            assert!((f64::from(*got) - plain).abs() <= PRODUCT, "{what:?}");
        }
        for level in available_levels() {
            let execution = Execution {
                level: Some(level),
                threads: 1,
            };
            let again = products(execution, &a, &b, dimension);
            let same = again
                .iter()
                .zip(&first)
                .all(|(x, y)| x.to_bits() == y.to_bits());
            assert!(same, "{level}, {rows} x {columns} x {dimension}");
        }
    }
}

#[test]
fn a_pair_has_the_same_product_in_any_block_and_on_any_number_of_threads() {
    let (rows, columns, dimension) = (150, 110, 96);
    let (a, b) = (vectors(rows, dimension, 8), vectors(columns, dimension, 9));
    let whole = products(Execution::default(), &a, &b, dimension);
    for threads in [2, 3, 64] {
        let execution = Execution {
            level: None,
            threads,
        };
        assert_eq!(products(execution, &a, &b, dimension), whole, "{threads}");
    }
    for at in [(0, 0), (1, 2), (149, 109), (77, 48)] {
        let alone = products(
            Execution::default(),
            &a[at.0 * dimension..][..dimension],
            &b[at.1 * dimension..][..dimension],
            dimension,
        );
        assert_eq!(alone, [whole[at.0 * columns + at.1]], "{at:?}");
    }
}

#[test]
fn halves_are_the_nearest_of_the_products() {
    let (a, b) = (vectors(20, 24, 4), vectors(30, 24, 5));
    let products = products(Execution::default(), &a, &b, 24);
    for (half, product) in halves(&a, &b, 24).into_iter().zip(products) {
        let steps = |half: u16| {
            let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f64::from(half & 0x3ff));
            let size = if exponent == 0 {
                fraction * 2f64.powi(-24)
            } else {
                (1024.0 + fraction) * 2f64.powi(exponent - 25)
            };
            (size - f64::from(product.abs())).abs()
        };
        assert_eq!(half >> 15 == 1, product.is_sign_negative());
        let size = half & 0x7fff;
        assert!(steps(size) <= steps(size + 1) && (size == 0 || steps(size) <= steps(size - 1)));
    }
    // By hand: 1 is 0x3c00; 2049 lies between 2048 and 2050, 2051 between 2050 and 2052, and each goes to the even one.
    assert_eq!(halves(&[1.0, 0.0], &[1.0, 5.0], 2), [0x3c00]);
    assert_eq!(
        halves(&[2049.0, 2051.0], &[1.0, -1.0], 1),
        [0x6800, 0xe800, 0x6802, 0xe802]
    );
}

fn place(error: &MetricsError) -> (&str, Option<&str>, Option<usize>, Option<usize>) {
    (error.code(), error.input(), error.row(), error.column())
}

#[test]
fn what_has_no_number_is_an_error_with_its_place() {
    let mut zeros = [1.0, 0.0, 0.0, 0.0];
    let none = normalize_rows(&mut zeros, 2).expect_err("zeros");
    assert_eq!(place(&none), ("bad_argument", None, Some(1), None));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut rows = [1.0, 2.0, 3.0, 1.0, 2.0, bad];
        let error = normalize_rows(&mut rows, 3).expect_err("not finite");
        assert_eq!(place(&error), ("not_finite", None, Some(1), Some(2)));
        let mut out = [0.0; 2];
        let error = inner_products(Execution::default(), &[1.0], &[1.0, bad], 1, &mut out);
        let error = error.expect_err("not finite");
        assert_eq!(place(&error), ("not_finite", None, Some(0), Some(1)));
    }
    let mut out = [0; 1];
    let large = inner_products_half(Execution::default(), &[LARGEST_HALF], &[1.1], 1, &mut out);
    assert_eq!(large.expect_err("no half").code(), "not_finite");
    assert!(
        inner_products_half(Execution::default(), &[LARGEST_HALF], &[1.0], 1, &mut out).is_ok()
    );
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let run = |a: &[f32], b: &[f32], dimension, len| {
        let mut out = vec![0.0; len];
        let refused = inner_products(Execution::default(), a, b, dimension, &mut out);
        let refused = refused.expect_err("a bad shape");
        (refused.code(), refused.input().unwrap_or("none"))
    };
    assert_eq!(run(&[1.0], &[1.0], 0, 1), ("bad_argument", "queries"));
    assert_eq!(run(&[], &[1.0], 1, 0), ("empty_input", "queries"));
    assert_eq!(
        run(&[1.0; 4], &[1.0; 3], 2, 2),
        ("length_mismatch", "candidates")
    );
    assert_eq!(run(&[1.0; 4], &[1.0; 4], 2, 3), ("length_mismatch", "out"));
    let none = Execution {
        level: None,
        threads: 0,
    };
    let refused = inner_products(none, &[1.0], &[1.0], 1, &mut [0.0]);
    assert_eq!(refused.expect_err("no threads").code(), "bad_argument");
}
