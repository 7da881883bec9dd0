/**
 * `administer`: a model that answers items itself, by a plan of the test's own. Numbers are held against NumPy 2.4.6 and SciPy 1.17.1 (the
 * formulas of docs/metrics.md written out) and pingouin 0.7.0.
 */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import { AuditError } from '../../../src/errors.ts';
import { type Backend, openAny, openMock, openModel, POLICY_ENGINE } from '../../../src/model/index.ts';
import { policyObservations } from '../../../src/model/mock/policy-answers.ts';
import type { ObserveRequest } from '../../../src/observation/observation.ts';
import { planQuestionnaire } from '../../../src/suites/scale/ask/index.ts';
import { loadScale } from '../../../src/suites/scale/data/index.ts';
import {
  type AdministerOptions,
  type AdministerResult,
  administer,
} from '../../../src/suites/scale/run/administer/run.ts';
import { faultOf } from '../../fault.ts';
import { sharedFile } from '../../oracle/shared.ts';
import { LoopbackServer } from '../../server/server.ts';
import { temporaryFolder } from '../../temporary.ts';

/** Scores, a row an order, a column an item. */
const SCORES = [
  [2, 5, 5, 4, 5],
  [3, 4, 3, 4, 4],
  [2, 2, 3, 2, 1],
  [4, 1, 1, 1, 2],
  [3, 1, 1, 1, 1],
  [3, 2, 3, 3, 1],
  [2, 2, 3, 1, 1],
  [1, 3, 1, 1, 3],
  [2, 2, 3, 3, 4],
  [2, 2, 3, 4, 2],
  [1, 1, 1, 1, 1],
  [3, 3, 5, 3, 5],
];
const REVERSED = [false, true, false, false, true];

const WORDS = `
name: words
title: Words
construct: w
responses:
  - { value: 1, labels: [strongly disagree, never] }
  - { value: 2, labels: [disagree] }
  - { value: 3, labels: [neutral] }
  - { value: 4, labels: [agree] }
  - { value: 5, labels: [strongly agree, always] }
items:
${REVERSED.map((reversed, at) => `  W${at}: { reversed: ${reversed}, text: Statement number ${at}. }`).join('\n')}
subscales:
  all: { title: all, items: [W0, W1, W2, W3, W4], key: all }
bands: [{ name: low, upTo: 12 }, { name: high }]
`;

let cwd: string;
let out: string;
beforeEach(() => {
  cwd = temporaryFolder();
  out = join(cwd, 'run');
  writeFileSync(join(cwd, 'words.yaml'), WORDS);
});

type Change = Partial<AdministerOptions>;

async function run(change: Change = {}): Promise<AdministerResult> {
  const scale = await loadScale(join(cwd, 'words.yaml'));
  return administer({ scale, backend: planted().backend, engine: POLICY_ENGINE, out, orders: 12, ...change });
}

const read = (name: string, folder = out) => readFileSync(join(folder, name), 'utf8');
const rowsOf = (name: string, folder = out) =>
  parse(read(name, folder), { columns: true }) as Record<string, string>[];

const LABELS = ['strongly disagree', 'disagree', 'neutral', 'agree', 'strongly agree'];
const promptText = (request: ObserveRequest) => {
  const { prompt } = request as { prompt: string | { messages: { content: string }[] } };
  return typeof prompt === 'string' ? prompt : prompt.messages.at(-1)!.content;
};

interface Item {
  readonly item: number;
  /** Labels as listed. */
  readonly listed: readonly string[];
  /** How often the item was asked before; of two requests a case the same. */
  readonly order: number;
}

/** The letter of a label in the list. */
const letterOf = ({ listed }: Item, label: string) => 'ABCDE'[listed.indexOf(label)]!;

/** By the scores above; the letters' probabilities are 0.97 and the rest shared. */
function byScores(asked: Item): string {
  const score = SCORES[asked.order]![asked.item]!;
  return letterOf(asked, LABELS[(REVERSED[asked.item] ? 6 - score : score) - 1]!);
}

