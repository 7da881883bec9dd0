//! A gated mean that is put together from parts: batches as they come, or results of other processes.
//!
//! One pair of numbers is kept for each cluster (or the value of each step, where steps have no clusters and each is one),
//! never the steps of a cluster, and the numbers of the whole come out however it was cut and in whatever order it is merged.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use crate::clusters::{Deviation, SecondWay};
use crate::error::{ErrorCode, MetricsError, Result};
use crate::estimate::{IntervalRequest, MaybeEstimate, Sample};
use crate::interval::CiMethod;
use crate::shape;
use crate::wide::Wide;

/// To which cluster each step belongs: numbers or names, of which one aggregator takes one kind.
#[derive(Debug, Clone, Copy)]
pub enum ClusterIds<'a> {
    /// By number.
    Numbers(&'a [u32]),
    /// By name.
    Names(&'a [String]),
}

impl ClusterIds<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(ids) => ids.len(),
            Self::Names(ids) => ids.len(),
        }
    }
}

/// A batch of steps.
#[derive(Debug, Clone, Copy)]
pub struct Steps<'a> {
    /// One a step.
    pub values: &'a [f64],
    /// One a step: 1 where the step counts, 0 where it does not. `None`: every step counts.
    pub gate: Option<&'a [u8]>,
    /// One a step. `None`: every step is a cluster of its own.
    pub cluster: Option<ClusterIds<'a>>,
}

impl Steps<'_> {
    fn check(&self) -> Result<()> {
        let steps = self.values.len();
        if let Some(gate) = self.gate {
            shape::same_length("gate", gate.len(), steps)?;
        }
        if let Some(cluster) = self.cluster {
            shape::same_length("cluster", cluster.len(), steps)?;
        }
        for (index, &value) in self.values.iter().enumerate() {
            match self.gate.map_or(1, |gate| gate[index]) {
                0 => {}
                1 if value.is_finite() => {}
                1 => {
                    return Err(MetricsError::new(
                        ErrorCode::NotFinite,
                        format!("a gated value is {value}"),
                        "set the gate of steps without a value to 0",
                    )
                    .in_input("values")
                    .at_row(index))
                }
                other => {
                    return Err(MetricsError::new(
                        ErrorCode::BadArgument,
                        format!("a gate of {other}"),
                        "gates are 0 or 1",
                    )
                    .in_input("gate")
                    .at_row(index))
                }
            }
        }
        Ok(())
    }

    /// Index and value of the steps that count.
    fn gated_steps(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let counts = move |index: usize| self.gate.is_none_or(|gate| gate[index] == 1);
        let values = self.values.iter().copied().enumerate();
        values.filter(move |&(index, _)| counts(index))
    }
}

/// The steps of one cluster that count.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ClusterSum {
    pub(crate) weight: u64,
    pub(crate) sum: Wide,
}

impl ClusterSum {
    fn merge(&mut self, other: &Self) {
        self.weight = self.weight.saturating_add(other.weight);
        self.sum = self.sum.plus_wide(other.sum);
    }
}

/// What is kept of the steps that count.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Kept {
    /// No batch has said yet whether there are clusters.
    #[default]
    Nothing,
    /// The values: each step is a cluster.
    Values(Vec<f64>),
    Numbered(HashMap<u32, ClusterSum>),
    Named(HashMap<String, ClusterSum>),
}

/// The gated mean of steps that come in batches, with its interval. See the module.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Aggregator {
    pub(crate) steps: u64,
    pub(crate) squares: Wide,
    pub(crate) kept: Kept,
}

