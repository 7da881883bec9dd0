/** Bad input of every function: a code, a message that names the input, and never a number. */
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../src/errors.ts';
import { metricsAddon } from '../../src/native/metrics.ts';
import {
  Aggregator,
  aggregate,
  aggregateSync,
  benjaminiHochberg,
  bootstrapRatios,
  bootstrapRatiosSync,
  correlation,
  correlationSync,
  gate,
  holm,
  mcnemar,
  pairedDifference,
  pairedDifferenceSync,
  pairMetrics,
  pairMetricsSync,
  percentileInterval,
  percentileIntervalSync,
  rowMetrics,
  rowMetricsSync,
  signFlip,
  signFlipSync,
  wilson,
} from '../../src/numbers/index.ts';
import { expectError } from './helpers.ts';

/** What no type allows, and callers from JavaScript pass all the same. */
// biome-ignore lint/suspicious/noExplicitAny: wrong types are the point
type Wrong = any;

const f32 = (...numbers: number[]): Float32Array => Float32Array.from(numbers);
const u32 = (...numbers: number[]): Uint32Array => Uint32Array.from(numbers);
const f64 = (...numbers: number[]): Float64Array => Float64Array.from(numbers);

test('the addon knows only codes of the one list', () => {
  expect(Object.keys(ERROR_CODES)).toEqual(expect.arrayContaining(metricsAddon().errorCodes()));
});

/** A name, the inputs, the code, a part of the message, and where wanted a part of the data. */
type Case = readonly [string, readonly unknown[], ErrorCode, string, (object | undefined)?];

/** Both ways of calling must refuse alike. */
function bothRefuse(ways: readonly ((...inputs: Wrong[]) => unknown)[], cases: readonly Case[]): void {
  for (const [name, inputs, code, named, data] of cases) {
    test(name, async () => {
      for (const way of ways) {
        const error = await expectError(() => way(...inputs), code, named);
        if (data) expect(error.data).toMatchObject(data);
        expect(error.kind).toBe('input');
      }
    });
  }
}

describe('rowMetrics', () => {
  const vocab = 2;
  bothRefuse(
    [rowMetrics, rowMetricsSync],
    [
      ['nothing', [], 'bad_argument', '`logits`', { input: 'logits' }],
      ['a plain array', [[1, 2], { vocab }], 'bad_argument', 'Float32Array'],
      ['float64 logits', [f64(1, 2), { vocab }], 'bad_argument', '`logits` is of type Float64Array'],
      ['no options', [f32(1, 2)], 'bad_argument', '`options`'],
      ['no vocab', [f32(1, 2), {}], 'bad_argument', '`vocab` is missing', { input: 'vocab' }],
      ['a vocab of text', [f32(1, 2), { vocab: '2' }], 'bad_argument', '`vocab`'],
      ['a vocab of 1.5', [f32(1, 2), { vocab: 1.5 }], 'bad_argument', '`vocab`'],
      ['a vocab of 0', [f32(1, 2), { vocab: 0 }], 'empty_input', 'vocabulary'],
      ['a vocab of NaN', [f32(1, 2), { vocab: Number.NaN }], 'bad_argument', '`vocab`'],
      ['no logits', [f32(), { vocab }], 'empty_input', 'logits'],
      ['half a row', [f32(1, 2, 3), { vocab }], 'length_mismatch', '3 logits'],
      ['NaN', [f32(1, 2, 3, Number.NaN), { vocab }], 'not_finite', 'row 1', { row: 1, column: 1 }],
      [
        '+Infinity',
        [f32(1, Number.POSITIVE_INFINITY), { vocab }],
        'not_finite',
        'row 0',
        { row: 0, column: 1 },
      ],
      [
        'all masked',
        [f32(1, 2, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY), { vocab }],
        'all_masked',
        'row 1',
        { row: 1 },
      ],
      ['groups of plain arrays', [f32(1, 2), { vocab, groups: [[0]] }], 'bad_argument', '`groups`'],
      ['groups that are none', [f32(1, 2), { vocab, groups: Int32Array.of(0) }], 'bad_argument', '`groups`'],
      ['an id outside', [f32(1, 2), { vocab, groups: [Int32Array.of(2)] }], 'out_of_range', '2', { id: 2 }],
      ['an id twice', [f32(1, 2), { vocab, groups: [Int32Array.of(1, 1)] }], 'bad_argument', 'token id 1'],
      ['plain targets', [f32(1, 2), { vocab, targets: [0] }], 'bad_argument', '`targets`'],
      ['too few targets', [f32(1, 2), { vocab, targets: new Int32Array(0) }], 'length_mismatch', 'targets'],
      [
        'a target outside',
        [f32(1, 2), { vocab, targets: Int32Array.of(5) }],
        'out_of_range',
        '5',
        { row: 0 },
      ],
      ['topK of 0', [f32(1, 2), { vocab, topK: 0 }], 'bad_argument', '`topK`'],
      ['topK of null', [f32(1, 2), { vocab, topK: null }], 'bad_argument', '`topK` is null'],
    ],
  );
});

