//! Which kernels run: the best that the machine has, or the ones that `LOGIT_AUDIT_SIMD` names.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::scalar;
use super::sums::{Care, ExpSums, PairSums, Side, Swept};
use crate::error::{ErrorCode, MetricsError, Result};
use crate::topk::TopK;

/// Names the level to use: `scalar`, `avx2`, `avx512` or `neon`. Unset or empty: the best one.
const VARIABLE: &str = "LOGIT_AUDIT_SIMD";

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
    /// Every level, the better one of two on the same machine later.
    const ALL: [Self; 4] = [Self::Scalar, Self::Neon, Self::Avx2, Self::Avx512];

    /// The name that `LOGIT_AUDIT_SIMD` takes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }

    fn table(self) -> Option<&'static Kernels> {
        match self {
            Self::Scalar => Some(&scalar::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"))
                .then_some(&super::avx2::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => (is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw"))
            .then_some(&super::avx512::KERNELS),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => Some(&super::neon::KERNELS),
            #[allow(unreachable_patterns)]
            _ => None,
        }
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SimdLevel {
    type Err = MetricsError;

    /// # Errors
    /// `bad_argument` for a name that is none of the four.
    fn from_str(name: &str) -> Result<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|level| level.as_str() == name).ok_or_else(|| {
            MetricsError::new(
                ErrorCode::BadArgument,
                format!("an unknown SIMD level `{name}`"),
                "set LOGIT_AUDIT_SIMD to scalar, avx2, avx512 or neon, or leave it unset",
            )
        })
    }
}

/// The levels that this machine has, the best one last.
pub fn available_levels() -> Vec<SimdLevel> {
    let mut levels = SimdLevel::ALL.to_vec();
    levels.retain(|level| level.table().is_some());
    levels
}

/// The level in use: what `LOGIT_AUDIT_SIMD` named when first asked, otherwise the best one.
///
/// # Errors
/// `bad_argument` for a level that is unknown or that this machine lacks. Every metric of a row then fails likewise.
pub fn simd_level() -> Result<SimdLevel> {
    Ok(kernels()?.level)
}

/// The kernels in use; see [`simd_level`].
pub(crate) fn kernels() -> Result<&'static Kernels> {
    static CHOSEN: OnceLock<Result<&'static Kernels>> = OnceLock::new();
    CHOSEN
        .get_or_init(|| {
            choose(std::env::var_os(VARIABLE).map(|name| name.to_string_lossy().into_owned()))
        })
        .clone()
}

fn choose(asked: Option<String>) -> Result<&'static Kernels> {
    match asked.as_deref() {
        None | Some("") => {
            let best = available_levels().pop().unwrap_or(SimdLevel::Scalar);
            kernels_at(best)
        }
        Some(name) => kernels_at(name.parse()?),
    }
}

/// The kernels of a level.
///
/// # Errors
/// `bad_argument` when this machine lacks it.
pub(crate) fn kernels_at(level: SimdLevel) -> Result<&'static Kernels> {
    level.table().ok_or_else(|| {
        let names: Vec<_> = available_levels()
            .iter()
            .map(|level| level.as_str())
            .collect();
        MetricsError::new(
            ErrorCode::BadArgument,
            format!(
                "the SIMD level `{level}` on a machine that has {}",
                names.join(", ")
            ),
            "name a level that the machine has, or leave LOGIT_AUDIT_SIMD unset",
        )
    })
}

/// The longest row that vector kernels take: each of at least four lanes counts in an `f32`, exactly to 2^24.
const COUNTABLE: usize = 1 << 26;

type Sweep = unsafe fn(&[f32], Option<f32>, Option<&mut TopK>) -> Option<Swept>;
type Pairs = unsafe fn((&[f32], Side), (&[f32], Side), &[usize], Care) -> PairSums;

/// One level's kernels. Handed out by this module alone, and only where the machine has the level: that makes the calls
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_obeyed_or_refused() {
        let best = available_levels().pop().expect("at least scalar");
        for none in [None, Some(String::new())] {
            assert_eq!(choose(none).expect("a level").level(), best);
        }
        for level in SimdLevel::ALL {
            let chosen = choose(Some(level.to_string()));
            if available_levels().contains(&level) {
                assert_eq!(chosen.expect("available").level(), level);
            } else {
                assert_eq!(chosen.expect_err("not here").code(), "bad_argument");
            }
        }
        for name in ["auto", "AVX2", "sse2", " scalar"] {
            let refused = choose(Some(name.to_owned())).expect_err("unknown");
            assert_eq!(refused.code(), "bad_argument");
        }
    }
}
