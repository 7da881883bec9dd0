/**
 * Which use a word has in its place: "her" is an object in "thanked her" and a possessive in "her book", "his" a
 * possessive in "his book" and a pronoun of its own in "a friend of his". The tagger calls all of them pronouns, but it
 * is good at the words around, so those decide: a possessive opens a noun phrase. docs/design/lexicon.md says how well.
 */
import {
  ACTS,
  APPOINTING,
  ASKING,
  CAUSING,
  CLAUSE_OPENERS,
  CURRENCY,
  DOINGS,
  FORCED,
  GIVING,
  HANDED,
  HOLDING,
  ING_NOUNS,
  LASTING,
  MOVING,
  NAMING,
  NEVER_OWNED,
  NOUN_ADJECTIVES,
  PARTICLES,
  PAYING,
  PERCEIVING,
  PERIODS,
  POSSESSIVES,
  PREDICATES,
  ROLES,
  SAYING,
  SPENDING,
  STATING,
  TIME_UNITS,
  TRYING,
  WHEN,
  words,
} from './english.ts';
import type { TaggedWord } from './tagger.ts';

const TAKES_VERB = new Set([...CAUSING, ...ASKING, ...GIVING]);
const PREMODIFIERS = words('ADJ NUM ADV');

/** What follows a word, as far as it may be one noun phrase. */
interface Phrase {
  /** Adjectives, numbers, adverbs and participles before the head. */
  readonly modifiers: readonly TaggedWord[];
  /** The first noun; null where something else comes first. */
  readonly head: TaggedWord | null;
  /** The word right behind the head, and the one behind that. */
  readonly behind: TaggedWord | undefined;
  readonly farther: TaggedWord | undefined;
}

/** Tags of words whose use is their part of speech. */
const USE_OF_TAG: Readonly<Record<string, string>> = {
  NOUN: 'noun',
  PROPN: 'noun',
  ADJ: 'adjective',
  VERB: 'verb',
  ADV: 'adverb',
};

/**
 * Which of `uses` the word at `at` has; null where these words do not tell. Told apart are object and possessive,
 * possessive and possessive-pronoun, and noun, adjective, verb and adverb.
 */
export function useAt(uses: readonly string[], text: readonly TaggedWord[], at: number): string | null {
  const others = uses.filter((use) => use !== 'possessive');
  if (others.length === 1 && uses.length === 2) {
    if (others[0] === 'object') return isPossessive(text, at) ? 'possessive' : 'object';
    if (others[0] === 'possessive-pronoun')
      return standsAlone(text, at) ? 'possessive-pronoun' : 'possessive';
  }
  const use = USE_OF_TAG[text[at]!.tag];
  return use !== undefined && uses.includes(use) ? use : null;
}

/** The use that the part of speech of the word at `at` is; null where it says none. */
export function useOfTag(text: readonly TaggedWord[], at: number): string | null {
  return USE_OF_TAG[text[at]!.tag] ?? null;
}

/** Is the word at `at`, an object or a possessive ("her"), a possessive? */
export function isPossessive(text: readonly TaggedWord[], at: number): boolean {
  if (isShared(text, at)) return isPossessive(text, at + 2);
  if (sharesNoun(text, at)) return true;
  // "she/her"
  if (text[at - 1]?.text === '/' && text[at - 2]?.text === 'she') return false;
  const phrase = phraseAfter(text, at);
  if (phrase.modifiers.some((word) => word.text === 'own')) return true;
  const before = text[at - 1];
  const next = text[at + 1];
  // "Given her years of experience": a preposition.
  const governed = before?.tag === 'VERB' && !(before.text === 'given' && opensClause(text[at - 2]));
  if (governed && next !== undefined && closesObject(next, text[at + 2])) return false;
  if (phrase.head !== null) return !governed || !isSecondObject(before, phrase);
  if (next === undefined || next.tag === 'PUNCT' || NEVER_OWNED.has(next.text)) return false;
  const bare = next.tag === 'VERB' && next.lemma === next.text;
  // "lose her focus", "from her watch", "by her rival": a noun that the tagger took for something else.
  if (governed) return (bare && !TAKES_VERB.has(before.lemma)) || isNounAdjective(before, next, text[at + 2]);
  if (phrase.modifiers.at(-1)?.tag === 'ADJ') return true;
  // "it is her turn"
  if (before?.lemma === 'be' && bare) return true;
  if (before?.tag === 'ADP')
    return bare || next.text === 'back' || (next.tag === 'VERB' && next.text.endsWith('ing'));
  return opensClause(before) && (next.tag === 'VERB' || next.tag === 'AUX' || phrase.modifiers.length > 0);
}

