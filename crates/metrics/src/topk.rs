//! The K most probable tokens of a row, in a buffer that is used again for the next row.

use std::cmp::Ordering;

/// A token of a row with its logit.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    logit: f32,
    id: i32,
}

impl Candidate {
    /// The order of results: the larger logit first, then the lower id. Logits are never NaN here.
    fn before(&self, other: &Self) -> Ordering {
        other
            .logit
            .partial_cmp(&self.logit)
            .unwrap_or(Ordering::Equal)
            .then(self.id.cmp(&other.id))
    }
}

/// Selects the top K of one row after another without allocating again.
///
/// Candidates gather in a buffer of twice K; whenever it is full, its better half stays and sets the bar for what
/// follows. Ids rise, so a later equal logit never beats an earlier one.
#[derive(Debug)]
pub struct TopK {
    candidates: Vec<Candidate>,
    k: usize,
    /// Only logits above it may still be among the K; -inf until K others are known.
    bar: f32,
}

impl Default for TopK {
    fn default() -> Self {
        Self::new()
    }
}

impl TopK {
    /// An empty selection; its buffer grows with the first row.
    pub const fn new() -> Self {
        Self {
            candidates: Vec::new(),
            k: 0,
            bar: f32::INFINITY,
        }
    }

    /// Prepares for a row of `len` logits, of which the `min(k, len)` largest are wanted.
    pub(crate) fn begin(&mut self, k: usize, len: usize) {
        self.k = k.min(len);
        self.candidates.clear();
        self.candidates.reserve(self.capacity().min(len));
        self.bar = if self.k == 0 {
            f32::INFINITY
        } else {
            f32::NEG_INFINITY
        };
    }

    fn capacity(&self) -> usize {
        self.k.saturating_mul(2)
    }

    /// Only logits above this need be offered.
    #[inline]
    pub(crate) fn bar(&self) -> f32 {
        self.bar
    }

    /// Takes a logit above the bar that is not NaN. Ids must rise.
    #[inline]
    pub(crate) fn offer(&mut self, id: i32, logit: f32) {
        if logit <= self.bar {
            return;
        }
        self.candidates.push(Candidate { logit, id });
        if self.candidates.len() == self.capacity() {
            self.compact();
        }
    }

    #[cold]
    fn compact(&mut self) {
        if let Some(last) = self.k.checked_sub(1) {
            let (_, worst, _) = self
                .candidates
                .select_nth_unstable_by(last, Candidate::before);
            self.bar = worst.logit;
            self.candidates.truncate(self.k);
        }
    }

    /// Puts the selection in order, and masked tokens after it when `z`, the row, has too few others.
    pub(crate) fn finish(&mut self, z: &[f32]) {
        self.candidates.sort_unstable_by(Candidate::before);
        self.candidates.truncate(self.k);
        let masked = (0i32..).zip(z).filter(|(_, &z)| z == f32::NEG_INFINITY);
        let lacking = self.k - self.candidates.len();
        self.candidates.extend(
            masked
                .take(lacking)
                .map(|(id, &logit)| Candidate { logit, id }),
        );
    }

    /// How many tokens the last row gave: K, or the size of the vocabulary where that is smaller.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Is nothing selected?
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// The ids, the largest logit first; of equal logits the lower id first. Masked tokens come last.
    pub fn ids(&self) -> impl Iterator<Item = i32> + '_ {
        self.candidates.iter().map(|candidate| candidate.id)
    }

    /// The logits, in the order of [`ids`](Self::ids).
    pub fn logits(&self) -> impl Iterator<Item = f32> + '_ {
        self.candidates.iter().map(|candidate| candidate.logit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{kernels_at, SimdLevel};

    fn top(z: &[f32], k: usize) -> Vec<i32> {
        let scalar = kernels_at(SimdLevel::Scalar).expect("everywhere");
        let mut top = TopK::new();
        scalar.select(z, k, &mut top);
        top.ids().collect()
    }

    #[test]
    fn ties_go_to_the_lower_id() {
        assert_eq!(top(&[1.0, 2.0, 2.0, 2.0, 0.0], 2), [1, 2]);
        assert_eq!(top(&[0.0; 9], 4), [0, 1, 2, 3]);
        assert_eq!(top(&[-0.0, 0.0], 2), [0, 1]);
    }

    #[test]
    fn masked_tokens_come_last_and_k_stops_at_the_vocabulary() {
        let masked = f32::NEG_INFINITY;
        assert_eq!(top(&[masked, 1.0, masked], 5), [1, 0, 2]);
        assert_eq!(top(&[7.0], 1), [0]);
        assert!(top(&[7.0], 0).is_empty());
    }

    #[test]
    fn the_buffer_agrees_with_a_full_sort() {
        // A fixed walk through few distinct values: many ties, rising and falling runs.
        let z: Vec<f32> = (0..997)
            .map(|i| ((i * i * 31 + i * 7) % 101) as f32)
            .collect();
        let mut sorted: Vec<i32> = (0..997).collect();
        sorted.sort_by(|&i, &j| z[j as usize].total_cmp(&z[i as usize]).then(i.cmp(&j)));
        for k in [1, 2, 3, 20, 500, 996, 997] {
            assert_eq!(top(&z, k), sorted[..k]);
        }
    }
}
