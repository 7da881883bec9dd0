//! Every level of the machine on long, odd and hostile rows: against the oracle, and with any number of threads.

mod common;

use common::measure::{level, on_every_level, pair, pair_at, row, sums, top_ids};
use common::random::Numbers;
use common::{assert_near, oracle, F32_KERNELS};
use metrics::{
    available_levels, pair_metrics_on, row_metrics_on, simd_level, Execution, Pair, PairColumns,
    PairRequest, PairWorkspace, Row, RowColumns, RowRequest, SimdLevel, TokenGroups, TopK,
};

const MASKED: f32 = f32::NEG_INFINITY;

/// The longest vocabulary that accuracy is promised for.
const LONGEST: usize = 262_144;

/// What the oracle itself may be off by, absolutely: it knows a probability near 1 to 1e-16, and its plain sums of
/// divergences cancel.
const PLAIN_SUMS: f64 = 1e-13;

#[test]
fn the_machine_has_levels_and_uses_one() {
    let levels = available_levels();
    assert!(levels.contains(&SimdLevel::Scalar));
    assert!(simd_level().map_or(true, |level| levels.contains(&level)));
}

#[test]
fn a_level_of_another_machine_is_refused() {
    let all = [
        SimdLevel::Scalar,
        SimdLevel::Avx2,
        SimdLevel::Avx512,
        SimdLevel::Neon,
    ];
    for level in all {
        if !available_levels().contains(&level) {
            let refused = Row::new_at(&[1.0], level).expect_err("not on this machine");
            assert_eq!((refused.code(), refused.column()), ("bad_argument", None));
        }
    }
}

/// Run by the test below in processes of their own: the environment is asked once.
#[test]
fn every_metric_follows_the_environment() {
    let asked = std::env::var("LOGIT_AUDIT_SIMD").unwrap_or_default();
    let possible = asked.is_empty() || available_levels().iter().any(|l| l.as_str() == asked);
    let (row, pair) = (Row::new(&[1.0]), Pair::new(&[1.0], &[1.0]));
    if possible {
        assert!(row.is_ok() && pair.is_ok());
        return;
    }
    let codes = [
        simd_level().expect_err("refused").code(),
        row.expect_err("refused").code(),
        pair.expect_err("refused").code(),
    ];
    assert_eq!(codes, ["bad_argument"; 3]);
}

#[test]
fn the_environment_names_the_level() {
    let this = std::env::current_exe().expect("this test");
    for name in ["", "scalar", "avx2", "avx512", "neon", "fastest"] {
        let mut command = std::process::Command::new(&this);
        command.args(["--exact", "every_metric_follows_the_environment"]);
        let done = command.env("LOGIT_AUDIT_SIMD", name).output();
        let done = done.expect("it starts");
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(
            done.status.success() && said.contains("1 passed"),
            "{name}: {said}"
        );
    }
}

/// Rows from flat to one-hot, in the middle of real life, far from 0, and mostly masked.
fn long_rows(len: usize) -> Vec<(&'static str, Vec<f32>)> {
    let mut numbers = Numbers::new(11);
    let mut one_hot = numbers.row(len, 4.0, 0.0, 0.0);
    one_hot[len / 3] = 40.0;
    let mut certain = numbers.row(len, 4.0, 0.0, 0.0);
    certain[len - 1] = 120.0;
    vec![
        ("flat", vec![0.3; len]),
        ("nearly flat", numbers.row(len, 1e-3, 0.0, 0.0)),
        ("usual", numbers.row(len, 24.0, -3.0, 0.0)),
        ("wide", numbers.row(len, 200.0, 10.0, 0.0)),
        ("far", numbers.row(len, 16.0, 10_000.0, 0.0)),
        ("far below", numbers.row(len, 16.0, -9_999.0, 0.0)),
        ("masked", numbers.row(len, 16.0, 2.0, 0.95)),
        ("one-hot", one_hot),
        ("certain", certain),
    ]
}

#[test]
fn long_rows_keep_the_promised_accuracy() {
    for (what, z) in long_rows(LONGEST) {
        let (want, p) = (oracle::logsumexp(&z), oracle::softmax(&z));
        let entropy = oracle::entropy(&p);
        let ranking = &oracle::ranking(&z)[..20];
        let ids: Vec<i32> = (0..300).map(|i| i * 873).collect();
        let mass: f64 = ids.iter().map(|&id| p[id as usize]).sum();
        on_every_level(|| {
            let (row, what) = (row(&z), format!("{what}, {}", level()));
            assert_near(
                row.logsumexp(),
                want,
                0.0,
                sums() * want.abs().max(1.0),
                &what,
            );
            assert_near(row.entropy(), entropy, sums(), PLAIN_SUMS, &what);
            assert_near(row.mass(&ids).expect("ids"), mass, sums(), 1e-60, &what);
            assert_eq!(top_ids(&z, 20), ranking, "{what}");
        });
    }
}

