//! Cronbach's alpha, its interval and what items add to it, against NumPy 2.4.6, SciPy 1.17.1 (`scipy.stats.f.ppf`) and
//! pingouin 0.7.0 (`cronbach_alpha`), by the formulas in the module's comment.

use metrics::{cronbach_alpha, ErrorCode, Reliability};

/// Sums of a few dozen small whole numbers, and a quantile of F.
const DIGITS: f64 = 1e-10;

fn assert_near(got: f64, want: f64, what: &str) {
    assert!(
        (got - want).abs() < DIGITS * want.abs().max(1.0),
        "{what}: got {got}, want {want}"
    );
}

fn solve(rows: &[&[f64]], level: f64) -> Reliability {
    let values: Vec<f64> = rows.iter().copied().flatten().copied().collect();
    cronbach_alpha(&values, rows[0].len(), level).expect("valid")
}

/// Alpha and its ends, then of each item mean, sd, correlation with the rest and alpha without it.
type Want<'a> = ((f64, f64, f64), &'a [(f64, f64, Option<f64>, Option<f64>)]);

fn assert_reliability(got: &Reliability, ((alpha, low, high), items): Want) {
    let ci = got.ci.expect("an interval");
    assert_near(got.alpha.expect("an alpha"), alpha, "alpha");
    assert_near(ci.low, low, "low");
    assert_near(ci.high, high, "high");
    assert_eq!(got.items.len(), items.len());
    assert_eq!(got.reason, None);
    for (item, &(mean, sd, rest, without)) in got.items.iter().zip(items) {
        assert_near(item.mean, mean, "mean");
        assert_near(item.sd.expect("an sd"), sd, "sd");
        for (got, want, what) in [
            (item.rest_correlation, rest, "correlation with the rest"),
            (item.alpha_without, without, "alpha without"),
        ] {
            assert_eq!(got.is_some(), want.is_some(), "{what}");
            assert_near(got.unwrap_or(0.0), want.unwrap_or(0.0), what);
        }
    }
}

const LIKERT: [&[f64]; 12] = [
    &[2.0, 5.0, 5.0, 4.0, 5.0],
    &[3.0, 4.0, 3.0, 4.0, 4.0],
    &[2.0, 2.0, 3.0, 2.0, 1.0],
    &[4.0, 1.0, 1.0, 1.0, 2.0],
    &[3.0, 1.0, 1.0, 1.0, 1.0],
    &[3.0, 2.0, 3.0, 3.0, 1.0],
    &[2.0, 2.0, 3.0, 1.0, 1.0],
    &[1.0, 3.0, 1.0, 1.0, 3.0],
    &[2.0, 2.0, 3.0, 3.0, 4.0],
    &[2.0, 2.0, 3.0, 4.0, 2.0],
    &[1.0, 1.0, 1.0, 1.0, 1.0],
    &[3.0, 3.0, 5.0, 3.0, 5.0],
];

