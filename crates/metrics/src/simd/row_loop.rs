//! One sweep over a row on any machine: the maximum, the sums over exponentials, the count of larger logits and the top
//! K, while each block of the row is in the first-level cache.
//!
//! The maximum is not known before the end, so sums are relative to the largest logit so far and are scaled when a larger
//! one appears: in a row of random order about ln(blocks) times. All rare cases share one comparison a block:
//! its largest logit against the lowest of the maximum, the target and the K-th candidate.
//!
//! No code searches for NaN. The exponential passes it into the sums, which show it at the end, and +inf shows as a
//! maximum; the caller then takes a second look for the column.

use super::exp::{self, Power, Reference, LARGEST_LOGIT, UNSCALE};
use super::lanes::Lanes;
use super::sums::{ExpSums, Swept};
use crate::topk::TopK;

/// Vectors a block. Eight keep the ports busy and put at most five additions on a term before it is widened.
const VECTORS: usize = 8;

/// How far ahead of the block at work memory is asked for, in logits: a page, which the hardware does not look beyond.
const AHEAD: usize = 1024;

/// Logits of the longest block.
const LONGEST_BLOCK: usize = VECTORS * 16;

/// A block that had to be copied: because the row ends in it, or to take a logit out.
struct Copied([f32; LONGEST_BLOCK]);

impl Copied {
    /// A copy of at most a block, filled up with masked tokens.
    #[inline(always)]
    fn new(part: &[f32]) -> Self {
        let mut block = [f32::NEG_INFINITY; LONGEST_BLOCK];
        block[..part.len()].copy_from_slice(part);
        Self(block)
    }
}

/// What exponentials are taken from near a maximum: a [`Reference`] where the entropy is wanted, the cheaper [`Power`] where
/// it is not.
struct Gauge<L: Lanes> {
    from: L::V,
    floor: L::V,
    log: f64,
}

impl<L: Lanes> Gauge<L> {
    /// # Safety
    /// As for [`Lanes`].
    #[inline(always)]
    unsafe fn near<const ENTROPY: bool>(max: f32) -> Self {
        let (from, floor, log) = if ENTROPY {
            let reference = Reference::new(max);
            (reference.c, reference.floor, f64::from(reference.c))
        } else {
            let power = Power::near(max);
            (power.round, power.floor, power.log)
        };
        // SAFETY: the caller's.
        unsafe {
            Self {
                from: L::splat(from),
                floor: L::splat(floor),
                log,
            }
        }
    }
}

/// Sums over blocks, relative to a [`Gauge`] and scaled as `exp` scales.
struct BlockSums<L: Lanes> {
    exp: L::Wide,
    weighted: L::Wide,
}

impl<L: Lanes> BlockSums<L> {
    /// # Safety
    /// As for [`Lanes`].
    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the caller's.
        unsafe {
            Self {
                exp: L::wide_zero(),
                weighted: L::wide_zero(),
            }
        }
    }

    /// Adds the block that starts at `from`.
    ///
    /// # Safety
    /// As for [`Lanes`]; a block of floats must lie at `from`.
    #[inline(always)]
    unsafe fn add<const ENTROPY: bool>(&mut self, from: *const f32, gauge: &Gauge<L>) {
        // SAFETY: the caller's; every load lies in the block.
        unsafe {
            let zero = L::splat(0.0);
            let (mut sums, mut weighted) = ([zero; 2], [zero; 2]);
            for i in 0..VECTORS {
                L::prefetch(from.wrapping_add(AHEAD + i * L::N));
                let z = L::load(from.add(i * L::N));
                if ENTROPY {
                    let (d, low) = exp::distance::<L>(z, gauge.from, gauge.floor);
                    let e = exp::exp::<L>(d, low);
                    sums[i % 2] = L::add(sums[i % 2], e);
                    weighted[i % 2] = L::fma(d, e, weighted[i % 2]);
                } else {
                    let e = exp::exp_over::<L>(L::max(gauge.floor, z), gauge.from);
                    sums[i % 2] = L::add(sums[i % 2], e);
                }
            }
            self.exp = L::wide_add(self.exp, L::add(sums[0], sums[1]));
            if ENTROPY {
                self.weighted = L::wide_add(self.weighted, L::add(weighted[0], weighted[1]));
            }
        }
    }

    /// The sums relative to `max` instead of the gauge that is near it.
    ///
    /// # Safety
    /// As for [`Lanes`].
    #[inline(always)]
    unsafe fn total(&self, gauge: &Gauge<L>, max: f32) -> ExpSums {
        // SAFETY: the caller's.
        let (exp, weighted) = unsafe { (L::wide_total(self.exp), L::wide_total(self.weighted)) };
        // Without any maximum the sums are 0, or NaN.
        let max = f64::from(max).max(gauge.log - 1.0);
        let step = gauge.log - max;
        let scale = UNSCALE * step.exp();
        ExpSums {
            exp: exp * scale,
            // The step is an eighth at most where this is wanted; a logit that close to the maximum may round to above it.
            weighted: ((weighted + step * exp) * scale).min(0.0),
        }
    }
}

