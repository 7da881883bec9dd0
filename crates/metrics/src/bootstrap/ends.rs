//! What the bootstrap distribution says: the ends of an interval, and how plausible a given mean is.
//!
//! BCa is that of Efron 1987, with the acceleration from a jackknife over clusters. The p-value inverts the interval (Efron
//! and Tibshirani 1993, section 15.4): it is 1 - level of the widest interval that leaves the given mean out.

use crate::clusters::Deviation;
use crate::distribution::{normal_cdf, normal_inverse};
use crate::interval::BootstrapKind;

/// Resamples this close to the mean of the data, in units of the mean absolute deviation, equal it: in exact arithmetic they
/// would, as deviations of tied values cancel up to rounding.
pub(super) const TIE: f64 = 1e-12;

/// Why there is no interval where its ends meet.
pub(crate) const SAME_RESAMPLES: &str =
    "all resamples are equal; an interval needs some that differ";

/// What a deviation from a mean is off by rounding, in units of the mean: some digits in the last place of values that lie close together.
const MEAN_ROUNDING: f64 = 1e-15;

/// How near a resample lies to a mean that it equals, for rounding alone: the tie of [`p_value`] for a mean.
pub(crate) fn tie_of(clusters: &[Deviation], mean: f64) -> f64 {
    let weight: f64 = clusters.iter().map(|c| c.weight).sum();
    let spread = clusters.iter().map(|c| c.deviation.abs()).sum::<f64>() / weight;
    TIE * spread + MEAN_ROUNDING * mean.abs()
}

/// The two numbers of BCa: both 0 for the percentile interval.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shape {
    /// z0: the normal quantile of the share of resamples below the mean of the data, half of those equal to it included.
    bias: f64,
    /// a: how fast the standard error changes with the mean.
    acceleration: f64,
}

impl Shape {
    /// The shape of a distribution of offsets, or why it has none.
    pub(crate) fn new(
        kind: BootstrapKind,
        offsets: &[f64],
        clusters: &[Deviation],
        tie: f64,
    ) -> Result<Self, String> {
        if kind == BootstrapKind::Percentile {
            return Ok(Self::default());
        }
        let weight: f64 = clusters.iter().map(|c| c.weight).sum();
        let below = share_below(offsets, 0.0, tie);
        if below <= 0.0 || below >= 1.0 {
            return Err(
                "all resamples lie on one side of the mean, so that BCa is not defined".into(),
            );
        }
        // Without cluster c, the mean moves by -u_c / (W - w_c), as the deviations add up to 0.
        let moved: Vec<f64> = clusters
            .iter()
            .map(|c| -c.deviation / (weight - c.weight))
            .collect();
        let centre = moved.iter().sum::<f64>() / moved.len() as f64;
        let (mut squares, mut cubes) = (0.0, 0.0);
        for distance in moved.iter().map(|m| centre - m) {
            squares += distance * distance;
            cubes += distance * distance * distance;
        }
        Ok(Self {
            bias: normal_inverse(below),
            acceleration: if squares > 0.0 {
                cubes / (6.0 * squares.powf(1.5))
            } else {
                0.0
            },
        })
    }

    /// The share of the distribution below the end whose nominal normal quantile is `z`, or `None` where the
    /// acceleration is so large that ends change places.
    fn adjust(self, z: f64) -> Option<f64> {
        let moved = self.bias + z;
        let stretch = 1.0 - self.acceleration * moved;
        (stretch > 0.0).then(|| normal_cdf(self.bias + moved / stretch))
    }
}

/// The ends of the interval, as offsets from the mean, or why there are none.
pub(crate) fn ends(offsets: &[f64], shape: Shape, level: f64) -> Result<(f64, f64), String> {
    let z = normal_inverse(0.5 + 0.5 * level);
    match (shape.adjust(-z), shape.adjust(z)) {
        (Some(low), Some(high)) => Ok((quantile(offsets, low), quantile(offsets, high))),
        _ => Err("the clusters are too few or too uneven for BCa; ask for percentile".into()),
    }
}

