/**
 * The counterfactual of a text: every word of one group becomes its partner in the other, and nothing else changes.
 * A text of which one word cannot be swapped has no counterfactual, for half a swap is another text.
 */
import { AuditError } from '../../errors.ts';
import type { Lexicon } from '../lexicon.ts';
import { findAllSpans, type Span } from '../span.ts';
import { foldCase } from '../words.ts';
import { likeMatch } from './case.ts';
import type { SwapNames } from './names.ts';
import { type TaggedWord, tagWords } from './tagger.ts';
import { useAt } from './use.ts';

export interface SwapOptions {
  /** The two groups that change places; words of other groups stay. Default: the groups of the lexicon, if two. */
  readonly between?: readonly [string, string];
  /** Names that are swapped too. Default: names stay. */
  readonly names?: SwapNames;
}

/** What was put in the place of what; offsets are of the text before the swap, in UTF-16 units. */
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

export type SwapResult = Swapped | NotSwapped;

/** What comes back when the counterfactual is swapped again. */
export interface RoundTrip {
  /** Is it the text that the swap began with? */
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
  const changes: SwapChange[] = [...names];
  let tagged: TaggedText | null = null;
  for (const span of findAllSpans(lexicon, text)) {
    const choice = partners.get(foldCase(span.word));
    if (choice === undefined || covered(names, span)) continue;
    if (choice.length === 0) return noPartner(lexicon, span);
    let partner = choice.length === 1 ? choice[0]! : null;
    if (partner === null && isEnglish(lexicon)) {
      tagged ??= tagText(text);
      partner = partnerInPlace(choice, span, tagged);
    }
    if (partner === null) return ambiguous(lexicon, span, choice);
    const { start, end, match, word } = span;
    changes.push({ start, end, from: match, to: likeMatch(match, word, partner.word), as: partner.as });
  }
  if (changes.length === 0) return noWord(lexicon);
  changes.sort((a, b) => a.start - b.start);
  return { ok: true, text: withChanges(text, changes), changes };
}

/** Swaps `swapped`, the counterfactual of `text`, once more. Errors: of {@link swapText}. */
export function checkRoundTrip(
  lexicon: Lexicon,
  text: string,
  swapped: string,
  options: SwapOptions = {},
): RoundTrip {
  const again = swapText(lexicon, swapped, options);
  return again.ok ? { ok: again.text === text, back: again.text } : { ok: false, back: null };
}

function namesIn(text: string, names: SwapNames | undefined): SwapChange[] {
  if (names === undefined) return [];
  return Array.from(text.matchAll(names.pattern), ({ 0: from, index }) => {
    return { start: index, end: index + from.length, from, to: names.partners.get(from)!, as: 'name' };
  });
}

/** Is a word of the lexicon (part of) a name? */
function covered(names: readonly SwapChange[], { start, end }: Span): boolean {
  return names.some((name) => name.start < end && start < name.end);
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

function partnerInPlace(choice: readonly Partner[], span: Span, tagged: TaggedText): Partner | null {
  const anyUse = choice.find(({ as }) => as === null) ?? null;
  const at = tagged.at.get(span.start);
  if (at === undefined) return anyUse;
  const uses = choice.flatMap(({ as }) => as ?? []);
  const use = useAt(uses, tagged.words, at);
  return choice.find(({ as }) => as !== null && as === use) ?? anyUse;
}

function isEnglish({ language }: Lexicon): boolean {
  return /^en(?:[-_]|$)/i.test(language);
}

/** The two groups that are swapped. Throws `bad_argument` where they cannot be told or are not there. */
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

function makePartners({ groups, pairs }: Lexicon, [first, second]: readonly [string, string]): Partners {
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
