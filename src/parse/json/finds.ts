/** What is kept of the values in a text: few, however many there are. */
import type { BrokenScan, WholeScan } from './scan.ts';

/** So many different values are kept; of more only the last. */
const MAX_WHOLES = 10_000;

export interface Whole {
  readonly scan: WholeScan;
  /** It stands in a code fence. */
  readonly fenced: boolean;
}

export interface Broken {
  readonly scan: BrokenScan;
  /** How much of a value it is: `rival` may have been meant as the answer, `aside` describes one, `weak` may be none. */
  readonly rank: 'rival' | 'aside' | 'weak';
}

/** What stands in one kind of place, in the order of the text. */
export interface Found {
  readonly wholes: readonly Whole[];
  /** Values without anything in them; only the first. */
  readonly hollow: Whole | null;
  /** There were more whole values than are kept. */
  readonly more: boolean;
  /** The last of each rank. */
  readonly brokens: Readonly<Partial<Record<Broken['rank'], Broken>>>;
}

/** What a walk has found so far. */
export class Finds implements Found {
  readonly wholes: Whole[] = [];
  readonly brokens: Partial<Record<Broken['rank'], Broken>> = {};
  hollow: Whole | null = null;
  more = false;

  addBroken(broken: Broken): void {
    this.brokens[broken.rank] = broken;
  }

  addWhole(whole: Whole, text: string): void {
    const { start, end, empty, hasObject } = whole.scan;
    if (empty) {
      this.hollow ??= whole;
      return;
    }
    // "[1]" within a sentence is a reference.
    if (!hasObject && !(startsLine(text, start) && endsLine(text, end))) return;
    const last = this.wholes.at(-1);
    // One that is written again is no other one.
    if (last !== undefined && sameText(text, last.scan, whole.scan)) {
      this.wholes[this.wholes.length - 1] = { scan: whole.scan, fenced: whole.fenced || last.fenced };
      return;
    }
    if (this.wholes.length === MAX_WHOLES) {
      this.wholes.pop();
      this.more = true;
    }
    this.wholes.push(whole);
  }
}

function sameText(text: string, one: WholeScan, other: WholeScan): boolean {
  const length = one.end - one.start;
  if (length !== other.end - other.start) return false;
  return text.slice(one.start, one.end) === text.slice(other.start, other.end);
}

/** Null for a bracket that began nothing. */
export function rankOf(
  { start, cut, begun, placeholder, at }: BrokenScan,
  text: string,
): Broken['rank'] | null {
  if (begun === 'member') return placeholder ? 'aside' : 'rival';
  if (begun === 'key') return cut ? 'rival' : 'weak';
  return cut && at === text.length && startsLine(text, start) ? 'weak' : null;
}

/** Only spaces are in front of `index` on its line. */
export function startsLine(text: string, index: number): boolean {
  let at = index - 1;
  while (text[at] === ' ' || text[at] === '\t') at -= 1;
  return at < 0 || text[at] === '\n' || text[at] === '\r';
}

/** Only spaces, or a fence, follow on the line. */
function endsLine(text: string, end: number): boolean {
  let at = end;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at === text.length || '\n\r`'.includes(text[at]!);
}
