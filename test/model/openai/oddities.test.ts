/**
 * Everything that servers do otherwise, by every way of asking and streamed or not: what was paid for counts, what concerns one
 * row costs one row and one request, an endpoint that answers is not down, and the provider's words arrive.
 */
import { describe, expect, it } from 'vitest';
import type { Oddity } from '../../server/draft.ts';
import {
  asked,
  byteByByte,
  choice,
  content,
  data,
  fields,
  finish,
  headers,
  instead,
  message,
  refuse,
  when,
  wire,
} from '../../server/oddities.ts';
import { ask, KEY, observe, openLoopback, textsOf } from './world.ts';

const TEXT = 'The answer is “é 日 😀”.';
/** More than it takes for an endpoint to count as down. */
const MANY = 17;
const FEW = 2;
const WAYS = (['chat', 'completions'] as const).flatMap((api) =>
  [false, true].map((stream) => ({ api, stream })),
);
const chats = WAYS.filter(({ api }) => api === 'chat');
const whole = WAYS.filter(({ stream }) => !stream);
const streams = WAYS.filter(({ stream }) => stream);

interface Expected {
  /** Default: as it is without the oddity. */
  readonly text?: string;
  readonly finish?: string;
  readonly note?: RegExp;
  readonly reasoning?: string;
  /** The row fails with this. */
  readonly fails?: RegExp;
  /** How often each row is asked. Default: once. */
  readonly attempts?: number;
  readonly ways?: typeof WAYS;
}

const logprobs = (value: unknown) => choice((own) => ({ ...own, logprobs: value }));
const whenEnded = (change: (own: Record<string, unknown>) => Record<string, unknown>) =>
  choice((own) => (own.finish_reason === null ? own : change(own)));
const noText = content(() => '');
const eachPiece =
  (writePiece: (piece: unknown) => string, last = 'data: [DONE]\n\n'): Oddity =>
  (draft) => ({
    ...draft,
    writePiece,
    last,
  });

