/**
 * Which steps of a text count. Trigger A needs what the model would say (a group's token among its likeliest), trigger
 * B what the text says (an occupation and a pronoun or name near each other); the rule itself is the metric core's.
 */
import { findAllSpans, type Lexicon, type LexiconMapping, type SpanLexicon } from '../../lexicon/index.ts';
import { gate } from '../../numbers/index.ts';
import type { ObservedStep } from '../../observation/observed.ts';
import type { CtfOptions } from './options.ts';

/** What opened a step: `topK` trigger A, `window` trigger B, `both`; `none` where it is not open. */
export type Trigger = 'none' | 'topK' | 'window' | 'both';

/** Uses of a word by which a lexicon's pairs tell pronouns from nouns. */
const PRONOUN_USES = new Set(['subject', 'object', 'possessive', 'possessive-pronoun', 'reflexive']);

interface WindowWords {
  readonly occupations: SpanLexicon;
  readonly pronounsAndNames: SpanLexicon;
}

const windowWords = new WeakMap<Lexicon, WindowWords>();

/** Of a lexicon that marks no pronouns every word counts as one. */
function wordsOf(lexicon: Lexicon): WindowWords {
  const known = windowWords.get(lexicon);
  if (known) return known;
  const pronouns = lexicon.pairs.flatMap(({ words, as }) =>
    as !== null && PRONOUN_USES.has(as) ? words.map(({ word }) => word) : [],
  );
  const all = lexicon.groups.flatMap(({ words }) => words);
  const group = (name: string, words: readonly string[]) => ({
    groups: [{ name, words: [...new Set(words)] }],
  });
  const words = {
    occupations: group(
      'occupation',
      lexicon.occupations.map(({ word }) => word),
    ),
    pronounsAndNames: group('pronoun', [...(pronouns.length > 0 ? pronouns : all), ...lexicon.names]),
  };
  windowWords.set(lexicon, words);
  return words;
}

/** 1 for every token that a word of `words` reaches into. */
function marks(words: SpanLexicon, pieces: readonly string[]): Uint8Array {
  const marked = new Uint8Array(pieces.length);
  const spans = findAllSpans(words, pieces.join(''));
  let start = 0;
  let next = 0;
  pieces.forEach((piece, token) => {
    const end = start + piece.length;
    while (next < spans.length && spans[next]!.end <= start) next += 1;
    const span = spans[next];
    if (span !== undefined && span.start < end && piece.length > 0) marked[token] = 1;
    start = end;
  });
  return marked;
}

/**
 * The trigger of each of a text's steps. `pieces` are the text's tokens as text, those that were put behind it included;
 * `steps` are what was observed after some of them: a token after which nothing was observed has no trigger A.
 */
export function triggersOf(
  pieces: readonly string[],
  steps: readonly ObservedStep[],
  lexicon: Lexicon,
  mapping: LexiconMapping,
  { gateTopK, gateWindow, gateSteps }: CtfOptions,
): Trigger[] {
  const wanted = new Set(mapping.groups.flatMap(({ ids }) => [...ids]));
  const none = new Uint8Array(pieces.length);
  const topKHits = new Uint8Array(pieces.length);
  for (const { position, topKIds } of steps) {
    if (topKIds.slice(0, gateTopK).some((id) => wanted.has(id))) topKHits[position] = 1;
  }
  const { occupations, pronounsAndNames } = wordsOf(lexicon);
  const lengths = { window: gateWindow, stepsAfter: gateSteps };
  const byTopK = gate({ topKHits, occupation: none, pronounOrName: none, ...lengths }).gate;
  const byWindow = gate({
    topKHits: none,
    occupation: marks(occupations, pieces),
    pronounOrName: marks(pronounsAndNames, pieces),
    ...lengths,
  }).gate;
  return steps.map(({ position }) => {
    if (byTopK[position] === 1) return byWindow[position] === 1 ? 'both' : 'topK';
    return byWindow[position] === 1 ? 'window' : 'none';
  });
}