describe('pairMetrics', () => {
  const vocab = 2;
  bothRefuse(
    [pairMetrics, pairMetricsSync],
    [
      ['nothing', [], 'bad_argument', '`a`', { input: 'a' }],
      ['a plain second', [f32(1, 2), [1, 2], { vocab }], 'bad_argument', '`b` is an array'],
      ['no options', [f32(1, 2), f32(1, 2)], 'bad_argument', '`options`'],
      ['different lengths', [f32(1, 2), f32(1, 2, 3, 4), { vocab }], 'length_mismatch', '`b`'],
      ['NaN in b', [f32(1, 2), f32(1, Number.NaN), { vocab }], 'not_finite', '`b`', { input: 'b', row: 0 }],
      ['topK as a number', [f32(1, 2), f32(1, 2), { vocab, topK: 5 }], 'bad_argument', '`topK`'],
      ['a K of 0', [f32(1, 2), f32(1, 2), { vocab, topK: [1, 0] }], 'bad_argument', '`topK`'],
      ['base 10', [f32(1, 2), f32(1, 2), { vocab, base: 10 }], 'bad_argument', 'base 10'],
    ],
  );
});

/** Options that every function with an interval must refuse. */
const badOptions = [
  ['a gate of plain numbers', { gate: [1, 1] }, 'bad_argument', '`gate`'],
  ['a gate of floats', { gate: f64(1, 1) }, 'bad_argument', '`gate`'],
  ['a short gate', { gate: Uint8Array.of(1) }, 'length_mismatch', '`gate`'],
  ['a gate of 2', { gate: Uint8Array.of(1, 2) }, 'bad_argument', 'gate', { row: 1 }],
  ['signed clusters', { cluster: Int32Array.of(1, 2) }, 'bad_argument', '`cluster`'],
  ['too many clusters', { cluster: Uint32Array.of(1, 2, 3) }, 'length_mismatch', '`cluster`'],
] as const;

const badIntervals = [
  ['an unknown method', { ci: 'jackknife' }, 'bad_argument', 'jackknife', { input: 'ci' }],
  ['a method of no name', { ci: 3 }, 'bad_argument', '`ci`'],
  ['a level of 95', { level: 95 }, 'bad_argument', 'level', { input: 'level' }],
  ['a level of NaN', { level: Number.NaN }, 'bad_argument', 'level'],
  ['a level of text', { level: '0.9' }, 'bad_argument', '`level`'],
  ['an unknown bootstrap', { ci: 'bootstrap', bootstrap: 'studentized' }, 'bad_argument', 'studentized'],
  ['few resamples', { ci: 'bootstrap', resamples: 10 }, 'bad_argument', 'resamples', { input: 'resamples' }],
  ['half a resample', { ci: 'bootstrap', resamples: 99.5 }, 'bad_argument', '`resamples`'],
  ['endless resamples', { ci: 'bootstrap', resamples: 1e12 }, 'bad_argument', 'resamples'],
  ['a negative seed', { ci: 'bootstrap', seed: -1 }, 'bad_argument', '`seed`'],
  ['no threads', { ci: 'bootstrap', threads: 0 }, 'bad_argument', 'threads'],
] as const;

