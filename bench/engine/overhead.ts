/**
 * What the metrics cost next to what inference costs: every step of a few texts, with three groups and the top 20, against
 * the same requests on a model that computes the same logits and throws them away. Both run in this process; a third
 * contender runs in a process of its own, as models do by default.
 */
import type { Observations } from '../../src/observation/observation.ts';
import { someGroups } from '../groups.ts';
import { TOP_K } from '../plain.ts';
import { round } from '../print.ts';
import { alternate, ratio, seconds } from './rounds.ts';
import { engineOptions, type Setting, setAgainst } from './setting.ts';
import { EVERY_STEP } from './texts.ts';

const ROUNDS = 11;

export interface OverheadLine {
  readonly bench: 'engine.overhead';
  readonly model: string;
  readonly threads: number;
  readonly vocab: number;
  /** Who reduced the rows. */
  readonly metricsImpl: string;
  /** Rows of logits, each a decoded token. */
  readonly rows: number;
  /** Decode and metrics over decode alone: quartiles over rounds. */
  readonly ratio: number;
  readonly ratioLow: number;
  readonly ratioHigh: number;
  /** A process of its own over this one, metrics in both. */
  readonly workerRatio: number;
  readonly rowsPerSecond: number;
}

export async function overhead(setting: Setting): Promise<OverheadLine> {
  const { product, model } = setting;
  const options = engineOptions(setting);
  const open = async (reducer: 'cpu' | 'discard') =>
    new product.LocalModel([await product.openInProcess(model, options, reducer)]);
  await using measuring = await open('cpu');
  await using discarding = await open('discard');
  await using apart = await product.openModel(model, options);
  const measure = { groups: someGroups(measuring.vocabSize), topK: TOP_K };

  const contenders = {
    metrics: () => measuring.observeWindow(EVERY_STEP, measure),
    // Not even columns for what is not computed: all that the metrics bring counts as theirs.
    decode: () => discarding.observeWindow(EVERY_STEP, {}),
    worker: () => apart.observeWindow(EVERY_STEP, measure),
  };
  const measured = await contenders.metrics();
  checkAlike(measured, await contenders.decode(), false);
  checkAlike(measured, await contenders.worker(), true);

  const rounds = await alternate(
    {
      metrics: async () => void (await contenders.metrics()),
      decode: async () => void (await contenders.decode()),
      worker: async () => void (await contenders.worker()),
    },
    ROUNDS,
  );
  const overDecode = ratio(rounds, 'metrics', 'decode');
  return {
    bench: 'engine.overhead',
    ...setAgainst(setting),
    vocab: measuring.vocabSize,
    metricsImpl: measuring.info.metricsImpl,
    rows: measured.rows.rows,
    ratio: fine(overDecode.median),
    ratioLow: fine(overDecode.low),
    ratioHigh: fine(overDecode.high),
    workerRatio: fine(ratio(rounds, 'worker', 'metrics').median),
    rowsPerSecond: round(measured.rows.rows / seconds(rounds, 'metrics').median),
  };
}

/** The same work up to the numbers, and numbers where there are to be some: else the ratio would compare nothing. */
function checkAlike(measured: Observations, other: Observations, numbers: boolean): void {
  const alike =
    measured.failures.length + other.failures.length === 0 &&
    measured.decodedTokens === other.decodedTokens &&
    measured.rows.rows === other.rows.rows &&
    other.rows.entropy.every((entropy) => Number.isFinite(entropy) === numbers);
  if (!alike) throw new Error('the contenders do not do the same work');
}

/** Ratios next to 1, of which the third digit counts. */
function fine(value: number): number {
  return Number(value.toFixed(3));
}
