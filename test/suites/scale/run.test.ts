/** `runScale`: what it asks, what it writes, and that a run that was stopped goes on where it was. */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import { AuditError } from '../../../src/errors.ts';
import { type Backend, openAny, openMock, openModel, POLICY_ENGINE } from '../../../src/model/index.ts';
import type { ObserveRequest } from '../../../src/observation/observation.ts';
import { loadScale } from '../../../src/suites/scale/data/index.ts';
import { runScale, type ScaleRunOptions, type ScaleRunResult } from '../../../src/suites/scale/run/run.ts';
import { faultOf } from '../../fault.ts';
import { sharedFile } from '../../oracle/shared.ts';
import { LoopbackServer } from '../../server/server.ts';
import { temporaryFolder } from '../../temporary.ts';
import { PEOPLE, TEA } from './tea.ts';

const PEOPLE_ROWS = 60;

let cwd: string;
let participants: string;
let out: string;
beforeEach(() => {
  cwd = temporaryFolder();
  participants = join(cwd, 'people.csv');
  out = join(cwd, 'run');
  writeFileSync(join(cwd, 'tea.yaml'), TEA);
  const rows = Array.from({ length: PEOPLE_ROWS }, (_, n) => `P${n},${20 + n},${n % 4},green,yes,no,yes`);
  writeFileSync(participants, ['participant_id,Age,Cups a day,Tea,T1,T2,T3', ...rows, ''].join('\n'));
});

type Change = Partial<ScaleRunOptions>;

async function run(change: Change = {}): Promise<ScaleRunResult> {
  const scale = await loadScale(join(cwd, 'tea.yaml'));
  return await runScale({
    scale,
    backend: openMock('mock:scale'),
    engine: POLICY_ENGINE,
    participants,
    out,
    ...change,
  });
}

const read = (name: string, folder = out) => readFileSync(join(folder, name), 'utf8');
const rowsOf = (name: string, folder = out) =>
  parse(read(name, folder), { columns: true }) as Record<string, string>[];

