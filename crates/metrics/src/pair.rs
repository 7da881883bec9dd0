//! How far two next-token distributions lie apart: divergences of two rows of logits over the same vocabulary.
//!
//! Over the union U of the top K of both rows, a set, the Jensen-Shannon divergence has a part that is known from the
//! top K alone, and bounds for the rest: `partial <= lower <= jsd <= upper`. The pass over the rows runs over the gaps
//! between the members of U and over the members one by one, so that "the rest outside U" is a sum of its own and not
//! a difference from 1, which would lose everything when the rest is small.

use std::f64::consts::LN_2;

use crate::error::{ErrorCode, MetricsError, Result};
use crate::kernel::{self, PairSums};
use crate::row::Row;
use crate::shape;
use crate::topk::TopK;

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

/// What the union of the top K of both rows tells about the Jensen-Shannon divergence, in nats.
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

/// Buffers of [`Pair::measure`], to hand in again for the next pair.
#[derive(Debug, Default)]
pub struct PairBuffers {
    top: TopK,
    members: Vec<Member>,
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
        if a.len() != b.len() {
            return Err(MetricsError::new(
                ErrorCode::LengthMismatch,
                format!("a pair of rows of {} and {} logits", a.len(), b.len()),
                "compare rows over the same vocabulary",
            ));
        }
        Ok(Self {
            a: Row::new(a).map_err(|error| error.in_input("a"))?,
            b: Row::new(b).map_err(|error| error.in_input("b"))?,
        })
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
        self.find_members(ks.iter().copied().max().unwrap_or(0), buffers);
        let members = &mut buffers.members;
        let gaps = self.sum_around(members);
        members.sort_unstable_by_key(|member| (member.place, member.column));

        let total = add_up(members, gaps);
        let jsd = total.jsd.min(LN_2);
        for (&k, divergence) in ks.iter().zip(top_k) {
            let (inside, outside) =
                members.split_at(members.partition_point(|member| member.place < k));
            *divergence = bounds(
                inside.len(),
                add_up(inside, PairSums::default()),
                add_up(outside, gaps),
                jsd,
            );
        }
        Ok(PairMetrics {
            jsd,
            kl_pq: total.kl_pq,
            kl_qp: total.kl_qp,
            total_variation: (0.5 * total.distance).min(1.0),
        })
    }

    /// Gathers the union of the top `k` of both rows, in the order of columns.
    fn find_members(&self, k: usize, buffers: &mut PairBuffers) {
        let PairBuffers { top, members } = buffers;
        members.clear();
        for row in [&self.a, &self.b] {
            top.select(row.logits(), k);
            members.extend(top.ids().enumerate().map(|(place, id)| Member {
                column: id as usize,
                place,
                sums: PairSums::default(),
            }));
        }
        members.sort_unstable_by_key(|member| (member.column, member.place));
        members.dedup_by_key(|member| member.column);
    }

    /// Sums over each member, into it, and over all columns between them, which are returned.
    fn sum_around(&self, members: &mut [Member]) -> PairSums {
        let sums = |from: usize, to: usize| {
            kernel::pair_sums(
                &self.a.logits()[from..to],
                self.a.side(),
                &self.b.logits()[from..to],
                self.b.side(),
            )
        };
        let mut gaps = PairSums::default();
        let mut next = 0;
        for member in members {
            gaps = gaps + sums(next, member.column);
            next = member.column + 1;
            member.sums = sums(member.column, next);
        }
        gaps + sums(next, self.a.vocab())
    }
}

fn add_up(members: &[Member], start: PairSums) -> PairSums {
    members
        .iter()
        .fold(start, |total, member| total + member.sums)
}

fn bounds(union: usize, inside: PairSums, outside: PairSums, jsd: f64) -> TopKDivergence {
    let partial = inside.jsd;
    let lower = partial + kernel::jsd_term(outside.p, outside.q);
    let upper = partial + 0.5 * (outside.p + outside.q) * LN_2;
    TopKDivergence {
        // At most twice the vocabulary's i32 range, which fits a u32.
        union_size: union as u32,
        partial: partial.min(jsd),
        lower: lower.min(jsd),
        upper: upper.min(LN_2).max(jsd),
    }
}
