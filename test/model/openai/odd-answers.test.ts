/** What a message holds. */
import { choice, content, data, fields, finish, message, wire } from '../../server/oddities.ts';
import { chats, noText, type OddCase, streams, TEXT, tryRows, whenEnded, whole } from './odd-rows.ts';

/** Another answer, where one was asked for. */
const twoAnswers = data((value) => {
  const own = (value.choices as Record<string, unknown>[])[0];
  if (own === undefined) return value;
  const message = { role: 'assistant', content: 'another' };
  const other = { ...own, index: 1, text: 'another', ...('delta' in own ? { delta: message } : { message }) };
  return { ...value, choices: [other, own] };
});

/** A piece as two, each with one half of its characters' units. */
function halves(piece: { readonly choices: Record<string, unknown>[] }): object[] {
  const [own] = piece.choices;
  const text = (own?.delta as { content?: string } | undefined)?.content ?? own?.text;
  if (typeof text !== 'string' || text.length < 2) return [piece];
  return [...text.split('')].map((unit) => ({
    ...piece,
    choices: [{ ...own, ...(own!.delta ? { delta: { content: unit } } : { text: unit }) }],
  }));
}

const streamed = chats.filter(({ stream }) => stream);

const CASES: readonly OddCase[] = [
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
  // What is put together otherwise.
  [
    'a message that is a text',
    [choice((own) => ({ ...own, message: (own.message as { content: string }).content }))],
    { ways: chats.filter(({ stream }) => !stream) },
  ],
  [
    'a piece in an answer that is whole',
    [choice(({ message: delta, ...own }) => ({ ...own, delta }))],
    { ways: chats.filter(({ stream }) => !stream) },
  ],
  [
    'messages as pieces',
    [choice(({ delta: own, ...rest }) => ({ ...rest, message: own }))],
    { ways: streamed },
  ],
  [
    'all of it once more behind the pieces, as MiniMax has it',
    [
      (draft) => ({
        ...draft,
        pieces: [
          ...draft.pieces!,
          { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: TEXT } }] },
        ],
      }),
    ],
    { ways: streamed },
  ],
  [
    'all of it beside each piece, as Perplexity has it',
    [choice((own) => ({ ...own, message: { role: 'assistant', content: TEXT } }))],
    { ways: streamed },
  ],
  ['a second answer in front of the first', [twoAnswers], {}],
  ['numbers of answers as texts', [choice((own) => ({ ...own, index: '0' }))], {}],
  ['numbers of answers from 1', [choice((own) => ({ ...own, index: 1 }))], {}],
  ['no numbers of answers', [choice(({ index: _, ...own }) => own)], {}],
  [
    'one answer that is no list',
    [data((value) => ({ ...value, choices: (value.choices as unknown[])[0] }))],
    { ways: whole },
  ],
  ...['data', 'result', 'response', 'body'].map(
    (key) =>
      [
        `an answer in an envelope: ${key}`,
        [data((value) => ({ code: 0, [key]: value }))],
        { ways: whole },
      ] as const,
  ),
  ['an answer in a list', [data((value) => [value])], { ways: whole }],
  ['an answer as a text that is JSON', [wire((text) => [JSON.stringify(text)])], { ways: whole }],
  [
    'characters in two pieces',
    [
      (draft) => ({
        ...draft,
        pieces: draft.pieces!.flatMap((piece) => halves(piece as { choices: Record<string, unknown>[] })),
      }),
    ],
    { ways: streams },
  ],
  ['half a character', [content((text) => (text === '' ? '' : '\ud83d'))], { text: '\ud83d', ways: whole }],
  [
    'thoughts that are counted and not shown',
    [
      noText,
      fields({
        usage: { prompt_tokens: 3, completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 9 } },
      }),
    ],
    { fails: /not shown \(9 tokens\) and no answer$/ },
  ],
  [
    'a function that is called, as it was once',
    [
      content(() => null),
      message({ function_call: { name: 'f', arguments: '{}' } }),
      finish('function_call'),
    ],
    { fails: /ended with "function_call", and has no text/, ways: chats },
  ],
  [
    'something else than text that has no end',
    [content(() => ({ answer: 'x'.repeat(20_000) }))],
    { fails: /something else than text: .{900,1100}…/ },
  ],
];

tryRows(CASES);
