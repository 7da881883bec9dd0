/** Runs that were stopped and go on: which one, from where, and to the same files. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RulesRunOptions } from '../../../src/suites/rules/run/options.ts';
import { planRules } from '../../../src/suites/rules/run/plan.ts';
import { runRules } from '../../../src/suites/rules/run/run.ts';
import { faultOf } from '../../fault.ts';
import { temporaryFolder } from '../../temporary.ts';
import { ENGINE, ruleModel } from './backend.ts';
import { madeDocument } from './made.ts';

/** Four windows. */
const PAIRS = 40;
/** Done when the fifth round is asked: two windows of two rounds each. */
const DONE = 2 * 8;

let folder: string;
let data: string;
/** Seconds, so that no two runs of a test have one name. */
let seconds: number;
beforeEach(() => {
  folder = temporaryFolder();
  data = join(folder, 'test.json');
  writeFileSync(data, JSON.stringify(madeDocument('test', PAIRS)));
  seconds = 0;
});

type Given = Partial<RulesRunOptions> & { readonly stopAt?: number };

/** `stopAt`: the machine is gone when a window of that number is asked. */
async function run(name: string, { stopAt, ...given }: Given = {}) {
  const { model, asked } = ruleModel(({ stage, correct, prompt }) =>
    stage === 'reasoning' ? `I have read ${prompt.length}.` : prompt.length % 3 === 0 ? '(b)' : correct,
  );
  let windows = 0;
  const observe = model.observeWindow.bind(model);
  model.observeWindow = async (...args) => {
    if (windows === stopAt) throw new Error('the machine is gone');
    windows += 1;
    return observe(...args);
  };
  seconds += 1;
  const running = runRules({
    backend: model,
    engine: ENGINE,
    data,
    out: join(folder, name),
    intervals: { resamples: 100 },
    startedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)),
    ...given,
  });
  return { asked, result: await running };
}

async function stop(name: string, stopAt: number, given: Given = {}): Promise<void> {
  expect((await faultOf(() => run(name, { ...given, stopAt }))).message).toContain('the machine is gone');
}

const place = (name: string) => join(folder, name, 'by-rule/test/none/baseline');
const named = (name: string) => readdirSync(place(name)).sort();
const text = (name: string, file: RegExp) => {
  const found = readdirSync(place(name), { recursive: true })
    .map(String)
    .filter((one) => file.test(one));
  expect(found, String(file)).toHaveLength(1);
  return readFileSync(join(place(name), found[0]!), 'utf8');
};
const FILES = [
  ...[/^reasoning_/, /^performance_/, /^metrics_/],
  ...[/rows\.jsonl$/, /rows\.csv$/, /run_\w+.metrics\.json$/, /summary\.csv$/],
];

function expectSame(one: string, other: string): void {
  for (const file of FILES) expect(text(one, file), String(file)).toBe(text(other, file));
  const manifests = [one, other].map((name) => JSON.parse(text(name, /manifest\.json$/)));
  for (const key of ['status', 'promptsSha256', 'counts', 'experiment'])
    expect(manifests[0][key]).toEqual(manifests[1][key]);
}

