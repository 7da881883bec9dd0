//! The `metrics` and `vectors` crates as a Node-API addon: forwards only.
//!
//! Typed arrays come in without a copy and results go out as typed arrays, one call a batch. Each metric has a form that
//! runs off the event loop and gives a promise, and a `...Sync` twin; both refuse the same input with the same errors.
//! The doc comments here become those of the generated type declarations, so they speak to users of JavaScript.

#[macro_use]
extern crate napi_derive;

mod aggregator;
#[cfg(feature = "bench")]
mod bench;
mod comparisons;
mod correlations;
mod effects;
mod errors;
mod groups;
mod intervals;
mod listed;
mod options;
mod pairs;
mod ratios;
mod reliability;
mod rows;
mod shares;
mod simd;
mod steps;
mod task;
mod vectors;
