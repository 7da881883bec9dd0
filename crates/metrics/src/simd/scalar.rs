//! The reference: plain Rust on every machine, exponentials and logarithms in `f64`, sums in blocks.
//!
//! Block sums add up in `f64`, so that a sum's rounding error grows with `BLOCK + len / BLOCK` and not with `len`. What
//! the vector kernels cannot judge comes here: rows with NaN, +inf or logits beyond a million, and blocks of a pair in which
//! one side masks a token and the other does not.

use super::sums::{Care, ExpSums, PairSums, Side, Swept};
use crate::kernel::BLOCK;
use crate::topk::TopK;
use std::ops::Add;

/// `exp` of this is exactly 0, and, unlike -inf, it gives 0 and not NaN when multiplied with that 0.
const EXP_IS_ZERO: f64 = -800.0;

/// The first column that holds NaN or +inf.
pub(crate) fn bad_column(z: &[f32]) -> Option<usize> {
    z.iter()
        .position(|&logit| logit.is_nan() || logit == f32::INFINITY)
}

/// Sweeps a row: `None` for one with NaN or +inf. `top` must have begun.
pub(crate) fn sweep(z: &[f32], target: Option<f32>, top: Option<&mut TopK>) -> Option<Swept> {
    if bad_column(z).is_some() {
        return None;
    }
    let (mut max, mut argmax) = (f32::NEG_INFINITY, 0);
    for (column, &logit) in z.iter().enumerate() {
        if logit > max {
            (max, argmax) = (logit, column);
        }
    }
    let (before, after) = z.split_at(argmax);
    if let Some(top) = top {
        gather(z, top);
    }
    Some(Swept {
        max,
        argmax,
        rest: exp_sums(before, max) + exp_sums(after.get(1..).unwrap_or(&[]), max),
        larger: target.map_or(0, |target| count_larger(z, target)),
    })
}

/// Offers `top`, which must have begun, every logit that may be one of its K.
pub(super) fn gather(z: &[f32], top: &mut TopK) {
    for (id, &logit) in (0i32..).zip(z) {
        if logit > top.bar() {
            top.offer(id, logit);
        }
    }
}

/// The sums that logsumexp and entropy are made of.
pub(crate) fn exp_sums(z: &[f32], max: f32) -> ExpSums {
    let max = f64::from(max);
    let block_sums = z.chunks(BLOCK).map(|block| {
        block.iter().fold(ExpSums::default(), |sums, &logit| {
            let d = (f64::from(logit) - max).max(EXP_IS_ZERO);
            let e = d.exp();
            sums + ExpSums {
                exp: e,
                weighted: d * e,
            }
        })
    });
    block_sums.fold(ExpSums::default(), ExpSums::add)
}

/// How many logits are strictly larger than `than`.
pub(crate) fn count_larger(z: &[f32], than: f32) -> usize {
    z.iter().filter(|&&logit| logit > than).count()
}

/// The sums that every divergence of a pair is made of, over all columns but those of `skip`, which rise. Both rows are
/// equally long. Always exact.
pub(crate) fn pair_sums(
    (a, side_a): (&[f32], Side),
    (b, side_b): (&[f32], Side),
    skip: &[usize],
    _: Care,
) -> PairSums {
    let mut total = PairSums::default();
    let mut next = 0;
    for &column in skip.iter().chain([&a.len()]) {
        total = total + run_sums((&a[next..column], side_a), (&b[next..column], side_b));
        next = column + 1;
    }
    total
}

fn run_sums((a, side_a): (&[f32], Side), (b, side_b): (&[f32], Side)) -> PairSums {
    let block_sums = a.chunks(BLOCK).zip(b.chunks(BLOCK)).map(|(a, b)| {
        a.iter().zip(b).fold(PairSums::default(), |sums, (&x, &y)| {
            sums + token_terms(x, side_a, y, side_b)
        })
    });
    block_sums.fold(PairSums::default(), PairSums::add)
}

/// The terms of one token.
pub(crate) fn token_terms(x: f32, side_a: Side, y: f32, side_b: Side) -> PairSums {
    let da = f64::from(x) - side_a.max;
    let db = f64::from(y) - side_b.max;
    let p = da.exp() / side_a.sum;
    let q = db.exp() / side_b.sum;
    // ln(q / p). The differences of logits are exact or nearly so; only the small logarithms of sums are rounded.
    let log_ratio = (db - da) - (side_b.log_sum - side_a.log_sum);
    PairSums {
        jsd: jsd_term(p, q),
        kl_pq: kl_term(p, q, log_ratio, x == f32::NEG_INFINITY),
        kl_qp: kl_term(q, p, -log_ratio, y == f32::NEG_INFINITY),
        distance: (p - q).abs(),
        excess: p - q,
        p,
        q,
    }
}

