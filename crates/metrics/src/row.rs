//! The metrics of one row of logits.
//!
//! [`Row::new`] reads the row once for its faults and maximum and once for its sums; everything else is asked of it
//! afterwards. The largest logit is kept out of the sums (`S = 1 + rest`), so that `ln S = ln_1p(rest)` stays exact to
//! the last digits when one token holds nearly all probability.

use crate::error::{ErrorCode, MetricsError, Result};
use crate::groups::check_id;
use crate::kernel::{self, ExpSums, Scan, Side};
use crate::shape;
use crate::topk::TopK;

/// One row of logits, checked, with its softmax `p`.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    z: &'a [f32],
    scan: Scan,
    /// Sums over all tokens but `scan.argmax`.
    rest: ExpSums,
}

/// How a row stands to one token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// The natural logarithm of the token's probability: 0 or less, -inf for a masked token.
    pub logprob: f64,
    /// 1 + the number of strictly larger logits.
    pub rank: u32,
}

impl<'a> Row<'a> {
    /// Checks a row of logits and computes what its metrics share.
    ///
    /// # Errors
    /// `empty_input` for no logits, `bad_argument` for more than `i32::MAX` of them, `not_finite` with the column for
    /// NaN or +inf, `all_masked` when every logit is -inf.
    pub fn new(z: &'a [f32]) -> Result<Self> {
        shape::row_count(z.len(), z.len())?;
        let scan = kernel::scan(z);
        if let Some(column) = scan.bad_column {
            let kind = if z[column].is_nan() { "NaN" } else { "+inf" };
            return Err(MetricsError::new(
                ErrorCode::NotFinite,
                format!("a logit is {kind}"),
                "only -inf may stand for a masked token; look for the cause where the logits are made",
            )
            .at_column(column));
        }
        if scan.max == f32::NEG_INFINITY {
            return Err(MetricsError::new(
                ErrorCode::AllMasked,
                "every logit is -inf, so there is no distribution",
                "leave at least one token unmasked",
            ));
        }
        let rest = kernel::exp_sums(&z[..scan.argmax], scan.max)
            + kernel::exp_sums(&z[scan.argmax + 1..], scan.max);
        Ok(Self { z, scan, rest })
    }

    /// The number of logits.
    pub fn vocab(&self) -> usize {
        self.z.len()
    }

    /// `ln sum exp(z)`, in nats.
    pub fn logsumexp(&self) -> f64 {
        f64::from(self.scan.max) + self.log_sum()
    }

    /// The entropy `-sum p ln p` in nats: from 0 (never -0) to `ln vocab`.
    pub fn entropy(&self) -> f64 {
        // ln S - sum(d e^d) / S with d = z - max <= 0: both parts are 0 or more, so nothing cancels.
        self.log_sum() - self.rest.weighted / self.sum()
    }

    /// The token with the largest logit; of equal ones the lowest id.
    pub fn argmax(&self) -> i32 {
        self.scan.argmax as i32
    }

    /// By how much the largest logit exceeds the next: 0 for a tie, infinite when no other token is unmasked.
    pub fn margin(&self) -> f64 {
        f64::from(self.scan.max) - f64::from(self.scan.runner_up)
    }

    /// The probability of a logit of this row, in [0, 1].
    pub(crate) fn probability(&self, logit: f32) -> f64 {
        (f64::from(logit) - f64::from(self.scan.max)).exp() / self.sum()
    }

    /// The probability mass of a group of distinct token ids, in [0, 1]; 0 for an empty group.
    ///
    /// # Errors
    /// `out_of_range` for an id outside the vocabulary.
    pub fn mass(&self, ids: &[i32]) -> Result<f64> {
        let mut mass = 0.0;
        for &id in ids {
            let column = self.column(id, "a token group holds an id outside the vocabulary")?;
            mass += self.probability(self.z[column]);
        }
        // A group of all tokens may sum to 1 and a few roundings; nothing else is cut here.
        Ok(mass.min(1.0))
    }

    /// The log-probability and the rank of a token.
    ///
    /// # Errors
    /// `out_of_range` for an id outside the vocabulary.
    pub fn target(&self, id: i32) -> Result<Target> {
        let logit = self.z[self.column(id, "the target lies outside the vocabulary")?];
        Ok(Target {
            logprob: (f64::from(logit) - f64::from(self.scan.max)) - self.log_sum(),
            // At most vocab - 1 others are larger, and a vocabulary fits an i32.
            rank: kernel::count_larger(self.z, logit) as u32 + 1,
        })
    }

    /// Selects the row's `k` most probable tokens into `top`: `min(k, vocab)` of them, the lower id first among equals.
    ///
    /// # Errors
    /// `bad_argument` for a `k` of 0.
    pub fn top_k(&self, k: usize, top: &mut TopK) -> Result<()> {
        shape::top_k(k)?;
        top.select(self.z, k);
        Ok(())
    }

    pub(crate) fn logits(&self) -> &'a [f32] {
        self.z
    }

    pub(crate) fn side(&self) -> Side {
        Side {
            max: f64::from(self.scan.max),
            log_sum: self.log_sum(),
            sum: self.sum(),
        }
    }

    fn column(&self, id: i32, what: &'static str) -> Result<usize> {
        check_id(id, self.z.len(), what)
    }

    /// `sum exp(z - max)`; 1 or more.
    fn sum(&self) -> f64 {
        1.0 + self.rest.exp
    }

    /// `ln sum exp(z - max)`; 0 or more.
    fn log_sum(&self) -> f64 {
        self.rest.exp.ln_1p()
    }
}