/** The mock, with every chat that it was asked; `broken` says after how many windows it breaks. */
function listening({ broken = Number.POSITIVE_INFINITY, fail = (_: number): boolean => false } = {}) {
  const asked: string[] = [];
  const mock = openMock('mock:scale');
  let windows = 0;
  const backend: Backend = {
    info: mock.info,
    tokenizer: mock.tokenizer,
    chatTemplate: null,
    async observeWindow(requests: readonly ObserveRequest[], measure, options) {
      windows += 1;
      if (windows > broken) throw new AuditError('engine_failed', 'the engine is gone');
      const observed = await mock.observeWindow(requests, measure, options);
      const first = asked.length;
      for (const request of requests) asked.push(JSON.stringify((request as { prompt: unknown }).prompt));
      const failing = requests.flatMap((_, request) => (fail(first + request) ? [request] : []));
      const { generations } = observed;
      const kept = [...generations.request.keys()].filter(
        (at) => !failing.includes(generations.request[at]!),
      );
      if (failing.length === 0) return observed;
      return {
        ...observed,
        generations: {
          ...generations,
          generations: kept.length,
          request: generations.request.filter((_, at) => kept.includes(at)),
          texts: kept.map((at) => generations.texts[at]!),
          finish: kept.map((at) => generations.finish[at]!),
        },
        failures: failing.map(
          (request) => ({ request, code: 'context_overflow', message: 'too long', data: {} }) as const,
        ),
      };
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  return { backend, asked };
}

test.each([
  ['all at the lowest', () => 0, 'the text is the same in all 12 rows that have one: "{\\"calm_at_home\\":0'],
  ['not all the same', (at: number) => Number(at === 7), null],
])('answers %s: the run says so, or nothing', async (_, scoreOf, note) => {
  const mock = openMock('mock:scale');
  let cases = 0;
  const backend: Backend = {
    info: mock.info,
    tokenizer: mock.tokenizer,
    chatTemplate: null,
    async observeWindow(...given) {
      const observed = await mock.observeWindow(...given);
      const { generations } = observed;
      const texts = generations.texts.map(() => {
        const value = scoreOf(cases++);
        return JSON.stringify({ calm_at_home: value, calm_at_work: value });
      });
      return { ...observed, generations: { ...generations, texts } };
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const { notes, counts } = await run({ backend, limit: 6 });
  expect(counts.ok).toBe(12);
  const said = notes.filter((one) => one.includes('is the same in all'));
  expect(said).toEqual(note === null ? [] : [expect.stringContaining(note)]);
});

test('every participant is asked at every tier, and the mock answers by the hash of what it was told', async () => {
  const { counts, results, manifest } = await run();
  expect(counts).toEqual({ cases: 120, ok: 120, failed: 0, truncated: 0, takenOver: 0 });
  const personas = rowsOf('personas.csv');
  const answers = parse(readFileSync(results, 'utf8'), { columns: true }) as Record<string, string>[];
  expect(answers.map(({ caseid }) => caseid)).toEqual(personas.map(({ caseid }) => caseid));
  expect(answers.slice(0, 3).map(({ caseid }) => caseid)).toEqual(['P0__age', 'P0__habits', 'P1__age']);
  for (const [index, { user }] of personas.entries()) {
    const { system } = manifest.material!;
    const bytes = createHash('sha256').update(`${system}\n${user}`).digest();
    expect(JSON.parse(answers[index]!.generated_text!)).toEqual({
      calm_at_home: bytes[0]! % 5,
      calm_at_work: bytes[1]! % 3,
    });
  }
  expect(personas[1]!.user).toBe(
    'You are 20 years old.\nYou drink 0 cups of tea a day.\n\nHow calm are you?',
  );
  expect(manifest).toMatchObject({
    suite: 'scale',
    status: 'complete',
    promptsSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    material: { tiers: ['age', 'habits'] },
    resumedAt: [],
  });
});

test('a run that broke is resumed: nothing is asked twice, and its result file is that of a run that did not', async () => {
  const whole = join(cwd, 'whole');
  await run({ out: whole });
  const first = listening({ broken: 4 });
  expect((await faultOf(() => run({ backend: first.backend }))).code).toBe('engine_failed');
  expect(JSON.parse(read('manifest.json'))).toMatchObject({
    status: 'failed',
    error: { code: 'engine_failed' },
  });
  // The first four windows.
  expect(rowsOf('results.csv')).toHaveLength(16);
  // What a kill may leave: a line that is not all there.
  appendFileSync(join(out, 'rows.jsonl'), '{"row":16,"id":"P8__age","status":"ok","gener');
  const second = listening();
  const { counts, manifest } = await run({ backend: second.backend, resume: true });
  expect(counts).toMatchObject({ cases: 120, ok: 120 });
  expect(manifest).toMatchObject({ status: 'complete', error: null, resumedAt: [expect.any(String)] });
  expect([first.asked.length, second.asked.length]).toEqual([16, 104]);
  expect(new Set([...first.asked, ...second.asked]).size).toBe(120);
  for (const name of ['results.csv', 'rows.jsonl', 'personas.csv'])
    expect(read(name)).toBe(read(name, whole));
  const third = listening();
  await run({ backend: third.backend, resume: true });
  expect(third.asked).toEqual([]);
});

test('the next window is on its way before one is answered, and a stop leaves no trace in the prompts', async () => {
  const { manifest: whole } = await run({ out: join(cwd, 'whole') });
  const { backend } = listening();
  let [open, most] = [0, 0];
  const slow: Backend = {
    ...backend,
    async observeWindow(...given) {
      open += 1;
      most = Math.max(most, open);
      if (open === 1) await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      const observed = await backend.observeWindow(...given);
      open -= 1;
      return observed;
    },
  };
  await run({ backend: slow, limit: 20 });
  expect(most).toBe(2);
  const { manifest } = await run({ resume: true });
  expect(manifest.promptsSha256).toBe(whole.promptsSha256);
  for (const name of ['results.csv', 'rows.jsonl']) expect(read(name)).toBe(read(name, join(cwd, 'whole')));
});

test('a line without its end is asked anew, even where it could be read', async () => {
  await run();
  const lines = read('rows.jsonl');
  writeFileSync(join(out, 'rows.jsonl'), lines.slice(0, -1));
  rmSync(join(out, 'results.csv'));
  const again = listening();
  await run({ backend: again.backend, resume: true });
  expect(again.asked).toHaveLength(1);
  expect(read('rows.jsonl')).toBe(lines);
});

test('a case that failed has no text, is counted, and is asked again', async () => {
  const first = listening({ fail: (index) => index % 40 === 3 });
  const { counts, firstFailure, notes } = await run({ backend: first.backend });
  expect(counts).toMatchObject({ cases: 120, ok: 117, failed: 3 });
  expect(firstFailure).toBe('too long');
  expect(notes).toContainEqual(expect.stringContaining('3 cases failed'));
  expect(rowsOf('results.csv')).toHaveLength(117);
  const second = listening();
  expect((await run({ backend: second.backend, resume: true })).counts).toMatchObject({ ok: 120, failed: 0 });
  expect(second.asked).toHaveLength(3);
  expect(new Set(rowsOf('results.csv').map(({ caseid }) => caseid)).size).toBe(120);
});

test('a stop keeps what was answered', async () => {
  const controller = new AbortController();
  const error = await faultOf(() =>
    run({ signal: controller.signal, onProgress: ({ rows }) => rows >= 16 && controller.abort() }),
  );
  expect(error.code).toBe('cancelled');
  expect(JSON.parse(read('manifest.json')).status).toBe('cancelled');
  // Whole windows: those that were on their way may have been answered.
  const answered = read('rows.jsonl').trimEnd().split('\n');
  expect(answered.length % 16).toBe(0);
  expect(answered.length).toBeLessThan(120);
  expect(rowsOf('results.csv')).toHaveLength(answered.length);
});

test('answers of another program are taken over, line breaks and all', async () => {
  mkdirSync(out);
  const text = 'Sure:\n{"calm_at_home": 3}\r\n"quoted", said';
  const quoted = `"${text.replaceAll('"', '""')}"`;
  writeFileSync(
    join(out, 'results.csv'),
    `generated_text,caseid,more\n${quoted},P7__habits,x\nx,P99__age,x\n`,
  );
  const { backend, asked } = listening();
  const { counts } = await run({ backend, resume: true });
  expect(counts).toMatchObject({ cases: 120, ok: 120, takenOver: 1 });
  expect(asked).toHaveLength(119);
  const answers = rowsOf('results.csv');
  expect(answers).toHaveLength(121);
  expect(answers.find(({ caseid }) => caseid === 'P7__habits')!.generated_text).toBe(text);
  expect(answers.find(({ caseid }) => caseid === 'P99__age')!.generated_text).toBe('x');
});

test.each([
  ['a blank case id', 'caseid,generated_text\nP1__age,x\n  ,y\n', 'row 2 (line 3) has no caseid'],
  [
    'a case id that is there twice',
    'caseid,generated_text\nP1__age,x\nP2__age,y\n P1__age,z\n',
    'the caseid P1__age of line 2 too',
  ],
  ['no column of texts', 'caseid,text\nP1__age,x\n', 'has no generated_text'],
])('a result file with %s is an error, and is left as it is', async (_, content, message) => {
  mkdirSync(out);
  writeFileSync(join(out, 'results.csv'), content);
  const error = await faultOf(() => run({ resume: true }));
  expect([error.code, error.message]).toEqual(['data_malformed', expect.stringContaining(message)]);
  expect(read('results.csv')).toBe(content);
});

describe('a folder', () => {
  test('of a run is not taken without resume, nor with other settings', async () => {
    await run();
    expect((await faultOf(() => run())).code).toBe('output_exists');
    for (const [change, key] of [
      [{ temperature: 0.5 }, 'temperature'],
      [{ guided: true }, 'guided'],
      [{ maxTokens: 9 }, 'maxTokens'],
      [{ subscales: ['work'] }, 'subscales'],
    ] as const) {
      const error = await faultOf(() => run({ ...change, resume: true }));
      expect([error.code, error.data.key]).toEqual(['bad_argument', `option ${key}`]);
    }
    writeFileSync(participants, PEOPLE);
    expect((await faultOf(() => run({ resume: true }))).data.key).toBe('content of the data');
    expect(rowsOf('results.csv')).toHaveLength(120);
  });

  test('may be gone on with by more tiers and participants', async () => {
    await run({ tiers: ['age'], limit: 2 });
    const { backend, asked } = listening();
    await run({ backend, limit: 3, resume: true });
    expect(asked).toHaveLength(4);
    expect(rowsOf('results.csv').map(({ caseid }) => caseid)).toEqual([
      'P0__age',
      'P1__age',
      'P0__habits',
      'P1__habits',
      'P2__age',
      'P2__habits',
    ]);
  });

  test('of something else is refused', async () => {
    mkdirSync(out);
    writeFileSync(join(out, 'manifest.json'), '{"suite":"ctf"}');
    expect((await faultOf(() => run({ resume: true }))).code).toBe('data_malformed');
    // As earlier versions wrote them.
    writeFileSync(join(out, 'manifest.json'), '{"suite":"scale","status":"complete","asking":{}}');
    expect((await faultOf(() => run({ resume: true }))).message).toContain('of another version');
    rmSync(join(out, 'manifest.json'));
    writeFileSync(join(out, 'rows.jsonl'), '');
    expect((await faultOf(() => run({ resume: true }))).message).toContain('give a new folder');
  });
});

test('participants: the first of one id counts, an id is needed, and what is not there is told', async () => {
  writeFileSync(participants, 'participant_id,Age,T1\nA,30,yes\nB,40,no\nA,50,yes\n');
  const { counts, notes, manifest } = await run();
  expect(counts.cases).toBe(4);
  expect(rowsOf('personas.csv')[0]!.user).toContain('30 years');
  expect(notes.map((note) => note.replace(participants, 'FILE'))).toEqual([
    'FILE has no column Cups a day, Tea: what tiers tell of them is left out',
    'tier habits tells of every participant just what tier age tells',
    'FILE: rows with the id of an earlier one, which counts: 1 (A)',
  ]);
  expect(manifest.material).toMatchObject({ participants: 2, repeated: 1 });
  writeFileSync(participants, 'participant_id,Age\nA,30\n ,40\n');
  const blank = await faultOf(() => run({ out: join(cwd, 'other') }));
  expect([blank.code, blank.message]).toEqual([
    'row_invalid',
    expect.stringContaining('row 2 (line 3) has no participant_id'),
  ]);
  const column = await faultOf(() => run({ out: join(cwd, 'other'), idColumn: 'id' }));
  expect([column.code, column.message]).toEqual([
    'bad_argument',
    expect.stringContaining('participant_id, Age'),
  ]);
  const tier = await faultOf(() => run({ out: join(cwd, 'other'), tiers: ['age', 'age'] }));
  expect(tier.message).toContain('given twice');
});

const stories = sharedFile('models/stories260K.gguf');
describe.skipIf(stories === null)('a real model', () => {
  test('guided answers are objects of the right keys and ranges; what is drawn depends on the seed', async () => {
    await using backend = await openModel(stories!, { threads: 1, device: 'cpu', mode: 'exact' });
    const ask = async (name: string, change: Change) => {
      const { counts } = await run({ backend, limit: 3, out: join(cwd, name), maxTokens: 120, ...change });
      expect(counts).toMatchObject({ cases: 6, ok: 6 });
      return rowsOf('results.csv', join(cwd, name)).map(({ generated_text }) => generated_text!);
    };
    const guided = await ask('guided', { guided: true, temperature: 1.5 });
    for (const text of guided) {
      const { calm_at_home, calm_at_work, band_at_home, ...rest } = JSON.parse(text);
      expect([0, 1, 2, 3, 4]).toContain(calm_at_home);
      expect([0, 1, 2]).toContain(calm_at_work);
      expect(['restless', 'mixed', 'calm']).toContain(band_at_home);
      expect(rest).toEqual({});
    }
    expect(await ask('again', { guided: true, temperature: 1.5 })).toEqual(guided);
    expect(await ask('other', { guided: true, temperature: 1.5, sampleSeed: 1 })).not.toEqual(guided);
    const free = await ask('free', { maxTokens: 12 });
    expect(free.every((text) => text.length > 0)).toBe(true);
    expect(JSON.parse(read('manifest.json', join(cwd, 'free')))).toMatchObject({
      experiment: { options: { chat: false, guided: false, temperature: 0 } },
      counts: { ok: 6 },
    });
  });
});

describe('a model behind an endpoint', () => {
  const open = (baseUrl: string, answers: string) =>
    openAny('openai:m', { endpoint: { baseUrl, answers, attempts: 1 } });

  test('is asked in chats, what it cost is told, and a run that was stopped asks nothing twice', async () => {
    await using server = await LoopbackServer.start({
      brain: ({ body }) => ({
        text: JSON.stringify({ calm_at_work: String(body.messages!.at(-1)!.content).length % 3 }),
      }),
    });
    const answers = join(cwd, 'answers.jsonl');
    const stop = new AbortController();
    const first = await open(server.url, answers);
    const stopped = run({
      backend: first.backend,
      engine: first.engine,
      limit: 40,
      signal: stop.signal,
      onProgress: ({ rows }) => {
        if (rows > 0) stop.abort();
      },
    });
    expect((await faultOf(stopped)).code).toBe('cancelled');
    await first.backend.close();
    const again = await open(server.url, answers);
    const { counts, manifest } = await run({
      backend: again.backend,
      engine: again.engine,
      limit: 40,
      resume: true,
    });
    await again.backend.close();
    expect(counts.ok).toBe(counts.cases);
    expect(manifest.experiment.options.chat).toBe(true);
    expect(manifest.usage!.asked.requests).toBeGreaterThan(0);
    // What an endpoint is tried out with when it is opened has no system message.
    const cases = server.requests.filter(({ body }) => body.messages!.length === 2);
    const asked = cases.map(({ body }) => JSON.stringify(body.messages));
    expect(asked.length).toBe(new Set(asked).size);
    expect(asked.length).toBe(counts.cases);
    expect(rowsOf('results.csv')).toHaveLength(counts.cases);
    // Another endpoint is another run.
    await using other = await LoopbackServer.start({ brain: () => ({ text: '{}' }) });
    const elsewhere = await open(other.url, join(cwd, 'other.jsonl'));
    const { backend, engine } = elsewhere;
    const refused = await faultOf(run({ backend, engine, limit: 40, resume: true }));
    await backend.close();
    expect([refused.code, refused.data.key]).toEqual(['bad_argument', 'endpoint']);
  });
});
