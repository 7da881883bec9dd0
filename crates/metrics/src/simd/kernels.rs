//! The one interface of the levels: their names, and the kernels that each has.

use std::fmt;

use super::scalar;
use super::sums::{Care, ExpSums, PairSums, Side, Swept};
use crate::topk::TopK;

/// A set of kernels, by the machine instructions that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SimdLevel {
    /// Plain Rust in `f64`, on every machine: the reference of the others.
    Scalar,
    /// x86-64 with AVX2 and FMA.
    Avx2,
    /// x86-64 with AVX-512 F, DQ and BW.
    Avx512,
    /// aarch64.
    Neon,
}

impl SimdLevel {
    /// The name that `LOGIT_AUDIT_SIMD` takes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The longest row that vector kernels take: each of at least four lanes counts in an `f32`, exactly to 2^24.
const COUNTABLE: usize = 1 << 26;

type Sweep = unsafe fn(&[f32], Option<f32>, Option<&mut TopK>) -> Option<Swept>;
type Pairs = unsafe fn((&[f32], Side), (&[f32], Side), &[usize], Care) -> PairSums;

/// One level's kernels. Handed out by `dispatch` alone, and only where the machine has the level: that makes the calls
/// below sound.
pub(crate) struct Kernels {
    pub(super) level: SimdLevel,
    pub(super) sweep: Sweep,
    /// Without the sum that the entropy needs.
    pub(super) sweep_masses: Sweep,
    pub(super) gather: unsafe fn(&[f32], &mut TopK),
    pub(super) exp_sums: unsafe fn(&[f32], f32) -> ExpSums,
    pub(super) count_larger: unsafe fn(&[f32], f32) -> usize,
    pub(super) pair_sums: Pairs,
}

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernels({})", self.level)
    }
}

impl Kernels {
    pub(crate) fn level(&self) -> SimdLevel {
        self.level
    }

    /// Sweeps a row of finite or masked logits, counts those above `target`, and selects the top K into `top`. `None`
    /// for a row that only the scalar kernel can judge. Without `entropy` the weighted sum is no number that means anything.
    pub(crate) fn sweep(
        &self,
        z: &[f32],
        entropy: bool,
        target: Option<f32>,
        top: Option<(&mut TopK, usize)>,
    ) -> Option<Swept> {
        let sweep = if entropy {
            self.sweep
        } else {
            self.sweep_masses
        };
        if z.len() > COUNTABLE && self.level != SimdLevel::Scalar {
            return None;
        }
        let Some((top, k)) = top else {
            // SAFETY: the machine has this level.
            return unsafe { sweep(z, target, None) };
        };
        top.begin(k, z.len());
        // SAFETY: as above.
        let swept = unsafe { sweep(z, target, Some(top)) };
        top.finish(z);
        swept
    }

    /// Selects the `min(k, z.len())` largest logits of `z`, which holds no NaN.
    pub(crate) fn select(&self, z: &[f32], k: usize, top: &mut TopK) {
        top.begin(k, z.len());
        // SAFETY: the machine has this level.
        unsafe { (self.gather)(z, top) };
        top.finish(z);
    }

    /// The sums over all logits of a slice, none of which exceeds `max`.
    pub(crate) fn exp_sums(&self, z: &[f32], max: f32) -> ExpSums {
        if max.abs() > super::exp::LARGEST_LOGIT {
            return scalar::exp_sums(z, max);
        }
        // SAFETY: the machine has this level.
        unsafe { (self.exp_sums)(z, max) }
    }

    /// How many logits are strictly larger than `than`.
    pub(crate) fn count_larger(&self, z: &[f32], than: f32) -> usize {
        if z.len() > COUNTABLE {
            return scalar::count_larger(z, than);
        }
        // SAFETY: the machine has this level.
        unsafe { (self.count_larger)(z, than) }
    }

    /// The sums that every divergence of a pair is made of, over all columns but those of `skip`, which rise. Both rows
    /// are equally long.
    pub(crate) fn pair_sums(
        &self,
        a: (&[f32], Side),
        b: (&[f32], Side),
        skip: &[usize],
        care: Care,
    ) -> PairSums {
        // SAFETY: the machine has this level.
        unsafe { (self.pair_sums)(a, b, skip, care) }
    }
}
