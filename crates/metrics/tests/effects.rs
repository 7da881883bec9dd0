//! Sizes of effects, tests against a margin and power, against SciPy 1.17.1 and statsmodels 0.15.0.

use metrics::{
    cohen_d, cohen_h, mean_equivalence, minimum_detectable_effect, odds_ratio, paired_difference,
    paired_odds_ratio, share_equivalence, wilson, AggregateRequest, Effect,
};

const A: [f64; 8] = [5.1, 6.2, 4.8, 7.0, 5.5, 6.6, 5.9, 6.1];
const B: [f64; 8] = [4.9, 5.0, 4.6, 5.7, 5.6, 5.2, 5.0, 5.1];

/// Roots of an integral, here and there.
const ROOT: f64 = 1e-8;

fn assert_near(got: f64, want: f64, what: &str) {
    assert!((got - want).abs() < ROOT, "{what}: got {got}, want {want}");
}

fn assert_effect(got: Effect, value: f64, low: f64, high: f64, what: &str) {
    assert_near(got.value, value, what);
    assert_near(got.low, low, what);
    assert_near(got.high, high, what);
}

#[test]
fn standardised_differences_meet_scipy() {
    let apart = cohen_d(&A, &B, false, 0.95).expect("valid");
    assert_effect(
        apart.d.expect("a spread"),
        1.307_848_446_785_154_3,
        0.197_982_326_547_456_7,
        2.380_331_858_881_577,
        "d",
    );
    assert_near(apart.hedges_g.expect("many"), 1.236_293_088_538_982, "g");
    let paired = cohen_d(&A, &B, true, 0.95).expect("valid");
    assert_effect(
        paired.d.expect("a spread"),
        1.319_158_462_292_189,
        0.327_857_660_130_665_6,
        2.265_227_974_409_107_5,
        "d_z",
    );
    assert_near(
        paired.hedges_g.expect("many"),
        1.171_680_381_889_037_6,
        "g_z",
    );
    assert_eq!((apart.freedom, paired.freedom), (14, 7));
}

/// The interval of d_z leaves 0 out exactly where the paired t-test rejects.
#[test]
fn a_standardised_difference_agrees_with_its_test() {
    let p = paired_difference(&A, &B, &AggregateRequest::default())
        .expect("valid")
        .p_value
        .expect("eight");
    for (level, out) in [(1.0 - 1.02 * p, true), (1.0 - 0.98 * p, false)] {
        let d = cohen_d(&A, &B, true, level)
            .expect("valid")
            .d
            .expect("a spread");
        assert_eq!(d.low > 0.0, out, "{level}");
    }
}

#[test]
fn without_a_spread_there_is_no_standardised_difference() {
    for (a, b, paired) in [
        (&[1.0, 2.0][..], &[0.0, 1.0][..], true),
        (&[3.0, 3.0], &[3.0, 3.0], false),
        (&[3.0], &[2.0], false),
        (&[3.0], &[2.0], true),
    ] {
        let found = cohen_d(a, b, paired, 0.95).expect("valid");
        assert_eq!((found.d, found.reason.is_some()), (None, true));
    }
    let code = |a: &[f64], b: &[f64]| cohen_d(a, b, true, 0.95).map_err(|e| e.code()).err();
    assert_eq!(code(&[], &[]), Some("empty_input"));
    assert_eq!(code(&[1.0], &[1.0, 2.0]), Some("length_mismatch"));
    assert_eq!(code(&[f64::NAN], &[1.0]), Some("not_finite"));
}

#[test]
fn odds_ratios_meet_statsmodels() {
    let (found, corrected) = odds_ratio(30, 10, 18, 22, 0.95).expect("valid");
    assert!(!corrected);
    assert_effect(
        found,
        3.666_666_666_666_666_5,
        1.419_753_690_114_015_3,
        9.469_561_190_832_176,
        "2 x 2",
    );
    let (zero, corrected) = odds_ratio(5, 0, 3, 2, 0.95).expect("valid");
    assert!(corrected && zero.value.is_finite() && zero.low > 0.0);
    assert_near(zero.value, 5.5 * 2.5 / (0.5 * 3.5), "half a row");
    let paired = paired_odds_ratio(12, 2, 0.95).expect("valid");
    let share = wilson(12, 14, 0.95).expect("valid");
    let odds = |p: f64| p / (1.0 - p);
    assert_effect(paired, 6.0, odds(share.low), odds(share.high), "paired");
    let all = paired_odds_ratio(4, 0, 0.95).expect("valid");
    assert!(all.value.is_infinite() && all.high.is_infinite() && all.low.is_finite());
    assert!(paired_odds_ratio(0, 0, 0.95).is_err());
    assert!(odds_ratio(0, 0, 1, 1, 0.95).is_err());
}

