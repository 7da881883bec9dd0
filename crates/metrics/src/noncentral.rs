//! The noncentral t distribution: what a t statistic follows where the effect is not 0. Intervals of standardised effects and the
//! power of a t-test rest on it.

use statrs::function::gamma::ln_gamma;

use crate::distribution::{normal_cdf, student_quantile};

/// Pieces of the integral: far more than its smooth integrand needs for 9 digits, and for a large t, where it rises steeply, more.
const PIECES: usize = 2000;
const MOST_PIECES: f64 = 100_000.0;

/// Standard deviations of the scale that the integral reaches to each side.
const REACH: f64 = 10.0;

/// Halvings that leave the last digits of a root.
const HALVINGS: usize = 80;

/// P(T <= t) of noncentral t: (Z + shift) / S with Z standard normal and S the root of chi-squared over its degrees of freedom,
/// integrated over S by Simpson's rule.
pub(crate) fn noncentral_t_cdf(t: f64, freedom: f64, shift: f64) -> f64 {
    let half = 0.5 * freedom;
    let constant = std::f64::consts::LN_2 + half * half.ln() - ln_gamma(half);
    let density = |s: f64| (constant + (freedom - 1.0) * s.ln() - half * s * s).exp();
    let width = REACH / (2.0 * freedom).sqrt();
    let (low, high) = ((1.0 - width).max(1e-12), 1.0 + width);
    let steep = (1.0 + t.abs() * (high - low) / 40.0).min(MOST_PIECES / PIECES as f64);
    let pieces = 2 * (0.5 * PIECES as f64 * steep) as usize;
    let step = (high - low) / pieces as f64;
    let sum: f64 = (0..=pieces)
        .map(|i| {
            let s = low + step * i as f64;
            let weight = match i {
                end if end == 0 || end == pieces => 1.0,
                odd if odd % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * normal_cdf(t * s - shift) * density(s)
        })
        .sum();
    (sum * step / 3.0).clamp(0.0, 1.0)
}

/// The shift under which a t statistic of at most `t` has that probability: it falls as the shift grows.
pub(crate) fn shift_of(t: f64, freedom: f64, probability: f64) -> f64 {
    // Where the scale is 1, t lies within some ten of its shift; few degrees of freedom stretch that by the size of t.
    let reach = 12.0 + 8.0 * t.abs();
    bisect(t - reach, t + reach, |shift| {
        noncentral_t_cdf(t, freedom, shift) > probability
    })
}

/// Where `below`, true from `low` on, turns false.
pub(crate) fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The probability that a two-sided t-test at `level` rejects where its statistic is shifted by `shift`.
pub(crate) fn t_power(freedom: f64, level: f64, shift: f64) -> f64 {
    let critical = student_quantile(level, freedom);
    1.0 - noncentral_t_cdf(critical, freedom, shift) + noncentral_t_cdf(-critical, freedom, shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_meets_scipy() {
        // scipy.stats.nct.cdf, SciPy 1.17.1.
        for (t, freedom, shift, want) in REFERENCE {
            let got = noncentral_t_cdf(t, freedom, shift);
            assert!((got - want).abs() < 1e-9, "{t} {freedom} {shift}: {got}");
        }
    }

    const REFERENCE: [(f64, f64, f64, f64); 6] = [
        (0.5, 4.0, 0.0, 0.678_335_018_409_068),
        (2.0, 7.0, 1.5, 0.646_800_785_004_153),
        (-1.0, 12.0, 0.7, 0.049_813_673_177_732),
        (3.0, 30.0, 2.0, 0.818_487_949_987_960),
        (1.2, 1.0, 0.5, 0.634_460_871_514_550),
        (5.0, 200.0, 4.0, 0.832_504_618_240_502),
    ];
}
