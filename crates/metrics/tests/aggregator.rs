//! The aggregator gives the numbers of the whole however it is cut, merged, written and read back.

mod common;

use common::assert_near;
use metrics::{
    aggregate, Aggregate, AggregateRequest, Aggregator, AggregatorState, BootstrapRequest,
    CiMethod, ClusterIds, ClusterState, KeptState, Steps,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Sums of twice the width of `f64` round once, at the end; the rest is a few operations.
const WHOLE: f64 = 1e-12;

const METHODS: [CiMethod; 3] = [CiMethod::Normal, CiMethod::Cluster, CiMethod::Bootstrap];

fn request(ci: CiMethod) -> AggregateRequest<'static> {
    AggregateRequest {
        ci,
        bootstrap: BootstrapRequest {
            resamples: 199,
            ..BootstrapRequest::default()
        },
        ..AggregateRequest::default()
    }
}

#[track_caller]
fn assert_same(got: &Aggregate, want: &Aggregate, size: f64) {
    let close = |got, want, what| assert_near(got, want, WHOLE, WHOLE * size, what);
    close(got.mean, want.mean, "mean");
    assert_eq!((got.n, got.gated_steps), (want.n, want.gated_steps));
    assert_eq!((got.coverage, &got.reason), (want.coverage, &want.reason));
    match (got.ci, want.ci) {
        (Some(got), Some(want)) => {
            close(got.low, want.low, "low");
            close(got.high, want.high, "high");
            assert_eq!(got.clusters, want.clusters);
        }
        (None, None) => {}
        different => panic!("{different:?}"),
    }
}

fn part<'a>(
    values: &'a [f64],
    gate: &'a [u8],
    cluster: Option<ClusterIds<'a>>,
) -> Result<Aggregator, metrics::MetricsError> {
    let mut part = Aggregator::new();
    part.add(&Steps {
        values,
        gate: Some(gate),
        cluster,
    })?;
    Ok(part)
}

fn read_back(aggregator: &Aggregator) -> Aggregator {
    Aggregator::from_state(&aggregator.to_state()).expect("its own state")
}

proptest! {
    #[test]
    fn parts_add_up_to_the_whole(
        steps in vec((-1e3f64..1e3, 0u8..2, 0u32..8), 1..60),
        cut in 0.0f64..1.0,
        offset in prop::sample::select(vec![0.0, 1e6]),
        kind in 0..3,
    ) {
        let values: Vec<f64> = steps.iter().map(|step| step.0 + offset).collect();
        let gate: Vec<u8> = steps.iter().map(|step| step.1).collect();
        let numbers: Vec<u32> = steps.iter().map(|step| step.2).collect();
        // Names in the order of the numbers, so that a bootstrap draws the same clusters.
        let names: Vec<String> = numbers.iter().map(|id| format!("prompt {id}")).collect();
        let at = (cut * values.len() as f64) as usize;
        let ids = |from: usize, to: usize| match kind {
            0 => None,
            1 => Some(ClusterIds::Numbers(&numbers[from..to])),
            _ => Some(ClusterIds::Names(&names[from..to])),
        };
        let first = part(&values[..at], &gate[..at], ids(0, at)).expect("valid");
        let second = part(&values[at..], &gate[at..], ids(at, values.len())).expect("valid");
        let mut streamed = Aggregator::new();
        for i in 0..values.len() {
            let one = Steps { values: &values[i..=i], gate: Some(&gate[i..=i]), cluster: ids(i, i + 1) };
            streamed.add(&one).expect("valid");
        }
        let mut forth = read_back(&first);
        forth.merge(&read_back(&second)).expect("one kind");
        let mut back = second;
        back.merge(&first).expect("one kind");
        for ci in METHODS {
            let whole = AggregateRequest {
                gate: Some(&gate),
                cluster: (kind > 0).then_some(&numbers),
                ..request(ci)
            };
            let whole = aggregate(&values, &whole).expect("valid");
            for parts in [&streamed, &forth, &back, &read_back(&streamed)] {
                assert_same(&parts.result(&request(ci)).expect("steps"), &whole, 1e3 + offset);
            }
        }
    }
}

#[test]
fn clusters_of_different_kinds_do_not_mix() {
    let (values, gate) = ([1.0, 2.0], [1, 1]);
    let names = ["a".to_owned(), "b".to_owned()];
    let kinds = [
        None,
        Some(ClusterIds::Numbers(&[1, 2])),
        Some(ClusterIds::Names(&names)),
    ];
    for (i, &one) in kinds.iter().enumerate() {
        for (j, &other) in kinds.iter().enumerate() {
            let mut mine = part(&values, &gate, one).expect("valid");
            let before = mine.clone();
            let theirs = part(&values, &gate, other).expect("valid");
            let steps = Steps {
                values: &values,
                gate: None,
                cluster: other,
            };
            if i == j {
                assert!(mine.merge(&theirs).is_ok() && mine.add(&steps).is_ok());
                assert_eq!(mine.steps(), 6);
            } else {
                for error in [mine.merge(&theirs), mine.add(&steps)] {
                    let error = error.expect_err("mixed");
                    assert_eq!(
                        (error.code(), error.input()),
                        ("bad_argument", Some("cluster"))
                    );
                }
                assert_eq!(mine, before, "unchanged after an error");
            }
        }
    }
}