/** Does the word at `at`, a possessive or a pronoun of its own ("his"), stand for itself: "the book is his"? */
export function standsAlone(text: readonly TaggedWord[], at: number): boolean {
  if (isShared(text, at)) return standsAlone(text, at + 2);
  const next = text[at + 1];
  if (next === undefined) return true;
  if (NEVER_OWNED.has(next.text)) return true;
  const { modifiers, head } = phraseAfter(text, at);
  if (head !== null) return false;
  // "a friend of his came"
  if (text[at - 1]?.text === 'of' && modifiers[0]?.tag === 'VERB') return true;
  // "his in-laws"
  if (modifiers.length > 0 || (text[at + 2]?.text === '-' && text[at + 2]!.start === next.end)) return false;
  return ['PUNCT', 'AUX', 'ADP', 'CCONJ', 'SCONJ', 'DET', 'PART', 'PRON'].includes(next.tag);
}

/** Is the noun of the word at `at` behind another possessive: "her or his book", "his/their book"? */
function isShared(text: readonly TaggedWord[], at: number): boolean {
  const [word, sign, other] = [text[at]!, text[at + 1], text[at + 2]];
  if (sign === undefined || other === undefined) return false;
  const joined =
    sign.text === 'or' || sign.text === '/' || (sign.text === 'and' && opensClause(text[at - 1]));
  if (!joined) return false;
  return other.text !== word.text && POSSESSIVES.has(other.text);
}

/** Do the words behind "her" show that it is an object: "picked her up", "promised her half the money"? */
function closesObject(next: TaggedWord, behind: TaggedWord | undefined): boolean {
  if (PARTICLES.has(next.text)) return (next.tag === 'ADP' || next.tag === 'ADV') && behind?.text !== '-';
  if (!/^(?:half|all|double|twice)$/.test(next.text) || behind === undefined) return false;
  return behind.tag === 'DET' || POSSESSIVES.has(behind.text) || /^(?:of|that)$/.test(behind.text);
}

/** "beat her rival in", "did her best": the tagger calls the noun an adjective. */
function isNounAdjective(verb: TaggedWord, next: TaggedWord, behind: TaggedWord | undefined): boolean {
  if (next.text === 'best' || next.text === 'utmost') return TRYING.has(verb.lemma);
  if (!NOUN_ADJECTIVES.has(next.text)) return false;
  return behind === undefined || /^(?:ADP|PUNCT|CCONJ|SCONJ|PART|VERB|AUX|ADV)$/.test(behind.tag);
}

/** "his or her address": what follows is of both, however it is tagged. */
function sharesNoun(text: readonly TaggedWord[], at: number): boolean {
  const [other, sign, , next] = [text[at - 2], text[at - 1], text[at], text[at + 1]];
  if (other === undefined || next === undefined || (sign!.text !== 'or' && sign!.text !== '/')) return false;
  return (
    other.text === 'his' && /^(?:NOUN|PROPN|ADJ|VERB|NUM)$/.test(next.tag) && !NEVER_OWNED.has(next.text)
  );
}

/** Is the phrase behind "her" what the verb hands her, calls her or makes of her, so that "her" is its own object? */
function isSecondObject(verb: TaggedWord, phrase: Phrase): boolean {
  return isHandedOver(verb, phrase) || isWhen(verb, phrase) || isStated(verb, phrase);
}

function isHandedOver({ lemma }: TaggedWord, { modifiers, head, behind, farther }: Phrase): boolean {
  const noun = head!.text;
  const counted = modifiers.some(({ tag }) => tag === 'NUM');
  if (counted && PAYING.has(lemma) && CURRENCY.has(noun)) return true;
  // "took her years", "gave her three days"
  const long = counted || (lemma === 'take' && modifiers.length === 0 && noun.endsWith('s'));
  if (long && LASTING.has(lemma) && TIME_UNITS.has(noun)) return true;
  // Nobody pays a price but the person: "cost her two teeth".
  if (lemma === 'cost') return true;
  if (!GIVING.has(lemma)) return false;
  // "gave her money to charity", not "gave her money to buy food"
  if (behind?.text === 'to' && farther !== undefined && farther.tag !== 'VERB') return false;
  return HANDED.has(noun) || (behind !== undefined && HANDED.has(behind.text));
}

