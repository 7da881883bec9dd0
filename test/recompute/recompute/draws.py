"""The bootstrap's draws, as docs/design/statistics.md defines them (The generator): Philox4x32-10 and Lemire's bounded numbers."""

from functools import lru_cache

import numpy as np

MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
WEYL = (0x9E3779B9, 0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
BLOCKS = 16
SECOND_WAY = 1 << 63


def philox(counter, key):
    """Four words (arrays of 32 bits in 64) at a counter of four words, under a key of two (Salmon et al. 2011)."""
    c = [np.asarray(word, dtype=np.uint64) for word in counter]
    k = list(key)
    for _ in range(10):
        a, b = MULTIPLIERS[0] * c[0], MULTIPLIERS[1] * c[2]
        c = [
            (b >> HALF) ^ c[1] ^ np.uint64(k[0]),
            b & LOW,
            (a >> HALF) ^ c[3] ^ np.uint64(k[1]),
            a & LOW,
        ]
        k = [(word + step) & 0xFFFFFFFF for word, step in zip(k, WEYL)]
    return c


def words(seed, resamples, batch):
    """Words of one batch of every resample: resamples x 64."""
    block = np.arange(batch * BLOCKS, (batch + 1) * BLOCKS, dtype=np.uint64)[None, :]
    stream = np.arange(resamples, dtype=np.uint64)[:, None]
    zero = np.zeros((resamples, BLOCKS), dtype=np.uint64)
    found = philox(
        [zero + (block & LOW), zero + (block >> HALF), zero + stream, zero],
        [seed & 0xFFFFFFFF, seed >> 32],
    )
    return np.concatenate(found, axis=1)


@lru_cache(maxsize=64)
def counts(clusters, resamples, seed):
    """How often each resample drew each cluster: resamples x clusters."""
    threshold = np.uint64(2**32 % clusters)
    taken = np.zeros(resamples, dtype=np.int64)
    found = np.zeros((resamples, clusters))
    batch = 0
    while (taken < clusters).any():
        product = words(seed, resamples, batch) * np.uint64(clusters)
        batch += 1
        good = (product & LOW) >= threshold
        place = np.cumsum(good, axis=1) + taken[:, None]
        use = good & (place <= clusters)
        rows, _ = np.nonzero(use)
        np.add.at(found, (rows, (product >> HALF)[use].astype(np.int64)), 1)
        taken = np.minimum(place[:, -1], clusters)
    return found
