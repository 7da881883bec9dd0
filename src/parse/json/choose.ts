/** Which of the values in a text is the answer, or why none is. */

import type { Found, Whole } from './finds.ts';
import type { BrokenScan, WholeScan } from './scan.ts';
import type { JsonAnswer, JsonFault, JsonOptions, JsonValue, Note } from './types.ts';
import { answer, canonical, markersIn, parsed } from './value.ts';
import { type Walk, walk } from './walk.ts';

/**
 * Reads the one object or array that is the answer in a text. Any text gives an answer or a fault, in time that grows
 * with its length. Thoughts, prose, fences and what follows the end of the turn are left aside; what is taken is in the
 * text, but for the spelling of {@link REPAIRS}. Scalars are no answer.
 */
export function extractJson(text: string, options: JsonOptions = {}): JsonAnswer {
  return choose(text, options);
}

/** Which values can be the answer to what was asked; left out: any. */
export type Fits = (value: JsonValue) => boolean;

interface Candidate extends Whole {
  readonly value: JsonValue;
  readonly notes: readonly Note[];
}

type Reader = (whole: Whole) => Candidate;

/** How one of several values was chosen among the others. */
const CHOICES = {
  unclosed_think: 'the value ends the text of a think block that was never closed',
  first_fence: 'several values differ; the first in a fence was taken, as asked for',
  last_object: 'several values differ; the last was taken, as asked for',
  chosen_by_keys: 'several values differ; one of them has the keys that are required',
} as const;
type Choice = keyof typeof CHOICES;

type Chosen =
  | { readonly candidate: Candidate; readonly note: Choice | null }
  | { readonly status: JsonFault; readonly message: string };

export function choose(text: string, options: JsonOptions, fits?: Fits): JsonAnswer {
  const found = walk(text, { repair: options.repair ?? true });
  const markers = markersIn(text);
  const read: Reader = (whole) => ({ ...whole, ...parsed(text, whole.scan, markers) });
  const chosen =
    fromPlace(text, found.plain, read, options, fits) ??
    fromThought(text, found, read) ??
    fromPlace(text, found.code, read, options, fits) ??
    fromRest(text, found, read);
  if ('status' in chosen) return chosen;
  const { candidate, note } = chosen;
  const choice = note === null ? [] : [{ code: note, message: CHOICES[note] }];
  const more = [...choice, ...candidate.notes];
  return answer(candidate.value, candidate.scan, { markers, more });
}

function fromPlace(
  text: string,
  found: Found,
  read: Reader,
  options: JsonOptions,
  fits?: Fits,
): Chosen | null {
  const all = found.wholes.map(read);
  const objects = all.filter(({ scan }) => scan.hasObject);
  const pool = objects.length > 0 ? objects : all;
  const { rival, aside } = found.brokens;
  const chosen = pool.length === 0 ? null : among(pool, found.more, options, fits);
  if (chosen === null) return rival || aside ? faultOf(text, (rival ?? aside)!.scan) : null;
  if ('candidate' in chosen && rival && replaces(text, rival.scan, chosen.candidate.scan)) {
    return faultOf(text, rival.scan);
  }
  return chosen;
}

/** What breaks off behind a value may have been meant to take its place, unless it says the same as far as it goes. */
function replaces(text: string, rival: BrokenScan, { start, end }: WholeScan): boolean {
  if (rival.start < end) return false;
  return !(rival.cut && text.startsWith(text.slice(rival.start), start));
}

function among(pool: readonly Candidate[], more: boolean, { several }: JsonOptions, fits?: Fits): Chosen {
  const last = (candidates: readonly Candidate[]) => candidates.at(-1)!;
  if (!more && differing(pool) === 1) return { candidate: last(pool), note: null };
  const fitting = fits === undefined ? pool : pool.filter(({ value }) => fits(value));
  if (!more && fitting.length > 0 && differing(fitting) === 1) {
    return { candidate: last(fitting), note: 'chosen_by_keys' };
  }
  const left = fitting.length > 0 ? fitting : pool;
  const fenced = left.find((candidate) => candidate.fenced);
  if (several === 'first_fence' && fenced) return { candidate: fenced, note: 'first_fence' };
  if (several === 'last') return { candidate: last(left), note: 'last_object' };
  const message = `the text has ${more ? 'more than ' : ''}${left.length} values that differ, and nothing tells which is the answer`;
  return { status: 'multiple_objects', message };
}

function differing(pool: readonly Candidate[]): number {
  return pool.length === 1 ? 1 : new Set(pool.map(({ value }) => canonical(value))).size;
}

/** Of a think block that was never closed, the value that ends the text: what stands before it was weighed and left. */
function fromThought(text: string, { unfinished, draft }: Walk, read: Reader): Chosen | null {
  if (!unfinished) return null;
  if (draft !== null && text.slice(draft.scan.end).replace(END_OF_ANSWER, '') === '') {
    return { candidate: read(draft), note: 'unclosed_think' };
  }
  return {
    status: 'truncated',
    message: 'the text ends inside a think block, and no answer stands before it',
  };
}

/** Spaces, the end of a fence, tokens that end a turn. */
const END_OF_ANSWER = /[\s`]+|<\|\w+\|>|<\/s>|<end_of_turn>/g;

function fromRest(text: string, { plain, code }: Walk, read: Reader): Chosen {
  const hollow = plain.hollow ?? code.hollow;
  if (hollow !== null) return { candidate: read(hollow), note: null };
  const weak = plain.brokens.weak ?? code.brokens.weak;
  if (weak) return faultOf(text, weak.scan);
  return { status: 'no_json', message: 'the text has no JSON object and no array in it' };
}

function faultOf(text: string, { start, at, cut, expected }: BrokenScan): Chosen {
  if (cut) {
    const message = `the text ends inside a value that begins at character ${start + 1}; expected ${expected}`;
    return { status: 'truncated', message };
  }
  const found = at >= text.length ? 'the text ends' : `found ${JSON.stringify(characterAt(text, at))}`;
  const message = `character ${at + 1}, in a value that begins at ${start + 1}: ${found}, expected ${expected}`;
  return { status: 'invalid_json', message };
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at)!);
}
