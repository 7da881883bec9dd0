//! Every error, with its code and its place: bad input never gives a number and never a panic.

mod common;

use common::measure::{level, on_every_level, row};
use metrics::{
    aggregate, bootstrap_ratios, gate, pair_metrics, percentile_interval, row_metrics,
    AggregateRequest, BootstrapRequest, CiMethod, GateRequest, MetricsError, Pair, PairBuffers,
    PairColumns, PairRequest, PairWorkspace, RatioRequest, Row, RowColumns, RowRequest,
    TokenGroups, TopK, TopKDivergence, ALL_CODES, NO_TARGET,
};

const MASKED: f32 = f32::NEG_INFINITY;

/// Code, row, column and id of the error that must be there.
type Place = (&'static str, Option<usize>, Option<usize>, Option<i64>);

#[track_caller]
fn place<T: std::fmt::Debug>(result: Result<T, MetricsError>) -> Place {
    let error = result.expect_err("an error");
    assert!(ALL_CODES.contains(&error.kind()) && !error.message().is_empty());
    (error.code(), error.row(), error.column(), error.id())
}

fn request<'a>(
    groups: TokenGroups<'a>,
    targets: Option<&'a [i32]>,
    top_k: usize,
) -> RowRequest<'a> {
    RowRequest {
        groups,
        targets,
        top_k,
    }
}

fn rows(
    logits: &[f32],
    vocab: usize,
    request: &RowRequest<'_>,
    mut columns: RowColumns<'_>,
) -> Result<usize, MetricsError> {
    row_metrics(logits, vocab, request, &mut columns, &mut TopK::new())
}

fn bare(logits: &[f32], vocab: usize) -> Result<usize, MetricsError> {
    rows(
        logits,
        vocab,
        &request(TokenGroups::none(), None, 0),
        RowColumns::default(),
    )
}

#[test]
fn faulty_rows() {
    on_every_level(|| {
        assert_eq!(
            place(Row::new_at(&[], level())),
            ("empty_input", None, None, None)
        );
        assert_eq!(
            place(Row::new_at(&[0.0, f32::NAN], level())),
            ("not_finite", None, Some(1), None)
        );
        assert_eq!(
            place(Row::new_at(&[f32::INFINITY], level())),
            ("not_finite", None, Some(0), None)
        );
        assert_eq!(
            place(Row::new_at(&[MASKED; 3], level())),
            ("all_masked", None, None, None)
        );
        let row = row(&[0.0, 1.0]);
        assert_eq!(
            place(row.mass(&[0, 2])),
            ("out_of_range", None, None, Some(2))
        );
        assert_eq!(
            place(row.target(-1)),
            ("out_of_range", None, None, Some(-1))
        );
        assert_eq!(
            place(row.top_k(0, &mut TopK::new())),
            ("bad_argument", None, None, None)
        );
    });
}

#[test]
fn faulty_batches_of_rows() {
    assert_eq!(place(bare(&[], 2)).0, "empty_input");
    assert_eq!(place(bare(&[1.0], 0)).0, "empty_input");
    assert_eq!(place(bare(&[1.0], usize::MAX)).0, "bad_argument");
    assert_eq!(place(bare(&[1.0, 2.0, 3.0], 2)).0, "length_mismatch");
    let nan = bare(&[1.0, 2.0, 3.0, f32::NAN], 2);
    assert_eq!(place(nan), ("not_finite", Some(1), Some(1), None));
    let masked = bare(&[1.0, 2.0, MASKED, MASKED], 2);
    assert_eq!(place(masked), ("all_masked", Some(1), None, None));

    let z = [1.0, 2.0, 3.0, 4.0];
    let mut ranks = [0; 2];
    let targets = request(TokenGroups::none(), Some(&[0, 2]), 0);
    let columns = RowColumns {
        target_rank: Some(&mut ranks),
        ..RowColumns::default()
    };
    assert_eq!(
        place(rows(&z, 2, &targets, columns)),
        ("out_of_range", Some(1), None, Some(2))
    );
    let too_few = request(TokenGroups::none(), Some(&[0]), 0);
    assert_eq!(
        place(rows(&z, 2, &too_few, RowColumns::default())).0,
        "length_mismatch"
    );
    let groups = TokenGroups::new(&[3], &[0, 1], 4).expect("for four tokens");
    let foreign = request(groups, None, 0);
    assert_eq!(
        place(rows(&z, 2, &foreign, RowColumns::default())).0,
        "length_mismatch"
    );
}

