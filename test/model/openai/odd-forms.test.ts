/** What stands beside an answer, and how it is written. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Oddity } from '../../server/draft.ts';
import { byteByByte, data, fields, headers, message, wire } from '../../server/oddities.ts';
import { eachPiece, logprobs, type OddCase, streams, TEXT, tryRows, whole, wholeOf } from './odd-rows.ts';

const PACKERS = { gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync };
const packed = (name: keyof typeof PACKERS): Oddity =>
  wire((text) => [PACKERS[name](text)], { headers: { 'content-encoding': name } });

const CASES: readonly OddCase[] = [
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
  [
    'lines wrapped twice',
    [eachPiece((piece) => `data: data: ${JSON.stringify(piece)}\n\n`, 'data: data: [DONE]\n\n')],
    { ways: streams },
  ],
  [
    'line feeds in texts as they are',
    [wire((text) => [text.replaceAll('The answer', 'The\n\tanswer')])],
    { text: TEXT.replace('The answer', 'The\n\tanswer'), ways: whole },
  ],
  ['zeros behind', [wire((text) => [`${text}\0\0\0`])], { ways: whole }],
  [
    '[DONE] behind an answer that is whole',
    [wire((text) => [`${text}\n\ndata: [DONE]\n\n`])],
    { ways: whole },
  ],
  [
    'all as escapes',
    [
      wire((text) => [
        text.replace(/[^ -~]/g, (own) =>
          own === '\n' ? own : `\\u${own.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      ]),
    ],
    {},
  ],
  ['names twice', [wire((text) => [text.replaceAll('"choices":', '"choices":[],"choices":')])], {}],
  [
    'names of the language',
    [
      wire((text) => [
        text.replaceAll('{"id":', '{"__proto__":{"error":"x"},"constructor":1,"toString":2,"id":'),
      ]),
    ],
    {},
  ],
  [
    'a number without end',
    [wire((text) => [text.replaceAll('"prompt_tokens":3', '"prompt_tokens":1e999')])],
    { note: /usage\.prompt_tokens cannot be read/ },
  ],
  [
    'a name of a model without end',
    [fields({ model: 'm'.repeat(5000) })],
    { note: /^model cannot be read: "m+$/ },
  ],
  [
    'a name of a token without end',
    [logprobs({ content: [{ token: 'x'.repeat(10_000), logprob: -1, top_logprobs: [] }] })],
    { note: /log-probabilities cannot be read/ },
  ],
  ...(['gzip', 'x-gzip', 'deflate', 'br'] as const).map(
    (name) => [`packed: ${name}`, [packed(name)], {}] as const,
  ),
];

tryRows(CASES);
