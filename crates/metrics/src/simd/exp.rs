//! The exponential of a vector of `f32`, in the two forms that the loops need, and what a row is measured against.
//!
//! `exp(x) = 2^n exp(r)` with `n` the whole number nearest to `x / ln 2`. Adding a large constant rounds `x / ln 2` to
//! that number and leaves it in the low bits, from where a shift takes it into the exponent. `exp(r)` is a polynomial of
//! degree 6 whose first three coefficients are those of the series, so that small `r` keep all their digits.

use super::lanes::Lanes;

/// Exponentials come out times `2^SCALE`, so that they keep full precision down to `exp(-153)`; `f64` takes it out again.
const SCALE: i32 = 96;

/// `2^-SCALE`.
pub(super) const UNSCALE: f64 = 1.0 / (1u128 << SCALE) as f64;

/// Below this `exp` comes out as exactly 0: the exponent field `n + SCALE + 127` is 0 there, and must not fall further.
const LOWEST: f32 = -154.75;

/// The largest `|max|` that [`Reference`] supports: beyond it, quarters are no longer exact steps of logits.
pub(super) const LARGEST_LOGIT: f32 = (1 << 20) as f32;

/// 1.5 * 2^23: the spacing of `f32` next to it is 1, and its low nine bits are 0.
const ROUND: f32 = 12_582_912.0;

/// ln 2 in two parts.
const LN_2_HIGH: f32 = std::f32::consts::LN_2;
const LN_2_LOW: f32 = (std::f64::consts::LN_2 - LN_2_HIGH as f64) as f32;

/// `(exp(r) - 1 - r) / r^2` for `|r| <= ln(2) / 2`, lowest power first: a minimax fit with a relative error of 4e-9 of
/// `exp(r)` whose first coefficient is held.
const QUADRATIC: [f32; 5] = [
    0.5,
    1.666_653_4e-1,
    4.166_723_9e-2,
    8.367_509e-3,
    1.386_375_7e-3,
];

/// The same one degree lower and with no coefficient held, for sums that need no digits of `exp(r) - 1`: a minimax fit with
/// a relative error of 1.1e-7 of `exp(r)`.
const QUADRATIC_OF_SUMS: [f32; 4] = [0.499_992_3, 1.666_711_5e-1, 4.189_019e-2, 8.312_516e-3];

/// What logits are measured against: the row's maximum, rounded to a quarter, so that `z - c` and what that
/// subtraction rounds away are found by two more subtractions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reference {
    /// The maximum rounded to a quarter.
    pub c: f32,
    /// Where logits are cut off: their exponentials are 0.
    pub floor: f32,
}

impl Reference {
    /// The reference near a maximum, which must be within [`LARGEST_LOGIT`].
    pub(super) fn new(max: f32) -> Self {
        let c = (max * 4.0).round() * 0.25;
        Self {
            c,
            floor: c + LOWEST,
        }
    }
}

/// `z - c` in two parts, the second what the first rounds away.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn distance<L: Lanes>(z: L::V, c: L::V, floor: L::V) -> (L::V, L::V) {
    // SAFETY: the caller's.
    unsafe {
        let z = L::max(floor, z);
        let d = L::sub(z, c);
        (d, L::sub(z, L::add(d, c)))
    }
}

/// `exp(d + low) * 2^SCALE` for `d` from [`LOWEST`] to 20 and a `low` that `d` rounds away. NaN stays NaN.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn exp<L: Lanes>(d: L::V, low: L::V) -> L::V {
    // SAFETY: the caller's.
    unsafe {
        let round = L::splat(ROUND + (SCALE + 127) as f32);
        let t = L::fma(d, L::splat(std::f32::consts::LOG2_E), round);
        let n = L::sub(t, round);
        let low = L::fnma(n, L::splat(LN_2_LOW), low);
        let r = L::add(L::fnma(n, L::splat(LN_2_HIGH), d), low);
        let linear = L::fma(horner::<L, 5>(QUADRATIC, r), r, L::splat(1.0));
        L::mul(L::fma(linear, r, L::splat(1.0)), L::exponent(t))
    }
}