/// Sums relative to an `old` maximum that lay in no sum, relative to the `new` one, with the old one taken in.
fn rescale(sums: ExpSums, old: f32, new: f32) -> ExpSums {
    if old == f32::NEG_INFINITY {
        // Nothing but masked tokens so far: the sums are 0, or NaN where one of them was NaN.
        return sums;
    }
    let step = f64::from(old) - f64::from(new);
    let scale = step.exp();
    let all = sums.exp + 1.0;
    ExpSums {
        exp: all * scale,
        weighted: (sums.weighted + step * all) * scale,
    }
}

/// Sweeps a row, with the sums that the entropy needs or without: `None` for one with NaN, +inf or a maximum beyond [`LARGEST_LOGIT`], which the scalar kernel must see.
/// `top` must have begun and is offered every logit that may be one of its K.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn sweep<L: Lanes, const ENTROPY: bool>(
    z: &[f32],
    target: Option<f32>,
    mut top: Option<&mut TopK>,
) -> Option<Swept> {
    // SAFETY: the caller's; a block of floats lies at every address that is loaded from.
    unsafe {
        let (mut max, mut argmax) = (f32::NEG_INFINITY, 0);
        let mut bar = top.as_deref().map_or(f32::INFINITY, TopK::bar);
        let than = L::splat(target.unwrap_or(f32::INFINITY));
        let mut larger = L::splat(0.0);
        let mut total = ExpSums::default();
        let mut gauge = Gauge::<L>::near::<ENTROPY>(0.0);
        let mut sums = BlockSums::<L>::zero();
        let mut watch = L::splat(f32::NEG_INFINITY);
        for (index, part) in z.chunks(VECTORS * L::N).enumerate() {
            let last;
            let mut from = part.as_ptr();
            if part.len() < VECTORS * L::N {
                last = Copied::new(part);
                from = last.0.as_ptr();
            }
            let peak = peak::<L>(from);
            if L::bits(L::gt(peak, watch)) == 0 {
                sums.add::<ENTROPY>(from, &gauge);
                continue;
            }
            let start = index * VECTORS * L::N;
            if target.is_some() {
                larger = count_block::<L>(larger, from, than);
            }
            if let Some(top) = top.as_deref_mut() {
                if L::bits(L::gt(peak, L::splat(bar))) != 0 {
                    offer_block::<L>(from, start, top);
                    bar = top.bar();
                }
            }
            if L::bits(L::gt(peak, L::splat(max))) == 0 {
                sums.add::<ENTROPY>(from, &gauge);
            } else {
                let (column, new) = first_largest(part);
                total = rescale(total + sums.total(&gauge, max), max, new);
                if new.abs() > LARGEST_LOGIT {
                    return None;
                }
                (max, argmax) = (new, start + column);
                gauge = Gauge::near::<ENTROPY>(max);
                let mut others = Copied::new(part);
                others.0[column] = f32::NEG_INFINITY;
                sums = BlockSums::zero();
                sums.add::<ENTROPY>(others.0.as_ptr(), &gauge);
            }
            watch = L::splat(max.min(bar).min(target.unwrap_or(f32::INFINITY)));
        }
        let rest = total + sums.total(&gauge, max);
        let swept = Swept {
            max,
            argmax,
            rest,
            larger: L::wide_total(L::wide_add(L::wide_zero(), larger)) as usize,
        };
        (!rest.exp.is_nan()).then_some(swept)
    }
}

