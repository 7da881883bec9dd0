/** Which option is the stereotyped group, and under which category a row goes. */
import { describe, expect, it } from 'vitest';
import { reportedCategory, targetOf } from '../../../src/suites/bbq/score/paper/index.ts';
import { makeRows, parsed, scoreRows } from './paper-rows.ts';

const [plain] = makeRows({}, () => 0);

function rowOf(infos: readonly (readonly string[])[], groups: readonly string[], more: object = {}) {
  const [ans0, ans1, ans2] = infos;
  return parsed({
    ...plain,
    answer_info: { ans0, ans1, ans2 },
    additional_metadata: { stereotyped_groups: groups },
    label: 0,
    ...more,
  });
}

const UNKNOWN = ['Undetermined', 'unknown'];

describe('the target', () => {
  it.each<[what: string, a: string[], b: string[], groups: string[]]>([
    ['a tag, whatever its case', ['grandmother', 'Old'], ['grandson', 'nonOld'], ['old']],
    ['no tag that only holds the group', ['grandson', 'nonOld'], ['grandmother', 'old'], ['nonOld']],
    ['a name, where the tag is wider', ['Kenyan', 'Africa'], ['Swiss', 'Europe'], ['Kenyan', 'Malian']],
    ['a name in braces', ['{{Kenyan}}', 'Africa'], ['Swiss', 'Europe'], ['Kenyan']],
    ['the group behind a gender', ['Ann Lee', 'F-Asian'], ['Jane Roe', 'F-White'], ['Asian']],
    ['the group behind status and gender', ['Ann', 'lowSES-F-Black'], ['Jo', 'lowSES-F-White'], ['Black']],
    ['a gender behind a group', ['Ann', 'trans_F'], ['Ben', 'nonTrans_M'], ['F']],
    ['a word for a gender', ['girl', 'girl'], ['boy', 'boy'], ['F']],
    ['a gender for a word', ['Ben', 'M'], ['Ann', 'F'], ['men']],
    ['one of the words for a group', ['trans man', 'trans'], ['man', 'nonTrans'], ['Transgender men']],
    ['a status written apart', ['janitor', 'lowSES'], ['doctor', 'highSES'], ['low SES']],
    ['a plural', ['Sikh', 'Sikh'], ['Hindu', 'Hindu'], ['Sikhs']],
  ])('is %s', (_, a, b, groups) => {
    expect(targetOf(rowOf([a, b, UNKNOWN], groups))).toEqual({ option: 0 });
    expect(targetOf(rowOf([UNKNOWN, b, a], groups))).toEqual({ option: 2 });
  });

  it('is exact before it is loose', () => {
    // "F-Black" itself is a group here: that the other one is black too does not matter.
    const infos = [UNKNOWN, ['Bo', 'M-Black'], ['Ann', 'F-Black']];
    expect(targetOf(rowOf(infos, ['F-Black', 'Black']))).toEqual({ option: 2 });
  });

  it.each<[infos: string[][], groups: string[], reason: string]>([
    [
      [['a', 'Black'], ['b', 'African American'], UNKNOWN],
      ['Black', 'African American'],
      'both options are in',
    ],
    [[['a', 'M-Black'], ['b', 'F-Black'], UNKNOWN], ['Black'], 'both options are in'],
    [[['African', 'African'], ['White', 'White'], UNKNOWN], ['African American'], 'no option is in'],
    [[['', ''], ['', ''], UNKNOWN], ['Latino'], 'no option is in'],
    [[[], [], UNKNOWN], ['Latino'], 'no option is in'],
    [[['a', 'b'], ['c', 'd'], UNKNOWN], [], 'stereotyped_groups is empty'],
  ])('is none where the groups do not tell: %j', (infos, groups, reason) => {
    expect(targetOf(rowOf(infos, groups))).toEqual({ option: null, reason: expect.stringContaining(reason) });
  });

  it('is the published one where the groups do not tell, and only there', () => {
    const infos = [['a', 'M-Black'], ['b', 'F-Black'], UNKNOWN];
    expect(targetOf(rowOf(infos, ['Black'], { target_loc: 1 }))).toEqual({ option: 1 });
    expect(targetOf(rowOf(infos, ['Black'], { target_loc: '1' }))).toEqual({ option: 1 });
    expect(targetOf(rowOf(infos, ['Black'], { target_loc: 'x' }))).toMatchObject({ option: null });
    // The unknown option is nobody's group.
    expect(targetOf(rowOf(infos, ['Black'], { target_loc: 2 }))).toMatchObject({ option: null });
    expect(targetOf(rowOf(infos, ['M-Black'], { target_loc: 1 }))).toEqual({ option: 0 });
  });

  it('is never known by the text of an option', () => {
    const row = rowOf([['x', 'a'], ['y', 'b'], UNKNOWN], ['loom'], { ans0: 'loom', ans1: 'unknown' });
    expect(row.unknown).toBe(2);
    expect(targetOf(row)).toMatchObject({ option: null });
  });

  it('needs one option that is tagged unknown', () => {
    const none = [
      ['a', 'b'],
      ['c', 'd'],
      ['Unknown', 'e'],
    ];
    expect(() => rowOf(none, [])).toThrow('answer_info');
    expect(() => rowOf([UNKNOWN, UNKNOWN, ['a', 'b']], [])).toThrow('answer_info');
  });

  it('that is missing is listed with its kind', async () => {
    const rows = makeRows({}, () => 0).map((row, at) =>
      at % 4 === 0 ? { ...row, additional_metadata: { stereotyped_groups: ['Glass'] } } : row,
    );
    const { categories, unresolved } = await scoreRows(rows);
    expect(categories[0]).toMatchObject({ rows: 48, noTarget: 12 });
    expect(unresolved).toEqual([
      {
        category: 'Craft',
        reason: 'no option is in stereotyped_groups',
        tags: ['loom', 'nonLoom', 'unknown'],
        stereotypedGroups: ['Glass'],
        rows: 12,
      },
    ]);
  });
});