impl Aggregator {
    /// An aggregator of no steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Steps so far, gated or not.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Adds a batch; one without steps changes nothing. After an error, nothing of the batch was added.
    ///
    /// # Errors
    /// `length_mismatch` when the gate or the clusters are not one a value; `bad_argument` for a gate that is neither 0
    /// nor 1, and for clusters of another kind than before (by number, by name, none); `not_finite` with the step (as the
    /// row) for a gated value that is NaN or infinite.
    pub fn add(&mut self, batch: &Steps<'_>) -> Result<()> {
        batch.check()?;
        if batch.values.is_empty() {
            return Ok(());
        }
        if let Kept::Nothing = self.kept {
            self.kept = match batch.cluster {
                None => Kept::Values(Vec::new()),
                Some(ClusterIds::Numbers(_)) => Kept::Numbered(HashMap::new()),
                Some(ClusterIds::Names(_)) => Kept::Named(HashMap::new()),
            };
        }
        match (&mut self.kept, batch.cluster) {
            (Kept::Values(values), None) => {
                values.extend(batch.gated_steps().map(|(_, value)| value))
            }
            (Kept::Numbered(sums), Some(ClusterIds::Numbers(ids))) => {
                let largest = ids.iter().copied().max().unwrap_or(0) as usize;
                if largest < DENSE_IDS_A_STEP * ids.len() {
                    add_dense(sums, batch, ids, largest);
                } else {
                    add_clustered(sums, batch, |index| &ids[index]);
                }
            }
            (Kept::Named(sums), Some(ClusterIds::Names(ids))) => {
                add_clustered(sums, batch, |index| ids[index].as_str());
            }
            _ => return Err(mixed_clusters()),
        }
        self.steps = self.steps.saturating_add(batch.values.len() as u64);
        self.squares = self
            .squares
            .plus_squares(batch.gated_steps().map(|(_, value)| value));
        Ok(())
    }

    /// Adds the steps of another aggregator. Clusters of the same id are one cluster.
    ///
    /// # Errors
    /// `bad_argument` when the two hold clusters of different kinds.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        match (&mut self.kept, &other.kept) {
            (_, Kept::Nothing) => {}
            (kept @ Kept::Nothing, _) => *kept = other.kept.clone(),
            (Kept::Values(values), Kept::Values(others)) => values.extend_from_slice(others),
            (Kept::Numbered(sums), Kept::Numbered(others)) => merge_clusters(sums, others),
            (Kept::Named(sums), Kept::Named(others)) => merge_clusters(sums, others),
            _ => return Err(mixed_clusters()),
        }
        self.steps = self.steps.saturating_add(other.steps);
        self.squares = self.squares.plus_wide(other.squares);
        Ok(())
    }

    /// How far each cluster lies from the mean.
    pub(crate) fn deviations(&self) -> Vec<Deviation> {
        self.sample(false).clusters
    }

    /// The sample, with a second way to cluster where there is one, and what it says.
    pub(crate) fn estimate(
        &self,
        wanted: &IntervalRequest,
        second: Option<SecondWay>,
    ) -> Result<(Sample, MaybeEstimate)> {
        wanted.check()?;
        if self.steps == 0 {
            return Err(MetricsError::new(
                ErrorCode::EmptyInput,
                "there are no values to aggregate",
                "report that there is no data instead",
            )
            .in_input("values"));
        }
        let mut sample = self.sample(wanted.ci == CiMethod::Bootstrap);
        sample.second = second;
        let estimate = sample.estimate(wanted)?;
        let ends = estimate.as_ref().map_or((0.0, 0.0), |found| {
            (found.interval.low, found.interval.high)
        });
        let numbers = [sample.mean, sample.squares, ends.0, ends.1];
        if numbers.iter().all(|x| x.is_finite()) {
            return Ok((sample, estimate));
        }
        Err(MetricsError::new(
            ErrorCode::NotFinite,
            "the values are so large that their sum or their squares overflow",
            "scale them down",
        )
        .in_input("values"))
    }

    /// What intervals are made of. The order of clusters matters to a bootstrap, which draws them by position: numbers and
    /// names ascend, and steps without clusters are sorted by value where `ordered`.
    fn sample(&self, ordered: bool) -> Sample {
        let (gated, total) = match &self.kept {
            Kept::Nothing => (0, Wide::default()),
            Kept::Values(values) => (
                values.len() as u64,
                values.iter().fold(Wide::default(), |s, &x| s.plus(x)),
            ),
            Kept::Numbered(sums) => totals(sums),
            Kept::Named(sums) => totals(sums),
        };
        let mean = if gated == 0 {
            Wide::default()
        } else {
            total.over(gated as f64)
        };
        let deviation = |sum: Wide, weight: u64| Deviation {
            deviation: sum.minus_wide(mean.times(weight as f64)).value(),
            weight: weight as f64,
        };
        let clusters = match &self.kept {
            Kept::Nothing => Vec::new(),
            Kept::Values(values) => {
                let mut clusters: Vec<Deviation> =
                    values.iter().map(|&x| deviation(x.into(), 1)).collect();
                if ordered {
                    clusters.sort_unstable_by(|a, b| a.deviation.total_cmp(&b.deviation));
                }
                clusters
            }
            Kept::Numbered(sums) => ascending(sums, deviation),
            Kept::Named(sums) => ascending(sums, deviation),
        };
        let about_mean = self.squares.minus_wide(total.times_wide(mean)).value();
        Sample {
            gated,
            mean: mean.value(),
            squares: self.squares.value(),
            // Rounding may leave a trace of either sign where the values are equal; a NaN is an overflow and stays.
            squares_about_mean: if about_mean < 0.0 { 0.0 } else { about_mean },
            clusters,
            second: None,
        }
    }
}

