/** The number of CPU threads: who chooses it, what is recorded, and that no number depends on it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeThreads, openModel, type ThreadChoice } from '../../src/model/index.ts';
import { engineSystem } from '../../src/model/llama/engine.ts';
import { plantedFiles } from '../e2e/planted.ts';

const TEXTS = ['The nurse said that', 'The engineer said that', 'The nurse said that she'];
const REQUESTS = TEXTS.map((text) => ({ kind: 'probe' as const, text, positions: 'all' as const }));

const choice = (more: Partial<ThreadChoice>): ThreadChoice => ({
  threads: 2,
  cores: 2,
  by: 'trial',
  trial: [
    { threads: 1, tokensPerSecond: 310.2 },
    { threads: 2, tokensPerSecond: 5500 },
  ],
  trialSeconds: 0.06,
  retrials: 0,
  changes: 0,
  ...more,
});

describe('the number of threads', () => {
  let before: string | undefined;
  beforeEach(() => {
    before = process.env.LOGIT_AUDIT_THREADS;
    delete process.env.LOGIT_AUDIT_THREADS;
  });
  afterEach(() => {
    if (before === undefined) delete process.env.LOGIT_AUDIT_THREADS;
    else process.env.LOGIT_AUDIT_THREADS = before;
  });

  it.each([false, true])(
    'is what is asked, else the variable, else a trial; in process: %s',
    async (inProcess) => {
      const { model } = await plantedFiles();
      const opened = async (options: { threads?: number }) => {
        await using one = await openModel(model, { device: 'cpu', inProcess, ...options });
        return one.threads;
      };
      const { cores } = engineSystem();
      const none = { cores, trial: [], trialSeconds: 0, retrials: 0, changes: 0 };
      process.env.LOGIT_AUDIT_THREADS = '1';
      expect(await opened({ threads: 2 })).toEqual([{ ...none, threads: 2, by: 'option' }]);
      expect(await opened({})).toEqual([{ ...none, threads: 1, by: 'environment' }]);
      delete process.env.LOGIT_AUDIT_THREADS;
      const [tried] = await opened({});
      expect(tried!.by).toBe(cores === 1 ? 'one_core' : 'trial');
      const candidates = cores === 1 ? [] : [...new Set([1, Math.max(1, Math.floor(cores / 2)), cores])];
      expect(tried!.trial.map(({ threads }) => threads)).toEqual(candidates);
      if (cores > 1) expect(candidates).toContain(tried!.threads);
    },
  );

  it('that a trial chooses changes no bit in either mode', async () => {
    const { model } = await plantedFiles();
    for (const mode of ['exact', 'fast'] as const) {
      const rows = async (threads?: number) => {
        await using one = await openModel(model, { device: 'cpu', mode, ...(threads && { threads }) });
        return (await one.observeWindow(REQUESTS, { topK: 3 })).rows;
      };
      const asked = await rows(1);
      expect(await rows()).toEqual(asked);
      expect(await rows(2)).toEqual(asked);
    }
  });

  it.each([0, 1025, 1.5])('cannot be %d', async (threads) => {
    const { model } = await plantedFiles();
    await expect(openModel(model, { threads })).rejects.toMatchObject({ code: 'bad_argument' });
  });

  it('is no number in the variable: refused by name', async () => {
    process.env.LOGIT_AUDIT_THREADS = 'many';
    const { model } = await plantedFiles();
    await expect(openModel(model)).rejects.toMatchObject({
      code: 'bad_argument',
      message: expect.stringContaining('LOGIT_AUDIT_THREADS is "many"'),
    });
  });
});

describe('what is said of the threads', () => {
  it.each<[Partial<ThreadChoice>, string]>([
    [{}, '2 of 2 threads, by trial: 1 -> 310 tok/s, 2 -> 5\u202f500 tok/s'],
    [
      {
        threads: 1,
        trial: [
          { threads: 1, tokensPerSecond: 3.14 },
          { threads: 2, tokensPerSecond: null },
        ],
      },
      '1 of 2 threads, by trial: 1 -> 3.1 tok/s, 2 -> too slow',
    ],
    [{ by: 'option', threads: 3, trial: [] }, '3 of 2 threads, as asked'],
    [{ by: 'environment', threads: 1, trial: [] }, '1 of 2 threads, by LOGIT_AUDIT_THREADS'],
    [
      { retrials: 2, changes: 1 },
      '2 of 2 threads, by trial: 1 -> 310 tok/s, 2 -> 5\u202f500 tok/s; tried again 2 times, changed once',
    ],
    [
      { retrials: 1 },
      '2 of 2 threads, by trial: 1 -> 310 tok/s, 2 -> 5\u202f500 tok/s; tried again once, with the same result',
    ],
  ])('%j', (more, text) => {
    expect(describeThreads(choice(more))).toBe(text);
  });
});
