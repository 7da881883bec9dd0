/** What a model answered about a thread, and whether it is right. */
import { parseLetter, pluruleLetter, type UnparsedReason } from '../../../parse/index.ts';
import type { RulesThread } from '../data/pair.ts';
import { letterOf } from '../options/options.ts';

/** `anchored`: this project's own reading. `plurule`: that of the original, which does not ask what is on offer. */
export const RULES_PARSERS = ['anchored', 'plurule'] as const;
export type RulesParser = (typeof RULES_PARSERS)[number];

export interface RulesAnswer {
  /** A label; empty where none was read. With `plurule` it may be one that is not on offer. */
  readonly extracted: string;
  /** 1 where it is the right label, else 0. */
  readonly score: 0 | 1;
  /** Why it is no answer; null where it is one. `unknown`: the text says that it cannot be known. */
  readonly unparsed: UnparsedReason | 'unknown' | null;
}

type Offer = Pick<RulesThread, 'options' | 'correct'>;

/** Options whose label is no letter (the 27th and those behind it) can be read by neither parser. */
export function readAnswer(text: string, { options, correct }: Offer, parser: RulesParser): RulesAnswer {
  const offered = options.flatMap(({ label, rule }) => {
    const letter = letterOf(label);
    return letter === null ? [] : [{ letter, rule }];
  });
  const reading = parseLetter(text, {
    labels: offered.map(({ letter }) => letter),
    parser,
    ...(parser === 'anchored' ? { options: offered.map(({ rule }) => rule) } : {}),
  });
  const letter = parser === 'plurule' ? pluruleLetter(text) : reading.value;
  const extracted = letter === null ? '' : `(${letter})`;
  return {
    extracted,
    score: extracted === correct ? 1 : 0,
    unparsed: reading.status === 'ok' ? null : (reading.reason ?? 'unknown'),
  };
}
