/**
 * One object or array of a text that is JSON or close to it: where it ends and what must be changed so that it is JSON,
 * or where and how it breaks off. Nothing is guessed: a missing comma, quote or bracket stays missing. The text is gone
 * through once; no depth is too deep for it.
 */
import { scanScalar } from './scalars.ts';
import { type Edit, opensString, scanString } from './strings.ts';
import type { NumberFault, Repair } from './types.ts';

/** Deepest nesting that is read; the value itself is 1 deep. */
export const MAX_DEPTH = 256;

/** How far a value came before it broke off. */
export type Begun =
  /** No more than a bracket: most likely no JSON was meant. */
  | 'no'
  /** A first key in quotes, without a colon. */
  | 'key'
  /** A key and its colon. */
  | 'member';

export interface WholeScan {
  readonly kind: 'whole';
  readonly start: number;
  readonly end: number;
  readonly edits: readonly Edit[];
  readonly repairs: readonly Repair[];
  /** Markers of a tokenizer stand between the parts. */
  readonly markers: boolean;
  readonly depth: number;
  /** Keys in all objects, each as often as it is written. */
  readonly members: number;
  /** Nothing is in it. */
  readonly empty: boolean;
  /** It is an object, or one is in it. */
  readonly hasObject: boolean;
}

export interface BrokenScan {
  readonly kind: 'broken';
  readonly start: number;
  /** What cannot stand where it stands; the length of the text where that ends. */
  readonly at: number;
  /** The text ends before the value does. */
  readonly cut: boolean;
  readonly begun: Begun;
  readonly placeholder: boolean;
  /** What could stand there, continuing "expected ". */
  readonly expected: string;
}

export type ValueScan = WholeScan | BrokenScan;

