//! The bootstrap of several ratios: against the bootstrap of a mean, and what it gives where data are too few.

mod common;

use common::random::Numbers;
use common::{assert_near, F64_SUMS, REFERENCE_NOISE};
use metrics::{
    aggregate, bootstrap_ratios, paired_difference, percentile_interval, AggregateRequest,
    BootstrapKind, BootstrapRatios, BootstrapRequest, CiMethod, PercentileEstimate, RatioRequest,
    DEFAULT_LEVEL,
};

/// Shares of a distribution go through the normal quantile, there and back.
const NORMAL_ROUNDING: f64 = 1e-9;

/// A number and what is left of it after a product and a quotient: its last digit.
const LAST_DIGIT: f64 = 1e-15;

/// Values and gates of many steps in few prompts, whose ids neither ascend nor follow one another.
fn steps() -> (Vec<f64>, Vec<u8>, Vec<u32>) {
    let mut numbers = Numbers::new(5);
    let ids: Vec<u32> = (0..600)
        .map(|_| 900 - 7 * (numbers.next() * 40.0) as u32)
        .collect();
    let values = ids
        .iter()
        .map(|&id| f64::from(id) / 500.0 + f64::from(numbers.half()));
    let values = values.collect();
    let gates = (0..600).map(|_| u8::from(numbers.next() < 0.7)).collect();
    (values, gates, ids)
}

fn column(of: &[f64], columns: usize, column: usize) -> Vec<f64> {
    of.iter().skip(column).step_by(columns).copied().collect()
}

fn estimate(values: &[f64]) -> PercentileEstimate {
    percentile_interval(values, DEFAULT_LEVEL).expect("valid")
}

/// A ratio with the gate as denominator is a gated mean: one path and the other draw the same clusters.
#[test]
fn a_single_ratio_is_a_gated_mean() {
    let (values, gates, ids) = steps();
    let other: Vec<f64> = values.iter().map(|x| 1.3 + 0.2 * x.sin()).collect();
    let weights: Vec<f64> = gates.iter().map(|&gate| f64::from(gate)).collect();
    let gated = |of: &[f64]| -> Vec<f64> { of.iter().zip(&weights).map(|(x, w)| x * w).collect() };
    let (a, b) = (gated(&values), gated(&other));
    for seed in [0, 3, 1 << 40] {
        let request = RatioRequest {
            cluster: Some(&ids),
            resamples: 999,
            seed,
            ..RatioRequest::default()
        };
        let same = AggregateRequest {
            gate: Some(&gates),
            cluster: Some(&ids),
            ci: CiMethod::Bootstrap,
            bootstrap: BootstrapRequest {
                kind: BootstrapKind::Percentile,
                resamples: 999,
                seed,
                threads: None,
            },
            ..AggregateRequest::default()
        };
        let one = bootstrap_ratios(&a, &weights, &request).expect("valid");
        let mean = aggregate(&values, &same).expect("valid");
        assert_near(one.ratios[0], mean.mean, F64_SUMS, 0.0, "mean");
        let (got, want) = (
            estimate(one.resampled.as_deref().expect("many")),
            mean.ci.expect("many"),
        );
        let got = got.ci.expect("many");
        assert_near(got.low, want.low, F64_SUMS, 0.0, "low");
        assert_near(got.high, want.high, F64_SUMS, 0.0, "high");
        assert_eq!(
            (got.resamples, one.clusters),
            (999, want.clusters.expect("many"))
        );

        // Two runs, resample by resample, are the paired difference.
        let two = bootstrap_ratios(&b, &weights, &request).expect("valid");
        let (one, two) = (one.resampled.expect("many"), two.resampled.expect("many"));
        let apart: Vec<f64> = one.iter().zip(&two).map(|(a, b)| a - b).collect();
        let (got, want) = (
            estimate(&apart),
            paired_difference(&values, &other, &same).expect("valid"),
        );
        let (ends, wanted) = (got.ci.expect("many"), want.ci.expect("many"));
        assert_near(ends.low, wanted.low, F64_SUMS, REFERENCE_NOISE, "low");
        assert_near(ends.high, wanted.high, F64_SUMS, REFERENCE_NOISE, "high");
        let (p, wanted) = (got.p_value.expect("many"), want.p_value.expect("many"));
        assert_near(p, wanted, F64_SUMS, 0.0, "p");
        assert!((0.002..1.0).contains(&p), "{p}");
    }
}