/// `(p ln(p/m) + q ln(q/m)) / 2` with `m = (p + q) / 2`, without the cancellation of its two parts.
///
/// With `s = |p - q| / (p + q)` the term is `m/2 ((1+s) ln(1+s) + (1-s) ln(1-s)) = m/2 (ln(1 - s^2) + 2 s atanh s)`.
/// The two summands of the latter are about `-s^2` and `2 s^2`, so that no more than a binary digit or two get lost,
/// however close p and q are. It is the form for a small s; for a large one `1 - s` is what loses digits, and the
/// definition as it stands is exact. Equal p and q give exactly 0, and p and q may be swapped without changing a bit.
pub(crate) fn jsd_term(p: f64, q: f64) -> f64 {
    let total = p + q;
    if total == 0.0 {
        return 0.0;
    }
    let s = (p - q).abs() / total;
    if s < 0.5 {
        return 0.25 * total * ((-s * s).ln_1p() + 2.0 * s * s.atanh());
    }
    let (more, less) = (p.max(q), p.min(q));
    let more_part = more * (2.0 * more / total).ln();
    let less_part = if less == 0.0 {
        0.0
    } else {
        less * (2.0 * less / total).ln()
    };
    0.5 * (more_part + less_part)
}

/// `p ln(p/q) - p + q`: a term of KL(p||q) plus a part that sums to 0 over all tokens and makes each term 0 or more.
///
/// `log_ratio` is `ln(q/p)`; `masked` says that p is 0 because its token is masked, and not because it underflows.
fn kl_term(p: f64, q: f64, log_ratio: f64, masked: bool) -> f64 {
    if masked {
        return q;
    }
    if log_ratio == f64::NEG_INFINITY {
        return f64::INFINITY;
    }
    if log_ratio.abs() < 0.125 {
        return p * exp_beyond_linear(log_ratio);
    }
    (q - p) - p * log_ratio
}

/// `exp(x) - 1 - x` for `|x| <= 1/8`, by its series: cut where the next term is below 1e-17 of the sum.
fn exp_beyond_linear(x: f64) -> f64 {
    const TERMS: u32 = 11;
    let tail = (3..3 + TERMS)
        .rev()
        .fold(1.0, |tail, n| 1.0 + x / f64::from(n) * tail);
    0.5 * x * x * tail
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of a handful of `f64` operations.
    const FEW_ROUNDINGS: f64 = 1e-15;

    #[test]
    fn a_sweep_finds_the_first_maximum_and_refuses_what_is_no_logit() {
        let found =
            sweep(&[1.0, 3.0, f32::NEG_INFINITY, 3.0, 2.0], Some(1.5), None).expect("valid");
        assert_eq!((found.max, found.argmax, found.larger), (3.0, 1, 3));
        assert_eq!(bad_column(&[1.0, f32::INFINITY, f32::NAN]), Some(1));
        assert_eq!(sweep(&[f32::NAN], None, None), None);
    }

    #[test]
    fn a_masked_token_adds_nothing() {
        let sums = exp_sums(&[f32::NEG_INFINITY, 0.0], 0.0);
        assert_eq!((sums.exp, sums.weighted), (1.0, 0.0));
    }

    #[test]
    fn exp_beyond_linear_meets_the_direct_form_where_that_is_exact_enough() {
        for x in [-0.125f64, -0.1, 0.1, 0.125] {
            let direct = x.exp_m1() - x;
            // The direct form itself loses four binary digits here.
            assert!((exp_beyond_linear(x) / direct - 1.0).abs() < 16.0 * FEW_ROUNDINGS);
        }
        assert_eq!(exp_beyond_linear(0.0), 0.0);
        assert!((exp_beyond_linear(1e-9) / 0.5e-18 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn jsd_term_is_right_at_its_ends() {
        assert_eq!(jsd_term(0.0, 0.0), 0.0);
        assert_eq!(jsd_term(0.3, 0.3), 0.0);
        assert!((jsd_term(1.0, 0.0) - 0.5 * std::f64::consts::LN_2).abs() < FEW_ROUNDINGS);
        // A millionth against the whole, where 1 - s alone would have lost six digits.
        let whole = 1.0f64 / (1.0 + 1e-6);
        let direct = 0.5 * ((2.0 * whole).ln() + 1e-6 * (2e-6 * whole).ln());
        assert!((jsd_term(1.0, 1e-6) / direct - 1.0).abs() < FEW_ROUNDINGS);
        // m s^2 / 2 for a small s.
        let (p, q) = (0.5 + 1e-9, 0.5 - 1e-9);
        let s = p - q;
        assert!((jsd_term(p, q) / (0.25 * s * s) - 1.0).abs() < 1e-12);
    }
}
