//! Ratios of groups of rows, with percentile intervals of one bootstrap over all rows.
//!
//! The rows are drawn as they are, whatever their group, and a group's ratios are taken of those of its rows that were drawn:
//! its size varies as it would in another sample, and groups, and runs over the same rows, can be compared draw by draw. Of
//! the resamples only the intervals leave, so that many groups and 100,000 resamples stay a matter of seconds.

use super::draws::Draws;
use super::request::{check_count, check_size, check_threads, ratio_rows, DEFAULT_RESAMPLES};
use crate::error::{ErrorCode, MetricsError, Result};
use crate::interval::{check_level, DEFAULT_LEVEL};
use crate::shape;

/// The group of a row that is in none.
pub const NO_GROUP: u32 = u32::MAX;

/// Numbers that are kept of the resamples at once: 256 megabytes. More groups are done in several passes of the same draws.
const KEPT_AT_ONCE: usize = 32_000_000;

/// How the rows belong together, and how they are drawn. The result depends on everything here but `threads`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupRequest<'a> {
    /// How many ratios, 1 or more: the numbers a row in both inputs.
    pub columns: usize,
    /// `memberships` a row, row after row: its groups, each below `groups` and not one of them twice, or [`NO_GROUP`].
    pub group: &'a [u32],
    /// How many groups a row may be in, 1 or more.
    pub memberships: usize,
    /// How many groups there are, 1 or more.
    pub groups: usize,
    /// The rows that each resample draws, resample after resample, instead of random ones: as many as there are rows.
    pub draws: Option<&'a [u32]>,
    /// How often the rows are drawn anew; not looked at where `draws` are given.
    pub resamples: usize,
    /// The seed of the random generator.
    pub seed: u64,
    /// The confidence level, in (0, 1).
    pub level: f64,
    /// Threads to work on, 1 or more. `None`: as many as the machine has.
    pub threads: Option<usize>,
}

impl Default for GroupRequest<'_> {
    fn default() -> Self {
        Self {
            columns: 1,
            group: &[],
            memberships: 1,
            groups: 1,
            draws: None,
            resamples: DEFAULT_RESAMPLES,
            seed: 0,
            level: DEFAULT_LEVEL,
            threads: None,
        }
    }
}

/// A cell for every group and column, group after group.
#[derive(Debug, Clone, PartialEq)]
pub struct BootstrapGroups {
    /// The sum of the group's numerators over that of its denominators; NaN where all denominators are 0.
    pub ratios: Vec<f64>,
    /// The lower ends of the intervals; NaN where no resample has the ratio.
    pub low: Vec<f64>,
    /// The upper ends.
    pub high: Vec<f64>,
    /// Resamples that do not have the ratio, as none of the rows that make it was drawn. The interval rests on the others.
    pub missing: Vec<u32>,
    /// How often the rows were drawn.
    pub resamples: usize,
}

/// The ratios of sums, group by group and column by column, with the percentile interval of each over resamples of all rows.
/// Both inputs hold `request.columns` numbers a row, row after row. The same seed and as many rows draw the same rows.
///
/// # Errors
/// `empty_input` for no rows; `length_mismatch` for a part of a row, for inputs that differ in length, for groups that are not
/// `memberships` a row and for draws that are no whole number of resamples; `bad_argument` for no columns, groups or memberships, a negative
/// denominator, a group or a draw that there is not (with the row), and for resamples, a level or threads that cannot be;
/// `not_finite` with row and column.
pub fn bootstrap_groups(
    numerators: &[f64],
    denominators: &[f64],
    request: &GroupRequest<'_>,
) -> Result<BootstrapGroups> {
    let rows = check(numerators, denominators, request)?;
    let columns = request.columns;
    let resamples = request
        .draws
        .map_or(request.resamples, |draws| draws.len() / rows);
    let rows_of_both = numerators
        .chunks_exact(columns)
        .zip(denominators.chunks_exact(columns));
    let table = Table {
        parts: rows_of_both
            .flat_map(|(above, below)| above.iter().chain(below).copied())
            .collect(),
        request,
        rows,
        draws: Draws::new(rows, request.seed)?,
    };
    let cells = request.groups * columns;
    let mut found = BootstrapGroups {
        ratios: Vec::with_capacity(cells),
        low: Vec::with_capacity(cells),
        high: Vec::with_capacity(cells),
        missing: Vec::with_capacity(cells),
        resamples,
    };
    let at_once = (KEPT_AT_ONCE / (resamples * columns)).clamp(1, request.groups);
    for first in (0..request.groups).step_by(at_once) {
        let count = at_once.min(request.groups - first);
        table.measure(first, count, resamples, &mut found);
    }
    Ok(found)
}