#[test]
fn a_faulty_batch_leaves_no_trace() {
    let mut aggregator = part(&[1.0, 2.0], &[1, 1], None).expect("valid");
    let before = aggregator.clone();
    let bad = Steps {
        values: &[5.0, f64::NAN],
        gate: None,
        cluster: None,
    };
    let error = aggregator.add(&bad).expect_err("NaN");
    let place = (error.code(), error.input(), error.row());
    assert_eq!(place, ("not_finite", Some("values"), Some(1)));
    assert_eq!(aggregator, before);
    let empty = Steps {
        values: &[],
        gate: None,
        cluster: Some(ClusterIds::Numbers(&[])),
    };
    aggregator.add(&empty).expect("nothing is fine");
    assert_eq!(aggregator, before);
}

#[test]
fn nothing_is_no_result() {
    let nothing = Aggregator::new();
    let error = nothing
        .result(&request(CiMethod::Cluster))
        .expect_err("no steps");
    assert_eq!(error.code(), "empty_input");
    assert_eq!(read_back(&nothing), nothing);
    let mut something = part(&[1.0, 2.0], &[1, 1], None).expect("valid");
    something.merge(&nothing).expect("nothing is of any kind");
    let mut from_nothing = nothing;
    from_nothing
        .merge(&something)
        .expect("nothing is of any kind");
    assert_eq!(from_nothing, something);
}

type Clusters = Vec<(u32, ClusterState)>;

#[test]
fn a_state_of_values_whose_squares_are_subnormal_is_taken_back() {
    for value in [7.142_680_229_428_032e-158, 1e-160, 5e-324] {
        for cluster in [None, Some(ClusterIds::Numbers(&[4, 4]))] {
            let written = part(&[value, 0.0], &[1, 0], cluster)
                .expect("valid")
                .to_state();
            let back = Aggregator::from_state(&written).expect("written by an aggregator");
            assert_eq!(back.to_state(), written);
        }
    }
}

#[test]
fn a_state_that_no_aggregator_wrote_is_refused() {
    let numbers = Some(ClusterIds::Numbers(&[4, 4, 9]));
    let written = part(&[1.0, 2.0, 0.5], &[1, 1, 1], numbers)
        .expect("valid")
        .to_state();
    assert!(Aggregator::from_state(&written).is_ok());
    let refused = |change: &dyn Fn(&mut AggregatorState)| {
        let mut state = written.clone();
        change(&mut state);
        let error = Aggregator::from_state(&state).expect_err("refused");
        (error.code(), error.input())
    };
    let clusters = |change: &dyn Fn(&mut Clusters)| {
        refused(&|state| match &mut state.kept {
            KeptState::Numbers(clusters) => change(clusters),
            other => panic!("{other:?}"),
        })
    };
    let bad = |input| ("bad_argument", Some(input));
    assert_eq!(refused(&|state| state.version = 2), bad("version"));
    assert_eq!(refused(&|state| state.steps = 2), bad("steps"));
    assert_eq!(refused(&|state| state.steps = u64::MAX), bad("steps"));
    assert_eq!(
        refused(&|state| state.kept = KeptState::Nothing),
        bad("steps")
    );
    assert_eq!(refused(&|state| state.squares.0 = 4.0), bad("squares"));
    assert_eq!(
        refused(&|state| state.squares.0 = f64::NAN),
        ("not_finite", Some("squares"))
    );
    assert_eq!(
        refused(&|state| state.squares.1 = 1.0),
        ("not_finite", Some("squares"))
    );
    assert_eq!(clusters(&|c| c[0].1.weight = 0), bad("weights"));
    assert_eq!(clusters(&|c| c[0].1.weight = u64::MAX), bad("weights"));
    assert_eq!(
        clusters(&|c| c[0].1.sum.0 = f64::INFINITY),
        ("not_finite", Some("sums"))
    );
    assert_eq!(clusters(&|c| c[1].0 = 4), bad("clusters"));
    let values = |values: Vec<f64>| {
        refused(&|state| {
            state.kept = KeptState::Values(values.clone());
        })
    };
    assert_eq!(
        values(vec![1.0, f64::NAN, 0.5]),
        ("not_finite", Some("values"))
    );
    assert_eq!(values(vec![1.0, 1.0, 0.5]), bad("squares"));
}
