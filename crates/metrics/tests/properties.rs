//! What holds for every input, tried on many.

mod common;

use std::f64::consts::LN_2;

use common::measure::{level, pair, pair_at, row, sums, top_ids, try_on_every_level};
use common::{F32_KERNELS, F64_SUMS};
use metrics::{aggregate, wilson, AggregateRequest, CiMethod, Row, SimdLevel};
use proptest::collection::vec;
use proptest::prelude::*;

/// A sum of probabilities may miss 1 by the roundings of its terms.
const SUM_OF_PROBABILITIES: f64 = 1e-13;

/// [`SUM_OF_PROBABILITIES`] where the terms are `f64`.
fn sum_of_probabilities() -> f64 {
    match level() {
        SimdLevel::Scalar => SUM_OF_PROBABILITIES,
        _ => F32_KERNELS,
    }
}

fn close(got: f64, want: f64, tolerance: f64) -> bool {
    got == want || (got - want).abs() <= tolerance * want.abs().max(1.0)
}

/// A logit: mostly of the usual size, sometimes masked, tied, tiny or huge.
fn logit() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => -30.0f32..30.0,
        1 => Just(f32::NEG_INFINITY),
        1 => Just(1.5f32),
        1 => Just(f32::MIN_POSITIVE / 4.0),
        1 => -1e4f32..1e4,
    ]
}

/// A row with at least one token unmasked.
fn logits(len: impl Into<proptest::collection::SizeRange>) -> impl Strategy<Value = Vec<f32>> {
    vec(logit(), len).prop_map(|mut z| {
        if z.iter().all(|&x| x == f32::NEG_INFINITY) {
            z[0] = 0.0;
        }
        z
    })
}

fn two_rows() -> impl Strategy<Value = (Vec<f32>, Vec<f32>)> {
    (1usize..60).prop_flat_map(|len| (logits(len), logits(len)))
}

/// Small integers, so that adding an integer is exact and shifts nothing but the row.
fn whole_logits() -> impl Strategy<Value = Vec<f32>> {
    vec((-40i16..40).prop_map(f32::from), 1..60)
}