const CASES: readonly (readonly [name: string, oddities: readonly Oddity[], expected: Expected])[] = [
  ['nothing odd', [], {}],

  // What a message holds.
  ['parts of text', [content((text) => [{ type: 'text', text }])], {}],
  ['parts that are texts', [content((text) => [text])], {}],
  ['parts of another name', [content((text) => [{ type: 'output_text', text, annotations: [] }])], {}],
  ['parts without a type', [content((text) => [{ text }])], {}],
  ['one part alone', [content((text) => ({ type: 'text', text }))], {}],
  [
    'thoughts as a part, as Mistral has them',
    [
      message({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'A' },
        ],
      }),
      whenEnded((own) => ({ ...own, delta: {} })),
    ],
    { text: 'A', reasoning: 'hm', ways: chats.filter(({ stream }) => !stream) },
  ],
  [
    'thoughts in a text',
    [
      content((text) => [
        { type: 'reasoning', text: '' },
        { type: 'text', text },
      ]),
    ],
    {},
  ],
  [
    'a part of an unknown kind',
    [content(() => [{ type: 'reference', reference_ids: [1] }])],
    { fails: /something else than text: .*reference_ids/ },
  ],
  ['a number instead of a text', [content(() => 42)], { fails: /something else than text: 42/ }],
  [
    'an object instead of a text',
    [content(() => ({ answer: 'A' }))],
    { fails: /something else than text: .*"answer":"A"/ },
  ],
  ['true instead of a text', [content(() => true)], { fails: /something else than text: true/ }],
  [
    'a part that is null',
    [content((text) => [null, { type: 'text', text }])],
    { fails: /something else than text: null/ },
  ],
  ['a text that says null', [content((text) => (text === '' ? '' : 'n'))], { text: 'n', ways: whole }],
  ['reasoning beside the text', [message({ reasoning_content: 'hm' })], { ways: whole, reasoning: 'hm' }],
  [
    'reasoning by another name',
    [message({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] })],
    { ways: whole, reasoning: 'hm' },
  ],
  ['reasoning that is null', [message({ reasoning_content: null, refusal: null, tool_calls: null })], {}],
  [
    'only reasoning',
    [noText, message({ reasoning_content: 'so I think' })],
    { fails: /wrote thoughts \(\d+ characters\) and no answer/ },
  ],
  [
    'only reasoning, cut',
    [noText, message({ reasoning: 'hm' }), finish('length')],
    { fails: /no answer until the limit of tokens was reached/ },
  ],
  [
    'only reasoning, and null for the text',
    [content(() => null), message({ reasoning: 'hm' })],
    { fails: /no answer/, ways: chats },
  ],
  [
    'a refusal in its own field',
    [content(() => null), message({ refusal: 'I will not.' })],
    { text: 'I will not.', ways: chats.filter(({ stream }) => !stream) },
  ],
  [
    'a tool that is called',
    [content(() => null), message({ tool_calls: [{ id: '1' }] }), finish('tool_calls')],
    { fails: /called a tool/, ways: chats },
  ],
  [
    'a text and a tool',
    [message({ tool_calls: [{ id: '1' }] }), finish('tool_calls')],
    { note: /ended with "tool_calls"/ },
  ],

  // How it ended.
  ...[
    'eos',
    'STOP',
    'end_turn',
    'EOS_TOKEN',
    'FINISH_REASON_STOP',
    'FinishReason.STOP',
    'completed',
    'stop',
  ].map((word) => [`the end "${word}"`, [finish(word)], { finish: 'end' }] as const),
  ['the end by a stop text', [finish('stop_sequence')], { finish: 'stop' }],
  [
    'the stop text, as vLLM says it',
    [whenEnded((own) => ({ ...own, stop_reason: '###' }))],
    { finish: 'stop' },
  ],
  [
    'the stop token, as vLLM says it',
    [whenEnded((own) => ({ ...own, stop_reason: 128009 }))],
    { finish: 'end' },
  ],
  ...[
    'length',
    'max_tokens',
    'MAX_TOKENS',
    'FinishReason.MAX_TOKENS',
    'max_output_tokens',
    'model_length',
  ].map((word) => [`the cut "${word}"`, [finish(word)], { finish: 'length' }] as const),
  ['an end of an unknown word', [finish('because')], { finish: 'end', note: /ended with "because"/ }],
  ['an end that is a number', [finish(2)], { finish: 'end', note: /ended with "2"/ }],
  ['no word for the end', [finish(null)], { finish: 'end', note: /does not say how it ended/ }],
  ['an empty word for the end', [finish('')], { finish: 'end', note: /does not say how it ended/ }],
  [
    "the provider's word beside",
    [whenEnded((own) => ({ ...own, finish_reason: null, native_finish_reason: 'MAX_TOKENS' }))],
    { finish: 'length' },
  ],
  ['a filter', [finish('content_filter')], { fails: /filter held the answer back/ }],
  ['a filter by another word', [finish('SAFETY')], { fails: /filter held the answer back \(SAFETY\)/ }],
  [
    "Azure's filter",
    [
      content(() => null),
      whenEnded((own) => ({
        ...own,
        finish_reason: 'content_filter',
        content_filter_results: { hate: { filtered: true, severity: 'high' } },
      })),
    ],
    { fails: /"hate":\{"filtered":true/, ways: chats },
  ],
  [
    "Azure's marks on what it let through",
    [
      choice((own) => ({ ...own, content_filter_results: { hate: { filtered: false } } })),
      fields({ prompt_filter_results: [] }),
    ],
    {},
  ],

  // Where there is no answer.
  [
    'no choices',
    [data((value) => ({ ...value, choices: [] }))],
    { fails: /without an answer: it says no more/, ways: whole },
  ],
  [
    'choices that are null',
    [data((value) => ({ ...value, choices: null }))],
    { fails: /without an answer/, ways: whole },
  ],
  [
    'a prompt that is blocked, as Google says it',
    [data(() => ({ choices: [], promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }))],
    { fails: /PROHIBITED_CONTENT/ },
  ],
  [
    'a prompt that is blocked, without choices',
    [data(() => ({ promptFeedback: { blockReason: 'SAFETY' } }))],
    { fails: /SAFETY/ },
  ],
  [
    'a prompt that is blocked, as Azure says it',
    [
      data(() => ({
        choices: [],
        prompt_filter_results: [{ content_filter_results: { hate: { filtered: true } } }],
      })),
    ],
    { fails: /hate/ },
  ],
  [
    'a fault in a choice',
    [
      noText,
      whenEnded((own) => ({
        ...own,
        finish_reason: 'error',
        error: { message: 'upstream broke', code: 502 },
      })),
    ],
    { fails: /upstream broke/, attempts: 2 },
  ],

  // Faults under the status of an answer, and their words.
  [
    'a fault of the request',
    [instead({ error: { message: 'prompt is too odd', type: 'invalid_request_error' } })],
    { fails: /prompt is too odd/ },
  ],
  [
    'a fault with a status',
    [instead({ error: { message: 'flagged as hate', code: 403 } })],
    { fails: /\(403\): flagged as hate/ },
  ],
  ['a fault as a text', [instead({ error: 'model crashed' })], { fails: /model crashed/, attempts: 2 }],
  ['a fault in a list', [instead([{ error: { message: 'bad list', code: 400 } }])], { fails: /bad list/ }],
  [
    'a fault deep inside',
    [
      instead({
        error: { code: 400, message: 'Provider returned error', metadata: { raw: 'the true reason' } },
      }),
    ],
    { fails: /Provider returned error .*the true reason/ },
  ],
  [
    'a fault of an old vLLM',
    [instead({ object: 'error', message: 'too many words', type: 'BadRequestError', code: 400 })],
    { fails: /too many words/ },
  ],
  ['a fault that is null beside an answer', [fields({ error: null })], {}],
  ['an empty fault beside an answer', [fields({ error: {} })], {}],
  [
    'a fault beside a text',
    [fields({ error: { message: 'late fault' } })],
    { note: /late fault/, ways: whole },
  ],

  // What statuses say, in the provider's words.
  [
    '403 for one input',
    [refuse(403, { error: { message: 'Your input was flagged', code: 'moderation' } })],
    { fails: /403: Your input was flagged/ },
  ],
  [
    '403 of a gateway',
    [
      refuse(403, {
        error: {
          code: 403,
          message: 'openai/x requires moderation',
          metadata: { reasons: ['hate'], flagged_input: 'bad' },
        },
      }),
    ],
    { fails: /"reasons":\["hate"\]/ },
  ],
  [
    '400 for a filter',
    [
      refuse(400, {
        error: {
          message: 'content management policy',
          code: 'content_filter',
          innererror: { content_filter_result: { hate: { filtered: true } } },
        },
      }),
    ],
    { fails: /content management policy .*"hate"/ },
  ],
  ['451', [refuse(451, { detail: 'not here' })], { fails: /451: not here/ }],
  [
    '422 of a checker',
    [refuse(422, { detail: [{ loc: ['body', 'messages'], msg: 'Field required' }] })],
    { fails: /422: Field required/ },
  ],
  [
    '400 as a page',
    [
      refuse(
        400,
        '<html><head><style>b{}</style><title>Bad</title></head><body><h1>Not <b>so</b></h1></body></html>',
        { 'content-type': 'text/html' },
      ),
    ],
    { fails: /400: Bad Not so/ },
  ],
  [
    '400 as a plain text',
    [refuse(400, 'no such thing', { 'content-type': 'text/plain' })],
    { fails: /400: no such thing/ },
  ],
  ['400 without a word', [refuse(400, '')], { fails: /400: without a word of why/ }],
  ['413', [refuse(413, { message: 'entity too large' })], { fails: /413: entity too large/ }],

  // What stands beside an answer.
  [
    'usage as texts',
    [fields({ usage: { prompt_tokens: '3', completion_tokens: '1' } })],
    { note: /usage\.prompt_tokens cannot be read: "3"/ },
  ],
  [
    'usage of -1',
    [fields({ usage: { prompt_tokens: -1, completion_tokens: -1 } })],
    { note: /cannot be read: -1/ },
  ],
  ['usage as a list', [fields({ usage: [] })], { note: /usage cannot be read/ }],
  ['usage as a text', [fields({ usage: 'none' })], { note: /usage cannot be read: "none"/ }],
  [
    'more cached than given',
    [
      fields({
        usage: { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 9 } },
      }),
    ],
    { note: /cached_tokens cannot be read/ },
  ],
  ['no usage', [fields({ usage: null })], {}],
  ['a tier that is a number', [fields({ service_tier: 1 })], { note: /service_tier cannot be read: 1/ }],
  [
    'a model that is an object',
    [fields({ model: { name: 'x' }, system_fingerprint: 7 })],
    { note: /model cannot be read/ },
  ],
  ['log-probabilities as an empty list', [logprobs([])], {}],
  ['log-probabilities as a number', [logprobs(7)], { note: /log-probabilities cannot be read/ }],
  ['log-probabilities as a list of texts', [logprobs({ content: ['x'] })], { note: /cannot be read/ }],
  ['fields that nobody knows', [fields({ created: 'today', id: 7, object: null, timings: { a: [1] } })], {}],

  // How it is written.
  ['no type', [headers({ 'content-type': '' })], {}],
  ['the type of a text', [headers({ 'content-type': 'text/plain' })], {}],
  ['the type of a page', [headers({ 'content-type': 'text/html; charset=latin1' })], {}],
  ['the type of bytes', [headers({ 'content-type': 'application/octet-stream' })], {}],
  ['a type that is damaged', [headers({ 'content-type': ';;=' })], {}],
  ['status 201', [(draft) => ({ ...draft, status: 201 })], {}],
  ['a mark of the order of bytes', [wire((text) => [`\uFEFF${text}`])], {}],
  ['line feeds in front', [wire((text) => [`\n\n  ${text}`])], {}],
  ['line feeds behind', [wire((text) => [`${text}\r\n\r\n`])], {}],
  ['seven bytes at a time', [byteByByte], {}],
  [
    'NaN beside the text',
    [
      wire((text) => [
        text
          .replaceAll('"object":', '"score":NaN,"low":-Infinity,"object":')
          .replaceAll('"id":"r"', '"id":"r","nan":NaN'),
      ]),
    ],
    {},
  ],
  [
    'a stream where none was asked for',
    [(draft) => ({ ...draft, whole: undefined, pieces: [draft.whole] })],
    { ways: whole },
  ],
  ['lines of JSON', [eachPiece((piece) => `${JSON.stringify(piece)}\n`, '')], { ways: streams }],
  [
    'an answer whole where a stream was asked for',
    [(draft) => ({ ...draft, pieces: undefined, whole: wholeOf(draft.pieces!) })],
    { ways: streams },
  ],
  [
    'no space behind data:',
    [eachPiece((piece) => `data:${JSON.stringify(piece)}\n\n`, 'data:[DONE]\n\n')],
    { ways: streams },
  ],
  [
    'lines that end as on Windows',
    [eachPiece((piece) => `data: ${JSON.stringify(piece)}\r\n\r\n`, 'data: [DONE]\r\n\r\n')],
    { ways: streams },
  ],
  [
    'lines that end as on old machines',
    [eachPiece((piece) => `data: ${JSON.stringify(piece)}\r\r`)],
    { ways: streams },
  ],
  [
    'one line feed between pieces',
    [eachPiece((piece) => `data: ${JSON.stringify(piece)}\n`)],
    { ways: streams },
  ],
  [
    'comments between pieces',
    [
      eachPiece(
        (piece) =>
          `: OPENROUTER PROCESSING\n\nid: 1\nretry: 10\nevent: message\ndata: ${JSON.stringify(piece)}\n\n`,
      ),
    ],
    { ways: streams },
  ],
  [
    'pieces over several lines',
    [
      eachPiece(
        (piece) =>
          `${JSON.stringify(piece, null, 1)
            .split('\n')
            .map((line) => `data: ${line}`)
            .join('\n')}\n\n`,
      ),
    ],
    { ways: streams },
  ],
  ['no [DONE]', [eachPiece((piece) => `data: ${JSON.stringify(piece)}\n\n`, '')], { ways: streams }],
  [
    'no empty line behind the last piece',
    [wire((text) => [text.replace(/\n\ndata: \[DONE\]\n\n$/, '')])],
    { ways: streams },
  ],
  [
    'a connection that stays open behind [DONE]',
    [(draft) => ({ ...draft, after: 'hold' })],
    { ways: streams },
  ],
  [
    'a connection that is cut behind the last piece',
    [(draft) => ({ ...draft, last: '', after: 'cut' })],
    { ways: streams },
  ],
  [
    'pieces without choices, as Azure begins',
    [(draft) => ({ ...draft, pieces: [{ choices: [], prompt_filter_results: [{}] }, ...draft.pieces!] })],
    { ways: streams },
  ],
  [
    'pieces that are null or texts',
    [(draft) => ({ ...draft, pieces: [null, 'ping', {}, ...draft.pieces!] })],
    { ways: streams },
  ],
  ['usage in a piece of its own behind the end', [], { ways: streams }],
  [
    'usage in every piece',
    [fields({ usage: { prompt_tokens: 3, completion_tokens: 1 } })],
    { ways: streams },
  ],
  ['a role in each piece', [message({ role: 'assistant' })], { ways: streams }],
  [
    'a fault in the midst of a stream',
    [
      eachPiece(
        (piece) => `data: ${JSON.stringify(piece)}\n\n`,
        'event: error\ndata: {"message": "worker died"}\n\n',
      ),
      data((value) => ({ ...value, choices: [{ index: 0, delta: {}, text: '' }] })),
    ],
    { ways: streams, fails: /worker died/, attempts: 2 },
  ],
  [
    'a fault as words in the midst of a stream',
    [
      eachPiece((piece) => `data: ${JSON.stringify(piece)}\n\n`, 'event: error\ndata: worker died\n\n'),
      data((value) => ({ ...value, choices: [] })),
    ],
    { ways: streams, fails: /worker died/, attempts: 2 },
  ],
];

