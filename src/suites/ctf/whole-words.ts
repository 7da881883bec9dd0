/**
 * The exact mass of whole words: the sum over the forms of a group's words of the probability of all their tokens and of a word's
 * end behind them. The engine decodes the tree of forms: what they have in common, the text in front included, once.
 */
import { type LexiconMapping, needsWordEnd, surfaceForms } from '../../lexicon/index.ts';
import type { ObserveRequest } from '../../observation/observation.ts';
import type { ObservedRequest } from '../../observation/observed.ts';

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]$/u;

/** The forms of a word that continue a text: behind a letter with a space, behind a space without one, behind a sign both. */
function continuations(prefix: string, word: string, capitalised: boolean): string[] {
  const forms = surfaceForms(word, capitalised);
  if (prefix === '' || /\s$/.test(prefix)) return forms.filter((form) => !form.startsWith(' '));
  return WORD_CHARACTER.test(prefix) ? forms.filter((form) => form.startsWith(' ')) : forms;
}

/** By group; a form of several words of a group is in it once. */
function formsOf(prefix: string, { groups, capitalised }: LexiconMapping): string[][] {
  return groups.map(({ words }) => [
    ...new Set(words.flatMap(({ word }) => continuations(prefix, word, capitalised))),
  ]);
}

/** What is asked for the masses behind `prefix`: the words' log-probabilities, and the distribution behind each that needs an end. */
export function wholeWordRequests(prefix: string, mapping: LexiconMapping): ObserveRequest[] {
  return wordRequests(prefix, formsOf(prefix, mapping).flat());
}

/** The same for words as they are. */
export function wordRequests(prefix: string, words: readonly string[]): ObserveRequest[] {
  return [
    { kind: 'score', prompt: prefix, continuations: words },
    ...words
      .filter(needsWordEnd)
      .map((word): ObserveRequest => ({ kind: 'probe', text: `${prefix}${word}` })),
  ];
}

/** ln P of each word and its end behind the prefix; `end` is the place of the ends' mass among the masses of a step. */
export function wordLogProbs(
  words: readonly string[],
  [score, ...probes]: readonly ObservedRequest[],
  end: number,
): number[] {
  const behind = probes.values();
  const ends = words.map((word) => (needsWordEnd(word) ? behind.next().value!.steps[0]!.masses[end]! : 1));
  return words.map(
    (_, side) => score!.scores.find((own) => own.side === side)!.logProb + Math.log(ends[side]!),
  );
}

/** The mass of each group behind `prefix`, in [0, 1], of what {@link wholeWordRequests} asked. */
export function wholeWordMasses(
  prefix: string,
  mapping: LexiconMapping,
  observed: readonly ObservedRequest[],
): number[] {
  const forms = formsOf(prefix, mapping);
  const logProbs = wordLogProbs(forms.flat(), observed, mapping.groups.length).values();
  return forms.map((own) => own.reduce((sum) => sum + Math.exp(logProbs.next().value!), 0));
}
