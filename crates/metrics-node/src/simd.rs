//! Which vector instructions the metrics use.

use napi::{Env, Result};

use crate::errors::Failure;

/// The machine's vector instructions, as the metrics see them.
#[napi(object, object_from_js = false)]
pub struct Simd {
    /// The kernels in use: `scalar`, `avx2`, `avx512` or `neon`.
    pub level: &'static str,
    /// The kernels that this machine can run, the best ones last.
    pub available: Vec<&'static str>,
}

/// Which kernels row and pair metrics run on: the best that the machine has, or those that the environment variable
/// `LOGIT_AUDIT_SIMD` named when they were first needed. Throws `bad_argument` where it named impossible ones.
#[napi]
pub fn simd(env: Env) -> Result<Simd> {
    let level = metrics::simd_level().map_err(|error| Failure::from(error).into_thrown(env))?;
    let available = metrics::available_levels();
    Ok(Simd {
        level: level.as_str(),
        available: available.iter().map(|level| level.as_str()).collect(),
    })
}
