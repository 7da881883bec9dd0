/** The self-test: right on this build, and wrong where a kernel would be. */
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import { fromBrain, fromHalf, toBrain, toHalf } from '../../src/files/half.ts';
import { type LocalModel, openModel } from '../../src/model/index.ts';
import { logProbabilities } from '../../src/self-test/forward.ts';
import { buildTestModel, type Matrix, randomIds } from '../../src/self-test/model.ts';
import { runSelfTest } from '../../src/self-test/self-test.ts';
import { judge } from '../../src/self-test/verdict.ts';
import { SHORT_FORM, WEIGHT_TYPES } from '../../src/self-test/weight-types.ts';

const TYPES = WEIGHT_TYPES.map(({ name }) => name);

describe('the engine', () => {
  it('computes every weight type right, in both modes', async () => {
    const results = await runSelfTest();
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    const cpu = results.filter(({ device }) => device === 'cpu');
    expect(cpu.map(({ type, mode }) => `${type} ${mode}`)).toEqual(
      TYPES.flatMap((type) => [`${type} fast`, `${type} exact`]),
    );
  });

  it('is tried with one type of each kind in the short form', async () => {
    const results = await runSelfTest({ short: true });
    expect(results.map(({ type, ok }) => [type, ok])).toEqual(SHORT_FORM.map((type) => [type, true]));
  });

  it('may crash on one type: the others are tried, and the reason names signal and type', async () => {
    const crash = new AuditError('engine_crash', "the engine's process was ended by SIGILL", {});
    const open = async (...[path, options]: Parameters<typeof openModel>): Promise<LocalModel> => {
      if (path.includes('Q4_1')) throw crash;
      return openModel(path, options);
    };
    const results = await runSelfTest({ short: true, types: ['F32', 'Q4_1', 'Q8_0'], open });
    expect(results.map(({ type, ok }) => [type, ok])).toEqual([
      ['F32', true],
      ['Q8_0', true],
      ['Q4_1', false],
    ]);
    expect(results[2]?.reason).toMatch(/^Q4_1 is not computed: .*SIGILL.*; .*another compiler/);
  });
});

/** Faults that a kernel may have, made in the weights that it would have read. */
const FAULTS: Readonly<Record<string, (weight: number, column: number, row: number) => number>> = {
  'a block of 32 that every row loses': (w, column) => (column < 32 ? 0 : w),
  'a sign that is turned in one block of 32': (w, column) => (column >= 64 && column < 96 ? -w : w),
  'a scale of all that is a tenth too large': (w) => 1.1 * w,
  'a block that is read with twice its scale': (w, column) => (column >= 224 ? 2 * w : w),
  // Of every row it would move all logits alike, which no probability shows.
  'an offset that every second row is left without': (w, _, row) => (row % 2 === 0 ? w + 0.03 : w),
  'one row that is lost': (w, _, row) => (row === 77 ? 0 : w),
};

describe('a fault of a kernel is seen', () => {
  const ids = randomIds(40);
  it.each(['F32', 'Q8_0', 'Q4_1', 'Q4_K', 'Q2_K', 'MXFP4'])('beside the rounding of %s', (name) => {
    const type = WEIGHT_TYPES.find((one) => one.name === name)!;
    const { weights } = buildTestModel(type);
    const expected = {
      logProbs: logProbabilities(weights, ids, 'none'),
      rounded: logProbabilities(weights, ids, type.activations),
    };
    const withFault = (tensor: string, fault: (typeof FAULTS)[string]): Float64Array => {
      const matrix = weights.get(tensor) as Matrix;
      const values = matrix.values.map((w, i) =>
        fault(w, i % matrix.columns, Math.floor(i / matrix.columns)),
      );
      return logProbabilities(new Map(weights).set(tensor, { ...matrix, values }), ids, type.activations);
    };
    expect(judge(expected.rounded, expected, 0).ok).toBe(true);
    const missed = Object.entries(FAULTS).filter(
      ([, fault]) => judge(withFault('output.weight', fault), expected, 2e-5).ok,
    );
    expect(missed.map(([what]) => what)).toEqual([]);
    expect(judge(expected.logProbs.with(5, Number.NaN), expected, 2e-5).ok).toBe(false);
    expect(judge(expected.logProbs.subarray(1), expected, 2e-5).ok).toBe(false);
  });
});

describe('numbers of 16 bits', () => {
  it.each([
    [0x3c00, 1],
    [0xc000, -2],
    [0x7bff, 65504],
    [0x0001, 2 ** -24],
    [0x3555, 0.333251953125],
  ])('half %i is %d', (bits, value) => {
    expect(fromHalf(bits)).toBe(value);
    expect(toHalf(value)).toBe(bits);
  });

  it('rounds to the nearest', () => {
    expect(fromHalf(toHalf(1.0004))).toBe(1);
    expect(fromHalf(toHalf(1.9999))).toBe(2);
    expect(fromBrain(toBrain(1.004))).toBe(1.0078125);
    expect(fromBrain(toBrain(-3))).toBe(-3);
  });
});
