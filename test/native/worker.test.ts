/**
 * The engine in a process of its own: what a crash, a hang, a cancellation and an end cost. Results are held against
 * those of the engine in this process.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalModel, openModel } from '../../src/model/index.ts';
import { WorkerSession } from '../../src/native/worker/host.ts';
import type { Observations, ObserveRequest } from '../../src/observation/observation.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';
import { MARKED, STUB } from './children/paths.ts';
import { expectGone } from './gone.ts';
import { hostileModel } from './hostile.ts';

/** A row alone or in company: the shape of the batch moves the last digits. */
const ALONE = 1e-6;
const MEASURE = { groups: [Int32Array.of(5, 6), Int32Array.of(7)], topK: 3, pairTopK: [2, 4] };

/** Longer than any request of these tests takes alone on a busy machine, in ms. */
const TIMEOUT_MS = 3_000;

async function openMarked(): Promise<LocalModel> {
  const { model } = await plantedFiles();
  return new LocalModel([await WorkerSession.open(model, {}, { entry: MARKED, timeoutMs: TIMEOUT_MS })]);
}

const pair = (subject: string): ObserveRequest => ({
  kind: 'pair',
  text: `The ${subject} said that she`,
  textSwap: `The ${subject} said that he`,
});
const probe = (text: string): ObserveRequest => ({ kind: 'probe', text });

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(found.length).toBe(expected.length);
  for (let index = 0; index < expected.length; index += 1)
    expect(Math.abs(found[index]! - expected[index]!)).toBeLessThan(ALONE);
}

function expectSame(found: Observations, expected: Observations): void {
  expect(found.requests).toBe(expected.requests);
  expect([...found.rows.request]).toEqual([...expected.rows.request]);
  expect([...found.rows.side]).toEqual([...expected.rows.side]);
  expect([...found.rows.position]).toEqual([...expected.rows.position]);
  expect([...found.sequences.ids]).toEqual([...expected.sequences.ids]);
  expect([...found.sequences.offsets]).toEqual([...expected.sequences.offsets]);
  expectClose(found.rows.masses, expected.rows.masses);
  expectClose(found.rows.entropy, expected.rows.entropy);
  expect([...found.pairs.request]).toEqual([...expected.pairs.request]);
  expectClose(found.pairs.jsd, expected.pairs.jsd);
  found.pairs.topK.forEach((form, index) => {
    expectClose(form.upper, expected.pairs.topK[index]!.upper);
  });
}

describe('a model in a process of its own', () => {
  it('observes what one in this process observes, to the last bit', async () => {
    const { model: path } = await plantedFiles();
    await using near = await openModel(path, { inProcess: true });
    await using far = await openModel(path);
    expect(near.pid).toBe(process.pid);
    expect(far.pid).not.toBe(process.pid);
    expect(far.info).toEqual(near.info);
    expect(far.system.llamaVersion).toBe(near.system.llamaVersion);
    const requests = [pair('nurse'), probe('The plumber said'), pair('plumber')];
    expect(await far.observeWindow(requests, MEASURE)).toEqual(await near.observeWindow(requests, MEASURE));
    // A code unit that is half a character stays one on the way.
    for (const text of ['The \ud800 nurse', '', ' \u{1F600}']) {
      expect(await far.tokenize(text)).toEqual(await near.tokenize(text));
    }
    for (const options of [{ special: true }, { special: true, bos: false }, { bos: false }]) {
      const text = '<s>The nurse</s>';
      expect(await far.tokenize(text, options)).toEqual(await near.tokenize(text, options));
      expect(await far.tokenizeJoint(text, ' said', options)).toEqual(
        await near.tokenizeJoint(text, ' said', options),
      );
    }
    expect(await far.tokenizeJoint('The nurse', ' said')).toEqual(
      await near.tokenizeJoint('The nurse', ' said'),
    );
  });

  it('refuses a time limit that is none, and arguments that cannot travel', async () => {
    const { model: path } = await plantedFiles();
    for (const timeoutMs of [0, -1, Number.NaN, 2 ** 31]) {
      expect((await faultOf(openModel(path, { timeoutMs }))).code).toBe('bad_argument');
    }
    await using model = await openModel(path);
    // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
    const wrong = (() => 'a text') as any;
    expect((await faultOf(model.tokenize(wrong))).code).toBe('bad_argument');
    expect((await model.tokenize('The nurse')).length).toBe(3);
  });
});

