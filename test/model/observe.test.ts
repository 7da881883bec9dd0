/** The stream of an open model, where it meets the engine. */
import { describe, expect, it } from 'vitest';
import { openModel } from '../../src/model/index.ts';
import type { ObserveRequest } from '../../src/observation/observation.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { faultOf } from '../fault.ts';

const probe = (text: string): ObserveRequest => ({ kind: 'probe', text });
const MEASURE = { groups: [Int32Array.of(5, 6)] };

describe.each([true, false])('observing with inProcess: %s', (inProcess) => {
  const open = async () => openModel((await plantedFiles()).model, { inProcess });

  it('gives the windows that observeWindow gives', async () => {
    await using model = await open();
    const requests = Array.from({ length: 150 }, (_, index) =>
      probe(index % 2 ? 'The nurse said' : 'The chef'),
    );
    const windows = [];
    for await (const window of model.observe(requests, MEASURE)) windows.push(window);
    const first = await model.observeWindow(requests.slice(0, 128), MEASURE);
    const second = await model.observeWindow(requests.slice(128), MEASURE);
    expect(windows).toEqual([first, { ...second, firstRequest: 128 }]);
  });

  it('leaves the model usable after a loop that was left early, and after a cancellation', async () => {
    await using model = await open();
    const long = Array.from({ length: 40 }, () => 'The nurse said that').join(' ');
    const requests = Array.from({ length: 1000 }, () => probe(long));
    for await (const window of model.observe(requests, MEASURE)) {
      expect(window.requests).toBe(128);
      break;
    }
    const controller = new AbortController();
    const stream = model.observe(requests, { ...MEASURE, signal: controller.signal });
    await stream.next();
    controller.abort();
    expect((await faultOf(stream.next())).code).toBe('cancelled');
    expect((await model.observeWindow([probe('The nurse')], MEASURE)).rows.rows).toBe(1);
  });

  it('names a wrong request by its place in the stream', async () => {
    await using model = await open();
    const requests: unknown[] = Array.from({ length: 140 }, () => probe('The'));
    requests[130] = { kind: 'probe' };
    const error = await faultOf(async () => {
      for await (const _ of model.observe(requests as ObserveRequest[], MEASURE));
    });
    expect(error.data).toEqual({ request: 130, key: 'text' });
  });

  it('ends with engine_closed when the model is closed meanwhile', async () => {
    const model = await open();
    const requests = Array.from({ length: 1000 }, () => probe('The nurse'));
    const error = await faultOf(async () => {
      for await (const _ of model.observe(requests, MEASURE)) await model.close();
    });
    expect(error.code).toBe('engine_closed');
  });
});
