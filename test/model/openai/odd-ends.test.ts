/** How an answer ended, and where there is none. */
import { choice, content, data, fields, finish } from '../../server/oddities.ts';
import { chats, noText, type OddCase, streams, tryRows, whenEnded, whole } from './odd-rows.ts';

const nested = (depth: number): unknown => (depth === 0 ? 'stop' : [nested(depth - 1), 1]);

const CASES: readonly OddCase[] = [
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
  // What was broken off.
  ...['error', 'abort', 'network_error', 'insufficient_system_resource', 'FinishReason.CANCELLED'].map(
    (word) =>
      [
        `a text that is broken off: ${word}`,
        [finish(word)],
        { fails: new RegExp(`broke the answer off \\("${word}"\\)`), attempts: 2 },
      ] as const,
  ),
  [
    'a text that is broken off, with the reason beside it',
    [finish('error'), fields({ error: { message: 'worker died', code: 502 } })],
    { fails: /worker died/, attempts: 2 },
  ],
  [
    'a text that is broken off for what it says',
    [whenEnded((own) => ({ ...own, finish_reason: 'error', error: { message: 'flagged', code: 403 } }))],
    { fails: /\(403\): flagged/ },
  ],
  ...['content_filter: RECITATION', 'SAFETY: high', 'ERROR_TOXIC'].map(
    (word) =>
      [`a filter that says more: ${word}`, [finish(word)], { fails: /filter held the answer back/ }] as const,
  ),

  // The word in other forms.
  ['a cut in an object, as SGLang has it', [finish({ type: 'length', length: 16 })], { finish: 'length' }],
  ['an end in an object', [finish({ type: 'stop', matched: 2 })], { finish: 'end' }],
  ['an end by reason', [finish({ reason: 'endoftext' })], { finish: 'end' }],
  ['a cut in a list', [finish(['length'])], { finish: 'length' }],
  ['an object that says nothing', [finish({ a: 1 })], { finish: 'end', note: /ended with "\{"a":1\}"/ }],
  [
    'the stop text, as SGLang says it',
    [whenEnded((own) => ({ ...own, matched_stop: '###' }))],
    { finish: 'stop' },
  ],
  [
    'the word null',
    [choice((own) => ({ ...own, finish_reason: 'null' }))],
    { finish: 'end', note: /does not say how/ },
  ],
  [
    'the word null in what is cut off',
    [choice((own) => ({ ...own, finish_reason: 'null' })), (draft) => ({ ...draft, last: '' })],
    { fails: /does not say how it ended/, attempts: 2, ways: streams },
  ],
  [
    'a word without end',
    [finish('x'.repeat(5000))],
    { finish: 'end', note: /^the answer ended with "x{900,1000}…$/ },
  ],
  ['lists in lists', [finish(nested(50))], { finish: 'end', note: /ended with "\[\[/ }],
];

tryRows(CASES);
