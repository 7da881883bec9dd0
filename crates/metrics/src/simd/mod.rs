//! The loops that touch every logit: the only code whose speed matters, and the only place to write it for a machine.
//!
//! One interface, [`Kernels`], one file per machine. `scalar` is complete, works in `f64` and is the reference of the
//! rest. `avx2`, `avx512` and `neon` hold nothing but the machine's words for a few operations on a vector of `f32`
//! ([`lanes::Lanes`]); the algorithms over those words are written once, in `exp`, `row_loop` and `pair_loop`.
//! `dispatch` chooses a level once, or takes the one that `LOGIT_AUDIT_SIMD` names.
//!
//! What the vector levels promise, and the tests hold them to: every sum of non-negative terms within a relative 1e-6 of
//! its value, for up to 262,144 logits, from flat rows to one-hot ones; terms below exp(-153) of the largest may count
//! as 0. Their exponential is good to two units in the last place of an `f32`; at most 16 `f32` additions touch a term
//! before `f64` takes over. Rows that differ by a constant give equal sums where their logits hold that constant exactly.

mod dispatch;
mod entry_points;
mod exp;
mod kernels;
mod lanes;
mod pair_loop;
mod row_loop;
pub(crate) mod scalar;
mod sums;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

pub use dispatch::{available_levels, simd_level};
pub(crate) use dispatch::{kernels, kernels_at};
pub(crate) use kernels::Kernels;
pub use kernels::SimdLevel;
pub(crate) use sums::{Care, ExpSums, PairSums, Side, Swept};
