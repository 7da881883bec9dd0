/** A world without time: waits are written down and over at once, chance is fixed, and time limits end when a test says so. */
import { onTestFinished } from 'vitest';
import {
  type ApiEmbedder,
  type ApiEmbedderOptions,
  openEmbedder,
} from '../../../src/model/openai/embedder.ts';
import { type OpenApiOptions, openApi } from '../../../src/model/openai/index.ts';
import type { ApiModel } from '../../../src/model/openai/model.ts';
import type { Runtime } from '../../../src/model/openai/runtime.ts';
import type { GenerateRequest, Observations, ObserveRequest } from '../../../src/observation/observation.ts';
import { type LoopbackOptions, LoopbackServer } from '../../server/server.ts';

export const KEY = 'sk-test-0123456789abcdef-SECRET';
export const NOW = Date.parse('2026-01-01T00:00:00Z');

export class World implements Runtime {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly waits: number[] = [];
  readonly #deadlines = new Set<AbortController>();

  constructor(env: World['env'] = { OPENAI_API_KEY: KEY }) {
    this.env = env;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new Error('aborted');
    this.waits.push(ms);
  }

  random(): number {
    return 0.5;
  }

  now(): number {
    return NOW;
  }

  deadline() {
    const controller = new AbortController();
    this.#deadlines.add(controller);
    return { signal: controller.signal, clear: () => void this.#deadlines.delete(controller) };
  }

  /** All attempts on their way have taken too long. */
  timeOut(): void {
    for (const controller of this.#deadlines) controller.abort();
  }
}

export interface Opened {
  readonly server: LoopbackServer;
  readonly world: World;
  readonly model: ApiModel;
}

/** A model on a server of its own, both gone when the test is over. */
export async function openLoopback(
  server: LoopbackOptions = {},
  options: OpenApiOptions = {},
  world = new World(),
): Promise<Opened> {
  const started = await LoopbackServer.start(server);
  onTestFinished(() => started[Symbol.asyncDispose]());
  const model = await openApi('openai:tiny', { baseUrl: started.url, ...options }, world);
  onTestFinished(() => model.close());
  return { server: started, world, model };
}

/** The same for what makes vectors. */
export async function openVectors(
  server: LoopbackOptions,
  options: ApiEmbedderOptions = {},
  world = new World(),
): Promise<Pick<Opened, 'server' | 'world'> & { readonly embedder: ApiEmbedder }> {
  const started = await LoopbackServer.start(server);
  onTestFinished(() => started[Symbol.asyncDispose]());
  const embedder = openEmbedder('openai:tiny', { baseUrl: started.url, ...options }, world);
  return { server: started, world, embedder };
}

export function ask(prompt: string, more: Partial<GenerateRequest> = {}): GenerateRequest {
  return { kind: 'generate', prompt, ...more };
}

const NO_MEASURE = { groups: [], topK: 0, pairTopK: [] };

export function observe(
  model: ApiModel,
  requests: readonly ObserveRequest[],
  signal?: AbortSignal,
): Promise<Observations> {
  return model.observeWindow(requests, NO_MEASURE, signal ? { signal } : {});
}

/** The texts of a window, or what was wrong, in order of request. */
export function textsOf({ requests, generations, failures }: Observations): string[] {
  const said = new Array<string>(requests).fill('nothing');
  generations.request.forEach((request, at) => {
    said[request] = generations.texts[at]!;
  });
  for (const { request, code, message } of failures) said[request] = `${code}: ${message}`;
  return said;
}
