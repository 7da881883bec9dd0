//! The metrics of one row of logits.
//!
//! [`Row::new`] sweeps the row once; what else is asked of it afterwards costs a sweep where it must see every logit (a
//! target, the top K), which batches spare by asking at once. The largest logit is kept out of the sums
//! (`S = 1 + rest`), so that `ln S = ln_1p(rest)` stays exact to the last digits when one token holds nearly all
//! probability.
//!
//! Accuracy, for up to 262,144 logits of at most a million, against exact arithmetic on the same `f32` logits. At level
//! `scalar` every number is good to a relative 1e-11. At the others sums of exponentials are good to 1e-6, so that:
//!
//! | number | error at most |
//! | --- | --- |
//! | logsumexp, log-probability | 1e-6, absolute; of a nearly certain token also relative |
//! | entropy, mass, probability | 1e-6, relative; what tokens of a probability below exp(-153) add may be lost |
//! | rank, argmax, margin, top-K ids | none |

use crate::error::{ErrorCode, MetricsError, Result};
use crate::groups::check_id;
use crate::shape;
use crate::simd::{self, scalar, ExpSums, Kernels, Side, SimdLevel, Swept};
use crate::topk::TopK;

/// Logits of a group that are gathered at once to have their exponentials summed.
const GATHERED: usize = 256;

const TARGET_OUTSIDE: &str = "the target lies outside the vocabulary";

