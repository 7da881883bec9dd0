//! IEEE half precision: 1 bit of sign, 5 of exponent, 10 of fraction.

/// The largest finite half.
pub const LARGEST_HALF: f32 = 65504.0;

/// The least positive normal half, 2^-14, as the bits of an `f32`.
const LEAST_NORMAL: u32 = 0x3880_0000;

/// The least `f32` that rounds to infinity, half a step above [`LARGEST_HALF`], as bits.
const TOO_LARGE: u32 = 0x477f_f000;

/// The bits of the half nearest to `x`, of two as near the even one. What is too large becomes infinity; NaN stays NaN.
pub(crate) fn to_half(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let size = bits & 0x7fff_ffff;
    if size >= TOO_LARGE {
        return sign | if x.is_nan() { 0x7e00 } else { 0x7c00 };
    }
    if size < LEAST_NORMAL {
        // Steps of `f32` from 0.5 to 1 are 2^-24, as those of subnormal halves: the addition rounds.
        let steps = (f32::from_bits(size) + 0.5).to_bits() - 0.5f32.to_bits();
        return sign | steps as u16;
    }
    // The exponent's bias changes from 127 to 15, and 13 bits of fraction go: to the nearest, at a tie to even.
    let odd = (size >> 13) & 1;
    sign | ((size - (112 << 23) + 0xfff + odd) >> 13) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of finite half bits, by the definition of the format.
    fn value(half: u16) -> f64 {
        let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f64::from(half & 0x3ff));
        let size = if exponent == 0 {
            fraction * 2f64.powi(-24)
        } else {
            (1024.0 + fraction) * 2f64.powi(exponent - 25)
        };
        if half & 0x8000 == 0 {
            size
        } else {
            -size
        }
    }

    #[test]
    fn every_half_stays_itself() {
        for half in (0..0x7c00).chain(0x8000..0xfc00) {
            assert_eq!(to_half(value(half) as f32), half, "{half:#06x}");
        }
    }

    #[test]
    fn what_lies_between_two_halves_goes_to_the_nearer_and_a_tie_to_the_even_one() {
        for half in 0..0x7bff {
            // Exact in f32: it has 13 bits more of fraction.
            let middle = ((value(half) + value(half + 1)) / 2.0) as f32;
            let even = half + (half & 1);
            assert_eq!(to_half(middle), even, "{half:#06x}");
            assert_eq!(to_half(-middle), even | 0x8000, "{half:#06x}");
            assert_eq!(to_half(middle.next_down()), half, "{half:#06x}");
            assert_eq!(to_half(middle.next_up()), half + 1, "{half:#06x}");
        }
    }

    #[test]
    fn the_ends_of_the_format() {
        assert_eq!(to_half(LARGEST_HALF), 0x7bff);
        assert_eq!(to_half(65520f32.next_down()), 0x7bff);
        for infinite in [65520.0, 1e9, f32::INFINITY] {
            assert_eq!(to_half(infinite), 0x7c00);
            assert_eq!(to_half(-infinite), 0xfc00);
        }
        assert_eq!(to_half(f32::NAN) & 0x7fff, 0x7e00);
        assert_eq!((to_half(-0.0), to_half(1e-30)), (0x8000, 0));
    }
}
