//! The words that a machine must have for the vector kernels: a few operations on a vector of `f32`.
//!
//! Every method is inlined into an entry function that the `entry_points` macro makes and that enables the machine's
//! features; nowhere else may one be called.

/// A vector of `f32` of some machine.
///
/// # Safety
/// The methods may be called only where the CPU has the features of the implementing machine. [`load`](Self::load) reads
/// [`N`](Self::N) floats from any address.
pub(super) trait Lanes {
    /// The vector.
    type V: Copy;
    /// One truth value a lane.
    type Mask: Copy;
    /// A sum in `f64`.
    type Wide: Copy;
    /// Lanes a vector.
    const N: usize;

    unsafe fn splat(x: f32) -> Self::V;
    unsafe fn load(from: *const f32) -> Self::V;
    /// Asks for the memory at an address, which need not be valid.
    unsafe fn prefetch(address: *const f32);
    unsafe fn add(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn sub(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn mul(a: Self::V, b: Self::V) -> Self::V;
    /// `a * b + c`, rounded once.
    unsafe fn fma(a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `c - a * b`, rounded once.
    unsafe fn fnma(a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a * b - c`, rounded once.
    unsafe fn fms(a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// The larger one, and NaN where `b` is NaN.
    unsafe fn max(a: Self::V, b: Self::V) -> Self::V;
    /// The larger one, and `b` where `a` is NaN.
    unsafe fn max_number(a: Self::V, b: Self::V) -> Self::V;
    /// The smaller one, and `b` where `a` is NaN.
    unsafe fn min_number(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn abs(a: Self::V) -> Self::V;
    /// The lowest nine bits of each lane as the sign and the exponent of a power of two.
    unsafe fn exponent(a: Self::V) -> Self::V;
    /// `a > b`; false where one is NaN.
    unsafe fn gt(a: Self::V, b: Self::V) -> Self::Mask;
    unsafe fn select(mask: Self::Mask, yes: Self::V, no: Self::V) -> Self::V;
    /// Bit i is lane i.
    unsafe fn bits(mask: Self::Mask) -> u32;

    unsafe fn wide_zero() -> Self::Wide;
    /// Adds all lanes of `a` to the sum, each widened first.
    unsafe fn wide_add(sum: Self::Wide, a: Self::V) -> Self::Wide;
    unsafe fn wide_total(sum: Self::Wide) -> f64;
}