/// One row of logits, checked, with its softmax `p`.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    z: &'a [f32],
    swept: Swept,
    kernels: &'static Kernels,
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
    /// `empty_input` for no logits, `bad_argument` for more than `i32::MAX` of them or an impossible
    /// `LOGIT_AUDIT_SIMD`, `not_finite` with the column for NaN or +inf, `all_masked` when every logit is -inf.
    pub fn new(z: &'a [f32]) -> Result<Self> {
        shape::row_count(z.len(), z.len())?;
        Self::sweep(z, simd::kernels()?, true, None, None)
    }

    /// [`new`](Self::new) with kernels of one's own choice.
    ///
    /// # Errors
    /// As [`new`](Self::new); `bad_argument` for a level that this machine lacks.
    pub fn new_at(z: &'a [f32], level: SimdLevel) -> Result<Self> {
        shape::row_count(z.len(), z.len())?;
        Self::sweep(z, simd::kernels_at(level)?, true, None, None)
    }

    /// Checks a row, neither empty nor too long, and in the same sweep counts the logits above `target` and selects its
    /// top K. Without `entropy`, the row must not be asked for it.
    pub(crate) fn sweep(
        z: &'a [f32],
        kernels: &'static Kernels,
        entropy: bool,
        target: Option<f32>,
        mut top: Option<(&mut TopK, usize)>,
    ) -> Result<Self> {
        let again = top.as_mut().map(|(top, k)| (&mut **top, *k));
        let swept = match kernels.sweep(z, entropy, target, again) {
            Some(swept) => swept,
            None => Self::second_look(z, target, top)?,
        };
        if swept.max == f32::NEG_INFINITY {
            return Err(MetricsError::new(
                ErrorCode::AllMasked,
                "every logit is -inf, so there is no distribution",
                "leave at least one token unmasked",
            ));
        }
        Ok(Self { z, swept, kernels })
    }

    /// For a row that no vector kernel can judge.
    #[cold]
    fn second_look(
        z: &[f32],
        target: Option<f32>,
        top: Option<(&mut TopK, usize)>,
    ) -> Result<Swept> {
        let reference = simd::kernels_at(SimdLevel::Scalar)?;
        if let Some(swept) = reference.sweep(z, true, target, top) {
            return Ok(swept);
        }
        let column = scalar::bad_column(z).unwrap_or(0);
        let kind = if z[column].is_nan() { "NaN" } else { "+inf" };
        Err(MetricsError::new(
            ErrorCode::NotFinite,
            format!("a logit is {kind}"),
            "only -inf may stand for a masked token; look for the cause where the logits are made",
        )
        .at_column(column))
    }

    /// The number of logits.
    pub fn vocab(&self) -> usize {
        self.z.len()
    }

    /// `ln sum exp(z)`, in nats.
    pub fn logsumexp(&self) -> f64 {
        f64::from(self.swept.max) + self.log_sum()
    }

    /// The entropy `-sum p ln p` in nats: from 0 (never -0) to `ln vocab`.
    pub fn entropy(&self) -> f64 {
        // ln S - sum(d e^d) / S with d = z - max <= 0: both parts are 0 or more, so nothing cancels.
        self.log_sum() - self.swept.rest.weighted / self.sum()
    }

    /// The token with the largest logit; of equal ones the lowest id.
    pub fn argmax(&self) -> i32 {
        self.swept.argmax as i32
    }

    /// By how much the largest logit exceeds the next: 0 for a tie, infinite when no other token is unmasked.
    pub fn margin(&self) -> f64 {
        let (before, others) = self.z.split_at(self.swept.argmax);
        let others = before.iter().chain(others.iter().skip(1));
        let runner_up = others.copied().fold(f32::NEG_INFINITY, f32::max);
        f64::from(self.swept.max) - f64::from(runner_up)
    }

    /// The probability of a logit of this row, in [0, 1].
    pub(crate) fn probability(&self, logit: f32) -> f64 {
        (f64::from(logit) - f64::from(self.swept.max)).exp() / self.sum()
    }

    /// The probability mass of a group of distinct token ids, in [0, 1]; 0 for an empty group.
    ///
    /// # Errors
    /// `out_of_range` for an id outside the vocabulary.
    pub fn mass(&self, ids: &[i32]) -> Result<f64> {
        let max = self.swept.max;
        let (mut certain, mut sums) = (0u32, ExpSums::default());
        for part in ids.chunks(GATHERED) {
            let mut logits = [f32::NEG_INFINITY; GATHERED];
            for (logit, &id) in logits.iter_mut().zip(part) {
                let column = self.column(id, "a token group holds an id outside the vocabulary")?;
                *logit = self.z[column];
                // The most probable tokens are counted: exp(0) is 1, with no error of an exponential.
                if *logit == max {
                    certain += 1;
                    *logit = f32::NEG_INFINITY;
                }
            }
            sums = sums + self.kernels.exp_sums(&logits[..part.len()], max);
        }
        let mass = (f64::from(certain) + sums.exp) / self.sum();
        // A group of all tokens may sum to 1 and a few roundings; nothing else is cut here.
        Ok(mass.min(1.0))
    }

    /// The log-probability and the rank of a token.
    ///
    /// # Errors
    /// `out_of_range` for an id outside the vocabulary.
    pub fn target(&self, id: i32) -> Result<Target> {
        let logit = Self::target_logit(self.z, id)?;
        Ok(self.rank_target(logit, self.kernels.count_larger(self.z, logit)))
    }

    /// The target whose logit this row was swept for.
    pub(crate) fn target_from_sweep(&self, logit: f32) -> Target {
        self.rank_target(logit, self.swept.larger)
    }

    /// The logit of a target.
    pub(crate) fn target_logit(z: &[f32], id: i32) -> Result<f32> {
        Ok(z[check_id(id, z.len(), TARGET_OUTSIDE)?])
    }

    fn rank_target(&self, logit: f32, larger: usize) -> Target {
        Target {
            logprob: (f64::from(logit) - f64::from(self.swept.max)) - self.log_sum(),
            // At most vocab - 1 others are larger, and a vocabulary fits an i32.
            rank: larger as u32 + 1,
        }
    }

    /// Selects the row's `k` most probable tokens into `top`: `min(k, vocab)` of them, the lower id first among equals.
    ///
    /// # Errors
    /// `bad_argument` for a `k` of 0.
    pub fn top_k(&self, k: usize, top: &mut TopK) -> Result<()> {
        shape::top_k(k)?;
        self.kernels.select(self.z, k, top);
        Ok(())
    }

    pub(crate) fn logits(&self) -> &'a [f32] {
        self.z
    }

    pub(crate) fn kernels(&self) -> &'static Kernels {
        self.kernels
    }

    pub(crate) fn side(&self) -> Side {
        Side {
            max: f64::from(self.swept.max),
            log_sum: self.log_sum(),
            sum: self.sum(),
        }
    }

    fn column(&self, id: i32, what: &'static str) -> Result<usize> {
        check_id(id, self.z.len(), what)
    }

    /// `sum exp(z - max)`; 1 or more.
    fn sum(&self) -> f64 {
        1.0 + self.swept.rest.exp
    }

    /// `ln sum exp(z - max)`; 0 or more.
    fn log_sum(&self) -> f64 {
        self.swept.rest.exp.ln_1p()
    }
}
