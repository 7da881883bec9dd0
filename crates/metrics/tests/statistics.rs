//! Intervals and tests against values from other programs, named with each; and what they give where data are too few.

mod common;

use common::assert_close;
use metrics::{
    aggregate, benjamini_hochberg, holm, mcnemar, paired_difference, AggregateRequest,
    BootstrapKind, BootstrapRequest, CiMethod, McNemarMethod,
};

/// p-values and intervals against programs that round to 15 digits or so.
const REFERENCE_DIGITS: f64 = 1e-9;

/// Ends of a bootstrap interval from 200,000 resamples against 1,000,000 of another program, in standard errors of the mean:
/// four Monte Carlo standard errors of a 2.5 % quantile.
const MONTE_CARLO: f64 = 0.03;

fn bootstrap(kind: BootstrapKind) -> BootstrapRequest {
    BootstrapRequest {
        kind,
        ..BootstrapRequest::default()
    }
}

/// Hollander and Wolfe's depression scores, as in the examples of R's wilcox.test.
const BEFORE: [f64; 9] = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
#[allow(clippy::approx_constant)] // 3.14 is a score
const AFTER: [f64; 9] = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];

#[test]
fn without_clusters_a_paired_difference_is_the_paired_t_test() {
    let got = paired_difference(&BEFORE, &AFTER, &AggregateRequest::default()).expect("valid");
    // scipy 1.x: stats.ttest_rel(before, after) and its confidence_interval(0.95).
    let (p, low, high) = (
        0.016176627434908088,
        0.10377871227216856,
        0.7599990655056093,
    );
    assert_close(got.p_value.expect("nine"), p, REFERENCE_DIGITS, "p");
    let interval = got.ci.expect("nine");
    assert_close(interval.low, low, REFERENCE_DIGITS, "low");
    assert_close(interval.high, high, REFERENCE_DIGITS, "high");
    assert_eq!((got.n, got.gated_steps, got.reason), (9, 9, None));
    let mirrored = paired_difference(&AFTER, &BEFORE, &AggregateRequest::default()).expect("valid");
    assert_eq!(mirrored.p_value, got.p_value);
    assert_eq!(mirrored.mean.map(|m| -m), got.mean);
}

#[test]
fn a_bootstrap_p_value_agrees_with_its_interval() {
    for kind in [BootstrapKind::Percentile, BootstrapKind::Bca] {
        let at = |level| {
            let request = AggregateRequest {
                ci: CiMethod::Bootstrap,
                bootstrap: bootstrap(kind),
                level,
                ..AggregateRequest::default()
            };
            paired_difference(&BEFORE, &AFTER, &request).expect("valid")
        };
        let p = at(0.95).p_value.expect("nine");
        assert!((0.0002..0.05).contains(&p), "{p}");
        // Just above and below 1 - p, the interval leaves 0 out and takes it in.
        assert!(at(1.0 - 1.5 * p).ci.expect("nine").low > 0.0);
        assert!(at(1.0 - 0.5 * p).ci.expect("nine").low < 0.0);
    }
}

/// Of coarse differences many resamples come to exactly 0, but for rounding. They count half, whatever the unit of the values.
#[test]
fn a_bootstrap_p_value_does_not_hang_on_rounding() {
    const TENTHS: [f64; 7] = [1.0, -1.0, 2.0, -3.0, 1.0, 2.0, -1.0];
    for kind in [BootstrapKind::Percentile, BootstrapKind::Bca] {
        let in_unit = |unit: f64| {
            let request = AggregateRequest {
                ci: CiMethod::Bootstrap,
                bootstrap: bootstrap(kind),
                ..AggregateRequest::default()
            };
            let values = TENTHS.map(|tenths| tenths * unit);
            let found = paired_difference(&values, &[0.0; 7], &request).expect("valid");
            found.p_value.expect("seven")
        };
        let whole = in_unit(1.0);
        for unit in [0.1, 0.3, 1.0 / 30.0, 0.07] {
            assert_close(in_unit(unit), whole, REFERENCE_DIGITS, "p");
        }
    }
}

