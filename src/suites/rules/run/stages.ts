/** Two models as one: the first writes the answers in free words, the second makes the final choices. */

import { AuditError } from '../../../errors.ts';
import {
  type Backend,
  type EngineDescription,
  type ObserveOptions,
  readsChats,
  type Usage,
  usageOfBoth,
  WINDOWS_AT_ONCE,
} from '../../../model/index.ts';
import type { Measure, Observations, ObserveRequest } from '../../../observation/observation.ts';
import { describeModel } from '../../../run/manifest.ts';
import { decisive, endpointAsked } from '../../../run/resume.ts';
import type { Stage } from '../ask/index.ts';

/**
 * A line of JSON for the suite's option `finalModel`, so that a run is not resumed with another one. Of a file it has the
 * hash: where the file lies does not matter.
 */
export async function secondModel(backend: Backend, engine: EngineDescription | undefined): Promise<string> {
  const { sha256, path } = await describeModel(backend);
  return JSON.stringify({
    model: sha256 ?? path,
    ...(engine ? { engine: decisive(engine.options) } : {}),
    ...(engine?.endpoint ? { endpoint: endpointAsked(engine.endpoint) } : {}),
  });
}

function isFinal({ roles }: ObserveRequest): boolean {
  return roles?.stage === ('final' satisfies Stage);
}

/** It renders chats where nobody sees it (an endpoint), so that an answer cannot be continued. */
export function rendersUnseen(backend: Backend): boolean {
  return readsChats(backend) && backend.chatTemplate === null;
}

/** What is said of the model is the first one's. Closing is left to who opened them. */
export class TwoStages implements Backend {
  readonly info: Backend['info'];
  readonly tokenizer: Backend['tokenizer'];
  readonly chatTemplate: Backend['chatTemplate'];
  readonly seesImages: boolean;
  readonly takesChats: boolean;
  readonly windowsAtOnce: number;
  readonly #first: Backend;
  readonly #second: Backend;

  constructor(first: Backend, second: Backend) {
    this.#first = first;
    this.#second = second;
    this.info = first.info;
    this.tokenizer = first.tokenizer;
    this.chatTemplate = first.chatTemplate;
    this.takesChats = readsChats(first);
    // Each window comes to both.
    this.windowsAtOnce = Math.max(...[first, second].map((one) => one.windowsAtOnce ?? WINDOWS_AT_ONCE));
    this.seesImages = first.seesImages === true && second.seesImages === true;
  }

  describeChats(): ReturnType<NonNullable<Backend['describeChats']>> {
    return this.#first.describeChats?.() ?? Promise.resolve(null);
  }

  /** Of both, as far as they are paid; `served` is what answered either. */
  get usage(): Usage | undefined {
    const [first, second] = [this.#first.usage, this.#second.usage];
    return first && second ? usageOfBoth(first, second) : (first ?? second);
  }

  async prepare(requests: readonly ObserveRequest[], options?: ObserveOptions): Promise<void> {
    await this.#first.prepare?.(
      requests.filter((request) => !isFinal(request)),
      options,
    );
    await this.#second.prepare?.(requests.filter(isFinal), options);
  }

  refusal(request: ObserveRequest): AuditError | null {
    return (isFinal(request) ? this.#second : this.#first).refusal?.(request) ?? null;
  }

  /** A window is of one stage: a round of the pipeline is. */
  observeWindow(
    requests: readonly ObserveRequest[],
    measure: Measure,
    options?: ObserveOptions,
  ): Promise<Observations> {
    const last = requests.filter(isFinal).length;
    if (last !== 0 && last !== requests.length) {
      throw new AuditError('internal', 'a window holds requests of both stages');
    }
    return (last === 0 ? this.#first : this.#second).observeWindow(requests, measure, options);
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
