/** The final choice by a model that goes on from its own answer, and by one that is asked once more: one table. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Backend, openModel } from '../../../src/model/index.ts';
import type {
  GenerateRequest,
  Measure,
  Observations,
  ObserveRequest,
} from '../../../src/observation/observation.ts';
import type { RulesRunOptions } from '../../../src/suites/rules/run/options.ts';
import { runRules } from '../../../src/suites/rules/run/run.ts';
import { sharedFile } from '../../oracle/shared.ts';
import { ENGINE, ruleModel } from './backend.ts';

const SMALL = new URL('small.json', import.meta.url).pathname;
const STORIES = sharedFile('models/stories260K.gguf');

const root = mkdtempSync(path.join(os.tmpdir(), 'followed-'));
afterAll(() => rmSync(root, { recursive: true }));

let runs = 0;

/** What is told of each pair, and the run itself. */
async function tableOf(backend: Backend, options: RulesRunOptions['options']) {
  runs += 1;
  const done = await runRules({
    backend,
    engine: ENGINE,
    data: SMALL,
    out: path.join(root, String(runs)),
    modelId: 'model',
    intervals: { resamples: 500 },
    options: { split: 'mini', ...options },
  });
  if (done.status !== 'done') throw new Error('kept');
  const { metrics } = JSON.parse(readFileSync(done.files.performance, 'utf8'));
  return { run: done.run, pairs: JSON.parse(readFileSync(done.files.reasoning, 'utf8')), metrics };
}

function promptsOf({ run }: Awaited<ReturnType<typeof tableOf>>): string {
  return JSON.parse(readFileSync(run.folder.manifest, 'utf8')).promptsSha256;
}

type Window = readonly ObserveRequest[];

/** Another model with the windows that it was asked; `goesOn` says whether it goes on where it is told to. */
function watched(model: Backend, goesOn: boolean) {
  const windows: Window[] = [];
  let decoded = 0;
  const backend: Backend = {
    info: model.info,
    tokenizer: model.tokenizer,
    chatTemplate: model.chatTemplate,
    seesImages: model.seesImages === true,
    goesOn,
    async observeWindow(requests: Window, measure: Measure): Promise<Observations> {
      windows.push(requests);
      const observed = await model.observeWindow(requests, measure);
      decoded += observed.decodedTokens;
      return observed;
    },
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return { backend, windows, decoded: () => decoded };
}

/** A model by rule that goes on as it would answer if it were asked; not from answers that `stops` says. */
function goingOn(model: Backend, stops: (text: string) => boolean = () => false): Backend {
  return {
    ...watched(model, true).backend,
    async observeWindow(requests: Window, measure: Measure): Promise<Observations> {
      const observed = await model.observeWindow(requests, measure);
      const places: number[] = [];
      const behind: GenerateRequest[] = [];
      for (const [at, request] of requests.entries()) {
        const text = observed.generations.texts[at]!;
        if (request.kind !== 'generate' || request.then === undefined || stops(text)) continue;
        places.push(at);
        behind.push({
          ...request,
          prompt: `${request.prompt}${text}${request.then.text}`,
          roles: { ...request.roles, stage: 'final' },
        });
      }
      const { generations } = await model.observeWindow(behind, measure);
      return {
        ...observed,
        followed: { ...generations, request: generations.request.map((at) => places[at]!) },
      };
    },
  };
}

describe('a final choice', () => {
  /** Thinks without end about every other thread; the choice shows what it was asked. */
  const model = () =>
    ruleModel(({ stage, correct, prompt }) => {
      if (stage === 'final') return /<\/think>/.test(prompt) ? `${correct} after a thought` : correct;
      return /tea|cup/i.test(prompt.slice(-250)) ? '<think>Hm, so' : 'It is clear.';
    });

  it('is that of a second request, asked only where the answer is not carried as it is', async () => {
    const once = model();
    const twice = model();
    const options = { phrase: 'cot', context: 'submission' };
    const asked = watched(goingOn(once.model), true);
    const followed = await tableOf(asked.backend, options);
    const askedAnew = await tableOf(twice.model, options);
    expect(followed.pairs).toEqual(askedAnew.pairs);
    expect(followed.metrics).toEqual(askedAnew.metrics);
    const [reasoning, final] = asked.windows as [GenerateRequest[], GenerateRequest[]];
    expect(reasoning.map((request) => request.then)).toEqual(
      reasoning.map(() => ({ text: '\n\nFinal Choice:', maxTokens: 10, temperature: 0 })),
    );
    // Some were carried as they were, and some were not.
    expect(final.length).toBeGreaterThan(0);
    expect(final.length).toBeLessThan(reasoning.length);
    expect(final.every(({ prompt }) => String(prompt).endsWith('</think>\n\n\n\nFinal Choice:'))).toBe(true);
    expect(final.every((request) => request.then === undefined)).toBe(true);
  });

  it('is asked for where the model did not go on', async () => {
    const twice = model();
    const some = watched(
      goingOn(model().model, (text) => text.includes('clear')),
      true,
    );
    expect((await tableOf(some.backend, {})).pairs).toEqual((await tableOf(twice.model, {})).pairs);
    expect(some.windows[1]!.length).toBe(some.windows[0]!.length);
  });

  it('is told to no model that cannot, nor where it is a turn of its own', async () => {
    const plain = watched(model().model, false);
    await tableOf(plain.backend, {});
    const turn = watched(goingOn(model().model), true);
    await tableOf(turn.backend, { final: 'turn' });
    for (const { windows } of [plain, turn]) {
      expect(windows.length).toBe(2);
      expect(windows.flat().every((request) => !('then' in request))).toBe(true);
    }
  });
});

describe.skipIf(STORIES === null)('stories260K', () => {
  it.each(['fast', 'exact'] as const)('gives one table either way, mode %s', async (mode) => {
    await using model = await openModel(STORIES!, { inProcess: true, mode, threads: 1 });
    const options = { maxResponseTokens: 24, finalTokens: 6 };
    const once = watched(model, true);
    const twice = watched(model, false);
    const followed = await tableOf(once.backend, options);
    const askedAnew = await tableOf(twice.backend, options);
    expect(followed.pairs).toEqual(askedAnew.pairs);
    expect(followed.run.counts).toMatchObject({ failed: 0 });
    if (mode === 'exact') expect(once.decoded()).toBe(twice.decoded());
    else expect(once.decoded()).toBeLessThan(0.75 * twice.decoded());
    expect([once.windows.length, twice.windows.length]).toEqual([1, 2]);
    // What was asked is not the same, and the manifests say so.
    expect(promptsOf(followed)).not.toBe(promptsOf(askedAnew));
    expect(promptsOf(followed)).toBe(promptsOf(await tableOf(once.backend, options)));
  });
});
