/**
 * Counterfactual steps by their definitions: which steps of a text and its swap are compared, what is measured at each in
 * float64, which of them the gate opens and by which trigger. Nothing here is the product's.
 */
import { entropy, jsd, jsdTopK, mass, softmax, topK, totalVariation } from './metrics.ts';
import type { OracleModel } from './score.ts';
import { gateOf } from './statistics.ts';

export type Positions = readonly (readonly [x: number, swap: number])[];

/** The length of a longest common subsequence, from beginnings on. */
export function commonLength(a: readonly number[], b: readonly number[]): number {
  let above = b.map(() => 0);
  for (const token of a) {
    const row: number[] = [];
    b.forEach((other, j) => {
      row.push(token === other ? (above[j - 1] ?? 0) + 1 : Math.max(above[j]!, row[j - 1] ?? 0));
    });
    above = row;
  }
  return above.at(-1) ?? 0;
}

/** What is wrong with these steps as the aligned ones of two texts; null where nothing is. */
export function alignedFault(x: readonly number[], swap: readonly number[], steps: Positions): string | null {
  const first = x.findIndex((token, at) => token !== swap[at]);
  const start = first === -1 ? x.length : first;
  if (steps.length !== commonLength(x.slice(start), swap.slice(start))) return 'not as many as are in common';
  const wrong = steps.find(([i, j], at) => {
    const [i0, j0] = steps[at - 1] ?? [-1, -1];
    return i + 1 < start || j + 1 < start || i <= i0 || j <= j0 || x[i + 1] !== swap[j + 1];
  });
  return wrong ? `${wrong} is no step` : null;
}

/** The steps along a continuation: from the last token of each text on. */
export function decodedPositions(x: readonly number[], swap: readonly number[], count: number): Positions {
  return Array.from({ length: count }, (_, step) => [x.length - 1 + step, swap.length - 1 + step] as const);
}

export interface Group {
  readonly name: string;
  readonly ids: readonly number[];
}

export interface StepValues {
  readonly [name: string]: number;
}

export interface MeasuredStep {
  readonly values: StepValues;
  /** The likeliest tokens on x's side, likeliest first. */
  readonly likeliest: readonly number[];
}

/** Every measure at each pair of positions, by the names of the result. */
export function measureSteps(
  model: OracleModel,
  [x, swap]: readonly [readonly number[], readonly number[]],
  positions: Positions,
  groups: readonly Group[],
  k: number,
): MeasuredStep[] {
  const [rows, swapRows] = [model.logits(x), model.logits(swap)];
  return positions.map(([i, j]) => {
    const [a, b] = [rows[i]!, swapRows[j]!];
    const [p, q] = [softmax(a), softmax(b)];
    const { unionSize, partial, lower, upper } = jsdTopK(a, b, k);
    return {
      values: {
        ...sideValues(p, groups, ''),
        ...sideValues(q, groups, 'Swap'),
        entropy: entropy(p),
        entropySwap: entropy(q),
        jsdSwap: jsd(p, q),
        totalVariation: totalVariation(p, q),
        jsdTopKUnionSize: unionSize,
        jsdTopKPartial: partial,
        jsdTopKLower: lower,
        jsdTopKUpper: upper,
      },
      likeliest: topK(a, a.length),
    };
  });
}

function sideValues(p: readonly number[], groups: readonly Group[], suffix: string): StepValues {
  const capital = (name: string) => name[0]!.toUpperCase() + name.slice(1);
  const values: Record<string, number> = {};
  let largest = 0;
  groups.forEach(({ name, ids }, g) => {
    const own = mass(p, ids);
    values[`mass${capital(name)}${suffix}`] = own;
    for (const other of groups.slice(0, g)) {
      const gap = Math.abs(mass(p, other.ids) - own);
      largest = Math.max(largest, gap);
      if (groups.length > 2) values[`gap${capital(other.name)}${capital(name)}${suffix}`] = gap;
    }
  });
  return { ...values, [`gap${suffix}`]: largest };
}

/** The text of each token of a sentencepiece vocabulary; bytes that are not ASCII by a stand-in that is no letter. */
export function pieceTexts(model: OracleModel, tokens: readonly number[]): string[] {
  return tokens.map((token) => {
    const piece = model.spm.pieces[token]!;
    const byte = /^<0x(..)>$/.exec(piece)?.[1];
    if (byte === undefined) return piece.replaceAll('\u2581', ' ');
    const code = Number.parseInt(byte, 16);
    return code < 128 ? String.fromCharCode(code) : '\uFFFD';
  });
}

export interface GateRule {
  readonly likeliest: number;
  readonly window: number;
  readonly after: number;
  readonly occupations: readonly string[];
  readonly pronouns: readonly string[];
}

/** The trigger of each step of x, from the texts of x's tokens (what was put behind them included). */
export function triggers(
  texts: readonly string[],
  positions: readonly number[],
  steps: readonly MeasuredStep[],
  groups: readonly Group[],
  rule: GateRule,
): string[] {
  const zeros = texts.map(() => 0);
  const hits = [...zeros];
  const wanted = groups.flatMap(({ ids }) => ids);
  positions.forEach((position, step) => {
    if (steps[step]!.likeliest.slice(0, rule.likeliest).some((id) => wanted.includes(id))) hits[position] = 1;
  });
  const occupation = wordMarks(texts, rule.occupations);
  const pronoun = wordMarks(texts, rule.pronouns);
  const a = gateOf(hits, zeros, zeros, rule.window, rule.after);
  const b = gateOf(zeros, occupation, pronoun, rule.window, rule.after);
  return positions.map(
    (at) =>
      [
        ['none', 'window'],
        ['topK', 'both'],
      ][a[at]!]![b[at]!]!,
  );
}

/** 1 for each token with a character of one of the words, which stand alone and in any case. */
function wordMarks(texts: readonly string[], words: readonly string[]): number[] {
  const owner = texts.flatMap((text, token) => [...text].map(() => token));
  const whole = [...texts.join('').toLowerCase()];
  const letter = (at: number) => at >= 0 && at < whole.length && /[\p{L}\p{M}\p{N}_]/u.test(whole[at]!);
  const marks = texts.map(() => 0);
  for (const word of words) {
    const spelt = [...word.toLowerCase()];
    whole.forEach((_, at) => {
      if (letter(at - 1) || letter(at + spelt.length)) return;
      if (spelt.every((character, n) => whole[at + n] === character)) {
        spelt.forEach((_, n) => {
          marks[owner[at + n]!] = 1;
        });
      }
    });
  }
  return marks;
}
