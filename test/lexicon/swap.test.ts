import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import {
  checkRoundTrip,
  findOccupation,
  type Lexicon,
  loadLexicon,
  parseLexicon,
  type SwapOptions,
  swapNames,
  swapText,
} from '../../src/lexicon/index.ts';

const gender = await loadLexicon('gender-en');

/** The counterfactual, or the reason why there is none. */
function swapped(text: string, lexicon: Lexicon = gender, options: SwapOptions = {}): string {
  const result = swapText(lexicon, text, options);
  return result.ok ? result.text : result.reason;
}

function lexiconOf(yaml: string): Lexicon {
  const head = 'name: own\nlanguage: en\ndescription: made for a test\n';
  return parseLexicon(Buffer.from(head + yaml), 'own.yaml');
}

describe('swapText', () => {
  const cases: [text: string, expected: string][] = [
    // her: object or possessive
    ['I thanked her.', 'I thanked him.'],
    ['I read her book.', 'I read his book.'],
    [
      'They told her the truth about her very old house.',
      'They told him the truth about his very old house.',
    ],
    ['I saw her there', 'I saw him there'],
    ['Her back ached, so I called her back.', 'His back ached, so I called him back.'],
    ['They gave her advice on her own terms.', 'They gave him advice on his own terms.'],
    [
      'We helped her move the boxes to her new, bigger flat.',
      'We helped him move the boxes to his new, bigger flat.',
    ],
    ['It kept her safe, said her 80-year-old aunt.', 'It kept him safe, said his 80-year-old uncle.'],
    ['She lost her focus and left with her watch.', 'He lost his focus and left with his watch.'],
    ['I asked her to wait. Her answer was no.', 'I asked him to wait. His answer was no.'],
    ['a picture of her', 'a picture of him'],
    ['Given her 90 years of work, wait.', 'Given his 90 years of work, wait.'],
    ['She rested. Given her years of work, wait.', 'He rested. Given his years of work, wait.'],
    ['They had given her 90 days.', 'They had given him 90 days.'],
    ['She lost her ____.', 'He lost his ____.'],
    ['It was [her] idea, not *her* fault; ask [her].', 'It was [his] idea, not *his* fault; ask [him].'],
    // his: possessive or standing alone
    ['His dog is his.', 'Her dog is hers.'],
    ['A friend of his came with his wife.', 'A friend of hers came with her husband.'],
    ['The red one is his, and his is better.', 'The red one is hers, and hers is better.'],
    ['his own room', 'her own room'],
    ['his or her book', 'her or his book'],
    ['Is this book hers? No, his!', 'Is this book his? No, hers!'],
    // one partner, whatever the use
    ['He saw himself; she saw herself and him.', 'She saw herself; he saw himself and her.'],
    ["She's late, she'll come, the mother's car", "He's late, he'll come, the father's car"],
    ['grandmother and step-mother of the queens', 'grandfather and step-father of the kings'],
    ['mother-in-law', 'father-in-law'],
    // titles
    ['Mrs. Smith met Mr. Jones and Ms Day.', 'Mr. Smith met Ms. Jones and Mr Day.'],
    ['Miss Day and I miss Mr Day', 'Mr Day and I miss Ms Day'],
    ['Yes, Madam. No, sir.', 'Yes, Sir. No, madam.'],
    // case
    ['SHE said: HER NAME IS KNOWN TO HIM', 'HE said: HIS NAME IS KNOWN TO HER'],
    ['Women, WOMEN, women; MRS. DAY', 'Men, MEN, men; MR. DAY'],
    // what stays
    ['heroes, shed, therapist, usher — 😀 she\r\n\tate', 'heroes, shed, therapist, usher — 😀 he\r\n\tate'],
    // the way there is not always the way back
    ['mum', 'dad'],
    // nothing to swap
    ['', 'no_lexicon_word'],
    ['The nurse left; I miss them.', 'no_lexicon_word'],
  ];
  it.each(cases)('%j', (text, expected) => {
    expect(swapped(text)).toBe(expected);
  });

  it('tells what it put where, by offsets of the text as it was', () => {
    expect(swapText(gender, '😀 Her aunt saw him')).toEqual({
      ok: true,
      text: '😀 His uncle saw her',
      changes: [
        { start: 3, end: 6, from: 'Her', to: 'His', as: 'possessive' },
        { start: 7, end: 11, from: 'aunt', to: 'uncle', as: 'noun' },
        { start: 16, end: 19, from: 'him', to: 'her', as: 'object' },
      ],
      marks: [],
    });
  });

  it('says the same of a text whatever came before it', () => {
    const texts = cases.map(([text]) => text);
    const before = texts.map((text) => swapped(text));
    for (const text of [...texts].reverse()) swapped(text);
    expect(texts.map((text) => swapped(text))).toEqual(before);
  });

  it('gives every word of the shipped lexicon a partner', () => {
    for (const word of gender.groups.flatMap(({ words }) => words)) {
      expect(swapText(gender, word), word).toMatchObject({ ok: true });
    }
  });

  it('ends on a long text', () => {
    // Were time the square of the length, it would take hours.
    const swapped = swapText(gender, 'She gave her the book and her dog. '.repeat(20_000));
    expect(swapped.ok && swapped.changes.length).toBe(60_000);
  });
});