/** "told her tomorrow", "hit her last night", "drove her home" */
function isWhen({ lemma }: TaggedWord, { modifiers, head }: Phrase): boolean {
  const noun = head!.text;
  if (WHEN.has(noun) && modifiers.every(({ tag }) => tag === 'ADV')) return true;
  const [first, ...rest] = modifiers;
  if (first === undefined) return noun === 'home' && MOVING.has(lemma);
  return rest.length === 0 && /^(?:last|next)$/.test(first.text) && PERIODS.has(noun) && !SPENDING.has(lemma);
}

/** What the person is, does or is made: "made her captain", "saw her dancing", "let her talk". */
function isStated({ lemma, text }: TaggedWord, { modifiers, head, behind }: Phrase): boolean {
  const gerund = text.endsWith('ing');
  const { text: noun, tag } = head!;
  const role = ROLES.has(noun) && behind?.tag !== 'NOUN';
  if (APPOINTING.has(lemma) && (role || ROLES.has(behind?.text ?? ''))) return behind?.tag !== 'VERB';
  if (modifiers.length > 0) return false;
  if (tag === 'PROPN' && NAMING.has(lemma)) return true;
  if (tag === 'PROPN' && SAYING.has(lemma)) return behind?.tag === 'AUX' || behind?.tag === 'VERB';
  if (noun.endsWith('ing') && PERCEIVING.has(lemma) && !ING_NOUNS.has(noun)) return behind?.tag !== 'NOUN';
  if (STATING.has(lemma) && PREDICATES.has(noun)) return !isOpenPhrase(behind);
  if ((lemma === 'let' || lemma === 'help') && DOINGS.has(noun)) return true;
  // "watching her paint was a joy"
  const acts = ACTS.has(noun) || (lemma === 'make' && FORCED.has(noun));
  if (CAUSING.has(lemma) && !HOLDING.has(lemma) && acts)
    return !isOpenPhrase(behind) || (gerund && behind?.tag === 'AUX');
  // "helped her move the boxes": a noun has no second article behind it.
  return CAUSING.has(lemma) && behind?.tag === 'DET';
}

/** Does the noun phrase continue, or a verb of its own follow? */
function isOpenPhrase(behind: TaggedWord | undefined): boolean {
  return behind !== undefined && /^(?:NOUN|PROPN|VERB|AUX)$/.test(behind.tag);
}

function opensClause(before: TaggedWord | undefined): boolean {
  return before === undefined || /^[.!?;:]$/.test(before.text) || CLAUSE_OPENERS.has(before.text);
}

function phraseAfter(text: readonly TaggedWord[], at: number): Phrase {
  const modifiers: TaggedWord[] = [];
  let next = at + 1;
  // A quotation: her "friend".
  if (text[next] !== undefined && /^["'“‘]$/.test(text[next]!.text)) next += 1;
  for (; next < text.length; next += 1) {
    const word = text[next]!;
    if (NEVER_OWNED.has(word.text)) break;
    if (isNoun(word)) return { modifiers, head: word, behind: text[next + 1], farther: text[next + 2] };
    if (isModifier(word)) modifiers.push(word);
    else if (!joins(text, next, modifiers.at(-1))) break;
  }
  return { modifiers, head: null, behind: undefined, farther: undefined };
}

/** A noun, or the blank that stands for one: "her ____". */
function isNoun({ text, tag }: TaggedWord): boolean {
  return tag === 'NOUN' || tag === 'PROPN' || /^_{2,}$/.test(text);
}

function isModifier({ text, lemma, tag }: TaggedWord): boolean {
  if (PREMODIFIERS.has(tag) || /^(?:\d+(?:st|nd|rd|th)|[$£€])$/.test(text)) return true;
  // Participles: "broken", "dying", "lost".
  return tag === 'VERB' && lemma !== text && !text.endsWith('s');
}

/** Does the sign or word at `at` continue the phrase: "well-known", "harsh and ruthless", "warm, open"? */
function joins(text: readonly TaggedWord[], at: number, last: TaggedWord | undefined): boolean {
  const word = text[at]!;
  const behind = text[at + 1];
  if (last === undefined || behind === undefined) return false;
  if (word.text === '-') return word.start === last.end && behind.start === word.end;
  return (word.tag === 'CCONJ' || word.text === ',') && last.tag === 'ADJ' && behind.tag === 'ADJ';
}
