//! What the benchmarks measure against: a plain read of the same memory, and the loops that native tools have.
//!
//! Built with the feature `bench` only. The loops are written as C programs write them: one pass for the maximum, one for
//! the sum of `expf` in a double, then one for each metric. The compiler vectorises them as far as it may, which is
//! where no call of the C library stands in the way, as in C.

use napi::bindgen_prelude::{Float32Array, Int32Array};

/// Floats added side by side: enough for every register of the widest machine.
const LANES: usize = 128;

/// The fastest plain sum of memory on one thread, or on several.
#[napi]
pub fn bench_read(memory: Float32Array, threads: u32) -> f64 {
    let share = memory.len().div_ceil(threads.max(1) as usize).max(1);
    std::thread::scope(|scope| {
        let mut parts = memory.chunks(share);
        let own = parts.next().unwrap_or(&[]);
        let others: Vec<_> = parts.map(|part| scope.spawn(|| read(part))).collect();
        others
            .into_iter()
            .map(|other| other.join().unwrap_or(f64::NAN))
            .fold(read(own), |total, part| total + part)
    })
}

fn read(memory: &[f32]) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the CPU has AVX-512.
        return unsafe { read_avx512(memory) };
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        return unsafe { read_avx2(memory) };
    }
    read_lanes(memory)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn read_avx512(memory: &[f32]) -> f64 {
    read_lanes(memory)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn read_avx2(memory: &[f32]) -> f64 {
    read_lanes(memory)
}

#[inline(always)]
fn read_lanes(memory: &[f32]) -> f64 {
    let mut sums = [0f32; LANES];
    let blocks = memory.chunks_exact(LANES);
    let rest: f32 = blocks.remainder().iter().sum();
    for block in blocks {
        for (sum, x) in sums.iter_mut().zip(block) {
            *sum += x;
        }
    }
    f64::from(rest + sums.iter().sum::<f32>())
}

/// logsumexp, entropy, group masses, log-probability and rank of a target, top 20 of each row, as plain loops.
#[napi]
pub fn bench_scalar_rows(logits: Float32Array, vocab: u32, ids: Int32Array, target: u32) -> f64 {
    let rows = logits.chunks_exact(vocab as usize);
    rows.map(|z| scalar_row(z, &ids, target as usize)).sum()
}

fn scalar_row(z: &[f32], ids: &[i32], target: usize) -> f64 {
    let (max, sum) = max_and_sum(z);
    let logsumexp = f64::from(max) + sum.ln();
    let mut entropy = 0.0;
    for &x in z {
        let p = f64::from((x - max).exp()) / sum;
        entropy -= p * (f64::from(x) - logsumexp);
    }
    let mut mass = 0.0;
    for &id in ids {
        mass += f64::from((z[id as usize] - max).exp()) / sum;
    }
    let mut rank = 1;
    for &x in z {
        rank += u32::from(x > z[target]);
    }
    let logprob = f64::from(z[target]) - logsumexp;
    let mut top = [(f32::NEG_INFINITY, 0); 20];
    for (id, &x) in z.iter().enumerate() {
        if x > top[19].0 {
            let mut place = 19;
            while place > 0 && x > top[place - 1].0 {
                top[place] = top[place - 1];
                place -= 1;
            }
            top[place] = (x, id);
        }
    }
    entropy + mass + f64::from(rank) + logprob + top[19].1 as f64
}

fn max_and_sum(z: &[f32]) -> (f32, f64) {
    let mut max = f32::NEG_INFINITY;
    for &x in z {
        if x > max {
            max = x;
        }
    }
    let mut sum = 0.0;
    for &x in z {
        sum += f64::from((x - max).exp());
    }
    (max, sum)
}

/// JSD, KL both ways and total variation of each pair of rows, as plain loops: no top K, which favours them.
#[napi]
pub fn bench_scalar_pairs(a: Float32Array, b: Float32Array, vocab: u32) -> f64 {
    let vocab = vocab as usize;
    let pairs = a.chunks_exact(vocab).zip(b.chunks_exact(vocab));
    pairs.map(|(a, b)| scalar_pair(a, b)).sum()
}

fn scalar_pair(a: &[f32], b: &[f32]) -> f64 {
    let ((max_a, sum_a), (max_b, sum_b)) = (max_and_sum(a), max_and_sum(b));
    let (mut jsd, mut kl_pq, mut kl_qp, mut distance) = (0.0, 0.0, 0.0, 0.0);
    for (&x, &y) in a.iter().zip(b) {
        let p = (x - max_a).exp() / sum_a as f32;
        let q = (y - max_b).exp() / sum_b as f32;
        let m = 0.5 * (p + q);
        jsd += f64::from(0.5 * (p * (p / m).ln() + q * (q / m).ln()));
        kl_pq += f64::from(p * (p / q).ln());
        kl_qp += f64::from(q * (q / p).ln());
        distance += f64::from((p - q).abs());
    }
    jsd + kl_pq + kl_qp + 0.5 * distance
}
