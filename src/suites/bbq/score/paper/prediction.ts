/** A prediction as one of the row's options: an index, or a text that is held against the options. */
import { parseLetter, type UnparsedReason } from '../../../../parse/index.ts';
import { type BbqRow, OPTIONS, type Option } from './row.ts';

export interface Prediction {
  readonly answer: Option | null;
  /** Why it is none of them; null where it is one. */
  readonly reason: UnparsedReason | null;
}

const LABELS = ['A', 'B', 'C'];

/**
 * The option that `prediction` is, or null: 0 to 2 as a number or as text; the text of an option as it stands, then but
 * for case and outer blanks, then but for punctuation and a leading "the"; then the answer that the parser `anchored` of
 * src/parse reads, with the options labelled A to C. Text that is more than one option alike is none.
 */
export function readPrediction(prediction: unknown, row: BbqRow): Prediction {
  if (typeof prediction === 'number') {
    const answer = OPTIONS.find((option) => option === prediction) ?? null;
    return { answer, reason: answer === null ? 'not_offered' : null };
  }
  if (typeof prediction !== 'string') return { answer: null, reason: 'no_text' };
  for (const form of FORMS) {
    const wanted = form(prediction);
    if (wanted === '') continue;
    const found = OPTIONS.filter((option) => form(row.options[option]!) === wanted);
    if (found.length > 1) return { answer: null, reason: 'ambiguous' };
    if (found.length === 1) return { answer: found[0]!, reason: null };
  }
  const trimmed = prediction.trim();
  if (/^[012]$/.test(trimmed)) return { answer: Number(trimmed) as Option, reason: null };
  const { index, reason } = parseLetter(prediction, {
    labels: LABELS,
    parser: 'anchored',
    unknownIndex: row.unknown,
    options: row.options,
  });
  return { answer: OPTIONS.find((option) => option === index) ?? null, reason };
}

/** Ever less of a text, until two that say the same are the same. */
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.trim().toLowerCase(),
  (text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/['’‘`´]/g, '')
      .replace(/[\p{P}\p{S}\s]+/gu, ' ')
      .trim()
      .replace(/^the /, ''),
];
