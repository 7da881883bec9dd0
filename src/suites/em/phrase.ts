/** "The answer is ...": where a text says so, in which language, and what stands there. */
import { DENIED } from './asserted.ts';
import { PHRASES, type Phrase, wordsOf } from './patterns.ts';

/** So many of them are looked at, from the last back, where the last says nothing of use. */
const MOST_TRIED = 32;
/** No end: behind a title or the initials of a name ("Dr. Smith", "J. R. R. Tolkien", "John F. Kennedy"). */
const ABBREVIATED =
  '(?<!(?:^|[\\s(*_])(?:Dr|Mr|Mrs|Ms|St|Prof|Mt|Ft|Jr|Sr|Gen|Col|Lt|Rev)(?=\\. \\p{L})|\\p{Lu}\\.\\p{Lu}(?=\\. \\p{Lu})|(?:^|\\s)\\p{Lu}(?=\\. \\p{Lu}\\.)|\\p{Lu}\\.\\s\\p{Lu}(?=\\. \\p{Lu})|(?<!(?:Option|Choice|Answer|Letter) )(?<=\\p{Lu}\\p{Ll}{1,15} )\\p{Lu}(?=\\. \\p{Lu}\\p{Ll}))';
const SENTENCE_END = new RegExp(`${ABBREVIATED}[.](?=[\\s*_]|$)|[!?](?=[\\s*_]|$)|[。！？।؟]|</`, 'u');
/** Longer statements are cut: what an answer says of itself stands at its beginning. */
const MOST_SAID = 1000;
/** How a sentence begins that puts something where the one before it denied something. */
const IN_ITS_STEAD =
  /^[\s*_]*(?:it|that|this|instead|rather|the|actually|correct|but|es|sie|das|er|c'est|il|elle|la|le|el|é|è|sono|to|jest|это|он|она|це|o|doğru|het|dat|它|应该|應該|是|正确|それ|実際|正しくは|그것|यह|बल्कि|itu|đó)(?:'s| is| ist| est| es| è| é| to| это)?/iu;
const DENIES = new RegExp(`^[\\s*_]*${wordsOf('not')}`, 'iu');
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const CORRECTED =
  /(?<=^|[.!?\n]\s{0,4})(?:no,? )?(?:wait|actually|oops|sorry|correction|hmm|no)[,.!:… -]{1,4}(?:no[,.!]? )?(?:(?:it|that|this|the (?:correct|right|actual|real) (?:one|number|value|result))(?: is|'s| should be| must be| was)|(?=[-+]?\p{Sc}?\d))/giu;

/** Words that take back what was said, then soon a number; a mere "no" wants the number at once, at the end of its sentence. */
const TAKEN_BACK = new RegExp(
  `(?<=^|[.!?\u3002\uff01\uff1f\u2026\\n([-]\\s{0,3}|,\\s{1,3})(?:${wordsOf('correction')}[\\s,.!:;\u2026\u3001\u3002-]{0,4}){1,3}(?=[^\\d\\n.!?\u3002]{0,48}\\d)|(?<=[.!?\u3002]\\s{0,3})(?:(?:no|nein|non|n\u00e3o|nee?|nej|нет|ні|\u4e0d|\u0644\u0627)[,.!]|(?:so|thus|therefore|hence|also|donc|entonces|quindi|logo|dus|итак|\u6240\u4ee5|\u56e0\u6b64)[,:]?) ?(?=[-+]?\\p{Sc}? ?\\d[\\d.,]*\\W*(?:\\n|$))`,
  'giu',
);

/** The text behind the last words that take back what was said in front of them, null where none does. */
export function behindCorrection(text: string): string | null {
  let from: number | null = null;
  for (const { 0: match, index } of text.matchAll(TAKEN_BACK)) {
    if (/\d/.test(text.slice(Math.max(0, index - 400), index))) from = index + match.length;
  }
  return from === null ? null : text.slice(from);
}

/** What stands behind a phrase, to the end of the sentence. */
export interface Said {
  readonly statement: string;
  readonly language: Phrase | null;
}

export function restOfLine(text: string, from: number): string {
  const end = text.indexOf('\n', from);
  return text.slice(from, end === -1 ? text.length : end);
}

export function* lines(text: string, from = 0): IterableIterator<string> {
  for (let at = from; at <= text.length; ) {
    const line = restOfLine(text, at);
    yield line;
    at += line.length + 1;
  }
}

/** What the phrases of a text are followed by, the last first. */
export function* phrases(text: string): Generator<Said, void, undefined> {
  const found: { readonly at: number; readonly language: Phrase | null }[] = [];
  for (const language of PHRASES) {
    for (const { 0: match, index } of text.matchAll(language.pattern)) {
      found.push({ at: index + match.length, language });
    }
  }
  if (found.length === 0) return;
  const last = found.reduce((one, other) => (other.at > one.at ? other : one));
  for (const { 0: match, index } of text.matchAll(CORRECTED)) {
    if (index > last.at) found.push({ at: index + match.length, language: last.language });
  }
  const sorted = found.toSorted((one, other) => other.at - one.at).slice(0, MOST_TRIED);
  for (const { at, language } of sorted)
    yield { statement: statementAt(text, at).slice(0, MOST_SAID), language };
}

/** The first line from `from` that says something, to the end of its sentence; of one that was denied, the next sentence. */
function statementAt(text: string, from: number): string {
  for (let at = from; at <= text.length; ) {
    const line = restOfLine(text, at);
    const rest = at === from ? line : line.replace(/^\s*[-*•] +/, '');
    if (rest.includes(DENIED) || SAYS_SOMETHING.test(rest))
      return sentence(rest, text.slice(at + line.length, at + line.length + 200));
    at += line.length + 1;
  }
  return '';
}

function sentence(line: string, below: string): string {
  const end = line.search(SENTENCE_END);
  const first = end === -1 ? line : line.slice(0, end);
  const denied = first.includes(DENIED) ? !SAYS_SOMETHING.test(first) : DENIES.test(first);
  if (!denied) return first;
  const next = (end === -1 ? below : `${line.slice(end + 1)}${below}`).trimStart();
  if (!IN_ITS_STEAD.test(next)) return first;
  const stop = next.search(/\n|[.!?](?=\s|$)|[。！？।]/);
  return next.slice(next.match(IN_ITS_STEAD)![0].length, stop === -1 ? next.length : stop);
}
