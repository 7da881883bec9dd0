//! The share of rows that are hits, with a score interval: Wilson's, and Wilson's at the effective sample size where rows
//! belong together.

use crate::aggregate::AggregateRequest;
use crate::clusters::Deviation;
use crate::distribution::{normal_tails, student_quantile, student_tails};
use crate::error::{ErrorCode, MetricsError, Result};
use crate::estimate::Sample;
use crate::interval::{check_level, score_ends, wilson, DEFAULT_LEVEL};

/// How rows belong together, and the level.
#[derive(Debug, Clone, Copy)]
pub struct ShareRequest<'a> {
    /// One a row: the cluster to which it belongs. `None`: rows are independent.
    pub cluster: Option<&'a [u32]>,
    /// One a row: a second way in which rows belong together, beside `cluster`.
    pub cluster2: Option<&'a [u32]>,
    /// The confidence level, in (0, 1).
    pub level: f64,
    /// A share, in (0, 1), to test against.
    pub against: Option<f64>,
}

impl Default for ShareRequest<'_> {
    fn default() -> Self {
        Self {
            cluster: None,
            cluster2: None,
            level: DEFAULT_LEVEL,
            against: None,
        }
    }
}

/// How the interval of a share is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShareMethod {
    /// Wilson's score interval over rows.
    Wilson,
    /// Wilson's score interval at the effective sample size, with Student's t.
    ClusterWilson,
}

impl ShareMethod {
    /// The name in results.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wilson => "wilson",
            Self::ClusterWilson => "clusterWilson",
        }
    }
}

/// A score interval of a share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShareInterval {
    /// How it was made.
    pub method: ShareMethod,
    /// The confidence level, in (0, 1).
    pub level: f64,
    /// The lower end, in [0, 1].
    pub low: f64,
    /// The upper end, in [0, 1].
    pub high: f64,
    /// How many clusters there are.
    pub clusters: Option<usize>,
    /// How many of the second way.
    pub clusters2: Option<usize>,
    /// How many independent rows would say as much.
    pub effective_n: Option<f64>,
}

/// A share with its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// `hits / n`, in [0, 1].
    pub mean: f64,
    /// Rows that are hits.
    pub hits: u64,
    /// All rows.
    pub n: u64,
    /// The interval, where there are clusters enough for one.
    pub ci: Option<ShareInterval>,
    /// Two-sided, of the share that the request tests against: the score test that the interval inverts, so that it is below
    /// 1 - level exactly where the interval leaves that share out.
    pub p_value: Option<f64>,
    /// Why there is no interval.
    pub reason: Option<String>,
}

/// The share of `hits` (0 or 1, one a row) that are 1, with its score interval.
///
/// With clusters that is Wilson's at the effective sample size p (1 - p) / V, V the cluster-robust variance (of two ways that
/// of [`aggregate`](crate::aggregate())), at most n, with Student's t of one degree of freedom less than clusters instead of
/// the normal quantile (after Korn and Graubard 1998, who take the interval of Clopper and Pearson). At a share of 0 or 1, where V is 0 and the data do
/// not say how alike the rows of a cluster are, they are taken as copies of each other: n^2 / sum(m^2), m the sizes of clusters (Kish 1965).
///
/// # Errors
/// `empty_input` for no rows, `length_mismatch` for clusters that are not one a row, `bad_argument` for an entry that is neither
/// 0 nor 1 (the row is its place), for a second way without a first, for a level outside (0, 1), and for a share to test against
/// outside (0, 1).
pub fn share(hits: &[u8], request: &ShareRequest<'_>) -> Result<Share> {
    let level = check_level(request.level)?;
    if let Some(against) = request.against {
        check_against(against)?;
    }
    if let Some(index) = hits.iter().position(|&hit| hit > 1) {
        let what = format!("a hit of {}", hits[index]);
        let error = MetricsError::new(ErrorCode::BadArgument, what, "hits are 0 or 1");
        return Err(error.in_input("hits").at_row(index));
    }
    let yes = hits.iter().map(|&hit| u64::from(hit)).sum();
    let n = hits.len() as u64;
    let rows = if request.cluster.is_none() && request.cluster2.is_none() {
        let found = wilson(yes, n, level).map_err(|error| error.in_input("hits"))?;
        return Ok(Share {
            mean: found.mean,
            hits: yes,
            n,
            ci: Some(ShareInterval {
                method: ShareMethod::Wilson,
                level,
                low: found.low,
                high: found.high,
                clusters: None,
                clusters2: None,
                effective_n: None,
            }),
            p_value: request
                .against
                .map(|against| normal_tails(score(found.mean, against, n as f64))),
            reason: None,
        });
    } else {
        hits.iter().copied().map(f64::from).collect::<Vec<_>>()
    };
    let by = AggregateRequest {
        cluster: request.cluster,
        cluster2: request.cluster2,
        level,
        ..AggregateRequest::default()
    };
    let (sample, _) = by.estimate(&rows)?;
    let mean = sample.mean;
    let found = sample.robust("an interval of clustered rows");
    let ci = found.as_ref().ok().map(|robust| {
        let effective = effective_rows(&sample, robust.error);
        let (low, high) = score_ends(mean, effective, student_quantile(level, robust.freedom));
        ShareInterval {
            method: ShareMethod::ClusterWilson,
            level,
            low,
            high,
            clusters: Some(robust.clusters),
            clusters2: robust.clusters2,
            effective_n: Some(effective),
        }
    });
    let p_value = request.against.zip(found.as_ref().ok());
    Ok(Share {
        mean,
        hits: yes,
        n,
        p_value: p_value.map(|(against, robust)| {
            let effective = effective_rows(&sample, robust.error);
            student_tails(score(mean, against, effective), robust.freedom)
        }),
        ci,
        reason: found.err(),
    })
}

