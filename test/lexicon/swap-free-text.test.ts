/** The swap of free text by the lexicon that is made for it, against sentences that people labelled. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checkRoundTrip,
  createLexicon,
  loadLexicon,
  swapNames,
  swapText,
  updateLexicon,
  validateLexicon,
} from '../../src/lexicon/index.ts';
import { type Labelled, labelled } from './free-text.ts';

const lexicon = await loadLexicon('gender-en-swap');
const MARKS = { named_person: 'name', half_swapped: 'half' } as const;

/** What became of a sentence: its counterfactual, and what the swap says against it. */
function swapped(text: string): { text: string | null; marks: string[] } {
  const result = swapText(lexicon, text);
  if (result.ok) return { text: result.text, marks: result.marks.map(({ mark }) => MARKS[mark]) };
  return { text: null, marks: [result.reason === 'no_lexicon_word' ? 'none' : 'half'] };
}

function isRight({ text, right, mark, optional }: Labelled): boolean {
  const { text: made, marks } = swapped(text);
  const clean = marks.length === 0 && made !== null && right.test(made);
  if (mark === null) return clean;
  return marks.includes(mark) || (optional && (clean || marks.length > 0));
}

/** Wrong without a mark, and the way back says it is right. */
function isCalledRight(item: Labelled): boolean {
  const { text: made, marks } = swapped(item.text);
  if (isRight(item) || made === null || marks.length > 0) return false;
  return checkRoundTrip(lexicon, item.text, made).ok;
}

