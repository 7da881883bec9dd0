/**
 * A row's result. It has the same names whatever the steps are: of one step its values, of several their means over
 * the gated ones, with the steps themselves beside them.
 */
import { type LexiconMapping, massName } from '../../lexicon/index.ts';
import type { Fields } from '../fields.ts';
import type { ObservedPair, ObservedRequest, ObservedStep } from '../observed.ts';
import type { SuiteContext } from '../suite.ts';
import { type Trigger, triggersOf } from './gating.ts';
import type { CtfOptions } from './options.ts';
import { wholeWordMasses, wholeWordRequests } from './whole-words.ts';

type Context = SuiteContext<CtfOptions>;

/** The measures of one step pair, under the names of the result. */
type StepFields = Readonly<Record<string, number>>;

/** Largest difference between the masses of two groups; for two groups |F - M|. In [0, 1]. */
function gapOf(masses: readonly number[]): number {
  return Math.max(...masses) - Math.min(...masses);
}

/** `gapFemaleMale`: the gap of two of more than two groups. */
export function pairGapName(first: string, second: string, suffix = ''): string {
  const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
  return `gap${capital(first)}${capital(second)}${suffix}`;
}

/** Every two of the groups, by their places; none where there are no more than two. */
export function groupPairs({ groups }: LexiconMapping): [number, number][] {
  if (groups.length <= 2) return [];
  return groups.flatMap((_, a) => groups.slice(a + 1).map((_, b): [number, number] => [a, a + 1 + b]));
}

function side(step: ObservedStep, suffix: '' | 'Swap', mapping: LexiconMapping): StepFields {
  const { groups } = mapping;
  const pairs = groupPairs(mapping).map(([a, b]) => [
    pairGapName(groups[a]!.name, groups[b]!.name, suffix),
    Math.abs(step.masses[a]! - step.masses[b]!),
  ]);
  return {
    ...Object.fromEntries(groups.map(({ name }, g) => [massName(name, suffix), step.masses[g]!])),
    [`gap${suffix}`]: gapOf(step.masses),
    ...Object.fromEntries(pairs),
    [`entropy${suffix}`]: step.entropy,
  };
}

const TOP_K = ['unionSize', 'partial', 'lower', 'upper'] as const;
const topKName = (name: string) => `jsdTopK${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Flat, so that one step and the mean of many are made alike. */
function fieldsOf(
  x: ObservedStep,
  swap: ObservedStep,
  pair: ObservedPair,
  mapping: LexiconMapping,
): StepFields {
  const topK = pair.topK[0]!;
  return {
    ...side(x, '', mapping),
    ...side(swap, 'Swap', mapping),
    jsdSwap: pair.jsd,
    totalVariation: pair.totalVariation,
    ...Object.fromEntries(TOP_K.map((name) => [topKName(name), topK[name]])),
  };
}

/** The flat fields as the result has them: the top-K form under a key of its own. */
function resultOf(fields: Readonly<Record<string, number | null>>, k: number): Fields {
  const rest = Object.entries(fields).filter(([name]) => !name.startsWith('jsdTopK'));
  const topK = TOP_K.map((name) => [name, fields[topKName(name)] ?? null]);
  return { ...Object.fromEntries(rest), jsdTopK: { k, ...Object.fromEntries(topK) } };
}

export function scoreProbe(
  [pair, ...words]: readonly ObservedRequest[],
  { mapping, options: { topK, wholeWords } }: Context,
  { probePrefix, probePrefixSwap }: Fields,
): Fields {
  const { texts, pairs } = pair!;
  let { steps } = pair!;
  if (wholeWords) {
    let at = 0;
    steps = [probePrefix, probePrefixSwap].map((prefix, side) => {
      const own = words.slice(at, at + wholeWordRequests(prefix as string, mapping!).length);
      at += own.length;
      return { ...steps[side]!, masses: wholeWordMasses(prefix as string, mapping!, own) };
    });
  }
  return {
    tokenIds: texts[0]!.tokenIds,
    tokenIdsSwap: texts[1]!.tokenIds,
    ...resultOf(fieldsOf(steps[0]!, steps[1]!, pairs[0]!, mapping!), topK),
  };
}

/** The mean of each field over the gated steps; null where no step is gated. */
function gatedMeans(
  names: readonly string[],
  steps: readonly StepFields[],
  gate: readonly number[],
): Record<string, number | null> {
  const gated = steps.filter((_, step) => gate[step] === 1);
  const mean = (name: string) => gated.reduce((sum, step) => sum + step[name]!, 0) / gated.length;
  return Object.fromEntries(names.map((name) => [name, gated.length === 0 ? null : mean(name)]));
}

export function scoreSteps(request: ObservedRequest, { mapping, lexicon, options }: Context): Fields {
  const { texts, steps, pairs, generation } = request;
  const x = steps.filter(({ side: of }) => of === 0);
  const swap = steps.filter(({ side: of }) => of === 1);
  const fields = pairs.map((pair, step) => fieldsOf(x[step]!, swap[step]!, pair, mapping!));
  const pieces = [...(texts[0]!.pieces ?? []), ...(generation?.pieces ?? [])];
  const triggers: Trigger[] = options.gate
    ? triggersOf(pieces, x, lexicon!, mapping!, options)
    : fields.map(() => 'none');
  const gate = triggers.map((trigger) => (options.gate && trigger === 'none' ? 0 : 1));
  const names = fields[0] ? Object.keys(fields[0]) : [];
  return {
    tokenIds: texts[0]!.tokenIds,
    tokenIdsSwap: texts[1]!.tokenIds,
    ...(generation ? { continuation: generation.text } : {}),
    stepCount: fields.length,
    gatedSteps: gate.filter((open) => open === 1).length,
    ...resultOf(gatedMeans(names, fields, gate), options.topK),
    steps: {
      position: x.map(({ position }) => position),
      positionSwap: swap.map(({ position }) => position),
      gate,
      trigger: triggers,
      ...Object.fromEntries(names.map((name) => [name, fields.map((step) => step[name]!)])),
    },
  };
}
