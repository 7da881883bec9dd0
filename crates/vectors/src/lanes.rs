//! The operations on a vector of `f32` that inner products need, for each machine.

/// A vector of `f32` of some machine.
///
/// # Safety
/// The methods may be called only where the CPU has the features of the implementing machine. [`load`](Self::load) reads
/// [`N`](Self::N) floats from any address, and [`store`](Self::store) writes as many to one.
pub(crate) trait Lanes {
    /// The vector.
    type V: Copy;
    /// Lanes a vector.
    const N: usize;

    unsafe fn splat(x: f32) -> Self::V;
    unsafe fn load(from: *const f32) -> Self::V;
    unsafe fn store(to: *mut f32, a: Self::V);
    /// `a * b + c`, rounded once.
    unsafe fn fma(a: Self::V, b: Self::V, c: Self::V) -> Self::V;
}

/// A machine's vectors: its type, lanes and the four instructions, each of which takes the arguments in the order of
/// [`Lanes`] but for `fma`, whose names say it.
#[allow(unused_macros)]
macro_rules! machine {
    ($arch:ident, $name:ident, $v:ident, $n:literal, $splat:ident, $load:ident, $store:ident,
     |$a:ident, $b:ident, $c:ident| $fma:expr) => {
        #[doc = concat!("Registers of ", stringify!($n), " `f32`.")]
        pub(crate) struct $name;

        // SAFETY (all methods): the trait's callers run where the CPU has the instructions.
        impl Lanes for $name {
            type V = std::arch::$arch::$v;
            const N: usize = $n;

            #[inline(always)]
            unsafe fn splat(x: f32) -> Self::V {
                unsafe { std::arch::$arch::$splat(x) }
            }
            #[inline(always)]
            unsafe fn load(from: *const f32) -> Self::V {
                unsafe { std::arch::$arch::$load(from) }
            }
            #[inline(always)]
            unsafe fn store(to: *mut f32, a: Self::V) {
                unsafe { std::arch::$arch::$store(to, a) }
            }
            #[inline(always)]
            unsafe fn fma($a: Self::V, $b: Self::V, $c: Self::V) -> Self::V {
                unsafe { $fma }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
machine!(
    x86_64,
    Avx2,
    __m256,
    8,
    _mm256_set1_ps,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    |a, b, c| std::arch::x86_64::_mm256_fmadd_ps(a, b, c)
);
#[cfg(target_arch = "x86_64")]
machine!(
    x86_64,
    Avx512,
    __m512,
    16,
    _mm512_set1_ps,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    |a, b, c| std::arch::x86_64::_mm512_fmadd_ps(a, b, c)
);
#[cfg(target_arch = "aarch64")]
machine!(
    aarch64,
    Neon,
    float32x4_t,
    4,
    vdupq_n_f32,
    vld1q_f32,
    vst1q_f32,
    |a, b, c| std::arch::aarch64::vfmaq_f32(c, a, b)
);