describe('a lexicon of its own', () => {
  const three = lexiconOf(`
groups:
  first: [Ann, lead, mate]
  second: [Bob, plumb, friend, lone]
  third: [Cy, mate's]
pairs:
  - { first: Ann, second: Bob }
  - { first: lead, second: plumb }
  - { first: Ann, third: Cy }
  - { first: mate, second: friend, as: noun }
`);

  it('is swapped between the two groups that are named, and the third stays', () => {
    const between = ['first', 'second'] as const;
    expect(swapped('Ann, Bob and Cy', three, { between })).toBe('Bob, Ann and Cy');
    expect(swapped('Ann, Bob and Cy', three, { between: ['third', 'first'] })).toBe('Cy, Bob and Ann');
    expect(swapped('Cy', three, { between })).toBe('no_lexicon_word');
  });

  it('refuses groups that cannot be told', () => {
    const fault = (options: SwapOptions) => () => swapText(three, 'Ann', options);
    expect(fault({})).toThrow(/has 3 groups \(first, second, third\).*say which/);
    expect(fault({ between: ['first', 'fourth'] })).toThrow(/no group "fourth"/);
    expect(fault({ between: ['first', 'first'] })).toThrow(/named twice/);
    expect(fault({})).toThrow(AuditError);
  });

  it('has no half swaps: one word without a partner keeps the text as it is', () => {
    expect(swapText(three, 'Ann is Lone', { between: ['first', 'second'] })).toEqual({
      ok: false,
      reason: 'no_partner',
      message: expect.stringContaining('"Lone" has no partner in lexicon own'),
      word: 'Lone',
      start: 7,
    });
  });

  const uses = (language: string) =>
    parseLexicon(
      Buffer.from(`
name: uses
language: ${language}
description: made for a test
groups:
  a: [cook, you]
  b: [dinner, boil, thee, thou]
pairs:
  - { a: cook, b: dinner, as: noun }
  - { a: cook, b: boil, as: verb }
  - { a: you, b: thee, as: object }
  - { a: you, b: thou, as: subject }
`),
      'uses.yaml',
    );

  it('tells nouns from verbs', () => {
    expect(swapped('I will cook rice.', uses('en'))).toBe('I will boil rice.');
    expect(swapped('The cook was tired.', uses('en-GB'))).toBe('The dinner was tired.');
  });

  it('says where it cannot tell the use', () => {
    expect(swapText(uses('en'), 'I see you')).toMatchObject({
      ok: false,
      reason: 'ambiguous_use',
      word: 'you',
      start: 6,
      message: '"you" may become "thee" (object) or "thou" (subject): its use here is not clear',
    });
    expect(swapText(uses('de'), 'I will cook rice.')).toMatchObject({
      reason: 'ambiguous_use',
      message: expect.stringContaining('in English only'),
    });
  });

  it('takes the first partner of a use, and a pair without a use where no other fits', () => {
    const own = lexiconOf(`
groups: { a: [x, cook], b: [y, z, chef, boil] }
pairs:
  - { a: x, b: z }
  - { a: x, b: y }
  - { a: cook, b: boil, as: verb }
  - { a: cook, b: chef }
`);
    expect(swapped('x', own)).toBe('z');
    expect(swapped('We cook. The cook left.', own)).toBe('We boil. The chef left.');
  });

  it('keeps the case of words of several parts, and of signs', () => {
    const own = lexiconOf(`
groups: { a: [step mother, é], b: [step father, ö] }
pairs: [{ a: step mother, b: step father }, { a: é, b: ö }]
`);
    expect(swapped('Step Mother, Step mother, STEP MOTHER, sTEP mother; É é', own)).toBe(
      'Step Father, Step father, STEP FATHER, step father; Ö ö',
    );
  });
});

