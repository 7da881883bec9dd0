/** Participants as chats: what is told at a tier, what is left out, and what the answer may be. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  answerGrammar,
  checkPersonas,
  scaleAsker,
  writePersonas,
} from '../../../src/suites/scale/ask/index.ts';
import { loadScale, predictionKeys, type Scale } from '../../../src/suites/scale/data/index.ts';
import { fault, faultOf } from '../../fault.ts';
import { temporaryFolder } from '../../temporary.ts';
import { TEA } from './tea.ts';

const prca = await loadScale('prca-24');

async function tea(change: (text: string) => string = (text) => text): Promise<Scale> {
  const path = join(temporaryFolder(), 'tea.yaml');
  writeFileSync(path, change(TEA));
  return await loadScale(path);
}

const SOMEBODY = {
  participant_id: 'P1',
  Age: '34',
  Sex: 'Female',
  'Student status': 'Yes',
  'Employment status': 'Part-Time',
  Occupation: 'baker',
  LocationLatitude: '43.0731',
  LocationLongitude: '-0.04',
  Q26: '2-4 days a month',
  Q27: 'an hour',
  Q28: 'Never',
  Q29: 'an hour',
  'Driving licence': 'Yes',
  Car: 'No',
  'Open text 1': 'I like {{ age }} quiet.',
  'Open text 2': 'Two\nlines.',
};

async function written(cells: Readonly<Record<string, unknown>>, tier: string) {
  const { personas } = await writePersonas(prca, [cells], [tier]);
  return personas[0]![0]!;
}

async function told(cells: Readonly<Record<string, unknown>>, tier: string) {
  const { user, missing } = await written(cells, tier);
  const [sentences, ask, ...rest] = user.split('\n\n');
  expect([ask, rest]).toEqual(['Rate yourself now. Reply with the JSON object alone.', []]);
  return { sentences: sentences!.split('\n'), missing };
}

test('each of the first five tiers tells all that the one before it tells, and more', async () => {
  const five: string[][] = [];
  for (const tier of ['demos', 'employment', 'geo', 'transit', 'full']) {
    five.push((await told(SOMEBODY, tier)).sentences);
  }
  expect(five.map(({ length }) => length)).toEqual([3, 5, 6, 11, 14]);
  for (const [index, sentences] of five.slice(1).entries()) {
    expect(sentences.slice(0, five[index]!.length)).toEqual(five[index]);
  }
  const { personas } = await writePersonas(
    prca,
    [SOMEBODY],
    prca.tiers.map(({ name }) => name),
  );
  const texts = personas[0]!.map(({ user }) => user);
  expect(new Set(texts).size).toBe(prca.tiers.length);
  const alone = (await told(SOMEBODY, 'v3_rideshare')).sentences;
  expect(alone.slice(0, 6)).toEqual(five[2]);
  expect(alone.slice(6)).toEqual(['How often you take a shared ride or a taxi: Never.']);
});

test('values are put in as they are, numbers rounded, and no template of a cell is run', async () => {
  const { sentences, missing } = await told(SOMEBODY, 'full');
  expect(missing).toEqual([]);
  expect(sentences).toContain('You are 34 years old.');
  expect(sentences).toContain('You live near latitude 43.1, longitude 0.0.');
  expect(sentences).toContain('In your own words: I like {{ age }} quiet.');
  expect(sentences.slice(-2)).toEqual(['You also wrote: Two', 'lines.']);
});

test('who never does a thing is not told how much; who does is', async () => {
  const { sentences } = await told(SOMEBODY, 'transit');
  expect(sentences.filter((text) => text.includes('an hour'))).toEqual([
    'When you do, you use it this much: an hour.',
  ]);
  const never = (await told({ ...SOMEBODY, Q26: ' NEVER ' }, 'transit')).sentences;
  expect(never.some((text) => text.includes('an hour'))).toBe(false);
});

test.each([
  ['an empty cell', { Age: '' }, ['age']],
  ['blanks', { Sex: '  ' }, ['sex']],
  ['a cell that says nothing, whatever its case', { 'Student status': 'data_expired' }, ['student']],
  ['a column that is not there', { Age: undefined }, ['age']],
  ['null', { Age: null }, ['age']],
])('%s drops its sentence and no other', async (_, change, missing) => {
  const cells = { ...SOMEBODY, ...change };
  const found = await told(cells, 'demos');
  expect(found.missing).toEqual(missing);
  expect(found.sentences).toHaveLength(2);
  expect((await told(SOMEBODY, 'demos')).sentences).toEqual(expect.arrayContaining(found.sentences));
});

test('where a number is to be rounded, text is missing; of two variables one is enough', async () => {
  for (const change of [
    { LocationLatitude: 'north' },
    { LocationLongitude: '' },
    { LocationLatitude: 'Infinity' },
  ]) {
    const { sentences, missing } = await told({ ...SOMEBODY, ...change }, 'geo');
    expect(missing).toHaveLength(1);
    expect(sentences.some((text) => text.includes('latitude'))).toBe(false);
  }
  const { user, missing } = await written({}, 'demos');
  expect([user, missing]).toEqual([
    'Rate yourself now. Reply with the JSON object alone.',
    ['age', 'sex', 'student'],
  ]);
});

test('the system message names every key with its range, and those of the subscales that are asked for alone', async () => {
  const { system } = await writePersonas(prca, [], ['demos'], { asked: ['meetings'] });
  for (const text of [
    '- meetings: 6 (none) to 30 (most); low is 6 to 13; moderate is 14 to 19; high is 20 to 30.',
  ]) {
    expect(system.split('\n')).toContain(text);
  }
  const named = [...system.matchAll(/^- "(\w+)":/gm)].map(([, key]) => key);
  expect(named).toEqual(['self_reported_meetings_ca', 'self_reported_band_meetings']);
});

test('a scale without personas, a tier that there is not', async () => {
  const bare = await tea((text) => text.slice(0, text.indexOf('tiers:')));
  expect(fault(() => checkPersonas(bare)).message).toContain('has no personas and tiers');
  expect((await faultOf(written({}, 'nope'))).message).toContain('demos, employment');
});

/** Whether a grammar of literals, alternatives and sequences takes all of a text; made for these grammars alone. */
function accepts(grammar: string, text: string): boolean {
  const rules = new Map(
    grammar
      .trim()
      .split('\n')
      .map((line) => line.split(' ::= ') as [string, string]),
  );
  const ends = (name: string, starts: readonly number[]): number[] =>
    rules
      .get(name)!
      .split(' | ')
      .flatMap((sequence) =>
        [...sequence.matchAll(/("(?:[^"\\]|\\.)*")(\?)?|([\w-]+)/g)].reduce<number[]>(
          (at, [, literal, optional, rule]) => {
            if (rule !== undefined) return ends(rule, at);
            const wanted = JSON.parse(literal!) as string;
            const after = at
              .filter((start) => text.startsWith(wanted, start))
              .map((start) => start + wanted.length);
            return optional ? at.concat(after) : after;
          },
          [...starts],
        ),
      );
  return ends('root', [0]).includes(text.length);
}

