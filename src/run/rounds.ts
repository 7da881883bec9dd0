/**
 * The requests of a window and what suites ask once more of what came back: round after round, until no row asks for
 * anything. A round is one window of its own, so what is decoded together depends on the rows alone.
 */

import type { ObservedRequest } from '../contract/index.ts';
import type { AuditError } from '../errors.ts';
import { readObservations } from '../observation/by-request.ts';
import type { AskedTexts, Observations, ObserveRequest } from '../observation/observation.ts';

/** A row that waits for its answers. */
export interface Asker {
  /** Index of its first request within the window. */
  readonly firstRequest: number;
  /** How many it has. */
  readonly requests: number;
  /** What it asks once more after these answers; nothing where it is done. */
  more(answers: readonly ObservedRequest[]): readonly ObserveRequest[];
}

export interface Rounds {
  /** Of each asker what came of its requests, then of what it asked once more. */
  readonly answers: readonly (readonly (ObservedRequest | AuditError)[])[];
  /** In the order of the askers. */
  readonly asked: readonly (AskedTexts | null)[];
  readonly decodedTokens: number;
}

type Observe = (requests: readonly ObserveRequest[]) => Promise<Observations>;

/** Asks everything. Throws what `observe` throws. */
export async function observeRounds(
  requests: readonly ObserveRequest[],
  askers: readonly Asker[],
  observe: Observe,
): Promise<Rounds> {
  const answers: (ObservedRequest | AuditError)[][] = askers.map(() => []);
  const asked: (AskedTexts | null)[][] = askers.map(() => []);
  let decodedTokens = 0;
  let round = requests;
  let parts = askers.map(({ firstRequest, requests: count }, asker) => ({ asker, firstRequest, count }));
  while (round.length > 0) {
    const observed = await observe(round);
    const read = readObservations(observed, round.length);
    decodedTokens += observed.decodedTokens;
    const next: ObserveRequest[] = [];
    const later: typeof parts = [];
    for (const { asker, firstRequest, count } of parts) {
      const own = answers[asker]!;
      own.push(...read.slice(firstRequest, firstRequest + count));
      asked[asker]!.push(...observed.asked.slice(firstRequest, firstRequest + count));
      const more = own.every(isAnswer) ? askers[asker]!.more(own) : [];
      if (more.length === 0) continue;
      later.push({ asker, firstRequest: next.length, count: more.length });
      next.push(...more);
    }
    round = next;
    parts = later;
  }
  return { answers, asked: asked.flat(), decodedTokens };
}

function isAnswer(answer: ObservedRequest | AuditError): answer is ObservedRequest {
  return !(answer instanceof Error);
}
