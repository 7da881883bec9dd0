/** Phrases by which a model is led into its answer, and the two ways to give them. */
import { z } from 'zod';
import { AuditError } from '../../../errors.ts';
import { parseTableFile, tableName } from './parse.ts';

export const PHRASE_MODES = ['prefill', 'prompt'] as const;
export type PhraseMode = (typeof PHRASE_MODES)[number];

export interface Phrase {
  /** What the answer begins with, in mode prefill; empty for none. */
  readonly prefill: string;
  /** What is said behind the question, in mode prompt. */
  readonly prompt: string;
}

export type PhraseTable = ReadonlyMap<string, Phrase>;

const schema = z.strictObject({
  phrases: z.record(
    tableName,
    z.union([z.string(), z.strictObject({ prefill: z.string(), prompt: z.string().optional() })]),
  ),
});

const OPENING = /^Let's(?!\p{L})/u;
const CLOSED = /[.!?]$/u;

/** A phrase that leads on, as a request: "Let's ..." is "Please ...", with a full stop. */
function asRequest(prefill: string): string {
  if (prefill === '') return '';
  const request = prefill.replace(OPENING, 'Please');
  return CLOSED.test(request) ? request : `${request}.`;
}

/** Throws `experiment_invalid`. */
export function parsePhrases(bytes: Uint8Array, file: string): PhraseTable {
  const { phrases } = parseTableFile(bytes, file, 'phrases', schema);
  return new Map(
    Object.entries(phrases).map(([name, given]) => {
      const { prefill, prompt = asRequest(prefill) } = typeof given === 'string' ? { prefill: given } : given;
      return [name, { prefill, prompt }];
    }),
  );
}

export interface ChosenPhrase {
  readonly name: string;
  /** `prefill` for a phrase that is empty, whatever was asked for. */
  readonly mode: PhraseMode;
  /** Empty for none. */
  readonly text: string;
}

/** Throws `bad_argument` for a phrase that there is not. */
export function choosePhrase(name: string, mode: PhraseMode, table: PhraseTable): ChosenPhrase {
  const phrase = table.get(name);
  if (phrase === undefined) {
    const message = `there is no phrase ${JSON.stringify(name)}; give one of: ${[...table.keys()].join(', ')}`;
    throw new AuditError('bad_argument', message, { key: 'phrase', phrase: name });
  }
  const folded = phrase.prefill === '' && phrase.prompt === '' ? 'prefill' : mode;
  return { name, mode: folded, text: phrase[folded] };
}

/** The folder of its results: `cot_prefill`; of one that says nothing its name alone. */
export function phraseFolder({ name, mode, text }: ChosenPhrase): string {
  return text === '' ? name : `${name}_${mode}`;
}
