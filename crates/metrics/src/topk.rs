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
#[derive(Debug, Default)]
pub struct TopK {
    candidates: Vec<Candidate>,
}

impl TopK {
    /// An empty selection; its buffer grows with the first row.
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects the `min(k, z.len())` largest logits of `z`, which holds no NaN and at most `i32::MAX` logits.
    ///
    /// A row is read once from its start. Candidates gather in a buffer of twice K; whenever it is full, its better
    /// half stays and sets the bar for what follows. Ids rise, so a later equal logit never beats an earlier one.
    pub(crate) fn select(&mut self, z: &[f32], k: usize) {
        let k = k.min(z.len());
        let capacity = k.saturating_mul(2).min(z.len());
        self.candidates.clear();
        self.candidates.reserve(capacity);
        if k == 0 {
            return;
        }
        let mut bar = None;
        for (id, &logit) in (0i32..).zip(z) {
            if bar.is_some_and(|bar| logit <= bar) {
                continue;
            }
            self.candidates.push(Candidate { logit, id });
            if self.candidates.len() == capacity && capacity > k {
                self.candidates
                    .select_nth_unstable_by(k - 1, Candidate::before);
                self.candidates.truncate(k);
                bar = self.candidates.last().map(|worst| worst.logit);
            }
        }
        self.candidates.sort_unstable_by(Candidate::before);
        self.candidates.truncate(k);
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

    fn top(z: &[f32], k: usize) -> Vec<i32> {
        let mut top = TopK::new();
        top.select(z, k);
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
