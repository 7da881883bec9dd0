//! Rows and values at the edge of what is valid: each has one right answer that can be written down.

mod common;

use std::f64::consts::LN_2;

use common::assert_close;
use common::measure::{on_every_level, pair, pair_at, row, sums, top_ids};
use common::F64_SUMS;
use metrics::{aggregate, gate, AggregateRequest, CiMethod, GateRequest};

const MASKED: f32 = f32::NEG_INFINITY;

#[test]
fn one_token_is_certain() {
    on_every_level(|| {
        let z = [-3.5];
        let row = row(&z);
        assert_eq!(
            (row.logsumexp(), row.entropy(), row.margin()),
            (-3.5, 0.0, f64::INFINITY)
        );
        let target = row.target(0).expect("the token");
        assert_eq!((target.logprob, target.rank), (0.0, 1));
        assert_eq!(pair(&[1.0], &[7.0]).jsd, 0.0);
    });
}

#[test]
fn equal_logits_share_equally() {
    on_every_level(|| {
        for len in [2, 1000, 1024, 4097] {
            let z = vec![0.25; len];
            let (row, v) = (row(&z), len as f64);
            assert_close(row.entropy(), v.ln(), sums(), "entropy");
            assert_close(row.mass(&[1]).expect("an id"), 1.0 / v, sums(), "mass");
            assert_eq!((row.argmax(), row.margin()), (0, 0.0));
            assert_eq!(row.target(1).expect("an id").rank, 1);
        }
    });
}

#[test]
fn one_huge_logit_takes_all() {
    on_every_level(|| {
        let z = [0.0, f32::MAX, -f32::MAX, 1.0];
        let row = row(&z);
        assert_eq!(row.logsumexp(), f64::from(f32::MAX));
        assert!(row.entropy() == 0.0 && row.entropy().is_sign_positive());
        assert_eq!(row.mass(&[1]), Ok(1.0));
        assert_eq!(
            row.target(2).expect("an id").logprob,
            -2.0 * f64::from(f32::MAX)
        );
    });
}

#[test]
fn nearly_certain_keeps_its_digits() {
    on_every_level(|| {
        // p of the second token is exp(-40), far below the rounding of 1 - p.
        let z = [40.0, 0.0];
        let small = (-40f64).exp();
        let row = row(&z);
        assert_close(row.entropy(), 41.0 * small, sums(), "entropy");
        assert_close(
            row.target(0).expect("an id").logprob,
            -small,
            sums(),
            "log-probability",
        );
    });
}

#[test]
fn almost_everything_masked() {
    on_every_level(|| {
        let mut z = vec![MASKED; 3000];
        (z[1500], z[2999]) = (2.0, 2.0);
        let row = row(&z);
        assert_close(row.entropy(), LN_2, sums(), "entropy");
        assert_eq!(row.mass(&[0, 7]), Ok(0.0));
        let target = row.target(0).expect("an id");
        assert_eq!((target.logprob, target.rank), (f64::NEG_INFINITY, 3));
        assert_eq!(top_ids(&z, 4), [1500, 2999, 0, 1]);
    });
}

#[test]
fn denormal_logits_are_all_but_equal() {
    on_every_level(|| {
        let z = [f32::from_bits(1), -f32::from_bits(1), 0.0, -0.0];
        let row = row(&z);
        assert_close(row.entropy(), 4f64.ln(), sums(), "entropy");
        assert_eq!(top_ids(&z, 4), [0, 2, 3, 1]);
    });
}

#[test]
fn disjoint_rows_are_as_far_apart_as_can_be() {
    on_every_level(|| {
        let (a, b) = ([0.0, MASKED], [MASKED, 0.0]);
        let far = pair(&a, &b);
        assert_eq!((far.jsd, far.total_variation), (LN_2, 1.0));
        assert_eq!((far.kl_pq, far.kl_qp), (f64::INFINITY, f64::INFINITY));
    });
}

#[test]
fn only_a_mask_makes_a_divergence_infinite() {
    on_every_level(|| {
        // exp(-2000) is 0 in f64, but its logarithm is not: KL is 1000 and some, not infinite.
        let (a, b) = ([0.0, 0.0], [0.0, -2000.0]);
        let got = pair(&a, &b);
        assert_close(got.kl_pq, 1000.0 - LN_2, sums(), "KL(p||q)");
        assert_close(got.kl_qp, LN_2, sums(), "KL(q||p)");
        let narrower = pair(&[0.0, MASKED], &[0.0, 0.0]);
        assert_close(narrower.kl_pq, LN_2, sums(), "KL(p||q)");
        assert_eq!(narrower.kl_qp, f64::INFINITY);
    });
}