const withOptions = (...inputs: unknown[]): Case[] =>
  [...badOptions, ...badIntervals].map(
    ([name, options, code, named, data]) => [name, [...inputs, options], code, named, data] as const,
  );

describe('aggregate', () => {
  bothRefuse(
    [aggregate, aggregateSync],
    [
      ['nothing', [], 'bad_argument', '`values`', { input: 'values' }],
      ['a plain array', [[1, 2]], 'bad_argument', '`values` is an array: pass a Float64Array'],
      ['float32 values', [f32(1, 2)], 'bad_argument', '`values`'],
      ['no values', [f64()], 'empty_input', 'values'],
      ['options that are none', [f64(1), 7], 'bad_argument', '`options`'],
      ['NaN', [f64(1, Number.NaN)], 'not_finite', '`values`', { input: 'values', row: 1 }],
      ['an overflow', [f64(1e308, 1e308)], 'not_finite', 'overflow'],
      ...withOptions(f64(1, 2)),
    ],
  );
});

describe('pairedDifference', () => {
  bothRefuse(
    [pairedDifference, pairedDifferenceSync],
    [
      ['nothing', [], 'bad_argument', '`a`', { input: 'a' }],
      ['only one', [f64(1)], 'bad_argument', '`b` is missing'],
      ['different lengths', [f64(1, 2), f64(1)], 'length_mismatch', '`b`'],
      ['nothing in them', [f64(), f64()], 'empty_input', 'values'],
      ['NaN in b', [f64(1, 2), f64(1, Number.NaN)], 'not_finite', '`b`', { input: 'b', row: 1 }],
      ['Infinity in a', [f64(Number.POSITIVE_INFINITY), f64(1)], 'not_finite', '`a`', { input: 'a', row: 0 }],
      ...withOptions(f64(1, 2), f64(2, 1)),
    ],
  );
});

describe('correlation', () => {
  bothRefuse(
    [correlation, correlationSync],
    [
      ['nothing', [], 'bad_argument', '`x`', { input: 'x' }],
      ['only one', [f64(1)], 'bad_argument', '`y` is missing'],
      ['plain arrays', [[1, 2], f64(1, 2)], 'bad_argument', '`x` is an array: pass a Float64Array'],
      ['float32 values', [f64(1, 2), f32(1, 2)], 'bad_argument', '`y`'],
      ['different lengths', [f64(1, 2), f64(1)], 'length_mismatch', '`y`', { input: 'y' }],
      ['nothing in them', [f64(), f64()], 'empty_input', '`x`'],
      ['NaN in x', [f64(1, Number.NaN), f64(1, 2)], 'not_finite', '`x`', { input: 'x', row: 1 }],
      [
        'Infinity in y',
        [f64(1, 2), f64(Number.NEGATIVE_INFINITY, 1)],
        'not_finite',
        '`y`',
        { input: 'y', row: 0 },
      ],
      ['options that are none', [f64(1), f64(1), 0.95], 'bad_argument', '`options`'],
      [
        'an unknown method',
        [f64(1), f64(1), { method: 'kendall' }],
        'bad_argument',
        'kendall',
        { input: 'method' },
      ],
      ['a method of no name', [f64(1), f64(1), { method: 1 }], 'bad_argument', '`method`'],
      ['a level of 1', [f64(1), f64(1), { level: 1 }], 'bad_argument', 'level', { input: 'level' }],
      ['a level of text', [f64(1), f64(1), { level: '0.9' }], 'bad_argument', '`level`'],
    ],
  );
});