fn check_against(share: f64) -> Result<()> {
    if share > 0.0 && share < 1.0 {
        return Ok(());
    }
    let what = format!("a share of {share} to test against");
    let error = MetricsError::new(ErrorCode::BadArgument, what, "pass one between 0 and 1");
    Err(error.in_input("against"))
}

/// How many standard errors, as they are under `against`, the share lies from it.
fn score(mean: f64, against: f64, trials: f64) -> f64 {
    (mean - against) / (against * (1.0 - against) / trials).sqrt()
}

fn effective_rows(sample: &Sample, error: f64) -> f64 {
    let n = sample.gated as f64;
    let binomial = sample.mean * (1.0 - sample.mean);
    if binomial > 0.0 {
        // A variance below that of independent rows is a chance of few clusters more often than a truth.
        return (binomial / (error * error)).min(n);
    }
    let copies = |clusters: &[Deviation]| {
        let squares: f64 = clusters.iter().map(|c| c.weight * c.weight).sum();
        n * n / squares
    };
    let second = sample
        .second
        .as_ref()
        .map(|second| copies(&second.clusters));
    copies(&sample.clusters).min(second.unwrap_or(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(hits: &[u8], request: &ShareRequest<'_>) -> (f64, f64) {
        let ci = share(hits, request).expect("valid").ci.expect("clusters");
        (ci.low, ci.high)
    }

    #[test]
    fn without_clusters_it_is_wilson() {
        let found = share(&[1, 0, 1, 1, 0], &ShareRequest::default()).expect("valid");
        let want = wilson(3, 5, 0.95).expect("valid");
        let ci = found.ci.expect("rows");
        assert_eq!((ci.low, ci.high, found.mean), (want.low, want.high, 0.6));
        assert_eq!(ci.method, ShareMethod::Wilson);
    }

    /// Rows that are copies say what one of them says: as many effective rows as clusters, less the one that the variance
    /// estimate takes.
    #[test]
    fn copies_of_a_row_add_nothing() {
        let hits: Vec<u8> = (0..40).flat_map(|c| [u8::from(c % 4 == 0); 5]).collect();
        let cluster: Vec<u32> = (0..40).flat_map(|c| [c; 5]).collect();
        let request = ShareRequest {
            cluster: Some(&cluster),
            ..ShareRequest::default()
        };
        let ci = share(&hits, &request).expect("valid").ci.expect("clusters");
        assert!((ci.effective_n.expect("clusters") - 39.0).abs() < 1e-9);
        assert_eq!(ci.clusters, Some(40));
        let (low, high) = score_ends(0.25, 39.0, student_quantile(0.95, 39.0));
        assert!((ci.low - low).abs() < 1e-12 && (ci.high - high).abs() < 1e-12);
    }

    #[test]
    fn shares_of_0_and_1_count_a_cluster_once() {
        let cluster: Vec<u32> = (0..12).flat_map(|c| [c; 3]).collect();
        let request = ShareRequest {
            cluster: Some(&cluster),
            ..ShareRequest::default()
        };
        let t = student_quantile(0.95, 11.0);
        let (low, high) = ends(&[0; 36], &request);
        assert_eq!(low, 0.0);
        assert!((high - t * t / (12.0 + t * t)).abs() < 1e-12);
        let (low, high) = ends(&[1; 36], &request);
        assert_eq!(high, 1.0);
        assert!((low - 12.0 / (12.0 + t * t)).abs() < 1e-12);
    }

    #[test]
    fn it_never_claims_more_rows_than_there_are() {
        // One hit and one miss in each cluster: the share does not vary between clusters at all.
        let hits: Vec<u8> = (0..20).map(|i| i % 2).collect();
        let cluster: Vec<u32> = (0..20).map(|i| i / 2).collect();
        let request = ShareRequest {
            cluster: Some(&cluster),
            ..ShareRequest::default()
        };
        let found = share(&hits, &request).expect("valid").ci.expect("clusters");
        assert_eq!(found.effective_n, Some(20.0));
    }

    /// Of statsmodels: proportions_ztest(59, 100, 0.5, prop_var=0.5).
    #[test]
    fn the_test_is_the_one_that_the_interval_inverts() {
        let hits: Vec<u8> = (0..100).map(|i| u8::from(i < 59)).collect();
        let p = |against: f64, level: f64| {
            let request = ShareRequest {
                against: Some(against),
                level,
                ..ShareRequest::default()
            };
            share(&hits, &request).expect("valid").p_value
        };
        let found = p(0.5, 0.95).expect("rows");
        // Tails are within 1e-8, relative.
        assert!(
            (found / 0.071_860_638_225_851_68 - 1.0).abs() < 1e-8,
            "{found}"
        );
        // At the end of an interval the test is on its level, with clusters too.
        let cluster: Vec<u32> = (0..100).map(|i| i % 9).collect();
        let plain = share(&hits, &ShareRequest::default()).expect("valid");
        assert_eq!(plain.p_value, None);
        let clustered = ShareRequest {
            cluster: Some(&cluster),
            ..ShareRequest::default()
        };
        for request in [ShareRequest::default(), clustered] {
            let ci = share(&hits, &request).expect("valid").ci.expect("rows");
            for end in [ci.low, ci.high] {
                let against = Some(end);
                let found = share(&hits, &ShareRequest { against, ..request });
                let p = found.expect("valid").p_value.expect("rows");
                assert!((p / 0.05 - 1.0).abs() < 1e-8, "{p}");
            }
        }
        let none = ShareRequest {
            against: Some(1.0),
            ..ShareRequest::default()
        };
        let error = share(&hits, &none).expect_err("no share to test against");
        assert_eq!(error.code(), "bad_argument");
    }

    #[test]
    fn one_cluster_gives_no_interval() {
        let one = [0, 0, 0];
        let found = share(
            &[1, 0, 1],
            &ShareRequest {
                cluster: Some(&one),
                ..ShareRequest::default()
            },
        );
        let found = found.expect("valid");
        assert_eq!((found.ci, found.hits), (None, 2));
        assert!(found.reason.expect("why").starts_with("only 1 "));
    }

    #[test]
    fn what_is_no_hit_is_refused() {
        let code = |hits: &[u8], request: &ShareRequest<'_>| {
            share(hits, request).map_err(|e| (e.code(), e.row())).err()
        };
        let plain = ShareRequest::default();
        assert_eq!(code(&[], &plain), Some(("empty_input", None)));
        assert_eq!(code(&[0, 2], &plain), Some(("bad_argument", Some(1))));
        let short = ShareRequest {
            cluster: Some(&[0]),
            ..plain
        };
        assert_eq!(code(&[0, 1], &short), Some(("length_mismatch", None)));
        let alone = ShareRequest {
            cluster2: Some(&[0, 1]),
            ..plain
        };
        assert_eq!(code(&[0, 1], &alone), Some(("bad_argument", None)));
        assert_eq!(
            code(
                &[0, 1],
                &ShareRequest {
                    level: 1.0,
                    ..plain
                }
            ),
            Some(("bad_argument", None))
        );
    }
}
