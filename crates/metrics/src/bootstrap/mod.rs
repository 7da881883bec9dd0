//! The cluster bootstrap: whole clusters are drawn with replacement, and the ratio of what they hold is taken anew, thousands
//! of times.
//!
//! It works on one pair of numbers a cluster, so that its cost does not depend on the number of steps, and draws from a
//! counter-based generator, so that its result depends on the seed and not on threads. The files: [`request`] holds the
//! options, [`philox`] gives random words, [`draws`] makes clusters of them, [`resample`] the distribution of a gated mean,
//! [`ratios`] that of several ratios at once, [`groups`] intervals of the ratios of many groups; [`ends`] reads intervals and
//! p-values off a distribution, and [`percentile`] does so for numbers from outside.

mod draws;
mod ends;
mod groups;
mod percentile;
mod philox;
mod ratios;
mod request;
mod resample;

pub(crate) use ends::{ends, p_value, tie_of, Shape, SAME_RESAMPLES};
pub use groups::{bootstrap_groups, BootstrapGroups, GroupRequest, NO_GROUP};
pub use percentile::{percentile_interval, PercentileEstimate, PercentileInterval, MAX_MISSING};
pub(crate) use philox::Stream;
pub use ratios::{bootstrap_ratios, BootstrapRatios, RatioRequest};
pub(crate) use request::check_resamples;
pub use request::{BootstrapRequest, DEFAULT_RESAMPLES};
pub(crate) use resample::resample;
