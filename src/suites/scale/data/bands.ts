/** The bands of scores: which one a score is in, which one a label means, and how far two are apart. */
import type { Banded, ScaleBand, Subscale } from './scale.ts';

export function foldLabel(label: string): string {
  return label.trim().toLowerCase();
}

/** What programs write where there is no label, case apart. */
export const NO_LABELS = ['', 'nan', 'none', 'null'] as const;

const NOTHING: ReadonlySet<string> = new Set(NO_LABELS);

/** Is it a label that says that there is none? */
export function isNoLabel(label: string): boolean {
  return NOTHING.has(foldLabel(label));
}

/** The band of a score, by the cuts alone: a score between two whole numbers has one too. Null for null and NaN. */
export function bandOf({ bands }: Banded, score: number | null): string | null {
  if (score === null || Number.isNaN(score)) return null;
  const band = bands.find((lower, index) => {
    const upper = bands[index + 1];
    if (upper === undefined) return true;
    return lower.upTo === null ? score < upper.from! : score <= lower.upTo;
  });
  return band?.name ?? null;
}

/**
 * The band of a score as files may have it, a number or text that is one. It is rounded to a whole number first, a half
 * to the even one, as scores are compared after rounding. Null for what is no finite number.
 */
export function bandOfValue(of: Banded, value: unknown): string | null {
  const score = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof score !== 'number' || !Number.isFinite(score)) return null;
  return bandOf(of, roundHalfToEven(score));
}

/** To the nearest whole number, a half to the even one. */
export function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

/** What a label says of a band: one of them, none at all, or something that is no band of these. */
export type ReadBand =
  | { readonly kind: 'band'; readonly name: string; readonly ordinal: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly label: string };

/** Reads a label of a band; case and spaces around it do not count. Empty text, nan, none and null say that there is none. */
export function readBand({ bands }: Banded, label: unknown): ReadBand {
  if (label === null || label === undefined) return { kind: 'none' };
  if (typeof label === 'number' && Number.isNaN(label)) return { kind: 'none' };
  const text = typeof label === 'string' ? label : (JSON.stringify(label) ?? String(label));
  if (typeof label !== 'string') return { kind: 'unknown', label: text };
  if (isNoLabel(text)) return { kind: 'none' };
  const folded = foldLabel(text);
  const ordinal = bands.findIndex(({ name }) => foldLabel(name) === folded);
  const band = bands[ordinal];
  return band === undefined ? { kind: 'unknown', label: text } : { kind: 'band', name: band.name, ordinal };
}

/** The place of a band, from 0 for the lowest; null for no band and for what is none of these. */
export function bandOrdinal(of: Banded, label: string | null): number | null {
  const read = readBand(of, label);
  return read.kind === 'band' ? read.ordinal : null;
}

/** Bands between two labels, from 0 to the number of bands - 1; null if either is none of these bands. */
export function bandDistance(of: Banded, label: string | null, other: string | null): number | null {
  const [from, to] = [bandOrdinal(of, label), bandOrdinal(of, other)];
  return from === null || to === null ? null : Math.abs(from - to);
}

/** A distance of bands as a share of the widest one: 0 to 1. Null for null. A scale of one band has no distance but 0. */
export function normBandDistance({ bands }: Banded, distance: number | null): number | null {
  if (distance === null) return null;
  return bands.length === 1 ? 0 : distance / (bands.length - 1);
}

/** The names, from the lowest band to the highest. */
export function bandNames({ bands }: { readonly bands: readonly Pick<ScaleBand, 'name'>[] }): string[] {
  return bands.map(({ name }) => name);
}

/** The whole scores of each band of a subscale, the first and the last, from the lowest band to the highest. */
export function bandRanges({
  bands,
  min,
  max,
}: Pick<Subscale, 'bands' | 'min' | 'max'>): { name: string; first: number; last: number }[] {
  let first = min;
  return bands.map(({ name, upTo }, index) => {
    const next = bands[index + 1];
    const last = next === undefined ? max : upTo === null ? Math.ceil(next.from!) - 1 : Math.floor(upTo);
    const range = { name, first, last };
    first = last + 1;
    return range;
  });
}
