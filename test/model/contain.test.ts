/** The rule for a window whose process died, by itself: a fake engine that dies as it is told to. */
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import { Containment } from '../../src/model/llama/contain.ts';
import type { ObserveRequest } from '../../src/observation/observation.ts';
import { faultOf } from '../fault.ts';
import { MockBackend } from '../run/mock-backend.ts';
import { textOf } from './text-of.ts';

const MEASURE = { groups: [Int32Array.of(1), Int32Array.of(2)], topK: 0, pairTopK: [3, 5] };

const death = (phase: string) =>
  new AuditError('engine_crash', 'the process ended', { phase, signal: 'SIGKILL' });

/** An engine that dies in the calls that `dies` picks; `calls` has the texts of every call. */
function engine(dies: (texts: string[], call: number) => AuditError | false) {
  const backend = new MockBackend('mock');
  const calls: string[][] = [];
  const observeOnce = (requests: readonly ObserveRequest[]) => {
    const texts = requests.map(textOf);
    calls.push(texts);
    const fault = dies(texts, calls.length - 1);
    return fault ? Promise.reject(fault) : backend.observeWindow(requests, MEASURE);
  };
  return { observeOnce, calls, backend };
}

const requests: ObserveRequest[] = [
  { kind: 'pair', text: 'a', textSwap: 'A' },
  { kind: 'probe', text: 'guilty' },
  { kind: 'probe', text: 'too long' },
  { kind: 'pair', text: 'b', textSwap: 'B' },
];

describe('a window whose process died', () => {
  it('once is asked again one by one, and is whole', async () => {
    const { observeOnce, calls, backend } = engine((_, call) => call === 0 && death('request'));
    const observed = await new Containment().observe(requests, observeOnce);
    // What was asked is said beside the answers, not by them.
    expect(observed).toEqual({
      ...(await backend.observeWindow(requests, MEASURE)),
      asked: undefined,
    });
    expect(calls).toEqual([['a', 'guilty', 'too long', 'b'], ['a'], ['guilty'], ['too long'], ['b']]);
  });

  it('again of one request has every other row, and that failure', async () => {
    const { observeOnce, backend } = engine((texts) => texts.includes('guilty') && death('request'));
    const observed = await new Containment().observe(requests, observeOnce);
    const others = await backend.observeWindow(requests.toSpliced(1, 1), MEASURE);
    expect([...observed.rows.request]).toEqual([0, 0, 3, 3]);
    expect(observed.rows.masses).toEqual(others.rows.masses);
    expect(observed.pairs.topK).toEqual(others.pairs.topK);
    expect(observed.sequences.ids).toEqual(others.sequences.ids);
    expect(observed.sequences.offsets).toEqual(others.sequences.offsets);
    expect(observed.pairs.rowSwap).toEqual(others.pairs.rowSwap);
    expect(observed.failures.map(({ request, code }) => [request, code])).toEqual([
      [1, 'engine_crash'],
      [2, 'context_overflow'],
    ]);
    expect(observed.requests).toBe(4);
  });

  it('may be one of a single request, or all of a window', async () => {
    const { observeOnce, calls } = engine((texts) => texts.length > 0 && death('request'));
    const alone = await new Containment().observe(requests.slice(0, 1), observeOnce);
    expect(alone.failures.map(({ request }) => request)).toEqual([0]);
    expect(calls).toEqual([['a'], ['a'], []]);
    const none = await new Containment().observe(requests, observeOnce);
    expect(none.failures.map(({ request }) => request)).toEqual([0, 1, 2, 3]);
    expect([none.rows.rows, none.pairs.topK.length]).toEqual([0, 2]);
  });

  it('and cannot be started again is the fault that this is', async () => {
    const { observeOnce, calls } = engine((_, call) => death(call === 0 ? 'request' : 'open'));
    const error = await faultOf(new Containment().observe(requests, observeOnce));
    expect([error.data.phase, calls.length]).toEqual(['open', 2]);
  });

  it('is left when it is cancelled', async () => {
    const { observeOnce, calls } = engine((_, call) =>
      call === 0 ? death('request') : call === 2 && new AuditError('cancelled', 'cancelled'),
    );
    expect((await faultOf(new Containment().observe(requests, observeOnce))).code).toBe('cancelled');
    expect(calls.length).toBe(3);
  });

  it('counts crashes in a row over windows, and a success ends the row', async () => {
    const containment = new Containment();
    const { observeOnce } = engine((texts) => texts.includes('guilty') && death('request'));
    const guilty: ObserveRequest[] = Array.from({ length: 15 }, () => ({ kind: 'probe', text: 'guilty' }));
    expect((await containment.observe(guilty, observeOnce)).failures.length).toBe(15);
    await containment.observe(requests.slice(0, 1), observeOnce);
    expect((await containment.observe(guilty, observeOnce)).failures.length).toBe(15);
    const error = await faultOf(containment.observe(guilty, observeOnce));
    expect(error.message).toContain('16 requests one after the other');
    expect(error.data.signal).toBe('SIGKILL');
  });

  it('other faults are no deaths', async () => {
    const { observeOnce, calls } = engine(() => new AuditError('engine_failed', 'out of memory'));
    expect((await faultOf(new Containment().observe(requests, observeOnce))).code).toBe('engine_failed');
    expect(calls.length).toBe(1);
  });
});
