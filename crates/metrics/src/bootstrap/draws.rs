//! Which clusters a resample draws, and how resamples are shared out to threads: what every bootstrap here has in common, so
//! that two of them with one seed and as many clusters draw the same.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use super::philox::Stream;
use crate::error::{ErrorCode, MetricsError, Result};

/// Draws below which a further thread costs more than it brings: a thread starts in the time of some thousand draws.
const DRAWS_PER_THREAD: usize = 100_000;

/// The most threads that a bootstrap starts.
const MAX_THREADS: usize = 256;

/// Parts of the work for each thread, so that a slow one holds up the others for a fraction of the time only.
const PARTS_PER_THREAD: usize = 8;

/// Whole clusters, drawn with replacement: as many as there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draws {
    clusters: u32,
    seed: u64,
}

impl Draws {
    /// Draws from so many clusters, 1 or more.
    pub(super) fn new(clusters: usize, seed: u64) -> Result<Self> {
        let Ok(clusters) = u32::try_from(clusters) else {
            return Err(MetricsError::new(
                ErrorCode::BadArgument,
                format!("a bootstrap of {clusters} clusters"),
                "pass coarser clusters; they are numbered in 32 bits",
            ));
        };
        Ok(Self { clusters, seed })
    }

    /// Calls `each` with the number of every cluster that a resample draws.
    pub(super) fn visit(self, resample: u32, mut each: impl FnMut(usize)) {
        let mut stream = Stream::new(self.seed, resample);
        // Lemire 2019: the upper half of word x count is uniform once these lower halves are thrown away.
        let uneven = self.clusters.wrapping_neg() % self.clusters;
        let mut left = self.clusters;
        while left > 0 {
            for word in stream.next_batch() {
                let scaled = u64::from(word) * u64::from(self.clusters);
                if (scaled as u32) < uneven {
                    continue;
                }
                each((scaled >> 32) as usize);
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        }
    }

    /// Has `fill` write the `columns` numbers of each resample into `numbers`, on as many threads as are asked (`None`: as
    /// the machine has) and worth it. Which thread does what does not show.
    pub(super) fn resample(
        self,
        numbers: &mut [f64],
        columns: usize,
        threads: Option<usize>,
        fill: impl Fn(u32, &mut [f64]) + Sync,
    ) {
        let resamples = numbers.len() / columns;
        let threads = self.threads(resamples, threads);
        // Parts wait in a queue that every thread takes from, so that a thread that the system refuses leaves nothing undone.
        let share = resamples.div_ceil(threads * PARTS_PER_THREAD).max(1);
        let queue = Mutex::new(numbers.chunks_mut(share * columns).enumerate());
        let work = || loop {
            let next = queue.lock().ok().and_then(|mut parts| parts.next());
            let Some((index, part)) = next else { break };
            for (i, numbers) in part.chunks_mut(columns).enumerate() {
                fill((index * share + i) as u32, numbers);
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
    }

    fn threads(self, resamples: usize, asked: Option<usize>) -> usize {
        let asked =
            asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
        let draws = (self.clusters as usize).saturating_mul(resamples);
        asked.clamp(1, (draws / DRAWS_PER_THREAD).clamp(1, MAX_THREADS))
    }
}
