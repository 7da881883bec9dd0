//! What makes kernels of a machine's lanes: the one place that enables its features.

/// Makes a machine's kernels out of its lanes: entry functions with its features enabled, and their table.
macro_rules! entry_points {
    ($level:expr, $lanes:ty, $features:literal) => {
        use crate::simd::kernels::{Kernels, SimdLevel};
        use crate::simd::{pair_loop, row_loop};

        pub(super) static KERNELS: Kernels = Kernels {
            level: $level,
            sweep,
            sweep_masses,
            gather,
            exp_sums,
            count_larger,
            pair_sums,
        };

        #[target_feature(enable = $features)]
        unsafe fn sweep(
            z: &[f32],
            target: Option<f32>,
            top: Option<&mut crate::topk::TopK>,
        ) -> Option<crate::simd::Swept> {
            // SAFETY: the table is handed out only where the CPU has these features.
            unsafe { row_loop::sweep::<$lanes, true>(z, target, top) }
        }

        #[target_feature(enable = $features)]
        unsafe fn sweep_masses(
            z: &[f32],
            target: Option<f32>,
            top: Option<&mut crate::topk::TopK>,
        ) -> Option<crate::simd::Swept> {
            // SAFETY: as above.
            unsafe { row_loop::sweep::<$lanes, false>(z, target, top) }
        }

        #[target_feature(enable = $features)]
        unsafe fn gather(z: &[f32], top: &mut crate::topk::TopK) {
            // SAFETY: as above.
            unsafe { row_loop::gather::<$lanes>(z, top) }
        }

        #[target_feature(enable = $features)]
        unsafe fn exp_sums(z: &[f32], max: f32) -> crate::simd::ExpSums {
            // SAFETY: as above.
            unsafe { row_loop::exp_sums::<$lanes>(z, max) }
        }

        #[target_feature(enable = $features)]
        unsafe fn count_larger(z: &[f32], than: f32) -> usize {
            // SAFETY: as above.
            unsafe { row_loop::count_larger::<$lanes>(z, than) }
        }

        #[target_feature(enable = $features)]
        unsafe fn pair_sums(
            a: (&[f32], crate::simd::Side),
            b: (&[f32], crate::simd::Side),
            skip: &[usize],
            care: crate::simd::Care,
        ) -> crate::simd::PairSums {
            // SAFETY: as above.
            unsafe { pair_loop::pair_sums::<$lanes>(a, b, skip, care) }
        }
    };
}

pub(super) use entry_points;
