/**
 * A row's result. It has the same names whatever the steps are: of one step its values, of several their means over
 * the gated ones, with the steps themselves beside them.
 */

import type { Fields } from '../../contract/metric.ts';
import type { SuiteContext } from '../../contract/suite.ts';
import { type LexiconMapping, massName } from '../../lexicon/index.ts';
import type { ObservedPair, ObservedRequest, ObservedStep } from '../../observation/observed.ts';
import type { CtfRow } from '../shared/swapped-pair.ts';
import { controlsOf } from './controls.ts';
import { type Trigger, triggersOf } from './gating.ts';
import type { CtfOptions } from './options.ts';
import { type Probe, probeOf, readSides } from './probe.ts';

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

export function scoreProbe(observed: readonly ObservedRequest[], context: Context, row: CtfRow): Fields {
  const { mapping, lexicon, options } = context;
  const probe = probeOf(row, lexicon!) as Probe;
  const reading = observed.values();
  const { request, steps, pair } = readSides(reading, [probe.prefix, probe.prefixSwap], context);
  const fields = fieldsOf(steps[0], steps[1], pair, mapping!);
  return {
    tokenIds: request.texts[0]!.tokenIds,
    tokenIdsSwap: request.texts[1]!.tokenIds,
    ...resultOf(fields, options.topK),
    ...swapEffect(probe, fields, mapping!),
    ...(options.controls ? scoreControls(reading, probe, context, fields) : {}),
  };
}

/**
 * `swapEffect`, in [-2, 2]: how much further the first group's mass lies above the second's behind a word of the first group than behind its
 * counterpart of the second. Null where the words are not of these two groups, or where there are more.
 */
function swapEffect({ groups: [own, other] }: Probe, fields: StepFields, { groups }: LexiconMapping): Fields {
  if (groups.length !== 2) return {};
  const [first, second] = groups.map(({ name }) => name) as [string, string];
  const lead = (suffix: '' | 'Swap') => fields[massName(first, suffix)]! - fields[massName(second, suffix)]!;
  if (own === other) return { swapEffect: null };
  const change = lead('') - lead('Swap');
  return { swapEffect: own === first ? change : -change };
}

/** Of each control of the row's words its numbers, and their means over controls, of the gap over both sides too; null without one. */
function scoreControls(
  reading: Iterator<ObservedRequest>,
  probe: Probe,
  context: Context,
  fields: StepFields,
): Fields {
  const controls = controlsOf(probe, context.lexicon!).map(({ words, sides }) => {
    const { steps, pair } = readSides(reading, sides, context);
    const [gap, gapSwap] = steps.map(({ masses }) => gapOf(masses));
    return { words: [...words], jsd: pair.jsd, gap: gap!, gapSwap: gapSwap! };
  });
  const mean = (of: (control: (typeof controls)[number]) => number) =>
    controls.length === 0 ? null : controls.reduce((sum, control) => sum + of(control), 0) / controls.length;
  const jsd = mean((control) => control.jsd);
  const gap = mean((control) => (control.gap + control.gapSwap) / 2);
  return {
    controls,
    jsdControl: jsd,
    jsdExcess: jsd === null ? null : fields.jsdSwap! - jsd,
    gapControl: gap,
    gapExcess: gap === null ? null : fields.gap! - gap,
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
