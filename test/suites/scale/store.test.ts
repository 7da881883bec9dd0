/** Scales of the user's own: made, changed, deleted, listed, checked; shipped ones stay as they are. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { AuditError } from '../../../src/errors.ts';
import {
  createScale,
  deleteScale,
  listScales,
  loadScale,
  shippedScales,
  updateScale,
  validateScale,
} from '../../../src/suites/scale/data/index.ts';
import { faultOf } from '../../fault.ts';
import { temporaryFolder } from '../../temporary.ts';
import { TEA } from './tea.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const file = (name: string) => join(folder, `${name}.yaml`);
const put = (name: string, text: string) => writeFileSync(file(name), text);

test('a copy is made, changed with its comments kept, listed in the place of a shipped one, and deleted', async () => {
  const made = await createScale('prca-24', { from: 'prca-24', set: { title: 'Mine' } }, { folder });
  expect(made).toMatchObject({ name: 'prca-24', file: file('prca-24'), overridesShipped: true });
  const text = readFileSync(file('prca-24'), 'utf8');
  expect(text).toContain('# Communication apprehension in four contexts');
  const changed = await updateScale(
    'prca-24',
    { set: { 'bands.low.upTo': 12, 'items.Q1.text': 'groups' }, unset: ['tiers.v3_voice', 'source'] },
    { folder },
  );
  expect(changed.changes).toEqual([
    'took out tiers.v3_voice',
    'took out source',
    'bands.low.upTo is now 12',
    'items.Q1.text is now "groups"',
  ]);
  const scale = await loadScale('prca-24', { folder });
  expect(scale).toMatchObject({ title: 'Mine', source: null, origin: 'own' });
  expect(scale.bands[0]).toEqual({ name: 'low', upTo: 12, from: null });
  expect(scale.tiers.map(({ name }) => name)).not.toContain('v3_voice');
  expect(scale.items.Q1).toEqual({ text: 'groups', reversed: false });
  expect(readFileSync(file('prca-24'), 'utf8')).toContain('  # group discussions\n');
  const list = await listScales({ folder });
  expect(list.scales.map(({ name, origin, overridesShipped }) => [name, origin, overridesShipped])).toEqual([
    ['mini-ipip', 'shipped', false],
    ['prca-24', 'own', true],
  ]);
  expect(await deleteScale('prca-24', { folder })).toEqual({
    name: 'prca-24',
    file: file('prca-24'),
    shippedRemains: true,
  });
  expect((await loadScale('prca-24', { folder })).origin).toBe('shipped');
  expect(readdirSync(folder)).toEqual([]);
});

test('shipped scales are not changed, names are no paths, and nothing is written over', async () => {
  for (const change of [
    () => updateScale('prca-24', { set: { title: 'x' } }, { folder }),
    () => deleteScale('prca-24', { folder }),
  ]) {
    const error = await faultOf(change);
    expect([error.code, error.message]).toEqual([
      'bad_argument',
      expect.stringContaining('comes with the package'),
    ]);
  }
  expect((await faultOf(() => createScale('../x', { from: 'prca-24' }, { folder }))).code).toBe(
    'bad_argument',
  );
  put('mine', TEA.replace('name: tea', 'name: mine'));
  expect((await faultOf(() => createScale('mine', { from: 'prca-24' }, { folder }))).code).toBe(
    'output_exists',
  );
  const unknown = await faultOf(() => loadScale('prca', { folder }));
  expect(unknown.code).toBe('file_not_found');
  expect(unknown.message).toContain('shipped are: mini-ipip, prca-24; your own');
  expect((await faultOf(() => updateScale('mine', {}, { folder }))).message).toContain('nothing to change');
});

test('a change that leaves the scale wrong is not written, and says what is allowed', async () => {
  put('tea', TEA);
  for (const [set, message] of [
    [{ 'bands.restless.upto': 1 }, '"upto" is not a key of bands[0]; the keys here are name, upTo, from'],
    [{ 'bands.restless.upTo': 9 }, 'the cut between bands[1] and bands[2] is not above the one before it'],
    [{ colour: 'red' }, '"colour" is not a key of a scale; the keys here are name, title, source'],
    [{ name: 'other' }, 'the file is called tea.yaml'],
    [{ asked: ['homes'] }, 'the subscales are home, work'],
    [{ 'items.T9': { reversed: false } }, 'items.T9 is in no subscale'],
    [{ 'personas.parts.age.0': 'You are {{ years }}.' }, 'names "years", which is none of: age, cups, sort'],
    [{ 'personas.parts.age.0': 'You are {{ age.' }, 'cannot be parsed'],
  ] as const) {
    const error = await faultOf(() => updateScale('tea', { set }, { folder }));
    expect([error.code, error.message]).toEqual(['scale_invalid', expect.stringContaining(message)]);
    expect(error.message).toContain('nothing was written');
  }
  for (const [set, message] of [
    [{ 'bands.odd.upTo': 1 }, 'names the entry odd of a list with the entries restless, mixed, calm'],
    [{ 'title.x': 1 }, 'goes through title, which is a single value'],
    [{ 'bands..upTo': 1 }, 'an empty part'],
  ] as const) {
    const error = await faultOf(() => updateScale('tea', { set }, { folder }));
    expect([error.code, error.message]).toEqual(['bad_argument', expect.stringContaining(message)]);
  }
  expect((await faultOf(() => updateScale('tea', { unset: ['source'] }, { folder }))).message).toContain(
    'not there',
  );
  expect(readFileSync(file('tea'), 'utf8')).toBe(TEA);
});

test('a scale with faults is listed with them, told with lines, and can be mended', async () => {
  put('tea', TEA.replace('upTo: 1 }', 'upTo: one }'));
  put('odd name', TEA);
  const list = await listScales({ folder });
  expect(list.nameless).toEqual([file('odd name')]);
  expect(list.scales.find(({ name }) => name === 'tea')).toMatchObject({ scale: null });
  expect(list.scales.find(({ name }) => name === 'tea')!.error).toBeInstanceOf(AuditError);
  const { faults } = await validateScale('tea', { folder });
  const line = TEA.split('\n').findIndex((text) => text.includes('upTo: 1 }')) + 1;
  expect(faults).toEqual([
    {
      file: file('tea'),
      path: ['bands', 0, 'upTo'],
      line,
      message: 'bands[0].upTo is of the wrong kind; give a number',
    },
  ]);
  await updateScale('tea', { set: { 'bands.restless.upTo': 1 } }, { folder });
  expect((await validateScale('tea', { folder })).faults).toEqual([]);
});

describe('faults between entries', () => {
  test.each([
    [
      'labels that mean two answers',
      ['[ "yes", very ]', '[ "YES", "NO" ]'],
      'responses[2].labels[1]: "NO" is already responses[0].labels[0]',
    ],
    ['one value twice', ['value: 2', 'value: 1'], 'responses[2].value is 1, as that of responses[1]'],
    ['an item that is none', ['items: [ T3 ]', 'items: [ T3, T4 ]'], '"T4" is no item'],
    ['an item twice', ['items: [ T3 ]', 'items: [ T3, T3 ]'], '"T3" is listed twice'],
    ['no cut', ['upTo: 2 }', '}'], 'bands[1] and bands[2] have no cut between them'],
    [
      'two cuts',
      ['- { name: calm }\ntiers', '- { name: calm, from: 3 }\ntiers'],
      'have two cuts between them',
    ],
    [
      'an end of the first band',
      ['restless, upTo: 1', 'restless, from: 0, upTo: 1'],
      'bands[0].from: the first band has no end',
    ],
    ['a band called none', ['name: mixed', 'name: None'], 'bands[1].name is "None"'],
    [
      'a range that the bands do not divide',
      ['from: 1 }', 'from: 5 }'],
      'subscales.work has scores from 0 to 2',
    ],
    [
      'one key for two scores',
      ['key: calm_at_work', 'key: calm_at_home'],
      'subscales.work.key is "calm_at_home", as is',
    ],
    [
      'a tier of no part',
      ['parts: [ age, habits ]', 'parts: [ age, habit ]'],
      '"habit" is no part of personas; the parts are age, habits',
    ],
    [
      'a tier that case ids cannot hold',
      ['name: habits, parts', 'name: my__habits, parts'],
      'is not the name of a tier',
    ],
    [
      'a variable that is a word of Jinja',
      ['age: Age', 'age: Age\n    not: Age'],
      '"not" is a word of the template language',
    ],
  ])('%s', async (_, [from, to], message) => {
    expect(TEA).toContain(from);
    put('tea', TEA.replace(from!, to!));
    const { scale, faults } = await validateScale('tea', { folder });
    expect(scale).toBeNull();
    expect(faults.map((fault) => fault.message)).toContainEqual(expect.stringContaining(message));
    expect(faults.every(({ line }) => line !== null && line > 1)).toBe(true);
  });

  test('a key that records cannot hold is a fault, not passed over', async () => {
    put('tea', TEA.replace('  T1: {', '  __proto__: {'));
    const { faults } = await validateScale('tea', { folder });
    expect(faults.map(({ path }) => path)).toEqual([['items', '__proto__']]);
  });
});

test('what may not be meant is a warning', async () => {
  put(
    'tea',
    TEA.replace('sort: Tea', 'sort: Tea\n    milk: Milk').replace('parts: [ age, habits ]', 'parts: [ ]'),
  );
  const { warnings } = await validateScale('tea', { folder });
  expect(warnings.map(({ message }) => message)).toEqual([
    'tiers[1]: habits tells a model nothing of a participant',
    'personas.parts.habits is in no tier',
    'personas.columns.milk stands in no part',
  ]);
  put('bare', TEA.replace('name: tea', 'name: bare').slice(0, TEA.indexOf('tiers:') + 1));
  const bare = await validateScale('bare', { folder });
  expect(bare.warnings.map(({ message }) => message)).toEqual([expect.stringContaining('has no personas')]);
  await createScale('prca-24', { from: 'prca-24' }, { folder });
  const own = await validateScale('prca-24', { folder });
  expect(own.warnings[0]!.message).toContain('instead of the shipped scale');
});

test('every shipped scale is right, without a warning', async () => {
  const names = await shippedScales();
  expect(names).toEqual(['mini-ipip', 'prca-24']);
  for (const name of names) {
    const { scale, faults, warnings } = await validateScale(name, { folder });
    expect([name, faults, warnings, scale?.origin]).toEqual([name, [], [], 'shipped']);
  }
});

test('JSON is a scale too, and a folder of scales need not be there', async () => {
  const parsed = await loadScale('prca-24');
  const json = {
    name: 'j',
    title: 't',
    construct: 'c',
    responses: [...parsed.responses],
    bands: [{ name: 'all' }],
  };
  const path = join(folder, 'j.json');
  writeFileSync(
    path,
    JSON.stringify({
      ...json,
      items: { A: { reversed: false } },
      subscales: { one: { title: 'one', items: ['A'], key: 'one' } },
    }),
  );
  const scale = await loadScale(path);
  expect(scale).toMatchObject({ origin: 'file', asked: ['one'], tiers: [], personas: null });
  expect(scale.subscales.one).toMatchObject({ min: 1, max: 5, bandKey: null });
  const missing = join(folder, 'none');
  expect((await listScales({ folder: missing })).scales.map(({ name }) => name)).toEqual([
    'mini-ipip',
    'prca-24',
  ]);
  expect(existsSync(missing)).toBe(false);
  mkdirSync(join(folder, 'tea.yaml'));
  expect((await faultOf(() => loadScale('tea', { folder }))).code).toBe('file_unreadable');
});