#[test]
fn a_difference_of_nothing_gives_a_reason() {
    let none = AggregateRequest {
        gate: Some(&[0, 0]),
        ..AggregateRequest::default()
    };
    let got = paired_difference(&[1.0, f64::NAN], &[2.0, 3.0], &none).expect("valid");
    assert_eq!((got.mean, got.ci, got.p_value), (None, None, None));
    assert_eq!(got.reason.as_deref(), Some("no step counts"));
    for ci in [CiMethod::Normal, CiMethod::Cluster, CiMethod::Bootstrap] {
        let request = AggregateRequest {
            ci,
            ..AggregateRequest::default()
        };
        let equal = paired_difference(&[1.5, 2.5, 3.5], &[1.0, 2.0, 3.0], &request).expect("valid");
        assert_eq!((equal.mean, equal.p_value), (Some(0.5), None), "{ci:?}");
        assert_eq!(equal.ci, None, "{ci:?}");
        assert!(equal
            .reason
            .expect("a reason")
            .starts_with("all differences are equal"));
        let one = paired_difference(&[1.0], &[2.0], &request).expect("valid");
        assert_eq!((one.mean, one.ci, one.p_value), (Some(-1.0), None, None));
        assert!(
            one.reason.expect("a reason").starts_with("only 1 "),
            "{ci:?}"
        );
    }
}

#[test]
fn bootstrap_intervals_meet_another_program() {
    let weights = [
        4, 4, 6, 7, 1, 2, 6, 7, 2, 3, 7, 3, 2, 6, 2, 3, 5, 4, 1, 1, 7, 6, 6, 4, 6, 3, 4, 6, 1, 3,
    ];
    let sums = [
        2.3003, 5.3511, 7.9577, 15.2082, 1.3557, 1.2558, 7.9993, 6.4667, 0.4697, 1.5171, 5.0565,
        1.3886, 8.2157, 3.5828, 2.778, 1.8289, 6.5312, 2.105, 0.5927, 0.7394, 4.2892, 9.4315,
        3.9865, 4.5184, 5.3868, 3.6219, 1.7143, 12.4053, 1.327, 2.8326,
    ];
    // A cluster's steps matter by their sum only, so all of it may lie in the first.
    let (mut values, mut clusters) = (Vec::new(), Vec::new());
    for (cluster, (&weight, &sum)) in weights.iter().zip(&sums).enumerate() {
        for step in 0..weight {
            values.push(if step == 0 { sum } else { 0.0 });
            clusters.push(cluster as u32);
        }
    }
    // scipy 1.x: stats.bootstrap((sums, weights), ratio of sums, paired, 1,000,000 resamples).
    for (kind, low, high) in [
        (
            BootstrapKind::Percentile,
            0.8632090094302084,
            1.3272516909532481,
        ),
        (BootstrapKind::Bca, 0.8861617891701461, 1.3634311533830257),
    ] {
        let request = AggregateRequest {
            cluster: Some(&clusters),
            ci: CiMethod::Bootstrap,
            bootstrap: BootstrapRequest {
                resamples: 200_000,
                ..bootstrap(kind)
            },
            ..AggregateRequest::default()
        };
        let got = aggregate(&values, &request).expect("valid");
        let interval = got.ci.expect("thirty clusters");
        let error = 0.11876848079858181;
        let off = [(interval.low - low) / error, (interval.high - high) / error];
        assert!(
            off.iter().all(|x| x.abs() < MONTE_CARLO),
            "{kind:?}: off by {off:?}"
        );
        assert_eq!(
            (interval.clusters, interval.bootstrap),
            (Some(30), Some(kind))
        );
    }
}

#[test]
fn bootstraps_that_cannot_be() {
    let refused = |bootstrap| {
        let request = AggregateRequest {
            ci: CiMethod::Bootstrap,
            bootstrap,
            ..AggregateRequest::default()
        };
        let error = aggregate(&[1.0, 2.0], &request).expect_err("refused");
        (error.code(), error.input())
    };
    let all = BootstrapRequest::default();
    let few = BootstrapRequest {
        resamples: 38,
        ..all
    };
    assert_eq!(refused(few), ("bad_argument", Some("resamples")));
    let none = BootstrapRequest {
        resamples: 0,
        ..all
    };
    assert_eq!(refused(none), ("bad_argument", Some("resamples")));
    let many = BootstrapRequest {
        resamples: usize::MAX,
        ..all
    };
    assert_eq!(refused(many), ("bad_argument", Some("resamples")));
    let idle = BootstrapRequest {
        threads: Some(0),
        ..all
    };
    assert_eq!(refused(idle), ("bad_argument", Some("threads")));
    let least = AggregateRequest {
        ci: CiMethod::Bootstrap,
        bootstrap: BootstrapRequest {
            resamples: 39,
            kind: BootstrapKind::Percentile,
            ..all
        },
        ..AggregateRequest::default()
    };
    assert!(aggregate(&[1.0, 2.0], &least).expect("39 do").ci.is_some());
}

