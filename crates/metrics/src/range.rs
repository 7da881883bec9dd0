//! The range of a quantity, and intervals that stay inside it.
//!
//! A divergence is 0 or more and ln 2 at most; mean +- t standard errors knows nothing of that. So the standard error is taken to
//! a scale without ends (the logit of a quantity between two ends, the logarithm of the distance to one end) by the delta method,
//! the interval is made there, and its ends are taken back. docs/design/statistics.md says why this and not clipping.

use crate::error::{ErrorCode, MetricsError, Result};

/// The scale on which an interval is symmetric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// That of the values.
    Identity,
    /// ln((x - low) / (high - x)), between two ends.
    Logit,
    /// ln of the distance to the one end.
    Log,
}

impl Scale {
    /// The name in results.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Logit => "logit",
            Self::Log => "log",
        }
    }
}

/// How far beyond an end of the range a mean may lie for rounding's sake, in parts of the size of that end or of the range.
const ROUNDING: f64 = 1e-9;

/// The values that a quantity can have: from `low` to `high`, either of which may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    low: f64,
    high: f64,
}

impl Range {
    /// The range from `low` to `high`.
    ///
    /// # Errors
    /// `bad_argument` unless `low` is below `high`.
    pub fn new(low: f64, high: f64) -> Result<Self> {
        if low < high {
            return Ok(Self { low, high });
        }
        Err(MetricsError::new(
            ErrorCode::BadArgument,
            format!("a range from {low} to {high}"),
            "pass the least and the greatest value that there can be, the least first",
        )
        .in_input("range"))
    }