/// The two-sided p-value of the hypothesis that the mean is really `null` away from the data's. Resamples within `tie` of
/// `null` equal it.
pub(crate) fn p_value(offsets: &[f64], shape: Shape, null: f64, tie: f64) -> f64 {
    // One resample is the data itself (Davison and Hinkley 1997, section 4.2): the p-value is never 0.
    let least = 1.0 / (offsets.len() as f64 + 1.0);
    let below = share_below(offsets, null, tie).clamp(least, 1.0 - least);
    // The inverse of `adjust`.
    let moved = normal_inverse(below) - shape.bias;
    let stretch = 1.0 + shape.acceleration * moved;
    let z = if stretch > 0.0 {
        moved / stretch - shape.bias
    } else {
        // Beyond what the correction can express: the farthest value on that side.
        moved.signum() * f64::INFINITY
    };
    (2.0 * normal_cdf(-z.abs())).clamp(2.0 * least, 1.0)
}

/// The share of `offsets`, which ascend, below `x`; those within `tie` of it count half.
fn share_below(offsets: &[f64], x: f64, tie: f64) -> f64 {
    let below = offsets.partition_point(|&offset| offset < x - tie);
    let up_to = offsets.partition_point(|&offset| offset <= x + tie);
    0.5 * (below + up_to) as f64 / offsets.len() as f64
}

/// The quantile at `share` of `offsets`, which ascend: the (B + 1) share-th of B, interpolated.
fn quantile(offsets: &[f64], share: f64) -> f64 {
    let last = offsets.len() - 1;
    let at = ((offsets.len() as f64 + 1.0) * share - 1.0).clamp(0.0, last as f64);
    let (index, part) = (at.floor() as usize, at.fract());
    let (low, high) = (offsets[index], offsets[(index + 1).min(last)]);
    low + part * (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of the normal distribution and its inverse, there and back.
    const NORMAL_ROUNDING: f64 = 1e-9;

    fn evenly(count: usize) -> Vec<f64> {
        (0..count)
            .map(|i| i as f64 / (count as f64 - 1.0) - 0.5)
            .collect()
    }

    #[test]
    fn quantiles_are_order_statistics_at_b_plus_1() {
        let offsets: Vec<f64> = (1..=999).map(f64::from).collect();
        assert_eq!(quantile(&offsets, 0.025), 25.0);
        assert!((quantile(&offsets, 0.9751) - 975.1).abs() < 1e-9);
        assert_eq!(
            (quantile(&offsets, 0.0), quantile(&offsets, 1.0)),
            (1.0, 999.0)
        );
    }

    #[test]
    fn ties_count_half() {
        assert_eq!(share_below(&[-1.0, 0.0, 0.0, 1e-15], 0.0, 1e-14), 0.625);
        assert_eq!(share_below(&[0.0; 4], 0.0, 0.0), 0.5);
    }

    /// The p-value of an interval's end is 1 - level: the two invert each other.
    #[test]
    fn p_values_invert_intervals() {
        let offsets = evenly(100_000);
        for shape in [
            Shape::default(),
            Shape {
                bias: 0.2,
                acceleration: 0.05,
            },
            Shape {
                bias: -0.1,
                acceleration: -0.08,
            },
        ] {
            for level in [0.5, 0.9, 0.95, 0.99] {
                let (low, high) = ends(&offsets, shape, level).expect("mild");
                for end in [low, high] {
                    let p = p_value(&offsets, shape, end, 0.0);
                    // The ends lie between two resamples.
                    assert!((p - (1.0 - level)).abs() < 1e-3, "{shape:?} {level}: {p}");
                }
            }
        }
    }

    #[test]
    fn a_p_value_is_never_0_and_never_above_1() {
        let offsets = evenly(999);
        for shape in [
            Shape::default(),
            Shape {
                bias: 1.0,
                acceleration: 0.9,
            },
        ] {
            for null in [-1e9, -0.1, 0.0, 0.3, 1e9] {
                let p = p_value(&offsets, shape, null, 0.0);
                assert!((0.002..=1.0).contains(&p), "{p}");
            }
        }
        assert!((p_value(&offsets, Shape::default(), 1.0, 0.0) - 0.002).abs() < NORMAL_ROUNDING);
    }

    #[test]
    fn a_wild_acceleration_gives_no_interval() {
        let shape = Shape {
            bias: 0.0,
            acceleration: 0.6,
        };
        assert!(ends(&evenly(99), shape, 0.95).is_err());
    }
}
