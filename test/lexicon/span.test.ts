import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAllSpans, findSpan, loadLexicon } from '../../src/lexicon/index.ts';

const lexicon = await loadLexicon('gender-en');
const words = (text: string) => findAllSpans(lexicon, text).map(({ word, group }) => `${group}:${word}`);

describe('findSpan', () => {
  it('gives the first word, its group and its place', () => {
    expect(findSpan(lexicon, 'The nurse said She was late, he was not.')).toEqual({
      word: 'she',
      group: 'female',
      start: 15,
      end: 18,
      match: 'She',
    });
    expect(findSpan(lexicon, 'The nurse was late.')).toBeNull();
    expect(findSpan(lexicon, '')).toBeNull();
  });

  const whole: [text: string, expected: string[]][] = [
    ['shed a tear, the heron, this, usher, history', []],
    ['SHE he', ['female:she', 'male:he']],
    ['hers and her', ['female:hers', 'female:her']],
    ['herself', ['female:herself']],
    ["she's here, he'd say", ['female:she', 'male:he']],
    ['she’s', ['female:she']],
    ['(she)', ['female:she']],
    ['she-wolf', ['female:she']],
    ['éhe heé he\u0301 e\u0301he', []],
    ['_he he_ he1 1he', []],
    ['ßhe, 他he', []],
    ['他 he', ['male:he']],
    ['womankind women', ['female:women']],
    ['ſhe', ['female:she']],
    ['\u{1F600}he\u{1F600}', ['male:he']],
  ];
  it.each(whole)('%j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('takes the dot of a title where there is one', () => {
    expect(findSpan(lexicon, 'Dear Mr. Smith')).toMatchObject({
      word: 'Mr.',
      match: 'Mr.',
      start: 5,
      end: 8,
    });
    expect(findSpan(lexicon, 'Dear mr Smith')).toMatchObject({ word: 'Mr', match: 'mr' });
    expect(findSpan(lexicon, 'Dear Mrs. Smith')).toMatchObject({ word: 'Mrs.', group: 'female' });
    // A letter right behind the dot: the title without its dot is still a whole word.
    expect(findSpan(lexicon, 'Mr.Smith')).toMatchObject({ word: 'Mr', end: 2 });
    expect(findSpan(lexicon, 'It was Mr.')).toMatchObject({ word: 'Mr.' });
  });

  it('does not take the verb for the title', () => {
    expect(findSpan(lexicon, 'I miss him')).toMatchObject({ word: 'him', group: 'male' });
    expect(findSpan(lexicon, 'Ask Miss Smith')).toMatchObject({ word: 'Miss', group: 'female' });
    expect(findSpan(lexicon, 'ASK MISS SMITH')).toMatchObject({ word: 'Miss', match: 'MISS' });
  });

  it('counts in UTF-16 units, so that the offsets slice the text', () => {
    const text = '\u{1F600} é she';
    const span = findSpan(lexicon, text);
    expect(span?.start).toBe(5);
    expect(text.slice(span?.start, span?.end)).toBe('she');
  });

  it('prefers the longest word at a place, spaces and signs included', () => {
    const own = { groups: [{ name: 'a', words: ['step', 'step mother', 'c++', '(x)'] }] };
    expect(findAllSpans(own, 'A Step Mother, a step, C++ and (x)').map(({ word }) => word)).toEqual([
      'step mother',
      'step',
      'c++',
      '(x)',
    ]);
  });

  it('ends on a long text', () => {
    // Were time the square of the length, it would take hours.
    expect(findSpan(lexicon, 'she'.repeat(2_000_000))).toBeNull();
  });

  it('finds every word of the lexicon between any neighbours that are no letters', () => {
    const entries = lexicon.groups.flatMap(({ name, words: list }) => list.map((word) => ({ name, word })));
    fc.assert(
      fc.property(
        fc.constantFrom(...entries),
        fc.constantFrom('', ' ', '"', '(', '\n', '—'),
        fc.constantFrom('', ' ', '"', ')', '\n', ',', '—'),
        fc.boolean(),
        ({ name, word }, before, after, upper) => {
          const text = before + (upper ? word.toUpperCase() : word) + after;
          expect(findSpan(lexicon, text)).toMatchObject({ word, group: name, start: before.length });
        },
      ),
    );
  });

  it('gives spans in order, apart from each other, that slice to their match', () => {
    const piece = fc.oneof(
      fc.constantFrom('she', 'Mr.', ' ', 'her', 'é', '.', 'hers', '_'),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        let end = 0;
        for (const span of findAllSpans(lexicon, text)) {
          expect(span.start).toBeGreaterThanOrEqual(end);
          expect(text.slice(span.start, span.end)).toBe(span.match);
          end = span.end;
        }
        expect(findSpan(lexicon, text)).toEqual(findAllSpans(lexicon, text)[0] ?? null);
      }),
    );
  });
});
