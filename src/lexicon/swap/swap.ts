/**
 * The counterfactual of a text: every word of one group becomes its partner in the other, and nothing else changes.
 * A text of which one word cannot be swapped has no counterfactual, for half a swap is another text.
 */

import { AuditError } from '../../errors.ts';
import type { Lexicon } from '../lexicon.ts';
import { findAllSpans, type Span } from '../span.ts';
import { capitalise, foldCase } from '../word-list.ts';
import type { SwapNames } from './names.ts';
import { personsIn } from './persons.ts';
import { fixedPhrases, isTitle, type Place, standing, wordsByEnding } from './stays.ts';
import { type TaggedWord, tagWords } from './tagger.ts';
import { useAt, useOfTag } from './use.ts';

/**
 * `partner` in the case in which the text spells `word` as `match`: "She" gives "He", "SHE" "HE", "Step Mother" "Step
 * Father". A mixture that is neither the lexicon's nor one of these gives the partner as the lexicon spells it.
 */
export function likeMatch(match: string, word: string, partner: string): string {
  if (match === word) return partner;
  const lower = match.toLowerCase();
  if (match === lower) return partner.toLowerCase();
  const letters = match.match(/\p{L}/gu)?.length ?? 0;
  if (letters > 1 && match === match.toUpperCase()) return partner.toUpperCase();
  if (match === capitaliseEach(lower) && lower.includes(' ')) return capitaliseEach(partner);
  return match === capitalise(lower) ? capitalise(partner) : partner;
}

function capitaliseEach(words: string): string {
  return words.split(' ').map(capitalise).join(' ');
}

/** How words are swapped. */
export interface SwapOptions {
  /** The two groups that change places; words of other groups stay. Default: the groups of the lexicon, if two. */
  readonly between?: readonly [string, string];
  /** Names that are swapped too. Default: names stay. */
  readonly names?: SwapNames;
}

/** What was replaced by what; offsets are of the text before the swap, in UTF-16 units. */
export interface SwapChange {
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
  /** The use by which the partner was chosen, as the lexicon calls it; `name` for a name, null for a pair of any use. */
  readonly as: string | null;
}

export interface Swapped {
  readonly ok: true;
  readonly text: string;
  /** In the order of the text; at least one. */
  readonly changes: readonly SwapChange[];
  /** Why the pair may not be one, in the order of the text; empty for a clean one. */
  readonly marks: readonly SwapMark[];
}

/**
 * half_swapped: a word of a group stays, such as in the title of a work. named_person: a person whose name says whether
 * a woman or a man is meant, and the name stays.
 */
export type SwapMarkKind = 'half_swapped' | 'named_person';

export interface SwapMark {
  readonly mark: SwapMarkKind;
  /** As the text spells it, and where it stands. */
  readonly word: string;
  readonly start: number;
}

/** no_lexicon_word: nothing to swap. no_partner: a word has none. ambiguous_use: it has several, by a use that is not clear. */
export type SwapReason = 'no_lexicon_word' | 'no_partner' | 'ambiguous_use';

export interface NotSwapped {
  readonly ok: false;
  readonly reason: SwapReason;
  readonly message: string;
  /** The word that stands in the way, as the text spells it, and where; null for `no_lexicon_word`. */
  readonly word: string | null;
  readonly start: number | null;
}

/** A text after its swap, with every change and everything that was left alone. */
export type SwapResult = Swapped | NotSwapped;

/** What comes back when the counterfactual is swapped again. */
export interface RoundTrip {
  /** Is it the text that the swap began with, and is nothing marked on the way back? */
  readonly ok: boolean;
  /** Null where the counterfactual cannot be swapped. */
  readonly back: string | null;
}

interface Partner {
  readonly word: string;
  readonly as: string | null;
}

/** The words of a text, and which of them starts where. */
interface TaggedText {
  readonly words: readonly TaggedWord[];
  readonly at: ReadonlyMap<number, number>;
}

/** Partners of each word of the two groups, by the word's key; no partners where the lexicon gives it none. */
type Partners = ReadonlyMap<string, readonly Partner[]>;

const tables = new WeakMap<Lexicon, Map<string, Partners>>();

/**
 * Swaps the words of two groups in `text`, their case kept. A word with partners in several uses gets that of the use
 * that it has in its place, for which English is tagged. Errors: `bad_argument` for groups that the lexicon has not.
 */
