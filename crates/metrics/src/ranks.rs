//! Ranks of a column, and the exact test of their correlation.

/// Pairs up to which all orders are tried: 362,880. Beyond, Student's t takes over.
pub(crate) const EXACT_UP_TO: usize = 9;

/// The rank of each value, counted from 1; equal values share the mean of their ranks.
pub(crate) fn mid_ranks(column: &[f64]) -> Vec<f64> {
    let mut ranks = vec![0.0; column.len()];
    let mut before = 0;
    for tied in ascending(column).chunk_by(|a, b| a.0 == b.0) {
        // The mean of before + 1 to before + tied.
        let rank = before as f64 + (tied.len() as f64 + 1.0) / 2.0;
        before += tied.len();
        for &(_, index) in tied {
            ranks[index] = rank;
        }
    }
    ranks
}

/// Values with their indices, ascending. Equal ones follow one another, 0 and -0 too.
fn ascending(column: &[f64]) -> Vec<(f64, usize)> {
    let mut sorted: Vec<_> = column.iter().copied().zip(0..).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    sorted
}

/// The share of all orders of `y`, each as likely as the next, in which its correlation with `x` is as far from 0 as it is or
/// farther; both are ranks that are not constant, [`EXACT_UP_TO`] at most or of a correlation of 1 or -1.
pub(crate) fn permutation_p_value(x: &[f64], y: &[f64]) -> f64 {
    if x.len() <= EXACT_UP_TO {
        share_of_all_orders(x, y)
    } else {
        share_of_one_order(y)
    }
}

fn share_of_all_orders(x: &[f64], y: &[f64]) -> f64 {
    // Twice the ranks, less their mean, are whole numbers, so that equal correlations are equal.
    let whole = |ranks: &[f64]| -> Vec<i64> {
        let mean = ranks.len() as f64 + 1.0;
        ranks
            .iter()
            .map(|rank| (2.0 * rank - mean) as i64)
            .collect()
    };
    let (x, mut y) = (whole(x), whole(y));
    let mut sum: i64 = x.iter().zip(&y).map(|(a, b)| a * b).sum();
    let observed = sum.abs();
    let (mut all, mut as_far) = (1u64, 1u64);
    // Heap 1963: each order from the one before by a single swap.
    let mut swaps = vec![0; y.len()];
    let mut i = 1;
    while i < y.len() {
        if swaps[i] < i {
            let j = if i % 2 == 0 { 0 } else { swaps[i] };
            sum += (x[i] - x[j]) * (y[j] - y[i]);
            y.swap(i, j);
            all += 1;
            as_far += u64::from(sum.abs() >= observed);
            swaps[i] += 1;
            i = 1;
        } else {
            swaps[i] = 0;
            i += 1;
        }
    }
    as_far as f64 / all as f64
}

/// Where the correlation is 1 or -1, only orders that swap equals keep it, and only where ties lie the same from both ends can
/// the other be reached.
fn share_of_one_order(y: &[f64]) -> f64 {
    let sorted = ascending(y);
    let tied: Vec<usize> = sorted.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len).collect();
    let mirrored = tied.iter().eq(tied.iter().rev());
    let mut share = if mirrored { 2.0 } else { 1.0 };
    // The product of all tied! over n!, factor by factor.
    let mut placed = 0;
    for count in tied {
        for i in 1..=count {
            placed += 1;
            share *= i as f64 / placed as f64;
        }
    }
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_of_their_ranks() {
        assert_eq!(
            mid_ranks(&[3.0, -1.0, 3.0, 7.5, 3.0]),
            [3.0, 1.0, 3.0, 5.0, 3.0]
        );
        assert_eq!(mid_ranks(&[0.0, -0.0]), [1.5, 1.5]);
        assert_eq!(mid_ranks(&[2.0, 1.0]), [2.0, 1.0]);
    }

    #[test]
    fn all_orders_are_tried_once() {
        // n = 4 without ties: Kendall's table has 1, 3, 1, 4, 2, 2, ... orders of sum(d^2) = 0, 2, 4, 6, 8, 10, ...
        let x = [1.0, 2.0, 3.0, 4.0];
        let p = |y: [f64; 4]| share_of_all_orders(&x, &y) * 24.0;
        assert_eq!(p([1.0, 2.0, 3.0, 4.0]), 2.0);
        assert_eq!(p([2.0, 1.0, 3.0, 4.0]), 8.0);
        assert_eq!(p([2.0, 1.0, 4.0, 3.0]), 10.0);
        assert_eq!(p([3.0, 1.0, 4.0, 2.0]), 24.0);
    }

    #[test]
    fn one_order_is_counted_as_by_trying() {
        for ranks in [
            vec![1.0, 2.0, 3.0, 4.0, 5.0],
            vec![1.5, 1.5, 3.0, 4.5, 4.5],
            vec![2.0, 2.0, 2.0, 4.0, 5.5, 5.5],
            vec![1.0, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5],
        ] {
            let (tried, counted) = (
                share_of_all_orders(&ranks, &ranks),
                share_of_one_order(&ranks),
            );
            assert!(
                (tried / counted - 1.0).abs() < 1e-14,
                "{ranks:?}: {tried}, {counted}"
            );
        }
    }
}