#[test]
fn close_rows_keep_the_digits_of_their_divergence() {
    on_every_level(|| {
        // Odds of exp(x) against even ones: JSD = x^2 / 32 and KL = x^2 / 8, but for terms of order x^4.
        for step in [1e-2f32, 1e-4, 1e-6] {
            let got = pair(&[0.0, 0.0], &[0.0, step]);
            let x = f64::from(step);
            let next_order = x * x;
            assert_close(got.jsd, x * x / 32.0, next_order.max(sums()), "JSD");
            assert_close(got.kl_pq, x * x / 8.0, next_order.max(sums()), "KL(p||q)");
            assert_close(got.kl_qp, x * x / 8.0, next_order.max(sums()), "KL(q||p)");
        }
    });
}

#[test]
fn a_union_is_a_set_and_stops_at_the_vocabulary() {
    on_every_level(|| {
        let (a, b) = ([3.0, 2.0, 1.0, 0.0], [3.0, 0.0, 1.0, 2.0]);
        let (full, forms) = pair_at(&a, &b, &[9, 1, 2, 2]);
        let sizes: Vec<u32> = forms.iter().map(|form| form.union_size).collect();
        assert_eq!(sizes, [4, 1, 3, 3]);
        assert_eq!((forms[0].lower, forms[0].upper), (full.jsd, full.jsd));
        assert_eq!(forms[2], forms[3]);
    });
}

#[test]
fn what_is_not_gated_is_not_seen() {
    let request = AggregateRequest {
        gate: Some(&[1, 0, 1, 0]),
        ci: CiMethod::Normal,
        ..AggregateRequest::default()
    };
    let got = aggregate(&[1.0, f64::NAN, 3.0, f64::INFINITY], &request).expect("valid");
    assert_eq!(
        (got.mean, got.n, got.gated_steps, got.coverage),
        (2.0, 4, 2, 0.5)
    );
    let interval = got.ci.expect("two steps");
    assert_close(
        interval.high - 2.0,
        1.96 / 2f64.sqrt(),
        F64_SUMS,
        "half width",
    );
}

#[test]
fn without_clusters_every_step_is_one() {
    let values = [1.0, 2.0, 4.0, 9.0];
    let alone = aggregate(&values, &AggregateRequest::default()).expect("valid");
    let labelled = AggregateRequest {
        cluster: Some(&[9, 3, 7, 5]),
        ..AggregateRequest::default()
    };
    let labelled = aggregate(&values, &labelled).expect("valid");
    let (alone, labelled) = (alone.ci.expect("four"), labelled.ci.expect("four"));
    assert_eq!((alone.clusters, labelled.clusters), (Some(4), Some(4)));
    assert_close(alone.low, labelled.low, F64_SUMS, "low");
}

#[test]
fn too_little_data_gives_no_interval_but_a_reason() {
    let reason = |values: &[f64], gate: &[u8], cluster: &[u32], ci| {
        let request = AggregateRequest {
            gate: Some(gate),
            cluster: Some(cluster),
            ci,
            ..AggregateRequest::default()
        };
        let got = aggregate(values, &request).expect("valid");
        assert_eq!(got.ci, None);
        got.reason.expect("a reason")
    };
    let (normal, cluster) = (CiMethod::Normal, CiMethod::Cluster);
    assert_eq!(reason(&[1.0], &[0], &[0], normal), "no step counts");
    assert_eq!(reason(&[1.0], &[0], &[0], cluster), "no step counts");
    assert!(reason(&[1.0], &[1], &[0], normal).starts_with("only 1 step that counts"));
    // The second cluster has no gated step, and so cannot lend the first an interval of width 0.
    assert!(reason(&[1.0, 2.0, 3.0], &[1, 1, 0], &[0, 0, 1], cluster)
        .starts_with("only 1 text or row that counts"));
}

#[test]
fn a_gate_opens_and_closes_where_it_should() {
    let request = GateRequest {
        top_k_hits: &[1, 0, 0, 0, 0, 0, 0],
        occupation: &[0, 0, 0, 1, 0, 0, 0],
        pronoun_or_name: &[0, 0, 0, 0, 1, 0, 0],
        window: 2,
        steps_after: 1,
    };
    let got = gate(&request).expect("valid");
    assert_eq!(got.gate, [1, 1, 0, 0, 0, 1, 0]);
    assert_eq!((got.top_k_triggers, got.window_triggers), (1, 1));
    let narrow = gate(&GateRequest {
        window: 1,
        ..request
    })
    .expect("valid");
    assert_eq!(narrow.window_triggers, 0);
    let endless = GateRequest {
        window: usize::MAX,
        steps_after: usize::MAX,
        ..request
    };
    assert_eq!(gate(&endless).expect("valid").coverage, 1.0);
}