#[test]
fn reliabilities_meet_numpy_scipy_and_pingouin() {
    assert_reliability(
        &solve(&LIKERT, 0.95),
        (
            (
                0.816_203_143_893_591_3,
                0.576_987_132_587_922_9,
                0.939_654_113_852_593_8,
            ),
            &[
                (
                    2.333_333_333_333_333_5,
                    0.887_625_364_598_594_5,
                    Some(0.055_997_480_170_087_2),
                    Some(0.890_021_231_422_505_3),
                ),
                (
                    2.333_333_333_333_333_5,
                    1.230_914_909_793_327_2,
                    Some(0.747_327_948_034_660_5),
                    Some(0.740_462_789_243_277),
                ),
                (
                    2.666_666_666_666_666_5,
                    1.435_481_125_130_546_8,
                    Some(0.761_466_961_051_567_4),
                    Some(0.728_778_467_908_902_5),
                ),
                (
                    2.333_333_333_333_333_5,
                    1.302_677_894_557_859_2,
                    Some(0.753_723_995_441_132_9),
                    Some(0.735_275_080_906_148_8),
                ),
                (
                    2.5,
                    1.623_688_281_771_977_3,
                    Some(0.726_162_217_039_836),
                    Some(0.743_362_831_858_407),
                ),
            ],
        ),
    );
    assert_reliability(
        &solve(
            &[
                &[1.0, 5.0, 1.0],
                &[5.0, 2.0, 3.0],
                &[3.0, 2.0, 5.0],
                &[3.0, 1.0, 4.0],
                &[4.0, 2.0, 4.0],
                &[3.0, 4.0, 4.0],
            ],
            0.95,
        ),
        (
            (
                -2.426_470_588_235_294_4,
                -13.514_822_951_293_4,
                0.482_340_127_353_149_6,
            ),
            &[
                (
                    3.166_666_666_666_666_5,
                    1.329_160_135_825_126,
                    Some(-0.278_877_508_091_093_63),
                    Some(-4.097_560_975_609_756),
                ),
                (
                    2.666_666_666_666_666_5,
                    1.505_545_305_418_162_2,
                    Some(-0.776_492_869_555_534_4),
                    Some(0.658_536_585_365_853_8),
                ),
                (
                    3.5,
                    1.378_404_875_209_022,
                    Some(-0.310_285_801_419_045_4),
                    Some(-3.902_439_024_390_244_5),
                ),
            ],
        ),
    );
    // Two items: none has an alpha without the other.
    assert_reliability(
        &solve(
            &[
                &[1.0, 5.0],
                &[2.0, 3.0],
                &[3.0, 3.0],
                &[4.0, 2.0],
                &[5.0, 2.0],
            ],
            0.9,
        ),
        (
            (-14.0, -94.823_493_630_438, -1.348_067_175_130_936_3),
            &[
                (
                    3.0,
                    1.581_138_830_084_189_8,
                    Some(-0.903_696_114_115_064),
                    None,
                ),
                (
                    3.0,
                    1.224_744_871_391_589,
                    Some(-0.903_696_114_115_064),
                    None,
                ),
            ],
        ),
    );
}

#[test]
fn what_has_no_alpha_says_why() {
    for (rows, reason) in [
        (
            vec![[2.0, 3.0, 1.0].as_slice(); 4],
            "all rows have the same values, so that nothing varies",
        ),
        (
            vec![[1.0, 3.0].as_slice(), &[2.0, 2.0], &[3.0, 1.0]],
            "all rows have the same sum, so that it has no variance to explain",
        ),
        (
            vec![[1.0, 3.0].as_slice()],
            "only 1 complete row; alpha needs at least 2",
        ),
        (
            vec![[1.0].as_slice(), &[2.0]],
            "only 1 item; alpha needs at least 2",
        ),
    ] {
        let got = solve(&rows, 0.95);
        assert_eq!((got.alpha, got.ci), (None, None));
        assert_eq!(got.reason.as_deref(), Some(reason));
    }
    let one = solve(&[&[1.0, 2.0], &[2.0, 3.0], &[4.0, 5.0]], 0.95);
    assert_eq!((one.alpha, one.ci), (Some(1.0), None));
    assert!(one.reason.expect("a reason").contains("alpha is 1"));
    // Whole tenths are no whole numbers: their rounding is no variance.
    let tenths = solve(&[&[0.1, 0.2], &[0.2, 0.1], &[0.3, 0.0]], 0.95);
    assert_eq!(tenths.alpha, None);
    let constant = solve(
        &[&[1.0, 1.0, 4.0], &[1.0, 2.0, 5.0], &[1.0, 3.0, 5.0]],
        0.95,
    );
    assert_eq!(constant.items[0].rest_correlation, None);
    assert_eq!(constant.items[0].sd, Some(0.0));
}

#[test]
fn faults_are_named() {
    for (values, items, level, code) in [
        (vec![], 2, 0.95, ErrorCode::EmptyInput),
        (vec![1.0, 2.0], 0, 0.95, ErrorCode::EmptyInput),
        (vec![1.0, 2.0, 3.0], 2, 0.95, ErrorCode::LengthMismatch),
        (vec![1.0, f64::NAN], 2, 0.95, ErrorCode::NotFinite),
        (vec![1.0, 2.0], 2, 1.0, ErrorCode::BadArgument),
    ] {
        let error = cronbach_alpha(&values, items, level).expect_err("a fault");
        assert_eq!(error.code(), code.as_str());
    }
}
