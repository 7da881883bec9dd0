//! Philox4x32-10, the counter-based random generator of Salmon et al. 2011 ("Parallel random numbers: as easy as 1, 2, 3").
//!
//! It has no state but a counter, so that resample r of a bootstrap draws the same numbers whichever thread computes it and
//! whatever was drawn before. Sixteen counters are worked on side by side, which compilers turn into vector code.

/// Counters in a batch.
const LANES: usize = 16;

/// Random words in a batch, four a counter.
pub(crate) const BATCH: usize = 4 * LANES;

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

/// Four words at `LANES` counters: word 0 of all, word 1 of all, ...
type Words = [[u32; LANES]; 4];

fn permute(mut words: Words, mut key: [u32; 2]) -> Words {
    for _ in 0..ROUNDS {
        let mut next = [[0; LANES]; 4];
        for lane in 0..LANES {
            let a = u64::from(MULTIPLIERS[0]) * u64::from(words[0][lane]);
            let b = u64::from(MULTIPLIERS[1]) * u64::from(words[2][lane]);
            next[0][lane] = (b >> 32) as u32 ^ words[1][lane] ^ key[0];
            next[1][lane] = b as u32;
            next[2][lane] = (a >> 32) as u32 ^ words[3][lane] ^ key[1];
            next[3][lane] = a as u32;
        }
        words = next;
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    words
}

/// The random words of one stream of a seed: `2^66` of them (more than anyone draws), and no two streams share a counter.
pub(crate) struct Stream {
    key: [u32; 2],
    stream: u32,
    block: u64,
}

impl Stream {
    pub(crate) fn new(seed: u64, stream: u32) -> Self {
        Self {
            key: [seed as u32, (seed >> 32) as u32],
            stream,
            block: 0,
        }
    }

    /// The next words of the stream, uniform over all of `u32`.
    pub(crate) fn next_batch(&mut self) -> [u32; BATCH] {
        let blocks: [u64; LANES] = std::array::from_fn(|lane| self.block + lane as u64);
        let counters = [
            blocks.map(|block| block as u32),
            blocks.map(|block| (block >> 32) as u32),
            [self.stream; LANES],
            [0; LANES],
        ];
        self.block += LANES as u64;
        let words = permute(counters, self.key);
        let mut batch = [0; BATCH];
        for (word, lanes) in words.iter().enumerate() {
            batch[word * LANES..][..LANES].copy_from_slice(lanes);
        }
        batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
        permute(counter.map(|word| [word; LANES]), key).map(|lanes| lanes[LANES - 1])
    }

    /// The known answers that the authors publish with their Random123 library (`kat_vectors`, philox4x32 10).
    #[test]
    fn known_answers() {
        assert_eq!(
            at([0; 4], [0; 2]),
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
        assert_eq!(
            at([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        let pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        assert_eq!(
            at(pi, [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn batches_walk_on_and_streams_differ() {
        let mut stream = Stream::new(7, 1);
        let (first, second) = (stream.next_batch(), stream.next_batch());
        assert_ne!(first, second);
        assert_eq!(first, Stream::new(7, 1).next_batch());
        assert_ne!(first, Stream::new(7, 2).next_batch());
        assert_ne!(first, Stream::new(7 << 32, 1).next_batch());
        // Lane 0 of the second batch is counter 16.
        let counter = at([LANES as u32, 0, 1, 0], [7, 0]);
        assert_eq!(counter, [0, 1, 2, 3].map(|word| second[word * LANES]));
    }
}