proptest! {
    #[test]
    fn probability_adds_up_over_a_partition(z in logits(1..80), parts in 1usize..6) {
try_on_every_level(|| {
        let row = row(&z);
        let masses = (0..parts).map(|part| {
            let ids: Vec<i32> = (part..z.len()).step_by(parts).map(|id| id as i32).collect();
            row.mass(&ids).expect("ids of the vocabulary")
        });
        prop_assert!((masses.sum::<f64>() - 1.0).abs() <= sum_of_probabilities());
        Ok(())
        })?;
    }

    #[test]
    fn masses_add(z in logits(2..80), cut in any::<prop::sample::Index>()) {
try_on_every_level(|| {
        let row = row(&z);
        let ids: Vec<i32> = (0..z.len() as i32).step_by(2).collect();
        let (left, right) = ids.split_at(cut.index(ids.len()));
        let mass = |ids: &[i32]| row.mass(ids).expect("ids of the vocabulary");
        prop_assert!(close(mass(left) + mass(right), mass(&ids), sum_of_probabilities()));
        Ok(())
        })?;
    }

    #[test]
    fn entropy_lies_between_0_and_ln_v(z in logits(1..80)) {
try_on_every_level(|| {
        let entropy = row(&z).entropy();
        prop_assert!(entropy >= 0.0 && entropy.is_sign_positive());
        prop_assert!(entropy <= (z.len() as f64).ln() + sums());
        Ok(())
        })?;
    }

    #[test]
    fn a_shift_moves_only_the_logsumexp(z in whole_logits(), by in -9000i16..9000) {
try_on_every_level(|| {
        let shifted: Vec<f32> = z.iter().map(|&x| x + f32::from(by)).collect();
        let (old, new) = (row(&z), row(&shifted));
        prop_assert_eq!(old.entropy(), new.entropy());
        prop_assert_eq!(old.target(0), new.target(0));
        prop_assert_eq!(old.margin(), new.margin());
        prop_assert_eq!(top_ids(&z, 5), top_ids(&shifted, 5));
        prop_assert!(close(new.logsumexp() - old.logsumexp(), f64::from(by), sums()));
        prop_assert_eq!(pair(&z, &shifted).jsd, 0.0);
        Ok(())
        })?;
    }

    #[test]
    fn the_order_of_tokens_does_not_matter((a, b) in two_rows(), turn in any::<prop::sample::Index>()) {
try_on_every_level(|| {
        let turn = turn.index(a.len());
        let rotated = |z: &[f32]| [&z[turn..], &z[..turn]].concat();
        let (c, d) = (rotated(&a), rotated(&b));
        prop_assert!(close(row(&c).logsumexp(), row(&a).logsumexp(), sums()));
        prop_assert!(close(row(&c).entropy(), row(&a).entropy(), sums()));
        let (old, new) = (pair(&a, &b), pair(&c, &d));
        prop_assert!(close(new.jsd, old.jsd, sums()));
        prop_assert!(close(new.kl_pq, old.kl_pq, sums()));
        prop_assert!(close(new.total_variation, old.total_variation, sums()));
        Ok(())
        })?;
    }

    #[test]
    fn divergences_keep_their_ranges_and_symmetries((a, b) in two_rows()) {
try_on_every_level(|| {
        let (ab, ba) = (pair(&a, &b), pair(&b, &a));
        prop_assert!((0.0..=LN_2).contains(&ab.jsd));
        prop_assert!((0.0..=1.0).contains(&ab.total_variation));
        prop_assert!(ab.kl_pq >= 0.0 && ab.kl_qp >= 0.0);
        for (forth, back) in [
            (ab.jsd, ba.jsd),
            (ab.total_variation, ba.total_variation),
            (ab.kl_pq, ba.kl_qp),
            (ab.kl_qp, ba.kl_pq),
        ] {
            prop_assert_eq!(forth, back);
        }
        // Pinsker's inequality, and the bound of Jensen-Shannon by total variation.
        prop_assert!(2.0 * ab.total_variation.powi(2) <= ab.kl_pq + sums());
        prop_assert!(ab.jsd <= ab.total_variation * LN_2 + sums());
        Ok(())
        })?;
    }

    #[test]
    fn a_row_equals_itself(z in logits(1..80)) {
try_on_every_level(|| {
        let same = pair(&z, &z);
        prop_assert_eq!((same.jsd, same.kl_pq, same.kl_qp, same.total_variation), (0.0, 0.0, 0.0, 0.0));
        Ok(())
        })?;
    }

    #[test]
    fn bounds_hold_and_tighten((a, b) in two_rows()) {
try_on_every_level(|| {
        let ks = [1, 2, 5, 20, 60];
        let (full, forms) = pair_at(&a, &b, &ks);
        for form in &forms {
            prop_assert!(0.0 <= form.partial && form.partial <= form.lower);
            prop_assert!(form.lower <= full.jsd && full.jsd <= form.upper && form.upper <= LN_2);
        }
        for two in forms.windows(2) {
            prop_assert!(two[0].partial <= two[1].partial + sum_of_probabilities());
            prop_assert!(two[0].lower <= two[1].lower + sum_of_probabilities());
            prop_assert!(two[0].upper >= two[1].upper - sum_of_probabilities());
            prop_assert!(two[0].union_size <= two[1].union_size);
        }
        prop_assert_eq!(forms[4].partial, full.jsd);
        Ok(())
        })?;
    }

    #[test]
    fn no_bits_at_all_make_a_panic(bits in vec(any::<u32>(), 0..40)) {
try_on_every_level(|| {
        let z: Vec<f32> = bits.iter().copied().map(f32::from_bits).collect();
        if let Ok(row) = Row::new_at(&z, level()) {
            prop_assert!(row.logsumexp().is_finite() && row.entropy().is_finite());
        }
        Ok(())
        })?;
    }

    #[test]
    fn a_mean_lies_inside_its_interval(
        steps in vec((-5.0f64..5.0, 0u8..2, 0u32..6), 1..80),
        level in 0.01f64..0.99,
    ) {
        let values: Vec<f64> = steps.iter().map(|step| step.0).collect();
        let gate: Vec<u8> = steps.iter().map(|step| step.1).collect();
        let cluster: Vec<u32> = steps.iter().map(|step| step.2).collect();
        for ci in [CiMethod::Normal, CiMethod::Cluster] {
            let request = AggregateRequest { gate: Some(&gate), cluster: Some(&cluster), ci, level, ..AggregateRequest::default() };
            let got = aggregate(&values, &request).expect("valid values");
            prop_assert_eq!(got.ci.is_none(), got.reason.is_some());
            if let Some(interval) = got.ci {
                prop_assert!(interval.low <= got.mean && got.mean <= interval.high);
            }
        }
    }

    #[test]
    fn a_proportion_lies_inside_its_interval(n in 1u64..5000, part in 0.0f64..=1.0, level in 0.01f64..0.999) {
        let successes = (n as f64 * part) as u64;
        let got = wilson(successes, n, level).expect("a proportion");
        prop_assert!(0.0 <= got.low && got.low <= got.mean && got.mean <= got.high && got.high <= 1.0);
        let mirrored = wilson(n - successes, n, level).expect("a proportion");
        prop_assert!(close(mirrored.low, 1.0 - got.high, F64_SUMS));
    }
}
