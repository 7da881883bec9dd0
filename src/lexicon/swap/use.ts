/**
 * Which use a word has in its place: "her" is an object in "thanked her" and a possessive in "her book", "his" a
 * possessive in "his book" and a pronoun of its own in "a friend of his". The tagger calls all of them pronouns, but it
 * is good at the words around, so those decide: a possessive opens a noun phrase. docs/design/lexicon.md says how well.
 */
import type { TaggedWord } from './tagger.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** What no possessive stands before, whatever the tagger makes of it. */
const NEVER_OWNED = words(
  'a an the this that these those my your our their its no some any each every another enough more less both to alone too',
);
const POSSESSIVES = words('my your his her its our their');
/** Words that open a clause: a pronoun right behind them is no object, for nothing governs it. */
const CLAUSE_OPENERS = words('because while when whenever if although though since where whether');
/** Verbs that say what the person does or is: "helped her move", "kept her safe". */
const CAUSING = words('let make help have see hear watch feel keep prove');
/** Verbs with which the person does something too, but that take a phrase of hers as well: "asked her boss a thing". */
const ASKING = words('ask hope want wish');
/** Verbs that hand something over to the person: "gave her advice". */
const GIVING = words(
  'give tell ask offer send show pay sell teach provide bring buy lend hand feed grant owe wish',
);
/** What is handed over without an article, and is the giver's or nobody's: "gave her money". */
const HANDED = words(
  'advice birthday directions documents feedback flowers food goods information instructions lots luck math money news orders permission plenty questions suggestions thanks time tips trouble water',
);
const TAKES_VERB = new Set([...CAUSING, ...ASKING, ...GIVING]);
const PAYING = words('charge pay owe cost fine give offer lend send');
const CURRENCY = words('dollar dollars euro euros pound pounds cent cents rupees yen bucks percent $ €');
/** Verbs of going, whose "home" is where to: "drove her home". */
const MOVING = words('drive take send bring follow walk see escort carry call fly get');
/** Nouns that say when: "told her tomorrow". */
const WHEN = words('today tomorrow yesterday tonight');
const NAMING = words('call name nickname');
const PREMODIFIERS = words('ADJ NUM ADV');

/** What follows a word, as far as it may be one noun phrase. */
interface Phrase {
  /** Adjectives, numbers, adverbs and participles before the head. */
  readonly modifiers: readonly TaggedWord[];
  /** The first noun; null where something else comes first. */
  readonly head: TaggedWord | null;
  /** The word right behind the head. */
  readonly behind: TaggedWord | undefined;
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
  const phrase = phraseAfter(text, at);
  if (phrase.modifiers.some((word) => word.text === 'own')) return true;
  const before = text[at - 1];
  const next = text[at + 1];
  if (phrase.head !== null) return before?.tag !== 'VERB' || !isSecondObject(before, phrase);
  if (next === undefined || next.tag === 'PUNCT' || NEVER_OWNED.has(next.text)) return false;
  const bare = next.tag === 'VERB' && next.lemma === next.text;
  // "lose her focus", "from her watch", "by her rival": a noun that the tagger took for something else.
  if (before?.tag === 'VERB') return bare && !TAKES_VERB.has(before.lemma);
  if (phrase.modifiers.at(-1)?.tag === 'ADJ') return true;
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
  if (sign === undefined || other === undefined || (sign.text !== 'or' && sign.text !== '/')) return false;
  return other.text !== word.text && POSSESSIVES.has(other.text);
}

/** Is the phrase behind "her" what the verb hands her, calls her or makes of her, so that "her" is its own object? */
function isSecondObject(verb: TaggedWord, { modifiers, head, behind }: Phrase): boolean {
  const { lemma } = verb;
  const noun = head!.text;
  const direct = modifiers.length === 0;
  if (GIVING.has(lemma) && HANDED.has(noun)) return true;
  if (GIVING.has(lemma) && behind !== undefined && HANDED.has(behind.text)) return true;
  if (PAYING.has(lemma) && modifiers.some(({ tag }) => tag === 'NUM') && CURRENCY.has(noun)) return true;
  if (direct && NAMING.has(lemma) && head!.tag === 'PROPN') return true;
  if (direct && (WHEN.has(noun) || (noun === 'home' && MOVING.has(lemma)))) return true;
  if (direct && CAUSING.has(lemma) && (noun === 'right' || noun === 'wrong')) return true;
  // "helped her move the boxes": a noun has no second article behind it.
  return direct && CAUSING.has(lemma) && behind?.tag === 'DET';
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
    if (isNoun(word)) return { modifiers, head: word, behind: text[next + 1] };
    if (isModifier(word)) modifiers.push(word);
    else if (!joins(text, next, modifiers.at(-1))) break;
  }
  return { modifiers, head: null, behind: undefined };
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

/** Does the sign or word at `at` go on with the phrase: "well-known", "harsh and ruthless", "warm, open"? */
function joins(text: readonly TaggedWord[], at: number, last: TaggedWord | undefined): boolean {
  const word = text[at]!;
  const behind = text[at + 1];
  if (last === undefined || behind === undefined) return false;
  if (word.text === '-') return word.start === last.end && behind.start === word.end;
  return (word.tag === 'CCONJ' || word.text === ',') && last.tag === 'ADJ' && behind.tag === 'ADJ';
}
