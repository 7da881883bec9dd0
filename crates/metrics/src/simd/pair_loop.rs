//! The second sweep over a pair of rows on any machine: every divergence's terms.
//!
//! Everything is made of the larger of p and q, `hi`, and of `a = |ln(p/q)|`, which comes from the logits themselves and
//! not from p and q, so that rows that all but agree keep the digits of their divergence. With `v = exp(-a)` and
//! `x = 1 - v`, the smaller probability is `hi v` and the terms, each 0 or more and exactly 0 for `a = 0`, are
//!
//! - `|p - q| = hi x`;
//! - KL from the larger to the smaller: `hi (a - 1 + v)`; from the smaller to the larger: `hi (1 - v - a v)`;
//! - JSD: `hi ((1 - v - a v) - B(x)) / 2` with `B(x) = x + (2 - x) ln(1 - x/2)`, a smooth function: no logarithm.
//!
//! Where one token's probabilities are apart by more than exp(80), or it is masked on one side only, its whole block goes
//! to the scalar kernel.
//!
//! `ln(p/q)` is `(x - y) - shift`, where `shift` is the difference of the logsumexps. With a small shift the subtractions
//! lose next to nothing; where they may ([`Care::Exact`]), what they round away is found and added.

use super::exp::{self, Power, Reference, LARGEST_LOGIT, UNSCALE};
use super::lanes::Lanes;
use super::scalar;
use super::sums::{Care, PairSums, Side};

/// Vectors of each row a block; each puts one `f32` addition on a sum before it is widened.
const VECTORS: usize = 16;

/// How far ahead memory is asked for, in logits.
const AHEAD: usize = 512;

/// Logits of the longest block.
const LONGEST_BLOCK: usize = VECTORS * 16;

/// Sums a block makes.
const SUMS: usize = 7;

/// `exp(-a)` is made for `a` up to this.
const FARTHEST: f32 = 80.0;

/// Anything above [`FARTHEST`].
const BEYOND: f32 = 2.0 * FARTHEST;

/// The largest shift that two rows may have and still share a reference.
const SHARED_REFERENCE: f64 = 8.0;

/// `(x + (2 - x) ln(1 - x/2)) / x^2` for x from 0 to 1, lowest power first: a minimax fit with an error of 2e-7 of the
/// first coefficient, which is held.
const LOGARITHM: [f32; 7] = [
    0.25,
    4.166_357_1e-2,
    1.047_266e-2,
    2.791_689_3e-3,
    1.931_234e-3,
    -7.653_326e-4,
    7.589_441_6e-4,
];

/// What all tokens of a pair are measured against. With [`Care::Usual`] both rows share the power of two near their larger
/// maximum, with [`Care::Exact`] each has a reference of its own.
struct Scales<L: Lanes> {
    /// Of each row: what exponentials are taken from, where logits are cut off, and what makes probabilities of them.
    a: [L::V; 3],
    b: [L::V; 3],
    /// The difference of the logsumexps, less that of the references where each row has its own, in two parts.
    shift: [L::V; 2],
}

impl<L: Lanes> Scales<L> {
    /// # Safety
    /// As for [`Lanes`].
    #[inline(always)]
    unsafe fn new(a: Side, b: Side, exact: bool) -> Self {
        let mut shift = shift_of(a, b);
        let (at, bt);
        if exact {
            let [own_a, own_b] = [a, b].map(|side| Reference::new(side.max as f32));
            shift -= f64::from(own_a.c) - f64::from(own_b.c);
            [at, bt] = [own_a, own_b].map(|own| (own.c, own.floor, f64::from(own.c)));
        } else {
            let power = Power::near(a.max.max(b.max) as f32);
            at = (power.round, power.floor, power.log);
            bt = at;
        }
        let high = shift as f32;
        // SAFETY: the caller's.
        unsafe {
            let side = |side: Side, (from, floor, log): (f32, f32, f64)| {
                // `ln sum exp(z - log)`
                let log_sum = side.log_sum + (side.max - log);
                [
                    L::splat(from),
                    L::splat(floor),
                    L::splat((-log_sum).exp() as f32),
                ]
            };
            Self {
                a: side(a, at),
                b: side(b, bt),
                shift: [L::splat(high), L::splat((shift - f64::from(high)) as f32)],
            }
        }
    }
}

/// The difference of the logsumexps.
fn shift_of(a: Side, b: Side) -> f64 {
    (a.max - b.max) + (a.log_sum - b.log_sum)
}

/// A block's sums, and the extreme that shows whether they are right.
struct Block<L: Lanes> {
    sums: [L::V; SUMS],
    farthest: L::V,
}

/// The sums over all columns but those of `skip`, which rise. Both rows are equally long.
///
/// # Safety
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn pair_sums<L: Lanes>(
    (a, side_a): (&[f32], Side),
    (b, side_b): (&[f32], Side),
    skip: &[usize],
    care: Care,
) -> PairSums {
    if side_a.max.abs().max(side_b.max.abs()) > f64::from(LARGEST_LOGIT) {
        return scalar::pair_sums((a, side_a), (b, side_b), skip, care);
    }
    let apart = (side_a.max - side_b.max).abs();
    let apart = shift_of(side_a, side_b).abs().max(apart);
    // SAFETY: the caller's.
    unsafe {
        if care == Care::Exact || apart > SHARED_REFERENCE {
            sums::<L, true>((a, side_a), (b, side_b), skip)
        } else {
            sums::<L, false>((a, side_a), (b, side_b), skip)
        }
    }
}