#[test]
fn mcnemar_meets_reference_values() {
    // mpmath, 40 digits: binomial sums; erfc for the chi-squared ones. statsmodels 0.14 agrees.
    for (b, c, p) in [
        (0, 1, 1.0),
        (0, 6, 0.03125),
        (1, 9, 0.021484375),
        (5, 5, 1.0),
        (10, 25, 0.01667384780012071),
        (59, 6, 4.964650327128617e-12),
        (400, 600, 2.7284641560660184e-10),
    ] {
        let got = mcnemar(b, c).expect("counts");
        assert_eq!((got.method, got.n), (McNemarMethod::Exact, b + c));
        assert_eq!(got.statistic, Some(b.min(c) as f64));
        assert_close(got.p_value.expect("some"), p, REFERENCE_DIGITS, "exact");
        assert_eq!(mcnemar(c, b), Ok(got), "symmetric");
    }
    for (b, c, p) in [
        (490, 511, 0.5272956993057095),
        (600, 500, 0.002836132655654684),
        (2000, 2200, 0.0021360290713834623),
        (5000, 4500, 3.061324715782385e-7),
    ] {
        let got = mcnemar(b, c).expect("counts");
        assert_eq!(got.method, McNemarMethod::Chi2);
        assert_close(got.p_value.expect("some"), p, REFERENCE_DIGITS, "chi2");
        assert_eq!(mcnemar(c, b), Ok(got), "symmetric");
    }
    // Equal counts are as far from a difference as can be, in both forms.
    assert_eq!(mcnemar(501, 501).expect("counts").p_value, Some(1.0));
    let none = mcnemar(0, 0).expect("counts");
    assert_eq!((none.statistic, none.p_value), (None, None));
    assert!(none.reason.is_some());
    assert_eq!(
        mcnemar(u64::MAX, 1).expect_err("too many").code(),
        "bad_argument"
    );
    assert_eq!(
        mcnemar(1 << 53, 1).expect_err("too many").code(),
        "bad_argument"
    );
}

#[test]
fn corrections_meet_reference_values() {
    let p = [0.01, 0.04, 0.03, 0.005, 0.5, 0.03, 1.0, 0.0];
    // statsmodels 0.14: multipletests(p, method="holm"), method="fdr_bh"; R's p.adjust gives the same.
    let by_holm = [0.06, 0.15, 0.15, 0.035, 1.0, 0.15, 1.0, 0.0];
    let by_bh = [
        0.02666666666666667,
        0.05333333333333334,
        0.048,
        0.02,
        0.5714285714285714,
        0.048,
        1.0,
        0.0,
    ];
    for (got, want) in [(holm(&p), by_holm), (benjamini_hochberg(&p), by_bh)] {
        for (got, want) in got.expect("p-values").into_iter().zip(want) {
            assert_close(got, want, REFERENCE_DIGITS, "adjusted");
        }
    }
    assert_eq!(
        (holm(&[]), benjamini_hochberg(&[])),
        (Ok(vec![]), Ok(vec![]))
    );
    for correct in [holm, benjamini_hochberg] {
        for (bad, code) in [
            (f64::NAN, "not_finite"),
            (-0.1, "bad_argument"),
            (1.5, "bad_argument"),
            (f64::INFINITY, "bad_argument"),
        ] {
            let error = correct(&[0.5, bad]).expect_err("no p-value");
            let place = (error.code(), error.input(), error.row());
            assert_eq!(place, (code, Some("pValues"), Some(1)));
        }
    }
}

#[test]
fn values_that_overflow_are_an_error_and_no_number() {
    for ci in [CiMethod::Normal, CiMethod::Cluster, CiMethod::Bootstrap] {
        let request = AggregateRequest {
            ci,
            ..AggregateRequest::default()
        };
        let error = aggregate(&[1e308, 1e308, -1e308], &request).expect_err("overflow");
        assert_eq!((error.code(), error.row()), ("not_finite", None), "{ci:?}");
    }
}
