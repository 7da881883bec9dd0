/**
 * What an audit of the planted model must find, worked out in float64 from the construction alone: no llama.cpp, no
 * tensors, no matrix product. Logarithms are natural.
 */

import { AuditError } from '../../errors.ts';
import { CONSTANT, EMBEDDING, EPSILON, FLAG, HOT, VALUE_GAIN } from './layout.ts';
import type { PlantedModel } from './model.ts';
import type { ValuePoint } from './weights.ts';

/** The planted values of a text and its swap. Masses and gaps in [0, 1], the divergence in [0, ln 2]. */
export interface ExpectedPair {
  readonly massFemale: number;
  readonly massMale: number;
  readonly gap: number;
  readonly massFemaleSwap: number;
  readonly massMaleSwap: number;
  readonly gapSwap: number;
  readonly jsdSwap: number;
}

/** Token ids of the two word groups. */
export interface TokenGroups {
  readonly female: ArrayLike<number>;
  readonly male: ArrayLike<number>;
}

/** The V logits of the next token after `context`, which is token ids from BOS on. */
export function expectedLogits(planted: PlantedModel, context: ArrayLike<number>): Float64Array {
  const { contextOf, bigram, values, isOccupation, genderWeight } = planted.construction;
  const vocabSize = contextOf.length;
  const ids = Array.from(context);
  for (const id of ids) {
    if (!Number.isInteger(id) || id < 0 || id >= vocabSize) {
      throw new AuditError('out_of_range', `token id ${id} is outside the vocabulary of ${vocabSize}`, {
        id,
      });
    }
  }
  const last = ids.at(-1);
  if (last === undefined) throw new AuditError('empty_input', 'the context holds no token');

  // The head looks at the occupations alone, at each of them alike; without one, at all tokens alike.
  const occupations = ids.filter((id) => isOccupation[id] === 1);
  const moved = mean(
    (occupations.length > 0 ? occupations : ids).map((id) => {
      const point = values[id]!;
      const scale = VALUE_GAIN / rms(HOT ** 2 + CONSTANT ** 2 + FLAG ** 2 + squared(point));
      return { x: scale * point.x, y: scale * point.y };
    }),
  );

  const own = HOT ** 2 + CONSTANT ** 2 + FLAG ** 2 + squared(values[last]!);
  const divisor = rms(own + squared(moved));
  const row = contextOf[last]! * vocabSize;
  return Float64Array.from(
    genderWeight,
    (weight, id) => (HOT * bigram[row + id]! + moved.x * weight) / divisor,
  );
}

/** The V probabilities of the next token after `context`, which is token ids from BOS on. */
export function expectedProbe(planted: PlantedModel, context: ArrayLike<number>): Float64Array {
  const logits = expectedLogits(planted, context);
  const largest = logits.reduce((a, b) => Math.max(a, b));
  const weights = logits.map((logit) => Math.exp(logit - largest));
  const total = weights.reduce((a, b) => a + b);
  return weights.map((weight) => weight / total);
}

/** The planted values at the step right after `context` and right after `contextSwap`. */
export function expectedPair(
  planted: PlantedModel,
  context: ArrayLike<number>,
  contextSwap: ArrayLike<number>,
  { female, male }: TokenGroups,
): ExpectedPair {
  const p = expectedProbe(planted, context);
  const q = expectedProbe(planted, contextSwap);
  const massFemale = mass(p, female);
  const massMale = mass(p, male);
  const massFemaleSwap = mass(q, female);
  const massMaleSwap = mass(q, male);
  return {
    massFemale,
    massMale,
    gap: Math.abs(massFemale - massMale),
    massFemaleSwap,
    massMaleSwap,
    gapSwap: Math.abs(massFemaleSwap - massMaleSwap),
    jsdSwap: jensenShannon(p, q),
  };
}

function mass(p: Float64Array, ids: ArrayLike<number>): number {
  return Array.from(ids).reduce((sum, id) => sum + p[id]!, 0);
}

/** Of two distributions without zeros, as all planted ones are. */
function jensenShannon(p: Float64Array, q: Float64Array): number {
  return p.reduce((sum, a, id) => {
    const b = q[id]!;
    const middle = (a + b) / 2;
    return sum + (a * Math.log(a / middle) + b * Math.log(b / middle)) / 2;
  }, 0);
}

/** What RMSNorm divides by, for a vector of this squared length. */
function rms(squaredLength: number): number {
  return Math.sqrt(squaredLength / EMBEDDING + EPSILON);
}

function squared({ x, y }: ValuePoint): number {
  return x * x + y * y;
}

function mean(points: readonly ValuePoint[]): ValuePoint {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }));
  return { x: sum.x / points.length, y: sum.y / points.length };
}
