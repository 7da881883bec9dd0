//! The sign-flip test of a mean of 0: the distribution of the mean where the sides of each cluster are exchanged by chance.
//!
//! Where a value is a difference of two sides and the sides are exchangeable (the hypothesis), a cluster's values have as good a
//! chance to be these as to be their negatives. All values of a cluster change sign together, since they belong together.

use std::collections::BTreeMap;

use crate::bootstrap::{check_resamples, Stream, DEFAULT_RESAMPLES};
use crate::error::{ErrorCode, MetricsError, Result};
use crate::interval::{check_level, DEFAULT_LEVEL};
use crate::kernel::sum;
use crate::shape;

/// Up to so many clusters every way to flip them is counted.
const MOST_EXACT: usize = 16;

/// Two means that differ by less than this part of the observed one are the same: sums in another order differ by rounding.
const SAME: f64 = 1e-12;

/// Which values belong together, and how signs are drawn.
#[derive(Debug, Clone, Copy)]
pub struct SignFlipRequest<'a> {
    /// One a value: the cluster to which it belongs. `None`: each is its own.
    pub cluster: Option<&'a [u32]>,
    /// The share of the distribution under the hypothesis that lies up to `null_high`, in (0, 1).
    pub level: f64,
    /// How often signs are drawn where there are too many clusters to count all.
    pub resamples: usize,
    /// The seed of these draws.
    pub seed: u64,
}

impl Default for SignFlipRequest<'_> {
    fn default() -> Self {
        Self {
            cluster: None,
            level: DEFAULT_LEVEL,
            resamples: DEFAULT_RESAMPLES,
            seed: 0,
        }
    }
}

/// What the test says.
#[derive(Debug, Clone, PartialEq)]
pub struct SignFlip {
    /// The mean of the values.
    pub mean: f64,
    /// How many values there are.
    pub n: usize,
    /// How many clusters change sign.
    pub clusters: usize,
    /// Two-sided: the share of flips whose mean is as far from 0 as the observed one; of draws (k + 1) / (draws + 1).
    pub p_value: Option<f64>,
    /// The size of the mean below which the share `level` of all flips lies.
    pub null_high: Option<f64>,
    /// Every way to flip was counted, not a sample.
    pub exact: bool,
    /// Why there is no p-value.
    pub reason: Option<String>,
}

/// Tests that the mean of `values` is 0 under exchangeable sides. Clusters of one way alone: where values belong together in two ways that
/// cross, no flip leaves both alone.
///
/// # Errors
/// `empty_input` for no values, `not_finite` with the row of one that is NaN or infinite, `length_mismatch` for clusters that are not
/// one a value, `bad_argument` for a level outside (0, 1) and a number of draws that cannot be.
pub fn sign_flip(values: &[f64], request: &SignFlipRequest<'_>) -> Result<SignFlip> {
    let level = check_level(request.level)?;
    check_resamples(request.resamples, level)?;
    check(values, request)?;
    let sums = sums_of(values, request.cluster);
    let n = values.len();
    let total = sum(sums.iter().copied());
    let found = SignFlip {
        mean: total / n as f64,
        n,
        clusters: sums.len(),
        p_value: None,
        null_high: None,
        exact: sums.len() <= MOST_EXACT,
        reason: None,
    };
    if sums.len() < 2 {
        let reason = "there is one cluster; a sign-flip test needs at least two";
        return Ok(SignFlip {
            reason: Some(reason.to_owned()),
            ..found
        });
    }
    let mut sizes = if found.exact {
        every_flip(&sums)
    } else {
        draw_flips(&sums, request)
    };
    let observed = total.abs() * (1.0 - SAME);
    let far = sizes.iter().filter(|&&size| size >= observed).count();
    // Of draws the data themselves are one more.
    let own = usize::from(!found.exact);
    sizes.sort_unstable_by(f64::total_cmp);
    let place = (level * sizes.len() as f64).ceil() as usize;
    Ok(SignFlip {
        p_value: Some((far + own) as f64 / (sizes.len() + own) as f64),
        null_high: Some(sizes[place.clamp(1, sizes.len()) - 1] / n as f64),
        ..found
    })
}

fn check(values: &[f64], request: &SignFlipRequest<'_>) -> Result<()> {
    if values.is_empty() {
        let error = MetricsError::new(
            ErrorCode::EmptyInput,
            "there are no values",
            "pass at least one value",
        );
        return Err(error.in_input("values"));
    }
    if let Some(row) = values.iter().position(|value| !value.is_finite()) {
        let what = format!("a value is {}", values[row]);
        let error = MetricsError::new(ErrorCode::NotFinite, what, "leave such values out");
        return Err(error.in_input("values").at_row(row));
    }
    request.cluster.map_or(Ok(()), |ids| {
        shape::same_length("cluster", ids.len(), values.len())
    })
}

/// The sum of each cluster's values, by ascending number of the cluster; without clusters the values.
fn sums_of(values: &[f64], cluster: Option<&[u32]>) -> Vec<f64> {
    let Some(ids) = cluster else {
        return values.to_vec();
    };
    let mut clusters: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for (&id, &value) in ids.iter().zip(values) {
        clusters.entry(id).or_default().push(value);
    }
    clusters
        .into_values()
        .map(|own| sum(own.into_iter()))
        .collect()
}