#[inline(always)]
unsafe fn sums<L: Lanes, const EXACT: bool>(
    (a, side_a): (&[f32], Side),
    (b, side_b): (&[f32], Side),
    skip: &[usize],
) -> PairSums {
    // SAFETY: the caller's; a block of floats lies at both addresses of each block.
    unsafe {
        let scales = Scales::<L>::new(side_a, side_b, EXACT);
        let mut wide = [L::wide_zero(); SUMS];
        let mut odd = PairSums::default();
        let mut skip = skip.iter().rev().copied().peekable();
        let length = VECTORS * L::N;
        let blocks = a.chunks(length).zip(b.chunks(length)).enumerate();
        // Backwards: what the first sweeps touched last is still near.
        for (index, (a, b)) in blocks.rev() {
            let start = index * length;
            let skips = skip.peek().is_some_and(|&column| column >= start);
            let mut copies;
            let (mut a, mut b) = (a, b);
            if skips || a.len() < length {
                copies = [[f32::NEG_INFINITY; LONGEST_BLOCK]; 2];
                copies[0][..a.len()].copy_from_slice(a);
                copies[1][..b.len()].copy_from_slice(b);
                while let Some(column) = skip.next_if(|&column| column >= start) {
                    // Masked on both sides it adds nothing to any sum.
                    copies[0][column - start] = f32::NEG_INFINITY;
                    copies[1][column - start] = f32::NEG_INFINITY;
                }
                (a, b) = (&copies[0][..length], &copies[1][..length]);
            }
            let block = block::<L, EXACT>(a.as_ptr(), b.as_ptr(), &scales);
            if L::bits(L::gt(block.farthest, L::splat(FARTHEST))) != 0 {
                odd = odd + scalar::pair_sums((a, side_a), (b, side_b), &[], Care::Exact);
                continue;
            }
            for (sum, block) in wide.iter_mut().zip(block.sums) {
                *sum = L::wide_add(*sum, block);
            }
        }
        let [jsd, kl_pq, kl_qp, down, up, p_above, q_above] =
            wide.map(|sum| L::wide_total(sum) * UNSCALE);
        // The smaller probability is the larger one less their distance: no sum of its own.
        let (q_below, p_below) = ((p_above - down).max(0.0), (q_above - up).max(0.0));
        odd + PairSums {
            jsd: 0.5 * jsd,
            kl_pq,
            kl_qp,
            distance: down + up,
            excess: down - up,
            p: p_above + p_below,
            q: q_above + q_below,
        }
    }
}

#[inline(always)]
unsafe fn block<L: Lanes, const EXACT: bool>(
    a: *const f32,
    b: *const f32,
    scales: &Scales<L>,
) -> Block<L> {
    // SAFETY: the caller's; every load lies in a block.
    unsafe {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let [mut jsd, mut kl_pq, mut kl_qp, mut down, mut up] = [zero; 5];
        let [mut p_above, mut q_above] = [zero; 2];
        let mut farthest = zero;
        let [from_a, floor_a, inverse_a] = scales.a;
        let [from_b, floor_b, inverse_b] = scales.b;
        let [shift, shift_low] = scales.shift;
        for i in 0..VECTORS {
            L::prefetch(a.wrapping_sub(AHEAD - i * L::N));
            L::prefetch(b.wrapping_sub(AHEAD - i * L::N));
            let (x, y) = (L::load(a.add(i * L::N)), L::load(b.add(i * L::N)));
            let (u, swapped, e);
            if EXACT {
                let (d_a, low_a) = exp::distance::<L>(x, from_a, floor_a);
                let (d_b, low_b) = exp::distance::<L>(y, from_b, floor_b);
                let high = L::sub(L::sub(d_a, d_b), shift);
                u = L::add(high, L::sub(L::sub(low_a, low_b), shift_low));
                swapped = L::gt(zero, u);
                let d = L::select(swapped, d_b, d_a);
                e = exp::exp::<L>(d, L::select(swapped, low_b, low_a));
                // Cut off on one side only, the distance means nothing.
                let cut_a = L::select(L::gt(floor_a, x), L::splat(BEYOND), zero);
                let cut_b = L::select(L::gt(floor_b, y), L::splat(BEYOND), zero);
                farthest = L::max_number(L::abs(L::sub(cut_a, cut_b)), farthest);
            } else {
                u = L::sub(L::sub(L::sub(x, y), shift), shift_low);
                swapped = L::gt(zero, u);
                let z = L::max(floor_a, L::select(swapped, y, x));
                e = exp::exp_over::<L>(z, from_a);
            }
            let far = L::abs(u);
            // Masked on both sides, u is NaN and hi is 0: no sum may become NaN.
            farthest = L::max_number(far, farthest);
            let far = L::min_number(far, L::splat(FARTHEST));
            let hi = L::mul(e, L::select(swapped, inverse_b, inverse_a));

            let decay = exp::decay::<L>(far);
            let (v, x, to_lower) = (decay.value, decay.lost, decay.beyond_linear);
            // 1 - v - a v, either way without losing more than a digit.
            let near = L::fms(far, x, to_lower);
            let to_higher = L::select(L::gt(one, far), near, L::fnma(far, v, x));
            let b_x = L::mul(L::mul(x, x), exp::horner::<L, 7>(LOGARITHM, x));

            jsd = L::fma(hi, L::sub(to_higher, b_x), jsd);
            kl_pq = L::fma(hi, L::select(swapped, to_higher, to_lower), kl_pq);
            kl_qp = L::fma(hi, L::select(swapped, to_lower, to_higher), kl_qp);
            down = L::select(swapped, down, L::fma(hi, x, down));
            up = L::select(swapped, L::fma(hi, x, up), up);
            p_above = L::select(swapped, p_above, L::add(p_above, hi));
            q_above = L::select(swapped, L::add(q_above, hi), q_above);
        }
        Block {
            sums: [jsd, kl_pq, kl_qp, down, up, p_above, q_above],
            farthest,
        }
    }
}