/// Up to so many times as many ids as steps, a batch's clusters are summed in a table first: numbers mostly count
/// from 0, and a table costs less than a look-up a step.
const DENSE_IDS_A_STEP: usize = 4;

fn add_dense(sums: &mut HashMap<u32, ClusterSum>, batch: &Steps<'_>, ids: &[u32], largest: usize) {
    let mut table = vec![ClusterSum::default(); largest + 1];
    for (index, value) in batch.gated_steps() {
        let cluster = &mut table[ids[index] as usize];
        cluster.weight += 1;
        cluster.sum = cluster.sum.plus(value);
    }
    for (id, cluster) in table.iter().enumerate().filter(|(_, c)| c.weight > 0) {
        // Every id of the table is at most the largest, which is a u32.
        sums.entry(id as u32).or_default().merge(cluster);
    }
}

fn add_clustered<'a, K, Q>(
    sums: &mut HashMap<K, ClusterSum>,
    batch: &Steps<'_>,
    id: impl Fn(usize) -> &'a Q,
) where
    K: Hash + Eq + Borrow<Q>,
    Q: Hash + Eq + ToOwned<Owned = K> + ?Sized + 'a,
{
    let mut steps = batch.gated_steps().peekable();
    // Steps of a cluster mostly follow one another, so a run of them costs one look-up.
    while let Some((first, value)) = steps.next() {
        let id_of_run = id(first);
        let mut run = ClusterSum {
            weight: 1,
            sum: value.into(),
        };
        while let Some((_, value)) = steps.next_if(|&(index, _)| id(index) == id_of_run) {
            run.weight += 1;
            run.sum = run.sum.plus(value);
        }
        match sums.get_mut(id_of_run) {
            Some(sum) => sum.merge(&run),
            None => {
                sums.insert(id_of_run.to_owned(), run);
            }
        }
    }
}

fn merge_clusters<K: Hash + Eq + Clone>(
    sums: &mut HashMap<K, ClusterSum>,
    others: &HashMap<K, ClusterSum>,
) {
    for (id, other) in others {
        sums.entry(id.clone()).or_default().merge(other);
    }
}

fn totals<K>(sums: &HashMap<K, ClusterSum>) -> (u64, Wide) {
    sums.values()
        .fold((0, Wide::default()), |(weight, sum), c| {
            (weight.saturating_add(c.weight), sum.plus_wide(c.sum))
        })
}

fn ascending<K: Ord>(
    sums: &HashMap<K, ClusterSum>,
    deviation: impl Fn(Wide, u64) -> Deviation,
) -> Vec<Deviation> {
    let mut sums: Vec<_> = sums.iter().collect();
    sums.sort_unstable_by(|a, b| a.0.cmp(b.0));
    sums.into_iter()
        .map(|(_, cluster)| deviation(cluster.sum, cluster.weight))
        .collect()
}

fn mixed_clusters() -> MetricsError {
    MetricsError::new(
        ErrorCode::BadArgument,
        "clusters of one kind meet clusters of another",
        "give clusters by number always, by name always, or never",
    )
    .in_input("cluster")
}