export function swapText(lexicon: Lexicon, text: string, options: SwapOptions = {}): SwapResult {
  const partners = partnersOf(lexicon, options.between);
  const names = namesIn(text, options.names);
  const covered = inOrder(names);
  const changes: SwapChange[] = [...names];
  const marks: SwapMark[] = [];
  const place: InPlace = { lexicon, text, tagged: null };
  for (const { span, choice } of wordsToSwap(lexicon, text, partners)) {
    if (covered(span)) continue;
    const stays = stayingHere(place, span, choice);
    if (stays === 'part_of_name') marks.push({ mark: 'half_swapped', word: span.match, start: span.start });
    if (stays !== null) continue;
    if (choice.length === 0) return noPartner(lexicon, span);
    const partner = choice.length === 1 ? choice[0]! : partnerInPlace(place, choice, span);
    if (partner === null) return ambiguous(lexicon, span, choice);
    const { start, end, match, word } = span;
    changes.push({ start, end, from: match, to: likeMatch(match, word, partner.word), as: partner.as });
  }
  if (changes.length === 0) return noWord(lexicon);
  changes.sort((a, b) => a.start - b.start);
  const taken = inOrder(changes);
  for (const { name, start } of lexicon.swap === null ? [] : personsIn(text, lexicon.swap)) {
    if (!taken({ start, end: start + name.length })) marks.push({ mark: 'named_person', word: name, start });
  }
  marks.sort((a, b) => a.start - b.start);
  return { ok: true, text: withChanges(text, changes), changes, marks };
}

/** Swaps `swapped`, the counterfactual of `text`, once more. Errors: of {@link swapText}. */
export function checkRoundTrip(
  lexicon: Lexicon,
  text: string,
  swapped: string,
  options: SwapOptions = {},
): RoundTrip {
  const again = swapText(lexicon, swapped, options);
  return again.ok
    ? { ok: again.text === text && again.marks.length === 0, back: again.text }
    : { ok: false, back: null };
}

function namesIn(text: string, names: SwapNames | undefined): SwapChange[] {
  if (names === undefined) return [];
  return Array.from(text.matchAll(names.pattern), ({ 0: from, index }) => {
    return { start: index, end: index + from.length, from, to: names.partners.get(from)!, as: 'name' };
  });
}

/** Does a place overlap one of `places`, which are in order? To be asked in the order of the text. */
function inOrder(places: readonly Place[]): (place: Place) => boolean {
  let next = 0;
  return ({ start, end }) => {
    while (next < places.length && places[next]!.end <= start) next += 1;
    return next < places.length && places[next]!.start < end;
  };
}

/** The words of the two groups and those that end like them, in order, without fixed phrases, with their partners. */
function* wordsToSwap(
  lexicon: Lexicon,
  text: string,
  partners: Partners,
): Generator<{ span: Span; choice: readonly Partner[] }> {
  const fixed = inOrder(lexicon.swap === null ? [] : fixedPhrases(text, lexicon.swap));
  const listed = findAllSpans(lexicon, text);
  const inList = inOrder(listed);
  const byEnding = wordsByEnding(text, lexicon).filter((span) => !inList(span));
  const all = [
    ...listed.map((span) => ({ span, choice: partners.get(foldCase(span.word)) })),
    ...byEnding.map((span) => ({ span, choice: [{ word: span.partner, as: 'noun' }] })),
  ].sort((a, b) => a.span.start - b.span.start);
  for (const { span, choice } of all) {
    if (choice !== undefined && !fixed(span)) yield { span, choice };
  }
}

/** What a partner is chosen by: the text, tagged once a word needs it. */
interface InPlace {
  readonly lexicon: Lexicon;
  readonly text: string;
  tagged: TaggedText | null;
}

function tagsOf(place: InPlace): TaggedText {
  place.tagged ??= tagText(place.text);
  return place.tagged;
}

/** Why a word stays as it is; null where it is swapped. */
function stayingHere(
  place: InPlace,
  span: Span,
  choice: readonly Partner[],
): 'surname' | 'part_of_name' | 'other_use' | null {
  const { lexicon, text } = place;
  if (lexicon.swap === null) return null;
  const uses = choice.flatMap(({ as }) => as ?? []);
  // Pronouns and titles are no parts of names.
  if (uses.length === 0 || uses.includes('noun')) {
    const stands = standing(text, span, lexicon.swap);
    if (stands !== 'free') return stands;
  }
  if (!lexicon.swap.otherwise.includes(span.word) || !isEnglish(lexicon)) return null;
  if (uses.includes('title')) return isTitle(text, span) ? null : 'other_use';
  const tagged = tagsOf(place);
  const at = tagged.at.get(span.start);
  const use = at === undefined ? null : useOfTag(tagged.words, at);
  return use === 'verb' && !uses.includes(use) ? 'other_use' : null;
}

function tagText(text: string): TaggedText {
  const words = tagWords(text);
  return { words, at: new Map(words.map(({ start }, index) => [start, index])) };
}