/** A model that says to each item what the test wants; `broken`: after so many windows it breaks. */
function planted(
  say: (asked: Item) => string = byScores,
  { broken = Number.POSITIVE_INFINITY, text = say } = {},
) {
  const mock = openMock('mock:scale');
  const asked: ObserveRequest[] = [];
  const orders = new Map<string, number>();
  const seen = new Map<number, number>();
  let windows = 0;
  const itemOf = (request: ObserveRequest): Item => {
    const lines = promptText(request).trimEnd().split('\n');
    const at = lines.findLastIndex((line) => line.startsWith('Statement number'));
    const item = Number(/\d+/.exec(lines[at]!)![0]);
    const listed = lines.slice(at).flatMap((line) => /^[A-E]\. (.*)$/.exec(line)?.[1] ?? []);
    const key = `${item} ${listed.join('|')}`;
    if (!orders.has(key)) {
      orders.set(key, seen.get(item) ?? 0);
      seen.set(item, (seen.get(item) ?? 0) + 1);
    }
    return { item, listed, order: orders.get(key)! };
  };
  const backend: Backend = {
    info: mock.info,
    tokenizer: mock.tokenizer,
    chatTemplate: null,
    async observeWindow(requests) {
      windows += 1;
      if (windows > broken) throw new AuditError('engine_failed', 'the engine is gone');
      asked.push(...requests);
      return policyObservations(requests, (request) =>
        (request.kind === 'score' ? say : text)(itemOf(request)),
      );
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  return { backend, asked };
}

const near = (value: number | null | undefined, want: number) => expect(value).toBeCloseTo(want, 9);

test('scores go by the key, and statistics are those of NumPy, SciPy and pingouin', async () => {
  const { statistics } = await run();
  const { subscales, items, scores, orderEffects } = statistics;
  expect(scores.map(({ score, band }) => [score, band])).toEqual(
    [21, 18, 10, 9, 7, 12, 9, 9, 14, 13, 5, 19].map((score) => [score, score <= 12 ? 'low' : 'high']),
  );
  const [{ score, sd, lowest, highest, alpha }] = subscales as [(typeof subscales)[number]];
  near(score.value, 12.166_666_666_666_666);
  near(score.ci!.low, 9.370_543_581_690_153);
  near(score.ci!.high, 15.544_756_977_735_133);
  near(sd, 5.006_056_937_411_525);
  expect([score.n, lowest, highest, subscales[0]!.band]).toEqual([12, 5, 21, 'low']);
  near(alpha.value, 0.816_203_143_893_591_3);
  near(alpha.ci!.low, 0.576_987_132_587_922_9);
  near(alpha.ci!.high, 0.939_654_113_852_593_8);
  for (const [at, [mean, sdOf, rest, without]] of [
    [2.333_333_333_333, 0.887_625_364_598_6, 0.055_997_480_170_1, 0.890_021_231_422_5],
    [2.333_333_333_333, 1.230_914_909_793_3, 0.747_327_948_034_7, 0.740_462_789_243_3],
    [2.666_666_666_667, 1.435_481_125_130_5, 0.761_466_961_051_6, 0.728_778_467_908_9],
    [2.333_333_333_333, 1.302_677_894_557_9, 0.753_723_995_441_1, 0.735_275_080_906_1],
    [2.5, 1.623_688_281_772, 0.726_162_217_039_8, 0.743_362_831_858_4],
  ].entries()) {
    const row = items[at]!;
    expect([row.item, row.n, row.reversed]).toEqual([`W${at}`, 12, REVERSED[at]]);
    near(row.mean, mean!);
    near(row.sd, sdOf!);
    near(row.restCorrelation, rest!);
    near(row.alphaWithout, without!);
  }
  const [raw, scored] = orderEffects.differences;
  near(raw!.value, -0.2);
  near(raw!.ci!.low, -1.706_583_837_490_819_5);
  near(raw!.ci!.high, 1.365_703_214_880_451);
  near(raw!.pValue, 0.749_267_471_948_320_9);
  near(scored!.value, 3);
  near(scored!.ci!.low, -4.157_224_640_535_064);
  near(scored!.ci!.high, 9.448_940_508_843_418);
  near(scored!.pValue, 0.310_945_132_442_740_7);
  near(orderEffects.changed.value, 0.8);
  near(orderEffects.changed.ci!.low, 0.375_534_629_762_525_3);
  near(orderEffects.changed.ci!.high, 0.963_775_891_367_569_8);
  near(orderEffects.disagreement.value, 0.751_515_151_515_151_4);
  near(orderEffects.disagreement.ci!.low, 0.679_915_595_054_112_4);
  near(orderEffects.disagreement.ci!.high, 0.811_538_036_868_273_1);
});

test('a row has its item, order, prompt, text, answer and the probabilities by value', async () => {
  await run({ orders: 2 });
  const rows = rowsOf('rows.csv');
  expect(rows).toHaveLength(10);
  expect(rows[1]).toMatchObject({
    id: 'W1__1',
    item: 'W1',
    order: '1',
    listed: '1 2 3 4 5',
    answer: 'strongly disagree',
    position: '1',
    value: '1',
    score: '5',
    refused: 'false',
    text: 'A',
    reading: 'ok',
    textAnswer: 'strongly disagree',
  });
  expect(rows[1]!.promptSha256).toMatch(/^[0-9a-f]{64}$/);
  expect(rows[6]).toMatchObject({ id: 'W1__2', listed: '5 4 3 2 1', score: '4', position: '4' });
  near(Number(rows[1]!.probabilities1), 0.97);
  near(Number(rows[1]!.probabilities5), 0.0075);
  near(Number(rows[1]!.letterMass), 1);
  // Reversed: 5 at the lowest answer.
  near(Number(rows[1]!.expectedScore), 0.97 * 5 + 0.0075 * (4 + 3 + 2 + 1));
});

test('orders are the scale own, its reverse, then others by the seed, each once', async () => {
  const scale = await loadScale(join(cwd, 'words.yaml'));
  const listed = (seed: number, orders: number) => {
    const { cases } = planQuestionnaire({ scale, seed, orders });
    return cases
      .filter(({ item }) => item === 'W0')
      .map(({ answers }) => answers.map(({ value }) => value).join(''));
  };
  const all = listed(0, 120);
  expect(all.slice(0, 2)).toEqual(['12345', '54321']);
  expect(new Set(all).size).toBe(120);
  expect(listed(0, 9)).toEqual(all.slice(0, 9));
  expect(listed(1, 9)).not.toEqual(all.slice(0, 9));
  const few = planQuestionnaire({ scale: { ...scale, responses: scale.responses.slice(0, 2) }, orders: 7 });
  expect([few.orders, few.notes]).toEqual([2, ['scale words: 2 answers have 2 orders, and all are asked']]);
});

describe('nothing that cannot be is printed as a number', () => {
  test('all answers the same: no alpha, no interval, reasons', async () => {
    const { statistics, notes } = await run({
      backend: planted((asked) => letterOf(asked, 'neutral')).backend,
    });
    const [{ score, alpha }] = statistics.subscales as [(typeof statistics.subscales)[number]];
    expect([score.value, score.ci, score.reason]).toEqual([15, null, expect.stringContaining('equal')]);
    expect([alpha.value, alpha.ci, alpha.reason]).toEqual([
      null,
      null,
      'all orders have the same values, so that nothing varies',
    ]);
    expect(statistics.items.map(({ restCorrelation }) => restCorrelation)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(notes).toContainEqual(expect.stringContaining('the answer is the same in all 60 rows'));
    for (const name of readdirSync(out)) expect(read(name), name).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('always the last place: the order moves every answer by the whole width', async () => {
    const { statistics, notes } = await run({ backend: planted(() => 'E').backend });
    const { differences, changed, positions } = statistics.orderEffects;
    expect([differences[0]!.value, differences[0]!.ci, changed.value]).toEqual([4, null, 1]);
    // Three items as they are and two turned round.
    expect(differences[1]!.value).toBe(4);
    expect(positions).toEqual([0, 0, 0, 0, 1]);
    expect(notes).toContainEqual(expect.stringContaining('place of the answer in the list'));
  });

  test('one order: scores, and why there is nothing else', async () => {
    const { statistics } = await run({ orders: 1 });
    const [{ score, alpha }] = statistics.subscales as [(typeof statistics.subscales)[number]];
    expect([score.value, score.ci, alpha.value]).toEqual([21, null, null]);
    expect(alpha.reason).toBe('only 1 complete order; alpha needs at least 2');
    expect(statistics.orderEffects.differences[0]!.reason).toBe('the reverse order was not asked');
  });

  test('an item that is never answered leaves scores, alpha and differences without a number', async () => {
    const text = (asked: Item) => (asked.item === 2 ? "I'm an AI and cannot answer this." : byScores(asked));
    const { statistics } = await run({ backend: planted(byScores, { text }).backend, answer: 'text' });
    expect(statistics.subscales[0]).toMatchObject({
      score: { value: null, n: 0, reason: 'no order has an answer to every item' },
      alpha: { value: null },
    });
    expect(statistics.refused.value).toBe(12 / 60);
    expect(statistics.items[2]).toMatchObject({ n: 0, mean: null, refused: 1, unparsed: 0 });
    expect(statistics.items[1]).toMatchObject({ n: 12, refused: 0 });
    expect(statistics.orderEffects.differences[1]!.reason).toContain('1 of the items');
    expect(statistics.orderEffects.differences[0]!.n).toBe(4);
  });
});

test('texts: refusals, what is no answer, labels in any spelling; letters count beside them', async () => {
  const said = [
    "I'm an AI and cannot answer this.",
    'Tuesday',
    'Always.',
    'The answer is B.',
    '**disagree**',
  ];
  const text = ({ item }: Item) => said[item]!;
  const { statistics } = await run({ backend: planted(byScores, { text }).backend, orders: 1 });
  const rows = rowsOf('rows.csv');
  expect(rows.map(({ textAnswer, reading, refused }) => [textAnswer, reading, refused])).toEqual([
    ['', 'refusal', 'true'],
    ['', 'no_answer', 'false'],
    ['strongly agree', 'ok', 'false'],
    ['disagree', 'ok', 'false'],
    ['disagree', 'ok', 'false'],
  ]);
  expect(statistics.counts).toMatchObject({ cases: 5, ok: 5, answered: 5 });
  expect([statistics.refused.value, statistics.unparsed.value]).toEqual([0.2, 0.2]);
  // By letters: agree at W2 and strongly agree, agree at W3 and disagree, strongly disagree at W4 and disagree.
  expect([statistics.agreement!.value, statistics.agreement!.n]).toEqual([1 / 3, 3]);
});

describe('a run that broke', () => {
  const files = [
    'rows.jsonl',
    'rows.csv',
    'scores.csv',
    'items.csv',
    'reliability.csv',
    'order_effects.csv',
    'metrics.json',
  ];

  test.each([
    [false, 1],
    [false, 3],
    [true, 1],
    [true, 4],
  ])(
    'is resumed (in one chat: %s, after %i windows) with the files of one that did not',
    async (inContext, broken) => {
      const model = planted(byList);
      await run({ out: join(cwd, 'list'), inContext, backend: model.backend });
      const first = planted(byList, { broken });
      expect((await faultOf(run({ inContext, backend: first.backend }))).code).toBe('engine_failed');
      expect(JSON.parse(read('manifest.json'))).toMatchObject({ status: 'failed' });
      appendFileSync(join(out, 'rows.jsonl'), '{"row":99,"id":"W');
      const second = planted(byList);
      const { statistics } = await run({ inContext, backend: second.backend, resume: true });
      expect(statistics.counts).toMatchObject({ cases: 60, ok: 60 });
      expect(first.asked.length + second.asked.length).toBe(120);
      for (const name of files) expect(read(name), name).toBe(read(name, join(cwd, 'list')));
      const third = planted(byList);
      await run({ inContext, backend: third.backend, resume: true });
      expect(third.asked).toEqual([]);
    },
  );

  test.each([
    [false, 2, 112],
    [false, 1, 120],
    [true, 1, 120],
    [true, 6, 80],
  ])(
    'asks what failed again, with what followed it (in one chat: %s, in window %i)',
    async (inContext, failing, again) => {
      await run({ out: join(cwd, 'list'), inContext, backend: planted(byList).backend });
      const model = planted(byList);
      let windows = 0;
      const backend: Backend = {
        ...model.backend,
        async observeWindow(...given) {
          const observed = await model.backend.observeWindow(...given);
          windows += 1;
          if (windows !== failing) return observed;
          const failure = { request: 1, code: 'context_overflow', message: 'too long', data: {} } as const;
          return { ...observed, failures: [failure] };
        },
      };
      const { statistics, firstFailure } = await run({ backend, inContext });
      expect([statistics.counts.failed, firstFailure]).toEqual([1, 'too long']);
      expect(rowsOf('rows.csv').find(({ status }) => status === 'failed')).toMatchObject({
        reason: 'context_overflow',
      });
      // Stopped once more, it is resumed from the same place.
      const broken = planted(byList, { broken: 0 });
      expect((await faultOf(run({ backend: broken.backend, inContext, resume: true }))).code).toBe(
        'engine_failed',
      );
      const second = planted(byList);
      const { manifest } = await run({ backend: second.backend, inContext, resume: true });
      expect(second.asked).toHaveLength(again);
      const whole = JSON.parse(read('manifest.json', join(cwd, 'list')));
      expect(manifest.promptsSha256).toBe(whole.promptsSha256);
      expect(readdirSync(out).toSorted()).toEqual(readdirSync(join(cwd, 'list')).toSorted());
      for (const name of files) expect(read(name), name).toBe(read(name, join(cwd, 'list')));
    },
  );

  test('is not resumed with other settings, nor taken without resume', async () => {
    await run();
    expect((await faultOf(run())).code).toBe('output_exists');
    for (const [change, key] of [
      [{ orders: 3 }, 'orders'],
      [{ inContext: true }, 'inContext'],
      [{ instructions: 'Say.' }, 'system'],
      [{ answer: 'text' }, 'answer'],
    ] as const) {
      const error = await faultOf(run({ ...change, resume: true }));
      expect([error.code, error.data.key]).toEqual(['bad_argument', `option ${key}`]);
    }
  });
});

/** By what is listed, so that it is the same in any process. */
function byList(asked: Item): string {
  return 'ABCDE'[(asked.item + LABELS.indexOf(asked.listed[0]!)) % 5]!;
}

test('in one chat an item stands behind the answers before it; items are shuffled by the order', async () => {
  const model = planted(byList);
  await run({ inContext: true, orders: 3, backend: model.backend });
  const rows = rowsOf('rows.csv');
  const of = (order: string) => rows.filter((row) => row.order === order).map(({ item }) => item);
  expect(of('1')).toEqual(['W0', 'W1', 'W2', 'W3', 'W4']);
  expect(of('2')).not.toEqual(of('1'));
  expect(of('2').toSorted()).toEqual(of('1'));
  const chats = model.asked.filter(({ kind }) => kind === 'generate') as unknown as {
    prompt: { messages: { role: string; content: string }[] };
  }[];
  const last = chats.at(-3)!.prompt.messages;
  expect(last.map(({ role }) => role)).toEqual([
    'system',
    ...Array(4).fill(['user', 'assistant']).flat(),
    'user',
  ]);
  const own = rows.filter(({ order }) => order === '1');
  expect(last.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual(
    own.slice(0, 4).map(({ position }) => 'ABCDE'[Number(position) - 1]),
  );
});

test('a scale without wording, and a subscale that is none, are refused before anything is asked', async () => {
  const prca = await loadScale('prca-24');
  const error = await faultOf(run({ scale: prca }));
  expect([error.code, error.message]).toEqual([
    'bad_argument',
    expect.stringContaining('no wording of the items Q1'),
  ]);
  expect((await faultOf(run({ subscales: ['x'] }))).message).toContain('no subscale "x"');
});

test('the shipped scale that can be asked scores as published: four items a trait, their sum', async () => {
  const scale = await loadScale('mini-ipip');
  const { statistics, questionnaire } = await run({
    scale,
    backend: openMock('mock:scale'),
    orders: 2,
  });
  expect(questionnaire.items).toHaveLength(20);
  expect(Object.values(scale.items).filter(({ reversed }) => reversed)).toHaveLength(11);
  expect(statistics.scores).toHaveLength(10);
  expect(statistics.subscales.map(({ min, max }) => [min, max])).toEqual(Array(5).fill([4, 20]));
});

test('a model behind an endpoint is read by its texts, and nothing is asked twice', async () => {
  await using server = await LoopbackServer.start({
    brain: ({ body }) => ({
      text: String(body.messages!.at(-1)!.content).includes('number 3') ? 'I cannot answer that.' : 'B',
    }),
  });
  const answers = join(cwd, 'answers.jsonl');
  const open = () =>
    openAny('openai:m', { endpoint: { baseUrl: server.url, answers, attempts: 1, probe: 'needed' } });
  const stop = new AbortController();
  const first = await open();
  const stopped = run({
    ...first,
    signal: stop.signal,
    onProgress: ({ rows }) => {
      if (rows > 3) stop.abort();
    },
  });
  expect((await faultOf(stopped)).code).toBe('cancelled');
  await first.backend.close();
  const again = await open();
  const { statistics, manifest, asking } = await run({ ...again, resume: true });
  const letters = await faultOf(run({ ...again, out: join(cwd, 'letters'), answer: 'letters' }));
  await again.backend.close();
  expect(asking).toMatchObject({ answer: 'text', letters: false, chat: true });
  expect(manifest.usage!.asked.requests).toBeGreaterThan(0);
  expect([statistics.agreement, statistics.letterMass]).toEqual([null, null]);
  expect(statistics.counts).toMatchObject({ cases: 60, ok: 60, answered: 48 });
  expect(statistics.refused.value).toBe(0.2);
  expect(letters.code).toBe('not_supported');
  const asked = server.requests
    .map(({ body }) => JSON.stringify(body.messages))
    .filter((messages) => messages.includes('Statement'));
  expect([asked.length, new Set(asked).size]).toEqual([60, 60]);
});

const stories = sharedFile('models/stories260K.gguf');
describe.skipIf(stories === null)('a real model', () => {
  test('the probabilities are those of its own next tokens; a run that broke has the files of one that did not', async () => {
    await using backend = await openModel(stories!, { threads: 1, device: 'cpu', mode: 'exact' });
    const scale = await loadScale(join(cwd, 'words.yaml'));
    const whole = join(cwd, 'whole');
    const { questionnaire, asking } = await run({ backend, orders: 3, out: whole, maxTokens: 4 });
    expect(asking).toMatchObject({ chat: false, answer: 'letters', letters: true });
    const prompt = `${questionnaire.system}\n\n${questionnaire.cases[0]!.text}\n\nAnswer:`;
    const start = (await backend.tokenizer.tokenize(prompt)).length;
    const masses: number[] = [];
    for (const letter of 'ABCDE') {
      const text = `${prompt} ${letter}`;
      const ids = await backend.tokenizer.tokenize(text);
      const tail = [...ids.keys()].slice(start);
      const measure = { groups: tail.map((at) => ids.slice(at, at + 1)), topK: 0, pairTopK: [] };
      const positions = tail.map((at) => at - 1);
      const { rows } = await backend.observeWindow([{ kind: 'probe', text, positions }], measure);
      masses.push(tail.reduce((product, _, at) => product * rows.masses[at * tail.length + at]!, 1));
    }
    const sum = masses.reduce((total, mass) => total + mass, 0);
    const [row] = rowsOf('rows.csv', whole) as [Record<string, string>];
    // Float32 logits: a probability has some six digits.
    for (const [at, mass] of masses.entries()) {
      expect(Number(row[`probabilities${at + 1}`]) / (mass / sum)).toBeCloseTo(1, 5);
    }
    expect(Number(row.letterMass) / sum).toBeCloseTo(1, 5);
    let windows = 0;
    const breaking: Backend = Object.create(backend, {
      observeWindow: {
        value: (...given: Parameters<Backend['observeWindow']>) => {
          windows += 1;
          if (windows > 2) throw new AuditError('engine_failed', 'gone');
          return backend.observeWindow(...given);
        },
      },
      info: { value: backend.info },
      tokenizer: { value: backend.tokenizer },
      chatTemplate: { value: backend.chatTemplate },
      threads: { value: backend.threads },
      refusal: { value: (request: ObserveRequest) => backend.refusal?.(request) ?? null },
      prepare: { value: undefined },
      describeChats: { value: undefined },
      usage: { value: undefined },
    });
    await faultOf(run({ scale, backend: breaking, orders: 3, maxTokens: 4 }));
    await run({ scale, backend, orders: 3, maxTokens: 4, resume: true });
    for (const name of ['rows.jsonl', 'scores.csv', 'metrics.json'])
      expect(read(name)).toBe(read(name, whole));
  });
});
