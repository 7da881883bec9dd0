//! The bootstrap of numbers that are made of several ratios: the ratios of each resample, for the caller to make the number of.
//!
//! A score such as a product or a difference of accuracies has no deviations a cluster to draw from, but its parts have: each
//! is a sum over a sum. All parts are taken of the same draw, so that what they have in common stays in common.

use super::draws::Draws;
use super::request::{check_draws, ratio_rows, DEFAULT_RESAMPLES};
use crate::clusters::both_ways;
use crate::error::{ErrorCode, MetricsError, Result};
use crate::shape;
use crate::wide::Wide;

/// How the rows belong together, and how they are drawn. The result depends on everything here but `threads`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatioRequest<'a> {
    /// How many ratios, 1 or more: the numbers a row in both inputs.
    pub columns: usize,
    /// One a row: the cluster to which it belongs. `None`: every row is a cluster of its own, in the order of the rows.
    pub cluster: Option<&'a [u32]>,
    /// One a row: a second way in which rows belong together, beside `cluster`. Clusters of both ways are then drawn, and a row
    /// counts as often as its two clusters were drawn, multiplied (the pigeonhole bootstrap of Owen 2007).
    pub cluster2: Option<&'a [u32]>,
    /// How often the clusters are drawn anew, 1 or more. Times `columns`, at most 10 million.
    pub resamples: usize,
    /// The seed of the random generator.
    pub seed: u64,
    /// Threads to work on, 1 or more. `None`: as many as the machine has.
    pub threads: Option<usize>,
}

impl Default for RatioRequest<'_> {
    fn default() -> Self {
        Self {
            columns: 1,
            cluster: None,
            cluster2: None,
            resamples: DEFAULT_RESAMPLES,
            seed: 0,
            threads: None,
        }
    }
}

/// Ratios of the data and of each resample.
#[derive(Debug, Clone, PartialEq)]
pub struct BootstrapRatios {
    /// One a column: the sum of its numerators over that of its denominators; NaN where all denominators are 0.
    pub ratios: Vec<f64>,
    /// The same of each resample, resample after resample; NaN where all denominators drawn are 0. `None` for one cluster.
    pub resampled: Option<Vec<f64>>,
    /// The clusters that are drawn from: all, whatever their denominators.
    pub clusters: usize,
    /// Of two ways to cluster: the clusters of the second.
    pub clusters2: Option<usize>,
    /// Why there are no resamples.
    pub reason: Option<String>,
}

/// The ratios of sums, column by column, of the rows and of every resample of their clusters. Both inputs hold
/// `request.columns` numbers a row, row after row.
///
/// Clusters are numbered by ascending id. A second call with the same seed and the same ids therefore draws the same clusters
/// in each resample, whatever the numbers are: two runs over the same rows can be compared resample by resample.
///
/// # Errors
/// `empty_input` for no rows; `length_mismatch` for a part of a row, for inputs that differ in length and for clusters that are
/// not one a row; `bad_argument` for no columns, for a negative denominator (with row and column), and for resamples or
/// threads that cannot be; `not_finite` with row and column for a number that is NaN or infinite, and without for numbers
/// whose sums or ratios overflow.
pub fn bootstrap_ratios(
    numerators: &[f64],
    denominators: &[f64],
    request: &RatioRequest<'_>,
) -> Result<BootstrapRatios> {
    let rows = check(numerators, denominators, request)?;
    let ratios = ratios(numerators, denominators, request.columns)?;
    let table = Table::new(numerators, denominators, rows, &ratios, request)?;
    let clusters2 = table.second.as_ref().map(|second| second.clusters);
    if table.clusters.min(clusters2.unwrap_or(usize::MAX)) < 2 {
        return Ok(BootstrapRatios {
            ratios,
            resampled: None,
            clusters: table.clusters,
            clusters2,
            reason: Some("only 1 text or row that counts; a bootstrap needs at least 2".to_owned()),
        });
    }
    let resampled = table.resample(&ratios, request)?;
    if resampled.iter().any(|x| x.is_infinite()) {
        return Err(overflow());
    }
    Ok(BootstrapRatios {
        ratios,
        resampled: Some(resampled),
        clusters: table.clusters,
        clusters2,
        reason: None,
    })
}

