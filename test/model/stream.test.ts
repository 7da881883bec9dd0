/** The stream of windows by itself: what is asked when, and how it ends. No model. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import { type ObserveWindow, observeStream, type StreamOptions } from '../../src/model/llama/stream.ts';
import type { Observations, ObserveRequest } from '../../src/observation/observation.ts';
import { faultOf } from '../fault.ts';
import { MockBackend } from '../run/mock-backend.ts';
import { textOf } from './text-of.ts';

const MEASURE = { groups: [], topK: 0, pairTopK: [] };

/** A source that counts what was taken from it, and whether it was told to stop. */
class Source {
  taken = 0;
  returned = 0;

  constructor(
    readonly length: number,
    readonly failAt = Number.POSITIVE_INFINITY,
  ) {}

  *sync(): Generator<ObserveRequest> {
    try {
      for (let index = 0; index < this.length; index += 1) {
        if (index === this.failAt) throw new Error('the source broke');
        this.taken += 1;
        yield { kind: 'probe', text: `text ${index}` };
      }
    } finally {
      this.returned += 1;
    }
  }

  async *async(): AsyncGenerator<ObserveRequest> {
    yield* this.sync();
  }
}

/** Observes with a backend without a model, a few turns of the loop later. */
function stream(
  requests: Iterable<ObserveRequest> | AsyncIterable<ObserveRequest>,
  options: StreamOptions = {},
) {
  const backend = new MockBackend('mock');
  const state = { running: 0, mostRunning: 0, backend };
  const observe: ObserveWindow = async (window, firstRequest, signal) => {
    state.running += 1;
    state.mostRunning = Math.max(state.mostRunning, state.running);
    await turn();
    state.running -= 1;
    return { ...(await backend.observeWindow(window, MEASURE, { signal })), firstRequest };
  };
  return { windows: observeStream(requests, observe, options), state };
}

async function all(windows: AsyncIterable<Observations>): Promise<Observations[]> {
  const seen: Observations[] = [];
  for await (const window of windows) seen.push(window);
  return seen;
}

const several = async () => {
  for (let index = 0; index < 20; index += 1) await turn();
};

describe.each(['sync', 'async'] as const)('a stream of requests from a %s source', (kind) => {
  it('comes in windows of 128 that say where they begin', async () => {
    const seen: object[] = [];
    const source = new Source(300);
    const { windows, state } = stream(source[kind](), { onProgress: (progress) => seen.push(progress) });
    const got = await all(windows);
    expect(got.map(({ firstRequest, requests }) => [firstRequest, requests])).toEqual([
      [0, 128],
      [128, 128],
      [256, 44],
    ]);
    expect(state.backend.windows.flat().map(textOf)).toEqual([...new Source(300).sync()].map(textOf));
    // One is decoded, the next is there already.
    expect(state.mostRunning).toBe(2);
    expect(seen).toEqual([
      { requests: 128, tokens: 128 },
      { requests: 256, tokens: 256 },
      { requests: 300, tokens: 300 },
    ]);
  });

  it('is empty where there are no requests, and whole where the last window is full', async () => {
    expect(await all(stream(new Source(0)[kind]()).windows)).toEqual([]);
    expect((await all(stream(new Source(256)[kind]()).windows)).length).toBe(2);
  });

  it('reads no further than one window decoded and one gathered ahead of a slow reader', async () => {
    const source = new Source(10_000);
    const { windows, state } = stream(source[kind]());
    await several();
    expect(source.taken).toBe(0);
    for (let window = 1; window <= 5; window += 1) {
      await windows.next();
      await several();
      expect(state.backend.windows.length).toBe(window + 1);
      expect(source.taken).toBe((window + 2) * 128);
    }
    await windows.return();
    expect(source.returned).toBe(1);
  });

  it('ends with a loop that is left early', async () => {
    const source = new Source(10_000);
    const { windows, state } = stream(source[kind]());
    for await (const window of windows) if (window.firstRequest > 0) break;
    expect(state.running).toBe(0);
    expect(source.returned).toBe(1);
    expect(source.taken).toBeLessThanOrEqual(4 * 128);
    expect(await windows.next()).toEqual({ done: true, value: undefined });
  });

  it('gives the windows before a fault of the source, then the fault', async () => {
    const source = new Source(1000, 300);
    const { windows } = stream(source[kind]());
    const seen: number[] = [];
    const reading = (async () => {
      for await (const window of windows) seen.push(window.firstRequest);
    })();
    await expect(reading).rejects.toThrow('the source broke');
    expect(seen).toEqual([0, 128]);
  });

  it('gives the windows before a fault of the model, then the fault', async () => {
    const source = new Source(1000);
    const { windows, state } = stream(source[kind]());
    state.backend.onWindow = (window) => {
      if (window === 2) throw new AuditError('engine_failed', 'out of memory');
    };
    const seen: number[] = [];
    const error = await faultOf(async () => {
      for await (const window of windows) seen.push(window.firstRequest);
    });
    expect([error.code, seen]).toEqual(['engine_failed', [0, 128]]);
    expect(source.returned).toBe(1);
  });

  it('is cancelled by its signal', async () => {
    const controller = new AbortController();
    const source = new Source(1000);
    const { windows } = stream(source[kind](), { signal: controller.signal });
    await windows.next();
    controller.abort();
    expect((await faultOf(all(windows))).code).toBe('cancelled');
    expect(source.returned).toBe(1);
    const before = stream(new Source(10)[kind](), { signal: AbortSignal.abort() });
    expect((await faultOf(all(before.windows))).code).toBe('cancelled');
    expect(before.state.backend.windows).toEqual([]);
  });
});

it('a source that hangs holds up neither a cancellation nor a loop that is left', async () => {
  async function* hanging(): AsyncGenerator<ObserveRequest> {
    yield* new Source(130).sync();
    await new Promise(() => undefined);
  }
  const controller = new AbortController();
  const { windows } = stream(hanging(), { signal: controller.signal });
  expect((await windows.next()).value?.requests).toBe(128);
  const waiting = faultOf(windows.next());
  await several();
  controller.abort();
  expect((await waiting).code).toBe('cancelled');
  for await (const window of stream(hanging()).windows) {
    expect(window.requests).toBe(128);
    break;
  }
});

it('what is no iterable is refused', async () => {
  for (const wrong of [null, undefined, 7, {}, 'text']) {
    // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
    expect((await faultOf(all(stream(wrong as any).windows))).code).toBe('bad_argument');
  }
});