describe('names', () => {
  const names = swapNames([
    ['Mary', 'John'],
    ['Mary Ann', 'John'],
    ['Rose', 'Sir Tom'],
    ['Miss King', 'Joe'],
  ]);

  it('stay, unless they are asked for', () => {
    expect(swapped('Mary saw her.')).toBe('Mary saw him.');
    expect(swapped('Mary saw her.', gender, { names })).toBe('John saw him.');
  });

  it('are whole words, as written, the longest first, and before the words of the lexicon', () => {
    expect(swapped('Mary Ann, rose and Roses; Mary-Lou', gender, { names })).toBe(
      'John, rose and Roses; John-Lou',
    );
    expect(swapped('Sir Tom is a sir', gender, { names })).toBe('Rose is a madam');
    expect(swapped('Miss King is a king', gender, { names })).toBe('Joe is a queen');
    expect(swapText(gender, 'John left', { names })).toMatchObject({
      text: 'Mary left',
      changes: [{ start: 0, end: 4, from: 'John', to: 'Mary', as: 'name' }],
    });
  });

  it('are refused where a pair is none', () => {
    expect(() => swapNames([])).toThrow(/no pairs/);
    expect(() => swapNames([['Mary', ' ']])).toThrow(/pair 1 of the names has an empty name/);
    expect(() =>
      swapNames([
        ['Mary', 'John'],
        ['John', 'Jo'],
      ]),
    ).toThrow(/"John" stands on both sides/);
  });
});

describe('checkRoundTrip', () => {
  const back = (text: string) => {
    const result = swapText(gender, text);
    return result.ok ? checkRoundTrip(gender, text, result.text) : null;
  };

  it('tells what comes back', () => {
    expect(back('Her aunt thanked him for his book.')).toEqual({
      ok: true,
      back: 'Her aunt thanked him for his book.',
    });
    expect(back('His mum')).toEqual({ ok: false, back: 'His mom' });
    expect(checkRoundTrip(gender, 'she', 'nothing')).toEqual({ ok: false, back: null });
  });
});

describe('findOccupation', () => {
  it('gives the one occupation of a text', () => {
    expect(findOccupation(gender, 'The Nurse told the nurse.')).toBe('nurse');
    expect(findOccupation(gender, 'The nurse told the plumber.')).toBeNull();
    expect(findOccupation(gender, 'nobody nurses')).toBeNull();
  });
});

describe('properties', () => {
  // Words that are each other's only partners, so that nothing depends on the place.
  const partners = new Map<string, Set<string>>();
  for (const { words } of gender.pairs) {
    for (const [index, { word }] of words.entries()) {
      partners.set(word, (partners.get(word) ?? new Set()).add(words[1 - index]!.word));
    }
  }
  const alone = (word: string) => partners.get(word)!.size === 1;
  const mutual = [...partners.keys()].filter((word) => alone(word) && alone([...partners.get(word)!][0]!));
  const inCase = fc.constantFrom(
    (word: string) => word,
    (word: string) => word.toUpperCase(),
    (word: string) => word.charAt(0).toUpperCase() + word.slice(1),
  );
  const word = fc.tuple(fc.constantFrom(...mutual), inCase).map(([text, as]) => as(text));
  const neutral = fc.constantFrom(' ', ', ', '. ', '\n', ' the nurse ', ' — ', " '", ' 😀 ', ' é ');
  const text = fc
    .array(fc.tuple(neutral, word), { minLength: 1, maxLength: 8 })
    .map((pieces) => pieces.flat().join(''));

  it('comes back for words of one partner', () => {
    expect(mutual.length).toBeGreaterThan(50);
    fc.assert(
      fc.property(text, (x) => {
        const result = swapText(gender, x);
        expect(result.ok).toBe(true);
        if (!result.ok) return;
        expect(result.text).not.toBe(x);
        expect(checkRoundTrip(gender, x, result.text)).toEqual({ ok: true, back: x });
      }),
    );
  });

  it('changes nothing but what it tells, in any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'she',
        'her',
        'his',
        'Mr.',
        ' ',
        'hers',
        'HER',
        '_',
        '-',
        'book',
        '[',
        '"',
        '__proto__',
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const x = pieces.join('');
        const result = swapText(gender, x);
        if (!result.ok) {
          // A word that is glued to others may be none to the tagger: "book.her".
          expect(result.reason).toMatch(/^(?:no_lexicon_word|ambiguous_use)$/);
          return;
        }
        let rebuilt = '';
        let done = 0;
        for (const { start, end, from, to } of result.changes) {
          expect(start).toBeGreaterThanOrEqual(done);
          expect(x.slice(start, end)).toBe(from);
          rebuilt += x.slice(done, start) + to;
          done = end;
        }
        expect(rebuilt + x.slice(done)).toBe(result.text);
      }),
    );
  });
});