#[test]
fn columns_of_the_wrong_length() {
    let z = [1.0, 2.0, 3.0, 4.0];
    let groups = TokenGroups::new(&[0], &[0, 1], 2).expect("valid");
    let request = request(groups, None, 2);
    let code = |columns: RowColumns<'_>| place(rows(&z, 2, &request, columns)).0;
    let (mut f, mut u, mut i) = ([0.0; 3], [0; 3], [0; 3]);
    let empty = RowColumns::default;
    assert_eq!(
        code(RowColumns {
            logsumexp: Some(&mut f),
            ..empty()
        }),
        "length_mismatch"
    );
    assert_eq!(
        code(RowColumns {
            entropy: Some(&mut f),
            ..empty()
        }),
        "length_mismatch"
    );
    assert_eq!(
        code(RowColumns {
            masses: Some(&mut f),
            ..empty()
        }),
        "length_mismatch"
    );
    assert_eq!(
        code(RowColumns {
            target_logprob: Some(&mut f),
            ..empty()
        }),
        "length_mismatch"
    );
    assert_eq!(
        code(RowColumns {
            target_rank: Some(&mut u),
            ..empty()
        }),
        "length_mismatch"
    );
    assert_eq!(
        code(RowColumns {
            top_k_ids: Some(&mut i),
            ..empty()
        }),
        "length_mismatch"
    );
    assert_eq!(
        code(RowColumns {
            top_k_probs: Some(&mut f),
            ..empty()
        }),
        "length_mismatch"
    );
}

#[test]
fn rows_without_a_target_say_so() {
    let (mut logprob, mut rank) = ([0.0; 2], [9; 2]);
    let columns = RowColumns {
        target_logprob: Some(&mut logprob),
        target_rank: Some(&mut rank),
        ..RowColumns::default()
    };
    let targets = request(TokenGroups::none(), Some(&[NO_TARGET, 1]), 0);
    assert_eq!(rows(&[0.0, 0.0, 0.0, 0.0], 2, &targets, columns), Ok(2));
    assert!(logprob[0].is_nan() && logprob[1] == -std::f64::consts::LN_2);
    assert_eq!(rank, [0, 1]);
}

#[test]
fn faulty_pairs() {
    assert_eq!(place(Pair::new(&[1.0], &[1.0, 2.0])).0, "length_mismatch");
    let error = Pair::new(&[1.0], &[f32::NAN]).expect_err("NaN");
    assert_eq!(
        (error.code(), error.input(), error.column()),
        ("not_finite", Some("b"), Some(0))
    );
    let pair = Pair::new(&[1.0], &[1.0]).expect("valid");
    let mut form = [TopKDivergence::default()];
    let mut buffers = PairBuffers::default();
    assert_eq!(
        place(pair.measure(&[0], &mut form, &mut buffers)).0,
        "bad_argument"
    );
    assert_eq!(
        place(pair.measure(&[], &mut form, &mut buffers)).0,
        "length_mismatch"
    );

    let batch = |a: &[f32], b: &[f32], top_k: &[usize], mut columns: PairColumns<'_>| {
        let request = PairRequest {
            top_k,
            ..PairRequest::default()
        };
        pair_metrics(
            a,
            b,
            2,
            &request,
            &mut columns,
            &mut PairWorkspace::default(),
        )
    };
    let (z, none) = ([1.0, 2.0], PairColumns::default);
    assert_eq!(place(batch(&[], &[], &[], none())).0, "empty_input");
    assert_eq!(place(batch(&z, &[1.0], &[], none())).0, "length_mismatch");
    assert_eq!(place(batch(&z, &z, &[1, 0], none())).0, "bad_argument");
    let masked = batch(
        &[1.0, 2.0, 3.0, 4.0],
        &[1.0, 2.0, MASKED, MASKED],
        &[],
        none(),
    );
    assert_eq!(place(masked), ("all_masked", Some(1), None, None));
    let mut short = [0.0; 1];
    let columns = PairColumns {
        lower: Some(&mut short),
        ..none()
    };
    assert_eq!(place(batch(&z, &z, &[1, 2], columns)).0, "length_mismatch");
}

