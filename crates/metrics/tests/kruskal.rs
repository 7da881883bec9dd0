//! The test of Kruskal and Wallis against fractions worked out by hand and other programs, named with each.

mod common;

use common::assert_close;
use metrics::{kruskal_wallis, ErrorCode, KruskalWallis};

/// Whole numbers until the last division or two.
const DIGITS: f64 = 1e-14;

/// Tails of distributions in two programs.
const TAIL_DIGITS: f64 = 1e-12;

fn solve(groups: &[&[f64]]) -> KruskalWallis {
    let values: Vec<f64> = groups.concat();
    let ids: Vec<u32> = groups
        .iter()
        .zip(0..)
        .flat_map(|(group, id)| vec![id; group.len()])
        .collect();
    kruskal_wallis(&values, &ids).expect("valid")
}

#[test]
fn without_ties_it_is_the_textbook_formula() {
    // Rank sums 30, 61, 45 of 5, 6, 5: 12 / (16 17) (30^2/5 + 61^2/6 + 45^2/5) - 3 17, and exp(-H / 2) for two degrees.
    let got = solve(&[
        &[1.0, 3.0, 5.0, 8.0, 13.0],
        &[2.0, 9.0, 11.0, 14.0, 10.0, 15.0],
        &[4.0, 6.0, 7.0, 12.0, 16.0],
    ]);
    let h = 12.0 / (16.0 * 17.0) * (180.0 + 3721.0 / 6.0 + 405.0) - 51.0;
    assert_close(
        got.h.expect("three groups"),
        h,
        1e-12,
        "H by the formula that cancels",
    );
    assert_close(
        got.p_value.expect("three groups"),
        (-h / 2.0).exp(),
        TAIL_DIGITS,
        "p",
    );
    assert_close(
        got.epsilon_squared.expect("three groups"),
        (h - 2.0) / 13.0,
        1e-11,
        "epsilon squared",
    );
    assert_eq!(
        (got.n, got.groups, got.freedom, got.reason),
        (16, 3, 2, None)
    );
}

#[test]
fn ties_are_corrected_for() {
    // Ranks 2, 2, 4.5 | 2, 6, 7 | 4.5: squares about 4 add up to 51/2, those of means 17/6, 5, 4.5 to 3 49/36 + 3 + 1/4.
    let got = solve(&[&[1.0, 1.0, 2.0], &[1.0, 3.0, 4.0], &[2.0]]);
    let between = 3.0 * 49.0 / 36.0 + 3.0 + 0.25;
    assert_close(
        got.h.expect("three groups"),
        6.0 * between / 25.5,
        DIGITS,
        "H",
    );
}

#[test]
fn published_values_are_met() {
    // The examples in the documentation of scipy's stats.kruskal; the digits beyond theirs from 25-digit arithmetic.
    let got = solve(&[&[1.0, 3.0, 5.0, 7.0, 9.0], &[2.0, 4.0, 6.0, 8.0, 10.0]]);
    assert_close(got.h.expect("two groups"), 3.0 / 11.0, 1e-14, "H");
    assert_close(
        got.p_value.expect("two groups"),
        0.601_508_134_440_59,
        TAIL_DIGITS,
        "p",
    );
    let got = solve(&[&[1.0, 1.0, 1.0], &[2.0, 2.0, 2.0], &[2.0, 2.0]]);
    assert_close(got.h.expect("three groups"), 7.0, DIGITS, "H");
    assert_close(
        got.p_value.expect("three groups"),
        0.030_197_383_422_318_5,
        TAIL_DIGITS,
        "p",
    );
}

#[test]
fn groups_that_lie_alike_differ_by_nothing() {
    let got = solve(&[&[1.0, 4.0], &[2.0, 3.0]]);
    assert_eq!((got.h, got.p_value), (Some(0.0), Some(1.0)));
    assert_eq!(got.epsilon_squared, Some(-0.5));
}

#[test]
fn groups_apart_are_all_there_is_to_the_ranks() {
    // Equal values within groups: the whole variance lies between them.
    let got = solve(&[&[1.0, 1.0], &[7.0, 7.0], &[3.0, 3.0]]);
    assert_eq!((got.h, got.epsilon_squared), (Some(5.0), Some(1.0)));
}

#[test]
fn only_order_and_membership_count() {
    let values = [0.5, -3.0, 9.0, 2.0, 2.0, 7.0, 11.0];
    let ids = [7, 0, 7, u32::MAX, 0, u32::MAX, 0];
    let got = kruskal_wallis(&values, &ids).expect("valid");
    let moved = values.map(|value: f64| value.powi(3) * 1e200);
    assert_eq!(kruskal_wallis(&moved, &ids).expect("valid"), got);
    let named = ids.map(|id| if id == 0 { 5 } else { id });
    assert_eq!(kruskal_wallis(&values, &named).expect("valid"), got);
    let (mut back, mut back_ids) = (values, ids);
    back.reverse();
    back_ids.reverse();
    assert_eq!(kruskal_wallis(&back, &back_ids).expect("valid"), got);
}

#[test]
fn what_cannot_be_compared_has_a_reason() {
    for (groups, word) in [
        (vec![&[1.0, 2.0][..]], "1 group"),
        (vec![&[1.0][..], &[2.0], &[5.0]], "single value"),
        (vec![&[4.0, 4.0][..], &[4.0]], "equal"),
        (vec![&[1.0][..]], "1 group"),
    ] {
        let got = solve(&groups);
        assert_eq!(
            (got.h, got.p_value, got.epsilon_squared),
            (None, None, None)
        );
        let reason = got.reason.expect("why");
        assert!(reason.contains(word), "{reason}");
    }
}

#[test]
fn bad_input_is_refused() {
    let refused = |values: &[f64], ids: &[u32]| {
        let error = kruskal_wallis(values, ids).expect_err("refused");
        (error.kind(), error.input(), error.row())
    };
    assert_eq!(
        refused(&[], &[]),
        (ErrorCode::EmptyInput, Some("values"), None)
    );
    assert_eq!(refused(&[1.0], &[1, 2]).0, ErrorCode::LengthMismatch);
    assert_eq!(
        refused(&[1.0, f64::NAN], &[1, 2]),
        (ErrorCode::NotFinite, Some("values"), Some(1))
    );
}

#[test]
fn a_million_values_do_not_overflow() {
    let values: Vec<f64> = (0..1_000_000).map(|i| f64::from(i % 1000)).collect();
    let ids: Vec<u32> = (0..1_000_000).map(|i| i % 7).collect();
    let got = kruskal_wallis(&values, &ids).expect("valid");
    assert!(got.p_value.expect("seven groups") > 0.5);
    // All in one group but for the largest.
    let apart: Vec<u32> = values
        .iter()
        .map(|&value| u32::from(value == 999.0))
        .collect();
    let got = kruskal_wallis(&values, &apart).expect("valid");
    assert!(got.p_value.expect("two groups") < 1e-300);
}
