/**
 * The interpreter with what it lacks: limits on what a template makes, and `break` and `continue` that keep what the
 * round of the loop has written before them, as Jinja does.
 */
import { Environment, Interpreter, type Value } from './jinja.ts';

/** What a template ran into; it is not tried again. */
export type Limit = 'time' | 'memory' | 'work' | 'text' | 'depth' | 'size' | 'budget';

export class LimitReached extends Error {
  constructor(
    readonly limit: Limit,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const TOO_DEEP = 'it calls itself without end, or is nested too deeply';

/** Characters that all expressions of one rendering may give together; a list's entry counts as 64. */
const MAX_WORK = 2 ** 28;
const ENTRY_WORK = 64;
/** Characters of any one text that a rendering makes: some ten times the longest context that models have. */
const MAX_TEXT = 2 ** 22;
/** Expressions and statements inside one another; more are a macro that calls itself without end. */
const MAX_DEPTH = 400;
/** For each character of the chat itself, so that long data are no fault of the template. */
const WORK_A_CHARACTER = 64;
const TEXT_A_CHARACTER = 4;

// The interpreter does not name them to us.
const [Break, Continue] = ['Break', 'Continue'].map(classOfSignal);

function classOfSignal(type: string): new () => Error {
  try {
    new Interpreter(new Environment()).evaluate({ type }, new Environment());
  } catch (signal) {
    return (signal as Error).constructor as new () => Error;
  }
  throw new Error(`the interpreter knows no ${type}`);
}

/** Is it a `break` or `continue` that no loop took? */
export function isLoopSignal(thrown: unknown): boolean {
  return thrown instanceof Break! || thrown instanceof Continue!;
}

/** The bodies of loops, of all templates: what leaves one by a signal ends a round. */
const loopBodies = new WeakSet<object>();

export class BoundedInterpreter extends Interpreter {
  readonly #maxWork: number;
  readonly #maxText: number;
  #work = 0;
  #depth = 0;
  /** Loops that a `break` ended: the scope is one for all rounds of a loop. */
  readonly #broken = new WeakSet<object>();

  /** `given`: characters of the chat. */
  constructor(environment: Environment, given: number) {
    super(environment);
    this.#maxWork = MAX_WORK + given * WORK_A_CHARACTER;
    this.#maxText = MAX_TEXT + given * TEXT_A_CHARACTER;
  }

  override evaluate(statement: unknown, environment: Environment): Value {
    const { type, body } = (statement ?? {}) as { type?: string; body?: object };
    if (type === 'For' && body) loopBodies.add(body);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new LimitReached('depth', TOO_DEEP);
    const result = super.evaluate(statement, environment);
    this.#depth -= 1;
    this.#count(result?.value);
    return result;
  }

  override evaluateBlock(statements: readonly unknown[], environment: Environment): Value {
    const loops = loopBodies.has(statements);
    if (loops && this.#broken.has(environment)) throw new Break!();
    const written: string[] = [];
    const depth = this.#depth;
    try {
      for (const statement of statements) {
        const value = this.evaluate(statement, environment);
        if (value.type !== 'NullValue' && value.type !== 'UndefinedValue') written.push(String(value));
      }
    } catch (thrown) {
      if (!isLoopSignal(thrown)) throw thrown;
      this.#depth = depth;
      const signal = thrown as { written?: string };
      const text = written.join('') + (signal.written ?? '');
      // A block inside the round hands on what it has written.
      if (!loops) throw Object.assign(thrown as Error, { written: text });
      if (thrown instanceof Break!) this.#broken.add(environment);
      return this.#text(text);
    }
    return this.#text(written.join(''));
  }

  #text(text: string): Value {
    this.#count(text);
    return super.evaluate({ type: 'StringLiteral', value: text }, this.global);
  }

  #count(value: unknown): void {
    this.#work += 1;
    if (typeof value === 'string') {
      this.#work += value.length;
      if (value.length > this.#maxText)
        throw new LimitReached('text', 'it makes a text longer than any chat');
    } else if (Array.isArray(value)) this.#work += value.length * ENTRY_WORK;
    if (this.#work > this.#maxWork) throw new LimitReached('work', 'it makes more than a chat can need');
  }
}
