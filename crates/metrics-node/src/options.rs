//! Checks on numbers from JavaScript, where a count may be negative, fractional or NaN.

use metrics::{
    CiMethod, ErrorCode, Execution, LogBase, MetricsError, Range, Result, DEFAULT_LEVEL,
};

/// The integers that a JavaScript number holds exactly.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// `value` as a whole number of 0 or more.
pub(crate) fn whole(name: &str, value: f64) -> Result<usize> {
    if value.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER).contains(&value) {
        return Ok(value as usize);
    }
    Err(MetricsError::new(
        ErrorCode::BadArgument,
        format!("`{name}` is {value}"),
        "pass a whole number of 0 or more",
    ))
}

/// `value` as a K of a top-K metric.
pub(crate) fn top_k(value: f64) -> Result<usize> {
    match whole("topK", value)? {
        0 => Err(MetricsError::new(
            ErrorCode::BadArgument,
            "`topK` is 0",
            "pass a K of 1 or more, or leave it out",
        )),
        k => Ok(k),
    }
}

/// How to run with `threads` threads, or as by default; the metrics refuse 0.
pub(crate) fn threads(value: Option<f64>, default: Execution) -> Result<Execution> {
    let threads = value.map_or(Ok(default.threads), |value| whole("threads", value))?;
    Ok(Execution { threads, ..default })
}

/// `base` as the base of logarithms.
pub(crate) fn log_base(base: Option<f64>) -> Result<LogBase> {
    match base {
        None => Ok(LogBase::E),
        Some(e) if e == std::f64::consts::E => Ok(LogBase::E),
        Some(2.0) => Ok(LogBase::Two),
        Some(other) => Err(MetricsError::new(
            ErrorCode::BadArgument,
            format!("logarithms to base {other}"),
            "pass 2, or leave it out for natural logarithms",
        )),
    }
}

/// `ci` as an interval method.
pub(crate) fn ci_method(ci: Option<&str>) -> Result<CiMethod> {
    ci.map_or(Ok(CiMethod::default()), str::parse)
}

/// `range` as the values that a quantity can have.
pub(crate) fn range(range: &[f64]) -> Result<Range> {
    match *range {
        [low, high] => Range::new(low, high),
        _ => Err(MetricsError::new(
            ErrorCode::BadArgument,
            format!("a range of {} numbers", range.len()),
            "pass the least and the greatest value that there can be",
        )),
    }
}

/// `level`, or the default; the metrics check its range.
pub(crate) fn level(level: Option<f64>) -> f64 {
    level.unwrap_or(DEFAULT_LEVEL)
}