/// The number of rows, if all of them can be used.
fn check(numerators: &[f64], denominators: &[f64], request: &RatioRequest<'_>) -> Result<u32> {
    let columns = request.columns;
    check_draws(request.resamples, columns, request.threads)?;
    let rows = ratio_rows(numerators, denominators, columns)?;
    if let Some(cluster) = request.cluster {
        shape::same_length("cluster", cluster.len(), rows)?;
    }
    if let Some(cluster2) = request.cluster2 {
        both_ways(request.cluster, cluster2, rows)?;
    }
    let Ok(counted) = u32::try_from(rows) else {
        let what = format!("a bootstrap of {rows} rows");
        let remedy = "pass sums a cluster as rows; rows are numbered in 32 bits";
        return Err(MetricsError::new(ErrorCode::BadArgument, what, remedy).in_input("numerators"));
    };
    for (input, numbers) in [("numerators", numerators), ("denominators", denominators)] {
        let negative = |x: f64| x < 0.0 && input == "denominators";
        let bad = |x: &f64| !x.is_finite() || negative(*x);
        let Some(index) = numbers.iter().position(bad) else {
            continue;
        };
        let found = numbers[index];
        let (code, remedy) = if negative(found) && found.is_finite() {
            (
                ErrorCode::BadArgument,
                "denominators are counts or weights, 0 or more",
            )
        } else {
            (
                ErrorCode::NotFinite,
                "give what does not count a numerator and a denominator of 0",
            )
        };
        return Err(
            MetricsError::new(code, format!("a number is {found}"), remedy)
                .in_input(input)
                .at_row(index / columns)
                .at_column(index % columns),
        );
    }
    Ok(counted)
}

/// The ratio of each column over all rows.
fn ratios(numerators: &[f64], denominators: &[f64], columns: usize) -> Result<Vec<f64>> {
    let sum = |numbers: &[f64], column: usize| {
        let column = numbers[column..].iter().step_by(columns);
        column.fold(Wide::default(), |sum, &x| sum.plus(x))
    };
    let ratio = |column| {
        let below = sum(denominators, column).value();
        if below == 0.0 {
            return Ok(f64::NAN);
        }
        let ratio = sum(numerators, column).over(below).value();
        // A sum that overflows becomes NaN on the way.
        ratio.is_finite().then_some(ratio).ok_or_else(overflow)
    };
    (0..columns).map(ratio).collect()
}

/// What resamples are made of: for each cluster, by ascending id, a deviation and a denominator a column.
///
/// With r the ratio of the data, a cluster's deviation is its numerator less r times its denominator, and a resample's ratio
/// is r + sum(deviations)/sum(denominators): ratios that all clusters share come out without a spread, and small spreads
/// keep their digits.
struct Table {
    clusters: usize,
    /// Those of a cluster, or of the rows that are together in both ways.
    numbers: Vec<(f64, f64)>,
    second: Option<SecondWay>,
}

/// The clusters of a second way, and of each part of the table in which of either way it is.
struct SecondWay {
    clusters: usize,
    places: Vec<(usize, usize)>,
}

/// The clusters of the second way are drawn apart from those of the first. Seeds are below 2^63.
const SECOND_WAY: u64 = 1 << 63;

