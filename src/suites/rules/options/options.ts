/** The options of a thread: all rules of its subreddit and that none is broken, in the order that its pair's id gives. */
import { AuditError } from '../../../errors.ts';
import type { ThreadType } from '../thread-type.ts';
import { PythonRandom } from './python-random.ts';
import { optionSeed } from './seed.ts';

/** As the data have it. */
export const NO_RULE_BROKEN = 'No rules broken';

export interface AnswerOption {
  /** "(a)", "(b)" and so on by code point, so that the 27th is "({)". */
  readonly label: string;
  readonly rule: string;
}

/** The letter of a label; null where it is none from a to z. */
export function letterOf(label: string): string | null {
  return /^\(([a-z])\)$/.exec(label)?.[1] ?? null;
}

const FIRST = 'a'.charCodeAt(0);

/** `rules` are their names. Throws `bad_argument` for an id that is no number in base 36. */
export function answerOptions(
  modCommentId: string,
  type: ThreadType,
  rules: readonly string[],
): AnswerOption[] {
  const seed = optionSeed(modCommentId, type);
  if (seed === null) {
    const id = JSON.stringify(modCommentId);
    const message = `mod_comment_id ${id} is no number in base 36, which options are shuffled by; give an id of 0-9 and a-z`;
    throw new AuditError('bad_argument', message, { key: 'mod_comment_id', id: modCommentId });
  }
  return new PythonRandom(seed)
    .shuffle([...rules, NO_RULE_BROKEN])
    .map((rule, at) => ({ label: `(${String.fromCodePoint(FIRST + at)})`, rule }));
}
