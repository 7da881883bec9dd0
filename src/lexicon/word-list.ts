/**
 * Word lists: text files with one word a line, as they are found elsewhere. UTF-8 with or without a byte-order mark,
 * any line ending of today, spaces around a word ignored, blank lines too, and lines that begin with # are comments.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PlacedFault } from '../catalog/index.ts';
import { fileError } from '../files/file-error.ts';
import { invalidLexicon } from './faults.ts';
import { WORD } from './schema.ts';

/**
 * A key that is equal for spellings that differ in case only. Going down, up and down again brings together letters
 * that share an upper form only (long s and s) or a lower form only (the Kelvin sign and k).
 */
export function foldCase(word: string): string {
  return word.toLowerCase().toUpperCase().toLowerCase();
}

/** `word` with its first character in upper case; unchanged where there is nothing to change. */
export function capitalise(word: string): string {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0x20);
  return word === '' ? word : first.toUpperCase() + word.slice(first.length);
}

/** A word and the line where it stands, from 1; null for a word that is in no file. */
export interface PlacedWord {
  readonly word: string;
  readonly line: number | null;
}

export interface WordList {
  /** As messages call it. */
  readonly file: string;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** In the order of the file, each once. */
  readonly words: readonly PlacedWord[];
  /** Words that were there twice. */
  readonly warnings: readonly PlacedFault[];
}

/** Reads a word list. Errors: `file_not_found`, `file_unreadable`, and of {@link parseWordList}. */
export async function readWordList(file: string): Promise<WordList> {
  const bytes = await readFile(file).catch((cause) => {
    throw fileError(file, cause);
  });
  return parseWordList(bytes, file);
}

/**
 * The words in the bytes of a word list. A word that is there twice in the same spelling counts once and is reported; in
 * two spellings that differ in case it is a fault, because which of them is meant decides over the forms that count.
 * Throws `lexicon_invalid` with the line of every fault, and for a list without words.
 */
export function parseWordList(bytes: Uint8Array, file: string): WordList {
  const { words, faults } = readLines(bytes, file);
  const checked = distinctWords(words, file);
  const all = [...faults, ...checked.faults].sort((a, b) => a.line! - b.line!);
  if (all.length === 0 && words.length === 0) {
    all.push({ file, path: [], line: null, message: 'has no words; write one a line' });
  }
  if (all.length > 0) throw invalidLexicon(file, all);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { file, sha256, words: checked.words, warnings: checked.warnings };
}

/** What is wrong with a word, or null. */
export function wordProblem(word: string): string | null {
  if (WORD.test(word)) return null;
  const why =
    word.trim() === ''
      ? 'it is empty'
      : word.trim() === word
        ? 'it holds a control character'
        : 'it has space around it';
  return `${JSON.stringify(word)} is not a word: ${why}`;
}

/** Each word once: `warnings` tell the same spelling given again, `faults` another spelling of a word and no words. */
export function distinctWords(
  words: readonly PlacedWord[],
  file: string,
): { words: PlacedWord[]; warnings: PlacedFault[]; faults: PlacedFault[] } {
  const seen = new Map<string, PlacedWord>();
  const warnings: PlacedFault[] = [];
  const faults: PlacedFault[] = [];
  for (const placed of words) {
    const { word, line } = placed;
    const at = { file, path: [], line };
    const problem = wordProblem(word);
    const first = seen.get(foldCase(word));
    if (problem !== null) faults.push({ ...at, message: problem });
    else if (first === undefined) seen.set(foldCase(word), placed);
    else {
      const where = first.line === null ? '' : ` on line ${first.line}`;
      if (first.word === word)
        warnings.push({ ...at, message: `"${word}" is already there${where}; it counts once` });
      else {
        const message = `"${word}" is "${first.word}"${where} but for the case of its letters; keep one of the two`;
        faults.push({ ...at, message });
      }
    }
  }
  return { words: [...seen.values()], warnings, faults };
}

/** Every word with its line. Lines are decoded one by one, so that a fault of encoding has one. */
function readLines(bytes: Uint8Array, file: string): { words: PlacedWord[]; faults: PlacedFault[] } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const words: PlacedWord[] = [];
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const feed = bytes.indexOf(10, start);
    const end = feed === -1 ? bytes.length : feed;
    let word: string;
    try {
      word = decoder.decode(bytes.subarray(start, end)).trim();
    } catch {
      const utf16 = line === 1 && bytes[0]! >= 0xfe && bytes[1]! >= 0xfe;
      const message = `is not UTF-8 text${utf16 ? ' (it looks like UTF-16)' : ''}; save it as UTF-8`;
      // What follows would be read with the wrong eyes.
      return { words: [], faults: [{ file, path: [], line, message }] };
    }
    if (word !== '' && !word.startsWith('#')) words.push({ word, line });
    start = end + 1;
  }
  return { words, faults: [] };
}
