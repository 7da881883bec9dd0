/**
 * The same work done by hand: every step's logits handed to JavaScript, and its softmax, masses, entropy and top 20 taken
 * there. Once with this engine's own passes, whose rows come as Float32Arrays (the least that a binding could do), and
 * once with each other binding that is installed.
 */

import type { LocalModel } from '../../src/model/index.ts';
import { toRawMeasure, toRawRequest } from '../../src/model/llama/raw.ts';
import type { RawModel, RawObservations } from '../../src/native/engine.ts';
import type { Observations, ProbeRequest } from '../../src/observation/observation.ts';
import { someGroups } from '../groups.ts';
import { type PlainStep, plainStep, TOP_K } from '../plain.ts';
import { loud, round } from '../print.ts';
import { openPeer, type Peer } from './peer.ts';
import type { Product } from './product.ts';
import { alternate, ratio, seconds } from './rounds.ts';
import { engineOptions, type Setting, setAgainst } from './setting.ts';
import { EVERY_STEP } from './texts.ts';

const OWN_ROUNDS = 7;
/** Other bindings take seconds for a text. */
const PEER_ROUNDS = 3;

/** Largest difference of an entropy: the sums are float64 on both sides, and the passes are the same. */
const SAME_PASSES = 1e-5;
/** Another build of llama.cpp, which may have other kernels for four-bit weights. */
const OTHER_PASSES = 0.05;

export interface LoopLine {
  readonly bench: 'engine.vsLoop';
  readonly model: string;
  readonly threads: number;
  /** Who hands out the logits. */
  readonly logitsFrom: string;
  readonly rows: number;
  /** The loop's time over the engine's: quartiles over rounds. */
  readonly speedup: number;
  readonly speedupLow: number;
  readonly speedupHigh: number;
  readonly engineMsPerRow: number;
  readonly loopMsPerRow: number;
  /** Largest difference of an entropy, in nats. */
  readonly largestDifference: number;
}

export async function* vsLoop(setting: Setting): AsyncGenerator<LoopLine> {
  const { product, model, peers, threads } = setting;
  await using engine = await product.openModel(model, { ...engineOptions(setting), inProcess: true });
  yield await againstOwnLogits(setting, engine);
  if (peers === undefined) {
    loud(
      'SKIPPED: engine.vsLoop against other bindings. LOGIT_AUDIT_BENCH_PEERS (or --peers) names no folder; "node bench/peers.mjs FOLDER" makes one.',
    );
    return;
  }
  const peer = await openPeer(peers, model, threads);
  if (peer === null) {
    loud(`SKIPPED: engine.vsLoop against node-llama-cpp, which is not installed in ${peers}.`);
    return;
  }
  try {
    yield await againstPeer(setting, engine, peer);
  } finally {
    await peer.close();
  }
}

async function againstOwnLogits(setting: Setting, engine: LocalModel): Promise<LoopLine> {
  const raw = await setting.product.engineAddon().openModel(setting.model, engineOptions(setting), 'copy');
  try {
    const loop = ownLoop(setting.product, raw, EVERY_STEP, someGroups(engine.vocabSize));
    return await compare(setting, engine, EVERY_STEP, 'this engine', loop, SAME_PASSES, OWN_ROUNDS);
  } finally {
    await raw.close();
  }
}

/** One text: with some bindings a row takes a hundred times as long. */
async function againstPeer(setting: Setting, engine: LocalModel, peer: Peer): Promise<LoopLine> {
  const [request] = EVERY_STEP;
  const tokens = await engine.tokenize(request!.text);
  const groups = someGroups(engine.vocabSize);
  const loop = () => peer.everyStep(tokens, groups);
  return await compare(setting, engine, [request!], peer.name, loop, OTHER_PASSES, PEER_ROUNDS);
}

function ownLoop(
  { engineAddon }: Product,
  raw: RawModel,
  requests: readonly ProbeRequest<string>[],
  groups: readonly Int32Array[],
): () => Promise<PlainStep[]> {
  const { vocabSize } = raw.info();
  const asked = requests.map(toRawRequest);
  const measure = toRawMeasure({});
  const flag = new (engineAddon().CancelFlag)();
  return async () => {
    const { rows }: RawObservations = await raw.observe(asked, measure, flag);
    const logits = raw.takeLogits();
    return Array.from(rows.request, (_, row) =>
      plainStep(logits.subarray(row * vocabSize, (row + 1) * vocabSize), groups),
    );
  };
}

async function compare(
  setting: Setting,
  engine: LocalModel,
  requests: readonly ProbeRequest<string>[],
  logitsFrom: string,
  loop: () => Promise<PlainStep[]>,
  tolerance: number,
  roundsWanted: number,
): Promise<LoopLine> {
  const measure = { groups: someGroups(engine.vocabSize), topK: TOP_K };
  const observed = await engine.observeWindow(requests, measure);
  const difference = largestDifference(observed, await loop());
  if (!(difference <= tolerance)) {
    throw new Error(`the loop over logits from ${logitsFrom} finds other entropies (by ${difference})`);
  }
  const rounds = await alternate(
    {
      engine: async () => void (await engine.observeWindow(requests, measure)),
      loop: async () => void (await loop()),
    },
    roundsWanted,
  );
  const faster = ratio(rounds, 'loop', 'engine');
  const { rows } = observed.rows;
  return {
    bench: 'engine.vsLoop',
    ...setAgainst(setting),
    logitsFrom,
    rows,
    speedup: round(faster.median),
    speedupLow: round(faster.low),
    speedupHigh: round(faster.high),
    engineMsPerRow: round((1000 * seconds(rounds, 'engine').median) / rows),
    loopMsPerRow: round((1000 * seconds(rounds, 'loop').median) / rows),
    largestDifference: round(difference),
  };
}

/** Rows come in order of request here and in order of decoding there: what is compared is what all rows together have. */
function largestDifference({ rows }: Observations, steps: readonly PlainStep[]): number {
  if (rows.rows !== steps.length) return Number.POSITIVE_INFINITY;
  const here = rows.entropy.toSorted();
  const there = Float64Array.from(steps, ({ entropy }) => entropy).sort();
  return here.reduce((largest, entropy, row) => Math.max(largest, Math.abs(entropy - there[row]!)), 0);
}
