/** Chats as prompts of requests, on models that have a template: held against texts that were rendered by hand. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LocalModel, openModel } from '../../src/model/index.ts';
import { WorkerSession } from '../../src/native/worker/host.ts';
import type { Observations, ObserveRequest } from '../../src/observation/observation.ts';
import type { ChatMessage, ChatPrompt } from '../../src/prompt/index.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { faultOf } from '../fault.ts';
import { MARKED } from '../native/children/paths.ts';
import { BRACKETS, CHATML, HEADERS, SWITCHED, THINKING } from '../prompt/templates.ts';
import { BOS, CONTROL_TOKENS, chatModel, idOf } from './chat-model.ts';

const MEASURE = { groups: [Int32Array.of(70, 71), Int32Array.of(72)], topK: 3, pairTopK: [4] };
/** What the shape of a batch may change in a row. */
const BATCH_SHAPE = 1e-5;
const BRIEFLY = '<|im_start|>system\nYou answer briefly.<|im_end|>\n';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const chat = (content: string, options: Partial<ChatPrompt> = {}): ChatPrompt => ({
  messages: [user(content)],
  ...options,
});
const chatml = (content: string, answer = '') =>
  `${BRIEFLY}<|im_start|>user\n${content}<|im_end|>\n<|im_start|>assistant\n${answer}`;
const headers = (content: string) =>
  '<s><|start_header_id|>system<|end_header_id|>\n\nDate: 01 Feb 2003\n<|eot_id|>' +
  `<|start_header_id|>user<|end_header_id|>\n\n${content}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n`;
const thinking = (content: string, answer: string) => `<|user|>${content}<|end|>\n<|assistant|>${answer}`;

/** A template, a request with chats, and the same request as somebody would write it who knows the template. */
const ALIKE: [name: string, template: string, asked: ObserveRequest, byHand: ObserveRequest][] = [
  [
    'a probe in ChatML',
    CHATML,
    { kind: 'probe', text: chat('Who?'), positions: 'all' },
    { kind: 'probe', text: chatml('Who?'), positions: 'all' },
  ],
  [
    'a pair in ChatML, prefilled',
    CHATML,
    {
      kind: 'pair',
      text: chat('Is she in?', { assistantPrefill: 'Yes, ' }),
      textSwap: chat('Is he in?', { assistantPrefill: 'Yes, ' }),
      steps: 'aligned',
    },
    {
      kind: 'pair',
      text: chatml('Is she in?', 'Yes, '),
      textSwap: chatml('Is he in?', 'Yes, '),
      steps: 'aligned',
    },
  ],
  [
    'a score in ChatML',
    CHATML,
    { kind: 'score', prompt: chat('Who?'), continuations: ['She.', 'He was.'] },
    { kind: 'score', prompt: chatml('Who?'), continuations: ['She.', 'He was.'] },
  ],
  [
    'a probe under headers, whose template writes BOS',
    HEADERS,
    { kind: 'probe', text: chat('Who?') },
    { kind: 'probe', text: headers('Who?') },
  ],
  [
    'a score under headers',
    HEADERS,
    { kind: 'score', prompt: chat('Who?'), continuations: ['She', 'He'] },
    { kind: 'score', prompt: headers('Who?'), continuations: ['She', 'He'] },
  ],
  [
    'a probe inside a thought',
    THINKING,
    { kind: 'probe', text: chat('Who?') },
    { kind: 'probe', text: thinking('Who?', '<think>\n') },
  ],
  [
    'a score behind a thought that was closed',
    THINKING,
    { kind: 'score', prompt: chat('Who?', { closeThink: true }), continuations: ['She'] },
    { kind: 'score', prompt: thinking('Who?', '<think>\n\n</think>\n\n'), continuations: ['She'] },
  ],
  [
    'a probe with a variable of the template',
    SWITCHED,
    { kind: 'probe', text: chat('Who?', { extra: { enable_thinking: false } }) },
    {
      kind: 'probe',
      text: '<|im_start|>user\nWho?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
    },
  ],
  [
    'a chat as it is, answer and EOS included',
    BRACKETS,
    {
      kind: 'probe',
      text: { messages: [user('Who?'), { role: 'assistant', content: 'She.' }], addGenerationPrompt: false },
    },
    { kind: 'probe', text: '<s>[INST] Who? [/INST] She.</s>' },
  ],
];

/** All but what was told of chats. */
const told = ({ asked, ...rest }: Observations) => ({
  ...rest,
  asked: asked.map((request) => request && { texts: request.texts, special: request.special }),
});