/// Each column of a call is what it is alone, on any number of threads.
#[test]
fn columns_and_threads_do_not_show() {
    let (values, gates, ids) = steps();
    let mut numbers = Numbers::new(9);
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for (value, gate) in values.iter().zip(&gates) {
        above.extend([*value, f64::from(numbers.half()), -1.0]);
        below.extend([1.0, f64::from(*gate), f64::from(numbers.next())]);
    }
    let request = RatioRequest {
        columns: 3,
        cluster: Some(&ids),
        cluster2: None,
        resamples: 20_000,
        seed: 8,
        threads: Some(1),
    };
    let all = bootstrap_ratios(&above, &below, &request).expect("valid");
    for threads in [Some(2), Some(7), Some(5000), None] {
        let again = RatioRequest { threads, ..request };
        assert_eq!(
            bootstrap_ratios(&above, &below, &again).as_ref(),
            Ok(&all),
            "{threads:?}"
        );
    }
    let resampled = all.resampled.expect("many");
    assert_eq!(resampled.len(), 60_000);
    for i in 0..3 {
        let request = RatioRequest {
            columns: 1,
            ..request
        };
        let alone = bootstrap_ratios(&column(&above, 3, i), &column(&below, 3, i), &request);
        let alone = alone.expect("valid");
        assert_eq!(alone.ratios[0], all.ratios[i]);
        assert_eq!(alone.resampled.expect("many"), column(&resampled, 3, i));
    }
}

/// The order of rows does not show where clusters have ids, nor does how a cluster is cut into rows.
#[test]
fn rows_are_sums() {
    let (values, _, ids) = steps();
    let ones = vec![1.0; values.len()];
    let call = |values: &[f64], below: &[f64], ids: &[u32]| {
        let request = RatioRequest {
            cluster: Some(ids),
            resamples: 50,
            ..RatioRequest::default()
        };
        bootstrap_ratios(values, below, &request).expect("valid")
    };
    let whole = call(&values, &ones, &ids);
    let backwards = |of: &[f64]| of.iter().rev().copied().collect::<Vec<f64>>();
    let turned: Vec<u32> = ids.iter().rev().copied().collect();
    assert_eq!(call(&backwards(&values), &ones, &turned), whole);
    let mut sums = std::collections::BTreeMap::<u32, (f64, f64)>::new();
    for (id, value) in ids.iter().zip(&values) {
        let sum = sums.entry(*id).or_default();
        (sum.0, sum.1) = (sum.0 + value, sum.1 + 1.0);
    }
    let ids: Vec<u32> = sums.keys().copied().collect();
    let (above, below): (Vec<f64>, Vec<f64>) = sums.values().copied().unzip();
    let got = call(&above, &below, &ids);
    for (got, want) in got
        .resampled
        .iter()
        .flatten()
        .zip(whole.resampled.iter().flatten())
    {
        assert_near(*got, *want, F64_SUMS, 0.0, "resampled");
    }
    // Without ids, rows are clusters as they stand.
    let request = RatioRequest {
        resamples: 50,
        ..RatioRequest::default()
    };
    assert_eq!(bootstrap_ratios(&above, &below, &request), Ok(got));
}

#[test]
fn a_ratio_that_all_clusters_share_has_no_spread() {
    let below: Vec<f64> = (1..50).map(f64::from).collect();
    for ratio in [0.0, 1.0, 0.1, 1.0 / 3.0, 1e6 + 0.3] {
        let above: Vec<f64> = below.iter().map(|x| ratio * x).collect();
        let got = bootstrap_ratios(&above, &below, &RatioRequest::default()).expect("valid");
        let resampled = got.resampled.expect("many");
        for drawn in &resampled {
            assert_near(*drawn, ratio, LAST_DIGIT, 0.0, "a resample");
        }
        let found = estimate(&resampled);
        assert_eq!((found.ci, found.p_value), (None, None));
        assert!(found
            .reason
            .expect("a reason")
            .starts_with("all resamples are equal"));
    }
}

