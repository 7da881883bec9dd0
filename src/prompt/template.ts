/**
 * A template, run in the process that calls it. It sees only the values that are given here, may make only so much, and is
 * stopped after `TIME_LIMIT_MS`; what a single call of a built-in does is out of reach of that, so templates that are not the
 * user's own run in a process of their own (process/host.ts). Whatever goes wrong leaves as one AuditError that names the
 * template and, where it is known, the line.
 */
import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { AuditError } from '../errors.ts';
import { dateString } from './dates.ts';
import { raiseException, range, strftime, TemplateRefusal } from './globals.ts';
import { BoundedInterpreter, isLoopSignal, type Limit, LimitReached, TOO_DEEP } from './interpreter.ts';
import { Environment, type Program, parse, tokenize } from './jinja.ts';
import { shown } from './shown.ts';

/** Wall time for parsing or running a template; real ones take about a millisecond. */
const TIME_LIMIT_MS = 2_000;
/** The longest templates of real models have some 20,000 characters. */
const MAX_TEMPLATE = 1_000_000;

export interface Rendering {
  readonly text: string;
  /** Did the template ask for the date? */
  readonly usedDate: boolean;
}

export interface TemplateName {
  /** Names the template's owner in messages. */
  readonly model?: string | undefined;
  /** What messages call one that is no model's. */
  readonly name?: string | undefined;
}

/** SHA-256 of a template's UTF-8 text, in hexadecimal: what manifests and `model info` call the template's hash. */
export function hashTemplate(template: string): string {
  return createHash('sha256').update(template).digest('hex');
}

function nameOf({ model, name }: TemplateName): string {
  return name ?? (model === undefined ? 'the chat template' : `the chat template of ${model}`);
}

/** The fault of a template that was stopped. `what` says by what: "it ...". */
export function limitFault(source: string, name: TemplateName, limit: Limit, what: string): AuditError {
  const data = { templateSha256: hashTemplate(source), limit };
  return new AuditError('template_failed', `${nameOf(name)}: ${what}`, data);
}

/** Why a text is too long to be a template; null where it is not. */
export function sizeFault(source: string, name: TemplateName): AuditError | null {
  if (source.length <= MAX_TEMPLATE) return null;
  const what = `it has ${source.length} characters; ${MAX_TEMPLATE} are the most`;
  return limitFault(source, name, 'size', what);
}

/** A template that was parsed; many chats can be rendered with it. */
export class ChatTemplate {
  readonly sha256: string;
  readonly source: string;
  readonly #name: string;
  readonly #program: Program;

  /** Throws `template_failed` where the text is no template. */
  constructor(source: string, name: TemplateName = {}) {
    this.source = source;
    this.sha256 = hashTemplate(source);
    this.#name = nameOf(name);
    const fault = sizeFault(source, name);
    if (fault !== null) throw fault;
    // The options under which chat templates are written: blocks on lines of their own leave no trace.
    const options = { trim_blocks: true, lstrip_blocks: true };
    this.#program = this.#guarded('cannot be parsed', () => parse(tokenize(source, options)));
  }

  /**
   * Runs the template. Without `now`, `strftime_now` is not defined, and templates that have a date of their own for
   * that case use it. `given`: characters of the chat, by which limits grow. Throws `template_failed`, with `data.refused`
   * where the template itself refused the chat, and `data.limit` where it was stopped.
   */
  render(
    variables: Readonly<Record<string, unknown>>,
    { now, given = 0 }: { now?: Date | undefined; given?: number } = {},
  ): Rendering {
    let usedDate = now !== undefined && this.source.includes('date_string');
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
    const dated = now === undefined ? {} : { date_string: dateString(now) };
    const text = this.#guarded('failed', () => {
      for (const [key, value] of Object.entries({ ...dated, ...variables, ...globals })) {
        environment.set(key, value);
      }
      return new BoundedInterpreter(environment, given).run(this.#program).value as string;
    });
    return { text, usedDate };
  }

  #guarded<T>(what: string, action: () => T): T {
    try {
      return withinTime(action);
    } catch (cause) {
      if (cause instanceof TemplateRefusal) {
        throw this.#failed(`it refuses this chat: ${shown(cause.message)}`, { refused: true }, cause);
      }
      const { reason, limit } = reasonOf(cause, what === 'failed');
      const wantsDate = what === 'failed' && limit === null && this.source.includes('strftime_now');
      const date = wantsDate ? ' (it may want the date: give `now`)' : '';
      throw this.#failed(`it ${what}: ${reason}${date}`, limit === null ? {} : { limit }, cause);
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

/** What engines say of a text, a list or a stack that grew without bounds. */
const OVERGROWN: readonly (readonly [RegExp, Limit, string])[] = [
  [/call stack/, 'depth', TOO_DEEP],
  [
    /(?:string|array|buffer) length|maximum size|out of memory/i,
    'memory',
    'it makes more than fits in memory',
  ],
];

function reasonOf(cause: unknown, running: boolean): { reason: string; limit: Limit | null } {
  if (cause instanceof LimitReached) return { reason: cause.message, limit: cause.limit };
  if (isLoopSignal(cause)) return { reason: 'break or continue stands outside of a loop', limit: null };
  const message = cause instanceof Error ? cause.message : String(cause);
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'RangeError') {
    const [, limit = null, reason = shown(message)] = OVERGROWN.find(([words]) => words.test(message)) ?? [];
    return { reason, limit };
  }
  // The interpreter's own: it looked for a token, or for a value, that is not there.
  if (name === 'TypeError') {
    const why = running
      ? `a value is missing, or something in it is not supported (${shown(message)})`
      : 'it ends inside a block, a tag or brackets';
    return { reason: why, limit: null };
  }
  return { reason: constructOf(message) ?? shown(message), limit: null };
}

/** What the interpreter does not have, in the words of templates. */
const MISSING: readonly (readonly [RegExp, string])[] = [
  [/^Unknown statement type: (.*)$/s, 'the statement {% * %}'],
  [/^Unknown (?:\w+Value )?filter: (.*)$/s, 'the filter "*"'],
  [/^Cannot apply filter "(.*)" to type: \w+$/s, 'the filter "*"'],
  [/^Unknown test: (.*)$/s, 'the test "is *"'],
];

function constructOf(message: string): string | null {
  for (const [words, construct] of MISSING) {
    const found = words.exec(message);
    if (found === null) continue;
    const named = construct.replace('*', () => shown(found[1]!, 60));
    return `${named} is not supported here (${shown(message)})`;
  }
  return null;
}

const timer = vm.createContext({ action: null as (() => unknown) | null });
const runAction = new vm.Script('action()');

/**
 * Runs `action` on this thread and stops it when its time is up: the one way to end a loop from outside of it. Inside another
 * such action the clock is that one's.
 */
export function withinTime<T>(action: () => T): T {
  if (timer.action !== null) return action();
  timer.action = action;
  try {
    return runAction.runInContext(timer, { timeout: TIME_LIMIT_MS });
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause;
    throw new LimitReached('time', `it was stopped after ${TIME_LIMIT_MS / 1000} seconds`, { cause });
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
