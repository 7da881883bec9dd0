/**
 * Goes through a text once and finds the JSON in it. Tags of thoughts, fences and ends of turns count outside of values
 * only; inside a value's strings they are text.
 *
 * A value that breaks off may have taken into its strings what was none of it, so the walk goes back to where it can
 * continue: behind a bracket that began nothing, or behind the bracket that ends the broken value. What is read twice by
 * that is counted, and once it comes to a few times the length of the text the walk continues without going back.
 */
import { closesThought, END_OF_TURN, FINAL_CHANNEL, THINK_TAG } from '../letter/visible.ts';
import { Finds, type Found, rankOf, startsLine, type Whole } from './finds.ts';
import { type BrokenScan, MAX_DEPTH, scanValue, type WholeScan } from './scan.ts';

/** As much of a text, in lengths of it, may be read again. */
const READ_AGAIN = 2;
export interface Walk {
  /** In the visible text, but for what is in `code`. */
  readonly plain: Found;
  /** In fences of another language than JSON. */
  readonly code: Found;
  /** The text ends inside a think block. */
  readonly unfinished: boolean;
  /** The last whole value of that block; null without one. */
  readonly draft: Whole | null;
  /** Characters looked at, those that were read again counted again. */
  readonly steps: number;
}

const JSON_LANGUAGES = new Set(['json', 'jsonc', 'json5', 'jsonl', 'ndjson', 'text', 'txt', 'plaintext']);
/** Tags of thoughts come first: some are in square brackets. */
const BRACKET = '[{[]';
const FENCE = '`{3,}';
const MARK = new RegExp(
  `${THINK_TAG.source}|${BRACKET}|${FENCE}|${END_OF_TURN.source}|${escaped(FINAL_CHANNEL)}`,
  'giu',
);
/** Where a broken value may end. */
const REST = new RegExp(`${THINK_TAG.source}|[{}[\\]]|${FENCE}`, 'giu');
const LANGUAGE = /[\w+#.-]*/y;

export interface WalkOptions {
  readonly repair: boolean;
}

export function walk(text: string, options: WalkOptions): Walk {
  return new Walker(text, options).run();
}

class Walker {
  private plain = new Finds();
  private code = new Finds();
  private draft: Whole | null = null;
  private thinking = false;
  private turnOver = false;
  private fence: { readonly length: number; readonly finds: 'plain' | 'code' } | null = null;
  /** Start of the turn that the walk is in. */
  private turn = 0;
  private again: number;
  private steps = 0;

  constructor(
    private readonly text: string,
    private readonly options: WalkOptions,
  ) {
    this.again = READ_AGAIN * text.length;
  }

  run(): Walk {
    let at = 0;
    for (;;) {
      // Faster than the pattern, where braces stand close together.
      if (this.text[at] === '{') {
        at = this.value(at);
        continue;
      }
      MARK.lastIndex = at;
      const mark = MARK.exec(this.text);
      this.steps += (mark === null ? this.text.length : mark.index + mark[0].length) - at;
      if (mark === null) break;
      at = this.pass(mark);
    }
    const { plain, code, thinking: unfinished, draft, steps } = this;
    return { plain, code, unfinished, draft: unfinished ? draft : null, steps };
  }

  /** Takes in what stands at a mark, and tells where to continue. */
  private pass({ 0: mark, index, groups = {} }: RegExpExecArray): number {
    const end = index + mark.length;
    if (mark === '{' || mark === '[') return this.value(index);
    if (mark.startsWith('```')) return this.turnFence(index, mark.length);
    if (mark.toLowerCase() === FINAL_CHANNEL) {
      this.forget();
      this.thinking = false;
      this.turnOver = false;
      this.turn = end;
    } else if (isTurnEnd(mark)) {
      if (!this.thinking && this.text.slice(this.turn, index).trim() !== '') this.turnOver = true;
      this.turn = end;
    } else if (closesThought(groups)) {
      if (!this.thinking) this.forget();
      this.thinking = false;
      this.fence = null;
    } else if (!this.thinking) {
      this.thinking = true;
      this.draft = null;
      this.fence = null;
    }
    return end;
  }

  /** What was read is none of the answer. */
  private forget(): void {
    this.plain = new Finds();
    this.code = new Finds();
    this.fence = null;
  }

  /** Behind a fence and its language. A fence in a fence closes it, but for one that says that JSON begins. */
  private turnFence(index: number, length: number): number {
    LANGUAGE.lastIndex = index + length;
    const language = LANGUAGE.exec(this.text)?.[0] ?? '';
    const json = JSON_LANGUAGES.has(language.toLowerCase());
    if (this.fence !== null && !json) {
      if (length >= this.fence.length) this.fence = null;
      return index + length;
    }
    this.fence = { length, finds: json || language === '' ? 'plain' : 'code' };
    return index + length + language.length;
  }

  private value(index: number): number {
    const scan = scanValue(this.text, index);
    const finds = this[this.fence?.finds ?? 'plain'];
    const counts = !this.thinking && !this.turnOver;
    if (scan.kind === 'whole') {
      this.steps += scan.end - index;
      const unfit = this.unfitness(scan);
      const whole = { scan, fenced: this.fence !== null };
      if (counts && unfit !== null) finds.addBroken({ scan: unfit, rank: 'rival' });
      else if (counts) finds.addWhole(whole, this.text);
      else if (this.thinking && unfit === null) this.draft = whole;
      return scan.end;
    }
    this.steps += scan.at - index;
    const rank = rankOf(scan, this.text);
    if (counts && rank !== null) finds.addBroken({ scan, rank });
    return this.affordable(scan, scan.begun === 'member' ? this.endOfBroken(scan) : index + 1);
  }

  /** Why a whole value is not taken, as a break in it; null if it is. */
  private unfitness({ start, edits, repairs, depth }: WholeScan): BrokenScan | null {
    const broken = { kind: 'broken', start, cut: false, begun: 'member', placeholder: false } as const;
    if (depth > MAX_DEPTH)
      return { ...broken, at: start, expected: `at most ${MAX_DEPTH} levels of brackets` };
    if (this.options.repair || repairs.length === 0) return null;
    return { ...broken, at: edits[0]!.from, expected: `JSON that needs no repair (${repairs.join(', ')})` };
  }

  /** `end`, or where the scan stopped if reading again what is between would be too much. */
  private affordable({ start, at }: BrokenScan, end: number): number {
    const again = at - end;
    if (again <= 0) return end;
    if (again > this.again) return Math.max(at, start + 1);
    this.again -= again;
    return end;
  }

  /** Where a broken value ends: with its bracket, strings not regarded, or with the fence or thought that it is in. */
  private endOfBroken({ start, cut }: BrokenScan): number {
    const open = this.text[start];
    const close = open === '{' ? '}' : ']';
    let depth = 0;
    REST.lastIndex = start;
    for (let mark = REST.exec(this.text); mark !== null; mark = REST.exec(this.text)) {
      const { 0: sign, index, groups = {} } = mark;
      if (sign === open) depth += 1;
      else if (sign === close) depth -= 1;
      else if (sign.length > 1 && this.endsAround(sign, index, groups)) {
        this.steps += index - start;
        return index;
      }
      // Of a value that the text cuts off, what looks like its last bracket stands in a string.
      if (depth === 0 && !cut) {
        this.steps += index - start;
        return index + 1;
      }
    }
    this.steps += this.text.length - start;
    return this.text.length;
  }

  /**
   * Does a sign end what a value is in: a closing tag its thought, a fence that begins a line its fence? Where it is in
   * none, a fence that begins a line opens one.
   */
  private endsAround(
    sign: string,
    index: number,
    groups: Readonly<Record<string, string | undefined>>,
  ): boolean {
    if (!sign.startsWith('`')) return this.thinking && closesThought(groups);
    return (this.fence === null || sign.length >= this.fence.length) && startsLine(this.text, index);
  }
}

function isTurnEnd(mark: string): boolean {
  END_OF_TURN.lastIndex = 0;
  return END_OF_TURN.test(mark);
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
