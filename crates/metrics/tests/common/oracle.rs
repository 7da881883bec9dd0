//! A second opinion: the definitions, written down as they read, in `f64`, sharing no code with the crate.

/// A sum that carries along what each addition rounds away, so that long rows lose nothing here.
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0f64, 0.0f64);
    for value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() {
            (total - next) + value
        } else {
            (value - next) + total
        };
        total = next;
    }
    total + lost
}

/// softmax(z); `-inf` gives 0.
pub fn softmax(z: &[f32]) -> Vec<f64> {
    let max = f64::from(z.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let weights: Vec<f64> = z.iter().map(|&x| (f64::from(x) - max).exp()).collect();
    let total = sum(weights.iter().copied());
    weights.iter().map(|weight| weight / total).collect()
}

pub fn logsumexp(z: &[f32]) -> f64 {
    let max = f64::from(z.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    max + sum(z.iter().map(|&x| (f64::from(x) - max).exp())).ln()
}

/// `-sum p ln p` with `0 ln 0 = 0`.
pub fn entropy(p: &[f64]) -> f64 {
    -sum(p.iter().filter(|&&p| p > 0.0).map(|p| p * p.ln()))
}

/// Ids sorted by logit, the largest first, and by id.
pub fn ranking(z: &[f32]) -> Vec<i32> {
    let mut ids: Vec<i32> = (0..z.len() as i32).collect();
    ids.sort_by(|&i, &j| {
        let (x, y) = (f64::from(z[i as usize]), f64::from(z[j as usize]));
        y.partial_cmp(&x).expect("no NaN").then(i.cmp(&j))
    });
    ids
}

/// KL(p||q), infinite when q is 0 where p is not.
pub fn kl(p: &[f64], q: &[f64]) -> f64 {
    let terms = p.iter().zip(q).filter(|(&p, _)| p > 0.0);
    terms.map(|(p, q)| p * (p / q).ln()).sum()
}

/// The terms of the Jensen-Shannon divergence, one a token.
pub fn jsd_terms(p: &[f64], q: &[f64]) -> Vec<f64> {
    let half = |p: f64, m: f64| if p > 0.0 { 0.5 * p * (p / m).ln() } else { 0.0 };
    let term = |(&p, &q): (&f64, &f64)| half(p, (p + q) / 2.0) + half(q, (p + q) / 2.0);
    p.iter().zip(q).map(term).collect()
}

pub fn total_variation(p: &[f64], q: &[f64]) -> f64 {
    0.5 * p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum::<f64>()
}

/// `[union size, partial, lower, upper]` of the top-K form.
pub fn top_k_form(a: &[f32], b: &[f32], k: usize) -> [f64; 4] {
    let (p, q) = (softmax(a), softmax(b));
    let mut inside = vec![false; a.len()];
    for ids in [ranking(a), ranking(b)] {
        ids.iter()
            .take(k)
            .for_each(|&id| inside[id as usize] = true);
    }
    let sum = |values: &[f64], wanted: bool| -> f64 {
        let chosen = values.iter().zip(&inside).filter(|(_, &i)| i == wanted);
        chosen.map(|(value, _)| value).sum()
    };
    let partial = sum(&jsd_terms(&p, &q), true);
    let (rest_p, rest_q) = (sum(&p, false), sum(&q, false));
    let lumped = jsd_terms(&[rest_p], &[rest_q])[0];
    let size = inside.iter().filter(|&&i| i).count() as f64;
    let upper = partial + (rest_p + rest_q) / 2.0 * std::f64::consts::LN_2;
    [size, partial, partial + lumped, upper]
}
