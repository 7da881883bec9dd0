/** What holds for all inputs: ranges, symmetries, invariances, and additivity. (Merges are in aggregator.test.ts.) */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  aggregateSync,
  benjaminiHochberg,
  holm,
  mcnemar,
  pairedDifferenceSync,
  pairMetricsSync,
  rowMetricsSync,
  wilson,
} from '../../src/numbers/index.ts';
import { expectLogits, expectNear, LOGITS, LOGITS_NOISE } from './helpers.ts';

/** Adding a number to float32 logits rounds each of them; the shifts here are exact for logits of 10 bits of fraction. */
const shift = fc.constantFrom(-64, -1, 0.5, 3, 128);
const logit = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: -20480, max: 20480 }).map((n) => n / 1024) },
  { weight: 1, arbitrary: fc.constant(Number.NEGATIVE_INFINITY) },
);
const row = (vocab: number) =>
  fc
    .array(logit, { minLength: vocab, maxLength: vocab })
    .filter((z) => z.some(Number.isFinite))
    .map((z) => Float32Array.from(z));
const pair = fc.integer({ min: 1, max: 60 }).chain((vocab) => fc.tuple(row(vocab), row(vocab)));

describe('rows', () => {
  test('probability adds up over a partition, and a shift moves the logsumexp alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 80 }).chain(row), fc.nat(), shift, (z, cut, by) => {
        const at = 1 + (cut % (z.length - 1));
        const ids = Int32Array.from(z, (_, id) => id);
        const options = { vocab: z.length, groups: [ids.slice(0, at), ids.slice(at), ids], topK: 3 };
        const got = rowMetricsSync(z, options);
        const [left, right, all] = got.masses as unknown as [number, number, number];
        expectLogits([left + right], [1]);
        expectLogits([all], [1]);
        expect(got.entropy[0]).toBeGreaterThanOrEqual(0);
        expect(got.entropy[0]).toBeLessThanOrEqual(Math.log(z.length) * (1 + LOGITS));
        const moved = rowMetricsSync(
          z.map((x) => x + by),
          options,
        );
        expectLogits([moved.logsumexp[0]!], [got.logsumexp[0]! + by]);
        expectLogits([moved.entropy[0]!], [got.entropy[0]!]);
        expectLogits(moved.masses, [...got.masses]);
        expect(moved.topKIds).toEqual(got.topKIds);
      }),
    );
  });
});

describe('pairs', () => {
  test('ranges, symmetry, bounds, the base, a row against itself', () => {
    fc.assert(
      fc.property(pair, fc.integer({ min: 1, max: 70 }), shift, ([a, b], k, by) => {
        const options = { vocab: a.length, topK: [k] };
        const got = pairMetricsSync(a, b, options);
        const swapped = pairMetricsSync(b, a, options);
        const [jsd, form] = [got.jsd[0]!, got.topK[0]!];
        expect(jsd).toBeGreaterThanOrEqual(0);
        expect(jsd).toBeLessThanOrEqual(Math.LN2);
        expect(got.totalVariation[0]).toBeLessThanOrEqual(1);
        expectLogits([swapped.jsd[0]!], [jsd]);
        expectLogits([swapped.totalVariation[0]!], [got.totalVariation[0]!]);
        expectLogits([swapped.klPQ[0]!], [got.klQP[0]!]);
        expect(form.partial[0]!).toBeLessThanOrEqual(form.lower[0]!);
        expect(form.lower[0]! * (1 - LOGITS) - LOGITS_NOISE).toBeLessThanOrEqual(jsd);
        expect(form.upper[0]! * (1 + LOGITS) + LOGITS_NOISE).toBeGreaterThanOrEqual(jsd);
        expectLogits([pairMetricsSync(a, b, { ...options, base: 2 }).jsd[0]! * Math.LN2], [jsd]);
        const moved = pairMetricsSync(
          a.map((z) => z + by),
          b,
          options,
        );
        expectLogits([moved.jsd[0]!], [jsd]);
        const same = pairMetricsSync(a, a, options);
        expectLogits([same.jsd[0]!, same.klPQ[0]!, same.totalVariation[0]!], [0, 0, 0]);
      }),
    );
  });
});

const steps = fc.array(
  fc.record({
    value: fc.integer({ min: -4096, max: 4096 }).map((n) => n / 64),
    other: fc.integer({ min: -4096, max: 4096 }).map((n) => n / 64),
    open: fc.boolean(),
    id: fc.integer({ min: 0, max: 9 }),
  }),
  { minLength: 1, maxLength: 60 },
);
const methods = fc.constantFrom(
  { ci: 'normal' } as const,
  { ci: 'cluster' } as const,
  { ci: 'bootstrap', resamples: 99 } as const,
  { ci: 'bootstrap', bootstrap: 'percentile', resamples: 99 } as const,
);

