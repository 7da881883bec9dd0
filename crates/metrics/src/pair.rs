//! How far apart two next-token distributions are: divergences of two rows of logits over the same vocabulary.
//!
//! Over the union U of the top K of both rows, a set, the Jensen-Shannon divergence has a part that is known from the
//! top K alone, and bounds for the rest: `partial <= lower <= jsd <= upper`. The pass over the rows leaves out the members
//! of U, which are summed one by one, so that "the rest outside U" is a sum of its own and not a difference from 1,
//! which would lose everything when the rest is small.
//!
//! A pair is swept twice: first each row for its logsumexp and its top K, then both rows at once. Terms depend on the
//! difference of the two logsumexps, and where the rows all but agree they depend on digits of it that a first sweep
//! by vectors lacks. Then `sum (p - q)`, whose terms are exact enough for it, is not 0: it says by how much the difference
//! is off, and the second sweep is done again.
//!
//! Accuracy, as described for [`Row`]: at level `scalar` a relative 1e-11 or an absolute 1e-13, at the others a relative
//! 1e-6 or an absolute 1e-28, for all divergences but the total variation, which no sweep gives closer than the two
//! logsumexps are known: a relative 1e-6 or an absolute 1e-14. Bounds are sums of such numbers. Equal rows give exactly 0,
//! and swapped rows the same bits.

use std::f64::consts::LN_2;

use crate::error::{ErrorCode, MetricsError, Result};
use crate::row::Row;
use crate::shape;
use crate::simd::{scalar, Care, Kernels, PairSums, Side, SimdLevel};
use crate::topk::TopK;

/// How large a part of a divergence may be an error of the logsumexps' difference before the sweep is done again: well
/// below the 1e-6 that is promised.
const SWEEP_AGAIN: f64 = 1e-8;

/// Below this part of the square of the difference of the logsumexps, a divergence may be off by 1e-6 if the logits are
/// subtracted with the usual care: to 6e-8 of that difference.
const SMALL_NEXT_TO_SHIFT: f64 = 2e-3;

/// The part of `sum |p - q|` that `sum (p - q)` may be: what the first sum is off by at most.
///
/// Both halves of it, where p is above q and where q is above p, are the total variation; one rises and one falls with an
/// error of the logsumexps' difference, so that the right value lies between them, half of `sum (p - q)` from their mean.
const LEAVE_BE: f64 = 5e-7;

/// The base of the logarithms in divergences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogBase {
    /// Natural logarithms: divergences in nats, a Jensen-Shannon divergence of at most `ln 2`.
    #[default]
    E,
    /// Base 2: divergences in bits, a Jensen-Shannon divergence of at most 1.
    Two,
}

impl LogBase {
    /// A divergence in nats in this base.
    pub fn from_nats(self, nats: f64) -> f64 {
        match self {
            Self::E => nats,
            Self::Two => nats / LN_2,
        }
    }
}

/// The divergences of two distributions p and q over the whole vocabulary, in nats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairMetrics {
    /// Jensen-Shannon divergence `(KL(p||m) + KL(q||m)) / 2` with `m = (p + q) / 2`, in [0, ln 2]; 0 for equal rows.
    pub jsd: f64,
    /// KL(p||q), 0 or more; infinite when q masks a token that p does not.
    pub kl_pq: f64,
    /// KL(q||p), 0 or more; infinite when p masks a token that q does not.
    pub kl_qp: f64,
    /// Total variation distance `sum |p - q| / 2`, in [0, 1].
    pub total_variation: f64,
}

/// What the union of the top K of both rows says about the Jensen-Shannon divergence, in nats.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TopKDivergence {
    /// Tokens in the union, from `min(K, vocab)` to twice that.
    pub union_size: u32,
    /// The divergence's terms over the union.
    pub partial: f64,
    /// `partial` and the term of everything else lumped into one token: a lower bound of the divergence.
    pub lower: f64,
    /// `partial` and `(rest of p + rest of q) / 2 * ln 2`: an upper bound of the divergence.
    pub upper: f64,
}

/// Buffers of [`Pair::measure`], to pass again for the next pair.
#[derive(Debug, Default)]
pub struct PairBuffers {
    top: TopK,
    members: Vec<Member>,
    columns: Vec<usize>,
}

/// A token of the union of the top K of both rows.
#[derive(Debug, Clone, Copy)]
struct Member {
    column: usize,
    /// Its better place, from 0, in the two top lists: it belongs to the union for every K above that.
    place: usize,
    sums: PairSums,
}