/// Where every cluster of one way meets every one of the other, a number that the first way decides is drawn as by the first
/// way alone.
#[test]
fn a_second_way_that_decides_nothing_changes_nothing() {
    let (mut above, mut cluster, mut cluster2) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..60u32 {
        let (first, second) = (row % 12, row / 12);
        above.push(f64::from(first * first));
        cluster.push(first);
        cluster2.push(second);
    }
    let below = [1.0; 60];
    let one = RatioRequest {
        cluster: Some(&cluster),
        resamples: 200,
        ..RatioRequest::default()
    };
    let two = RatioRequest {
        cluster2: Some(&cluster2),
        ..one
    };
    let alone = bootstrap_ratios(&above, &below, &one).expect("valid");
    let both = bootstrap_ratios(&above, &below, &two).expect("valid");
    assert_eq!((both.clusters, both.clusters2), (12, Some(5)));
    let drawn = alone.resampled.expect("twelve");
    for (got, want) in both.resampled.expect("twelve").iter().zip(drawn) {
        assert_near(*got, want, 1e-12, 0.0, "a resample");
    }
    // The other way round the second way scatters too.
    let turned = RatioRequest {
        cluster: Some(&cluster2),
        cluster2: Some(&cluster),
        ..one
    };
    let other = bootstrap_ratios(&above, &below, &turned).expect("valid");
    let spread = |drawn: Vec<f64>| {
        drawn
            .iter()
            .map(|x| (x - alone.ratios[0]).powi(2))
            .sum::<f64>()
    };
    assert!(spread(other.resampled.expect("five")) > 0.0);
    let single = RatioRequest {
        cluster2: Some(&[3; 60]),
        ..one
    };
    let none = bootstrap_ratios(&above, &below, &single).expect("valid");
    assert_eq!((none.resampled, none.clusters2), (None, Some(1)));
}

#[test]
fn denominators_of_0_are_told_and_counted() {
    // Of ten clusters, the first column has all, the second one, the third none.
    let above: Vec<f64> = (0..10).flat_map(|i| [f64::from(i), 0.5, 3.0]).collect();
    let below: Vec<f64> = (0..10)
        .flat_map(|i| [1.0, f64::from(i == 4), 0.0])
        .collect();
    let request = RatioRequest {
        columns: 3,
        ..RatioRequest::default()
    };
    let got = bootstrap_ratios(&above, &below, &request).expect("valid");
    assert_eq!(got.clusters, 10);
    assert_eq!((got.ratios[0], got.ratios[1]), (4.5, 5.0));
    assert!(got.ratios[2].is_nan());
    let resampled = got.resampled.expect("ten");
    let second = column(&resampled, 3, 1);
    let missing = second.iter().filter(|x| x.is_nan()).count();
    // (1 - 1/10)^10 of 10,000, and four standard errors.
    assert!((missing as f64 - 3486.8).abs() < 190.0, "{missing}");
    let found = estimate(&second);
    assert_eq!(
        (found.ci, found.p_value, found.missing),
        (None, None, missing)
    );
    assert!(found
        .reason
        .expect("a reason")
        .contains("lack what the number is made of"));
    let third = estimate(&column(&resampled, 3, 2));
    assert_eq!((third.ci, third.missing), (None, 10_000));

    let alone = RatioRequest {
        cluster: Some(&[7, 7]),
        ..RatioRequest::default()
    };
    let got = bootstrap_ratios(&[1.0, 2.0], &[1.0, 1.0], &alone).expect("valid");
    let one = BootstrapRatios {
        ratios: vec![1.5],
        resampled: None,
        clusters: 1,
        clusters2: None,
        reason: Some("only 1 text or row that counts; a bootstrap needs at least 2".to_owned()),
    };
    assert_eq!(got, one);
}

#[test]
fn percentiles_by_hand() {
    // The (B + 1) share-th of B: of 1 to 999, the 25th and the 975th.
    let mut values: Vec<f64> = (1..=999).rev().map(f64::from).collect();
    let found = estimate(&values);
    let interval = found.ci.expect("many");
    assert_near(interval.low, 25.0, NORMAL_ROUNDING, 0.0, "low");
    assert_near(interval.high, 975.0, NORMAL_ROUNDING, 0.0, "high");
    assert_near(
        found.p_value.expect("many"),
        2.0 / 1000.0,
        F64_SUMS,
        0.0,
        "p",
    );
    assert_eq!((found.missing, found.reason), (0, None));
    // 0 among them, with 99 below: (99 + 1/2) / 999 on one side.
    for value in &mut values {
        *value -= 100.0;
    }
    let p = estimate(&values).p_value.expect("many");
    assert_near(p, 199.0 / 999.0, NORMAL_ROUNDING, 0.0, "p");
    // Differences that miss 0 by rounding alone are 0.
    values[899] = 1e-13;
    assert_eq!(estimate(&values).p_value, Some(p));
    // One in a hundred may be missing, and no more.
    values.push(f64::NAN);
    let found = estimate(&values);
    assert_eq!(
        (found.missing, found.ci.map(|ci| ci.resamples)),
        (1, Some(999))
    );
    let hundred: Vec<f64> = (0..100)
        .map(|i| if i < 2 { f64::NAN } else { f64::from(i) })
        .collect();
    assert_eq!(
        (estimate(&hundred).missing, estimate(&hundred).ci),
        (2, None)
    );
    assert!(
        estimate(&hundred[1..]).ci.is_none(),
        "1 of 99 is more than one in a hundred"
    );
    let fine: Vec<f64> = (0..100)
        .map(|i| if i < 1 { f64::NAN } else { f64::from(i) })
        .collect();
    assert_eq!(estimate(&fine).ci.map(|ci| ci.resamples), Some(99));
}