#[test]
fn differences_of_shares_meet_statsmodels() {
    let found = cohen_h(30, 40, 18, 40, 0.95).expect("valid");
    let half = 1.959_963_984_540_054 * (2.0f64 / 40.0).sqrt();
    let h = 0.623_766_196_759_858_4;
    assert_effect(found, h, h - half, h + half, "h");
    assert!(cohen_h(3, 2, 1, 2, 0.95).is_err());
}

#[test]
fn equivalence_of_means_meets_statsmodels() {
    let request = AggregateRequest::default();
    // ttost_paired(a, b, -margin, margin).
    for (margin, p, lower) in [
        (1.5, 0.004_318_920_924_313_649_5, 5.449_123_506_407_322e-6),
        (1.0, 0.141_628_753_203_735_4, 2.811_849_904_375_868_3e-5),
    ] {
        let found = mean_equivalence(&A, &B, margin, &request).expect("valid");
        assert_near(found.p_equivalence.expect("eight"), p, "p");
        assert_near(found.p_non_inferiority.expect("eight"), lower, "lower");
        let (low, high) = found.interval.expect("eight");
        assert_eq!(-margin < low && high < margin, p < 0.05);
    }
    let equal = mean_equivalence(&[1.0, 2.0], &[1.0, 2.0], 0.1, &request).expect("valid");
    assert_eq!((equal.p_equivalence, equal.reason.is_some()), (None, true));
    for margin in [0.0, -1.0, f64::NAN] {
        assert!(mean_equivalence(&A, &B, margin, &request).is_err());
    }
}

#[test]
fn equivalence_of_shares_is_tangos_test() {
    // Scores whose nuisance share SciPy found by maximizing the likelihood.
    for (b, c, n, margin, above, below) in [
        (12, 9, 100, 0.15, 2.155_260_7e-4, 7.373_232_4e-3),
        (3, 5, 60, 0.1, 9.719_274_03e-2, 7.794_378_7e-3),
    ] {
        let found = share_equivalence(b, c, n, margin, 0.95).expect("valid");
        let p = found.p_equivalence.expect("rows");
        assert!((found.p_non_inferiority.expect("rows") - above).abs() < 1e-7);
        assert!((p - f64::max(above, below)).abs() < 1e-7);
        let (low, high) = found.interval.expect("rows");
        assert_eq!(-margin < low && high < margin, p < 0.05, "{b} {c}");
    }
    assert!(share_equivalence(1, 1, 10, 1.0, 0.95).is_err());
}

#[test]
fn detectable_effects_meet_scipy() {
    // Powers by SciPy's quadrature (of h by its normal distribution), solved for the effect; statsmodels' solve_power stops some
    // 3e-6 short of them.
    for (n, paired, apart, h) in [
        (10, 0.996_001_371_455, 1.324_947_392_579, 1.252_905_464_058),
        (50, 0.404_183_002_136, 0.565_882_243_756, 0.560_316_357_403),
        (400, 0.140_417_372_352, 0.198_340_552_803, 0.198_101_747_965),
    ] {
        let found = minimum_detectable_effect(n, false, 0.95, 0.8).expect("valid");
        assert!((found.d / paired - 1.0).abs() < ROOT, "{n}: {}", found.d);
        let found = minimum_detectable_effect(n, true, 0.95, 0.8).expect("valid");
        assert!((found.d / apart - 1.0).abs() < ROOT, "{n}: {}", found.d);
        assert!((found.h / h - 1.0).abs() < ROOT, "{n}: {}", found.h);
    }
    let strict = minimum_detectable_effect(5, false, 0.99, 0.9).expect("valid");
    assert!((strict.d / 3.027_074_089_215 - 1.0).abs() < ROOT);
    assert!(minimum_detectable_effect(1, false, 0.95, 0.8).is_err());
    assert!(minimum_detectable_effect(9, false, 0.95, 0.04).is_err());
    assert!(minimum_detectable_effect(9, false, 0.95, 1.0).is_err());
}
