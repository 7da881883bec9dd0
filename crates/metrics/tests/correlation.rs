//! Correlations against exact fractions and other programs, named with each; and what they give where pairs are too few.

mod common;

use common::assert_close;
use metrics::{
    correlation, Correlation, CorrelationMethod, CorrelationRequest, CorrelationTest, DEFAULT_LEVEL,
};

/// Programs that round to 15 digits or so; p-values and interval ends lose some of them.
const REFERENCE_DIGITS: f64 = 1e-9;

/// What a correlation itself is known to.
const R_DIGITS: f64 = 1e-14;

/// Anscombe 1973: four data sets of one correlation, in hundredths where they have two digits.
const X: [i64; 11] = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
const X_OF_IV: [i64; 11] = [8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8];
const Y: [[i64; 11]; 4] = [
    [804, 695, 758, 881, 833, 996, 724, 426, 1084, 482, 568],
    [914, 814, 874, 877, 926, 810, 613, 310, 913, 726, 474],
    [746, 677, 1274, 711, 781, 884, 608, 539, 815, 642, 573],
    [658, 576, 771, 884, 847, 704, 525, 1250, 556, 791, 689],
];

fn quartet(set: usize) -> (Vec<f64>, Vec<f64>) {
    let x = if set == 3 { X_OF_IV } else { X };
    let y = Y[set].map(|y| y as f64 / 100.0);
    (x.map(|x| x as f64).to_vec(), y.to_vec())
}

fn solve(x: &[f64], y: &[f64], method: CorrelationMethod) -> Correlation {
    let request = CorrelationRequest {
        method,
        ..CorrelationRequest::default()
    };
    correlation(x, y, &request).expect("valid")
}

fn pearson(x: &[f64], y: &[f64]) -> Correlation {
    solve(x, y, CorrelationMethod::Pearson)
}

fn spearman(x: &[f64], y: &[f64]) -> Correlation {
    solve(x, y, CorrelationMethod::Spearman)
}

/// The correlation of whole numbers, by whole numbers to the last step.
fn by_fractions(x: &[i64], y: &[i64]) -> f64 {
    let n = x.len() as i64;
    let sum = |a: &[i64]| a.iter().sum::<i64>();
    let products = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<i64>();
    let centred = |a: &[i64], b: &[i64]| (n * products(a, b) - sum(a) * sum(b)) as f64;
    centred(x, y) / (centred(x, x).sqrt() * centred(y, y).sqrt())
}

#[test]
fn anscombes_quartet() {
    // scipy 1.17: stats.pearsonr, its confidence_interval(0.95).
    for (set, r, p, low, high) in [
        (
            0,
            0.8164205163448395,
            0.0021696288730788152,
            0.4243912133932152,
            0.9506932537865604,
        ),
        (
            1,
            0.8162365060002424,
            0.002178816236910809,
            0.4239388739539876,
            0.9506401739957724,
        ),
        (
            2,
            0.8162867394895981,
            0.0021763052792280312,
            0.42406233992177395,
            0.9506546651742493,
        ),
        (
            3,
            0.8165214368885028,
            0.002164602347197224,
            0.4246393822445127,
            0.9507223620781418,
        ),
    ] {
        let (x, y) = quartet(set);
        let got = pearson(&x, &y);
        let interval = got.ci.expect("eleven");
        assert_close(got.r.expect("eleven"), r, R_DIGITS, "r");
        let exact = by_fractions(if set == 3 { &X_OF_IV } else { &X }, &Y[set]);
        assert_close(got.r.expect("eleven"), exact, R_DIGITS, "r by fractions");
        assert_close(got.p_value.expect("eleven"), p, REFERENCE_DIGITS, "p");
        assert_close(interval.low, low, REFERENCE_DIGITS, "low");
        assert_close(interval.high, high, REFERENCE_DIGITS, "high");
        assert_eq!((got.n, got.test), (11, Some(CorrelationTest::Student)));
        assert_eq!((interval.level, got.reason), (DEFAULT_LEVEL, None));
    }
    // scipy 1.17: stats.spearmanr; the interval from its r by the formula in docs/metrics.md.
    for (set, r, p, low, high) in [
        (
            0,
            0.8181818181818182,
            0.0020831448404786917,
            0.3370204870698274,
            0.9604636343630895,
        ),
        (
            1,
            0.690909090909091,
            0.01856503338159501,
            0.07830538216049762,
            0.9247575882485766,
        ),
        (
            2,
            0.990909090909091,
            3.762571807085397e-9,
            0.9515960350906167,
            0.9983200907759118,
        ),
        (
            3,
            0.5,
            0.11730680301423817,
            -0.1835754609954438,
            0.8576244220800123,
        ),
    ] {
        let (x, y) = quartet(set);
        let got = spearman(&x, &y);
        let interval = got.ci.expect("eleven");
        assert_close(got.r.expect("eleven"), r, R_DIGITS, "r");
        assert_close(got.p_value.expect("eleven"), p, REFERENCE_DIGITS, "p");
        assert_close(interval.low, low, REFERENCE_DIGITS, "low");
        assert_close(interval.high, high, REFERENCE_DIGITS, "high");
        assert_eq!(got.test, Some(CorrelationTest::Student));
    }
}

