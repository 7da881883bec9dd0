/** What a model's template may do to the process that opened it: nothing, wherever the engine runs. */
import { describe, expect, it } from 'vitest';
import { type ModelOptions, openModel } from '../../src/model/index.ts';
import type { ObserveRequest } from '../../src/observation/observation.ts';
import { faultOf } from '../fault.ts';
import { PUBLISHED } from '../prompt/published.ts';
import { CHATML, TURNS } from '../prompt/templates.ts';
import { chatModel } from './chat-model.ts';

const chat = (content: string, system?: string): ObserveRequest => ({
  kind: 'probe',
  text: {
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system } as const]),
      { role: 'user', content },
    ],
  },
});

const LOOPS =
  '{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}{% endfor %}{% endfor %}{% endfor %}';

describe.each([true, false])('a template that hurts, inProcess: %s', (inProcess) => {
  it.each([
    ['while it is parsed', ' '.repeat(900_000), 'it was stopped after 2 seconds'],
    ['while it runs', LOOPS, 'it was stopped after 2 seconds'],
    ['by its depth', `{{ ${'('.repeat(100_000)}`, 'nested too deeply'],
  ])('costs the chats alone, once: %s', async (_, template, reason) => {
    await using model = await openModel(chatModel(`${template}{{ 1 }}`), { inProcess, threads: 1 });
    const requests = Array.from({ length: 20 }, (_unused, row): ObserveRequest[] => [
      chat(`${row}`),
      { kind: 'probe', text: `${row}` },
    ]).flat();
    let turns = 0;
    const clock = setInterval(() => {
      turns += 1;
    }, 1);
    const { rows, failures } = await model.observeWindow(requests, {});
    clearInterval(clock);
    expect([...rows.request]).toEqual(Array.from({ length: 20 }, (_unused, row) => 2 * row + 1));
    expect(new Set(failures.map(({ code, message }) => `${code}: ${message}`)).size).toBe(1);
    expect(failures[0]).toMatchObject({
      code: 'template_failed',
      message: expect.stringContaining(reason),
      data: { limit: expect.any(String) },
    });
    if (reason.includes('seconds')) expect(turns).toBeGreaterThan(100);
    // Nothing is started for a chat that comes later.
    expect((await model.observeWindow([chat('later')], {})).failures).toEqual([
      { ...failures[0], request: 0 },
    ]);
    expect(await model.describeChats()).toMatchObject({ systemRole: null, error: failures[0]!.message });
  });
});

describe('a model says how it renders chats', () => {
  it.each<[name: string, template: string | null, options: ModelOptions, described: unknown]>([
    ['no template', null, {}, null],
    ['ChatML', CHATML, {}, { systemRole: 'keep', content: 'text', date: null, error: null }],
    ['no system role', TURNS, {}, { systemRole: 'fold', content: 'text', date: null, error: null }],
    ['kept', TURNS, { systemRole: 'keep' }, { systemRole: 'keep', content: 'text', date: null, error: null }],
    ['parts', PUBLISHED.PARTS, {}, { systemRole: 'keep', content: 'parts', date: null, error: null }],
    [
      'a date that it wants',
      PUBLISHED.DATED,
      {},
      { systemRole: 'keep', content: 'text', date: '2025-01-01', error: null },
    ],
    [
      'a date that is given',
      PUBLISHED.LLAMA,
      { date: '2024-02-29' },
      { systemRole: 'keep', content: 'text', date: '2024-02-29', error: null },
    ],
  ])('%s', async (_, template, options, described) => {
    await using model = await openModel(chatModel(template), { ...options, threads: 1 });
    expect(await model.describeChats()).toEqual(described);
  });

  it('and tells once what one would not expect', async () => {
    const notes: string[] = [];
    const path = chatModel(PUBLISHED.GEMMA);
    await using model = await openModel(path, { threads: 1 }, { onNote: (note) => notes.push(note) });
    const { asked } = await model.observeWindow([chat('Who?'), chat('Who?', 'Be kind.'), chat('x', 'y')], {});
    expect(asked.map((request) => request!.chats[0]!.systemFolded)).toEqual([undefined, true, true]);
    expect(asked[1]!.texts[0]).toContain('user\nBe kind.\n\nWho?');
    expect(notes).toEqual([
      `the chat template of ${path} takes no system message; what it says stands in front of the user's message (--system-role)`,
    ]);
  });

  it('and refuses settings that are none', async () => {
    for (const [options, part] of [
      [{ date: '2024-02-30' }, 'date is "2024-02-30"; give a day as YYYY-MM-DD'],
      [{ systemRole: 'drop' as never }, 'systemRole is "drop"; give one of auto, fold, keep'],
    ] as const) {
      const error = await faultOf(openModel(chatModel(CHATML), options));
      expect([error.code, error.message]).toEqual(['bad_argument', part]);
    }
  });
});
