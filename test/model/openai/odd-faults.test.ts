/** Faults under the status of an answer and under others, in the provider's words. */
import { fields, instead, refuse, wire } from '../../server/oddities.ts';
import { type OddCase, tryRows, whole } from './odd-rows.ts';

const CASES: readonly OddCase[] = [
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
  // What passes, and what other servers call it.
  ...[423, 424, 498, 499, 520, 529].map(
    (status) =>
      [
        `${status}`,
        [refuse(status, { error: { message: 'no room' } })],
        { fails: /no room/, attempts: 2 },
      ] as const,
  ),
  [
    '429 of a model that is not there yet',
    [refuse(429, { message: 'rate limit' })],
    { fails: /429: rate limit/, attempts: 2 },
  ],
  [
    'a fault as a line of its own, as llama.cpp had it',
    [instead('error: {"code":500,"message":"the slot died"}\n\n')],
    { fails: /the slot died/, attempts: 2 },
  ],
  [
    'a fault in words behind its name',
    [instead('error: no such slot\n')],
    { fails: /no such slot/, attempts: 2 },
  ],
  [
    'a field that is not known, by its place',
    [
      refuse(422, {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'color'], msg: 'Extra inputs are not permitted' }],
      }),
    ],
    { fails: /422: Extra inputs are not permitted \(body\.color\)/ },
  ],
  [
    'lists in lists in lists',
    [instead(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
    { fails: /something else than an answer/, attempts: 2 },
  ],
  [
    'faults in faults',
    [instead(`${'{"error":'.repeat(5000)}1${'}'.repeat(5000)}`)],
    { fails: /with a fault/, attempts: 2 },
  ],
  [
    'what a task queue says',
    [refuse(202, { id: 'q', status: 'IN_QUEUE' })],
    { fails: /IN_QUEUE/, attempts: 2 },
  ],
  ['nothing', [refuse(200, '')], { fails: /nothing at all/, attempts: 2 }],
  [
    'a page under status 200',
    [instead('<html><title>Sign in</title><p>to the net</html>')],
    { fails: /Sign in to the net/, attempts: 2 },
  ],
  [
    'bytes that are no text',
    [() => ({ status: 200, raw: [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 1, 2])] })],
    { fails: /something else than an answer/, attempts: 2 },
  ],
  [
    'what is packed otherwise than it says',
    [wire((text) => [text], { headers: { 'content-encoding': 'gzip' } })],
    { fails: /incorrect header check/, attempts: 2 },
  ],
];

tryRows(CASES);