#[test]
fn few_ranks_are_tried_in_all_orders() {
    // Without ties, r is 1 - 6 sum(d^2) / (n^3 - n); 8 of the 24 orders of four lie as far from 0 as 0.8.
    let four = spearman(&[1.0, 2.0, 3.0, 4.0], &[-8.0, -9.0, 0.5, 1e9]);
    assert_close(four.r.expect("four"), 0.8, R_DIGITS, "r");
    assert_eq!(
        (four.p_value, four.test),
        (Some(8.0 / 24.0), Some(CorrelationTest::Permutation))
    );
    // scipy 1.17 and Python's itertools: spearmanr of all 5,040 orders.
    let tied = spearman(
        &[1.0, 2.0, 2.0, 3.0, 5.0, 8.0, 8.0],
        &[2.0, 1.0, 4.0, 3.0, 3.0, 7.0, 6.0],
    );
    assert_close(tied.r.expect("seven"), 0.7706746355884525, R_DIGITS, "r");
    assert_close(tied.p_value.expect("seven"), 268.0 / 5040.0, R_DIGITS, "p");
}

#[test]
fn huge_offsets_and_sizes_lose_nothing() {
    let (x, y) = (X.map(|x| x as f64), Y[0].map(|y| y as f64));
    let want = pearson(&x, &y).r.expect("eleven");
    for offset in [1e6, 1e12, -9e13] {
        // Whole numbers: the sums are exact.
        let got = pearson(&x.map(|x| x + offset), &y.map(|y| y - 3.0 * offset));
        assert_eq!(got.r, Some(want), "{offset}");
    }
    for (up, down) in [(1e300, 1e-300), (2e306, 1e-200), (1e-305, 1e290)] {
        let got = pearson(&x.map(|x| x * up), &y.map(|y| y * down));
        assert_close(got.r.expect("eleven"), want, R_DIGITS, "scaled");
    }
    // Below the smallest normal number, values keep few digits; whole multiples of the smallest of all are exact.
    let least = f64::from_bits(1);
    assert_eq!(pearson(&x.map(|x| x * least), &y).r, Some(want));
}

#[test]
fn a_line_has_a_correlation_and_no_more() {
    let x = [0.1, 0.7, 1.3, 2.9, 4.1];
    for slope in [3.0, -0.25] {
        let got = pearson(&x, &x.map(|x| slope * x + 7.1));
        assert_eq!(
            (got.r, got.ci, got.p_value),
            (Some(slope.signum()), None, None)
        );
        assert!(got.reason.expect("a reason").contains("on a line"));
        let ranks = spearman(&x, &x.map(|x| slope * x.exp()));
        assert_eq!((ranks.r, ranks.ci), (Some(slope.signum()), None));
        assert_eq!(ranks.p_value, Some(2.0 / 120.0));
        assert!(ranks.reason.expect("a reason").contains("one order"));
    }
    // One order of twenty, each of which is one of 20!.
    let many: Vec<f64> = (0..20).map(f64::from).collect();
    let squares: Vec<f64> = many.iter().map(|x| x * x).collect();
    let got = spearman(&many, &squares);
    let orders: f64 = (1..=20).map(f64::from).product();
    assert_close(got.p_value.expect("twenty"), 2.0 / orders, R_DIGITS, "p");
    assert_eq!(got.test, Some(CorrelationTest::Permutation));
}

