//! From values at many steps to one gated mean with its coverage and its interval.
//!
//! The gated mean is `sum(w g) / sum(w)` over all steps, with w in {0, 1} from the gate. Steps of one prompt depend on each
//! other, so the default interval treats prompts as clusters; what too little data cannot give is absent, with a reason.

use crate::error::{ErrorCode, MetricsError, Result};
use crate::interval::{self, CiMethod, Interval, DEFAULT_LEVEL};
use crate::kernel::sum;
use crate::shape;

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
}

impl Default for AggregateRequest<'_> {
    fn default() -> Self {
        Self {
            gate: None,
            cluster: None,
            ci: CiMethod::default(),
            level: DEFAULT_LEVEL,
        }
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

/// A gated step.
#[derive(Debug, Clone, Copy)]
struct Step {
    value: f64,
    cluster: u32,
}

/// The gated mean of `values`, one a step, with its interval.
///
/// A value at a step that does not count is never looked at, and may be NaN.
///
/// # Errors
/// `empty_input` for no values, `length_mismatch` when the gate or the clusters are not one a value, `bad_argument` for
/// a gate that is neither 0 nor 1 and for a level outside (0, 1), `not_finite` with the step (as the row) for a gated
/// value that is NaN or infinite.
pub fn aggregate(values: &[f64], request: &AggregateRequest<'_>) -> Result<Aggregate> {
    let level = interval::check_level(request.level)?;
    let mut steps = gated_steps(values, request)?;
    let (n, gated) = (values.len(), steps.len());
    let mean = if gated == 0 {
        0.0
    } else {
        sum(steps.iter().map(|step| step.value)) / gated as f64
    };
    let interval = match request.ci {
        CiMethod::Normal => normal(&steps, mean, level),
        CiMethod::Cluster => cluster(&mut steps, mean, level, request.cluster.is_none()),
    };
    Ok(Aggregate {
        mean,
        n,
        gated_steps: gated,
        coverage: gated as f64 / n as f64,
        reason: interval.as_ref().err().cloned(),
        ci: interval.ok(),
    })
}

fn gated_steps(values: &[f64], request: &AggregateRequest<'_>) -> Result<Vec<Step>> {
    if values.is_empty() {
        return Err(MetricsError::new(
            ErrorCode::EmptyInput,
            "there are no values to aggregate",
            "report that there is no data instead",
        ));
    }
    if let Some(gate) = request.gate {
        shape::same_length("gate", gate.len(), values.len())?;
    }
    if let Some(cluster) = request.cluster {
        shape::same_length("cluster", cluster.len(), values.len())?;
    }
    let mut steps = Vec::with_capacity(values.len());
    for (index, &value) in values.iter().enumerate() {
        match request.gate.map_or(1, |gate| gate[index]) {
            0 => continue,
            1 if value.is_finite() => steps.push(Step {
                value,
                cluster: request.cluster.map_or(0, |cluster| cluster[index]),
            }),
            1 => {
                return Err(MetricsError::new(
                    ErrorCode::NotFinite,
                    format!("a gated value is {value}"),
                    "set the gate of steps without a value to 0",
                )
                .at_row(index))
            }
            other => {
                return Err(MetricsError::new(
                    ErrorCode::BadArgument,
                    format!("a gate of {other}"),
                    "gates are 0 or 1",
                )
                .at_row(index))
            }
        }
    }
    Ok(steps)
}

/// An interval, or why there is none.
type MaybeInterval = std::result::Result<Interval, String>;

fn normal(steps: &[Step], mean: f64, level: f64) -> MaybeInterval {
    let n = steps.len();
    if n < 2 {
        return Err(too_few(n, "gated step", "a normal interval"));
    }
    let variance = sum(steps.iter().map(|step| (step.value - mean).powi(2))) / n as f64;
    let half = interval::reference_quantile(level) * (variance / n as f64).sqrt();
    Ok(Interval {
        method: CiMethod::Normal,
        level,
        low: mean - half,
        high: mean + half,
        clusters: None,
    })
}

/// The ratio estimator's interval. A cluster without a gated step carries no information on the mean and is not
/// counted: were it counted, one prompt with data among many without would get an interval of width 0.
fn cluster(steps: &mut [Step], mean: f64, level: f64, singletons: bool) -> MaybeInterval {
    let (clusters, squares) = if singletons {
        (
            steps.len(),
            sum(steps.iter().map(|step| (step.value - mean).powi(2))),
        )
    } else {
        // A stable sort: the result depends on the order of steps inside a cluster only, and on nothing else.
        steps.sort_by_key(|step| step.cluster);
        let by_cluster = steps.chunk_by(|a, b| a.cluster == b.cluster);
        let residuals = by_cluster
            .clone()
            .map(|one| sum(one.iter().map(|step| step.value - mean)));
        (by_cluster.count(), sum(residuals.map(|u| u * u)))
    };
    if clusters < 2 {
        return Err(too_few(
            clusters,
            "cluster with a gated step",
            "a cluster interval",
        ));
    }
    let (c, weight) = (clusters as f64, steps.len() as f64);
    let variance = c / (c - 1.0) * squares / (weight * weight);
    let half = interval::student_quantile(level, c - 1.0) * variance.sqrt();
    Ok(Interval {
        method: CiMethod::Cluster,
        level,
        low: mean - half,
        high: mean + half,
        clusters: Some(clusters),
    })
}

fn too_few(count: usize, what: &str, interval: &str) -> String {
    match count {
        0 => "no gated steps".to_owned(),
        _ => format!("only {count} {what}; {interval} needs at least 2"),
    }
}