    /// The scale of its intervals.
    pub const fn scale(self) -> Scale {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => Scale::Logit,
            (false, false) => Scale::Identity,
            _ => Scale::Log,
        }
    }

    /// `mean`, at an end where rounding alone puts it beyond.
    ///
    /// # Errors
    /// `bad_argument` for a mean beyond.
    pub(crate) fn check(self, mean: f64) -> Result<f64> {
        let width = self.high - self.low;
        let slack = |end: f64| ROUNDING * if width.is_finite() { width } else { end.abs() };
        if mean < self.low - slack(self.low) || mean > self.high + slack(self.high) {
            return Err(MetricsError::new(
                ErrorCode::BadArgument,
                format!(
                    "a mean of {mean} where values range from {} to {}",
                    self.low, self.high
                ),
                "pass the range of the quantity",
            )
            .in_input("range"));
        }
        Ok(self.clip(mean))
    }

    pub(crate) fn clip(self, x: f64) -> f64 {
        x.clamp(self.low, self.high)
    }

    /// Where `x` lies on the scale; infinite at an end.
    fn to_scale(self, x: f64) -> f64 {
        match self.scale() {
            Scale::Identity => x,
            Scale::Logit => ((x - self.low) / (self.high - x)).ln(),
            Scale::Log if self.low.is_finite() => (x - self.low).ln(),
            Scale::Log => -(self.high - x).ln(),
        }
    }

    fn of_scale(self, y: f64) -> f64 {
        let x = match self.scale() {
            Scale::Identity => y,
            Scale::Logit => {
                // From the nearer end, which keeps the digits of what is left to it.
                let part = (-y.abs()).exp();
                let inner = (self.high - self.low) * (part / (1.0 + part));
                if y < 0.0 {
                    self.low + inner
                } else {
                    self.high - inner
                }
            }
            Scale::Log if self.low.is_finite() => self.low + y.exp(),
            Scale::Log => self.high - (-y).exp(),
        };
        self.clip(x)
    }

    /// How much the scale moves where the quantity moves by 1.
    fn slope(self, x: f64) -> f64 {
        match self.scale() {
            Scale::Identity => 1.0,
            Scale::Logit => (self.high - self.low) / ((x - self.low) * (self.high - x)),
            Scale::Log if self.low.is_finite() => 1.0 / (x - self.low),
            Scale::Log => 1.0 / (self.high - x),
        }
    }

    /// The interval that reaches `reach` standard errors to each side of `mean` on the scale; `None` where `mean` is at an
    /// end, which has no place on it.
    pub(crate) fn ends(self, mean: f64, error: f64, reach: f64) -> Option<(f64, f64)> {
        let (middle, half) = (self.to_scale(mean), reach * error * self.slope(mean));
        if !middle.is_finite() || half.is_nan() {
            return None;
        }
        Some((self.of_scale(middle - half), self.of_scale(middle + half)))
    }

    /// How many standard errors `mean` lies from 0 on the scale, so that a test of 0 says what the interval says; on the scale
    /// of the values where 0 is no inner point of the range and no interval could leave it out or in.
    pub(crate) fn distance(self, mean: f64, error: f64) -> f64 {
        let scaled = (self.to_scale(mean) - self.to_scale(0.0)) / (error * self.slope(mean));
        if self.low < 0.0 && 0.0 < self.high && scaled.is_finite() {
            scaled
        } else {
            mean / error
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_follows_from_which_ends_there_are() {
        let scale = |low, high| Range::new(low, high).map(Range::scale).ok();
        assert_eq!(scale(0.0, 1.0), Some(Scale::Logit));
        assert_eq!(scale(0.0, f64::INFINITY), Some(Scale::Log));
        assert_eq!(scale(f64::NEG_INFINITY, 0.0), Some(Scale::Log));
        assert_eq!(
            scale(f64::NEG_INFINITY, f64::INFINITY),
            Some(Scale::Identity)
        );
        for (low, high) in [(1.0, 0.0), (0.0, 0.0), (f64::NAN, 1.0), (0.0, f64::NAN)] {
            assert_eq!(scale(low, high), None);
        }
    }

    #[test]
    fn ends_meet_the_formulas_and_never_leave_the_range() {
        let unit = Range::new(0.0, 1.0).expect("a range");
        let (low, high) = unit.ends(0.2, 0.05, 2.0).expect("inside");
        let logit = |x: f64| (x / (1.0 - x)).ln();
        let half = 2.0 * 0.05 / (0.2 * 0.8);
        assert!((logit(low) - (logit(0.2) - half)).abs() < 1e-12);
        assert!((logit(high) - (logit(0.2) + half)).abs() < 1e-12);
        let positive = Range::new(0.0, f64::INFINITY).expect("a range");
        let (low, high) = positive.ends(3.0, 1.0, 2.0).expect("inside");
        let spread = (2.0f64 / 3.0).exp();
        assert!((low - 3.0 / spread).abs() < 1e-12 && (high - 3.0 * spread).abs() < 1e-12);
        let negative = Range::new(f64::NEG_INFINITY, 0.0).expect("a range");
        let (least, most) = negative.ends(-3.0, 1.0, 2.0).expect("inside");
        assert!((least + high).abs() < 1e-12 && (most + low).abs() < 1e-12);
        for mean in [1e-300, 1e-9, 0.5, 1.0 - 1e-15] {
            for error in [1e-12, 0.1, 1e9] {
                let (low, high) = unit.ends(mean, error, 12.7).expect("inside");
                assert!(0.0 <= low && low <= mean && mean <= high && high <= 1.0);
            }
        }
        assert_eq!(unit.ends(0.0, 0.1, 2.0), None);
        assert_eq!(unit.ends(1.0, 0.1, 2.0), None);
    }

    /// The interval leaves 0 out exactly where the distance is beyond its reach.
    #[test]
    fn the_distance_of_0_inverts_the_interval() {
        let range = Range::new(-1.0, 1.0).expect("a range");
        for mean in [-0.9, -0.3, 0.01, 0.2, 0.99] {
            for error in [0.001, 0.05, 0.15, 0.8] {
                for reach in [1.0, 1.96, 4.3] {
                    let (low, high) = range.ends(mean, error, reach).expect("inside");
                    let out = low > 0.0 || high < 0.0;
                    assert_eq!(out, range.distance(mean, error).abs() > reach);
                }
            }
        }
        let positive = Range::new(0.0, 1.0).expect("a range");
        assert_eq!(positive.distance(0.5, 0.25), 2.0);
    }

    #[test]
    fn a_mean_beyond_the_range_is_refused_but_for_rounding() {
        let unit = Range::new(0.0, 1.0).expect("a range");
        assert_eq!(unit.check(1.0 + 1e-12).ok(), Some(1.0));
        assert_eq!(unit.check(-1e-12).ok(), Some(0.0));
        assert_eq!(
            unit.check(1.1).map_err(|e| e.code()).err(),
            Some("bad_argument")
        );
        assert!(Range::new(0.0, f64::INFINITY)
            .expect("a range")
            .check(-0.1)
            .is_err());
    }
}