describe('name proxies', () => {
  const people = (tagA: string, tagB: string) => [['Ann Lee', tagA], UNKNOWN, ['Jane Roe', tagB]];

  it.each<[category: string, infos: string[][], more: object, names: boolean]>([
    ['Race_ethnicity', people('F-Black', 'F-White'), {}, true],
    ['Race_ethnicity', people('Black', 'White'), {}, false],
    ['Gender_identity', people('F', 'M'), {}, true],
    ['Gender_identity', people('trans_F', 'nonTrans_M'), {}, true],
    ['Gender_identity', people('woman', 'man'), {}, false],
    ['Race_x_SES', people('lowSES-F-Black', 'highSES-F-White'), {}, true],
    ['Race_x_SES', people('lowSES-Black', 'highSES-White'), {}, false],
    ['Race_x_gender', people('F-Black', 'M-White'), { question_index: '2' }, true],
    ['Race_x_gender', people('F-Black', 'M-White'), { question_index: 1 }, false],
    ['Age', people('old', 'nonOld'), {}, false],
    ['Age', people('old', 'nonOld'), { label_type: 'name' }, true],
    ['Race_ethnicity', people('F-Black', 'F-White'), { label_type: 'label' }, false],
    ['Race_ethnicity', people('F-Black', 'F-White'), { label_type: null }, true],
  ])('%s %j %j: %s', (category, infos, more, names) => {
    const row = rowOf(infos, [], { category, ...more });
    expect(reportedCategory(row)).toBe(names ? `${category} (names)` : category);
  });

  it('have categories of their own, in order of their names', async () => {
    const rows = [
      ...makeRows({ category: 'B' }, () => 0),
      ...makeRows({ category: 'A' }, () => 0).map((row) => ({ ...row, label_type: 'name' })),
      ...makeRows({ category: 'A' }, () => 0),
    ];
    const { categories } = await scoreRows(rows);
    expect(categories.map(({ category, rows: n }) => [category, n])).toEqual([
      ['A', 48],
      ['A (names)', 48],
      ['B', 48],
    ]);
  });
});