/// Offers `top`, which must have begun, every logit that may be one of its K, and nothing else: a sweep without sums.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn gather<L: Lanes>(z: &[f32], top: &mut TopK) {
    // SAFETY: the caller's; a block of floats lies at every address that is loaded from.
    unsafe {
        let mut bar = L::splat(top.bar());
        for (index, part) in z.chunks(VECTORS * L::N).enumerate() {
            let last;
            let mut from = part.as_ptr();
            if part.len() < VECTORS * L::N {
                last = Copied::new(part);
                from = last.0.as_ptr();
            }
            if L::bits(L::gt(peak::<L>(from), bar)) != 0 {
                offer_block::<L>(from, index * VECTORS * L::N, top);
                bar = L::splat(top.bar());
            }
        }
    }
}

/// Sums over all of a slice, relative to a maximum that no logit exceeds and that is within [`LARGEST_LOGIT`].
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn exp_sums<L: Lanes>(z: &[f32], max: f32) -> ExpSums {
    // SAFETY: the caller's; a block of floats lies at every address that is loaded from.
    unsafe {
        let gauge = Gauge::near::<true>(max);
        let mut sums = BlockSums::<L>::zero();
        let blocks = z.chunks_exact(VECTORS * L::N);
        let rest = blocks.remainder();
        for block in blocks {
            sums.add::<true>(block.as_ptr(), &gauge);
        }
        if !rest.is_empty() {
            sums.add::<true>(Copied::new(rest).0.as_ptr(), &gauge);
        }
        sums.total(&gauge, max)
    }
}

/// How many logits of a slice are strictly larger than `than`.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn count_larger<L: Lanes>(z: &[f32], than: f32) -> usize {
    let blocks = z.chunks_exact(VECTORS * L::N);
    let rest = blocks.remainder().iter().filter(|&&x| x > than).count();
    // SAFETY: the caller's; a block of floats lies at every address that is loaded from.
    unsafe {
        let (mut larger, than) = (L::splat(0.0), L::splat(than));
        for block in blocks {
            larger = count_block::<L>(larger, block.as_ptr(), than);
        }
        rest + L::wide_total(L::wide_add(L::wide_zero(), larger)) as usize
    }
}

/// The lanes' largest logits of a block. Lanes with NaN may hold anything.
#[inline(always)]
unsafe fn peak<L: Lanes>(from: *const f32) -> L::V {
    // SAFETY: the caller's.
    unsafe {
        let (mut even, mut odd) = (L::load(from), L::load(from.add(L::N)));
        for i in (2..VECTORS).step_by(2) {
            even = L::max(even, L::load(from.add(i * L::N)));
            odd = L::max(odd, L::load(from.add((i + 1) * L::N)));
        }
        L::max(even, odd)
    }
}

/// Counts in each lane, exactly up to 2^24: `dispatch` takes no row that is longer than four lanes can count.
#[inline(always)]
unsafe fn count_block<L: Lanes>(mut larger: L::V, from: *const f32, than: L::V) -> L::V {
    // SAFETY: the caller's.
    unsafe {
        for i in 0..VECTORS {
            let one_more = L::add(larger, L::splat(1.0));
            larger = L::select(L::gt(L::load(from.add(i * L::N)), than), one_more, larger);
        }
        larger
    }
}

#[inline(always)]
unsafe fn offer_block<L: Lanes>(from: *const f32, start: usize, top: &mut TopK) {
    // SAFETY: the caller's.
    unsafe {
        for i in 0..VECTORS {
            let bar = L::splat(top.bar());
            let mut bits = L::bits(L::gt(L::load(from.add(i * L::N)), bar));
            while bits != 0 {
                let place = i * L::N + bits.trailing_zeros() as usize;
                // A row's columns fit an i32.
                top.offer((start + place) as i32, *from.add(place));
                bits &= bits - 1;
            }
        }
    }
}

/// The first column with the largest logit of a block, and that logit.
fn first_largest(part: &[f32]) -> (usize, f32) {
    let mut found = (0, f32::NEG_INFINITY);
    for (column, &logit) in part.iter().enumerate() {
        if logit > found.1 {
            found = (column, logit);
        }
    }
    found
}