#[test]
fn long_pairs_keep_the_promised_accuracy() {
    let mut numbers = Numbers::new(5);
    for (what, a) in long_rows(100_003) {
        for (noise, shift) in [(4.0, 0.0), (0.3, 1.7), (1e-2, -0.6)] {
            let b: Vec<f32> = a
                .iter()
                .map(|x| x + shift + noise * numbers.half())
                .collect();
            let (p, q) = (oracle::softmax(&a), oracle::softmax(&b));
            let jsd: f64 = oracle::jsd_terms(&p, &q).iter().sum();
            let form = oracle::top_k_form(&a, &b, 20);
            on_every_level(|| {
                let what = format!("{what}, noise {noise}, {}", level());
                let (got, forms) = pair_at(&a, &b, &[20]);
                let close = |got, want| assert_near(got, want, sums(), PLAIN_SUMS, &what);
                close(got.jsd, jsd);
                close(got.kl_pq, oracle::kl(&p, &q));
                close(got.kl_qp, oracle::kl(&q, &p));
                close(got.total_variation, oracle::total_variation(&p, &q));
                close(forms[0].partial, form[1]);
                close(forms[0].lower, form[2]);
                close(forms[0].upper, form[3]);
            });
        }
    }
}

/// The oracle's sums cancel where rows all but agree; the scalar level's do not, so it judges here.
#[test]
fn rows_that_all_but_agree_keep_the_digits_of_their_divergence() {
    let mut numbers = Numbers::new(3);
    for (noise, shift) in [
        (1e-2f32, 0.0f32),
        (1e-3, 0.4),
        (1e-4, 0.0),
        (1e-5, -3.3),
        (1e-5, 0.1),
    ] {
        let a = numbers.row(50_001, 18.0, 1.0, 0.0);
        let b: Vec<f32> = a
            .iter()
            .map(|x| x + shift + noise * numbers.half())
            .collect();
        let exact = Pair::new_at(&a, &b, SimdLevel::Scalar).expect("valid");
        let mut forms = [Default::default()];
        let want = exact
            .measure(&[20], &mut forms, &mut Default::default())
            .expect("valid");
        on_every_level(|| {
            let what = format!("noise {noise}, shift {shift}, {}", level());
            let (got, top) = pair_at(&a, &b, &[20]);
            let close = |got, want| assert_near(got, want, F32_KERNELS, 1e-28, &what);
            close(got.jsd, want.jsd);
            close(got.kl_pq, want.kl_pq);
            close(got.kl_qp, want.kl_qp);
            close(got.total_variation, want.total_variation);
            close(top[0].partial, forms[0].partial);
            close(top[0].lower, forms[0].lower);
            close(top[0].upper, forms[0].upper);
            assert_eq!(pair(&a, &a).jsd, 0.0);
        });
    }
}

/// Two units in the last place of an `f32`, which the exponential of the vector kernels may be off by.
const EXPONENTIAL: f64 = 2.4e-7;

#[test]
fn single_exponentials_are_right_over_the_whole_range() {
    for max in [0.0f32, 7.37, -63.1, 9_999.9] {
        let z: Vec<f32> = (0..20_000).map(|i| max - i as f32 * 0.0076).collect();
        let sum: f64 = z
            .iter()
            .map(|&x| (f64::from(x) - f64::from(max)).exp())
            .sum();
        on_every_level(|| {
            // Its sum is common to all and good to 1e-6; what is left is the exponential's own.
            let row = row(&z);
            let scale = (row.logsumexp() - f64::from(max)).exp() / sum;
            for id in (0..z.len()).step_by(7) {
                let want = (f64::from(z[id]) - f64::from(max)).exp() / sum;
                let got = row.mass(&[id as i32]).expect("an id") * scale;
                assert_near(
                    got,
                    want,
                    EXPONENTIAL,
                    0.0,
                    &format!("{} by {}", z[id], level()),
                );
            }
        });
    }
}

#[test]
fn a_row_may_start_anywhere() {
    let z = Numbers::new(9).row(2000, 12.0, 0.0, 0.1);
    on_every_level(|| {
        for start in 0..17 {
            let (moved, copy) = (&z[start..start + 700], z[start..start + 700].to_vec());
            assert_eq!(row(moved).logsumexp(), row(&copy).logsumexp());
            assert_eq!(pair(moved, &copy).total_variation, 0.0);
        }
    });
}

#[test]
fn a_faulty_logit_is_found_wherever_it_is() {
    on_every_level(|| {
        for len in [1, 15, 64, 129, 400] {
            for column in 0..len {
                for bad in [f32::NAN, -f32::NAN, f32::INFINITY] {
                    for around in [0.5, MASKED, f32::MAX] {
                        let mut z = vec![around; len];
                        z[column] = bad;
                        let error = Row::new_at(&z, level()).expect_err("a faulty logit");
                        let place = (error.code(), error.column());
                        assert_eq!(place, ("not_finite", Some(column)), "{len} {bad} {around}");
                    }
                }
            }
        }
    });
}

