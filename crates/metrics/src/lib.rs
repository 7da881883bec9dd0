//! Metrics of language models at the level of tokens: numbers only, no I/O and no bindings.
//!
//! The data take this way through the crate:
//!
//! 1. [`row_metrics`] and [`pair_metrics`] reduce rows of logits, each as long as the vocabulary, to a few numbers a row;
//! 2. [`gate`] says at which steps of a text those numbers count;
//! 3. [`aggregate()`] turns the numbers of many steps into a mean with an interval, [`wilson`] does so for a proportion, and an
//!    [`Aggregator`] for steps that come in parts;
//! 4. [`bootstrap_ratios`] and [`percentile_interval`] do so for numbers that are made of several ratios, and
//!    [`bootstrap_groups`] for the ratios of many groups of rows;
//! 5. [`paired_difference`] and [`mcnemar`] compare two runs over the same rows, [`sign_flip`] two sides of each row,
//!    [`correlation()`] two columns of one, [`kruskal_wallis`] the groups of a column; [`holm`] and [`benjamini_hochberg`] correct for many comparisons.
//!
//! Two rules hold everywhere. Inputs are checked: bad input gives a [`MetricsError`] that says what is wrong, where, and
//! what to do, and never a number or a panic. And what could not be measured is absent (`None`, with a reason), never 0.
//!
//! ```
//! use metrics::{aggregate, AggregateRequest, Pair, PairBuffers, Row};
//!
//! # fn main() -> metrics::Result<()> {
//! let (he, she) = ([2.0, 1.0, -1.0], [1.0, 2.0, -1.0]);
//! let gap = Row::new(&he)?.mass(&[0])? - Row::new(&he)?.mass(&[1])?;
//! let moved = Pair::new(&he, &she)?.measure(&[], &mut [], &mut PairBuffers::default())?;
//! assert!(gap > 0.0 && moved.jsd < std::f64::consts::LN_2);
//!
//! let steps = aggregate(&[gap], &AggregateRequest::default())?;
//! assert!(steps.ci.is_none() && steps.reason.is_some());
//! # Ok(())
//! # }
//! ```
//!
//! The loops over logits run on the machine's vectors ([`simd_level`], or what the variable `LOGIT_AUDIT_SIMD` names) and,
//! where a batch asks for it, on several threads ([`Execution`]).
//!
//! Logits are `f32`, results `f64`, logarithms natural unless [`LogBase::Two`] is asked. A logit of `-inf` is a masked
//! token: its probability is exactly 0.

// What turns the numbers of steps into results.
mod aggregator;
mod aggregator_state;
mod bootstrap;
mod clusters;
mod correlation;
mod distribution;
mod effects;
mod equivalence;
mod estimate;
mod kruskal;
mod mcnemar;
mod multiple;
mod noncentral;
mod paired;
mod range;
mod ranks;
mod reliability;
mod share;
mod sign_flip;
mod tango;
mod wide;

mod aggregate;
mod error;
mod execution;
mod gate;
mod groups;
mod interval;
mod kernel;
mod listed;
mod pair;
mod pair_batch;
mod row;
mod row_batch;
mod shape;
mod simd;
mod topk;

pub use aggregate::{aggregate, Aggregate, AggregateRequest};
pub use error::{ErrorCode, MetricsError, Result, ALL_CODES};
pub use execution::{run_parts, Execution};
pub use gate::{gate, Gate, GateRequest};
pub use groups::TokenGroups;
pub use interval::{wilson, BootstrapKind, CiMethod, Interval, Proportion, DEFAULT_LEVEL};
pub use listed::{listed_gap, listed_jsd, listed_mass, Bounds, GroupTail, ListedRow};
pub use pair::{LogBase, Pair, PairBuffers, PairMetrics, TopKDivergence};
pub use pair_batch::{pair_metrics, pair_metrics_on, PairColumns, PairRequest, PairWorkspace};
pub use row::{Row, Target};
pub use row_batch::{row_metrics, row_metrics_on, RowColumns, RowRequest, NO_TARGET};
pub use shape::{row_count, same_length};
pub use simd::{available_levels, simd_level, SimdLevel};
pub use topk::TopK;

pub use aggregator::{Aggregator, ClusterIds, Steps};
pub use aggregator_state::{AggregatorState, ClusterState, KeptState, AGGREGATOR_VERSION};
pub use bootstrap::{
    bootstrap_groups, bootstrap_ratios, percentile_interval, BootstrapGroups, BootstrapRatios,
    BootstrapRequest, GroupRequest, PercentileEstimate, PercentileInterval, RatioRequest,
    DEFAULT_RESAMPLES, MAX_MISSING, NO_GROUP,
};
pub use correlation::{
    correlation, Correlation, CorrelationMethod, CorrelationRequest, CorrelationTest,
    FisherInterval,
};
pub use effects::{
    cohen_d, cohen_h, odds_ratio, paired_odds_ratio, Effect, StandardisedDifference,
};
pub use equivalence::{
    mean_equivalence, minimum_detectable_effect, share_equivalence, DetectableEffect, Equivalence,
};
pub use kruskal::{kruskal_wallis, KruskalWallis};
pub use mcnemar::{mcnemar, McNemar, McNemarMethod};
pub use multiple::{benjamini_hochberg, holm};
pub use paired::{paired_difference, PairedDifference};
pub use range::{Range, Scale};
pub use reliability::{cronbach_alpha, FeldtInterval, ItemStatistics, Reliability};
pub use share::{share, Share, ShareInterval, ShareMethod, ShareRequest};
pub use sign_flip::{sign_flip, SignFlip, SignFlipRequest};
pub use tango::{tango, SharesDifference};
