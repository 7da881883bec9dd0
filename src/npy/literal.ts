/**
 * The Python literal in a NumPy file's header: dictionaries with text keys, tuples, lists, text, whole numbers, True,
 * False and None, and nothing else. Each character is looked at once, and what is nested deeply is refused, so that a
 * hostile header costs no more than its length.
 */

export type Literal = string | number | boolean | null | Sequence | Dictionary;

export interface Sequence {
  readonly kind: 'tuple' | 'list';
  readonly items: readonly Literal[];
}

export interface Dictionary {
  readonly kind: 'dict';
  readonly entries: ReadonlyMap<string, Literal>;
}

/** What is wrong with a literal, and at which character. */
export class LiteralFault extends Error {
  override readonly name = 'LiteralFault';

  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const MAX_DEPTH = 16;
// A header names lengths; sixteen digits and more are beyond any file, and beyond exact numbers.
const MAX_DIGITS = 15;
const BLANK = /[ \t\n\r\f]/;
const DIGIT = /[0-9]/;
const LETTER = /[A-Za-z_]/;

/** The value of a text that is one literal and blanks around it. Throws `LiteralFault`. */
export function parseLiteral(text: string): Literal {
  return new Parser(text).whole();
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  whole(): Literal {
    const value = this.value();
    this.skipBlanks();
    if (this.at < this.text.length) throw this.fault(`${this.shown()} follows the end`);
    return value;
  }

  private value(): Literal {
    this.skipBlanks();
    const first = this.text[this.at];
    if (first === undefined) throw this.fault('ends in the middle');
    if (first === '{') return this.nested(() => this.dictionary());
    if (first === '(') return this.nested(() => this.tuple());
    if (first === '[') return this.nested(() => ({ kind: 'list', items: this.items(']').items }));
    if (first === "'" || first === '"') return this.string(first);
    if (first === '-' || DIGIT.test(first)) return this.integer();
    if (LETTER.test(first)) return this.word();
    throw this.fault(`${this.shown()} is out of place`);
  }

  private nested<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw this.fault(`is nested more than ${MAX_DEPTH} deep`);
    const value = read();
    this.depth -= 1;
    return value;
  }

  private dictionary(): Dictionary {
    const entries = new Map<string, Literal>();
    this.at += 1;
    for (;;) {
      this.skipBlanks();
      if (this.take('}')) return { kind: 'dict', entries };
      const start = this.at;
      const key = this.value();
      if (typeof key !== 'string') throw new LiteralFault('a key is not text in quotes', start);
      if (entries.has(key)) throw new LiteralFault(`the key ${JSON.stringify(key)} is there twice`, start);
      this.skipBlanks();
      if (!this.take(':')) throw this.fault('a colon is missing after a key');
      entries.set(key, this.value());
      this.separator('}');
    }
  }

  /** `(3,)` is a tuple of one; `(3)` is but a 3, as in Python. */
  private tuple(): Literal {
    const { items, commas } = this.items(')');
    return items.length === 1 && commas === 0 ? items[0]! : { kind: 'tuple', items };
  }

  private items(close: string): { items: Literal[]; commas: number } {
    const items: Literal[] = [];
    let commas = 0;
    this.at += 1;
    for (;;) {
      this.skipBlanks();
      if (this.take(close)) return { items, commas };
      items.push(this.value());
      if (this.separator(close)) commas += 1;
    }
  }

  /** Takes a comma, or sees `close` without taking it. */
  private separator(close: string): boolean {
    this.skipBlanks();
    if (this.take(',')) return true;
    if (this.text[this.at] === close) return false;
    if (this.at >= this.text.length) throw this.fault('ends in the middle');
    throw this.fault(`${this.shown()} where a comma or ${close} should be`);
  }

  private string(quote: string): string {
    const end = this.text.indexOf(quote, this.at + 1);
    if (end === -1) throw this.fault('a quote is not closed');
    const value = this.text.slice(this.at + 1, end);
    // NumPy writes none of either for the arrays that are read here.
    if (/[\\\n]/.test(value)) throw this.fault('text with an escape or a line break');
    this.at = end + 1;
    return value;
  }

  private integer(): number {
    const start = this.at;
    if (this.text[this.at] === '-') this.at += 1;
    const digits = this.at;
    while (DIGIT.test(this.text[this.at] ?? '')) this.at += 1;
    if (this.at === digits) throw new LiteralFault('a minus without a number', start);
    if (this.at - digits > MAX_DIGITS) {
      throw new LiteralFault(`a number has more than ${MAX_DIGITS} digits`, start);
    }
    const value = Number(this.text.slice(start, this.at));
    this.take('L'); // Python 2 wrote its long numbers so
    return value === 0 ? 0 : value;
  }

  private word(): boolean | null {
    const start = this.at;
    while (LETTER.test(this.text[this.at] ?? '')) this.at += 1;
    const word = this.text.slice(start, this.at);
    if (word === 'True') return true;
    if (word === 'False') return false;
    if (word === 'None') return null;
    const shown = word.length > 20 ? `${word.slice(0, 20)}...` : word;
    throw new LiteralFault(`the name ${shown}, which is no literal`, start);
  }

  private skipBlanks(): void {
    while (BLANK.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private shown(): string {
    return JSON.stringify(this.text[this.at] ?? '');
  }

  private fault(message: string): LiteralFault {
    return new LiteralFault(message, this.at);
  }
}