/** A stream's pieces as the answer that they give. */
function wholeOf(pieces: readonly unknown[]): unknown {
  const choices = pieces.flatMap((piece) => (piece as { choices: Record<string, unknown>[] }).choices);
  const text = choices
    .map((own) => (own.delta ? ((own.delta as { content?: string }).content ?? '') : String(own.text ?? '')))
    .join('');
  return {
    ...(pieces.at(-1) as object),
    choices: [{ index: 0, message: { role: 'assistant', content: text }, text, finish_reason: 'stop' }],
  };
}

describe.each(WAYS)('by $api, streamed: $stream', ({ api, stream }) => {
  const own = CASES.filter(([, , { ways = WAYS }]) =>
    ways.some((way) => way.api === api && way.stream === stream),
  );
  it.each(own)('%s', async (_, oddities, expected) => {
    const { text = TEXT, fails, attempts = 1 } = expected;
    const bad = Array.from({ length: fails && attempts === 1 ? MANY : FEW }, (_, at) => ask(`bad ${at}`));
    const { model, server } = await openLoopback(
      { brain: () => ({ text: TEXT }), oddities: oddities.map((oddity) => when(asked('bad'), oddity)) },
      { api, stream, attempts: 2, concurrency: 4, probe: 'needed' },
    );
    const observed = await observe(model, [...bad, ask('good')]);
    const said = textsOf(observed);
    const isCut = attempts > 1;
    expect(said.at(-1)).toBe(TEXT);
    expect(server.requests.length).toBe(bad.length * attempts + 1);
    for (const one of said.slice(0, -1)) {
      if (fails === undefined) expect(one).toBe(text);
      else expect(one).toMatch(fails);
      expect(one).not.toMatch(/\[object|undefined/);
    }
    expect(JSON.stringify([said, model.usage])).not.toContain(KEY);
    if (fails !== undefined) {
      expect(said[0]).toMatch(isCut ? /^endpoint_failed: .*\(tried 2 times\)/ : /^endpoint_refused: /);
      return;
    }
    if (expected.finish) expect(observed.generations.finish[0]).toBe(expected.finish);
    const remarks = observed.remarks?.find(({ request }) => request === 0);
    if (expected.note) expect(remarks?.notes.join('\n')).toMatch(expected.note);
    else expect(remarks?.notes ?? []).toEqual([]);
    if (expected.reasoning !== undefined) expect(remarks?.reasoning).toBe(expected.reasoning);
    expect(model.usage.asked.requests).toBe(bad.length + 1);
  });
});