struct Table<'a> {
    /// Of each row its numerators, then its denominators.
    parts: Vec<f64>,
    request: &'a GroupRequest<'a>,
    rows: usize,
    draws: Draws,
}

impl Table<'_> {
    /// Adds the groups from `first` on.
    fn measure(&self, first: usize, count: usize, resamples: usize, found: &mut BootstrapGroups) {
        let cells = count * self.request.columns;
        let mut whole = vec![0.0; cells];
        self.ratios(first, &mut whole, &vec![1; self.rows]);
        found.ratios.extend_from_slice(&whole);

        let mut numbers = vec![0.0; resamples * cells];
        let threads = self.request.threads;
        self.draws
            .resample(&mut numbers, cells, threads, |resample, ratios| {
                self.ratios(first, ratios, &self.times(resample));
            });
        let mut values = Vec::with_capacity(resamples);
        for cell in 0..cells {
            values.clear();
            let column = numbers[cell..].iter().step_by(cells);
            values.extend(column.copied().filter(|value| !value.is_nan()));
            found.missing.push((resamples - values.len()) as u32);
            let tail = 0.5 * (1.0 - self.request.level);
            found.low.push(quantile(&mut values, tail));
            found.high.push(quantile(&mut values, 1.0 - tail));
        }
    }

    /// How often a resample draws each row. Counting first leaves one walk over the table, in its order.
    fn times(&self, resample: u32) -> Vec<u32> {
        let mut times = vec![0; self.rows];
        match self.request.draws {
            Some(draws) => draws[resample as usize * self.rows..][..self.rows]
                .iter()
                .for_each(|&row| times[row as usize] += 1),
            None => self.draws.visit(resample, |row| times[row] += 1),
        }
        times
    }

    /// The ratios of the groups from `first` on, each row taken so many times.
    fn ratios(&self, first: usize, ratios: &mut [f64], times: &[u32]) {
        let columns = self.request.columns;
        let mut sums = vec![0.0; 2 * ratios.len()];
        // A width that the compiler knows makes vector instructions of the innermost loop.
        match columns {
            1 => self.add_up(first, &mut sums, times, 2),
            4 => self.add_up(first, &mut sums, times, 8),
            _ => self.add_up(first, &mut sums, times, 2 * columns),
        }
        let groups = sums.chunks_exact(2 * columns);
        for (ratios, sums) in ratios.chunks_exact_mut(columns).zip(groups) {
            let (above, below) = sums.split_at(columns);
            for (ratio, (&above, &below)) in ratios.iter_mut().zip(above.iter().zip(below)) {
                *ratio = if below > 0.0 { above / below } else { f64::NAN };
            }
        }
    }

    /// Adds each row so many times to the sums of its groups; `width` is that of a row's parts.
    #[inline(always)]
    fn add_up(&self, first: usize, sums: &mut [f64], times: &[u32], width: usize) {
        let groups = sums.len() / width;
        let memberships = self.request.group.chunks_exact(self.request.memberships);
        let rows = self.parts.chunks_exact(width).zip(memberships);
        for ((parts, memberships), &times) in rows.zip(times) {
            if times == 0 {
                continue;
            }
            let times = f64::from(times);
            for &group in memberships {
                // No group, or one that is done in another pass, lies beyond.
                let group = (group as usize).wrapping_sub(first);
                if group >= groups {
                    continue;
                }
                let sums = &mut sums[group * width..][..width];
                for (sum, part) in sums.iter_mut().zip(parts) {
                    *sum += times * part;
                }
            }
        }
    }
}