/// A whole power of two near a maximum, which the exponentials of [`exp_over`] are divided by: for sums whose terms need not
/// come out alike when all logits are shifted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Power {
    /// What rounds a multiple of `1 / ln 2` and leaves the exponent in the low bits.
    pub round: f32,
    /// Where logits are cut off: their exponentials are 0.
    pub floor: f32,
    /// The logarithm of the divisor.
    pub log: f64,
}

impl Power {
    /// The power near a maximum, which must be within [`LARGEST_LOGIT`].
    pub(super) fn near(max: f32) -> Self {
        let n = (max * std::f32::consts::LOG2_E).round();
        let zero = n - (SCALE + 127) as f32;
        Self {
            round: ROUND - zero,
            floor: (f64::from(zero) * std::f64::consts::LN_2) as f32,
            log: f64::from(n) * std::f64::consts::LN_2,
        }
    }
}

/// `exp(z) / exp(log) * 2^SCALE` for a `z` of at least the floor of a [`Power`] and at most 20 above its `log`. The product
/// `n ln 2` is exact inside a fused operation, so a large `z` costs no digits.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn exp_over<L: Lanes>(z: L::V, round: L::V) -> L::V {
    // SAFETY: the caller's.
    unsafe {
        let t = L::fma(z, L::splat(std::f32::consts::LOG2_E), round);
        let n = L::sub(t, round);
        let r = L::fnma(n, L::splat(LN_2_HIGH), z);
        let r = L::fnma(n, L::splat(LN_2_LOW), r);
        let linear = L::fma(horner::<L, 4>(QUADRATIC_OF_SUMS, r), r, L::splat(1.0));
        L::mul(L::fma(linear, r, L::splat(1.0)), L::exponent(t))
    }
}

/// A polynomial, lowest power first.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn horner<L: Lanes, const N: usize>(coefficients: [f32; N], x: L::V) -> L::V {
    // SAFETY: the caller's.
    unsafe {
        let mut sum = L::splat(coefficients[N - 1]);
        for c in coefficients.into_iter().rev().skip(1) {
            sum = L::fma(sum, x, L::splat(c));
        }
        sum
    }
}

/// What a pair needs of `exp(-a)` for `a` from 0 to 80, each without cancellation.
pub(super) struct Decay<L: Lanes> {
    /// `exp(-a)`.
    pub value: L::V,
    /// `1 - exp(-a)`.
    pub lost: L::V,
    /// `exp(-a) - 1 + a`.
    pub beyond_linear: L::V,
}

/// With `exp(-a) = s (1 - r + g)`, `s = 2^n`, `a = r - n ln 2`: the three values put together from `1 - s`, `r` and `g`,
/// where `1 - s` and `n` are exactly 0 for a small `a`.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn decay<L: Lanes>(a: L::V) -> Decay<L> {
    // SAFETY: the caller's.
    unsafe {
        let round = L::splat(ROUND + 127.0);
        let t = L::fnma(a, L::splat(std::f32::consts::LOG2_E), round);
        let n = L::sub(t, round);
        let s = L::exponent(t);
        let r = L::fma(n, L::splat(LN_2_HIGH), a);
        let r = L::fma(n, L::splat(LN_2_LOW), r);
        let [c0, c1, c2, c3, c4] = QUADRATIC;
        let g = L::mul(L::mul(r, r), horner::<L, 5>([c0, -c1, c2, -c3, c4], r));
        let e = L::sub(g, r);
        let t = L::sub(L::splat(1.0), s);
        let steps = L::fma(n, L::splat(LN_2_HIGH), t);
        Decay {
            value: L::fma(s, e, s),
            lost: L::fnma(s, e, t),
            beyond_linear: L::fma(s, g, L::fms(t, r, steps)),
        }
    }
}