describe('means', () => {
  test('the mean lies among its values, moves with them, and needs no order of steps', () => {
    fc.assert(
      fc.property(steps, methods, fc.constantFrom(-8, 0.25, 1024), (all, options, by) => {
        const column = (of: typeof all, moved = 0) => ({
          values: Float64Array.from(of, (step) => step.value + moved),
          options: {
            gate: Uint8Array.from(of, (step) => (step.open ? 1 : 0)),
            cluster: Uint32Array.from(of, (step) => step.id),
            ...options,
          },
        });
        const here = column(all);
        const got = aggregateSync(here.values, here.options);
        const open = all.filter((step) => step.open).map((step) => step.value);
        expect(got.ci === null).toBe(got.reason !== undefined);
        expect(got.gatedSteps).toBe(open.length);
        if (open.length === 0) return;
        expect(got.mean).toBeGreaterThanOrEqual(Math.min(...open));
        expect(got.mean).toBeLessThanOrEqual(Math.max(...open));
        const there = column(all, by);
        const moved = aggregateSync(there.values, there.options);
        expectNear(moved.mean, got.mean + by);
        const turned = column([...all].reverse());
        const reversed = aggregateSync(turned.values, turned.options);
        expectNear(reversed.mean, got.mean);
        // The percentile ends of so few resamples may leave the mean out; those of the other methods hold it.
        if (got.ci === null || moved.ci === null || reversed.ci === null) return;
        expect(got.ci.low).toBeLessThanOrEqual(got.ci.high);
        expectNear(moved.ci.low, got.ci.low + by, 1e-9, 1e-9);
        expectNear(moved.ci.high, got.ci.high + by, 1e-9, 1e-9);
        expectNear(reversed.ci.low, got.ci.low);
        expectNear(reversed.ci.high, got.ci.high);
      }),
    );
  });

  test('a difference turns its sign with its sides, and is that of the differences', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom('normal', 'cluster'), (all, ci) => {
        const a = Float64Array.from(all, (step) => step.value);
        const b = Float64Array.from(all, (step) => step.other);
        const options = { cluster: Uint32Array.from(all, (step) => step.id), ci };
        const forth = pairedDifferenceSync(a, b, options);
        const back = pairedDifferenceSync(b, a, options);
        const mean = aggregateSync(
          a.map((x, i) => x - b[i]!),
          options,
        );
        expect(forth.mean).toBe(mean.mean);
        expect(forth.ci).toEqual(mean.ci);
        expectNear(back.mean!, -forth.mean!);
        expect(back.pValue === null).toBe(forth.pValue === null);
        if (forth.pValue === null || forth.ci === null) return;
        expectNear(back.pValue!, forth.pValue);
        expect(forth.pValue).toBeGreaterThanOrEqual(0);
        expect(forth.pValue).toBeLessThanOrEqual(1);
        // At 5 %, test and interval say the same; 1.96 is a rounded quantile, so the edge itself is left out.
        if (Math.abs(forth.pValue - 0.05) > 1e-4) {
          expect(forth.pValue < 0.05).toBe(forth.ci.low > 0 || forth.ci.high < 0);
        }
      }),
    );
  });
});

describe('counts and p-values', () => {
  test('Wilson and McNemar are symmetric and keep their ranges', () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(3000), (b, c) => {
        const got = mcnemar(b, c);
        expect(mcnemar(c, b)).toEqual(got);
        if (b + c === 0) return;
        expect(got.pValue).toBeGreaterThanOrEqual(0);
        expect(got.pValue).toBeLessThanOrEqual(1);
        const proportion = wilson(b, b + c);
        expect(proportion.low).toBeLessThanOrEqual(proportion.mean);
        expect(proportion.high).toBeGreaterThanOrEqual(proportion.mean);
        expectNear(wilson(c, b + c).low, 1 - proportion.high);
      }),
    );
  });

  test('adjusted p-values keep the order, never shrink, and Holm is the stricter', () => {
    const p = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(p, (list) => {
        const raw = Float64Array.from(list);
        const [strict, mild] = [holm(raw), benjaminiHochberg(raw)];
        for (let i = 0; i < raw.length; i += 1) {
          expect(mild[i]!).toBeGreaterThanOrEqual(raw[i]!);
          expect(strict[i]! * (1 + 1e-12)).toBeGreaterThanOrEqual(mild[i]!);
          expect(strict[i]!).toBeLessThanOrEqual(1);
          for (let j = 0; j < i; j += 1) {
            if (raw[i]! < raw[j]!) {
              expect(strict[i]!).toBeLessThanOrEqual(strict[j]!);
              expect(mild[i]!).toBeLessThanOrEqual(mild[j]!);
            }
          }
        }
      }),
    );
  });
});
