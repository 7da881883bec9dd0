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
//! Where one token's probability is beyond this arithmetic on one side only (masked there, or apart by more than exp(80)),
//! its whole block goes to the scalar kernel.

use super::exp::{self, Reference, LARGEST_LOGIT, NEARLY_LOWEST, UNSCALE};
use super::lanes::Lanes;
use super::scalar;
use super::sums::{PairSums, Side};

/// Vectors of each row a block; each puts one `f32` addition on a sum before it is widened.
const VECTORS: usize = 8;

/// Logits of the longest block.
const LONGEST_BLOCK: usize = VECTORS * 16;

/// Sums a block makes.
const SUMS: usize = 9;

/// `exp(-a)` is made for `a` up to this.
const FARTHEST: f32 = 80.0;

/// `(x + (2 - x) ln(1 - x/2)) / x^2` for x from 0 to 1, lowest power first: a minimax fit with an error of 3e-8 of the
/// first coefficient, which is held.
const LOGARITHM: [f32; 8] = [
    0.25,
    4.166_721_5e-2,
    1.040_353_9e-2,
    3.230_503e-3,
    6.458_420_8e-4,
    1.143_349_3e-3,
    -6.380_915e-4,
    4.004_554_5e-4,
];

/// What all tokens of a pair are measured against.
struct Scales<L: Lanes> {
    a: [L::V; 3],
    b: [L::V; 3],
    /// What `ln p - ln q` lacks when only the references are subtracted, in two parts.
    shift: [L::V; 2],
}

impl<L: Lanes> Scales<L> {
    /// # Safety
    /// As for [`Lanes`].
    #[inline(always)]
    unsafe fn new(a: Side, b: Side) -> Self {
        // `ln sum exp(z - c)`
        let log_sum =
            |side: Side, reference: Reference| side.log_sum + (side.max - f64::from(reference.c));
        let (at, bt) = (Reference::new(a.max as f32), Reference::new(b.max as f32));
        let (log_a, log_b) = (log_sum(a, at), log_sum(b, bt));
        let shift = log_a - log_b;
        let high = shift as f32;
        // SAFETY: the caller's.
        unsafe {
            let side = |reference: Reference, log_sum: f64| {
                [
                    L::splat(reference.c),
                    L::splat(reference.floor),
                    L::splat((-log_sum).exp() as f32),
                ]
            };
            Self {
                a: side(at, log_a),
                b: side(bt, log_b),
                shift: [L::splat(high), L::splat((shift - f64::from(high)) as f32)],
            }
        }
    }
}

/// A block's sums, and the extremes that tell whether they are right.
struct Block<L: Lanes> {
    sums: [L::V; SUMS],
    nearest_floor: L::V,
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
) -> PairSums {
    if side_a.max.abs().max(side_b.max.abs()) > f64::from(LARGEST_LOGIT) {
        return scalar::pair_sums((a, side_a), (b, side_b), skip);
    }
    // SAFETY: the caller's; a block of floats lies at both addresses of each block.
    unsafe {
        let scales = Scales::<L>::new(side_a, side_b);
        let mut wide = [L::wide_zero(); SUMS];
        let mut odd = PairSums::default();
        let mut skip = skip.iter().copied().peekable();
        let length = VECTORS * L::N;
        for (index, (a, b)) in a.chunks(length).zip(b.chunks(length)).enumerate() {
            let start = index * length;
            let skips = skip.peek().is_some_and(|&column| column < start + length);
            let mut copies;
            let (mut a, mut b) = (a, b);
            if skips || a.len() < length {
                copies = [[f32::NEG_INFINITY; LONGEST_BLOCK]; 2];
                copies[0][..a.len()].copy_from_slice(a);
                copies[1][..b.len()].copy_from_slice(b);
                while let Some(column) = skip.next_if(|&column| column < start + length) {
                    // Masked on both sides it adds nothing to any sum.
                    copies[0][column - start] = f32::NEG_INFINITY;
                    copies[1][column - start] = f32::NEG_INFINITY;
                }
                (a, b) = (&copies[0][..length], &copies[1][..length]);
            }
            let block = block::<L>(a.as_ptr(), b.as_ptr(), &scales);
            let deep = L::gt(L::splat(NEARLY_LOWEST), block.nearest_floor);
            let far = L::gt(block.farthest, L::splat(FARTHEST));
            if L::bits(far) != 0 || (L::bits(deep) != 0 && one_sided(a, side_a, b, side_b)) {
                odd = odd + scalar::pair_sums((a, side_a), (b, side_b), &[]);
                continue;
            }
            for (sum, block) in wide.iter_mut().zip(block.sums) {
                *sum = L::wide_add(*sum, block);
            }
        }
        let [jsd, kl_pq, kl_qp, distance, excess, p_above, q_below, q_above, p_below] =
            wide.map(|sum| L::wide_total(sum) * UNSCALE);
        odd + PairSums {
            jsd: 0.5 * jsd,
            kl_pq,
            kl_qp,
            distance,
            excess,
            tilt: (p_above + q_below) - (q_above + p_below),
            p: p_above + p_below,
            q: q_above + q_below,
        }
    }
}