describe('bootstrapRatios', () => {
  const fine = { numerators: f64(1, 2, 3, 4), denominators: f64(1, 1, 1, 1), columns: 2 };
  bothRefuse(
    [bootstrapRatios, bootstrapRatiosSync],
    [
      ['nothing', [], 'bad_argument', '`options`'],
      ['an empty object', [{}], 'bad_argument', '`numerators` is missing'],
      ['plain numbers', [{ ...fine, denominators: [1, 1] }], 'bad_argument', '`denominators` is an array'],
      ['no columns', [{ ...fine, columns: 0 }], 'bad_argument', 'columns', { input: 'columns' }],
      ['half a column', [{ ...fine, columns: 0.5 }], 'bad_argument', '`columns`'],
      ['columns left out', [{ ...fine, columns: undefined }], 'bad_argument', '`columns` is missing'],
      ['half a row', [{ ...fine, columns: 3 }], 'length_mismatch', 'rows of 3', { input: 'numerators' }],
      ['other lengths', [{ ...fine, denominators: f64(1, 1) }], 'length_mismatch', '`denominators`'],
      ['no rows', [{ ...fine, numerators: f64(), denominators: f64() }], 'empty_input', '`numerators`'],
      ['one cluster too few', [{ ...fine, cluster: Uint32Array.of(1) }], 'length_mismatch', '`cluster`'],
      ['signed clusters', [{ ...fine, cluster: Int32Array.of(1, 2) }], 'bad_argument', '`cluster`'],
      [
        'NaN',
        [{ ...fine, numerators: f64(1, 2, Number.NaN, 4) }],
        'not_finite',
        '`numerators`',
        { input: 'numerators', row: 1, column: 0 },
      ],
      [
        'a negative weight',
        [{ ...fine, denominators: f64(1, -1, 1, 1) }],
        'bad_argument',
        '`denominators`',
        { input: 'denominators', row: 0, column: 1 },
      ],
      ['no resamples', [{ ...fine, resamples: 0 }], 'bad_argument', 'resamples', { input: 'resamples' }],
      ['half a resample', [{ ...fine, resamples: 99.5 }], 'bad_argument', '`resamples`'],
      ['endless resamples', [{ ...fine, resamples: 1e7 }], 'bad_argument', '20000000 numbers'],
      ['a negative seed', [{ ...fine, seed: -1 }], 'bad_argument', '`seed`'],
      ['a seed of text', [{ ...fine, seed: '1' }], 'bad_argument', '`seed`'],
      ['no threads', [{ ...fine, threads: 0 }], 'bad_argument', 'threads'],
      ['an overflow', [{ ...fine, numerators: f64(1e308, 1, 1e308, 1) }], 'not_finite', 'overflow'],
    ],
  );
});

describe('percentileInterval', () => {
  const many = new Float64Array(100).fill(1);
  bothRefuse(
    [percentileInterval, percentileIntervalSync],
    [
      ['nothing', [], 'bad_argument', '`values`', { input: 'values' }],
      ['a plain array', [[1, 2]], 'bad_argument', '`values` is an array'],
      ['no values', [f64()], 'empty_input', '`values`'],
      ['few values', [f64(1, 2, 3)], 'bad_argument', '3 resamples are too few', { input: 'values' }],
      ['few values for the level', [many, { level: 0.99 }], 'bad_argument', 'needs 199', { input: 'values' }],
      [
        'an infinity',
        [many.map((x, i) => (i === 40 ? Number.POSITIVE_INFINITY : x))],
        'not_finite',
        '`values`',
        { input: 'values', row: 40 },
      ],
      ['a level of 95', [many, { level: 95 }], 'bad_argument', 'level', { input: 'level' }],
      ['a level of null', [many, { level: null }], 'bad_argument', '`level` is null'],
      ['a number for options', [many, 0.95], 'bad_argument', '`options`'],
    ],
  );
});

