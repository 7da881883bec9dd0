//! Inner products of every row of one block with every row of another.
//!
//! A product is summed in sixteen lanes by fused multiplications, whatever the machine's vectors are, and the lanes are then
//! added in one fixed order. So a pair's number depends on its two rows alone: not on the machine, the block, the
//! pair's place in it, or the threads. Equal texts get equal numbers, and sorting by them gives the same order everywhere.

use metrics::SimdLevel;

use crate::lanes::{self, Lanes};

/// Lanes of a sum: those of the widest vector.
pub(crate) const LANES: usize = 16;

/// Vectors that make up the lanes on the narrowest machine.
const MOST_PARTS: usize = 4;

/// Rows of `b` in a tile. They stay in the first-level cache while all rows of `a` pass.
const ACROSS: usize = 3;

/// The inner product of every row of `a` with every row of `b`, row after row of `a`, on a level that this machine has. Rows
/// have `width` entries, a multiple of [`LANES`]; `out` has an entry for each pair. The same bits on every level.
pub(crate) fn dots(level: SimdLevel, a: &[f32], b: &[f32], width: usize, out: &mut [f32]) {
    assert!(width > 0 && width.is_multiple_of(LANES));
    assert!(a.len().is_multiple_of(width) && b.len().is_multiple_of(width));
    assert_eq!(out.len(), (a.len() / width) * (b.len() / width));
    match level {
        // SAFETY (all levels): the CPU has it, as `Execution::level` checked, and the lengths fit.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 => unsafe { avx2(a, b, width, out) },
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => unsafe { avx512(a, b, width, out) },
        #[cfg(target_arch = "aarch64")]
        SimdLevel::Neon => unsafe { columns::<lanes::Neon, 2>(a, b, width, out) },
        _ => scalar(a, b, width, out),
    }
}

/// Lane by lane as the vectors do it.
fn scalar(a: &[f32], b: &[f32], width: usize, out: &mut [f32]) {
    let pairs = a
        .chunks_exact(width)
        .flat_map(|a| b.chunks_exact(width).map(move |b| (a, b)));
    for (cell, (a, b)) in out.iter_mut().zip(pairs) {
        let mut lanes = [0f32; LANES];
        for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
            for (lane, (x, y)) in lanes.iter_mut().zip(a.iter().zip(b)) {
                *lane = x.mul_add(*y, *lane);
            }
        }
        *cell = total(&lanes);
    }
}

// As many sums at a time as the registers of the machine hold.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2(a: &[f32], b: &[f32], width: usize, out: &mut [f32]) {
    // SAFETY (here and below): as the caller promises.
    unsafe { columns::<lanes::Avx2, 2>(a, b, width, out) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512(a: &[f32], b: &[f32], width: usize, out: &mut [f32]) {
    unsafe { columns::<lanes::Avx512, 4>(a, b, width, out) }
}

#[inline(always)]
unsafe fn columns<L: Lanes, const DOWN: usize>(
    a: &[f32],
    b: &[f32],
    width: usize,
    out: &mut [f32],
) {
    let across = b.len() / width;
    let mut column = 0;
    unsafe {
        while column + ACROSS <= across {
            rows::<L, DOWN, ACROSS>(a, &b[column * width..], width, &mut out[column..], across);
            column += ACROSS;
        }
        while column < across {
            rows::<L, DOWN, 1>(a, &b[column * width..], width, &mut out[column..], across);
            column += 1;
        }
    }
}

/// All rows of `a` with the first `C` rows of `b`; a row of `out` is `stride` long.
#[inline(always)]
unsafe fn rows<L: Lanes, const DOWN: usize, const C: usize>(
    a: &[f32],
    b: &[f32],
    width: usize,
    out: &mut [f32],
    stride: usize,
) {
    let down = a.len() / width;
    let mut row = 0;
    unsafe {
        while row + DOWN <= down {
            tile::<L, DOWN, C>(
                &a[row * width..],
                b,
                width,
                &mut out[row * stride..],
                stride,
            );
            row += DOWN;
        }
        while row < down {
            tile::<L, 1, C>(
                &a[row * width..],
                b,
                width,
                &mut out[row * stride..],
                stride,
            );
            row += 1;
        }
    }
}

/// The first `R` rows of `a` with the first `C` of `b`: each pair has sums of its own, so that tiles of all sizes agree.
#[inline(always)]
unsafe fn tile<L: Lanes, const R: usize, const C: usize>(
    a: &[f32],
    b: &[f32],
    width: usize,
    out: &mut [f32],
    stride: usize,
) {
    debug_assert!(a.len() >= R * width && b.len() >= C * width);
    let parts = LANES / L::N;
    let (a, b) = (a.as_ptr(), b.as_ptr());
    unsafe {
        // By part of the lanes, row of `b` and row of `a`.
        let mut sums = [[[L::splat(0.0); R]; C]; MOST_PARTS];
        let mut from = 0;
        while from < width {
            for (part, sums) in sums.iter_mut().take(parts).enumerate() {
                let at = from + part * L::N;
                let mut left = [L::splat(0.0); R];
                for (row, left) in left.iter_mut().enumerate() {
                    *left = L::load(a.add(row * width + at));
                }
                for (column, sums) in sums.iter_mut().enumerate() {
                    let right = L::load(b.add(column * width + at));
                    for (left, sum) in left.iter().zip(sums) {
                        *sum = L::fma(*left, right, *sum);
                    }
                }
            }
            from += LANES;
        }
        for row in 0..R {
            for column in 0..C {
                let mut lanes = [0f32; LANES];
                for (part, sums) in sums.iter().take(parts).enumerate() {
                    L::store(lanes.as_mut_ptr().add(part * L::N), sums[column][row]);
                }
                out[row * stride + column] = total(&lanes);
            }
        }
    }
}

/// The sum of all lanes, by halves.
#[inline(always)]
fn total(lanes: &[f32; LANES]) -> f32 {
    let mut sums = *lanes;
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    sums[0]
}
