//! One way to run a measurement, now or off the event loop, for all metrics.

use std::panic::{catch_unwind, AssertUnwindSafe};

use napi::bindgen_prelude::{AsyncTask, ToNapiValue, TypeName};
use napi::{Env, Result, Task};

use crate::errors::Failure;

/// A measurement with its inputs. They are held, not copied, until it is dropped on the JavaScript thread.
pub trait Measurement: Send + 'static {
    /// What comes out, as JavaScript gets it.
    type Output: ToNapiValue + TypeName + Send + 'static;

    /// Measures. Runs on any thread.
    fn measure(&self) -> metrics::Result<Self::Output>;
}

/// Measures on the event loop.
pub fn now<M: Measurement>(env: Env, measurement: &M) -> Result<M::Output> {
    catch_panic(measurement).map_err(|failure| failure.into_thrown(env))
}

/// Measures on a thread of Node's pool.
pub fn later<M: Measurement>(measurement: M) -> AsyncTask<Later<M>> {
    AsyncTask::new(Later(measurement))
}

fn catch_panic<M: Measurement>(measurement: &M) -> std::result::Result<M::Output, Failure> {
    // Measurements read their inputs only, so a panic leaves nothing half-changed.
    match catch_unwind(AssertUnwindSafe(|| measurement.measure())) {
        Ok(result) => result.map_err(Failure::from),
        Err(_) => Err(Failure::Internal),
    }
}

/// A measurement as a task of Node's pool.
pub struct Later<M>(M);

impl<M: Measurement> Task for Later<M> {
    /// A failure is made an error object in `resolve`, on the thread that may make objects.
    type Output = std::result::Result<M::Output, Failure>;
    type JsValue = M::Output;

    fn compute(&mut self) -> Result<Self::Output> {
        Ok(catch_panic(&self.0))
    }

    fn resolve(&mut self, env: Env, output: Self::Output) -> Result<Self::JsValue> {
        output.map_err(|failure| failure.into_thrown(env))
    }
}
