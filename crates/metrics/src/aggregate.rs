//! From values at many steps to one gated mean with its coverage and its interval.
//!
//! The gated mean is `sum(w g) / sum(w)` over all steps, with w in {0, 1} from the gate. Steps of one prompt depend on each
//! other, so the default interval treats prompts as clusters; what too little data cannot give is absent, with a reason.

use crate::aggregator::{Aggregator, ClusterIds, Steps};
use crate::bootstrap::BootstrapRequest;
use crate::error::Result;
use crate::estimate::Wanted;
use crate::interval::{CiMethod, Interval, DEFAULT_LEVEL};

/// What is known of the steps besides their values, and which interval is wanted.
#[derive(Debug, Clone, Copy)]
pub struct AggregateRequest<'a> {
    /// One a step: 1 where the step counts, 0 where it does not. `None`: every step counts.
    pub gate: Option<&'a [u8]>,
    /// One a step: the prompt to which the step belongs. `None`: every step is a cluster of its own.
    pub cluster: Option<&'a [u32]>,
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
            ci: CiMethod::default(),
            level: DEFAULT_LEVEL,
            bootstrap: BootstrapRequest::default(),
        }
    }
}

impl AggregateRequest<'_> {
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted {
            ci: self.ci,
            level: self.level,
            bootstrap: self.bootstrap,
        }
    }

    /// All steps as one part.
    pub(crate) fn aggregator(&self, values: &[f64]) -> Result<Aggregator> {
        let mut whole = Aggregator::new();
        whole.add(&Steps {
            values,
            gate: self.gate,
            cluster: self.cluster.map(ClusterIds::Numbers),
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

/// The gated mean of `values`, one a step, with its interval.
///
/// A value at a step that does not count is never looked at, and may be NaN.
///
/// # Errors
/// `empty_input` for no values, `length_mismatch` when the gate or the clusters are not one a value, `bad_argument` for
/// a gate that is neither 0 nor 1, for a level outside (0, 1), and for a bootstrap that cannot be, `not_finite` with the
/// step (as the row) for a gated value that is NaN or infinite, and without one for values whose sums overflow.
pub fn aggregate(values: &[f64], request: &AggregateRequest<'_>) -> Result<Aggregate> {
    request.aggregator(values)?.result(request)
}