const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
/** Space and line feed in the alphabet of byte-level tokenizers. */
const MARKERS = new Map([
  [0x120, ' '],
  [0x10a, '\n'],
]);
const ODD_SPACE = /[\v\f\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/;
const BARE_KEY = /[\p{L}_$][\p{L}\p{N}_$-]*\s*:\s*(?<value>["'“‘\d[{-]|(?:true|false|null)\b)?/iuy;

/** Reads the object or array whose bracket stands at `start`. */
export function scanValue(text: string, start: number): ValueScan {
  return new Scanner(text, start).run();
}

class Scanner {
  private readonly edits: Edit[] = [];
  private readonly repairs: Repair[] = [];
  /** What closes each open bracket; a list and not recursion, or deep nesting would exhaust the stack. */
  private readonly open: number[] = [];
  private markers = false;
  private depth = 0;
  private members = 0;
  private begun: Begun = 'no';
  private empty = true;
  private hasObject = false;

  constructor(
    private readonly text: string,
    private readonly start: number,
  ) {}

  edit(from: number, to: number, text: string, repair: Repair): void {
    this.edits.push({ from, to, text });
    if (!this.repairs.includes(repair)) this.repairs.push(repair);
  }

  number(from: number, to: number, number: NumberFault): void {
    this.edits.push({ from, to, text: 'null', number });
  }

  run(): ValueScan {
    let at = this.start;
    for (;;) {
      const next = this.value(at);
      if (typeof next !== 'number') return next;
      const after = this.afterValue(next);
      if (typeof after !== 'number') return after;
      if (this.open.length === 0) return this.whole(after);
      at = after;
    }
  }

  /** Past the scalar at `at`, or past what opens there until a value without parts has ended. */
  private value(from: number): number | BrokenScan {
    let at = from;
    for (;;) {
      at = this.space(at);
      const code = this.text.charCodeAt(at);
      if (Number.isNaN(code)) return this.broken(at, 'a value', { cut: true });
      if (code !== OPEN_OBJECT && code !== OPEN_ARRAY) return this.scalar(at, code);
      if (this.open.length > 0) this.empty = false;
      if (code === OPEN_OBJECT) this.hasObject = true;
      const close = code === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
      this.open.push(close);
      this.depth = Math.max(this.depth, this.open.length);
      at = this.space(at + 1);
      if (this.text.charCodeAt(at) === close) {
        this.open.pop();
        return at + 1;
      }
      if (close === CLOSE_ARRAY) continue;
      const past = this.key(at);
      if (typeof past !== 'number') return past;
      at = past;
    }
  }

  private scalar(at: number, code: number): number | BrokenScan {
    this.empty = false;
    if (opensString(code)) {
      const string = scanString(this.text, at, this);
      return string.ok ? string.end : this.broken(string.at, string.expected, string);
    }
    const scalar = scanScalar(this.text, at, this);
    return scalar.ok ? scalar.end : this.broken(scalar.at, scalar.expected, scalar);
  }

  /** Past the key at `at` and its colon. */
  private key(at: number): number | BrokenScan {
    this.empty = false;
    const code = this.text.charCodeAt(at);
    if (Number.isNaN(code)) return this.broken(at, 'a key in double quotes', { cut: true });
    if (!opensString(code)) {
      const elided = this.text[at] === '.' || this.text[at] === '…';
      BARE_KEY.lastIndex = at;
      const bare = BARE_KEY.exec(this.text);
      if (bare !== null) this.begun = 'member';
      const described = bare !== null && bare.groups?.value === undefined;
      return this.broken(at, 'a key in double quotes', { placeholder: elided || described });
    }
    if (this.begun === 'no') this.begun = 'key';
    const string = scanString(this.text, at, this);
    if (!string.ok) return this.broken(string.at, string.expected, string);
    const colon = this.space(string.end);
    if (this.text.charCodeAt(colon) !== COLON) {
      return this.broken(colon, '":"', { cut: colon >= this.text.length });
    }
    this.begun = 'member';
    this.members += 1;
    return colon + 1;
  }

  /** From the end of a value to the beginning of the next, or past the last bracket. */
  private afterValue(from: number): number | BrokenScan {
    let at = from;
    while (this.open.length > 0) {
      const close = this.open.at(-1)!;
      at = this.space(at);
      if (this.text.charCodeAt(at) === COMMA) {
        const next = this.space(at + 1);
        if (this.text.charCodeAt(next) !== close) return close === CLOSE_OBJECT ? this.key(next) : next;
        this.edit(at, at + 1, '', 'trailing_commas');
        at = next;
      }
      if (this.text.charCodeAt(at) !== close) {
        const expected = close === CLOSE_OBJECT ? '"," or "}"' : '"," or "]"';
        return this.broken(at, expected, { cut: at >= this.text.length });
      }
      this.open.pop();
      at += 1;
    }
    return at;
  }

  private space(from: number): number {
    for (let at = from; ; at++) {
      const code = this.text.charCodeAt(at);
      if (code === 32 || code === 10 || code === 13 || code === 9) continue;
      if (code > 12 && code < 128) return at;
      const marker = MARKERS.get(code);
      if (marker !== undefined) {
        this.edits.push({ from: at, to: at + 1, text: marker });
        this.markers = true;
      } else if (ODD_SPACE.test(this.text.charAt(at))) {
        this.edit(at, at + 1, ' ', 'odd_spaces');
      } else {
        return at;
      }
    }
  }

  private whole(end: number): WholeScan {
    const { start, edits, repairs, markers, depth, members, empty, hasObject } = this;
    const sorted = edits.toSorted((a, b) => a.from - b.from);
    return { kind: 'whole', start, end, edits: sorted, repairs, markers, depth, members, empty, hasObject };
  }

  private broken(
    at: number,
    expected: string,
    { cut = false, placeholder = false }: { cut?: boolean; placeholder?: boolean } = {},
  ): BrokenScan {
    return { kind: 'broken', start: this.start, at, cut, begun: this.begun, placeholder, expected };
  }
}

/** The value as JSON writes it; `standIn` gives what stands for the number of that place among those that JSON cannot hold. */
export function normalised(
  text: string,
  { start, end, edits }: WholeScan,
  standIn?: (place: number) => string,
): string {
  if (edits.length === 0) return text.slice(start, end);
  const pieces: string[] = [];
  let from = start;
  let numbers = 0;
  for (const edit of edits) {
    const own = edit.number && standIn ? standIn(numbers++) : edit.text;
    pieces.push(text.slice(from, edit.from), own);
    from = edit.to;
  }
  pieces.push(text.slice(from, end));
  return pieces.join('');
}