/** Ids of one observed text. */
function tokensOf({ sequences: { ids, offsets } }: Observations, sequence: number): number[] {
  return [...ids.subarray(offsets[sequence], offsets[sequence + 1])];
}

describe.each([true, false])('chats, inProcess: %s', (inProcess) => {
  const open = (template: string | null, options = {}) =>
    openModel(chatModel(template, options), { inProcess, threads: 1 });

  for (const [name, template, asked, byHand] of ALIKE) {
    it(`gives the rows of the text that is rendered by hand: ${name}`, async () => {
      await using model = await open(template);
      const found = await model.observeWindow([asked], MEASURE);
      const expected = await model.observeWindow([{ ...byHand, special: true }], MEASURE);
      expect(found.failures).toEqual([]);
      expect(found.rows.rows + found.scores.scores).toBeGreaterThan(0);
      expect(told(found)).toEqual(told(expected));
    });
  }

  it('puts BOS in front once, whoever writes it, and reads special tokens as such', async () => {
    const cases: [template: string, addsBos: boolean, count: number][] = [
      [CHATML, true, 1],
      [CHATML, false, 0],
      [HEADERS, true, 1],
      [HEADERS, false, 1],
    ];
    for (const [template, addsBos, count] of cases) {
      await using model = await open(template, { addsBos });
      const observed = await model.observeWindow(
        [
          { kind: 'probe', text: chat('Who?') },
          { kind: 'score', prompt: chat('Who?'), continuations: ['She'] },
        ],
        {},
      );
      for (const ids of [tokensOf(observed, 0), tokensOf(observed, 1)]) {
        expect(ids.filter((id) => id === BOS).length).toBe(count);
        expect(ids.indexOf(BOS)).toBe(count - 1);
        // system, user and assistant
        const turn = idOf(template === CHATML ? '<|im_start|>' : '<|start_header_id|>');
        expect(ids.filter((id) => id === turn).length).toBe(3);
        expect(ids).not.toContain(idOf('<unk>'));
      }
    }
  });

  it('tells what was asked, and what rendering told of it', async () => {
    await using model = await open(THINKING);
    const { asked } = await model.observeWindow(
      [
        { kind: 'pair', text: chat('Who?'), textSwap: chat('What?', { closeThink: true }) },
        { kind: 'score', prompt: 'Who?', continuations: [' She', ' He'] },
      ],
      {},
    );
    expect(asked).toMatchObject([
      {
        texts: [thinking('Who?', '<think>\n'), thinking('What?', '<think>\n\n</think>\n\n')],
        special: true,
        chats: [
          { thinkOpen: true, thinkClosed: false, templateSha256: model.chatTemplate!.sha256 },
          { thinkOpen: false, thinkClosed: true },
        ],
      },
      { texts: ['Who?', ' She', ' He'], special: false, chats: [] },
    ]);
  });

  it('a request that cannot be rendered is a failure of its own, and the others have their rows', async () => {
    await using model = await open(BRACKETS);
    const good: ObserveRequest[] = [
      { kind: 'probe', text: chat('Who?') },
      { kind: 'pair', text: chat('Is she?'), textSwap: chat('Is he?'), steps: 'aligned' },
      { kind: 'score', prompt: chat('Who?'), continuations: ['She', 'He was'] },
      { kind: 'probe', text: chat('w'.repeat(600)) },
      { kind: 'probe', text: 'Who?' },
    ];
    const refused: [ObserveRequest, code: string, message: string][] = [
      [
        { kind: 'probe', text: { messages: [user('Who?'), { role: 'tool', content: 'She.' }] } },
        'template_failed',
        'Only user and assistant speak here',
      ],
      [{ kind: 'probe', text: chat('Who?</s>') }, 'bad_argument', '"</s>"'],
      [
        { kind: 'pair', text: chat('Who?'), textSwap: { messages: [] } },
        'bad_argument',
        'at least one message',
      ],
      [
        { kind: 'score', prompt: chat('Who?'), continuations: ['She', '</s>'] },
        'bad_argument',
        'continuation 2 holds "</s>"',
      ],
    ];
    const [g, r] = [good, refused.map(([request]) => request)];
    const window = [r[0]!, g[0]!, g[1]!, r[1]!, r[2]!, g[2]!, g[3]!, r[3]!, g[4]!];
    const places = [1, 2, 5, 6, 8];
    const found = await model.observeWindow(window, MEASURE);
    const alone = await model.observeWindow(good, MEASURE);

    expect(found.requests).toBe(9);
    expect(found.failures.map(({ request }) => request)).toEqual([0, 3, 4, 6, 7]);
    const failures = new Map(found.failures.map((failure) => [failure.request, failure]));
    for (const [index, place] of [0, 3, 4, 7].entries()) {
      expect(failures.get(place)!.code).toBe(refused[index]![1]);
      expect(failures.get(place)!.message).toContain(refused[index]![2]);
      expect(found.asked[place]).toBeNull();
    }
    expect(failures.get(6)).toMatchObject({ code: 'context_overflow', data: { context: 512 } });
    for (const table of ['rows', 'pairs', 'scores', 'sequences'] as const) {
      const moved = alone[table].request.map((request) => places[request]!);
      expect(moved.length).toBeGreaterThan(0);
      expect(found[table]).toEqual({ ...alone[table], request: moved });
    }
    expect(places.map((place) => found.asked[place])).toEqual(alone.asked);
  });

  it('is observed by the window, like any other request', async () => {
    await using model = await open(CHATML);
    const requests = Array.from({ length: 150 }, (_, index): ObserveRequest => {
      if (index % 50 === 49) return { kind: 'probe', text: chat('<s>') };
      return { kind: 'probe', text: index % 2 ? chat('Who?') : chatml('Who?'), special: index % 2 === 0 };
    });
    const windows: Observations[] = [];
    for await (const window of model.observe(requests, MEASURE)) windows.push(window);
    expect(windows.map(({ failures }) => failures.map(({ request }) => request))).toEqual([[49, 99], [21]]);
    for (const { rows, failures, requests: asked } of windows) {
      expect(rows.rows).toBe(asked - failures.length);
      expect(Math.max(...rows.entropy) - Math.min(...rows.entropy)).toBeLessThan(BATCH_SHAPE);
    }
    const stopped = model.observeWindow(requests, MEASURE, { signal: AbortSignal.abort() });
    expect((await faultOf(stopped)).code).toBe('cancelled');
  });

  it('cannot be asked of a model without a template, or with one that is none', async () => {
    const broken = '{% for m in messages %}';
    for (const [template, code, part] of [
      [null, 'no_chat_template', 'has no chat template; give its prompts as plain text'],
      [' \n', 'no_chat_template', 'has no chat template'],
      [broken, 'template_failed', 'cannot be parsed'],
    ] as const) {
      await using model = await open(template);
      const requests: ObserveRequest[] = [
        { kind: 'probe', text: chat('Who?') },
        { kind: 'probe', text: 'Who?' },
        { kind: 'score', prompt: chat('Who?'), continuations: ['She'] },
      ];
      const { rows, failures } = await model.observeWindow(requests, {});
      expect([...rows.request]).toEqual([1]);
      expect(failures.map((failure) => [failure.request, failure.code])).toEqual([
        [0, code],
        [2, code],
      ]);
      expect(failures[0]!.message).toContain(model.info.path);
      expect(failures[0]!.message).toContain(part);
    }
  });
});