function withChanges(text: string, changes: readonly SwapChange[]): string {
  let swapped = '';
  let done = 0;
  for (const { start, end, to } of changes) {
    swapped += text.slice(done, start) + to;
    done = end;
  }
  return swapped + text.slice(done);
}

function partnerInPlace(place: InPlace, choice: readonly Partner[], span: Span): Partner | null {
  const anyUse = choice.find(({ as }) => as === null) ?? null;
  if (!isEnglish(place.lexicon)) return null;
  const titled = choice.find(({ as }) => as === 'title');
  const others = choice.filter((partner) => partner !== titled);
  if (titled !== undefined && isTitle(place.text, span)) return titled;
  if (titled !== undefined && others.length === 1) return others[0]!;
  const tagged = tagsOf(place);
  const at = tagged.at.get(span.start);
  if (at === undefined) return anyUse;
  const uses = others.flatMap(({ as }) => as ?? []);
  const use = useAt(uses, tagged.words, at);
  return others.find(({ as }) => as !== null && as === use) ?? anyUse;
}

function isEnglish({ language }: Lexicon): boolean {
  return /^en(?:[-_]|$)/i.test(language);
}

/** The two groups that are swapped. Throws `bad_argument` where they are unclear or missing. */
export function swappedGroups(
  { name, groups }: Lexicon,
  between?: readonly [string, string],
): readonly [string, string] {
  const names = groups.map((group) => group.name);
  if (between === undefined) {
    if (names.length === 2) return [names[0]!, names[1]!];
    const message = `lexicon ${name} has ${names.length} groups (${names.join(', ')}), and a swap is between two; say which`;
    throw new AuditError('bad_argument', message, { lexicon: name, groups: names });
  }
  const unknown = between.find((group) => !names.includes(group));
  if (unknown !== undefined) {
    const message = `lexicon ${name} has no group "${unknown}"; its groups are ${names.join(', ')}`;
    throw new AuditError('bad_argument', message, { lexicon: name, group: unknown });
  }
  if (between[0] === between[1]) {
    const message = `a swap is between two groups, and "${between[0]}" was named twice`;
    throw new AuditError('bad_argument', message, { lexicon: name, group: between[0] });
  }
  return between;
}

function partnersOf(lexicon: Lexicon, between: readonly [string, string] | undefined): Partners {
  const groups = swappedGroups(lexicon, between);
  const key = JSON.stringify([...groups].sort());
  const known = tables.get(lexicon) ?? new Map<string, Partners>();
  tables.set(lexicon, known);
  const table = known.get(key) ?? makePartners(lexicon, groups);
  known.set(key, table);
  return table;
}

function makePartners(
  { groups, pairs, swap }: Lexicon,
  [first, second]: readonly [string, string],
): Partners {
  const table = new Map<string, Partner[]>();
  for (const { name, words } of groups) {
    if (name === first || name === second) for (const word of words) table.set(foldCase(word), []);
  }
  for (const { words, as } of pairs) {
    const between = words.map(({ group }) => group);
    if (!between.includes(first) || !between.includes(second)) continue;
    for (const [index, { word }] of words.entries()) {
      const list = table.get(foldCase(word))!;
      // Of several partners for one use the first listed is taken.
      if (!list.some((partner) => partner.as === as)) list.push({ word: words[1 - index]!.word, as });
    }
  }
  for (const { word, to } of swap?.oneWay ?? []) table.get(foldCase(word))?.push({ word: to, as: null });
  for (const [word, list] of table) {
    // One partner in every use: no need to know the use.
    if (new Set(list.map((partner) => partner.word)).size === 1) table.set(word, [list[0]!]);
  }
  return table;
}

function noWord({ name }: Lexicon): NotSwapped {
  const message = `no word of lexicon ${name} that could be swapped`;
  return { ok: false, reason: 'no_lexicon_word', message, word: null, start: null };
}

function noPartner({ name }: Lexicon, { match, start }: Span): NotSwapped {
  const message = `"${match}" has no partner in lexicon ${name}; add a pair, or take the word out of its group`;
  return { ok: false, reason: 'no_partner', message, word: match, start };
}

function ambiguous(lexicon: Lexicon, { match, start }: Span, choice: readonly Partner[]): NotSwapped {
  const partners = choice.map(({ word, as }) => `"${word}" (${as ?? 'any use'})`).join(' or ');
  const why = isEnglish(lexicon) ? 'its use here is not clear' : `uses are distinguished in English only`;
  const message = `"${match}" may become ${partners}: ${why}`;
  return { ok: false, reason: 'ambiguous_use', message, word: match, start };
}
