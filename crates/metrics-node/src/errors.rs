//! How errors cross to JavaScript: `Error` objects with our `code`, a message, and `data` that says where.

use metrics::{MetricsError, ALL_CODES};
use napi::bindgen_prelude::{Object, ToNapiValue};
use napi::{Env, Error, JsValue, Result};

/// Why a call failed.
#[derive(Debug)]
pub enum Failure {
    /// The input is at fault.
    Metrics(MetricsError),
    /// This library is at fault: it panicked.
    Internal,
}

impl From<MetricsError> for Failure {
    fn from(error: MetricsError) -> Self {
        Self::Metrics(error)
    }
}

impl Failure {
    /// The error to throw, or to reject a promise with. On the JavaScript thread only.
    pub fn into_thrown(self, env: Env) -> Error {
        match self.to_object(&env) {
            Ok(error) => Error::from(error.to_unknown()),
            // The engine itself failed to make an object; its own error is all there is.
            Err(error) => error,
        }
    }

    fn to_object<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (code, message) = match self {
            Self::Metrics(error) => (error.code(), error.message()),
            Self::Internal => ("internal", "the metrics addon panicked".to_owned()),
        };
        let mut data = Object::new(env)?;
        if let Self::Metrics(error) = self {
            let number = |place: Option<usize>| place.map(|place| place as i64);
            set(&mut data, "input", error.input())?;
            set(&mut data, "row", number(error.row()))?;
            set(&mut data, "column", number(error.column()))?;
            set(&mut data, "id", error.id())?;
        }
        let mut object = env.create_error(Error::from_reason(message))?;
        object.set("code", code)?;
        object.set("data", data)?;
        Ok(object)
    }
}

fn set<T: ToNapiValue>(data: &mut Object<'_>, key: &str, value: Option<T>) -> Result<()> {
    value.map_or(Ok(()), |value| data.set(key, value))
}

/// Every `code` that an error of this addon may carry because of its input. (`internal` stands for a fault of its own.)
#[napi]
pub fn error_codes() -> Vec<&'static str> {
    ALL_CODES.iter().map(|code| code.as_str()).collect()
}
