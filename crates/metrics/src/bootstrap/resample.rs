//! The bootstrap distribution: how far the mean of each resample lies from the mean of the data.
//!
//! With u the deviations of clusters (which add up to 0) and w their weights, a resample's mean lies sum(u)/sum(w) away from
//! the data's. Working on deviations keeps all digits of the spread, however large the mean.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use super::philox::Stream;
use super::BootstrapRequest;
use crate::error::{ErrorCode, MetricsError, Result};
use crate::estimate::Deviation;

/// Draws below which a further thread costs more than it brings: a thread starts in the time of some thousand draws.
const DRAWS_PER_THREAD: usize = 100_000;

/// Threads that a bootstrap starts at most, whatever is asked.
const MAX_THREADS: usize = 256;

/// Parts of the work for each thread, so that a slow one holds up the others for a fraction of the time only.
const PARTS_PER_THREAD: usize = 8;

/// The offsets of all resamples from the mean, in ascending order. There are two clusters or more.
pub(crate) fn resample(clusters: &[Deviation], request: &BootstrapRequest) -> Result<Vec<f64>> {
    let Ok(count) = u32::try_from(clusters.len()) else {
        return Err(MetricsError::new(
            ErrorCode::BadArgument,
            format!("a bootstrap of {} clusters", clusters.len()),
            "pass coarser clusters; they are numbered in 32 bits",
        ));
    };
    let mut offsets = vec![0.0; request.resamples];
    // Parts wait in a queue that every thread takes from, so that a thread that the system refuses leaves nothing undone.
    let threads = threads(clusters.len(), request);
    let share = offsets.len().div_ceil(threads * PARTS_PER_THREAD).max(1);
    let queue = Mutex::new(offsets.chunks_mut(share).enumerate());
    let work = || loop {
        let next = queue.lock().ok().and_then(|mut parts| parts.next());
        let Some((index, part)) = next else { break };
        for (i, offset) in part.iter_mut().enumerate() {
            *offset = one(clusters, count, request.seed, (index * share + i) as u32);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    offsets.sort_unstable_by(f64::total_cmp);
    Ok(offsets)
}

fn threads(clusters: usize, request: &BootstrapRequest) -> usize {
    let asked = request
        .threads
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
    let draws = clusters.saturating_mul(request.resamples);
    asked.clamp(1, (draws / DRAWS_PER_THREAD).clamp(1, MAX_THREADS))
}

/// The offset of one resample: as many clusters as there are, drawn with replacement.
fn one(clusters: &[Deviation], count: u32, seed: u64, resample: u32) -> f64 {
    let mut stream = Stream::new(seed, resample);
    // Lemire 2019: the upper half of word x count is uniform once these lower halves are thrown away.
    let uneven = count.wrapping_neg() % count;
    let mut left = clusters.len();
    let (mut deviation, mut weight) = (0.0, 0.0);
    while left > 0 {
        for word in stream.next_batch() {
            let scaled = u64::from(word) * u64::from(count);
            if (scaled as u32) < uneven {
                continue;
            }
            let drawn = clusters[(scaled >> 32) as usize];
            deviation += drawn.deviation;
            weight += drawn.weight;
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    deviation / weight
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
