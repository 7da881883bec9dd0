//! The bootstrap distribution: how far the mean of each resample lies from the mean of the data.
//!
//! With u the deviations of clusters (which add up to 0) and w their weights, a resample's mean lies sum(u)/sum(w) away from
//! the data's. Working on deviations keeps all digits of the spread, however large the mean.

use super::draws::Draws;
use super::request::BootstrapRequest;
use crate::clusters::Deviation;
use crate::error::Result;

/// The offsets of all resamples from the mean, in ascending order. There are two clusters or more.
pub(crate) fn resample(clusters: &[Deviation], request: &BootstrapRequest) -> Result<Vec<f64>> {
    let draws = Draws::new(clusters.len(), request.seed)?;
    let mut offsets = vec![0.0; request.resamples];
    draws.resample(&mut offsets, 1, request.threads, |resample, offset| {
        let (mut deviation, mut weight) = (0.0, 0.0);
        draws.visit(resample, |cluster| {
            deviation += clusters[cluster].deviation;
            weight += clusters[cluster].weight;
        });
        offset[0] = deviation / weight;
    });
    offsets.sort_unstable_by(f64::total_cmp);
    Ok(offsets)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clusters(count: usize) -> Vec<Deviation> {
        let middle = (count as f64 - 1.0) / 2.0;
        (0..count)
            .map(|i| Deviation {
                deviation: i as f64 - middle,
                weight: 1.0,
            })
            .collect()
    }

    fn request(threads: usize, seed: u64) -> BootstrapRequest {
        BootstrapRequest {
            threads: Some(threads),
            seed,
            ..BootstrapRequest::default()
        }
    }

    #[test]
    fn the_seed_alone_decides() {
        let data = clusters(101);
        let alone = resample(&data, &request(1, 3)).expect("few clusters");
        for threads in [2, 3, 16, 5000] {
            assert_eq!(alone, resample(&data, &request(threads, 3)).expect("few"));
        }
        assert_ne!(alone, resample(&data, &request(1, 4)).expect("few"));
    }

    /// Four standard errors: of the mean and of the variance of 10,000 resamples.
    #[test]
    fn the_distribution_has_the_moments_it_must_have() {
        for count in [2, 7, 64, 1000] {
            let data = clusters(count);
            let offsets = resample(&data, &request(2, 11)).expect("few clusters");
            let n = offsets.len() as f64;
            let squares: f64 = data.iter().map(|c| c.deviation * c.deviation).sum();
            let variance = squares / (count * count) as f64;
            let mean = offsets.iter().sum::<f64>() / n;
            let spread = offsets.iter().map(|x| x * x).sum::<f64>() / n;
            assert!(mean.abs() < 4.0 * (variance / n).sqrt(), "{count}: {mean}");
            let off = (spread / variance - 1.0).abs();
            assert!(off < 4.0 * (2.0 / n).sqrt(), "{count}: {off}");
        }
    }
}
