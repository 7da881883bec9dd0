/** The suite alone: sums over texts, bytes that belong to scored tokens, and the reference project's names. */
import { describe, expect, it } from 'vitest';
import type { CompositeMetric, MetricFigures } from '../../src/contract/index.ts';
import { checkRow } from '../../src/dataset/index.ts';
import { ppl } from '../../src/suites/ppl.ts';
import { contextOf, scored } from './observations.ts';

const AUTO = { firstToken: 'auto' } as const;
const SKIP = { firstToken: 'skip' } as const;
const row = (text: string) => ({ id: null, text, category: null, lang: null });

const composite = (name: string) =>
  ppl.metrics(contextOf(AUTO)).find((metric) => metric.name === name) as CompositeMetric;

describe('ppl', () => {
  it('asks for the whole text, and for pieces only where its first token is not scored', () => {
    expect(ppl.plan(row('ab cd'), contextOf(AUTO), { file: '', index: 0 })).toEqual({
      kind: 'ask',
      requests: [{ kind: 'score', prompt: '', continuations: ['ab cd'], perToken: true }],
      note: {},
    });
    expect(ppl.wantsPieces!(contextOf(AUTO))).toBe(false);
    expect(ppl.wantsPieces!(contextOf(SKIP))).toBe(true);
    expect(ppl.wantsPieces!(contextOf(AUTO, { addsBos: false }))).toBe(true);
  });

  it('is exp of the mean negative log-probability; bytes are UTF-8', () => {
    const result = ppl.score([scored([[-1, -2, -3]])], contextOf(AUTO), row('né €'), {});
    expect(result).toMatchObject({ sumLogProb: -6, tokens: 3, bytes: 7, tokenIds: [1, 10, 11, 12] });
    expect(result.ppl).toBeCloseTo(Math.E ** 2, 12);
    expect(result.bitsPerByte).toBeCloseTo(6 / Math.LN2 / 7, 12);
  });

  it.each([
    ['a piece with the space that the vocabulary puts in front', ' once', 'once upon', 5],
    ['a piece as it stands', 'once', 'once upon', 5],
    ['a text that begins with a space', ' once', ' once upon', 5],
    ['nothing but the space that the vocabulary puts in front', ' ', '€uro', 6],
    ['a piece without text', '', 'once', null],
    ['half a character', '�', '€uro', null],
    ['a piece that the text does not begin with', 'Once', 'once upon', null],
  ])('leaves out the bytes of a first token that is not scored: %s', (_, piece, text, bytes) => {
    const skipped = ppl.score(
      [scored([[-5, -2, -2]], { pieces: [['<s>', piece, 'x', 'y']] })],
      contextOf(SKIP),
      row(text),
      {},
    );
    expect(skipped).toMatchObject({ sumLogProb: -4, tokens: 2, bytes });
    const without = ppl.score(
      [scored([[-2, -2]], { addsBos: false, pieces: [[piece, 'x', 'y']] })],
      contextOf(AUTO, { addsBos: false }),
      row(text),
      {},
    );
    expect(without).toMatchObject({ sumLogProb: -4, tokens: 2, bytes });
    expect(composite('bitsPerByte').parts(skipped, {})).toEqual(
      bytes === null ? null : [[4 / Math.LN2, bytes]],
    );
  });

  it('has none of a text of one token that is not scored', () => {
    const result = ppl.score([scored([[-5]], { pieces: [['<s>', 'a']] })], contextOf(SKIP), row('a'), {});
    expect(result).toMatchObject({ tokens: 0, ppl: null, bytes: 0, bitsPerByte: null });
    expect(composite('ppl').parts(result, {})).toBeNull();
    expect(composite('bitsPerByte').parts(result, {})).toBeNull();
  });

  it('weighs texts by their tokens', () => {
    const results = [[-1], [-2, -3, -4]].map((side) =>
      ppl.score([scored([side])], contextOf(AUTO), row('abc'), {}),
    );
    const parts = results.map((result) => composite('ppl').parts(result, {})![0]!);
    const [nats, tokens] = parts.reduce(([a, b], [c, d]) => [a + c, b + d]);
    expect(composite('ppl').combine([nats / tokens])).toBeCloseTo(Math.exp(10 / 4), 12);
  });

  it('says on how few texts bits per byte rests', () => {
    const figures = (n: number): MetricFigures => ({ value: 1, n, coverage: null, ci: null });
    const metrics = (texts: number) =>
      new Map([
        ['ppl', figures(3)],
        ['bitsPerByte', figures(texts)],
      ]);
    expect(ppl.remarks!(metrics(3), contextOf(AUTO))).toEqual([]);
    expect(ppl.remarks!(metrics(2), contextOf(AUTO))).toEqual([
      expect.stringContaining('rests on 2 of 3 texts'),
    ]);
  });

  it('tells the reference numbers: rows, all tokens, perplexity', () => {
    const figures = (value: number, n: number): MetricFigures => ({ value, n, coverage: null, ci: null });
    const metrics = new Map([
      ['ppl', figures(30.86, 5)],
      ['tokens', figures(78 / 5, 5)],
    ]);
    const counts = { rows: 6, ok: 5, failed: 1, skipped: 0 };
    expect(ppl.reference!(metrics, counts, contextOf(AUTO))).toEqual({ rows: 5, tokens: 78, ppl: 30.86 });
  });

  it.each([
    [{ text: '' }, 'text is ""; give a string that is not empty'],
    [{ id: 'a' }, 'text is missing; give a string'],
    [{ text: 5 }, 'text is a number; give a string'],
  ])('says what is wrong with a row', (value, message) => {
    const checked = checkRow(ppl.schema, { file: 'f', line: 1, index: 0, value });
    expect(checked.ok).toBe(false);
    if (!checked.ok) expect(checked.error.message).toContain(message);
  });
});