/// Does one of the tokens lie below what `exp` bears on one side and not on the other?
#[cold]
fn one_sided(a: &[f32], side_a: Side, b: &[f32], side_b: Side) -> bool {
    let deep = |z: f32, side: Side| f64::from(z) - side.max < f64::from(NEARLY_LOWEST);
    let mut pairs = a.iter().zip(b);
    pairs.any(|(&x, &y)| deep(x, side_a) != deep(y, side_b))
}

#[inline(always)]
unsafe fn block<L: Lanes>(a: *const f32, b: *const f32, scales: &Scales<L>) -> Block<L> {
    // SAFETY: the caller's; every load lies in a block.
    unsafe {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let [mut jsd, mut kl_pq, mut kl_qp, mut distance, mut excess] = [zero; 5];
        let [mut p_above, mut q_below, mut q_above, mut p_below] = [zero; 4];
        let (mut nearest_floor, mut farthest) = (zero, zero);
        let [c_a, floor_a, inverse_a] = scales.a;
        let [c_b, floor_b, inverse_b] = scales.b;
        let [shift, shift_low] = scales.shift;
        for i in 0..VECTORS {
            let (d_a, low_a) = exp::distance::<L>(L::load(a.add(i * L::N)), c_a, floor_a);
            let (d_b, low_b) = exp::distance::<L>(L::load(b.add(i * L::N)), c_b, floor_b);
            let high = L::sub(L::sub(d_a, d_b), shift);
            let u = L::add(high, L::sub(L::sub(low_a, low_b), shift_low));
            let far = L::abs(u);
            nearest_floor = L::min(nearest_floor, L::min(d_a, d_b));
            farthest = L::max(farthest, far);

            let swapped = L::gt(zero, u);
            let d = L::select(swapped, d_b, d_a);
            let low = L::select(swapped, low_b, low_a);
            let inverse = L::select(swapped, inverse_b, inverse_a);
            let hi = L::mul(exp::exp::<L>(d, low), inverse);

            let decay = exp::decay::<L>(far);
            let (v, x, down) = (decay.value, decay.lost, decay.beyond_linear);
            // 1 - v - a v, either way without losing more than a digit.
            let near_up = L::fms(far, x, down);
            let up = L::select(L::gt(one, far), near_up, L::fnma(far, v, x));
            let b_x = L::mul(L::mul(x, x), logarithm::<L>(x));
            let lo = L::mul(hi, v);

            jsd = L::fma(hi, L::sub(up, b_x), jsd);
            kl_pq = L::fma(hi, L::select(swapped, up, down), kl_pq);
            kl_qp = L::fma(hi, L::select(swapped, down, up), kl_qp);
            distance = L::fma(hi, x, distance);
            excess = L::fma(L::with_sign(hi, u), x, excess);
            p_above = L::add(p_above, L::select(swapped, zero, hi));
            q_below = L::add(q_below, L::select(swapped, zero, lo));
            q_above = L::add(q_above, L::select(swapped, hi, zero));
            p_below = L::add(p_below, L::select(swapped, lo, zero));
        }
        Block {
            sums: [
                jsd, kl_pq, kl_qp, distance, excess, p_above, q_below, q_above, p_below,
            ],
            nearest_floor,
            farthest,
        }
    }
}

/// Horner's scheme on [`LOGARITHM`].
#[inline(always)]
unsafe fn logarithm<L: Lanes>(x: L::V) -> L::V {
    // SAFETY: the caller's.
    unsafe {
        let [c0, c1, c2, c3, c4, c5, c6, c7] = LOGARITHM;
        let mut sum = L::splat(c7);
        for c in [c6, c5, c4, c3, c2, c1, c0] {
            sum = L::fma(sum, x, L::splat(c));
        }
        sum
    }
}
