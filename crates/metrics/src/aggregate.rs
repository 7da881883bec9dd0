//! From values at many steps to one gated mean with its coverage and its interval.
//!
//! The gated mean is `sum(w g) / sum(w)` over all steps, with w in {0, 1} from the gate. Steps of one prompt depend on each
//! other, so the default interval treats prompts as clusters; what too little data cannot give is absent, with a reason.

use crate::aggregator::{Aggregator, ClusterIds, Steps};
use crate::bootstrap::BootstrapRequest;
use crate::clusters::{both_ways, SecondWay};
use crate::error::Result;
use crate::estimate::{IntervalRequest, MaybeEstimate, Sample};
use crate::interval::{CiMethod, Interval, DEFAULT_LEVEL};
use crate::range::Range;

/// What is known of the steps besides their values, and which interval is wanted.
#[derive(Debug, Clone, Copy)]
pub struct AggregateRequest<'a> {
    /// One a step: 1 where the step counts, 0 where it does not. `None`: every step counts.
    pub gate: Option<&'a [u8]>,
    /// One a step: the prompt to which the step belongs. `None`: every step is a cluster of its own.
    pub cluster: Option<&'a [u32]>,
    /// One a step: a second way in which steps belong together, beside `cluster`.
    pub cluster2: Option<&'a [u32]>,
    /// The values that the quantity can have; no interval leaves it.
    pub range: Option<Range>,
    /// How the interval is made.
    pub ci: CiMethod,
    /// The confidence level, in (0, 1).
    pub level: f64,
    /// How a bootstrap is done, where `ci` asks for one.
    pub bootstrap: BootstrapRequest,
}

impl Default for AggregateRequest<'_> {
    fn default() -> Self {
        Self {
            gate: None,
            cluster: None,
            cluster2: None,
            range: None,
            ci: CiMethod::default(),
            level: DEFAULT_LEVEL,
            bootstrap: BootstrapRequest::default(),
        }
    }
}

impl AggregateRequest<'_> {
    /// Checks the interval that is asked for, before there are values.
    ///
    /// # Errors
    /// `bad_argument`, as [`aggregate()`] gives it, for a level outside (0, 1) and for a bootstrap that cannot be.
    pub fn check(&self) -> Result<()> {
        self.interval_request().check()
    }

    pub(crate) fn interval_request(&self) -> IntervalRequest {
        IntervalRequest {
            ci: self.ci,
            level: self.level,
            range: self.range,
            bootstrap: self.bootstrap,
        }
    }

    /// The sample of all steps and what it says.
    pub(crate) fn estimate(&self, values: &[f64]) -> Result<(Sample, MaybeEstimate)> {
        let whole = self.aggregator(values, self.cluster)?;
        let Some(second) = self.cluster2 else {
            return whole.estimate(&self.interval_request(), None);
        };
        let both = both_ways(self.cluster, second, values.len())?;
        let deviations = |cluster: &[u32]| -> Result<_> {
            Ok(self.aggregator(values, Some(cluster))?.deviations())
        };
        let second = SecondWay {
            clusters: deviations(second)?,
            both: deviations(&both)?,
        };
        whole.estimate(&self.interval_request(), Some(second))
    }

    /// All steps as one part.
    fn aggregator(&self, values: &[f64], cluster: Option<&[u32]>) -> Result<Aggregator> {
        let mut whole = Aggregator::new();
        whole.add(&Steps {
            values,
            gate: self.gate,
            cluster: cluster.map(ClusterIds::Numbers),
        })?;
        Ok(whole)
    }
}

/// A gated mean and how much stands behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregate {
    /// The mean over the gated steps, in the unit of the values; 0 when no step is gated.
    pub mean: f64,
    /// All steps, gated or not.
    pub n: usize,
    /// The steps that the mean rests on. 0 says that `mean` is no measurement.
    pub gated_steps: usize,
    /// `gated_steps / n`, in [0, 1].
    pub coverage: f64,
    /// The interval, where the data allow one.
    pub ci: Option<Interval>,
    /// Why there is no interval.
    pub reason: Option<String>,
}

impl Aggregate {
    pub(crate) fn new(n: usize, sample: &Sample, estimate: MaybeEstimate) -> Self {
        Self {
            mean: sample.mean,
            n,
            gated_steps: sample.gated as usize,
            coverage: sample.gated as f64 / n as f64,
            reason: estimate.as_ref().err().cloned(),
            ci: estimate.ok().map(|found| found.interval),
        }
    }
}

impl Aggregator {
    /// The gated mean of all steps with its interval: what [`aggregate`](crate::aggregate()) gives for the whole. The gate
    /// and the clusters of the request are not looked at.
    ///
    /// # Errors
    /// `empty_input` when no step was added, `bad_argument` for a level outside (0, 1) or a bootstrap that cannot be,
    /// `not_finite` when the values are so large that their sum or their squares overflow.
    pub fn result(&self, request: &AggregateRequest<'_>) -> Result<Aggregate> {
        let (sample, estimate) = self.estimate(&request.interval_request(), None)?;
        Ok(Aggregate::new(self.steps() as usize, &sample, estimate))
    }
}

/// The gated mean of `values`, one a step, with its interval.
///
/// A value at a step that does not count is never looked at, and may be NaN.
///
/// # Errors
/// `empty_input` for no values, `length_mismatch` when the gate or the clusters are not one a value, `bad_argument` for
/// a gate that is neither 0 nor 1, for a level outside (0, 1), and for a bootstrap that cannot be, `not_finite` with the
/// step (as the row) for a gated value that is NaN or infinite, and without one for values whose sums overflow.
pub fn aggregate(values: &[f64], request: &AggregateRequest<'_>) -> Result<Aggregate> {
    let (sample, estimate) = request.estimate(values)?;
    Ok(Aggregate::new(values.len(), &sample, estimate))
}