describe('gate', () => {
  const ones = Uint8Array.of(1, 0);
  const fine = { topKHits: ones, occupation: ones, pronounOrName: ones, window: 3, stepsAfter: 1 };
  bothRefuse(
    [gate],
    [
      ['nothing', [], 'bad_argument', '`options`'],
      ['an empty object', [{}], 'bad_argument', '`topKHits` is missing'],
      ['plain flags', [{ ...fine, occupation: [0, 1] }], 'bad_argument', '`occupation`'],
      ['other lengths', [{ ...fine, pronounOrName: Uint8Array.of(1) }], 'length_mismatch', '`pronounOrName`'],
      ['a flag of 2', [{ ...fine, topKHits: Uint8Array.of(0, 2) }], 'bad_argument', '`topKHits`', { row: 1 }],
      ['no window', [{ ...fine, window: 0 }], 'bad_argument', 'window'],
      ['a negative reach', [{ ...fine, stepsAfter: -1 }], 'bad_argument', '`stepsAfter`'],
      [
        'no steps',
        [
          {
            ...fine,
            topKHits: new Uint8Array(),
            occupation: new Uint8Array(),
            pronounOrName: new Uint8Array(),
          },
        ],
        'empty_input',
        '0 steps',
      ],
    ],
  );
});

describe('signFlip', () => {
  bothRefuse(
    [signFlip, signFlipSync],
    [
      ['flipping nothing', [f64()], 'empty_input', 'no values'],
      ['flipping a plain array', [[1]], 'bad_argument', '`values`'],
      ['flipping NaN', [f64(1, Number.NaN)], 'not_finite', 'NaN', { row: 1 }],
      ['clusters of another length', [f64(1, 2), { cluster: u32(1) }], 'length_mismatch', '1 entries'],
      ['level 1', [f64(1, 2), { level: 1 }], 'bad_argument', 'level'],
      ['half a draw', [f64(1, 2), { resamples: 0.5 }], 'bad_argument', '`resamples`'],
    ],
  );
});

describe('wilson, mcnemar, holm, benjaminiHochberg', () => {
  bothRefuse(
    [wilson],
    [
      ['wilson of nothing', [], 'bad_argument', '`successes`'],
      ['wilson of text', ['1', 2], 'bad_argument', '`successes`'],
      ['wilson of no trials', [0, 0], 'empty_input', '`n`'],
      ['wilson of too many successes', [3, 2], 'bad_argument', '`successes`'],
      ['wilson of half a success', [0.5, 2], 'bad_argument', '`successes`'],
      ['wilson at level 2', [1, 2, { level: 2 }], 'bad_argument', 'level'],
    ],
  );
  bothRefuse(
    [mcnemar],
    [
      ['mcnemar of one', [1], 'bad_argument', '`c` is missing'],
      ['mcnemar of -1', [-1, 2], 'bad_argument', '`b`'],
      ['mcnemar of NaN', [1, Number.NaN], 'bad_argument', '`c`'],
      ['mcnemar of too many', [Number.MAX_SAFE_INTEGER, 3], 'bad_argument', 'too many'],
    ],
  );
  bothRefuse(
    [holm, benjaminiHochberg],
    [
      ['adjusting nothing', [], 'bad_argument', '`pValues`'],
      ['adjusting a plain array', [[0.1]], 'bad_argument', '`pValues`'],
      ['adjusting NaN', [f64(0.1, Number.NaN)], 'not_finite', '`pValues`', { row: 1 }],
      ['adjusting 1.1', [f64(1.1)], 'bad_argument', '`pValues`', { row: 0 }],
    ],
  );
});