/// The size of the sum under every choice of signs. A choice and its opposite have one size, so that the first sign stays.
fn every_flip(sums: &[f64]) -> Vec<f64> {
    (0..1_u32 << (sums.len() - 1))
        .map(|flips| {
            flip(sums, |cluster| {
                cluster > 0 && flips >> (cluster - 1) & 1 == 1
            })
        })
        .collect()
}

/// The size of the sum under drawn signs: draw r takes bit c of the stream of words (seed, r) for cluster c.
fn draw_flips(sums: &[f64], request: &SignFlipRequest<'_>) -> Vec<f64> {
    (0..request.resamples)
        .map(|draw| {
            let mut stream = Stream::new(request.seed, draw as u32);
            let words: Vec<u32> = std::iter::repeat_with(|| stream.next_batch())
                .flatten()
                .take(sums.len().div_ceil(32))
                .collect();
            flip(sums, |cluster| {
                words[cluster / 32] >> (cluster % 32) & 1 == 1
            })
        })
        .collect()
}

fn flip(sums: &[f64], flips: impl Fn(usize) -> bool) -> f64 {
    let signed = |(cluster, &value): (usize, &f64)| if flips(cluster) { -value } else { value };
    sums.iter().enumerate().map(signed).sum::<f64>().abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[f64], cluster: Option<&[u32]>) -> SignFlip {
        let request = SignFlipRequest {
            cluster,
            ..SignFlipRequest::default()
        };
        sign_flip(values, &request).expect("values")
    }

    /// Counted by hand: of the 8 signs of 1, 2, 4 only all plus and all minus reach 7.
    #[test]
    fn few_clusters_are_counted() {
        let all = found(&[1.0, 2.0, 4.0], None);
        assert_eq!((all.p_value, all.exact), (Some(2.0 / 8.0), true));
        // Sizes 1, 3, 5, 7 have a quarter each.
        assert_eq!(all.null_high, Some(7.0 / 3.0));
        // 5 is the size of 1 + 4 - 2; 7 and 5 are as far.
        assert_eq!(found(&[1.0, -2.0, 4.0], None).p_value, Some(6.0 / 8.0));
        assert_eq!(found(&[0.0, 0.0], None).p_value, Some(1.0));
    }

    /// SciPy 1.17: permutation_test((values,), np.mean, permutation_type='samples', n_resamples=np.inf), two-sided by |mean|.
    #[test]
    fn a_known_answer() {
        let values = [0.3, -0.1, 0.25, 0.4, 0.05, -0.2, 0.15, 0.35, 0.1, 0.2];
        assert_eq!(found(&values, None).p_value, Some(50.0 / 1024.0));
    }

    #[test]
    fn a_cluster_flips_as_one() {
        let values = [1.0, 1.0, 2.0, 4.0];
        let clusters = found(&values, Some(&[7, 7, 1, 3]));
        assert_eq!(clusters.clusters, 3);
        assert_eq!(clusters.p_value, Some(2.0 / 8.0));
        let alone = found(&values, Some(&[5, 5, 5, 5]));
        assert!(alone.p_value.is_none() && alone.reason.is_some());
    }

    /// Draws agree with the count that they stand for, within four standard errors.
    #[test]
    fn many_clusters_are_drawn() {
        let values: Vec<f64> = (0..17).map(|i| f64::from(i % 5) - 1.4).collect();
        let drawn = found(&values, None);
        assert!(!drawn.exact);
        let exact = every_flip(&values);
        let far = exact
            .iter()
            .filter(|&&size| size >= sum(values.iter().copied()).abs() * (1.0 - SAME))
            .count();
        let p = far as f64 / exact.len() as f64;
        let error = (p * (1.0 - p) / 10_000.0).sqrt();
        assert!((drawn.p_value.expect("clusters") - p).abs() < 4.0 * error + 1e-4);
        let other = SignFlipRequest {
            seed: 1,
            ..SignFlipRequest::default()
        };
        assert_ne!(
            sign_flip(&values, &other).expect("values").null_high,
            drawn.null_high
        );
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = |values: &[f64], request: SignFlipRequest<'_>| {
            sign_flip(values, &request).expect_err("bad").code()
        };
        let whole = SignFlipRequest::default();
        assert_eq!(refused(&[], whole), "empty_input");
        assert_eq!(refused(&[1.0, f64::NAN], whole), "not_finite");
        let short = SignFlipRequest {
            cluster: Some(&[1]),
            ..whole
        };
        assert_eq!(refused(&[1.0, 2.0], short), "length_mismatch");
        let level = SignFlipRequest {
            level: 1.0,
            ..whole
        };
        assert_eq!(refused(&[1.0, 2.0], level), "bad_argument");
        let none = SignFlipRequest {
            resamples: 0,
            ..whole
        };
        assert_eq!(refused(&[1.0, 2.0], none), "bad_argument");
    }
}
