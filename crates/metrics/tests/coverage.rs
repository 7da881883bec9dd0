//! Do intervals hold what they promise? A 95 % interval must cover the truth in 93 to 97 % of 2,000 seeded experiments, whose
//! truth is known by construction.

use metrics::{
    aggregate, bootstrap_ratios, correlation, percentile_interval, wilson, AggregateRequest,
    BootstrapKind, BootstrapRequest, CiMethod, CorrelationMethod, CorrelationRequest, RatioRequest,
    DEFAULT_LEVEL,
};

const EXPERIMENTS: usize = 2000;

/// Five standard errors of a share of 95 % in 2,000, less a third of a point for how far small samples may be off.
const COVERED: std::ops::RangeInclusive<f64> = 0.93..=0.97;

/// SplitMix64: a generator of its own, so that data and resamples have nothing in common.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In (0, 1).
    fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn exponential(&mut self) -> f64 {
        -self.uniform().ln()
    }

    /// Box and Muller.
    fn normal(&mut self) -> f64 {
        (2.0 * self.exponential()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Prompts of 1 to 9 gated steps, whose steps share a part: values, gates and clusters. The true mean is that of `shared`.
fn prompts(
    random: &mut Random,
    clusters: u32,
    shared: impl Fn(&mut Random) -> f64,
) -> (Vec<f64>, Vec<u8>, Vec<u32>) {
    let (mut values, mut gate, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    for cluster in 0..clusters {
        let common = shared(random);
        let gated = 1 + random.bits() % 9;
        for step in 0..gated + 2 {
            values.push(if step < gated {
                common + 0.5 * random.normal()
            } else {
                f64::NAN
            });
            gate.push(u8::from(step < gated));
            ids.push(cluster);
        }
    }
    (values, gate, ids)
}

fn covered(
    seed: u64,
    clusters: u32,
    request: &AggregateRequest<'_>,
    truth: f64,
    shared: impl Fn(&mut Random) -> f64,
) -> f64 {
    let mut random = Random(seed);
    let hits = (0..EXPERIMENTS).filter(|&experiment| {
        let (values, gate, ids) = prompts(&mut random, clusters, &shared);
        let request = AggregateRequest {
            gate: Some(&gate),
            cluster: Some(&ids),
            bootstrap: BootstrapRequest {
                seed: experiment as u64,
                ..request.bootstrap
            },
            ..*request
        };
        let found = aggregate(&values, &request).expect("valid");
        let interval = found.ci.expect("many clusters");
        (interval.low..=interval.high).contains(&truth)
    });
    let share = hits.count() as f64 / EXPERIMENTS as f64;
    println!("{:?} of {clusters} clusters: {share}", request.ci);
    share
}

#[test]
fn cluster_intervals() {
    let request = AggregateRequest::default();
    for (clusters, seed) in [(20, 1), (60, 2)] {
        let share = covered(seed, clusters, &request, 0.3, |r| 0.3 + 0.4 * r.normal());
        assert!(COVERED.contains(&share), "{clusters} clusters: {share}");
    }
}

/// The reason that clusters are the default: steps of one prompt taken as independent promise far too much.
#[test]
fn normal_intervals_fail_on_dependent_steps() {
    let request = AggregateRequest {
        ci: CiMethod::Normal,
        ..AggregateRequest::default()
    };
    let share = covered(3, 60, &request, 0.3, |r| 0.3 + 0.4 * r.normal());
    assert!(share < 0.85, "{share}");
}

#[test]
fn bca_intervals_of_skewed_values() {
    let request = AggregateRequest {
        ci: CiMethod::Bootstrap,
        bootstrap: BootstrapRequest {
            kind: BootstrapKind::Bca,
            resamples: 999,
            ..BootstrapRequest::default()
        },
        ..AggregateRequest::default()
    };
    let share = covered(4, 80, &request, 0.5, |r| 0.5 * r.exponential());
    assert!(COVERED.contains(&share), "{share}");
}

#[test]
fn percentile_intervals() {
    let request = AggregateRequest {
        ci: CiMethod::Bootstrap,
        bootstrap: BootstrapRequest {
            kind: BootstrapKind::Percentile,
            resamples: 999,
            ..BootstrapRequest::default()
        },
        ..AggregateRequest::default()
    };
    let share = covered(5, 80, &request, 0.3, |r| 0.3 + 0.4 * r.normal());
    assert!(COVERED.contains(&share), "{share}");
}

#[test]
fn wilson_intervals() {
    let mut random = Random(6);
    // The true proportion is drawn too: at a fixed one, coverage jumps with n (Brown, Cai and DasGupta 2001).
    let hits = (0..EXPERIMENTS).filter(|_| {
        let truth = 0.05 + 0.9 * random.uniform();
        let n = 30 + random.bits() % 200;
        let successes = (0..n).filter(|_| random.uniform() < truth).count() as u64;
        let found = wilson(successes, n, DEFAULT_LEVEL).expect("a proportion");
        (found.low..=found.high).contains(&truth)
    });
    let share = hits.count() as f64 / EXPERIMENTS as f64;
    println!("Wilson: {share}");
    assert!(COVERED.contains(&share), "{share}");
}

/// Pairs of normal values with a true correlation; that of their ranks is 6/pi asin(r/2).
#[test]
fn correlation_intervals() {
    for (method, pairs, seed) in [
        (CorrelationMethod::Pearson, 12, 7),
        (CorrelationMethod::Pearson, 60, 8),
        (CorrelationMethod::Spearman, 30, 9),
    ] {
        let request = CorrelationRequest {
            method,
            ..CorrelationRequest::default()
        };
        let mut random = Random(seed);
        let hits = (0..EXPERIMENTS).filter(|_| {
            let r = 1.8 * random.uniform() - 0.9;
            let truth = match method {
                CorrelationMethod::Pearson => r,
                CorrelationMethod::Spearman => 6.0 / std::f64::consts::PI * (r / 2.0).asin(),
            };
            let pair = |random: &mut Random| {
                let x = random.normal();
                (x, r * x + (1.0 - r * r).sqrt() * random.normal())
            };
            let (x, y): (Vec<f64>, Vec<f64>) = (0..pairs).map(|_| pair(&mut random)).unzip();
            let found = correlation(&x, &y, &request).expect("valid").ci;
            let interval = found.expect("many pairs, and no line");
            (interval.low..=interval.high).contains(&truth)
        });
        let share = hits.count() as f64 / EXPERIMENTS as f64;
        println!("{method:?} of {pairs} pairs: {share}");
        assert!(COVERED.contains(&share), "{method:?} of {pairs}: {share}");
    }
}

/// A product of two gated means of the same prompts, which go together.
#[test]
fn percentile_intervals_of_a_product_of_ratios() {
    let mut random = Random(10);
    let hits = (0..EXPERIMENTS).filter(|&experiment| {
        let (mut above, mut below, mut ids) = (Vec::new(), Vec::new(), Vec::new());
        for cluster in 0..80 {
            let common = random.normal();
            for _ in 0..1 + random.bits() % 9 {
                above.extend([2.0 + common + random.normal(), 1.0 + 0.4 * common]);
                below.extend([1.0, 1.0]);
                ids.push(cluster);
            }
        }
        let request = RatioRequest {
            columns: 2,
            cluster: Some(&ids),
            cluster2: None,
            resamples: 999,
            seed: experiment as u64,
            threads: Some(1),
        };
        let found = bootstrap_ratios(&above, &below, &request).expect("valid");
        let resampled = found.resampled.expect("many clusters");
        let products: Vec<f64> = resampled.chunks(2).map(|r| r[0] * r[1]).collect();
        let found = percentile_interval(&products, DEFAULT_LEVEL).expect("valid");
        let interval = found.ci.expect("all resamples");
        (interval.low..=interval.high).contains(&2.0)
    });
    let share = hits.count() as f64 / EXPERIMENTS as f64;
    println!("a product of ratios: {share}");
    assert!(COVERED.contains(&share), "{share}");
}
