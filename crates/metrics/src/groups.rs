//! Token groups: the sets of token ids whose probability mass is asked for, as they lie in memory.

use crate::error::{ErrorCode, MetricsError, Result};
use crate::shape;

/// Token groups of one vocabulary: all ids one after another, and where each group starts and ends.
///
/// Group `g` is `ids[offsets[g]..offsets[g + 1]]`. A group may be empty (its mass is 0), and groups may share ids.
#[derive(Debug, Clone, Copy)]
pub struct TokenGroups<'a> {
    ids: &'a [i32],
    offsets: &'a [usize],
    vocab: usize,
}

impl<'a> TokenGroups<'a> {
    /// No groups at all.
    pub const fn none() -> Self {
        Self {
            ids: &[],
            offsets: &[],
            vocab: 0,
        }
    }

    /// Groups with everything checked that makes their masses right.
    ///
    /// `offsets` has one entry more than there are groups, starts at 0, never falls and ends at `ids.len()`. An empty
    /// `offsets` with empty `ids` means no groups.
    ///
    /// # Errors
    /// `length_mismatch` for offsets of another form, `out_of_range` for an id outside `0..vocab`, `bad_argument` for
    /// an id that a group holds twice, which would count it double.
    pub fn new(ids: &'a [i32], offsets: &'a [usize], vocab: usize) -> Result<Self> {
        let groups = Self::with_distinct_ids(ids, offsets, vocab)?;
        let mut sorted = Vec::new();
        for group in groups.iter() {
            sorted.clear();
            sorted.extend_from_slice(group);
            sorted.sort_unstable();
            if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(MetricsError::new(
                    ErrorCode::BadArgument,
                    "a token group holds the same id twice",
                    "list each id once, or its probability would count double",
                )
                .with_id(twice[0]));
            }
        }
        Ok(groups)
    }

    /// Groups whose ids the caller knows to be distinct inside each group; the rest is checked as in [`new`](Self::new).
    ///
    /// For callers that check once and then measure row by row: this neither sorts nor allocates.
    ///
    /// # Errors
    /// As [`new`](Self::new), without `bad_argument`.
    pub fn with_distinct_ids(ids: &'a [i32], offsets: &'a [usize], vocab: usize) -> Result<Self> {
        let starts = offsets.first().copied().unwrap_or(0);
        let ends = offsets.last().copied().unwrap_or(0);
        if starts != 0 || ends != ids.len() || offsets.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err(MetricsError::new(
                ErrorCode::LengthMismatch,
                format!("the group offsets do not cut {} ids into groups", ids.len()),
                "pass groups + 1 offsets that start at 0, never fall and end at the number of ids",
            ));
        }
        for &id in ids {
            check_id(
                id,
                vocab,
                "a token group holds an id outside the vocabulary",
            )?;
        }
        Ok(Self {
            ids,
            offsets,
            vocab,
        })
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Is there no group?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids of each group, in order.
    pub fn iter(&self) -> impl Iterator<Item = &'a [i32]> + '_ {
        self.offsets
            .windows(2)
            .map(|pair| self.ids.get(pair[0]..pair[1]).unwrap_or(&[]))
    }

    /// Checks that the groups were made for rows of `vocab` tokens.
    pub(crate) fn check_vocab(&self, vocab: usize) -> Result<()> {
        if self.ids.is_empty() {
            return Ok(());
        }
        shape::same_length("groups", self.vocab, vocab)
    }
}

/// `id` as a column of a row of `vocab` logits.
pub(crate) fn check_id(id: i32, vocab: usize, what: &'static str) -> Result<usize> {
    usize::try_from(id)
        .ok()
        .filter(|&column| column < vocab)
        .ok_or_else(|| {
            MetricsError::new(
                ErrorCode::OutOfRange,
                format!("{what} of {vocab} tokens"),
                "map words to ids with the model's own tokenizer",
            )
            .with_id(id)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(result: Result<TokenGroups<'_>>) -> &'static str {
        result.err().map_or("ok", |e| e.code())
    }

    #[test]
    fn groups_come_back_as_given() {
        let groups = TokenGroups::new(&[3, 1, 2], &[0, 2, 2, 3], 4).expect("valid");
        let all: Vec<&[i32]> = groups.iter().collect();
        assert_eq!(all, [&[3, 1][..], &[], &[2]]);
        assert_eq!(groups.len(), 3);
        assert!(TokenGroups::new(&[], &[], 4).expect("valid").is_empty());
    }

    #[test]
    fn faults_are_named() {
        for offsets in [&[][..], &[1, 2], &[0, 1], &[0, 3], &[0, 2, 1, 2]] {
            assert_eq!(
                code(TokenGroups::new(&[0, 1], offsets, 4)),
                "length_mismatch"
            );
        }
        assert_eq!(code(TokenGroups::new(&[4], &[0, 1], 4)), "out_of_range");
        assert_eq!(code(TokenGroups::new(&[-1], &[0, 1], 4)), "out_of_range");
        let twice = TokenGroups::new(&[1, 2, 1], &[0, 3], 4).expect_err("twice");
        assert_eq!((twice.code(), twice.id()), ("bad_argument", Some(1)));
        assert_eq!(code(TokenGroups::new(&[1, 1], &[0, 1, 2], 4)), "ok");
    }
}
