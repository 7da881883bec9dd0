//! The shared vectors: values from an independent program, for every metric that has them.

mod common;

use common::{assert_close, assert_near, logits, number, numbers, vectors};
use common::{F64_SUMS, QUANTILES, REFERENCE_NOISE};
use metrics::{
    aggregate, gate, wilson, AggregateRequest, CiMethod, GateRequest, Pair, PairBuffers, Row, TopK,
    TopKDivergence, DEFAULT_LEVEL,
};
use serde_json::Value;

fn ids(value: &Value) -> Vec<i32> {
    numbers(value).iter().map(|&id| id as i32).collect()
}

fn flags(value: &Value) -> Vec<u8> {
    numbers(value).iter().map(|&flag| flag as u8).collect()
}

#[test]
fn rows() {
    for case in vectors("rows.json").unwrap_or_default() {
        let (name, expect) = (&case["name"], &case["expect"]);
        let z = logits(&case["logits"]);
        let row = Row::new(&z).expect("a valid row");
        let close = |got: f64, want: &Value, what: &str| {
            assert_close(got, number(want), F64_SUMS, &format!("{name} {what}"));
        };
        close(row.logsumexp(), &expect["logsumexp"], "logsumexp");
        let entropy = number(&expect["entropy"]);
        let what = format!("{name} entropy");
        assert_near(row.entropy(), entropy, F64_SUMS, REFERENCE_NOISE, &what);
        assert!(row.entropy().is_sign_positive(), "{name}: entropy of -0");
        for (i, group) in case["groups"]
            .as_array()
            .expect("a list")
            .iter()
            .enumerate()
        {
            let mass = row.mass(&ids(group)).expect("ids of the vocabulary");
            close(mass, &expect["masses"][i], "mass");
        }
        let target = row
            .target(number(&case["target"]) as i32)
            .expect("in the vocabulary");
        close(target.logprob, &expect["targetLogprob"], "log-probability");
        assert_eq!(
            f64::from(target.rank),
            number(&expect["targetRank"]),
            "{name} rank"
        );

        let mut top = TopK::new();
        row.top_k(number(&case["k"]) as usize, &mut top)
            .expect("K > 0");
        assert_eq!(
            top.ids().collect::<Vec<_>>(),
            ids(&expect["topKIds"]),
            "{name} top K"
        );
        for (id, want) in top.ids().zip(numbers(&expect["topKProbs"])) {
            let probability = row.mass(&[id]).expect("in the vocabulary");
            assert_close(probability, want, F64_SUMS, &format!("{name} p of {id}"));
        }
        assert_eq!(top.ids().next(), Some(row.argmax()), "{name} argmax");
    }
}

#[test]
fn pairs() {
    for case in vectors("pairs.json").unwrap_or_default() {
        let (name, expect) = (&case["name"], &case["expect"]);
        let (a, b) = (logits(&case["a"]), logits(&case["b"]));
        let ks: Vec<&String> = expect["topK"].as_object().expect("by K").keys().collect();
        let numeric: Vec<usize> = ks.iter().map(|k| k.parse().expect("a K")).collect();
        let mut top_k = vec![TopKDivergence::default(); ks.len()];
        let pair = Pair::new(&a, &b).expect("a valid pair");
        let got = pair
            .measure(&numeric, &mut top_k, &mut PairBuffers::default())
            .expect("valid Ks");
        let close = |got: f64, want: &Value, what: &str| {
            let want = if want.is_null() {
                f64::INFINITY
            } else {
                number(want)
            };
            assert_near(
                got,
                want,
                F64_SUMS,
                REFERENCE_NOISE,
                &format!("{name} {what}"),
            );
        };
        close(got.jsd, &expect["jsd"], "jsd");
        close(got.kl_pq, &expect["klPQ"], "klPQ");
        close(got.kl_qp, &expect["klQP"], "klQP");
        close(
            got.total_variation,
            &expect["totalVariation"],
            "total variation",
        );
        for (k, divergence) in ks.iter().zip(&top_k) {
            let expect = &expect["topK"][k.as_str()];
            let size = f64::from(divergence.union_size);
            assert_eq!(size, number(&expect["unionSize"]), "{name} union size");
            close(divergence.partial, &expect["partial"], "partial");
            close(divergence.lower, &expect["lower"], "lower");
            close(divergence.upper, &expect["upper"], "upper");
        }
    }
}

#[test]
fn aggregates() {
    for case in vectors("aggregate.json").unwrap_or_default() {
        let (name, expect) = (&case["name"], &case["expect"]);
        let (values, gate) = (numbers(&case["values"]), flags(&case["gate"]));
        let clusters: Vec<u32> = numbers(&case["cluster"])
            .iter()
            .map(|&c| c as u32)
            .collect();
        for ci in [CiMethod::Normal, CiMethod::Cluster] {
            let request = AggregateRequest {
                gate: Some(&gate),
                cluster: Some(&clusters),
                ci,
                ..AggregateRequest::default()
            };
            let got = aggregate(&values, &request).expect("valid values");
            assert_close(
                got.mean,
                number(&expect["mean"]),
                F64_SUMS,
                &format!("{name} mean"),
            );
            assert_eq!(
                got.gated_steps as f64,
                number(&expect["gatedSteps"]),
                "{name}"
            );
            assert_close(
                got.coverage,
                number(&expect["coverage"]),
                F64_SUMS,
                "coverage",
            );
            let want = &expect["ci"][ci.as_str()];
            assert_eq!(got.ci.is_none(), want.is_null(), "{name} {ci:?}");
            assert_eq!(got.ci.is_none(), got.reason.is_some(), "{name} {ci:?}");
            if let Some(interval) = got.ci {
                let what = format!("{name} {ci:?}");
                assert_close(interval.low, number(&want["low"]), QUANTILES, &what);
                assert_close(interval.high, number(&want["high"]), QUANTILES, &what);
                let clusters = interval.clusters.map(|c| c as f64);
                assert_eq!(clusters, want.get("clusters").map(number), "{what}");
            }
        }
    }
}

#[test]
fn gates() {
    for case in vectors("gate.json").unwrap_or_default() {
        let (name, expect) = (&case["name"], &case["expect"]);
        let got = gate(&GateRequest {
            top_k_hits: &flags(&case["topKHits"]),
            occupation: &flags(&case["occupation"]),
            pronoun_or_name: &flags(&case["pronounOrName"]),
            window: number(&case["window"]) as usize,
            steps_after: number(&case["stepsAfter"]) as usize,
        })
        .expect("valid flags");
        assert_eq!(got.gate, flags(&expect["gate"]), "{name}");
        assert_eq!(
            got.top_k_triggers as f64,
            number(&expect["topKTriggers"]),
            "{name}"
        );
        assert_eq!(
            got.window_triggers as f64,
            number(&expect["windowTriggers"]),
            "{name}"
        );
        assert_eq!(got.coverage, number(&expect["coverage"]), "{name}");
    }
}

#[test]
fn proportions() {
    for case in vectors("wilson.json").unwrap_or_default() {
        let (successes, n) = (number(&case["successes"]) as u64, number(&case["n"]) as u64);
        let got = wilson(successes, n, DEFAULT_LEVEL).expect("a valid proportion");
        let what = format!("{successes} of {n}");
        assert_close(got.mean, number(&case["mean"]), F64_SUMS, &what);
        assert_close(got.low, number(&case["low"]), QUANTILES, &what);
        assert_close(got.high, number(&case["high"]), QUANTILES, &what);
    }
}
