//! The distributions that intervals and tests rest on: the normal one, Student's t and chi-squared.
//!
//! statrs has them; where its algorithms lose digits (Student's t with many degrees of freedom, and the inverse of either), a
//! classical expansion or a Newton step takes over. How far each can be trusted is in the tests, against 40-digit arithmetic.

use statrs::distribution::{ChiSquared, Continuous, ContinuousCDF, Normal, StudentsT};
use statrs::function::beta::beta_reg;
use statrs::function::erf::erfc;

/// Degrees of freedom from which Student's t is expanded around the normal distribution: up to a level of 0.999, the terms
/// left out are below 1e-10. The exact one rests on an incomplete beta function that gets inaccurate there.
const EXPANDED_FROM: f64 = 200.0;

/// The two-sided quantile of the normal distribution; `level` lies in (0, 1).
pub(crate) fn normal_quantile(level: f64) -> f64 {
    normal_inverse(0.5 + 0.5 * level)
}

/// The point below which the standard normal distribution has `probability`.
pub(crate) fn normal_inverse(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// The probability of the standard normal distribution below `z`.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// The probability of the standard normal distribution beyond `z` on both sides.
pub(crate) fn normal_tails(z: f64) -> f64 {
    erfc(z.abs() * std::f64::consts::FRAC_1_SQRT_2)
}

/// The probability of Student's t distribution beyond `t` on both sides; `freedom` is 1 or more.
pub(crate) fn student_tails(t: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if freedom < EXPANDED_FROM => 2.0 * student.sf(t.abs()),
        _ => normal_tails(normal_of_student(t, freedom)),
    }
}

/// The normal deviate with the tail of Student's `t` (Hill 1970, algorithm 395), for many degrees of freedom.
fn normal_of_student(t: f64, freedom: f64) -> f64 {
    let a = freedom - 0.5;
    let b = 48.0 * a * a;
    let y = a * (t * t / freedom).ln_1p();
    let top = (((-0.4 * y - 3.3) * y - 24.0) * y - 85.5) / (0.8 * y * y + 100.0 + b);
    ((top + y + 3.0) / b + 1.0) * y.sqrt()
}

/// The probability of the chi-squared distribution beyond `x`, which is 0 or more; `freedom` is 1 or more.
pub(crate) fn chi_squared_tail(x: f64, freedom: usize) -> f64 {
    ChiSquared::new(freedom as f64).map_or(f64::NAN, |chi_squared| chi_squared.sf(x))
}

/// The point below which Fisher's F distribution has `probability`, in (0, 1); both freedoms are 1 or more.
///
/// F is f2 x / (f1 (1 - x)) with x from a beta distribution, whose distribution function is halved upon until no number is left
/// between the ends: some 60 steps, and no start that could be wrong.
pub(crate) fn fisher_quantile(probability: f64, f1: f64, f2: f64) -> f64 {
    let (mut low, mut high) = (0.0f64, 1.0f64);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break f2 * middle / (f1 * (1.0 - middle));
        }
        if beta_reg(0.5 * f1, 0.5 * f2, middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The two-sided quantile of Student's t distribution; `level` lies in (0, 1), `freedom` is 1 or more.
pub(crate) fn student_quantile(level: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if freedom < EXPANDED_FROM => exact_student_quantile(&student, level),
        _ => expanded_student_quantile(normal_quantile(level), freedom),
    }
}

/// statrs inverts the distribution to some 8 digits; a Newton step on its upper tail, which is exact, doubles them.
fn exact_student_quantile(student: &StudentsT, level: f64) -> f64 {
    let tail = 0.5 - 0.5 * level;
    let start = student.inverse_cdf(0.5 + 0.5 * level);
    let step = (student.sf(start) - tail) / student.pdf(start);
    if step.is_finite() {
        start + step
    } else {
        start
    }
}

