/** Columns of a window, sorted by request, as the suites read them: one small object a request, none a token. */
import { AuditError } from '../errors.ts';
import type { Observations } from '../observation.ts';
import type { ObservedPair, ObservedRequest, ObservedStep } from '../suite/index.ts';

function stepAt({ rows, tokens }: Observations, row: number): ObservedStep {
  const groups = rows.rows === 0 ? 0 : rows.masses.length / rows.rows;
  return {
    tokenIds: [...tokens.ids.subarray(tokens.offsets[row], tokens.offsets[row + 1])],
    masses: [...rows.masses.subarray(row * groups, (row + 1) * groups)],
    entropy: rows.entropy[row]!,
  };
}

function pairAt({ pairs }: Observations, pair: number): ObservedPair {
  return {
    jsd: pairs.jsd[pair]!,
    klPQ: pairs.klPQ[pair]!,
    klQP: pairs.klQP[pair]!,
    totalVariation: pairs.totalVariation[pair]!,
    topK: pairs.topK.map(({ k, unionSize, partial, lower, upper }) => ({
      k,
      unionSize: unionSize[pair]!,
      partial: partial[pair]!,
      lower: lower[pair]!,
      upper: upper[pair]!,
    })),
  };
}

/** One entry per request of the window: what was observed, or why not. */
export function readObservations(
  observations: Observations,
  requests: number,
): (ObservedRequest | AuditError)[] {
  const steps: ObservedStep[][] = Array.from({ length: requests }, () => []);
  const pairs: (ObservedPair | null)[] = new Array(requests).fill(null);
  for (let row = 0; row < observations.rows.rows; row += 1) {
    steps[observations.rows.request[row]!]!.push(stepAt(observations, row));
  }
  for (let pair = 0; pair < observations.pairs.pairs; pair += 1) {
    pairs[observations.pairs.request[pair]!] = pairAt(observations, pair);
  }
  const answers: (ObservedRequest | AuditError)[] = steps.map((own, request) => ({
    steps: own,
    pair: pairs[request]!,
  }));
  for (const { request, code, message, data } of observations.failures) {
    answers[request] = new AuditError(code, message, data);
  }
  return answers;
}
