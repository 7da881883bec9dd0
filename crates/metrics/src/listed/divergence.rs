//! The Jensen-Shannon divergence of two rows of which only some tokens are known.
//!
//! With `f(p, q)` the term of one token, the divergence is the sum of f over the vocabulary. Tokens that are in both
//! lists give it exactly. From above, everything else lies as far apart as it can: on different tokens. From below, it is
//! shared as evenly as the lists allow; f lies above each of its tangent planes, `f(p, q) >= p g + q h`, and any of
//! them gives a bound that holds, so the search for the best one needs no proof of its own.

use std::f64::consts::LN_2;

use super::row::{Bounds, ListedRow, ROUNDING};
use crate::simd::scalar::jsd_term;

/// The slopes that are tried, as natural logarithms of q/p, and how often the best of them is made better.
const WIDEST: f64 = 40.0;
const TRIED: u32 = 160;
const REFINED: u32 = 50;

/// The divergence `(KL(p||m) + KL(q||m)) / 2` with `m = (p + q) / 2`, in nats: bounds in [0, ln 2]. The keys of both rows are
/// of one vocabulary.
pub fn listed_jsd(p: &ListedRow<'_>, q: &ListedRow<'_>) -> Bounds {
    let lists = Lists::new(p, q);
    Bounds {
        lower: (lists.common_least + lists.lower() - ROUNDING).max(0.0),
        upper: (lists.common_most + lists.upper() + ROUNDING).clamp(0.0, LN_2),
    }
}

/// The two lists sorted by what is known of a token.
struct Lists {
    /// The terms of tokens that are in both.
    common_least: f64,
    common_most: f64,
    /// Probabilities in one list of tokens that are not in the other; there they are no likelier than `most`.
    only_p: Vec<f64>,
    only_q: Vec<f64>,
    rest_p: Bounds,
    rest_q: Bounds,
    most_p: f64,
    most_q: f64,
    error: f64,
    /// What both have beside the common tokens, at most.
    beside: f64,
}

impl Lists {
    fn new(p: &ListedRow<'_>, q: &ListedRow<'_>) -> Self {
        let error = p.error.max(q.error);
        let (mut common_least, mut common_most) = (0.0, 0.0);
        let (mut only_p, mut beside_p, mut beside_q) = (Vec::new(), 1.0, 1.0);
        for (key, z) in p.tokens() {
            let own = z.exp();
            let Some(z_other) = q.log_prob(key) else {
                only_p.push(own);
                continue;
            };
            let other = z_other.exp();
            let term = jsd_term(own, other);
            let slack = largest_shift(own + other, error);
            common_least += term - slack;
            common_most += term + slack;
            beside_p -= (z - p.error).exp();
            beside_q -= (z_other - q.error).exp();
        }
        let unmatched = q.tokens().filter(|&(key, _)| p.log_prob(key).is_none());
        Self {
            common_least,
            common_most,
            only_p,
            only_q: unmatched.map(|(_, z)| z.exp()).collect(),
            rest_p: p.rest,
            rest_q: q.rest,
            most_p: p.most,
            most_q: q.most,
            error,
            beside: f64::max(beside_p, 0.0) + f64::max(beside_q, 0.0),
        }
    }

    /// Of everything but the common tokens: none has a probability in both rows.
    fn upper(&self) -> f64 {
        0.5 * self.beside * LN_2
    }

    /// Of everything but the common tokens: the best of the planes that were tried.
    fn lower(&self) -> f64 {
        let step = 2.0 * WIDEST / f64::from(TRIED);
        let tried = (0..=TRIED).map(|at| -WIDEST + step * f64::from(at));
        let mut best = tried.fold((0.0, f64::NEG_INFINITY), |best: (f64, f64), slope| {
            let bound = self.plane(slope);
            if bound > best.1 {
                (slope, bound)
            } else {
                best
            }
        });
        let mut width = step;
        for _ in 0..REFINED {
            width *= 0.5;
            for slope in [best.0 - width, best.0 + width] {
                let bound = self.plane(slope);
                if bound > best.1 {
                    best = (slope, bound);
                }
            }
        }
        best.1
    }

    /// The bound by the plane that touches f where q/p is `exp(slope)`.
    fn plane(&self, slope: f64) -> f64 {
        let ratio = slope.exp();
        let (g, h) = (
            0.5 * (LN_2 - ratio.ln_1p()),
            0.5 * (LN_2 - (-slope).exp().ln_1p()),
        );
        // Of a token with p known, the q in [0, most] that leaves least above the plane; and the other way round.
        let over = |own: f64, even: f64, most: f64, price: f64| {
            let other = even.min(most);
            jsd_term(own, other) - other * price - largest_shift(own + other, self.error)
        };
        let of_p = self
            .only_p
            .iter()
            .map(|&p| over(p, p * ratio, self.most_q, h));
        let of_q = self
            .only_q
            .iter()
            .map(|&q| over(q, q / ratio, self.most_p, g));
        let rest = |bounds: Bounds, price: f64| {
            price
                * if price < 0.0 {
                    bounds.upper
                } else {
                    bounds.lower
                }
        };
        of_p.sum::<f64>() + of_q.sum::<f64>() + rest(self.rest_p, g) + rest(self.rest_q, h)
    }
}

