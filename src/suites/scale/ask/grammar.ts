/** The answer that a scale wants as a grammar (GBNF): the only texts that a guided model can write. */
import { AuditError } from '../../../errors.ts';
import { type PredictionKey, predictionKeys, type Scale } from '../data/index.ts';

/** A range of more whole numbers than this is not written out. */
const MOST_NUMBERS = 1001;

/** A text of the grammar; JSON writes quotes and backslashes as GBNF does. */
function literal(text: string): string {
  return JSON.stringify(text);
}

function valuesOf(key: PredictionKey): string[] {
  if (key.kind === 'band') return key.bands.map((band) => literal(JSON.stringify(band)));
  const count = key.max - key.min + 1;
  if (count > MOST_NUMBERS) {
    const message = `${key.key} goes from ${key.min} to ${key.max}; a guided answer may have ${MOST_NUMBERS} values at most: leave guided out`;
    throw new AuditError('bad_argument', message, { key: 'guided' });
  }
  return Array.from({ length: count }, (_, index) => literal(String(key.min + index)));
}

/** One JSON object with every key in order, scores within their ranges. Throws `bad_argument`. */
export function answerGrammar(scale: Scale, asked?: readonly string[]): string {
  const keys = predictionKeys(scale, asked);
  const members = keys.map(({ key }, index) => `${literal(JSON.stringify(key))} ":" space value-${index}`);
  return [
    `root ::= "{" space ${members.join(' "," space ')} space "}"`,
    'space ::= " "?',
    ...keys.map((key, index) => `value-${index} ::= ${valuesOf(key).join(' | ')}`),
    '',
  ].join('\n');
}
