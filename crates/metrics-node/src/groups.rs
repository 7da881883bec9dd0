//! The bootstrap of the ratios of many groups of rows.

use metrics::GroupRequest;
use napi::bindgen_prelude::{AsyncTask, Float64Array, Uint32Array};
use napi::{Env, Result};

use crate::options::{level, whole};
use crate::task::{later, now, Later, Measurement};

/// Rows of numerators and denominators, which group each row is in, and how rows are drawn.
#[napi(object, object_to_js = false)]
pub struct GroupOptions {
    /// rows x `columns` numbers, row after row.
    pub numerators: Float64Array,
    /// As many numbers of 0 or more, in the same order.
    pub denominators: Float64Array,
    /// How many ratios: the numbers a row. 1 or more.
    pub columns: f64,
    /// `memberships` a row, row after row: its groups, each below `groups` and not one of them twice; 4294967295 for none.
    pub group: Uint32Array,
    /// How many groups a row may be in, 1 or more; 1 when left out.
    pub memberships: Option<f64>,
    /// How many groups there are, 1 or more.
    pub groups: f64,
    /// The rows that each resample draws, as many as there are, resample after resample, instead of random ones.
    pub draws: Option<Uint32Array>,
    /// How often rows are drawn anew; 10,000 when left out. Times `columns`, at most 10 million.
    pub resamples: Option<f64>,
    /// The seed, a whole number of 0 or more; 0 when left out. The same seed and as many rows give the same draws.
    pub seed: Option<f64>,
    /// The confidence level, between 0 and 1; 0.95 when left out.
    pub level: Option<f64>,
    /// Threads to work on; all that the machine has when left out. The result does not depend on it.
    pub threads: Option<f64>,
}

impl GroupOptions {
    fn request(&self) -> metrics::Result<GroupRequest<'_>> {
        let defaults = GroupRequest::default();
        let count = |name, value: Option<f64>| value.map(|value| whole(name, value)).transpose();
        Ok(GroupRequest {
            columns: whole("columns", self.columns)?,
            group: &self.group,
            memberships: count("memberships", self.memberships)?.unwrap_or(defaults.memberships),
            groups: whole("groups", self.groups)?,
            draws: self.draws.as_deref(),
            resamples: count("resamples", self.resamples)?.unwrap_or(defaults.resamples),
            seed: count("seed", self.seed)?.map_or(defaults.seed, |seed| seed as u64),
            level: level(self.level),
            threads: count("threads", self.threads)?,
        })
    }
}

/// The ratios of groups and their intervals: a cell for every group and column, group after group.
#[napi(object, object_from_js = false)]
pub struct BootstrapGroups {
    /// The sum of the group's numerators over that of its denominators; NaN where all denominators are 0.
    pub ratios: Float64Array,
    /// The lower ends; NaN where no resample has the ratio.
    pub low: Float64Array,
    /// The upper ends.
    pub high: Float64Array,
    /// Resamples that do not have the ratio, as none of the rows that make it was drawn. The interval rests on the others.
    pub missing: Uint32Array,
    /// How often the rows were drawn.
    pub resamples: i64,
}

pub struct GroupMeasurement(GroupOptions);

impl Measurement for GroupMeasurement {
    type Output = BootstrapGroups;

    fn measure(&self) -> metrics::Result<BootstrapGroups> {
        let Self(options) = self;
        let request = options.request()?;
        let found =
            metrics::bootstrap_groups(&options.numerators, &options.denominators, &request)?;
        Ok(BootstrapGroups {
            ratios: found.ratios.into(),
            low: found.low.into(),
            high: found.high.into(),
            missing: found.missing.into(),
            resamples: found.resamples as i64,
        })
    }
}

/// The ratios of sums, group by group and column by column, with the percentile interval of each over resamples of all rows,
/// off the event loop.
///
/// The arrays are read in place: leave them unchanged until the promise settles. A number that cannot be rejects with an error
/// whose `data` has `input`, `row` and `column`.
#[napi(ts_return_type = "Promise<BootstrapGroups>")]
pub fn bootstrap_groups(options: GroupOptions) -> AsyncTask<Later<GroupMeasurement>> {
    later(GroupMeasurement(options))
}

/// The ratios at once; otherwise like `bootstrapGroups`.
#[napi]
pub fn bootstrap_groups_sync(env: Env, options: GroupOptions) -> Result<BootstrapGroups> {
    now(env, &GroupMeasurement(options))
}
