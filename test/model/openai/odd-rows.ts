/**
 * Rows that an odd server answers, by every way of asking and streamed or not: what was paid for counts, what concerns one row
 * costs one row and one request, an endpoint that answers is not down, and the provider's words arrive.
 */
import { describe, expect, it } from 'vitest';
import type { Oddity } from '../../server/draft.ts';
import { asked, choice, content, when } from '../../server/oddities.ts';
import { ask, KEY, observe, openLoopback, textsOf } from './world.ts';

export const TEXT = 'The answer is “é 日 😀”.';
/** More than it takes for an endpoint to count as down. */
const MANY = 17;
const FEW = 2;
export const WAYS = (['chat', 'completions'] as const).flatMap((api) =>
  [false, true].map((stream) => ({ api, stream })),
);
export const chats = WAYS.filter(({ api }) => api === 'chat');
export const whole = WAYS.filter(({ stream }) => !stream);
export const streams = WAYS.filter(({ stream }) => stream);

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

export const logprobs = (value: unknown) => choice((own) => ({ ...own, logprobs: value }));
export const whenEnded = (change: (own: Record<string, unknown>) => Record<string, unknown>) =>
  choice((own) => (own.finish_reason === null ? own : change(own)));
export const noText = content(() => '');
export const eachPiece =
  (writePiece: (piece: unknown) => string, last = 'data: [DONE]\n\n'): Oddity =>
  (draft) => ({
    ...draft,
    writePiece,
    last,
  });

export type OddCase = readonly [name: string, oddities: readonly Oddity[], expected: Expected];

/** A stream's pieces as the answer that they give. */
export function wholeOf(pieces: readonly unknown[]): unknown {
  const choices = pieces.flatMap((piece) => (piece as { choices: Record<string, unknown>[] }).choices);
  const text = choices
    .map((own) => (own.delta ? ((own.delta as { content?: string }).content ?? '') : String(own.text ?? '')))
    .join('');
  return {
    ...(pieces.at(-1) as object),
    choices: [{ index: 0, message: { role: 'assistant', content: text }, text, finish_reason: 'stop' }],
  };
}

/** Every case by every way of asking that it has. */
export function tryRows(cases: readonly OddCase[]): void {
  describe.each(WAYS)('by $api, streamed: $stream', ({ api, stream }) => {
    const own = cases.filter(([, , { ways = WAYS }]) =>
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
}