describe('a chat that would measure the wrong thing', () => {
  const score = (prompt: ChatPrompt): ObserveRequest => ({ kind: 'score', prompt, continuations: ['She'] });

  it('is not scored inside a thought', async () => {
    await using model = await openModel(chatModel(THINKING), { inProcess: true, threads: 1 });
    const { failures, scores } = await model.observeWindow(
      [
        score(chat('Who?')),
        score(chat('Who?', { closeThink: true })),
        score({ messages: [user('Who?')], assistantPrefill: '' }),
      ],
      {},
    );
    expect(failures.map(({ request, code }) => [request, code])).toEqual([[0, 'think_open']]);
    expect(failures[0]!.data).toEqual({ templateSha256: model.chatTemplate!.sha256 });
    expect(new Set(scores.request)).toEqual(new Set([1, 2]));

    await using switched = await openModel(chatModel(SWITCHED), { inProcess: true, threads: 1 });
    const prefilled = ['<think>\nIt is', '<think>\nIt is her.\n</think>\n\n'].map((assistantPrefill) =>
      score(chat('Who?', { assistantPrefill })),
    );
    const observed = await switched.observeWindow(prefilled, {});
    expect(observed.failures.map(({ request, code }) => [request, code])).toEqual([[0, 'think_open']]);
  });

  it('does not begin with BOS twice: white space in front of it is refused where the model puts one there', async () => {
    const spaced = '\n{{ bos_token }}{{ messages[0].content }}';
    const twice = '{{ bos_token + bos_token }}{{ messages[0].content }}';
    const request: ObserveRequest = { kind: 'probe', text: chat('Who?') };
    for (const [template, part] of [
      [spaced, 'white space in front of <s>'],
      [twice, 'writes <s> twice'],
    ] as const) {
      await using model = await openModel(chatModel(template), { inProcess: true, threads: 1 });
      const { failures } = await model.observeWindow([request], {});
      expect(failures).toMatchObject([{ code: 'template_failed', message: expect.stringContaining(part) }]);
    }
    await using without = await openModel(chatModel(spaced, { addsBos: false }), {
      inProcess: true,
      threads: 1,
    });
    const observed = await without.observeWindow([request], {});
    expect(tokensOf(observed, 0).filter((id) => id === BOS).length).toBe(1);
  });
});