describe('labelled sentences', () => {
  // docs/design/lexicon.md says how many were right at first sight.
  it.each([
    ['seen.txt', 440, 0.98],
    ['held-out.txt', 130, 0.98],
    ['held-out-2.txt', 100, 0.98],
    ['held-out-3.txt', 200, 0.98],
    ['held-out-4.txt', 130, 0.98],
    ['held-out-5.txt', 150, 0.98],
    ['held-out-6.txt', 40, 0.98],
  ])('%s', (file, least, share) => {
    const items = labelled(file);
    expect(items.length).toBeGreaterThanOrEqual(least);
    const wrong = items.filter((item) => !isRight(item)).map(({ text }) => [text, swapped(text).text]);
    expect(wrong.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual((1 - share) * items.length);
    expect(items.filter(isCalledRight).length).toBeLessThanOrEqual(0.02 * items.length);
  });

  it('are of many kinds, and a wrong swap is told from a right one', () => {
    const kinds = new Set(labelled('seen.txt').map(({ kind }) => kind));
    expect(kinds.size).toBeGreaterThan(15);
    const [item] = labelled('seen.txt').filter(({ text }) => text.startsWith('The mayor said she'));
    expect(item!.right.test('The mayor said he would resign if his party lost the vote.')).toBe(true);
    expect(item!.right.test('The mayor said he would resign if him party lost the vote.')).toBe(false);
    expect(item!.right.test(item!.text)).toBe(false);
  });
});

describe('marks', () => {
  const marksOf = (text: string, options = {}) => {
    const result = swapText(lexicon, text, options);
    return result.ok ? result.marks : result.reason;
  };

  it('name the person and the place', () => {
    expect(marksOf('Then John lost his keys.')).toEqual([{ mark: 'named_person', word: 'John', start: 5 }]);
    expect(marksOf('JOHN LOST HIS KEYS')).toMatchObject([{ word: 'JOHN' }]);
  });

  it('are none for a name that is swapped', () => {
    const names = swapNames([['Mary', 'John']]);
    expect(marksOf('John lost his keys.', { names })).toEqual([]);
    expect(marksOf('John and Peter lost their wives.', { names })).toMatchObject([{ word: 'Peter' }]);
  });

  it.each([
    ['Mark said he would come.', 0],
    ['I met Mark and his dog.', 1],
    ['Mark Twain lost his hat.', 1],
    ['She moved from Georgia to Virginia.', 0],
    ['Virginia lost her hat.', 1],
    ['He was treated at St. Mary hospital.', 0],
    ['She studied at Johns Hopkins University.', 0],
    ['In April she left.', 0],
    ['Smith lost her hat.', 0],
  ])('%j: %d persons', (text, count) => {
    expect((marksOf(text) as unknown[]).length).toBe(count);
  });

  it('keep the way back from being right', () => {
    const result = swapText(lexicon, 'John lost his keys.');
    expect(result.ok && result.text).toBe('John lost her keys.');
    expect(checkRoundTrip(lexicon, 'John lost his keys.', 'John lost her keys.')).toEqual({
      ok: false,
      back: 'John lost his keys.',
    });
  });

  it('say which word stays in a name or title', () => {
    expect(marksOf('He read The Old Man and the Sea.')).toEqual([
      { mark: 'half_swapped', word: 'Man', start: 16 },
    ]);
    expect(swapText(lexicon, 'She met Dr. King.')).toMatchObject({ text: 'He met Dr. King.', marks: [] });
  });
});

describe('words in no list', () => {
  it('go by their ending, written small, and never within a fixed word', () => {
    expect(swapped('The tollman and the oystergirl').text).toBe('The tollwoman and the oysterboy');
    expect(swapped('Mr Goldman is a human shaman.').text).toBe('Ms Goldman is a human shaman.');
  });
});

describe('time', () => {
  const UNIT =
    'John told her that the waitress, Dr. King and the ferryman read The Old Man to his man-made girl. ';

  // Steps are not to be counted here; ten times the text may take twenty times the time, and the square would be a hundred.
  it('grows with the length of the text', () => {
    const time = (count: number) => {
      const text = UNIT.repeat(count);
      const from = performance.now();
      swapText(lexicon, text);
      return performance.now() - from;
    };
    time(300);
    const small = Math.min(time(300), time(300), time(300));
    expect(Math.min(time(3000), time(3000))).toBeLessThan(40 * small);
  });

  it('is short for a text without a break, and for one long word', () => {
    for (const text of [
      'a'.repeat(300_000),
      `${'A'.repeat(300_000)} she`,
      'Man '.repeat(50_000),
      '.'.repeat(300_000),
    ]) {
      const from = performance.now();
      swapText(lexicon, text);
      expect(performance.now() - from).toBeLessThan(30_000);
    }
  });
});

describe('the lexicon', () => {
  it('is right, and warns of words without a partner in one line a group', async () => {
    const { faults, warnings } = await validateLexicon('gender-en-swap');
    expect(faults).toEqual([]);
    expect(warnings.filter(({ message }) => message.includes('no partner')).length).toBe(2);
  });

  it('is JSON, as the command shows it', () => {
    expect(JSON.parse(JSON.stringify(lexicon)).swap).toEqual(lexicon.swap);
    expect(lexicon.swap!.oneWay).toContainEqual({ word: 'poetess', to: 'poet' });
  });

  it('leaves the words of the metrics as they are', async () => {
    const words = (await loadLexicon('gender-en')).groups.map(({ words }) => words.length);
    expect(words).toEqual([52, 46]);
    const swapWords = new Set(lexicon.groups.flatMap(({ words }) => words));
    const missing = (await loadLexicon('gender-en')).groups.flatMap(({ words }) =>
      words.filter((word) => !swapWords.has(word)),
    );
    expect(missing).toEqual([]);
  });

  it('is copied and changed with its rules', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lexicon-'));
    await createLexicon('mine', { from: 'gender-en-swap' }, { folder });
    const { changes } = await updateLexicon(
      'mine',
      {
        removeWords: [
          { group: 'female', word: 'poetess' },
          { group: 'male', word: 'groom' },
        ],
      },
      { folder },
    );
    expect(changes).toContain('removed "poetess" from swap.oneWay');
    expect(changes).toContain('removed "groom" from swap.otherwise');
    expect((await validateLexicon('mine', { folder })).faults).toEqual([]);
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).not.toMatch(/poetess,/);
  });
});
