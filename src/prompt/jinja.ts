/**
 * The Jinja interpreter's face. The package's own declarations import each other without file endings, which Node's
 * module resolution does not follow: what this room uses of it is typed here, and test/prompt holds it to that.
 */
import * as jinja from '@huggingface/jinja';

declare const program: unique symbol;
/** A parsed template. */
export type Program = { readonly [program]: true };

/** A value of the template's language: text, a number, a list, a mapping and so on. */
export interface Value {
  readonly type: string;
  readonly value: unknown;
}

export interface Environment {
  /** Declares a variable; a name that is declared already is an error. */
  set(name: string, value: unknown): void;
}

export interface Interpreter {
  readonly global: Environment;
  run(program: Program): Value;
  /** Every statement and expression comes through here. */
  evaluate(statement: unknown, environment: Environment): Value;
  /** What statements write, one after the other. */
  evaluateBlock(statements: readonly unknown[], environment: Environment): Value;
}

interface Jinja {
  readonly Environment: new () => Environment;
  readonly Interpreter: new (environment: Environment) => Interpreter;
  tokenize(source: string, options: { trim_blocks: boolean; lstrip_blocks: boolean }): unknown;
  parse(tokens: unknown): Program;
}

export const { Environment, Interpreter, tokenize, parse } = jinja as unknown as Jinja;