/// By how much a term may move where its probabilities, `both` together, are off by factors of up to `exp(error)`.
///
/// Its slope in `ln p` is `p/2 ln(2p / (p + q))`: of a size of `p/2 ln 2` at most where p is the larger one, and below
/// `(p + q) / (4 e)` where it is the smaller. Both slopes together are below `(p + q) ln 2`, on the way to the right
/// probabilities too, which are at most `exp(error)` times as large.
fn largest_shift(both: f64, error: f64) -> f64 {
    both * error * error.exp() * LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logs(p: &[f64]) -> Vec<f64> {
        p.iter().map(|p| p.ln()).collect()
    }

    /// The K likeliest tokens of a distribution.
    fn list(p: &[f64], k: usize) -> (Vec<i32>, Vec<f64>) {
        let mut ids: Vec<i32> = (0..p.len() as i32).collect();
        ids.sort_by(|&a, &b| p[b as usize].total_cmp(&p[a as usize]));
        ids.truncate(k);
        let z = ids.iter().map(|&id| p[id as usize].ln()).collect();
        (ids, z)
    }

    fn bounds_of(p: &[f64], q: &[f64], k: usize) -> Bounds {
        let ((a, x), (b, y)) = (list(p, k), list(q, k));
        let p = ListedRow::new(&a, &x, x[k - 1], 0.0).unwrap();
        let q = ListedRow::new(&b, &y, y[k - 1], 0.0).unwrap();
        listed_jsd(&p, &q)
    }

    fn jsd(p: &[f64], q: &[f64]) -> f64 {
        p.iter().zip(q).map(|(&p, &q)| jsd_term(p, q)).sum()
    }

    #[test]
    fn whole_lists_leave_nothing_open() {
        let (p, q) = ([0.5, 0.25, 0.25], [0.25, 0.5, 0.25]);
        let bounds = bounds_of(&p, &q, 3);
        assert!(bounds.upper - bounds.lower < 1e-12);
        assert!((bounds.lower - jsd(&p, &q)).abs() < 1e-12);
    }

    #[test]
    fn lists_of_different_tokens_are_far_apart_unless_the_tail_may_hold_them() {
        // Of the unlisted tokens none has more than 0.1, so that 0.9 of p cannot be met.
        let z = logs(&[0.9]);
        let p = ListedRow::new(&[1], &z, z[0], 0.0).unwrap();
        let q = ListedRow::new(&[2], &z, z[0], 0.0).unwrap();
        let bounds = listed_jsd(&p, &q);
        assert!((bounds.upper - LN_2).abs() < 1e-12);
        // Met as far as it can: p and q each give the other's token all that they have left.
        let least = jsd(&[0.9, 0.1], &[0.1, 0.9]);
        assert!(
            (bounds.lower - least).abs() < 1e-9,
            "{} {least}",
            bounds.lower
        );
    }

    #[test]
    fn the_lower_bound_is_met_by_a_distribution_with_these_lists() {
        // Of 0, 1 and 2 both rows are known; p alone of 3, q alone of 4; the rest is evenly spread.
        let most_p: f64 = 0.05;
        let most_q: f64 = 0.02;
        let (p, q) = ([0.3, 0.2, 0.1, 0.08], [0.2, 0.3, 0.15, 0.11]);
        let p_row_logs = logs(&p);
        let q_row_logs = logs(&q);
        let row_p = ListedRow::new(&[0, 1, 2, 3], &p_row_logs, most_p.ln(), 0.0).unwrap();
        let row_q = ListedRow::new(&[0, 1, 2, 4], &q_row_logs, most_q.ln(), 0.0).unwrap();
        let bounds = listed_jsd(&row_p, &row_q);
        // Whatever the unlisted probabilities of 3 and 4, and with the rest in proportion, the divergence is no less; and
        // the least over a fine grid of them comes near.
        let common: f64 = (0..3).map(|i| jsd_term(p[i], q[i])).sum();
        let (rest_p, rest_q) = (1.0 - p.iter().sum::<f64>(), 1.0 - q.iter().sum::<f64>());
        let mut least = f64::INFINITY;
        for i in 0..=400 {
            for j in 0..=400 {
                let x = most_q * f64::from(i) / 400.0;
                let y = most_p * f64::from(j) / 400.0;
                let found = common
                    + jsd_term(p[3], x)
                    + jsd_term(y, q[3])
                    + jsd_term(rest_p - y, rest_q - x);
                least = least.min(found);
            }
        }
        assert!(
            least >= bounds.lower - 1e-12,
            "{least} below {}",
            bounds.lower
        );
        assert!(
            least - bounds.lower < 1e-5,
            "{least} far above {}",
            bounds.lower
        );
    }

    #[test]
    fn both_orders_give_the_same() {
        let (p, q) = ([0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]);
        let (one, other) = (bounds_of(&p, &q, 2), bounds_of(&q, &p, 2));
        assert!((one.lower - other.lower).abs() < 1e-12 && (one.upper - other.upper).abs() < 1e-12);
    }

    #[test]
    fn a_probability_of_0_is_one() {
        let bounds = bounds_of(&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], 2);
        assert!((bounds.lower - LN_2).abs() < 1e-12 && (bounds.upper - LN_2).abs() < 1e-12);
    }
}