#[test]
fn faulty_values() {
    let all = AggregateRequest::default();
    assert_eq!(place(aggregate(&[], &all)).0, "empty_input");
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let at = place(aggregate(&[0.0, bad], &all));
        assert_eq!(at, ("not_finite", Some(1), None, None));
    }
    let gated = |gate| AggregateRequest {
        gate: Some(gate),
        ..all
    };
    assert_eq!(
        place(aggregate(&[0.0, 1.0], &gated(&[1]))).0,
        "length_mismatch"
    );
    let at = place(aggregate(&[0.0, 1.0], &gated(&[1, 2])));
    assert_eq!(at, ("bad_argument", Some(1), None, None));
    let clustered = AggregateRequest {
        cluster: Some(&[1]),
        ..all
    };
    assert_eq!(
        place(aggregate(&[0.0, 1.0], &clustered)).0,
        "length_mismatch"
    );
    for level in [0.0, 1.0, -0.5, f64::NAN] {
        assert_eq!(
            place(aggregate(&[0.0], &AggregateRequest { level, ..all })).0,
            "bad_argument"
        );
    }
    assert_eq!(place("jackknife".parse::<CiMethod>()).0, "bad_argument");
}

/// What is asked is checked before there are data, with the errors that measuring would give.
#[test]
fn interval_options_are_checked_without_data() {
    let two = [0.0, 1.0];
    let (mut refused, mut accepted) = (0, 0);
    for ci in [CiMethod::Cluster, CiMethod::Normal, CiMethod::Bootstrap] {
        for level in [0.95, 0.5, 0.0, 1.0, -1.0, f64::NAN] {
            for (resamples, threads) in [
                (999, None),
                (999, Some(0)),
                (3, None),
                (0, Some(1)),
                (10_000_001, None),
            ] {
                let bootstrap = BootstrapRequest {
                    resamples,
                    threads,
                    ..BootstrapRequest::default()
                };
                let request = AggregateRequest {
                    ci,
                    level,
                    bootstrap,
                    ..AggregateRequest::default()
                };
                let measured = aggregate(&two, &request).map(|_| ());
                assert_eq!(request.check(), measured, "{request:?}");
                let ratios = RatioRequest {
                    columns: 2,
                    resamples,
                    threads,
                    ..RatioRequest::default()
                };
                let measured = bootstrap_ratios(&two, &[1.0, 1.0], &ratios)
                    .and_then(|_| percentile_interval(&vec![0.0; resamples], level))
                    .map(|_| ());
                let checked = bootstrap.check_ratios(2, level);
                let message = |result: &metrics::Result<()>| {
                    let error = result.as_ref().err();
                    // The resamples are the values there, and what is asked for here.
                    error.map(|error| error.message().replace("`values`", "`resamples`"))
                };
                assert_eq!(message(&checked), message(&measured), "{request:?}");
                *(if checked.is_err() {
                    &mut refused
                } else {
                    &mut accepted
                }) += 1;
            }
        }
    }
    assert!(refused > 50 && accepted > 5, "{refused} {accepted}");
    let none = BootstrapRequest::default().check_ratios(0, 0.95);
    assert_eq!(place(none).0, "bad_argument");
}

#[test]
fn faulty_gates() {
    let request = GateRequest {
        top_k_hits: &[0, 1],
        occupation: &[0, 1],
        pronoun_or_name: &[0, 1],
        window: 1,
        steps_after: 0,
    };
    let empty = GateRequest {
        top_k_hits: &[],
        ..request
    };
    assert_eq!(place(gate(&empty)).0, "empty_input");
    assert_eq!(
        place(gate(&GateRequest {
            window: 0,
            ..request
        }))
        .0,
        "bad_argument"
    );
    assert_eq!(
        place(gate(&GateRequest {
            occupation: &[0],
            ..request
        }))
        .0,
        "length_mismatch"
    );
    let error = gate(&GateRequest {
        pronoun_or_name: &[0, 7],
        ..request
    })
    .expect_err("7");
    let at = (error.code(), error.input(), error.row());
    assert_eq!(at, ("bad_argument", Some("pronounOrName"), Some(1)));
}