describe('a crash', () => {
  let marked: LocalModel;
  let undisturbed: LocalModel;
  beforeAll(async () => {
    marked = await openMarked();
    undisturbed = await openModel((await plantedFiles()).model, { inProcess: true });
  });
  afterAll(async () => {
    await marked.close();
    await undisturbed.close();
  });

  it('by SIGKILL while a window is decoded costs no row', async () => {
    const subjects = ['nurse', 'plumber', 'chef', 'clerk'];
    const requests = Array.from({ length: 300 }, (_, index) => pair(subjects[index % 4]!));
    const before = marked.pid!;
    const windows: Observations[] = [];
    for await (const window of marked.observe(requests, MEASURE)) {
      // The next window is being decoded now.
      if (windows.length === 0) process.kill(before, 'SIGKILL');
      windows.push(window);
    }
    expect(marked.pid).not.toBe(before);
    expect(windows.map(({ failures }) => failures)).toEqual([[], [], []]);
    let index = 0;
    for await (const expected of undisturbed.observe(requests, MEASURE)) {
      expectSame(windows[index]!, expected);
      index += 1;
    }
  });

  it('changes no bit in the exact mode', async () => {
    const { model: path } = await plantedFiles();
    await using near = await openModel(path, { inProcess: true, mode: 'exact' });
    await using far = await openModel(path, { mode: 'exact' });
    const score: ObserveRequest = {
      kind: 'score',
      prompt: 'The nurse said that',
      continuations: [' she', ' he'],
    };
    const requests = [pair('nurse'), score, probe('The plumber said'), pair('plumber'), score];
    const expected = await near.observeWindow(requests, MEASURE);
    const before = far.pid!;
    const observing = far.observeWindow(requests, MEASURE);
    process.kill(before, 'SIGKILL');
    expect(await observing).toEqual({ ...expected, decodedTokens: expect.any(Number) });
    expect(far.pid).not.toBe(before);
  });

  it('of a request that aborts every time costs that request only', async () => {
    const requests = [pair('nurse'), probe('The ABORT'), pair('plumber'), probe('The EXIT'), probe('The')];
    const observed = await marked.observeWindow(requests, MEASURE);
    expect(observed.failures).toEqual([
      {
        request: 1,
        code: 'engine_crash',
        message:
          "the engine's process was ended by SIGABRT: marked.cpp:1: GGML_ASSERT(text is harmless) failed",
        data: {
          file: marked.info.path,
          phase: 'request',
          signal: 'SIGABRT',
          exitCode: null,
          stderr: expect.stringContaining('some line before'),
        },
      },
      {
        request: 3,
        code: 'engine_crash',
        message: expect.stringContaining('exit code 7'),
        data: expect.objectContaining({ signal: null, exitCode: 7 }),
      },
    ]);
    expect([...observed.rows.request]).toEqual([0, 0, 2, 2, 4]);
    const rest = await undisturbed.observeWindow([requests[0]!, requests[2]!, requests[4]!], MEASURE);
    expectClose(observed.rows.masses, rest.rows.masses);
    expectClose(observed.pairs.jsd, rest.pairs.jsd);
    expect((await marked.observeWindow([pair('nurse')], MEASURE)).rows.rows).toBe(2);
  });

  it('between two windows costs nothing', async () => {
    const before = marked.pid!;
    process.kill(before, 'SIGKILL');
    await expectGone(before);
    expect((await marked.tokenize('The nurse')).length).toBe(3);
    expect(marked.pid).not.toBe(before);
    process.kill(marked.pid!, 'SIGKILL');
    // Here the exit is not known yet: the call goes to a process that is gone.
    expect((await marked.observeWindow([pair('nurse')], MEASURE)).failures).toEqual([]);
  });

  it('of a call for tokens is told to its caller, and to no other', async () => {
    const calls = [marked.tokenize('The ABORT'), marked.tokenize('The nurse')];
    const [guilty, innocent] = await Promise.allSettled(calls);
    expect(guilty).toMatchObject({ status: 'rejected', reason: { code: 'engine_crash' } });
    expect(['fulfilled', 'rejected']).toContain(innocent!.status);
    expect((await marked.tokenize('The nurse')).length).toBe(3);
  });

  it('with every request is the fault of the engine, and ends the work', async () => {
    const error = await faultOf(
      marked.observeWindow(
        Array.from({ length: 40 }, () => probe('ABORT')),
        MEASURE,
      ),
    );
    expect([error.code, error.message]).toEqual(['engine_crash', expect.stringContaining('each of 16')]);
    expect((await marked.observeWindow([probe('The nurse')], MEASURE)).rows.rows).toBe(1);
  });

  it('of a real assertion names the file and what llama.cpp asserted', async () => {
    const file = await hostileModel();
    const error = await faultOf(openModel(file));
    expect([error.code, error.data.signal, error.data.phase]).toEqual(['engine_crash', 'SIGABRT', 'open']);
    expect(error.message).toContain(file);
    expect(error.message).toContain('GGML_ASSERT');
  });

  it('while a model is opened names the file, and is not tried again', async () => {
    const file = join(temporaryFolder(), 'hostile.aborts');
    writeFileSync(file, '');
    const error = await faultOf(WorkerSession.open(file, {}, { entry: MARKED }));
    expect([error.code, error.message]).toEqual(['engine_crash', expect.stringContaining(file)]);
    expect(error.data).toMatchObject({ phase: 'open', signal: 'SIGABRT' });
    const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number);
    expect(pids.length).toBe(1);
    await expectGone(pids[0]!);
  });

  it('by the system while a model is opened is told as a matter of memory', async () => {
    const error = await faultOf(WorkerSession.open('large.killed', {}, { entry: MARKED }));
    expect([error.code, error.data.signal]).toEqual(['engine_crash', 'SIGKILL']);
    expect(error.message).toContain('large.killed');
    expect(error.message).toContain('ran out of memory: lower the context length (contextLength, --ctx)');
  });

  it('of a program that is not there is told as such', async () => {
    const missing = join(temporaryFolder(), 'missing.mjs');
    const error = await faultOf(WorkerSession.open('m.gguf', {}, { entry: missing }));
    expect(error.code).toBe('engine_crash');
    expect(error.message).toMatch(/exit code 1 .*Error: Cannot find module '.*missing.mjs'/);
  });
});