describe('Aggregator', () => {
  const add = (...inputs: Wrong[]): unknown => new Aggregator().add(...(inputs as [Wrong]));
  bothRefuse(
    [add],
    [
      ['nothing', [], 'bad_argument', '`columns`'],
      ['no values', [{}], 'bad_argument', '`values` is missing'],
      ['plain values', [{ values: [1] }], 'bad_argument', '`values`'],
      ['numbered clusters in a plain array', [{ values: f64(1), cluster: [1] }], 'bad_argument', '`cluster`'],
      ['clusters of floats', [{ values: f64(1), cluster: f64(1) }], 'bad_argument', '`cluster`'],
      ['too few names', [{ values: f64(1, 2), cluster: ['a'] }], 'length_mismatch', '`cluster`'],
      ['NaN', [{ values: f64(Number.NaN) }], 'not_finite', '`values`', { row: 0 }],
      ['a short gate', [{ values: f64(1, 2), gate: Uint8Array.of(1) }], 'length_mismatch', '`gate`'],
    ],
  );

  const filled = (): Aggregator => new Aggregator().add({ values: f64(1, 2) });
  bothRefuse(
    [(options?: Wrong) => filled().result(options), (options?: Wrong) => filled().resultSync(options)],
    badIntervals.map(([name, options, code, named, data]) => [name, [options], code, named, data] as const),
  );

  test('no steps, other kinds, other things', async () => {
    await expectError(() => new Aggregator().resultSync(), 'empty_input', '`values`');
    await expectError(() => new Aggregator().result(), 'empty_input', '`values`');
    const named = new Aggregator().add({ values: f64(1), cluster: ['a'] });
    await expectError(() => filled().merge(named), 'bad_argument', '`cluster`');
    await expectError(
      () => filled().merge({} as Wrong),
      'bad_argument',
      '`other` is of type Object: pass an Aggregator',
    );
    await expectError(() => filled().merge(undefined as Wrong), 'bad_argument', '`other` is missing');
  });

  const state = (change: object): unknown => ({
    ...new Aggregator().add({ values: f64(1, 2, 4), cluster: Uint32Array.of(3, 3, 9) }).toJSON(),
    ...change,
  });
  const clusters = (change: object): unknown =>
    state({
      clusters: { by: 'number', ids: [3, 9], weights: [2, 1], sums: [3, 4], rests: [0, 0], ...change },
    });
  bothRefuse(
    [Aggregator.fromJSON],
    [
      ['no state', [undefined], 'bad_argument', '`state`'],
      ['a state of null', [null], 'bad_argument', '`state`'],
      ['a state of text', ['{}'], 'bad_argument', '`state`'],
      ['an empty state', [{}], 'bad_argument', '`format`'],
      ['another format', [state({ format: 'x' })], 'bad_argument', 'format `x`'],
      ['another version', [state({ version: 2 })], 'bad_argument', 'version'],
      ['half a step', [state({ steps: 0.5 })], 'bad_argument', '`steps`'],
      ['fewer steps than gated ones', [state({ steps: 2 })], 'bad_argument', '`steps`'],
      ['no squares', [state({ squares: [] })], 'bad_argument', '`squares`'],
      ['squares too small', [state({ squares: [1, 0] })], 'bad_argument', '`squares`'],
      ['squares of null', [state({ squares: [null, 0] })], 'bad_argument', '`squares`'],
      ['values and clusters', [state({ values: [1] })], 'bad_argument', '`values`'],
      ['no clusters', [state({ clusters: null })], 'bad_argument', '`steps`'],
      ['clusters left out', [state({ clusters: undefined })], 'bad_argument', 'clusters'],
      ['ids twice', [clusters({ ids: [3, 3] })], 'bad_argument', '`clusters`', { row: 1 }],
      ['ids of both kinds', [clusters({ ids: [3, 'b'] })], 'bad_argument', '`ids`'],
      ['ids of another kind', [clusters({ by: 'name' })], 'bad_argument', '`ids`'],
      ['ids of no kind', [clusters({ by: 'hash' })], 'bad_argument', '`by`'],
      ['negative ids', [clusters({ ids: [3, -1] })], 'bad_argument', '`clusters`'],
      ['ids beyond 32 bits', [clusters({ ids: [3, 2 ** 32] })], 'bad_argument', '4294967296'],
      ['columns of other lengths', [clusters({ weights: [3] })], 'bad_argument', '`clusters`'],
      ['a weight of 0', [clusters({ weights: [3, 0] })], 'bad_argument', '`weights`'],
      ['a sum of null', [clusters({ sums: [3, null] })], 'bad_argument', 'sums'],
      ['a sum of Infinity', [clusters({ sums: [3, Number.POSITIVE_INFINITY] })], 'not_finite', '`sums`'],
      ['a rest that is none', [clusters({ rests: [0, 1] })], 'not_finite', '`sums`'],
    ],
  );
});
