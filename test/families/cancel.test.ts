/** A cancelled observation ends with `cancelled`, at the next batch, and the model goes on as if nothing had been. */
import { describe, expect, it } from 'vitest';
import type { ObserveRequest } from '../../src/observation/observation.ts';
import { faultOf } from '../fault.ts';
import { FAMILIES } from './family.ts';

const MEASURE = { groups: [Int32Array.of(5, 6)], topK: 3, pairTopK: [4] };
const LONG = Array.from({ length: 8 }, () => 'The nurse said that she was late.').join(' ');
const REQUESTS = 10_000;

/** In a process of its own one of each kind: those that put BOS in front. */
const cases = FAMILIES.flatMap((family) =>
  (family.addsBos ? [true, false] : [true]).map((inProcess) => ({ family, name: family.name, inProcess })),
);

describe.each(cases)('$name, inProcess: $inProcess', ({ family, inProcess }) => {
  /** Tells when the source is asked for a request; no two are alike, so that none is for free. */
  function* source(onRequest: (index: number) => void = () => undefined): Generator<ObserveRequest> {
    for (let index = 0; index < REQUESTS; index += 1) {
      onRequest(index);
      yield { kind: 'pair', text: `${index} ${LONG} she`, textSwap: `${index} ${LONG} he` };
    }
  }
  const question: ObserveRequest[] = [
    { kind: 'pair', text: 'The nurse said that she', textSwap: 'The nurse said that he' },
    { kind: 'score', perToken: true, prompt: 'The nurse', continuations: [' said', ' was'] },
  ];

  it('in the middle of a stream', async () => {
    await using model = await family.open({ inProcess });
    const before = await model.observeWindow(question, MEASURE);
    const controller = new AbortController();
    const windows: number[] = [];
    const error = await faultOf(async () => {
      // The third window is gathered while the second is decoded and the first is the caller's.
      const requests = source((index) => {
        if (index === 300) controller.abort();
      });
      const stream = model.observe(requests, { ...MEASURE, signal: controller.signal });
      for await (const { firstRequest } of stream) windows.push(firstRequest);
    });
    expect(error.code).toBe('cancelled');
    expect(windows.length).toBeLessThanOrEqual(2);
    expect(await model.observeWindow(question, MEASURE)).toEqual(before);
  });

  it('by its caller, who has a window and wants no more', async () => {
    await using model = await family.open({ inProcess });
    const before = await model.observeWindow(question, MEASURE);
    const controller = new AbortController();
    const stream = model.observe(source(), { ...MEASURE, signal: controller.signal });
    expect((await stream.next()).value?.firstRequest).toBe(0);
    controller.abort();
    expect((await faultOf(stream.next())).code).toBe('cancelled');
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    // Tokens are to be had meanwhile and after.
    expect([...(await model.tokenize('The nurse'))]).toEqual(family.oracle.data('The nurse'));
    expect(await model.observeWindow(question, MEASURE)).toEqual(before);
  });

  it('within one window', async () => {
    await using model = await family.open({ inProcess });
    const before = await model.observeWindow(question, MEASURE);
    const requests = [...source()].slice(0, 1500);
    const controller = new AbortController();
    const observing = faultOf(model.observeWindow(requests, MEASURE, { signal: controller.signal }));
    // The call is under way one turn of the loop later.
    setImmediate(() => controller.abort());
    expect((await observing).code).toBe('cancelled');
    expect(await model.observeWindow(question, MEASURE)).toEqual(before);
  });
});
