/**
 * What other processes cost that keep every core busy: the same texts in mode exact on one thread, on all cores, and on as
 * many as a trial chose, first alone and then beside one spinning process for each core.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import type { EngineOptions } from '../../src/native/engine.ts';
import { round } from '../print.ts';
import { alternate, ratio } from './rounds.ts';
import { engineOptions, type Setting, setAgainst } from './setting.ts';
import { EVERY_STEP } from './texts.ts';

const ROUNDS = 3;
/** Spinning processes end by themselves after this time, whatever becomes of the benchmark. */
const LONGEST_LOAD_MS = 300_000;

export interface BusyLine {
  readonly bench: 'engine.busy';
  readonly model: string;
  /** Cores that the threads of "all" are for. */
  readonly threads: number;
  /** Processes that spin beside it. */
  readonly spinning: number;
  /** Of the time of one thread: medians over rounds. */
  readonly allRatio: number;
  readonly trialRatio: number;
  /** The same for a model that was opened while nothing else ran, from its second round on. */
  readonly earlierRatio: number;
  /** What the trial measured and chose. */
  readonly chosen: string;
  readonly earlier: string;
}

export async function* busy(setting: Setting): AsyncGenerator<BusyLine> {
  const { product, model } = setting;
  // It would take the place of the trial.
  delete process.env.LOGIT_AUDIT_THREADS;
  const { threads: _, ...options } = engineOptions(setting);
  const open = async (own: EngineOptions) =>
    new product.LocalModel([await product.openInProcess(model, { ...options, mode: 'exact', ...own })]);
  await using one = await open({ threads: 1 });
  await using all = await open({ threads: setting.threads });
  await using earlier = await open({});
  for (const spinning of [0, os.availableParallelism()]) {
    const load = spin(spinning);
    try {
      await using tried = await open({});
      const window = (of: typeof one) => async () => void (await of.observeWindow(EVERY_STEP, { topK: 5 }));
      const contenders = {
        one: window(one),
        all: window(all),
        tried: window(tried),
        earlier: window(earlier),
      };
      // So long that a model which became slow has had the occasion to notice.
      for (const contender of Object.values(contenders)) await contender();
      const rounds = await alternate(contenders, ROUNDS);
      yield {
        bench: 'engine.busy',
        ...setAgainst(setting),
        spinning,
        allRatio: round(ratio(rounds, 'all', 'one').median),
        trialRatio: round(ratio(rounds, 'tried', 'one').median),
        earlierRatio: round(ratio(rounds, 'earlier', 'one').median),
        chosen: tried.threads.map(product.describeThreads).join('; '),
        earlier: earlier.threads.map(product.describeThreads).join('; '),
      };
    } finally {
      await Promise.all(load.map(ended));
    }
  }
}

function spin(processes: number): ChildProcess[] {
  const script = `const end = Date.now() + ${LONGEST_LOAD_MS}; while (Date.now() < end);`;
  return Array.from({ length: processes }, () =>
    spawn(process.execPath, ['-e', script], { stdio: 'ignore' }),
  );
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