test('the grammar takes the answers that the scale wants, and no others', () => {
  const grammar = answerGrammar(prca);
  const answer = (group: unknown, band = 'low') =>
    JSON.stringify({
      self_reported_group_ca: group,
      self_reported_interpersonal_ca: 30,
      self_reported_band_group: band,
      self_reported_band_interpersonal: 'high',
    });
  const taken = Array.from({ length: 41 }, (_, n) => n - 5).filter((score) =>
    accepts(grammar, answer(score)),
  );
  expect(taken).toEqual(Array.from({ length: 25 }, (_, n) => n + 6));
  expect(accepts(grammar, answer(7).replaceAll(',', ', ').replaceAll(':', ': '))).toBe(true);
  for (const wrong of [
    answer(7, 'mid'),
    answer('7'),
    answer(7.5),
    answer(null),
    `${answer(7)} `,
    answer(7).slice(1),
  ]) {
    expect([wrong, accepts(grammar, wrong)]).toEqual([wrong, false]);
  }
});

test('keys and bands with quotes and backslashes stay what they are', async () => {
  const odd = await tea((text) =>
    text.replace('key: calm_at_work', `key: 'a"b\\c'`).replace('name: mixed', `name: 'so "so"'`),
  );
  expect(predictionKeys(odd).map(({ key }) => key)).toContain('a"b\\c');
  const text = JSON.stringify({ calm_at_home: 0, 'a"b\\c': 2, band_at_home: 'so "so"' });
  expect(accepts(answerGrammar(odd), text)).toBe(true);
});

test('cases draw by seeds of their own, which depend on the seed and the id alone', () => {
  const asking = { chat: true, guided: false, maxTokens: 9, temperature: 1, topP: 0.9, sampleSeed: 3 };
  const persona = { system: 's', user: 'u', missing: [] };
  const seed = (id: string, change = {}) =>
    scaleAsker(prca, undefined, { ...asking, ...change })(id, persona).seed;
  expect(seed('P1__demos')).toBe(seed('P1__demos'));
  expect(new Set([seed('P1__demos'), seed('P1__geo'), seed('P1__demos', { sampleSeed: 4 })]).size).toBe(3);
  expect(seed('P1__demos', { temperature: 0 })).toBe(0);
});
