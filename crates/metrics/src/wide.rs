//! Sums that do not care for order: numbers of twice the width of `f64` (some 32 digits), as pairs of `f64`.
//!
//! An [`Aggregator`](crate::Aggregator) has to give the numbers of the whole whichever way its parts were cut and merged. A
//! plain sum moves with the order of its terms, and a variance from a plain sum of squares loses every digit that the mean
//! has more than the spread. At twice the width neither is visible in the result. Dekker 1971, Knuth's TwoSum.

/// An unevaluated sum `high + low` with `|low|` at most half a unit in the last place of `high`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Wide {
    high: f64,
    low: f64,
}

/// `a + b` and what its rounding lost.
fn two_sum(a: f64, b: f64) -> Wide {
    let high = a + b;
    let of_b = high - a;
    Wide {
        high,
        low: (a - (high - of_b)) + (b - of_b),
    }
}

/// The same where `|a| >= |b|`.
fn quick_two_sum(a: f64, b: f64) -> Wide {
    let high = a + b;
    Wide {
        high,
        low: b - (high - a),
    }
}

/// `a * b` and what its rounding lost.
fn two_product(a: f64, b: f64) -> Wide {
    let high = a * b;
    Wide {
        high,
        low: a.mul_add(b, -high),
    }
}

impl Wide {
    /// `high + low`, if that is how a sum of this kind is kept and both are finite: for numbers from outside.
    pub(crate) fn from_parts(high: f64, low: f64) -> Option<Self> {
        (high.is_finite() && high + low == high).then_some(Self { high, low })
    }

    /// The two parts, the larger first.
    pub(crate) fn parts(self) -> (f64, f64) {
        (self.high, self.low)
    }

    /// The nearest `f64`.
    pub(crate) fn value(self) -> f64 {
        self.high + self.low
    }

    pub(crate) fn plus(self, x: f64) -> Self {
        let sum = two_sum(self.high, x);
        quick_two_sum(sum.high, sum.low + self.low)
    }

    pub(crate) fn plus_wide(self, other: Self) -> Self {
        let (high, low) = (two_sum(self.high, other.high), two_sum(self.low, other.low));
        let sum = quick_two_sum(high.high, high.low + low.high);
        quick_two_sum(sum.high, sum.low + low.low)
    }

    pub(crate) fn plus_square(self, x: f64) -> Self {
        self.plus_wide(two_product(x, x))
    }

    pub(crate) fn minus_wide(self, other: Self) -> Self {
        self.plus_wide(Self {
            high: -other.high,
            low: -other.low,
        })
    }

    pub(crate) fn times(self, x: f64) -> Self {
        let product = two_product(self.high, x);
        quick_two_sum(product.high, self.low.mul_add(x, product.low))
    }

    pub(crate) fn times_wide(self, other: Self) -> Self {
        let product = two_product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        quick_two_sum(product.high, product.low + cross)
    }

    /// `self / x`; `x` is not 0.
    pub(crate) fn over(self, x: f64) -> Self {
        let quotient = self.high / x;
        let rest = self.minus_wide(two_product(quotient, x));
        quick_two_sum(quotient, rest.value() / x)
    }
}

impl From<f64> for Wide {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_does_not_show() {
        let terms: Vec<f64> = (0..1000).map(|i| 10f64.powi(i % 30 - 15) / 3.0).collect();
        let forth = terms.iter().fold(Wide::default(), |s, &x| s.plus(x));
        let back = terms.iter().rev().fold(Wide::default(), |s, &x| s.plus(x));
        assert_eq!(forth.value(), back.value());
    }

    #[test]
    fn a_small_spread_on_a_large_mean_is_kept() {
        // 1e9 - 1, 1e9, 1e9 + 1: the sum of squares about the mean is 2.
        let values = [1e9 - 1.0, 1e9, 1e9 + 1.0];
        let sum = values.iter().fold(Wide::default(), |s, &x| s.plus(x));
        let squares = values
            .iter()
            .fold(Wide::default(), |s, &x| s.plus_square(x));
        let about = squares.minus_wide(sum.times_wide(sum.over(3.0)));
        assert_eq!(about.value(), 2.0);
    }

    #[test]
    fn quotients_and_products_undo_each_other() {
        let third = Wide::from(1.0).over(3.0);
        let one = third.times(3.0);
        assert_eq!(
            (
                one.value(),
                one.minus_wide(1.0.into()).value().abs() < 1e-31
            ),
            (1.0, true)
        );
        assert!(Wide::from_parts(1.0, 0.5).is_none() && Wide::from_parts(f64::NAN, 0.0).is_none());
        let (high, low) = third.parts();
        assert_eq!(Wide::from_parts(high, low), Some(third));
    }
}