/// Two checked rows of equal length.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    a: Row<'a>,
    b: Row<'a>,
}

impl<'a> Pair<'a> {
    /// Checks two rows of logits: `a` with softmax p, `b` with softmax q.
    ///
    /// # Errors
    /// `length_mismatch` for rows of different lengths; those of [`Row::new`], naming `a` or `b`.
    pub fn new(a: &'a [f32], b: &'a [f32]) -> Result<Self> {
        Self::from_rows(a, b, Row::new)
    }

    /// [`new`](Self::new) with kernels of one's own choice.
    ///
    /// # Errors
    /// As [`new`](Self::new); `bad_argument` for a level that this machine lacks.
    pub fn new_at(a: &'a [f32], b: &'a [f32], level: SimdLevel) -> Result<Self> {
        Self::from_rows(a, b, |z| Row::new_at(z, level))
    }

    fn from_rows(
        a: &'a [f32],
        b: &'a [f32],
        row: impl Fn(&'a [f32]) -> Result<Row<'a>>,
    ) -> Result<Self> {
        if a.len() != b.len() {
            return Err(MetricsError::new(
                ErrorCode::LengthMismatch,
                format!("a pair of rows of {} and {} logits", a.len(), b.len()),
                "compare rows over the same vocabulary",
            ));
        }
        Ok(Self {
            a: row(a).map_err(|error| error.in_input("a"))?,
            b: row(b).map_err(|error| error.in_input("b"))?,
        })
    }

    /// Checks two rows of equal length, neither empty nor too long, and in the same sweep finds the members for `k`.
    pub(crate) fn sweep(
        a: &'a [f32],
        b: &'a [f32],
        kernels: &'static Kernels,
        k: usize,
        buffers: &mut PairBuffers,
    ) -> Result<Self> {
        buffers.members.clear();
        let mut row = |z, input| {
            let top = (k > 0).then_some((&mut buffers.top, k));
            let row =
                Row::sweep(z, kernels, false, None, top).map_err(|error| error.in_input(input))?;
            if k > 0 {
                extend(&mut buffers.members, &buffers.top);
            }
            Ok(row)
        };
        let pair = Self {
            a: row(a, "a")?,
            b: row(b, "b")?,
        };
        unite(&mut buffers.members);
        Ok(pair)
    }

    /// Computes the divergences, and the top-K form for each K of `ks` (any order) into the same place of `top_k`.
    ///
    /// Rounding noise of a few units in the last place is cut so that the promised ranges and
    /// `partial <= lower <= jsd <= upper <= ln 2` hold exactly; nothing larger is ever cut.
    ///
    /// # Errors
    /// `bad_argument` for a K of 0, `length_mismatch` when `top_k` is not as long as `ks`.
    pub fn measure(
        &self,
        ks: &[usize],
        top_k: &mut [TopKDivergence],
        buffers: &mut PairBuffers,
    ) -> Result<PairMetrics> {
        shape::same_length("topK", top_k.len(), ks.len())?;
        for &k in ks {
            shape::top_k(k)?;
        }
        let k = ks.iter().copied().max().unwrap_or(0);
        let PairBuffers { top, members, .. } = buffers;
        members.clear();
        if k > 0 {
            for row in [&self.a, &self.b] {
                row.top_k(k, top)?;
                extend(members, top);
            }
            unite(members);
        }
        Ok(self.measure_members(ks, top_k, buffers))
    }

    /// [`measure`](Self::measure) with valid arguments, where the members for the largest K are known.
    pub(crate) fn measure_members(
        &self,
        ks: &[usize],
        top_k: &mut [TopKDivergence],
        buffers: &mut PairBuffers,
    ) -> PairMetrics {
        let PairBuffers {
            members, columns, ..
        } = buffers;
        columns.clear();
        columns.extend(members.iter().map(|member| member.column));
        let (total, rest) = self.sum_twice(members, columns);

        let jsd = total.jsd.min(LN_2);
        for (&k, divergence) in ks.iter().zip(top_k) {
            let (inside, outside) =
                members.split_at(members.partition_point(|member| member.place < k));
            *divergence = bounds(
                inside.len(),
                add_up(inside, PairSums::default()),
                add_up(outside, rest),
                jsd,
            );
        }
        PairMetrics {
            jsd,
            kl_pq: total.kl_pq,
            kl_qp: total.kl_qp,
            total_variation: (0.5 * total.distance).min(1.0),
        }
    }

    /// The sums over all columns, those over each member, into it, and those over all columns but the members'.
    fn sum_twice(&self, members: &mut [Member], columns: &[usize]) -> (PairSums, PairSums) {
        let mut sides = (self.a.side(), self.b.side());
        let mut rest = self.sum_around(sides, members, columns, Care::Usual);
        if self.a.kernels().level() == SimdLevel::Scalar {
            members.sort_unstable_by_key(in_order);
            return (add_up(members, rest), rest);
        }
        let mut total = add_up(members, rest);
        // A difference of logsumexps that is off by e moves a divergence by e^2 / 8 and little more, the total variation
        // by up to e / 2.
        let moved = total.excess * total.excess / 8.0;
        let shift = (sides.0.max - sides.1.max) + (sides.0.log_sum - sides.1.log_sum);
        if moved > SWEEP_AGAIN * total.jsd
            || total.excess.abs() > LEAVE_BE * total.distance
            || total.jsd < SMALL_NEXT_TO_SHIFT * shift * shift
        {
            sides = correct(sides, total.excess);
            rest = self.sum_around(sides, members, columns, Care::Exact);
            total = add_up(members, rest);
        }
        // Over all tokens what e moves cancels but for its square; over some tokens it does not.
        let excess = total.excess;
        self.sum_members(correct(sides, excess), members);
        members.sort_unstable_by_key(in_order);
        if members.len() == self.a.vocab() {
            total = add_up(members, rest);
        }
        (total, settle(rest, excess))
    }

    fn sum_members(&self, (side_a, side_b): (Side, Side), members: &mut [Member]) {
        for member in members {
            let (x, y) = (
                self.a.logits()[member.column],
                self.b.logits()[member.column],
            );
            member.sums = scalar::token_terms(x, side_a, y, side_b);
        }
    }

    fn sum_around(
        &self,
        sides: (Side, Side),
        members: &mut [Member],
        columns: &[usize],
        care: Care,
    ) -> PairSums {
        self.sum_members(sides, members);
        let (a, b) = (self.a.logits(), self.b.logits());
        let kernels = self.a.kernels();
        kernels.pair_sums((a, sides.0), (b, sides.1), columns, care)
    }
}

/// Both sides, where `sum (p - q)` came out as `excess` and not as 0.
fn correct((a, b): (Side, Side), excess: f64) -> (Side, Side) {
    let by = |side: Side, step: f64| {
        let log_sum = side.log_sum + step;
        Side {
            log_sum,
            sum: log_sum.exp(),
            ..side
        }
    };
    (by(a, 0.5 * excess), by(b, -0.5 * excess))
}

/// The masses of the rest, made with sides that [`corrected`] would correct: what [`bounds`] needs of it.
fn settle(rest: PairSums, excess: f64) -> PairSums {
    let (p, q) = (rest.p * (1.0 - 0.5 * excess), rest.q * (1.0 + 0.5 * excess));
    let between = rest.excess - 0.5 * excess * (p + q);
    // Near each other, p and q are less exact than what lies between them.
    let (p, q) = if between.abs() < 0.25 * (p + q) {
        (0.5 * (p + q + between), 0.5 * (p + q - between))
    } else {
        (p, q)
    };
    PairSums { p, q, ..rest }
}

/// The order in which members are in the union of a growing K.
fn in_order(member: &Member) -> (usize, usize) {
    (member.place, member.column)
}

/// Adds one row's top list to the members.
fn extend(members: &mut Vec<Member>, top: &TopK) {
    members.extend(top.ids().enumerate().map(|(place, id)| Member {
        column: id as usize,
        place,
        sums: PairSums::default(),
    }));
}

/// Makes two top lists their union, in the order of columns.
fn unite(members: &mut Vec<Member>) {
    members.sort_unstable_by_key(|member| (member.column, member.place));
    members.dedup_by_key(|member| member.column);
}

fn add_up(members: &[Member], start: PairSums) -> PairSums {
    members
        .iter()
        .fold(start, |total, member| total + member.sums)
}

fn bounds(union: usize, inside: PairSums, outside: PairSums, jsd: f64) -> TopKDivergence {
    let partial = inside.jsd;
    let lower = partial + scalar::jsd_term(outside.p, outside.q);
    let upper = partial + 0.5 * (outside.p + outside.q) * LN_2;
    TopKDivergence {
        // At most twice the vocabulary's i32 range, which fits a u32.
        union_size: union as u32,
        partial: partial.min(jsd),
        lower: lower.min(jsd),
        upper: upper.min(LN_2).max(jsd),
    }
}
