/** The columns of a window in which nothing was observed, for models that fill in a few of them. */
import type { Observations } from './observation.ts';

/** A window in which no distribution was looked at. */
export function nothing(): Omit<Observations, 'requests' | 'scores' | 'generations' | 'asked' | 'failures'> {
  const none = () => new Uint32Array(0);
  const noNumbers = () => new Float64Array(0);
  return {
    firstRequest: 0,
    rows: {
      rows: 0,
      request: none(),
      side: none(),
      position: none(),
      logsumexp: noNumbers(),
      entropy: noNumbers(),
      masses: noNumbers(),
      topKIds: new Int32Array(0),
      topKProbs: noNumbers(),
    },
    pairs: {
      pairs: 0,
      request: none(),
      row: none(),
      rowSwap: none(),
      jsd: noNumbers(),
      klPQ: noNumbers(),
      klQP: noNumbers(),
      totalVariation: noNumbers(),
      topK: [],
    },
    targets: {
      targets: 0,
      request: none(),
      side: none(),
      position: none(),
      token: new Int32Array(0),
      logProb: noNumbers(),
      rank: none(),
    },
    followed: {
      generations: 0,
      request: none(),
      texts: [],
      finish: [],
      logProb: noNumbers(),
      ids: new Int32Array(0),
      offsets: new Uint32Array(1),
    },
    embeddings: { embeddings: 0, dimensions: 0, request: none(), values: new Float32Array(0) },
    sequences: {
      sequences: 0,
      request: none(),
      side: none(),
      backedOff: new Uint8Array(0),
      ids: new Int32Array(0),
      offsets: new Uint32Array(1),
    },
    decodedTokens: 0,
    naiveTokens: 0,
  };
}
