//! Group masses and gaps of a row of which only some tokens are known.

use super::row::{Bounds, ListedRow, ROUNDING};

/// How many tokens of a group may be unlisted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupTail {
    /// The group's keys are all its tokens, so that those that are not listed can be counted.
    Counted,
    /// Its keys may not be all its tokens: a word has more than one token, or several tokens have the same name.
    Unknown,
}

/// The mass of a group: the sum of p over its tokens.
///
/// From below, what is listed of it. From above, also what its unlisted tokens may have: each as much as any unlisted
/// token, all together no more than is left beside the listed tokens of other groups.
pub fn listed_mass(row: &ListedRow<'_>, group: &[i32], tail: GroupTail) -> Bounds {
    let (mut lower, mut seen, mut others) = (0.0, 0.0, 0.0);
    let mut listed = 0;
    for (key, log_prob) in row.tokens() {
        let least = (log_prob - row.error).exp();
        if group.contains(&key) {
            listed += 1;
            lower += least;
            seen += (log_prob + row.error).exp();
        } else {
            others += least;
        }
    }
    let room: f64 = 1.0 - others;
    let upper = match tail {
        GroupTail::Counted => {
            let unlisted = count_distinct(group) - listed;
            room.min(seen + unlisted as f64 * row.most)
        }
        GroupTail::Unknown => room,
    };
    Bounds {
        lower: (lower - ROUNDING).max(0.0),
        upper: (upper + ROUNDING).clamp(0.0, 1.0),
    }
}

fn count_distinct(group: &[i32]) -> usize {
    let first = |&at: &usize| !group[..at].contains(&group[at]);
    (0..group.len()).filter(first).count()
}

/// The largest difference between the masses of two groups, from the bounds of each; in [0, 1]. 0 for fewer than two.
pub fn listed_gap(masses: &[Bounds]) -> Bounds {
    let mut gap = Bounds {
        lower: 0.0,
        upper: 0.0,
    };
    for (at, a) in masses.iter().enumerate() {
        for b in &masses[at + 1..] {
            // Where the intervals overlap, the masses may be equal.
            let apart = (a.lower - b.upper).max(b.lower - a.upper);
            let most = (a.upper - b.lower).max(b.upper - a.lower);
            gap.lower = gap.lower.max(apart);
            gap.upper = gap.upper.max(most);
        }
    }
    gap
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(bounds: Bounds, lower: f64, upper: f64) {
        assert!(
            (bounds.lower - lower).abs() < 1e-12 && (bounds.upper - upper).abs() < 1e-12,
            "{bounds:?} and not [{lower}, {upper}]"
        );
    }

    fn ln(p: [f64; 3]) -> [f64; 3] {
        p.map(f64::ln)
    }

    #[test]
    fn the_tail_belongs_to_any_group_or_none() {
        let z = ln([0.4, 0.3, 0.1]);
        let row = ListedRow::new(&[1, 2, 3], &z, z[2], 0.0).unwrap();
        // 0.2 is left, of which one token has 0.1 at most.
        near(listed_mass(&row, &[1, 7], GroupTail::Counted), 0.4, 0.5);
        near(listed_mass(&row, &[1, 7, 7], GroupTail::Counted), 0.4, 0.5);
        near(
            listed_mass(&row, &[1, 7, 8, 9], GroupTail::Counted),
            0.4,
            0.6,
        );
        near(listed_mass(&row, &[1, 7], GroupTail::Unknown), 0.4, 0.6);
        near(listed_mass(&row, &[1, 2], GroupTail::Counted), 0.7, 0.7);
        near(listed_mass(&row, &[], GroupTail::Counted), 0.0, 0.0);
        near(listed_mass(&row, &[], GroupTail::Unknown), 0.0, 0.2);
    }

    #[test]
    fn a_gap_is_0_where_the_masses_may_be_equal() {
        let bounds = |lower, upper| Bounds { lower, upper };
        near(listed_gap(&[bounds(0.4, 0.5), bounds(0.1, 0.2)]), 0.2, 0.4);
        near(listed_gap(&[bounds(0.1, 0.2), bounds(0.4, 0.5)]), 0.2, 0.4);
        near(listed_gap(&[bounds(0.1, 0.3), bounds(0.2, 0.5)]), 0.0, 0.4);
        near(listed_gap(&[bounds(0.1, 0.3)]), 0.0, 0.0);
    }
}