#[test]
fn ratios_that_cannot_be() {
    let fine = RatioRequest {
        columns: 2,
        ..RatioRequest::default()
    };
    let refused = |above: &[f64], below: &[f64], request: &RatioRequest<'_>| {
        let result = bootstrap_ratios(above, below, request);
        let error = result.map(|found| found.ratios).expect_err("refused");
        (
            error.code(),
            error.input().expect("named"),
            error.row(),
            error.column(),
        )
    };
    let good = [1.0, 2.0, 3.0, 4.0];
    let bad = |at: usize, x: f64| {
        let mut numbers = good;
        numbers[at] = x;
        numbers
    };
    let none = |code, input| (code, input, None, None);
    assert_eq!(refused(&[], &[], &fine), none("empty_input", "numerators"));
    assert_eq!(
        refused(&good[..3], &good[..3], &fine),
        none("length_mismatch", "numerators")
    );
    assert_eq!(
        refused(&good, &good[..2], &fine),
        none("length_mismatch", "denominators")
    );
    for (at, x) in [(1, f64::NAN), (2, f64::INFINITY), (3, f64::NEG_INFINITY)] {
        let place = |input| ("not_finite", input, Some(at / 2), Some(at % 2));
        assert_eq!(refused(&bad(at, x), &good, &fine), place("numerators"));
        assert_eq!(refused(&good, &bad(at, x), &fine), place("denominators"));
    }
    let negative = refused(&good, &bad(2, -1.0), &fine);
    assert_eq!(negative, ("bad_argument", "denominators", Some(1), Some(0)));
    assert!(bootstrap_ratios(&bad(2, -1.0), &bad(2, -0.0), &fine).is_ok());
    for (request, code, input) in [
        (
            RatioRequest { columns: 0, ..fine },
            "bad_argument",
            "columns",
        ),
        (
            RatioRequest {
                cluster: Some(&[1]),
                ..fine
            },
            "length_mismatch",
            "cluster",
        ),
        (
            RatioRequest {
                resamples: 0,
                ..fine
            },
            "bad_argument",
            "resamples",
        ),
        (
            RatioRequest {
                resamples: 5_000_001,
                ..fine
            },
            "bad_argument",
            "resamples",
        ),
        (
            RatioRequest {
                resamples: usize::MAX,
                ..fine
            },
            "bad_argument",
            "resamples",
        ),
        (
            RatioRequest {
                threads: Some(0),
                ..fine
            },
            "bad_argument",
            "threads",
        ),
    ] {
        assert_eq!(refused(&good, &good, &request), none(code, input));
    }
    for (above, below) in [
        ([1e308; 4], [1.0; 4]),
        ([1.0; 4], [1e308; 4]),
        ([1e300, 1.0, 1.0, 1.0], [1e-300; 4]),
    ] {
        assert_eq!(
            refused(&above, &below, &fine),
            none("not_finite", "numerators")
        );
    }
}

#[test]
fn percentiles_that_cannot_be() {
    let many = vec![1.0; 39];
    let refused = |values: &[f64], level: f64| {
        let error = percentile_interval(values, level).expect_err("refused");
        (error.code(), error.input().expect("named"), error.row())
    };
    assert_eq!(refused(&[], 0.95), ("empty_input", "values", None));
    assert_eq!(refused(&many[1..], 0.95), ("bad_argument", "values", None));
    assert_eq!(refused(&many, 0.99), ("bad_argument", "values", None));
    assert_eq!(refused(&many, 1.0), ("bad_argument", "level", None));
    assert_eq!(refused(&many, f64::NAN), ("bad_argument", "level", None));
    assert_eq!(
        refused(&vec![1.0; 10_000_001], 0.5),
        ("bad_argument", "values", None)
    );
    let mut infinite = many.clone();
    infinite[30] = f64::INFINITY;
    assert_eq!(refused(&infinite, 0.95), ("not_finite", "values", Some(30)));
    let mut huge = many.clone();
    (huge[0], huge[1]) = (1e308, -1e308);
    assert_eq!(refused(&huge, 0.95), ("not_finite", "values", None));
    assert!(percentile_interval(&many, 0.95).is_ok());
}