describe('a run that was stopped', () => {
  // Of two rounds each, one window ahead.
  it.each([
    [0, 0],
    [1, 0],
    [3, 8],
    [4, DONE],
  ])('at the window asked as number %i goes on with pair %i, to the same files', async (stopAt, done) => {
    await run('whole');
    await stop('stopped', stopAt);
    const { asked, result } = await run('stopped', { resume: true });
    expect(result).toMatchObject({ status: 'done', run: { counts: { rows: PAIRS, ok: PAIRS } } });
    expect(asked).toHaveLength(4 * (PAIRS - done));
    expectSame('stopped', 'whole');
    expect(text('stopped', /^evaluation_/)).toContain('resumed');
    expect(await run('stopped', { resume: true })).toMatchObject({ asked: [], result: { status: 'kept' } });
  });

  it('between its last row and its results asks nothing more', async () => {
    await run('whole');
    await run('stopped');
    for (const left of [/^performance_/, /^(?:performance|reasoning|metrics)_/]) {
      for (const file of named('stopped').filter((one) => left.test(one)))
        rmSync(join(place('stopped'), file));
      expect(await run('stopped', { resume: true })).toMatchObject({ asked: [], result: { status: 'done' } });
      expectSame('stopped', 'whole');
    }
  });

  it('in the place of results that are there goes on, and takes them away when its own are whole', async () => {
    const first = (await run('out')).result;
    await stop('out', 4, { override: true, options: { parser: 'plurule' } });
    expect((await run('out', { resume: true })).result).toMatchObject({ status: 'kept' });
    const again = { override: true, resume: true, options: { parser: 'plurule' } } as const;
    const second = await run('out', again);
    expect(second.asked).toHaveLength(4 * (PAIRS - DONE));
    const results = () => named('out').filter((one) => /^(?:performance|reasoning|metrics)_/.test(one));
    expect(results()).toHaveLength(3);
    // Killed in the middle of taking them away.
    if (first.status !== 'done' || second.result.status !== 'done') throw new Error('kept');
    writeFileSync(first.files.reasoning, '[]');
    expect((await run('out', again)).asked).toEqual([]);
    expect(results().map((one) => join(place('out'), one))).toEqual([
      second.result.files.tidy,
      second.result.files.performance,
      second.result.files.reasoning,
    ]);
    // Nothing is left to do, so this one begins anew.
    expect((await run('out', again)).asked).toHaveLength(4 * PAIRS);
  });

  it('is the newest of several, and the others are told', async () => {
    await stop('out', 4);
    await stop('out', 0);
    const given = { data, out: join(folder, 'out'), model: 'models/by-rule.gguf' };
    const [newest, older] = named('out')
      .filter((one) => one.startsWith('run_'))
      .reverse();
    const plan = (resume: boolean) => planRules({ ...given, resume });
    expect(await plan(true)).toMatchObject({
      resumed: true,
      files: { run: join(place('out'), newest!) },
      stopped: [join(place('out'), older!)],
    });
    expect(await plan(false)).toMatchObject({
      resumed: false,
      stopped: [newest, older].map((one) => join(place('out'), one!)),
    });
    const { result } = await run('out', { resume: true });
    expect(result).toMatchObject({ files: { run: join(place('out'), newest!) } });
    // A folder in which nothing was done is none.
    mkdirSync(join(place('none'), 'run_20260101_000000'), { recursive: true });
    expect(await planRules({ ...given, out: join(folder, 'none'), resume: true })).toMatchObject({
      resumed: false,
      stopped: [],
    });
  });

  it('marked as a part goes on as such', async () => {
    await stop('out', 1, { limit: 3 });
    await stop('out', 1);
    const { asked, result } = await run('out', { limit: 3, resume: true });
    expect(asked).toHaveLength(12);
    expect(result).toMatchObject({
      files: { run: expect.stringMatching(/limit-3.run_limit-3_20260101_000001$/) },
    });
  });

  it.each<[string, Given]>([
    ['option parser was "anchored" and is "plurule"', { options: { parser: 'plurule' } }],
    ['option maxResponseTokens was 2048 and is 9', { options: { maxResponseTokens: 9 } }],
    ['option finalModel was null', { stage2: ruleModel(() => '(a)', 'models/second.gguf').model }],
    ['strict was false and is true', { strict: true }],
    [
      'option rag was',
      {
        rag: {
          suffix: 'x',
          description: { k: 1 },
          fewShot: { style: 'template', examplesOf: () => [] },
          vote: () => null,
        },
      },
    ],
  ])('is not gone on with where %s', async (told, change) => {
    // Examples have a folder of their own, so that it is the run itself that is looked at.
    const was = { limit: 2, ...(change.rag ? { rag: { ...change.rag, description: { k: 2 } } } : {}) };
    await stop('out', 1, was);
    const fault = await faultOf(() => run('out', { ...was, ...change, resume: true }));
    expect([fault.code, fault.message]).toEqual(['bad_argument', expect.stringContaining(told)]);
    expect((await run('out', { ...was, resume: true })).result.status).toBe('done');
  });

  it('is not gone on with where data have changed; where they lie does not matter', async () => {
    await stop('out', 4);
    writeFileSync(data, JSON.stringify(madeDocument('test', PAIRS + 1)));
    expect((await faultOf(() => run('out', { resume: true }))).message).toContain('data was');
    data = join(folder, 'moved.json');
    writeFileSync(data, JSON.stringify(madeDocument('test', PAIRS)));
    expect((await run('out', { resume: true })).asked).toHaveLength(4 * (PAIRS - DONE));
    expect(existsSync(join(place('out'), 'checkpoint.json'))).toBe(false);
  });
});
