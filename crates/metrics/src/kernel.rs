//! Sums in blocks, so that a sum's rounding error grows with `BLOCK + len / BLOCK` and not with `len`.

/// Values a block.
pub(crate) const BLOCK: usize = 1024;

/// The sum of a sequence of numbers, in blocks.
pub(crate) fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut total, mut block, mut in_block) = (0.0, 0.0, 0);
    for value in values {
        block += value;
        in_block += 1;
        if in_block == BLOCK {
            total += block;
            (block, in_block) = (0.0, 0);
        }
    }
    total + block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_keeps_small_values_apart_from_large_totals() {
        let n = 10 * BLOCK + 7;
        let total = sum(std::iter::repeat_n(0.1, n));
        assert!((total / (0.1 * n as f64) - 1.0).abs() < 1e-13);
    }
}
