//! What the kernels hand back: sums and extremes of a row or of two, before any metric is made of them.

use std::ops::Add;

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

/// What one sweep of a row finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Swept {
    /// The largest logit; -inf when every token is masked.
    pub max: f32,
    /// The lowest column that holds `max`.
    pub argmax: usize,
    /// Sums over all columns but `argmax`, relative to `max`.
    pub rest: ExpSums,
    /// How many logits are strictly larger than the one asked for; 0 when none was.
    pub larger: usize,
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

/// How exactly the logits of a pair are to be subtracted from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Care {
    /// To within half a unit in the last place of the rows' shift against each other.
    Usual,
    /// To the last digit, for a divergence that is small against that shift.
    Exact,
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
    /// Sum of `p - q`, each difference as exact as the one in `distance`: 0 over all tokens, but for what the two
    /// `log_sum` are off against each other.
    pub excess: f64,
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
            excess: self.excess + other.excess,
            p: self.p + other.p,
            q: self.q + other.q,
        }
    }
}
