//! The crate against a second opinion, on rows of many sizes and shapes.

mod common;

use common::measure::{on_every_level, pair_at, row, sums, top_ids};
use common::random::Numbers;
use common::{assert_near, oracle};

/// What the plain formulas of the oracle lose where their terms of up to 1 cancel.
const CANCELLATION: f64 = 1e-13;

fn rows() -> impl Iterator<Item = Vec<f32>> {
    let mut numbers = Numbers::new(7);
    // Around the ends of blocks: 32, 64 and 128 logits in vectors, 1024 in `f64`.
    let lengths = [
        1, 2, 3, 31, 33, 64, 127, 128, 129, 300, 1023, 1024, 1025, 5000,
    ];
    let shapes = [
        (8.0, 0.0, 0.0),
        (0.001, 0.0, 0.0),
        (300.0, -50.0, 0.0),
        (8.0, 10_000.0, 0.2),
        (20.0, 3.0, 0.9),
    ];
    lengths.into_iter().flat_map(move |len| {
        shapes.map(|(spread, offset, masked)| numbers.row(len, spread, offset, masked))
    })
}

#[test]
fn rows_agree() {
    on_every_level(|| {
        for z in rows() {
            let what = format!("{} logits from {}", z.len(), z[0]);
            let (row, p) = (row(&z), oracle::softmax(&z));
            assert_near(
                row.logsumexp(),
                oracle::logsumexp(&z),
                sums(),
                sums(),
                &what,
            );
            assert_near(
                row.entropy(),
                oracle::entropy(&p),
                sums(),
                CANCELLATION,
                &what,
            );
            let ranking = oracle::ranking(&z);
            for k in [1, 2, 20, z.len()] {
                assert_eq!(top_ids(&z, k), ranking[..k.min(z.len())], "{what}, top {k}");
            }
            assert_eq!(row.argmax(), ranking[0], "{what}");
            let second = ranking
                .get(1)
                .map_or(f32::NEG_INFINITY, |&id| z[id as usize]);
            assert_eq!(
                row.margin(),
                f64::from(z[ranking[0] as usize]) - f64::from(second)
            );
            let thirds: Vec<i32> = (0..z.len() as i32).step_by(3).collect();
            let mass: f64 = p.iter().step_by(3).sum();
            assert_near(row.mass(&thirds).expect("ids"), mass, sums(), 0.0, &what);
            for id in [0, z.len() / 2, z.len() - 1] {
                let target = row.target(id as i32).expect("an id");
                assert_near(target.logprob.exp(), p[id], sums(), 0.0, &what);
                let larger = z.iter().filter(|&&x| x > z[id]).count();
                assert_eq!(target.rank as usize, larger + 1, "{what}");
            }
        }
    });
}

#[test]
fn pairs_agree() {
    on_every_level(|| {
        let all: Vec<_> = rows().collect();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            if a.len() != b.len() {
                continue;
            }
            let what = format!("{} logits from {} and {}", a.len(), a[0], b[0]);
            let (p, q) = (oracle::softmax(a), oracle::softmax(b));
            let ks = [20, 1, 5, a.len(), 2 * a.len()];
            let (got, top_k) = pair_at(a, b, &ks);
            let close = |got, want| assert_near(got, want, sums(), CANCELLATION, &what);
            close(got.jsd, oracle::jsd_terms(&p, &q).iter().sum());
            close(got.kl_pq, oracle::kl(&p, &q));
            close(got.kl_qp, oracle::kl(&q, &p));
            close(got.total_variation, oracle::total_variation(&p, &q));
            for (k, form) in ks.iter().zip(&top_k) {
                let [size, partial, lower, upper] = oracle::top_k_form(a, b, *k);
                assert_eq!(f64::from(form.union_size), size, "{what}, top {k}");
                close(form.partial, partial);
                close(form.lower, lower);
                close(form.upper, upper);
            }
        }
    });
}
