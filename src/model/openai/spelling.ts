/**
 * How an endpoint spells the tokens that it names: as their text, or in the vocabulary's own spelling. Which one it is, is never
 * taken for granted: a spelling holds where the names of the tokens that were written give the text that came. A list whose
 * names can be read in two ways that both hold, and differ, proves nothing.
 */
import type { NamedToken } from './tokens.ts';

export const SPELLINGS = ['bytes', 'text', 'bytelevel', 'sentencepiece'] as const;
/**
 * `bytes`: beside each name its bytes; `text`: the name is the text; `bytelevel`: a character a byte, as GPT-2 has them (Ġ is a
 * space); `sentencepiece`: ▁ is a space and <0xE2> a byte.
 */
export type Spelling = (typeof SPELLINGS)[number];

type Named = Pick<NamedToken, 'text' | 'bytes'>;

/** GPT-2's characters for bytes: printable ones stand for themselves, the others for characters from 256 on. */
const BYTE_OF: ReadonlyMap<string, number> = new Map(
  (() => {
    const own = (byte: number) =>
      (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
    let next = 256;
    return Array.from({ length: 256 }, (_, byte): [string, number] => {
      const code = own(byte) ? byte : next;
      if (!own(byte)) next += 1;
      return [String.fromCodePoint(code), byte];
    });
  })(),
);

const BYTE_TOKEN = /^<0x([0-9A-Fa-f]{2})>$/;
/** Of a control token the name is no text in any spelling. */
const CONTROL =
  /^(?:<\|.*\|>|<\/?[a-z_]+(?:_\d+)?>|<[｜|].*[｜|]>|\[[A-Z_/]+\]|<start_of_turn>|<end_of_turn>)$/s;

/** The bytes of a token; null where its name is none in this spelling. */
export function bytesIn(spelling: Spelling, { text, bytes }: Named): Buffer | null {
  if (spelling === 'bytes') return bytes === undefined ? null : Buffer.from(bytes);
  if (spelling === 'text') return Buffer.from(text);
  if (spelling === 'sentencepiece') {
    const byte = BYTE_TOKEN.exec(text);
    if (byte) return Buffer.from([Number.parseInt(byte[1]!, 16)]);
    return Buffer.from(text.replaceAll('▁', ' '));
  }
  if (CONTROL.test(text)) return Buffer.from(text);
  const own = Array.from(text, (character) => BYTE_OF.get(character));
  return own.includes(undefined) ? null : Buffer.from(own as number[]);
}

/** Texts as servers write them: what is no character yet becomes a mark, or waits for the rest. */
function isSameText(bytes: Buffer, text: string): boolean {
  const whole = bytes.toString('utf8');
  if (whole === text) return true;
  if (!whole.includes('�')) return false;
  return whole.replaceAll('�', '') === text.replaceAll('�', '');
}

/** The end of a text has a name, and is no part of it. */
function isEnd(token: Named): boolean {
  return CONTROL.test(token.text);
}

/**
 * Whether the tokens give the text: as they stand, without those that end it, or without the space that a server takes away in
 * front of a text.
 */
function gives(spelling: Spelling, written: readonly Named[], text: string): boolean {
  const pieces = written.map((token) => bytesIn(spelling, token));
  if (pieces.includes(null)) return false;
  const whole = (count: number) => Buffer.concat(pieces.slice(0, count) as Buffer[]);
  const counts = [written.length];
  while (counts.at(-1)! > 0 && isEnd(written[counts.at(-1)! - 1]!)) counts.push(counts.at(-1)! - 1);
  return counts.some((count) => {
    const own = whole(count);
    if (isSameText(own, text)) return true;
    return own[0] === 32 && !text.startsWith(' ') && isSameText(own.subarray(1), text);
  });
}

/** The spellings by which the tokens that were written give the text that came. */
export function spellingsOf(
  written: readonly Named[],
  text: string,
  among: readonly Spelling[] = SPELLINGS,
): Spelling[] {
  if (written.length === 0) return [];
  return among.filter((spelling) => gives(spelling, written, text));
}

/** Vocabularies of bytes hold runs of spaces as they are, beside those that they spell. */
const BLANK = /^\s+$/;

/** Those of the spellings in which the names of a list can be at all. */
export function possibleIn(spellings: readonly Spelling[], tokens: readonly Named[]): Spelling[] {
  return spellings.filter((spelling) =>
    tokens.every((token) => BLANK.test(token.text) || bytesIn(spelling, token) !== null),
  );
}

/** The text of each token; null where the spellings that can be do not agree on one. */
export function textsIn(spellings: readonly Spelling[], tokens: readonly Named[]): string[] | null {
  const texts: string[] = [];
  for (const token of tokens) {
    const ways = spellings.flatMap((spelling) => bytesIn(spelling, token) ?? []);
    const [first] = ways;
    if (!first || ways.some((own) => !own.equals(first))) return null;
    texts.push(first.toString('utf8'));
  }
  return texts;
}