describe('a hang', () => {
  it('ends at the time limit and costs the request that hangs', async () => {
    await using model = await openMarked();
    const requests = [pair('nurse'), probe('The HANG'), probe('The plumber')];
    const { failures, rows } = await model.observeWindow(requests, MEASURE);
    expect(failures).toMatchObject([
      { request: 1, code: 'engine_timeout', data: { timeoutMs: TIMEOUT_MS, signal: 'SIGKILL' } },
    ]);
    expect(failures[0]!.message).toContain('within 3 s');
    expect([...rows.request]).toEqual([0, 0, 2]);
  });
});

describe('closing', () => {
  it('lets the running window end, frees the rest, and leaves no process', async () => {
    const model = await openModel((await plantedFiles()).model);
    const pid = model.pid!;
    const running = model.observeWindow(
      Array.from({ length: 50 }, () => pair('nurse')),
      MEASURE,
    );
    // The engine has two windows at a time; a third one waits here.
    const next = model.observeWindow([pair('nurse')], MEASURE);
    const waiting = faultOf(model.observeWindow([pair('nurse')], MEASURE));
    const tokens = model.tokenize('The nurse');
    await Promise.resolve();
    await Promise.all([model.close(), model.close()]);
    expect((await running).rows.rows).toBe(100);
    expect((await next).rows.rows).toBe(2);
    expect((await waiting).code).toBe('engine_closed');
    expect((await tokens).length).toBe(3);
    expect(model.pid).toBeNull();
    await expectGone(pid);
    expect((await faultOf(model.pieces([1]))).code).toBe('engine_closed');
  });

  it('is safe after a crash', async () => {
    const model = await openModel((await plantedFiles()).model);
    process.kill(model.pid!, 'SIGKILL');
    await model.close();
    expect((await faultOf(model.tokenize('The'))).code).toBe('engine_closed');
  });

  it('leaks nothing over 200 models', { timeout: 180_000 }, async () => {
    const handles = () => process.getActiveResourcesInfo().filter((name) => /Process|Pipe/.test(name)).length;
    const openAndClose = async () => {
      const session = await WorkerSession.open('none', {}, { entry: STUB });
      await session.close();
    };
    await openAndClose();
    const before = handles();
    // Four at a time: the wait is for processes to start.
    for (let round = 0; round < 50; round += 1) await Promise.all([1, 2, 3, 4].map(openAndClose));
    // A pipe may still be closing; one a model would be 200.
    await expect.poll(handles).toBeLessThanOrEqual(before);
  });
});