#[test]
fn rising_falling_and_tied_rows() {
    let rising: Vec<f32> = (0..1000).map(|i| i as f32 * 0.01).collect();
    let falling: Vec<f32> = rising.iter().rev().copied().collect();
    let tied: Vec<f32> = (0..1000).map(|i| (i % 7) as f32).collect();
    for z in [rising, falling, tied] {
        let (want, ranking) = (oracle::logsumexp(&z), oracle::ranking(&z));
        on_every_level(|| {
            assert_near(row(&z).logsumexp(), want, sums(), 0.0, "logsumexp");
            for k in [1, 20, 500, 1000] {
                assert_eq!(top_ids(&z, k), ranking[..k]);
            }
            for id in [0, 1, 499, 999] {
                let larger = z.iter().filter(|&&x| x > z[id]).count();
                let target = row(&z).target(id as i32).expect("an id");
                assert_eq!(target.rank as usize, larger + 1);
            }
        });
    }
}

#[test]
fn the_lowest_finite_logit_masks_as_well() {
    // What other programs write where this one expects -inf.
    let mut a = Numbers::new(2).row(300, 8.0, 0.0, 0.0);
    let mut b = Numbers::new(4).row(300, 8.0, 0.0, 0.0);
    for i in (0..300).step_by(2) {
        (a[i], b[i]) = (f32::MIN, f32::MIN);
    }
    let only = |z: &[f32]| z.iter().skip(1).step_by(2).copied().collect::<Vec<_>>();
    on_every_level(|| {
        let (with, without) = (pair(&a, &b), pair(&only(&a), &only(&b)));
        assert_near(with.jsd, without.jsd, sums(), 0.0, "JSD");
        assert_near(with.kl_pq, without.kl_pq, sums(), 0.0, "KL");
        assert_eq!(row(&a).mass(&[0, 2]), Ok(0.0));
        // On one side only it costs what its distance says.
        let mut c = b.clone();
        c[0] = 0.0;
        assert!(pair(&c, &a).kl_pq > 1e34 && pair(&c, &a).kl_pq.is_finite());
        c[1] = MASKED;
        assert_eq!(pair(&b, &c).kl_pq, f64::INFINITY);
    });
}

#[test]
fn any_number_of_threads_gives_the_same_numbers() {
    let (rows, vocab) = (9, 50_000);
    let mut numbers = Numbers::new(21);
    let a = numbers.row(rows * vocab, 10.0, 0.0, 0.0);
    let b = numbers.row(rows * vocab, 10.0, 0.0, 0.0);
    let groups = TokenGroups::new(&[1, 5, 9], &[0, 2, 3], vocab).expect("valid");
    let targets: Vec<i32> = (0..rows as i32).collect();
    let measure = |execution: Execution| {
        let mut numbers = [
            vec![0.0; rows],
            vec![0.0; 2 * rows],
            vec![0.0; rows],
            vec![0.0; rows],
        ];
        let mut ids = vec![0; 3 * rows];
        let [entropy, masses, jsd, lower] = &mut numbers;
        let request = RowRequest {
            groups,
            targets: Some(&targets),
            top_k: 3,
        };
        let mut columns = RowColumns {
            entropy: Some(entropy),
            masses: Some(masses),
            top_k_ids: Some(&mut ids),
            ..RowColumns::default()
        };
        let top = &mut TopK::new();
        row_metrics_on(execution, &a, vocab, &request, &mut columns, top).expect("valid");
        let request = PairRequest {
            top_k: &[5],
            ..PairRequest::default()
        };
        let mut columns = PairColumns {
            jsd: Some(jsd),
            lower: Some(lower),
            ..PairColumns::default()
        };
        let workspace = &mut PairWorkspace::default();
        pair_metrics_on(
            execution,
            (&a, &b),
            vocab,
            &request,
            &mut columns,
            workspace,
        )
        .expect("valid");
        (numbers, ids)
    };
    for level in available_levels()
        .into_iter()
        .filter(|&level| level != SimdLevel::Scalar)
    {
        let on = |threads| {
            measure(Execution {
                level: Some(level),
                threads,
            })
        };
        let one = on(1);
        for threads in [2, 3, 8, 10_000] {
            assert_eq!(on(threads), one, "{threads} threads, {level}");
        }
    }
}

#[test]
fn threads_report_the_first_faulty_row() {
    let (rows, vocab) = (8, 1 << 17);
    let mut z = vec![0.0; rows * vocab];
    (z[3 * vocab + 7], z[6 * vocab]) = (f32::NAN, f32::NAN);
    let request = RowRequest {
        groups: TokenGroups::none(),
        targets: None,
        top_k: 0,
    };
    for threads in [0, 1, 2, 5, 8] {
        let execution = Execution {
            threads,
            ..Execution::default()
        };
        let columns = &mut RowColumns::default();
        let failed = row_metrics_on(execution, &z, vocab, &request, columns, &mut TopK::new());
        let error = failed.expect_err("a faulty row or no thread");
        let place = (error.code(), error.row(), error.column());
        match threads {
            0 => assert_eq!(place, ("bad_argument", None, None)),
            _ => assert_eq!(place, ("not_finite", Some(3), Some(7))),
        }
    }
}
