/** The answer letter in a text: the options checked, the text given to the parser that was asked for. */
import { AuditError } from '../../errors.ts';
import { readAnchored } from './anchored.ts';
import { readV10, readV11 } from './multibbq.ts';
import { readPlurule } from './plurule.ts';
import { type Finding, LETTER_PARSERS, type LetterOptions, type LetterReading } from './types.ts';

/**
 * Reads which of the options a text answers. Any text gives a reading, in time that grows with its length; null, for an
 * answer that there is not, is `unparsed`. Throws `bad_argument` for options that do not fit each other.
 */
export function parseLetter(text: string | null, options: LetterOptions): LetterReading {
  const letters = checkedLetters(options);
  if (text === null) return reading({ kind: 'none', reason: 'no_text' }, options);
  return reading(find(text, letters, options), options);
}

function find(text: string, letters: readonly string[], options: LetterOptions): Finding {
  const tailSlice = options.tailSlice ?? null;
  switch (options.parser) {
    case 'v1.0':
      return readV10(text, { letters, tailSlice });
    case 'v1.1':
      return readV11(text, { letters, tailSlice });
    case 'plurule':
      return readPlurule(text, letters);
    case 'anchored':
      return readAnchored(text, {
        letters,
        unknownIndex: options.unknownIndex ?? null,
        options: options.options ?? null,
      });
  }
}

function reading(finding: Finding, { labels, unknownIndex = null }: LetterOptions): LetterReading {
  if (finding.kind === 'none') {
    return { status: 'unparsed', index: null, value: null, rule: null, reason: finding.reason };
  }
  const index = finding.kind === 'letter' ? finding.index : unknownIndex;
  const value = index === null ? null : labels[index]!;
  const status = finding.kind === 'letter' ? 'ok' : 'unknown';
  return { status, index, value, rule: finding.rule, reason: null };
}

/** The labels in capitals. */
function checkedLetters(given: LetterOptions): readonly string[] {
  const { labels, parser, unknownIndex = null, tailSlice = null, options } = given;
  const letters = labels.map((label) => label.toUpperCase());
  if (labels.length === 0) throw bad('no label is given; give one letter for each option', 'labels');
  const odd = labels.find((label) => !/^[A-Za-z]$/.test(label));
  if (odd !== undefined) {
    throw bad(`the label ${JSON.stringify(odd)} is not one letter from A to Z; give letters`, 'labels');
  }
  const twice = letters.find((letter, at) => letters.indexOf(letter) !== at);
  if (twice !== undefined) throw bad(`the label ${twice} is there twice; give each option its own`, 'labels');
  if (!LETTER_PARSERS.includes(parser)) {
    throw bad(`there is no parser ${JSON.stringify(parser)}; give ${LETTER_PARSERS.join(', ')}`, 'parser');
  }
  if (unknownIndex !== null && labels[unknownIndex] === undefined) {
    const message = `unknownIndex is ${unknownIndex}; give an index of the ${labels.length} labels, from 0, or null`;
    throw bad(message, 'unknownIndex');
  }
  if (tailSlice !== null && !(Number.isSafeInteger(tailSlice) && tailSlice >= 1)) {
    throw bad(`tailSlice is ${tailSlice}; give a whole number of characters from 1`, 'tailSlice');
  }
  if (tailSlice !== null && parser !== 'v1.0' && parser !== 'v1.1') {
    const message = `tailSlice is for the parsers v1.0 and v1.1; leave it out with ${parser}`;
    throw bad(message, 'tailSlice');
  }
  if (options !== undefined && options.length !== labels.length) {
    const message = `${options.length} option texts for ${labels.length} labels; give a text for each label`;
    throw bad(message, 'options');
  }
  return letters;
}

function bad(message: string, key: string): AuditError {
  return new AuditError('bad_argument', message, { key });
}