#[test]
fn too_few_pairs_give_a_reason() {
    let x = [1.0, 2.0, 4.0];
    for method in [CorrelationMethod::Pearson, CorrelationMethod::Spearman] {
        let one = solve(&x[..1], &x[..1], method);
        assert_eq!((one.r, one.ci, one.p_value, one.n), (None, None, None, 1));
        assert!(one.reason.expect("a reason").starts_with("only 1 pair;"));
        let constant = solve(&x, &[5.0; 3], method);
        assert_eq!(
            (constant.r, constant.ci, constant.p_value),
            (None, None, None)
        );
        assert!(constant
            .reason
            .expect("a reason")
            .starts_with("y is constant"));
        let both = solve(&[0.1; 3], &[5.0; 3], method);
        assert!(both
            .reason
            .expect("a reason")
            .starts_with("x and y are constant"));
        // What differs in the last digit only is constant but for rounding.
        let rounded = solve(&[0.1 + 0.2, 0.3, 0.3], &x, method);
        assert!(rounded
            .reason
            .expect("a reason")
            .starts_with("x is constant"));
    }
    let two = pearson(&x[..2], &[3.0, 1.0]);
    assert_eq!((two.r, two.ci, two.p_value), (Some(-1.0), None, None));
    assert!(two
        .reason
        .expect("a reason")
        .starts_with("only 2 pairs, on a line;"));
    assert_eq!(spearman(&x[..2], &[3.0, 1.0]).p_value, Some(1.0));
    let three = pearson(&x, &[1.0, 3.0, 2.0]);
    assert!(three.ci.is_none() && three.reason.is_some());
    // By hand: deviations of (-4, -1, 5) / 3 and (-1, 1, 0) give r = 1 / sqrt(42 / 9 * 2) = sqrt(3 / 28). With one degree of
    // freedom, p is 1 - 2 / pi atan(t), here for t = r / sqrt(1 - r^2) = sqrt(3 / 25).
    assert_close(
        three.r.expect("three"),
        (3.0f64 / 28.0).sqrt(),
        R_DIGITS,
        "r",
    );
    let p = 1.0 - 2.0 / std::f64::consts::PI * (3.0f64 / 25.0).sqrt().atan();
    assert_close(three.p_value.expect("three"), p, REFERENCE_DIGITS, "p");
    let four = pearson(&[1.0, 2.0, 4.0, 3.0], &[1.0, 3.0, 2.0, 5.0]);
    assert!(four.ci.is_some() && four.reason.is_none());
}

#[test]
fn faults_are_named() {
    let refused = |x: &[f64], y: &[f64], level: f64| {
        let request = CorrelationRequest {
            level,
            ..CorrelationRequest::default()
        };
        let error = correlation(x, y, &request).expect_err("refused");
        (error.code(), error.input(), error.row())
    };
    assert_eq!(refused(&[], &[], 0.95), ("empty_input", Some("x"), None));
    assert_eq!(
        refused(&[1.0, 2.0], &[1.0], 0.95),
        ("length_mismatch", Some("y"), None)
    );
    assert_eq!(
        refused(&[1.0, f64::NAN], &[1.0, 2.0], 0.95),
        ("not_finite", Some("x"), Some(1))
    );
    assert_eq!(
        refused(&[1.0], &[f64::INFINITY], 0.95),
        ("not_finite", Some("y"), Some(0))
    );
    for level in [0.0, 1.0, f64::NAN] {
        assert_eq!(
            refused(&[1.0], &[1.0], level),
            ("bad_argument", Some("level"), None)
        );
    }
    assert_eq!(
        "kendall"
            .parse::<CorrelationMethod>()
            .expect_err("none")
            .input(),
        Some("method")
    );
}
