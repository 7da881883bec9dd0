//! NEON of aarch64, which has it always: 4 lanes.

use std::arch::aarch64::*;

use super::entry_points::entry_points;
use super::lanes::Lanes;

/// A register of 4 `f32`.
pub(super) struct Neon;

entry_points!(SimdLevel::Neon, Neon, "neon");

// SAFETY (all methods): the trait's callers run where the CPU has NEON; only `load` touches memory.
impl Lanes for Neon {
    type V = float32x4_t;
    type Mask = uint32x4_t;
    type Wide = float64x2_t;
    const N: usize = 4;

    #[inline(always)]
    unsafe fn splat(x: f32) -> float32x4_t {
        unsafe { vdupq_n_f32(x) }
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> float32x4_t {
        unsafe { vld1q_f32(from) }
    }
    #[inline(always)]
    unsafe fn prefetch(_: *const f32) {
        // The instruction is not stable in Rust; the hardware's own prefetcher must suffice.
    }
    #[inline(always)]
    unsafe fn add(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        unsafe { vaddq_f32(a, b) }
    }
    #[inline(always)]
    unsafe fn sub(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        unsafe { vsubq_f32(a, b) }
    }
    #[inline(always)]
    unsafe fn mul(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        unsafe { vmulq_f32(a, b) }
    }
    #[inline(always)]
    unsafe fn fma(a: float32x4_t, b: float32x4_t, c: float32x4_t) -> float32x4_t {
        unsafe { vfmaq_f32(c, a, b) }
    }
    #[inline(always)]
    unsafe fn fnma(a: float32x4_t, b: float32x4_t, c: float32x4_t) -> float32x4_t {
        unsafe { vfmsq_f32(c, a, b) }
    }
    #[inline(always)]
    unsafe fn fms(a: float32x4_t, b: float32x4_t, c: float32x4_t) -> float32x4_t {
        unsafe { vfmaq_f32(vnegq_f32(c), a, b) }
    }
    #[inline(always)]
    unsafe fn max(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        unsafe { vmaxq_f32(a, b) }
    }
    #[inline(always)]
    unsafe fn max_number(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        unsafe { vmaxnmq_f32(a, b) }
    }
    #[inline(always)]
    unsafe fn min_number(a: float32x4_t, b: float32x4_t) -> float32x4_t {
        unsafe { vminnmq_f32(a, b) }
    }
    #[inline(always)]
    unsafe fn abs(a: float32x4_t) -> float32x4_t {
        unsafe { vabsq_f32(a) }
    }
    #[inline(always)]
    unsafe fn exponent(a: float32x4_t) -> float32x4_t {
        unsafe { vreinterpretq_f32_u32(vshlq_n_u32::<23>(vreinterpretq_u32_f32(a))) }
    }
    #[inline(always)]
    unsafe fn gt(a: float32x4_t, b: float32x4_t) -> uint32x4_t {
        unsafe { vcgtq_f32(a, b) }
    }
    #[inline(always)]
    unsafe fn select(mask: uint32x4_t, yes: float32x4_t, no: float32x4_t) -> float32x4_t {
        unsafe { vbslq_f32(mask, yes, no) }
    }
    #[inline(always)]
    unsafe fn bits(mask: uint32x4_t) -> u32 {
        const PLACES: [u32; 4] = [1, 2, 4, 8];
        unsafe { vaddvq_u32(vandq_u32(mask, vld1q_u32(PLACES.as_ptr()))) }
    }
    #[inline(always)]
    unsafe fn wide_zero() -> float64x2_t {
        unsafe { vdupq_n_f64(0.0) }
    }
    #[inline(always)]
    unsafe fn wide_add(sum: float64x2_t, a: float32x4_t) -> float64x2_t {
        unsafe {
            let (low, high) = (vcvt_f64_f32(vget_low_f32(a)), vcvt_high_f64_f32(a));
            vaddq_f64(sum, vaddq_f64(low, high))
        }
    }
    #[inline(always)]
    unsafe fn wide_total(sum: float64x2_t) -> f64 {
        unsafe { vaddvq_f64(sum) }
    }
}