/// The quantile at `share` of `values`: linear between the order statistics around (n - 1) share. Changes their order.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    let Some(last) = values.len().checked_sub(1) else {
        return f64::NAN;
    };
    let at = last as f64 * share;
    let (index, part) = (at.floor() as usize, at.fract());
    let (_, &mut low, above) = values.select_nth_unstable_by(index, f64::total_cmp);
    let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    low + part * (high - low)
}

/// The number of rows, if all of them can be used.
fn check(numerators: &[f64], denominators: &[f64], request: &GroupRequest<'_>) -> Result<usize> {
    let columns = request.columns;
    let refused = |code, what: String, remedy, input| {
        Err(MetricsError::new(code, what, remedy).in_input(input))
    };
    let counts = [
        ("columns", columns),
        ("groups", request.groups),
        ("memberships", request.memberships),
    ];
    if let Some((input, _)) = counts.into_iter().find(|&(_, count)| count == 0) {
        let what = format!("ratios with 0 {input}");
        return refused(ErrorCode::BadArgument, what, "pass 1 or more", input);
    }
    let rows = ratio_rows(numerators, denominators, columns)?;
    let memberships = rows.saturating_mul(request.memberships);
    shape::same_length("group", request.group.len(), memberships)?;
    check_threads(request.threads)?;
    check_level(request.level)?;
    let resamples = match request.draws {
        None => request.resamples,
        Some(draws) if draws.len().is_multiple_of(rows) => draws.len() / rows,
        Some(draws) => {
            let what = format!(
                "{} draws are no whole number of resamples of {rows} rows",
                draws.len()
            );
            let remedy = "pass as many rows as there are for each resample";
            return refused(ErrorCode::LengthMismatch, what, remedy, "draws");
        }
    };
    check_count("resamples", resamples, request.level)?;
    check_size("resamples", resamples.saturating_mul(columns))?;
    let beyond = |id: u32| id as usize >= request.groups && id != NO_GROUP;
    let wrong = |input, ids: &[u32], is_wrong: &dyn Fn(u32) -> bool| {
        let row = ids.iter().position(|&id| is_wrong(id))?;
        Some((input, row, ids[row]))
    };
    let draws = request.draws.unwrap_or_default();
    let in_row = |(input, at, id)| (input, at / request.memberships, id);
    let found = wrong("group", request.group, &beyond)
        .map(in_row)
        .or_else(|| wrong("draws", draws, &|row| row as usize >= rows));
    if let Some((input, row, id)) = found {
        let what = format!("{id} is none of them");
        let remedy = "number groups and rows from 0";
        return Err(MetricsError::new(ErrorCode::BadArgument, what, remedy)
            .in_input(input)
            .at_row(row));
    }
    for (input, numbers) in [("numerators", numerators), ("denominators", denominators)] {
        let negative = |x: f64| x < 0.0 && input == "denominators";
        let Some(index) = numbers.iter().position(|&x| !x.is_finite() || negative(x)) else {
            continue;
        };
        let code = if numbers[index].is_finite() {
            ErrorCode::BadArgument
        } else {
            ErrorCode::NotFinite
        };
        let what = format!("a number is {}", numbers[index]);
        let remedy = "give what does not count a numerator and a denominator of 0";
        return Err(MetricsError::new(code, what, remedy)
            .in_input(input)
            .at_row(index / columns)
            .at_column(index % columns));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMERATORS: [f64; 8] = [1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0];
    const ONES: [f64; 8] = [1.0; 8];

    fn request(group: &[u32]) -> GroupRequest<'_> {
        GroupRequest {
            columns: 2,
            group,
            groups: 2,
            resamples: 2_000,
            ..GroupRequest::default()
        }
    }

    #[test]
    fn ratios_are_those_of_the_groups() {
        let group = [0, 0, 1, NO_GROUP];
        let found = bootstrap_groups(&NUMERATORS, &ONES, &request(&group)).expect("fits");
        assert_eq!(found.ratios, [0.5, 0.5, 1.0, 1.0]);
        // The second group has one row: each resample has it or not.
        assert_eq!((found.low[2], found.high[2]), (1.0, 1.0));
        let share = f64::from(found.missing[2]) / 2_000.0;
        assert!((share - 0.75_f64.powi(4)).abs() < 0.04, "{share}");
    }

    #[test]
    fn given_draws_are_taken() {
        let group = [0, 0, 0, 0];
        let draws: Vec<u32> = (0..40).flat_map(|i| [i % 4, 0, 0, 0]).collect();
        let found = bootstrap_groups(
            &NUMERATORS,
            &ONES,
            &GroupRequest {
                draws: Some(&draws),
                groups: 1,
                ..request(&group)
            },
        )
        .expect("fits");
        assert_eq!(found.resamples, 40);
        assert_eq!((found.low[0], found.high[0]), (0.75, 1.0));
    }

    #[test]
    fn neither_threads_nor_other_groups_show() {
        let group = [0, 1, 0, 1];
        let one = GroupRequest {
            threads: Some(1),
            ..request(&group)
        };
        let whole = bootstrap_groups(&NUMERATORS, &ONES, &one).expect("fits");
        let four = GroupRequest {
            threads: Some(4),
            ..one
        };
        assert_eq!(
            bootstrap_groups(&NUMERATORS, &ONES, &four).expect("fits"),
            whole
        );
        let alone = [NO_GROUP, 0, NO_GROUP, 0];
        let second = GroupRequest {
            group: &alone,
            groups: 1,
            ..one
        };
        let found = bootstrap_groups(&NUMERATORS, &ONES, &second).expect("fits");
        assert_eq!(found.low, whole.low[2..]);
        assert_eq!(found.missing, whole.missing[2..]);
    }

    #[test]
    fn a_row_may_be_in_several_groups() {
        // Groups 0 and 1 split the rows, group 2 has all but one of them.
        let (split, most) = ([0, 1, 0, 1], [0, 0, 0, NO_GROUP]);
        let both: Vec<u32> = split
            .into_iter()
            .zip(most)
            .flat_map(|(one, other)| [one, if other == NO_GROUP { other } else { other + 2 }])
            .collect();
        let together = GroupRequest {
            memberships: 2,
            groups: 3,
            ..request(&both)
        };
        let found = bootstrap_groups(&NUMERATORS, &ONES, &together).expect("fits");
        let first = bootstrap_groups(&NUMERATORS, &ONES, &request(&split)).expect("fits");
        let alone = GroupRequest {
            groups: 1,
            ..request(&most)
        };
        let second = bootstrap_groups(&NUMERATORS, &ONES, &alone).expect("fits");
        let joined = |a: &[f64], b: &[f64]| a.iter().chain(b).copied().collect::<Vec<_>>();
        assert_eq!(found.ratios, joined(&first.ratios, &second.ratios));
        assert_eq!(found.low, joined(&first.low, &second.low));
        assert_eq!(found.high, joined(&first.high, &second.high));
        assert_eq!(found.missing[..4], first.missing);
        assert_eq!(found.missing[4..], second.missing);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let group = [0, 1, 2, 0];
        let error = bootstrap_groups(&NUMERATORS, &ONES, &request(&group)).expect_err("no group 2");
        assert_eq!(
            (error.kind(), error.row()),
            (ErrorCode::BadArgument, Some(2))
        );
        let wide = GroupRequest {
            memberships: 2,
            ..request(&[0, 1, 0, 1, 0, 7, 0, 1])
        };
        let error = bootstrap_groups(&NUMERATORS, &ONES, &wide).expect_err("no group 7");
        assert_eq!(error.row(), Some(2));
        let nowhere = GroupRequest {
            memberships: 0,
            ..wide
        };
        let error = bootstrap_groups(&NUMERATORS, &ONES, &nowhere).expect_err("no memberships");
        assert_eq!(error.input(), Some("memberships"));
        let fits = [0, 1, 0, 1];
        let draws = [0, 1, 2];
        let short = GroupRequest {
            draws: Some(&draws),
            ..request(&fits)
        };
        let error = bootstrap_groups(&NUMERATORS, &ONES, &short).expect_err("a part");
        assert_eq!(error.kind(), ErrorCode::LengthMismatch);
        let mut bad = ONES;
        bad[3] = -1.0;
        let error = bootstrap_groups(&NUMERATORS, &bad, &request(&fits)).expect_err("negative");
        assert_eq!((error.row(), error.column()), (Some(1), Some(1)));
    }
}