impl Table {
    fn new(
        numerators: &[f64],
        denominators: &[f64],
        rows: u32,
        ratios: &[f64],
        request: &RatioRequest<'_>,
    ) -> Result<Self> {
        let columns = request.columns;
        let mut order: Vec<u32> = (0..rows).collect();
        let of = |ids: Option<&[u32]>, row: u32, none| ids.map_or(none, |ids| ids[row as usize]);
        let id = |row: u32| {
            let second = of(request.cluster2, row, 0);
            (of(request.cluster, row, row), second)
        };
        order.sort_by_key(|&row| id(row));
        let mut ascending: Vec<u32> = request.cluster2.unwrap_or_default().to_vec();
        ascending.sort_unstable();
        ascending.dedup();
        let mut table = Self {
            clusters: 0,
            numbers: Vec::new(),
            second: request.cluster2.map(|_| SecondWay {
                clusters: ascending.len(),
                places: Vec::new(),
            }),
        };
        let mut last = None;
        for rows in order.chunk_by(|&row, &next| id(row) == id(next)) {
            let (first, second) = id(rows[0]);
            if last.replace(first) != Some(first) {
                table.clusters += 1;
            }
            if let Some(way) = &mut table.second {
                let place = ascending.partition_point(|&id| id < second);
                way.places.push((table.clusters - 1, place));
            }
            for (column, &ratio) in ratios.iter().enumerate() {
                let sum = |numbers: &[f64]| {
                    let numbers = rows
                        .iter()
                        .map(|&row| numbers[row as usize * columns + column]);
                    numbers.fold(Wide::default(), Wide::plus)
                };
                let (above, below) = (sum(numerators), sum(denominators));
                // A ratio that is NaN has denominators of 0 only, and so has every resample of it.
                let ratio = if ratio.is_nan() { 0.0 } else { ratio };
                let deviation = above.minus_wide(below.times(ratio)).value();
                table.numbers.push((deviation, below.value()));
            }
        }
        // A resample may draw the largest of them every time.
        let most = table.clusters as f64 * table.second.as_ref().map_or(1.0, |s| s.clusters as f64);
        let small = |x: f64| (x * most).is_finite();
        let mut numbers = table.numbers.iter();
        if numbers.all(|&(deviation, below)| small(deviation) && small(below)) {
            Ok(table)
        } else {
            Err(overflow())
        }
    }

    fn resample(&self, ratios: &[f64], request: &RatioRequest<'_>) -> Result<Vec<f64>> {
        let columns = ratios.len();
        let draws = Draws::new(self.clusters, request.seed)?;
        let second = self.second.as_ref();
        let other = second.map(|way| Draws::new(way.clusters, request.seed ^ SECOND_WAY));
        let other = other.transpose()?;
        let mut resampled = vec![0.0; request.resamples * columns];
        draws.resample(
            &mut resampled,
            columns,
            request.threads,
            |resample, found| {
                let mut sums = vec![(0.0, 0.0); columns];
                let mut add = |part: usize, times: f64| {
                    let drawn = &self.numbers[part * columns..][..columns];
                    for (sum, (deviation, below)) in sums.iter_mut().zip(drawn) {
                        sum.0 += times * deviation;
                        sum.1 += times * below;
                    }
                };
                match (&self.second, other) {
                    (Some(way), Some(other)) => {
                        let count = |draws: Draws, clusters: usize| {
                            let mut times = vec![0.0; clusters];
                            draws.visit(resample, |cluster| times[cluster] += 1.0);
                            times
                        };
                        let (first, second) =
                            (count(draws, self.clusters), count(other, way.clusters));
                        for (part, &(one, two)) in way.places.iter().enumerate() {
                            add(part, first[one] * second[two]);
                        }
                    }
                    _ => draws.visit(resample, |cluster| add(cluster, 1.0)),
                }
                for ((found, &(deviation, below)), ratio) in found.iter_mut().zip(&sums).zip(ratios)
                {
                    *found = if below > 0.0 {
                        ratio + deviation / below
                    } else {
                        f64::NAN
                    };
                }
            },
        );
        Ok(resampled)
    }
}

fn overflow() -> MetricsError {
    MetricsError::new(
        ErrorCode::NotFinite,
        "the numbers are so far apart or so large that their sums or ratios overflow",
        "scale them",
    )
    .in_input("numerators")
}