/// Cornish-Fisher expansion in 1/freedom (Abramowitz and Stegun 26.7.5).
fn expanded_student_quantile(z: f64, freedom: f64) -> f64 {
    let square = z * z;
    let g1 = (square + 1.0) / 4.0;
    let g2 = ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let g3 = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    let g4 = ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0)
        / 92160.0;
    z * (1.0 + (g1 + (g2 + (g3 + g4 / freedom) / freedom) / freedom) / freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What quantiles reach: far below the digits that anyone prints.
    const QUANTILE_ERROR: f64 = 1e-11;

    /// What the terms left out of the expansion amount to where it takes over.
    const EXPANSION_ERROR: f64 = 1e-10;

    const LEVELS: [f64; 6] = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999];

    fn assert_close(got: f64, want: f64, tolerance: f64) {
        assert!(
            (got / want - 1.0).abs() < tolerance,
            "got {got}, want {want}, off {:e}",
            got / want - 1.0
        );
    }

    #[test]
    fn student_quantiles_meet_the_closed_forms() {
        for level in LEVELS {
            let one = (std::f64::consts::FRAC_PI_2 * level).tan();
            assert_close(student_quantile(level, 1.0), one, QUANTILE_ERROR);
            let two = level * (2.0 / (1.0 - level * level)).sqrt();
            assert_close(student_quantile(level, 2.0), two, QUANTILE_ERROR);
            let alpha = (1.0 - level * level).sqrt();
            let four = 2.0 * ((alpha.acos() / 3.0).cos() / alpha - 1.0).sqrt();
            assert_close(student_quantile(level, 4.0), four, QUANTILE_ERROR);
        }
    }

    #[test]
    fn student_quantiles_join_their_expansion() {
        for level in LEVELS {
            let freedom = EXPANDED_FROM - 1.0;
            let expanded = expanded_student_quantile(normal_quantile(level), freedom);
            assert_close(student_quantile(level, freedom), expanded, EXPANSION_ERROR);
        }
        assert_close(
            student_quantile(0.95, 1e12),
            normal_quantile(0.95),
            QUANTILE_ERROR,
        );
    }

    /// What p-values reach, relative to themselves: the expansion at 200 degrees of freedom, 8 standard errors out, is the
    /// worst of them.
    const TAIL_ERROR: f64 = 1e-8;

    #[test]
    fn student_tails_meet_reference_values() {
        // mpmath, 40 digits: the incomplete beta function, and quadrature of the density from 200 degrees of freedom on.
        for (t, freedom, want) in [
            (0.1, 1.0, 0.936_548_965_138_892_9),
            (8.0, 1.0, 0.079_166_848_321_131_08),
            (1.3, 2.0, 0.323_247_031_816_040_36),
            (2.5, 5.0, 0.054_490_099_342_376_24),
            (0.1, 30.0, 0.921_009_611_790_271_2),
            (8.0, 30.0, 6.265_822_475_700_759e-9),
            (2.5, 199.0, 0.013_227_259_966_507_704),
            (8.0, 199.0, 1.006_146_005_877_696_8e-13),
            (0.1, 200.0, 0.920_444_492_504_321),
            (1.3, 200.0, 0.195_097_189_308_856_36),
            (2.5, 200.0, 0.013_223_172_641_700_792),
            (8.0, 200.0, 9.879_200_930_933_064e-14),
            (2.5, 1000.0, 0.012_578_567_801_090_797),
            (8.0, 1000.0, 3.426_661_482_391_474_5e-15),
            (1.3, 100_000.0, 0.193_603_965_543_180_02),
            (8.0, 100_000.0, 1.257_391_987_625_637_5e-15),
        ] {
            assert_close(student_tails(t, freedom), want, TAIL_ERROR);
            assert_close(student_tails(-t, freedom), want, TAIL_ERROR);
        }
        assert_eq!(student_tails(0.0, 7.0), 1.0);
        assert_eq!(student_tails(0.0, 1e6), 1.0);
    }

    /// What quantiles of F reach, relative to themselves: those of hundreds of degrees of freedom are the worst of them.
    const FISHER_ERROR: f64 = 1e-10;

    /// What p-values of chi-squared reach, relative to themselves: a hundred degrees of freedom are the worst of them.
    const CHI_SQUARED_ERROR: f64 = 1e-11;

    #[test]
    fn chi_squared_tails_meet_reference_values() {
        // mpmath, 40 digits: the regularised incomplete gamma function.
        for (x, freedom, want) in [
            (1e-9, 1, 0.999_974_768_674_784),
            (0.3, 1, 0.583_882_420_770_365_2),
            (40.0, 1, 2.539_628_589_470_865e-10),
            (0.001, 2, 0.999_500_124_979_169_3),
            (3.7, 2, 0.157_237_166_313_627_6),
            (50.0, 2, 1.388_794_386_496_402_1e-11),
            (0.001, 3, 0.999_991_592_080_941_9),
            (2.5, 3, 0.475_291_083_343_020_6),
            (12.0, 3, 0.007_383_160_505_359_769),
            (60.0, 3, 5.878_230_727_906_912e-13),
            (0.01, 7, 0.999_999_999_243_059),
            (6.5, 7, 0.482_723_193_410_097_4),
            (30.0, 7, 9.495_972_508_134_184e-5),
            (90.0, 99, 0.729_834_410_284_671_1),
            (150.0, 99, 7.204_453_957_169_629e-4),
        ] {
            assert_close(chi_squared_tail(x, freedom), want, CHI_SQUARED_ERROR);
        }
        for freedom in 1..5 {
            assert_eq!(chi_squared_tail(0.0, freedom), 1.0);
        }
    }

    #[test]
    fn fisher_quantiles_meet_reference_values() {
        // SciPy 1.17.1: scipy.stats.f.ppf.
        for (probability, f1, f2, want) in [
            (0.005, 4.0, 36.0, 0.050_508_934_973_573_03),
            (0.005, 9.0, 9.0, 0.152_879_727_544_889_85),
            (0.005, 9.0, 45.0, 0.182_390_271_666_498_3),
            (0.005, 9.0, 207.0, 0.190_364_485_066_771_92),
            (0.005, 99.0, 2277.0, 0.667_389_816_586_818_7),
            (0.025, 1.0, 1.0, 0.001_543_712_508_674_131),
            (0.025, 1.0, 4.0, 0.001_111_625_781_276_543_7),
            (0.025, 2.0, 2.0, 0.025_641_025_641_025_644),
            (0.025, 4.0, 36.0, 0.118_653_417_112_741_23),
            (0.025, 9.0, 9.0, 0.248_385_854_694_454_84),
            (0.025, 9.0, 45.0, 0.286_788_368_679_260_6),
            (0.025, 9.0, 207.0, 0.296_982_056_248_682_3),
            (0.025, 19.0, 95.0, 0.450_253_073_407_704_8),
            (0.025, 29.0, 551.0, 0.547_956_532_238_048_6),
            (0.025, 99.0, 2277.0, 0.737_229_873_499_279_3),
            (0.025, 499.0, 24_451.0, 0.878_718_276_176_422_1),
            (0.975, 1.0, 1.0, 647.789_011_477_844_2),
            (0.975, 1.0, 4.0, 12.217_862_633_071_098),
            (0.975, 2.0, 2.0, 38.999_999_999_999_964),
            (0.975, 4.0, 36.0, 3.166_776_563_357_757),
            (0.975, 9.0, 9.0, 4.025_994_158_282_978),
            (0.975, 9.0, 45.0, 2.412_204_667_398_772_7),
            (0.975, 9.0, 207.0, 2.175_757_389_887_226),
            (0.975, 19.0, 95.0, 1.875_666_093_491_314_7),
            (0.975, 29.0, 551.0, 1.603_418_431_744_415_6),
            (0.975, 99.0, 2277.0, 1.306_093_379_830_305_8),
            (0.975, 499.0, 24_451.0, 1.129_345_845_224_646_5),
            (0.995, 4.0, 36.0, 4.455_170_272_749_934),
            (0.995, 9.0, 9.0, 6.541_089_626_853_052_5),
            (0.995, 9.0, 45.0, 3.149_154_961_687_738_6),
            (0.995, 9.0, 207.0, 2.728_084_114_875_832_4),
            (0.995, 99.0, 2277.0, 1.416_798_227_643_130_3),
        ] {
            assert_close(fisher_quantile(probability, f1, f2), want, FISHER_ERROR);
        }
        // With one degree of freedom above, the square of Student's two-sided quantile.
        for level in LEVELS {
            let student = student_quantile(level, 7.0);
            assert_close(
                fisher_quantile(level, 1.0, 7.0),
                student * student,
                FISHER_ERROR,
            );
        }
    }

    #[test]
    fn normal_values_meet_reference_values() {
        // mpmath, 40 digits: erfc and the inverse of erf.
        for (z, want) in [
            (0.1, 0.920_344_325_445_942),
            (1.0, 0.317_310_507_862_914_1),
            (5.0, 5.733_031_437_583_878e-7),
            (10.0, 1.523_970_604_832_105e-23),
            (30.0, 9.813_427_854_296_374e-198),
        ] {
            assert_close(normal_tails(z), want, TAIL_ERROR);
            assert_close(normal_cdf(-z), want / 2.0, TAIL_ERROR);
        }
        for (p, want) in [
            (1e-10, -6.361_340_902_404_057),
            (0.001, -3.090_232_306_167_813_6),
            (0.025, -1.959_963_984_540_054_3),
            (0.3, -0.524_400_512_708_040_8),
        ] {
            assert_close(normal_inverse(p), want, QUANTILE_ERROR);
        }
        assert_eq!(normal_inverse(0.5), 0.0);
    }
}
