/** Decoded tokens over naive tokens of a whole data set: windows planned as a stream of requests is, and not decoded. */
import { toRawRequest } from '../../src/model/llama/raw.ts';
import { WINDOW_REQUESTS } from '../../src/model/llama/stream.ts';
import type { RawModel } from '../../src/native/engine.ts';
import type { ObserveRequest } from '../../src/observation/observation.ts';

export interface Cost {
  readonly requests: number;
  readonly decodedTokens: number;
  readonly naiveTokens: number;
}

/** Throws where a request would fail: a text that is left out would flatter the ratio. */
export async function costOf(
  model: Pick<RawModel, 'cost'>,
  rows: AsyncIterable<readonly ObserveRequest<string>[]> | Iterable<readonly ObserveRequest<string>[]>,
): Promise<Cost> {
  const sum = { requests: 0, decodedTokens: 0, naiveTokens: 0 };
  const add = async (window: readonly ObserveRequest<string>[]) => {
    const cost = await model.cost(window.map(toRawRequest));
    if (cost.failures > 0) throw new Error(`${cost.failures} requests of a window do not fit the model`);
    sum.requests += window.length;
    sum.decodedTokens += cost.decodedTokens;
    sum.naiveTokens += cost.naiveTokens;
  };
  let window: ObserveRequest<string>[] = [];
  for await (const requests of rows) {
    for (const request of requests) {
      window.push(request);
      if (window.length < WINDOW_REQUESTS) continue;
      await add(window);
      window = [];
    }
  }
  if (window.length > 0) await add(window);
  return sum;
}
