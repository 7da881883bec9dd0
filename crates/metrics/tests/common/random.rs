//! Random rows of logits.

/// Numbers in [0, 1) from a linear congruential generator: the same on every machine.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// In [-0.5, 0.5).
    pub fn half(&mut self) -> f32 {
        self.next() - 0.5
    }

    /// Logits `spread` wide around `offset`, a part of them masked, but never the middle one.
    pub fn row(&mut self, len: usize, spread: f32, offset: f32, masked: f32) -> Vec<f32> {
        let mut z: Vec<f32> = (0..len)
            .map(|_| {
                let logit = offset + spread * (self.next() - 0.5);
                if self.next() < masked {
                    f32::NEG_INFINITY
                } else {
                    logit
                }
            })
            .collect();
        z[len / 2] = offset;
        z
    }
}
