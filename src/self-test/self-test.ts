/**
 * Does this build compute right, on this machine? A small model in each weight type that people use is decoded by the
 * engine and held against float64: all next-token distributions of a text of 64 tokens (products of matrices: AMX,
 * repacked weights, a device's kernels) and of one token (products of a matrix and a vector). Each type has a process
 * of its own, so one that crashes is a result and ends nothing else.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { toAuditError } from '../errors.ts';
import { writeAtomic, writeError } from '../files/atomic.ts';
import { engineSystem, type LocalModel, openModel } from '../model/index.ts';
import { logProbabilities } from './forward.ts';
import { buildTestModel, CONTEXT, randomIds, textOf, VOCABULARY } from './model.ts';
import { type Expected, judge, type Verdict } from './verdict.ts';
import { SHORT_FORM, WEIGHT_TYPES } from './weight-types.ts';

export interface SelfTestOptions {
  /** One type of each kind of kernel, on the CPU, in one mode: a second or two. Default false. */
  readonly short?: boolean;
  /** Names of weight types; default: all. */
  readonly types?: readonly string[];
  readonly signal?: AbortSignal;
  /** Called with each result as it comes. */
  readonly onResult?: (result: SelfTestResult) => void;
  /** Opens a model file; default `openModel`, with which each file is decoded in a process of its own. */
  readonly open?: typeof openModel;
}

/** What one weight type gave on one device in one mode. */
export interface SelfTestResult {
  readonly device: string;
  readonly mode: 'exact' | 'fast';
  /** Weight type, by llama.cpp's name. */
  readonly type: string;
  readonly ok: boolean;
  /** Root mean square of log-probabilities less those in float64, in nats; null where nothing was computed. */
  readonly difference: number | null;
  /** What the type's own rounding explains of it, in nats. */
  readonly allowed: number | null;
  /** Why it is not ok, and what to do; null where it is. */
  readonly reason: string | null;
}

/** Tokens of the text: more than two tiles of 32, and not a multiple, so that every kernel for matrices is used. */
const TOKENS = 71;
const IDS = randomIds(TOKENS);

/** Sums of 512 float32 products, and what comes of them: below 3e-6 nats where it was measured. */
const FLOAT32_NATS = 2e-5;
/** Accelerators multiply float16 and float32 weights in half precision, with sums of 11 bits. */
const HALF_PRECISION_NATS = 0.05;

/** Runs the test and gives a result for each device, mode and weight type. Throws where the engine does not load. */
export async function runSelfTest({
  short = false,
  types,
  signal,
  onResult,
  open = openModel,
}: SelfTestOptions = {}): Promise<SelfTestResult[]> {
  const wanted = types ?? (short ? SHORT_FORM : WEIGHT_TYPES.map(({ name }) => name));
  const devices = short ? ['cpu'] : devicesHere();
  const stem = path.join(os.tmpdir(), 'logit-audit-self-test-');
  const folder = await mkdtemp(stem).catch((cause) => {
    throw writeError(stem, cause);
  });
  const results: SelfTestResult[] = [];
  try {
    for (const type of WEIGHT_TYPES.filter(({ name }) => wanted.includes(name))) {
      const { bytes, weights } = buildTestModel(type);
      const file = path.join(folder, `${type.name}.gguf`);
      await writeAtomic(file, [bytes]);
      const expected = {
        logProbs: logProbabilities(weights, IDS, 'none'),
        rounded: logProbabilities(weights, IDS, type.activations),
      };
      for (const device of devices) {
        for (const mode of short ? (['fast'] as const) : (['fast', 'exact'] as const)) {
          signal?.throwIfAborted();
          const result = await tryType(file, expected, { device, mode, type: type.name }, open);
          results.push(result);
          onResult?.(result);
        }
      }
      await rm(file);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}

/** The CPU, and every accelerator by its name. */
function devicesHere(): string[] {
  const others = engineSystem().devices.filter(({ kind }) => kind === 'gpu' || kind === 'igpu');
  return ['cpu', ...others.map(({ name }) => name)];
}

/** The text, and its first token alone: nothing that comes later changes what stands after it. */
const TEXTS = [IDS, IDS.slice(0, 1)];

async function tryType(
  file: string,
  expected: Expected,
  tried: Pick<SelfTestResult, 'device' | 'mode' | 'type'>,
  open: typeof openModel,
): Promise<SelfTestResult> {
  const { device, mode, type } = tried;
  const plain = device === 'cpu' ? FLOAT32_NATS : HALF_PRECISION_NATS;
  const advice =
    'models with such weights give no right number here: build with another compiler (CC, CXX) or run on another device';
  try {
    await using model = await open(file, { device, mode, contextLength: CONTEXT });
    let verdict: Verdict | null = null;
    // One after the other: decoded together, the one token would be part of a product of matrices.
    for (const ids of TEXTS) {
      const logProbs = expected.logProbs.subarray(0, ids.length * VOCABULARY);
      const rounded = expected.rounded.subarray(0, ids.length * VOCABULARY);
      verdict = judge(await measure(model, ids), { logProbs, rounded }, plain);
      if (!verdict.ok) {
        const what = ids.length === 1 ? 'one token alone' : `a text of ${ids.length} tokens`;
        const { difference, allowed, largest, largestAllowed } = verdict;
        const reason = `${type} is computed wrongly for ${what}: log-probabilities are off by ${nats(difference)} (rounding explains ${nats(allowed)}), one by ${nats(largest)} (${nats(largestAllowed)}); ${advice}`;
        return { ...tried, ok: false, difference, allowed, reason };
      }
    }
    return { ...tried, ok: true, difference: verdict!.difference, allowed: verdict!.allowed, reason: null };
  } catch (thrown) {
    const reason = `${type} is not computed: ${toAuditError(thrown).message}; ${advice}`;
    return { ...tried, ok: false, difference: null, allowed: null, reason };
  }
}

const nats = (value: number) => `${value.toPrecision(2)} nats`;

/** ln p of every token after each of these, tokens x VOCABULARY, row-major. */
async function measure(model: LocalModel, ids: readonly number[]): Promise<Float64Array> {
  const out = new Float64Array(ids.length * VOCABULARY).fill(Number.NaN);
  const requests = [{ kind: 'probe', text: textOf(ids), positions: 'all' }] as const;
  for await (const { rows, failures } of model.observe(requests, { topK: VOCABULARY })) {
    const [failure] = failures;
    if (failure) throw new Error(failure.message);
    for (const [i, id] of rows.topKIds.entries()) {
      out[Math.floor(i / VOCABULARY) * VOCABULARY + id] = Math.log(rows.topKProbs[i]!);
    }
  }
  return out;
}
