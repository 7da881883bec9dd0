/** Chats in a process of the template's own: hostile templates end, at once for every later chat, and innocents live. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import { renderChat as renderContained } from '../../src/index.ts';
import { renderChat } from '../../src/prompt/chat.ts';
import { ChatHost, type ChatMessage, type ChatOptions, checkMessages } from '../../src/prompt/index.ts';
import { faultOf } from '../fault.ts';
import { HOSTILE } from './hostile.ts';
import { PUBLISHED } from './published.ts';
import { BRACKETS, CHATML, HEADERS, SWITCHED, THINKING, TOOLS, TURNS } from './templates.ts';

const child = (name: string) => fileURLToPath(new URL(`children/${name}.mjs`, import.meta.url));
const job = (content: string, options: ChatOptions = {}) => ({
  messages: checkMessages([{ role: 'user', content }]),
  options,
});
const textOf = (answer: { text: string } | AuditError) =>
  answer instanceof AuditError ? `${answer.code}: ${answer.message}` : answer.text;

describe('an honest template', () => {
  const told: ChatMessage[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Who\ud800 is "it"? 😀' },
  ];
  const options: ChatOptions = { systemRole: 'auto', date: 'auto', bosToken: '<s>', eosToken: '</s>' };
  const all = { ...PUBLISHED, CHATML, HEADERS, TURNS, BRACKETS, THINKING, SWITCHED, TOOLS };

  it.each(Object.entries(all))('gives what it gives in this process: %s', async (_, template) => {
    const cases: ChatOptions[] = [
      options,
      { ...options, closeThink: true },
      { ...options, assistantPrefill: 'The' },
      { ...options, extra: { enable_thinking: false }, now: new Date('2026-03-09T01:00:00Z') },
    ];
    const host = new ChatHost({ source: template, options: {}, addsBos: false });
    const answers = await host.render(cases.map((own) => ({ messages: checkMessages(told), options: own })));
    await host.close();
    expect(answers).toEqual(
      cases.map((own) => {
        try {
          return renderChat(template, told, own);
        } catch (thrown) {
          return thrown;
        }
      }),
    );
  });

  it('is rendered so for callers of the package', async () => {
    expect(await renderContained(TURNS, told, options)).toEqual(renderChat(TURNS, told, options));
    expect((await faultOf(renderContained(null, told))).code).toBe('no_chat_template');
    expect((await faultOf(renderContained(TURNS, told, { model: 'm.gguf' }))).message).toContain(
      'the chat template of m.gguf, line 2: it refuses this chat',
    );
    const sent = faultOf(renderContained(CHATML, told, { extra: { call: () => 1 } }));
    expect(await sent).toMatchObject({
      code: 'bad_argument',
      message: expect.stringContaining('could not be cloned'),
    });
  });
});

describe('a hostile template', () => {
  it.concurrent.each(HOSTILE)('%s', async (_, source, limit) => {
    const host = new ChatHost({ source, options: { model: 'm.gguf' }, addsBos: true });
    let turns = 0;
    const clock = setInterval(() => {
      turns += 1;
    }, 1);
    const answers = await host.render(Array.from({ length: 300 }, (_unused, row) => job(`row ${row}`)));
    clearInterval(clock);
    await host.close();
    expect(answers).toHaveLength(300);
    const messages = new Set(answers.map(textOf));
    expect(messages.size).toBe(1);
    const [message] = messages;
    expect(message).toMatch(/^template_failed: the chat template of m\.gguf/);
    expect(message!.length).toBeLessThan(800);
    expect(message).not.toMatch(/\p{Cc}/u);
    const { data } = answers[0] as AuditError;
    // On a machine that is short of it, time may be up first.
    if (limit === null) expect(data).not.toHaveProperty('limit');
    else expect([limit, 'time']).toContain(data.limit);
    // The event loop of this process went on.
    if (limit === 'time') expect(turns).toBeGreaterThan(100);
  });

  it('that hurts by one row leaves the rows before it, and is not tried for those behind it', async () => {
    const source =
      "{% if 'row 7' == messages[0].content %}{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}{% endif %}{{ messages[0].content }}";
    const host = new ChatHost({ source, options: {}, addsBos: false });
    const rows = Array.from({ length: 200 }, (_, row) => job(`row ${row}`));
    const answers = await host.render(rows);
    expect(answers.slice(0, 7).map(textOf)).toEqual(
      rows.slice(0, 7).map(({ messages }) => messages[0]!.content),
    );
    expect(new Set(answers.slice(7).map(textOf))).toEqual(
      new Set(['template_failed: the chat template: it was stopped after 2 seconds']),
    );
    expect((await host.render(rows)).every((answer) => answer instanceof AuditError)).toBe(true);
    await host.close();
  });

  it('that makes much of little is given up before its texts fill the memory', async () => {
    const source =
      '{% set n = namespace(s=messages[0].content) %}{% for i in range(16) %}{% set n.s = n.s ~ n.s %}{% endfor %}{{ n.s }}';
    const host = new ChatHost({ source, options: {}, addsBos: false });
    const answers = await host.render(Array.from({ length: 300 }, (_, row) => job(`row ${row}`)));
    await host.close();
    const texts = answers.flatMap((answer) => (answer instanceof AuditError ? [] : [answer.text.length]));
    expect(texts.reduce((sum, length) => sum + length)).toBeLessThan(2 ** 25);
    expect(textOf(answers.at(-1)!)).toMatch(
      /^template_failed: the chat template: it makes a text of \d+ characters each time, and is not tried any more$/,
    );
  });

  it('of data as long as a book is not at fault', async () => {
    const host = new ChatHost({ source: CHATML, options: {}, addsBos: false });
    const [long, short] = await host.render([job('word '.repeat(4_000_000)), job('word')]);
    expect(textOf(long!).length).toBeGreaterThan(20_000_000);
    expect(textOf(short!)).toContain('word');
    await host.close();
  });
});

describe('a process that ends or hangs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'logit-audit-render-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let files = 0;

  /** What became of each text, and how often a process was started. */
  async function asked(texts: readonly string[], jobLimitMs = 60_000) {
    const log = join(folder, `${files}`);
    files += 1;
    writeFileSync(log, '');
    process.env.LOGIT_AUDIT_TEST_LOG = log;
    const host = new ChatHost(
      { source: 'x', options: { model: 'm.gguf' }, addsBos: false },
      { entry: child('marked'), jobLimitMs },
    );
    const answers = (await host.render(texts.map((text) => job(text)))).map(textOf);
    await host.close();
    const lines = readFileSync(log, 'utf8').split('\n');
    return { answers, starts: lines.filter((line) => line === 'started').length, lines };
  }

  it.each([
    ['ABORT', 'SIGABRT'],
    ['EXIT', 'exit code 7'],
  ])('by %s: the chat is tried once more alone, then no more are', async (mark, how) => {
    const { answers, starts, lines } = await asked(['a', 'b', mark, 'c', 'd']);
    const reason = `template_failed: the chat template of m.gguf: it ended the process that rendered it (${how}); most likely it makes more than fits in 256 MB`;
    expect(answers).toEqual(['a', 'b', reason, reason, reason]);
    expect([starts, lines.filter((line) => line === mark).length]).toEqual([2, 2]);
    expect(lines).not.toContain('c');
  });

  it('in a call that does not return', async () => {
    const { answers, starts } = await asked(['a', 'HANG', 'c'], 3_000);
    const reason = 'template_failed: the chat template of m.gguf: it gave no text within 3 seconds';
    expect([answers, starts]).toEqual([['a', reason, reason], 2]);
  });

  it('uses up its share of the processor over all chats', async () => {
    const { answers, starts } = await asked(['a', 'CPU9000', 'b', 'CPU1200', 'c', 'd']);
    const reason =
      'template_failed: the chat template of m.gguf: it takes 2550 ms of the processor each time, and is not tried any more';
    expect([answers, starts]).toEqual([['a', 'CPU9000', 'b', 'CPU1200', reason, reason], 1]);
  });

  it('before it came up', async () => {
    const host = new ChatHost({ source: 'x', options: {}, addsBos: false }, { entry: child('dead') });
    const error = await faultOf(host.render([job('a')]));
    expect([error.code, error.message]).toEqual([
      'internal',
      'the process that renders templates could not be started: it ended with exit code 3',
    ]);
  });

  it('is ended by a cancellation, and with the model', async () => {
    const log = join(folder, 'cancel');
    writeFileSync(log, '');
    process.env.LOGIT_AUDIT_TEST_LOG = log;
    const host = new ChatHost({ source: 'x', options: {}, addsBos: false }, { entry: child('marked') });
    const stop = new AbortController();
    const hanging = faultOf(host.render([job('HANG')], stop.signal));
    stop.abort();
    expect((await hanging).code).toBe('cancelled');
    expect((await host.render([job('a')])).map(textOf)).toEqual(['a']);
    const closed = faultOf(host.render([job('HANG again')]));
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('HANG again');
    await host.close();
    expect((await closed).code).toBe('engine_closed');
    expect((await faultOf(host.render([job('a')]))).code).toBe('engine_closed');
  });
});
