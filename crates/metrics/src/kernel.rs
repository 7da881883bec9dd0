//! The loops that touch every logit: the only code whose speed matters, and the only place to write it for a machine.
//!
//! Each function is a plain reduction over slices. This is the scalar form: exponentials and logarithms in `f64`, sums
//! in blocks, block sums added in `f64`, so that a sum's rounding error grows with `BLOCK + len / BLOCK` and not with
//! `len`. Nothing here checks its input: [`scan`] finds faulty logits before any other loop sees them.

use std::ops::Add;

/// Logits a block. Any value will do; this one keeps a block of `f32` in the first-level cache.
const BLOCK: usize = 1024;

/// `exp` of this is exactly 0, and, unlike -inf, it gives 0 and not NaN when multiplied with that 0.
const EXP_IS_ZERO: f64 = -800.0;

/// The two largest logits of a row, and what may be wrong with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scan {
    /// The largest logit; -inf when every token is masked.
    pub max: f32,
    /// The lowest column that holds `max`.
    pub argmax: usize,
    /// The largest logit outside column `argmax`; -inf when there is none.
    pub runner_up: f32,
    /// The first column that holds NaN or +inf. The other fields mean nothing then.
    pub bad_column: Option<usize>,
}

/// Finds the largest two logits, or the first logit that is NaN or +inf.
pub(crate) fn scan(z: &[f32]) -> Scan {
    let mut found = Scan {
        max: f32::NEG_INFINITY,
        argmax: 0,
        runner_up: f32::NEG_INFINITY,
        bad_column: None,
    };
    for (column, &logit) in z.iter().enumerate() {
        if logit.is_nan() || logit == f32::INFINITY {
            found.bad_column = Some(column);
            break;
        }
        if logit > found.max {
            found.runner_up = found.max;
            found.max = logit;
            found.argmax = column;
        } else if logit > found.runner_up {
            found.runner_up = logit;
        }
    }
    found
}

/// Sums over the exponentials of a slice of logits, relative to a given maximum.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ExpSums {
    /// Sum of `exp(d)` with `d = z - max`.
    pub exp: f64,
    /// Sum of `d * exp(d)`; 0 or less.
    pub weighted: f64,
}

impl Add for ExpSums {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            exp: self.exp + other.exp,
            weighted: self.weighted + other.weighted,
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

/// What turns a logit of one side of a pair into its log-probability `(z - max) - log_sum`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    /// The row's largest logit.
    pub max: f64,
    /// `ln sum exp(z - max)`; 0 or more, and small, so that nothing is lost next to a large `max`.
    pub log_sum: f64,
    /// `sum exp(z - max)`; 1 or more.
    pub sum: f64,
}

/// Sums over the tokens of a slice of two rows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct PairSums {
    /// The tokens' part of the Jensen-Shannon divergence.
    pub jsd: f64,
    /// The tokens' part of KL(p||q), in the form whose every term is 0 or more.
    pub kl_pq: f64,
    /// The tokens' part of KL(q||p), in the form whose every term is 0 or more.
    pub kl_qp: f64,
    /// Sum of `|p - q|`.
    pub distance: f64,
    /// Sum of p.
    pub p: f64,
    /// Sum of q.
    pub q: f64,
}

impl Add for PairSums {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            jsd: self.jsd + other.jsd,
            kl_pq: self.kl_pq + other.kl_pq,
            kl_qp: self.kl_qp + other.kl_qp,
            distance: self.distance + other.distance,
            p: self.p + other.p,
            q: self.q + other.q,
        }
    }
}

/// The sums that every divergence of a pair is made of. `a` and `b` are equally long.
pub(crate) fn pair_sums(a: &[f32], side_a: Side, b: &[f32], side_b: Side) -> PairSums {
    let block_sums = a.chunks(BLOCK).zip(b.chunks(BLOCK)).map(|(a, b)| {
        a.iter().zip(b).fold(PairSums::default(), |sums, (&x, &y)| {
            sums + token_terms(x, side_a, y, side_b)
        })
    });
    block_sums.fold(PairSums::default(), PairSums::add)
}

fn token_terms(x: f32, side_a: Side, y: f32, side_b: Side) -> PairSums {
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

/// The sum of a sequence of numbers, in blocks.
pub(crate) fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut total, mut block, mut in_block) = (0.0, 0.0, 0);
    for value in values {
        block += value;
        in_block += 1;
        if in_block == BLOCK {
            total += block;
            (block, in_block) = (0.0, 0);
        }
    }
    total + block
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of a handful of `f64` operations.
    const FEW_ROUNDINGS: f64 = 1e-15;

    #[test]
    fn scan_finds_the_first_maximum_and_the_runner_up() {
        let found = scan(&[1.0, 3.0, f32::NEG_INFINITY, 3.0, 2.0]);
        assert_eq!((found.max, found.argmax, found.runner_up), (3.0, 1, 3.0));
        assert_eq!(scan(&[5.0]).runner_up, f32::NEG_INFINITY);
        assert_eq!(scan(&[1.0, f32::INFINITY, f32::NAN]).bad_column, Some(1));
        assert_eq!(scan(&[f32::NAN]).bad_column, Some(0));
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

    #[test]
    fn sum_keeps_small_values_apart_from_large_totals() {
        let n = 10 * BLOCK + 7;
        let total = sum(std::iter::repeat_n(0.1, n));
        assert!((total / (0.1 * n as f64) - 1.0).abs() < 1e-13);
    }
}
