//! Which kernels run: the best that the machine has, or the ones that `LOGIT_AUDIT_SIMD` names.

use std::str::FromStr;
use std::sync::OnceLock;

use super::kernels::{Kernels, SimdLevel};
use super::scalar;
use crate::error::{ErrorCode, MetricsError, Result};

/// Names the level to use: `scalar`, `avx2`, `avx512` or `neon`. Unset or empty: the best one.
const VARIABLE: &str = "LOGIT_AUDIT_SIMD";

/// The level that every machine has.
static SCALAR: Kernels = Kernels {
    level: SimdLevel::Scalar,
    sweep: scalar::sweep,
    sweep_masses: scalar::sweep,
    gather: scalar::gather,
    exp_sums: scalar::exp_sums,
    count_larger: scalar::count_larger,
    pair_sums: scalar::pair_sums,
};

impl SimdLevel {
    /// Every level, the better one of two on the same machine later.
    const ALL: [Self; 4] = [Self::Scalar, Self::Neon, Self::Avx2, Self::Avx512];

    fn table(self) -> Option<&'static Kernels> {
        match self {
            Self::Scalar => Some(&SCALAR),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_followed_or_refused() {
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
