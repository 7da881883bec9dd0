//! Intervals of means with a range and with two ways to cluster, and of differences of shares, against values of others.

use metrics::{aggregate, paired_difference, tango, AggregateRequest, CiMethod, Range, Scale};

fn assert_near(got: f64, want: f64, tolerance: f64, what: &str) {
    assert!(
        (got - want).abs() < tolerance,
        "{what}: got {got}, want {want}"
    );
}

/// The first row is what Fagerland, Lydersen and Laake 2014 print for 1 and 7 disagreements of 21 patients; the others are score
/// intervals whose nuisance share SciPy found by maximizing the likelihood, without a formula for it. The tables are those of
/// Newcombe 1998.
#[test]
fn tango_meets_intervals_of_others() {
    for (b, c, n, low, high, digit) in [
        (1, 7, 21, -0.517, -0.026, 1e-3),
        (1, 7, 21, -0.517_232, -0.026_003, 1e-6),
        (12, 2, 50, 0.061_112, 0.344_709, 1e-6),
        (1, 0, 44, -0.059_393, 0.118_077, 1e-6),
    ] {
        let found = tango(b, c, n, 0.95).expect("valid");
        assert_near(found.low, low, 0.51 * digit, "low");
        assert_near(found.high, high, 0.51 * digit, "high");
        assert_eq!(found.mean, (b as f64 - c as f64) / n as f64);
    }
}

/// Six rows: two templates cross three occupations. Variances by hand:
/// u by template (-3, 3) of means 2, 4 about 3; by occupation (-2.5, -0.5, 3); each row is alone in both ways.
const VALUES: [f64; 6] = [1.0, 2.0, 3.0, 2.5, 3.5, 6.0];
const TEMPLATE: [u32; 6] = [0, 0, 0, 1, 1, 1];
const OCCUPATION: [u32; 6] = [0, 1, 2, 0, 1, 2];

fn two_ways() -> AggregateRequest<'static> {
    AggregateRequest {
        cluster: Some(&TEMPLATE),
        cluster2: Some(&OCCUPATION),
        ..AggregateRequest::default()
    }
}

#[test]
fn two_ways_to_cluster_meet_the_formula() {
    let found = aggregate(&VALUES, &two_ways()).expect("valid");
    assert_near(found.mean, 3.0, 1e-12, "mean");
    let by = |sums: &[f64]| {
        let c = sums.len() as f64;
        c / (c - 1.0) * sums.iter().map(|u| u * u).sum::<f64>() / 36.0
    };
    let (first, second) = (by(&[-3.0, 3.0]), by(&[-2.5, -0.5, 3.0]));
    let both = by(&[-2.0, -1.0, 0.0, -0.5, 0.5, 3.0]);
    let error = (first + second - both).max(first).max(second).sqrt();
    let ci = found.ci.expect("clusters");
    assert_eq!((ci.clusters, ci.clusters2), (Some(2), Some(3)));
    // Student's quantile with one degree of freedom, the smaller number of clusters less one.
    let t = (std::f64::consts::FRAC_PI_2 * 0.95).tan();
    assert_near(ci.high - ci.low, 2.0 * t * error, 1e-9, "width");
}

#[test]
fn a_second_way_like_the_first_changes_nothing() {
    let once = AggregateRequest {
        cluster2: None,
        ..two_ways()
    };
    let twice = AggregateRequest {
        cluster2: Some(&TEMPLATE),
        ..two_ways()
    };
    let ends = |request: &AggregateRequest<'_>| {
        let ci = aggregate(&VALUES, request).expect("valid").ci.expect("two");
        (ci.low, ci.high)
    };
    assert_near(ends(&once).0, ends(&twice).0, 1e-12, "low");
    assert_near(ends(&once).1, ends(&twice).1, 1e-12, "high");
}

#[test]
fn a_way_of_one_cluster_gives_no_interval() {
    let request = AggregateRequest {
        cluster2: Some(&[7; 6]),
        ..two_ways()
    };
    let found = aggregate(&VALUES, &request).expect("valid");
    assert_eq!(found.ci, None);
    assert!(found.reason.expect("why").contains("one of two ways"));
}

#[test]
fn a_second_way_needs_a_first_and_one_entry_a_step() {
    let code = |request: &AggregateRequest<'_>| {
        aggregate(&VALUES, request)
            .map_err(|error| (error.code(), error.input()))
            .err()
    };
    let alone = AggregateRequest {
        cluster: None,
        ..two_ways()
    };
    assert_eq!(code(&alone), Some(("bad_argument", Some("cluster2"))));
    let short = AggregateRequest {
        cluster2: Some(&OCCUPATION[..5]),
        ..two_ways()
    };
    assert_eq!(code(&short), Some(("length_mismatch", Some("cluster2"))));
}

/// Whatever the method, an interval stays in the range, and says how.
#[test]
fn no_interval_leaves_the_range() {
    let few = [0.01, 0.0, 0.4];
    for (ci, scale, clipped) in [
        (CiMethod::Cluster, Scale::Logit, false),
        (CiMethod::Normal, Scale::Identity, true),
        (CiMethod::Bootstrap, Scale::Identity, false),
    ] {
        let plain = AggregateRequest {
            ci,
            ..AggregateRequest::default()
        };
        let inside = AggregateRequest {
            range: Range::new(0.0, 1.0).ok(),
            ..plain
        };
        let free = aggregate(&few, &plain).expect("valid").ci.expect("three");
        let found = aggregate(&few, &inside).expect("valid").ci.expect("three");
        assert!(ci == CiMethod::Bootstrap || free.low < 0.0, "{ci:?}");
        assert!(0.0 <= found.low && found.high <= 1.0, "{ci:?}");
        assert_eq!((found.scale, found.clipped), (Some(scale), clipped));
        assert_eq!((free.scale, free.clipped), (None, false));
    }
}

/// The p-value of a difference says what its interval says.
#[test]
fn a_test_on_the_scale_agrees_with_the_interval() {
    let a = [0.9, 0.8, 0.95, 0.99, 0.7, 0.85];
    let b = [0.1, 0.3, 0.75, 0.2, 0.65, 0.8];
    for level in [0.5, 0.9, 0.95, 0.98, 0.99, 0.995] {
        let request = AggregateRequest {
            range: Range::new(-1.0, 1.0).ok(),
            level,
            ..AggregateRequest::default()
        };
        let found = paired_difference(&a, &b, &request).expect("valid");
        let ci = found.ci.expect("six");
        let out = ci.low > 0.0 || ci.high < 0.0;
        assert_eq!(out, found.p_value.expect("six") < 1.0 - level, "{level}");
    }
}

#[test]
fn a_mean_outside_its_range_is_refused() {
    let request = AggregateRequest {
        range: Range::new(0.0, 1.0).ok(),
        ..AggregateRequest::default()
    };
    let error = aggregate(&[1.5, 2.0], &request).expect_err("outside");
    assert_eq!(
        (error.code(), error.input()),
        ("bad_argument", Some("range"))
    );
    // Nothing gated is no mean.
    let nothing = AggregateRequest {
        gate: Some(&[0, 0]),
        range: Range::new(1.0, 2.0).ok(),
        ..AggregateRequest::default()
    };
    assert!(aggregate(&[0.0, 0.0], &nothing).is_ok());
}
