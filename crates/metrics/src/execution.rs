//! How a batch runs: on which kernels, and on how many threads. The numbers do not depend on the threads.
//!
//! Rows are independent, cost alike and are many, so each thread takes one run of them and the standard library's scoped
//! threads do: a work-stealing pool would gain nothing.

use std::thread;

use crate::error::{ErrorCode, MetricsError, Result};
use crate::simd::{self, Kernels, SimdLevel};

/// Logits below which another thread costs more than it brings: the metrics of as many take about 30 microseconds.
const WORTH_A_THREAD: usize = 1 << 17;

/// The most threads that are ever started.
const MOST_THREADS: usize = 256;

/// How a batch runs. The default is the level in use ([`simd_level`](crate::simd_level)) on the calling thread alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execution {
    /// The kernels; `None` for the level in use.
    pub level: Option<SimdLevel>,
    /// Threads at most, 1 or more, the calling one included; short batches use fewer.
    pub threads: usize,
}

impl Default for Execution {
    fn default() -> Self {
        Self {
            level: None,
            threads: 1,
        }
    }
}

impl Execution {
    /// The level in use, on every core that this process may use.
    pub fn all_cores() -> Self {
        Self {
            level: None,
            threads: thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// The level to run on.
    ///
    /// # Errors
    /// `bad_argument` for one that this machine lacks.
    pub fn level(&self) -> Result<SimdLevel> {
        Ok(self.kernels()?.level())
    }

    pub(crate) fn kernels(&self) -> Result<&'static Kernels> {
        self.level.map_or_else(simd::kernels, simd::kernels_at)
    }

    /// The rows that each thread takes, the last of them perhaps fewer, where all cost as much as the metrics of `logits`.
    ///
    /// # Errors
    /// `bad_argument` for 0 threads.
    pub fn rows_a_thread(&self, rows: usize, logits: usize) -> Result<usize> {
        if self.threads == 0 {
            return Err(MetricsError::new(
                ErrorCode::BadArgument,
                "a batch on 0 threads",
                "pass 1 or more threads",
            ));
        }
        let worth = (logits / WORTH_A_THREAD).clamp(1, MOST_THREADS);
        Ok(rows.div_ceil(self.threads.min(worth)))
    }
}

/// Runs `work` on each part, the first on this thread with `own` and each other one on a thread of its own, and returns
/// the error of the earliest part that has one.
pub fn run_parts<Part: Send, Workspace: Default>(
    parts: Vec<Part>,
    own: &mut Workspace,
    work: impl Fn(Part, &mut Workspace) -> Result<()> + Sync,
) -> Result<()> {
    let work = &work;
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else {
        return Ok(());
    };
    thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|part| scope.spawn(move || work(part, &mut Workspace::default())))
            .collect();
        let mut result = work(first, own);
        for other in others {
            // A panic is a fault of this crate and is passed to the caller.
            let other = other
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = result.and(other);
        }
        result
    })
}

/// The first `len` entries of a column that may be left out; the column keeps the rest.
pub(crate) fn take<'a, T>(column: &mut Option<&'a mut [T]>, len: usize) -> Option<&'a mut [T]> {
    let (first, rest) = column.take()?.split_at_mut(len);
    *column = Some(rest);
    Some(first)
}