describe('a request with chats is refused', () => {
  const right: ObserveRequest = { kind: 'probe', text: chat('Who?') };
  const cases: [name: string, request: unknown, key: string, part: string][] = [
    ['that calls them rendered', { ...right, special: true }, 'special', 'rendered by the model'],
    [
      'beside a text',
      { kind: 'pair', text: chat('Who?'), textSwap: 'Who?' },
      'text, textSwap',
      'two texts or two chats',
    ],
    ['without messages', { kind: 'probe', text: { assistantPrefill: 'x' } }, 'text.messages', 'array'],
    ['with messages that are none', { kind: 'probe', text: { messages: 'x' } }, 'text.messages', 'array'],
    [
      'with an option of no kind',
      { kind: 'probe', text: chat('x', { now: 7 as never }) },
      'text.now',
      'date',
    ],
    [
      'with an unknown option',
      { kind: 'score', prompt: { ...chat('x'), seed: 1 }, continuations: ['y'] },
      'prompt',
      'seed',
    ],
    ['with a number in its place', { kind: 'probe', text: 7 }, 'text', 'a text, or a chat'],
  ];
  for (const [name, request, key, part] of cases) {
    it(name, async () => {
      await using model = await openModel(chatModel(CHATML), { inProcess: true, threads: 1 });
      const error = await faultOf(model.observeWindow([right, request as ObserveRequest], {}));
      expect([error.code, error.data]).toEqual(['bad_argument', { request: 1, key }]);
      expect(error.message).toContain(part);
    });
  }
});

describe('a model tells its template and its control tokens', () => {
  it('the template with its hash, and the texts that only special tokens have', async () => {
    await using model = await openModel(chatModel(CHATML), { threads: 1 });
    const sha256 = createHash('sha256').update(CHATML).digest('hex');
    expect(model.chatTemplate).toEqual({ source: CHATML, sha256 });
    expect(model.info).toMatchObject({ bosText: '<s>', eosText: '</s>', controlTokens: CONTROL_TOKENS });
    // Each of them, and nothing else of the specials, is another token with `special`.
    for (const text of [...CONTROL_TOKENS, '<think>', 'x']) {
      const [plain, special] = [
        await model.tokenize(text, { bos: false }),
        await model.tokenize(text, { bos: false, special: true }),
      ];
      expect([...plain].join() !== [...special].join(), text).toBe(CONTROL_TOKENS.includes(text));
    }
    await using planted = await openModel((await plantedFiles()).model, { threads: 1 });
    expect(planted.chatTemplate).toBeNull();
    expect(planted.info.controlTokens).toEqual(['<unk>', '<s>', '</s>']);
  });
});

describe('a crash', () => {
  it('costs the chat that caused it, beside those that could not be rendered', async () => {
    const path = chatModel(CHATML);
    const session = await WorkerSession.open(path, { threads: 1 }, { entry: MARKED });
    await using model = new LocalModel([session]);
    const requests = ['Who?', '<s>', 'ABORT', 'What?'].map(
      (content): ObserveRequest => ({ kind: 'probe', text: chat(content) }),
    );
    const { rows, failures, asked } = await model.observeWindow(requests, {});
    expect([...rows.request]).toEqual([0, 3]);
    expect(failures.map(({ request, code }) => [request, code])).toEqual([
      [1, 'bad_argument'],
      [2, 'engine_crash'],
    ]);
    expect(asked.map((request) => request?.texts)).toEqual([
      [chatml('Who?')],
      undefined,
      [chatml('ABORT')],
      [chatml('What?')],
    ]);
  });
});
