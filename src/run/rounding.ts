/**
 * How far the rows of a run depend on what was decoded beside them, measured on a sample of its own rows: quantised
 * weights round activations, so that in the mode `fast` a text's log-probability moves with its company. Each text of the
 * sample is asked again alone, on the same open model, which is what the mode `exact` does with all of them.
 */

import type { ObservedRequest } from '../contract/index.ts';
import { type Backend, isQuantised } from '../model/index.ts';
import type { ObserveRequest, ScoreRequest } from '../observation/observation.ts';

/** Rows of a sample; of 1,500 pairs of sentences it takes one or two per cent of the run. */
const SAMPLE_ROWS = 16;

/** What the manifest keeps. */
export interface Rounding {
  /** Rows of the sample that were scored in this process, and their texts. */
  readonly rows: number;
  readonly texts: number;
  /** Of a text's log-probability, as the run has it and alone: nats. */
  readonly meanDifference: number;
  readonly maxDifference: number;
  /** Requests of two and more texts, and those whose likeliest text is another one alone. */
  readonly preferences: number;
  readonly flipped: number;
}

interface Sampled {
  readonly request: ScoreRequest;
  readonly logProbs: readonly number[];
}

/** The likeliest; the first of several. */
const likeliest = (logProbs: readonly number[]) => logProbs.indexOf(Math.max(...logProbs));

export class RoundingSample {
  readonly #wanted: ReadonlySet<number>;
  readonly #sampled: Sampled[] = [];
  #rows = 0;
  #seen = 0;

  /** Places among the measured rows, from one end to the other, the same for the same number of rows. */
  constructor(totalRows: number) {
    const rows = Math.min(SAMPLE_ROWS, totalRows);
    this.#wanted = new Set(
      Array.from({ length: rows }, (_, at) => Math.floor(((at + 0.5) * totalRows) / rows)),
    );
  }

  /** Keeps what the run has of a row that is in the sample; called with every row that was measured, in their order. */
  add(requests: readonly ObserveRequest[], answers: readonly ObservedRequest[]): void {
    this.#seen += 1;
    if (!this.#wanted.has(this.#seen - 1)) return;
    const scored = requests.flatMap((request, at): Sampled[] =>
      request.kind === 'score'
        ? [{ request, logProbs: answers[at]!.scores.map(({ logProb }) => logProb) }]
        : [],
    );
    if (scored.length > 0) this.#rows += 1;
    this.#sampled.push(...scored);
  }

  /** Asks the sample again, each text alone. Null where no row of it was scored. Throws what the backend throws. */
  async measure(backend: Backend, signal?: AbortSignal): Promise<Rounding | null> {
    if (this.#rows === 0) return null;
    const differences: number[] = [];
    let [preferences, flipped] = [0, 0];
    for (const { request, logProbs } of this.#sampled) {
      const alone: number[] = [];
      for (const continuation of request.continuations) {
        const { scores } = await backend.observeWindow(
          [{ ...request, continuations: [continuation], perToken: false }],
          { groups: [], topK: 0, pairTopK: [] },
          signal ? { signal } : {},
        );
        alone.push(scores.logProb[0]!);
      }
      differences.push(...alone.map((logProb, at) => Math.abs(logProb - logProbs[at]!)));
      if (alone.length < 2) continue;
      preferences += 1;
      flipped += Number(likeliest(alone) !== likeliest(logProbs));
    }
    return {
      rows: this.#rows,
      texts: differences.length,
      meanDifference: differences.reduce((sum, difference) => sum + difference, 0) / differences.length,
      maxDifference: Math.max(...differences),
      preferences,
      flipped,
    };
  }
}

/** The sample of a run whose rows may depend on their company: quantised weights in the mode `fast`. */
export function roundingSample(backend: Backend, mode: unknown, totalRows: number): RoundingSample | null {
  return mode === 'fast' && isQuantised(backend.info) ? new RoundingSample(totalRows) : null;
}
