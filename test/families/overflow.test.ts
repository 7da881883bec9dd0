/** A text longer than the context is a failure of its request alone; nothing is cut, and nobody else notices. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalModel } from '../../src/model/index.ts';
import type { Observations, ObserveRequest } from '../../src/observation/observation.ts';
import { FAMILIES, sequencesOf } from './family.ts';

const CONTEXT = 24;
const MEASURE = { groups: [Int32Array.of(5, 6)], topK: 3 };

describe.each(FAMILIES)('$name', (family) => {
  const { oracle } = family;
  /** A text of so many tokens, BOS included: " she" is one token everywhere. */
  const textOf = (tokens: number) => {
    const text = `The${' she'.repeat(tokens - oracle.data('The').length)}`;
    expect(oracle.data(text).length).toBe(tokens);
    return text;
  };
  const [fits, overflows, far] = [textOf(CONTEXT), textOf(CONTEXT + 1), textOf(3 * CONTEXT)];
  const short = 'The nurse said that';
  // In the mode `exact` company changes no bit, so that what a failure changed would show.
  let model: LocalModel;
  beforeAll(async () => {
    model = await family.open({ contextLength: CONTEXT, mode: 'exact' });
  });
  afterAll(async () => {
    await model.close();
  });

  const good: ObserveRequest[] = [
    { kind: 'probe', text: fits },
    { kind: 'probe', text: short, positions: 'all' },
    { kind: 'pair', text: fits, textSwap: `${fits.slice(0, -' she'.length)} he` },
    { kind: 'score', perToken: true, prompt: textOf(CONTEXT - 1), continuations: [' she', ' he'] },
  ];
  const bad: [ObserveRequest, number][] = [
    [{ kind: 'probe', text: overflows }, CONTEXT + 1],
    // A step that lies within the context does not make the text shorter.
    [{ kind: 'probe', text: far, positions: [0] }, 3 * CONTEXT],
    [{ kind: 'pair', text: short, textSwap: overflows }, CONTEXT + 1],
    [{ kind: 'pair', text: far, textSwap: short, steps: 'aligned' }, 3 * CONTEXT],
    [
      { kind: 'score', perToken: true, prompt: short, continuations: [' she', overflows] },
      oracle.data(short + overflows).length,
    ],
    [{ kind: 'score', perToken: true, prompt: fits, continuations: [' she'] }, CONTEXT + 1],
  ];
  /** Columns of a request, without what depends on its place. */
  const own = ({ rows, targets }: Observations, request: number) => {
    const of = (column: Uint32Array) => [...column.keys()].filter((row) => column[row] === request);
    return [
      of(rows.request).map((row) => [rows.position[row], rows.entropy[row], rows.masses[row]]),
      of(targets.request).map((row) => [targets.position[row], targets.token[row], targets.logProb[row]]),
    ];
  };

  it('fails with its length, whole, and leaves the others their bits', async () => {
    const alone = await model.observeWindow(good, MEASURE);
    expect(alone.failures).toEqual([]);
    const requests = bad.flatMap(([request], index) => (good[index] ? [request, good[index]] : [request]));
    const observed = await model.observeWindow(requests, MEASURE);
    const at = (request: ObserveRequest) => requests.indexOf(request);
    expect(observed.failures).toEqual(
      bad.map(([request, tokens]) => ({
        request: at(request),
        code: 'context_overflow',
        message: expect.stringContaining(`${tokens} tokens`),
        data: { tokens, context: CONTEXT },
      })),
    );
    good.forEach((request, index) => {
      expect(own(observed, at(request))).toEqual(own(alone, index));
    });
    const failed = bad.map(([request]) => at(request));
    for (const column of [observed.rows, observed.pairs, observed.targets, observed.sequences])
      expect([...column.request].filter((request) => failed.includes(request))).toEqual([]);
  });

  it('takes a text of exactly the context, to its last token', async () => {
    const observed = await model.observeWindow([{ kind: 'probe', text: fits, positions: 'all' }], MEASURE);
    expect(sequencesOf(observed)).toEqual([oracle.data(fits)]);
    expect([...observed.rows.position]).toEqual([...Array(CONTEXT).keys()]);
  });

  it('fails alone in a stream too, by its number in its window', async () => {
    const requests = Array.from(
      { length: 300 },
      (_, index): ObserveRequest => ({
        kind: 'probe',
        text: index === 200 ? overflows : short,
      }),
    );
    const seen: [number, number, number[]][] = [];
    for await (const { firstRequest, rows, failures } of model.observe(requests, MEASURE))
      seen.push([firstRequest, rows.rows, failures.map(({ request }) => request)]);
    expect(seen).toEqual([
      [0, 128, []],
      [128, 127, [72]],
      [256, 44, []],
    ]);
  });
});
