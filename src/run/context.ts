/** What a suite works with besides its rows, made of what the caller asked for: options, words, token groups, statistics. */

import type {
  OccupationStatistic,
  OptionTable,
  OptionValues,
  Suite,
  SuiteContext,
} from '../contract/index.ts';
import { AuditError } from '../errors.ts';
import {
  DEFAULT_POLICY,
  type Lexicon,
  type LexiconMapping,
  type MultiTokenPolicy,
  mapLexicon,
  mappingFromIds,
  type TokenGroupsFile,
  wordEndIds,
} from '../lexicon/index.ts';
import { type Backend, readsChats } from '../model/index.ts';
import { hashStatistic } from './hash.ts';

/** Of suites that look for words: which, and what counts as one. */
export interface WordOptions {
  /** Needed by suites that look for words. */
  readonly lexicon?: Lexicon;
  /** Token ids of the groups (`readTokenGroups`), instead of those of the lexicon's words. */
  readonly groups?: TokenGroupsFile;
  /** What a word of several tokens counts as; default `distinct`, and `first` with `compat: 'reference'`. */
  readonly policy?: MultiTokenPolicy;
  /** Map capitalised forms too; default true. */
  readonly capitalised?: boolean;
  /** Numbers by occupation to correlate with; default: the shares of women of the lexicon. */
  readonly occupations?: readonly OccupationStatistic[];
}

/** Of a plan what the context of its suite is made of. */
interface Contextual extends WordOptions {
  readonly suite: Suite;
  readonly options: OptionValues<OptionTable>;
  readonly compat?: 'reference' | null;
  readonly material?: unknown;
}

/** What of it the manifest keeps. */
export interface ContextDescription {
  readonly options: Readonly<Record<string, unknown>>;
  readonly compat: 'reference' | null;
  /** Null where no words were mapped. */
  readonly policy: string | null;
  readonly capitalised: boolean | null;
  /** The suite's revision, where its definitions have changed (`Suite.changes`); not there for the first one. */
  readonly revision?: number;
  /** The numbers by occupation: their names, and what they are known by (hash.ts). */
  readonly occupations: readonly { readonly name: string; readonly sha256: string }[];
}

function lexiconOf({ suite, lexicon }: Contextual): Lexicon | null {
  if (suite.lexicon === 'none') return null;
  if (lexicon) return lexicon;
  throw new AuditError(
    'bad_argument',
    `${suite.name} needs a lexicon; give one, such as loadLexicon('gender-en')`,
    {
      suite: suite.name,
    },
  );
}

function occupationsOf(
  suite: Suite,
  lexicon: Lexicon | null,
  given: WordOptions['occupations'],
): readonly OccupationStatistic[] {
  if (!suite.usesOccupations) return [];
  if (given) return given;
  if (!lexicon || lexicon.occupations.length === 0) return [];
  return [
    {
      name: 'share',
      values: new Map(lexicon.occupations.map(({ word, share }) => [word.toLowerCase(), share])),
    },
  ];
}

/** What stands in front of a text whose first token is scored, where the model itself puts nothing there. */
export function frontOf({
  addsBos,
  bosToken,
  bosText,
  eosToken,
  eosText,
}: Backend['info']): NonNullable<SuiteContext['front']> | null {
  if (addsBos) return null;
  if (bosToken !== null) return { is: 'BOS', text: bosText ?? String(bosToken) };
  return eosToken === null ? null : { is: 'EOS', text: eosText ?? String(eosToken) };
}

/** Throws `bad_argument` for what the suite does not have or lacks, and what mapLexicon throws. */
export async function suiteContext(
  options: Contextual,
  backend: Backend,
): Promise<{ context: SuiteContext; description: ContextDescription }> {
  const { suite, options: own, compat = null } = options;
  if (compat === 'reference' && !suite.reference) {
    throw new AuditError('bad_argument', `${suite.name} has no mode "reference"; leave compat out`, {
      suite: suite.name,
    });
  }
  const reference = compat === 'reference';
  const { policy = reference ? 'first' : DEFAULT_POLICY, capitalised = !reference } = options;
  const lexicon = lexiconOf(options);
  const occupations = occupationsOf(suite, lexicon, options.occupations);
  let mapping: LexiconMapping | null = null;
  if (lexicon && suite.lexicon === 'tokens') {
    mapping = options.groups
      ? await mappingFromIds(options.groups, backend.tokenizer)
      : await mapLexicon(lexicon, backend.tokenizer, {
          policy,
          capitalised,
          sharedIds: reference ? 'each' : 'none',
        });
  }
  const wordEnds = suite.wantsWordEnds?.(own) ? await wordEndIds(backend.tokenizer) : undefined;
  return {
    context: {
      options: own,
      compat,
      lexicon,
      mapping,
      occupations,
      ...(wordEnds ? { wordEnds } : {}),
      addsBos: backend.info.addsBos,
      front: frontOf(backend.info),
      hasChatTemplate: readsChats(backend),
      goesOn: backend.goesOn === true,
      ...(options.material === undefined ? {} : { material: options.material }),
    },
    description: {
      options: own,
      compat,
      policy: mapping?.policy ?? null,
      capitalised: mapping?.capitalised ?? null,
      ...(suite.changes ? { revision: 1 + suite.changes.length } : {}),
      occupations: occupations.map((statistic) => ({
        name: statistic.name,
        sha256: hashStatistic(statistic),
      })),
    },
  };
}
