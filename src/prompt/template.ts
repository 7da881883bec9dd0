/**
 * A model's chat template, run. Templates come out of model files and are not trusted: they see only the values that
 * are given here, may make only so much (`MAX_WORK`), and are stopped after `TIME_LIMIT_MS`. Whatever goes wrong
 * leaves as one AuditError that names the template and, where it can be told, the line.
 */
import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { AuditError } from '../errors.ts';
import { raiseException, range, strftime, TemplateRefusal } from './globals.ts';
import { Environment, Interpreter, type Program, parse, tokenize, type Value } from './jinja.ts';

/** Wall time for parsing or running a template; real ones take about a millisecond. */
const TIME_LIMIT_MS = 2_000;
/** Characters that all expressions of one rendering may give together; a list's entry counts as 64. */
const MAX_WORK = 2 ** 28;
const ENTRY_WORK = 64;
/** The longest templates of real models have some 20,000 characters. */
const MAX_TEMPLATE = 1_000_000;

export interface Rendering {
  readonly text: string;
  /** Did the template ask for the date? */
  readonly usedDate: boolean;
}

/** SHA-256 of a template's UTF-8 text, in hexadecimal: what manifests and `model info` call the template's hash. */
export function hashTemplate(template: string): string {
  return createHash('sha256').update(template).digest('hex');
}

/** A template that was parsed; many chats can be rendered with it. */
export class ChatTemplate {
  readonly sha256: string;
  readonly source: string;
  readonly #name: string;
  readonly #program: Program;

  /**
   * `model` names the template's owner in messages; `name` is what they call one that is no model's. Throws
   * `template_failed` where the text is no template.
   */
  constructor(
    source: string,
    { model, name }: { model?: string | undefined; name?: string | undefined } = {},
  ) {
    this.source = source;
    this.sha256 = hashTemplate(source);
    this.#name = name ?? (model === undefined ? 'the chat template' : `the chat template of ${model}`);
    if (source.length > MAX_TEMPLATE) {
      throw this.#failed(`it has ${source.length} characters; ${MAX_TEMPLATE} are the most`, {});
    }
    // The options under which chat templates are written: blocks on lines of their own leave no trace.
    const options = { trim_blocks: true, lstrip_blocks: true };
    this.#program = this.#guarded('cannot be parsed', () => parse(tokenize(source, options)));
  }

  /**
   * Runs the template. Without `now`, `strftime_now` is not defined, and templates that have a date of their own for
   * that case use it. Throws `template_failed`, with `data.refused` where the template itself refused the chat.
   */
  render(variables: Readonly<Record<string, unknown>>, { now }: { now?: Date | undefined } = {}): Rendering {
    let usedDate = false;
    const environment = new Environment();
    const globals = {
      false: false,
      False: false,
      true: true,
      True: true,
      none: null,
      None: null,
      raise_exception: raiseException,
      range,
      ...(now && {
        strftime_now: (format: string) => {
          usedDate = true;
          return strftime(now, format);
        },
      }),
    };
    const text = this.#guarded('failed', () => {
      for (const [key, value] of Object.entries({ ...variables, ...globals })) environment.set(key, value);
      return new BoundedInterpreter(environment).run(this.#program).value as string;
    });
    return { text, usedDate };
  }

  #guarded<T>(what: string, action: () => T): T {
    try {
      return withinTime(action);
    } catch (cause) {
      if (cause instanceof TemplateRefusal) {
        throw this.#failed(`it refuses this chat: ${cause.message}`, { refused: true }, cause);
      }
      const reason = cause instanceof Error ? cause.message : String(cause);
      const date = this.source.includes('strftime_now') ? ' (it may want the date: give `now`)' : '';
      throw this.#failed(`it ${what}: ${reason}${what === 'failed' ? date : ''}`, {}, cause);
    }
  }

  #failed(what: string, data: Record<string, unknown>, cause?: unknown): AuditError {
    const line = cause instanceof TemplateRefusal ? lineOfRefusal(this.source, cause.message) : null;
    const place = line === null ? '' : `, line ${line}`;
    return new AuditError(
      'template_failed',
      `${this.#name}${place}: ${what}`,
      { templateSha256: this.sha256, ...(line === null ? {} : { line }), ...data },
      { cause },
    );
  }
}

/** Counts what expressions give: a template that doubles a list forty times ends here, not at the end of memory. */
class BoundedInterpreter extends Interpreter {
  #work = 0;

  override evaluate(statement: unknown, environment: Environment): Value {
    const result = super.evaluate(statement, environment);
    const value: unknown = result.value;
    if (typeof value === 'string') this.#work += value.length;
    else if (Array.isArray(value)) this.#work += value.length * ENTRY_WORK;
    this.#work += 1;
    if (this.#work > MAX_WORK) throw new Error('it makes more than a chat can need');
    return result;
  }
}

const timer = vm.createContext({ action: null as (() => unknown) | null });
const runAction = new vm.Script('action()');

/** Runs `action` on this thread and stops it when its time is up: the one way to end a loop from outside of it. */
function withinTime<T>(action: () => T): T {
  timer.action = action;
  try {
    return runAction.runInContext(timer, { timeout: TIME_LIMIT_MS });
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause;
    throw new Error(`it was stopped after ${TIME_LIMIT_MS / 1000} seconds`, { cause });
  } finally {
    timer.action = null;
  }
}

/** The line (from 1) of the call that refused: the parser keeps no places, but the message stands in the source. */
function lineOfRefusal(source: string, message: string): number | null {
  const calls = [...source.matchAll(/raise_exception\s*\(/g)].map(({ index }) => index);
  const telling = calls.filter((at, call) => source.slice(at, calls[call + 1]).includes(message));
  const at = telling.length === 1 ? telling[0] : calls.length === 1 ? calls[0] : undefined;
  return at === undefined ? null : source.slice(0, at).split('\n').length;
}
