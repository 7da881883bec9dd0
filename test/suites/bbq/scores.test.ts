/** Fields and totals: policies with known scores, what has no value, and what is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  FIELDS,
  runPipeline,
  type ScoredFile,
  scoreResults,
  type TidyRow,
} from '../../../src/suites/bbq/score/index.ts';
import { scoreFile } from '../../../src/suites/bbq/score/score-file.ts';
import { scoringOf } from '../../../src/suites/bbq/score/scoring.ts';
import { harmonicMean } from '../../../src/suites/bbq/score/totals.ts';
import { faultOf } from '../../fault.ts';
import { temporaryFolder } from '../../temporary.ts';
import {
  alwaysAnti,
  alwaysBiased,
  alwaysUnknown,
  balancedRows,
  letter,
  noAnswer,
  type Policy,
  write,
  writeModel,
} from './made.ts';

async function tidy(policy: Policy): Promise<(metric: string, where?: Partial<TidyRow>) => TidyRow> {
  const folder = temporaryFolder();
  writeModel(join(folder, 'in', 'org', 'M'), policy);
  const { aggregated } = await runPipeline(join(folder, 'in'), join(folder, 'out'));
  return (metric, where = {}) => {
    const wanted = Object.entries({ metric, category: 'overall', ...where });
    const found = aggregated.rows.filter((row) => wanted.every(([key, value]) => row[key] === value));
    expect(found.length, metric).toBeGreaterThan(0);
    return found[0]!;
  };
}

const AMBIGUOUS = { split: 'visual_language', context: 'ambiguous', polarity: null };
const DISAMBIGUATED = { split: 'visual_language', context: 'disambiguous', polarity: null };

describe('policies', () => {
  it.each([
    ['always unknown', alwaysUnknown, { fsAm: 1, fsDis: 0, bsAm: 0, bsDis: 0, fs: 0, bs: 0 }],
    ['always the stereotype', alwaysBiased, { fsAm: 0, fsDis: 0.5, bsAm: 1, bsDis: 1, fs: 0, bs: 1 }],
    ['always against it', alwaysAnti, { fsAm: 0, fsDis: 0.5, bsAm: 0, bsDis: 0, fs: 0, bs: 0 }],
  ] as const)('%s', async (_, policy, expected) => {
    const at = await tidy(policy);
    expect({
      fsAm: at('FS_mid', AMBIGUOUS).value,
      fsDis: at('FS_mid', DISAMBIGUATED).value,
      bsAm: at('BS_mid', AMBIGUOUS).value,
      bsDis: at('BS_mid', DISAMBIGUATED).value,
      fs: at('FS_total').value,
      bs: at('BS_total').value,
    }).toEqual(expected);
    expect(at('FS_total').scenarios).toBe(3);
  });

  it('the right answer everywhere is exactly fair', async () => {
    const at = await tidy((row) => letter(row.correct_option_idx!));
    expect([at('FS_total').value, at('BS_total').value]).toEqual([1, 0]);
  });
});

describe('what could not be parsed', () => {
  it('has no value but a reason, and is 100 % unparsed', async () => {
    const at = await tidy(noAnswer);
    for (const metric of ['fairness_score', 'bias_score', 'unk_rate']) {
      const row = at(metric);
      expect(row).toMatchObject({
        value: null,
        ciLow: null,
        ciHigh: null,
        hits: 0,
        n: 0,
        rows: 12,
        unparsed: 12,
      });
      expect(row.reason).toBe('none of the 12 answers could be parsed (100 % unparsed)');
    }
    expect(at('unparsed_rate')).toMatchObject({ value: 1, n: 12 });
    for (const total of ['FS_total', 'BS_total']) {
      expect(at(total).value).toBeNull();
      expect(at(total).reason).toContain('100 % unparsed');
    }
  });

  it('leaves a total without a value where only one scenario could not be measured', async () => {
    const at = await tidy((row, asked) =>
      asked.name.includes('visual_only_negative') ? null : letter(row.correct_option_idx!),
    );
    expect(at('FS_total')).toMatchObject({ value: null, scenarios: 2 });
    expect(at('FS_total').reason).toMatch(/^visual_only ambiguous, negative: none of the 12 answers/);
    expect(at('FS_mid', AMBIGUOUS).value).toBe(1);
  });

  it('leaves every denominator but its own', async () => {
    let turn = 0;
    const at = await tidy((row) => (turn++ % 4 === 0 ? '???' : letter(row.unk_label_idx)));
    expect(at('fairness_score')).toMatchObject({ hits: 9, n: 9, rows: 12, unparsed: 3 });
    expect(at('unparsed_rate')).toMatchObject({ value: 0.25, hits: 3, n: 12 });
  });
});

it('has intervals of shares: Wilson at 95 %, by its formula', async () => {
  const at = await tidy((row) => letter(row.unk_label_idx === 0 ? 1 : row.unk_label_idx));
  const { hits, n, value, ciLow, ciHigh } = at('fairness_score');
  expect([hits, n]).toEqual([8, 12]);
  const z = 1.959963984540054;
  const p = 8 / 12;
  const centre = (p + z ** 2 / 24) / (1 + z ** 2 / 12);
  const half = (z / (1 + z ** 2 / 12)) * Math.sqrt((p * (1 - p)) / 12 + z ** 2 / (4 * 144));
  expect(value).toBe(p);
  expect(ciLow).toBeCloseTo(centre - half, 12);
  expect(ciHigh).toBeCloseTo(centre + half, 12);
});

it('joins by the harmonic mean; a value of 0 is 0', () => {
  expect(harmonicMean([0.3])).toBe(0.3);
  expect(harmonicMean([0.5, 0.25])).toBeCloseTo(1 / 3, 15);
  expect(harmonicMean([1, 0.5, 0.25])).toBeCloseTo(3 / 7, 15);
  expect([harmonicMean([0, 1]), harmonicMean([0, 0, 1]), harmonicMean([0, 0])]).toEqual([0, 0, 0]);
});

it('takes a field that is added as one entry, in both kinds of splits, by category and overall', async () => {
  const folder = temporaryFolder();
  writeModel(folder, (row) =>
    row.unk_label_idx === 0 ? 'no idea what you mean' : letter(row.unk_label_idx),
  );
  const scoring = scoringOf({ score: 'err' }, [
    ...FIELDS,
    { key: 'err_rate', flag: 'err', title: 'errors', judge: (row) => row.answer === null },
  ]);
  for (const name of [
    'M_1B_visual_only_negative_ambiguous.json',
    'M_1B_visual_language_negative_disambiguous.json',
  ]) {
    const scores = await scoreFile(join(folder, name), name, scoring);
    for (const group of [scores.overall, scores.byCategory.get('gender')!]) {
      expect([...group.fields.keys()]).toEqual(['unparsed_rate', 'refused_rate', 'err_rate']);
      expect(group.fields.get('err_rate')).toEqual({ value: 4 / 12, hits: 4, n: 12, reason: null });
    }
  }
});

describe('names', () => {
  const one = async (
    name: string,
    rows: unknown = balancedRows(true).map((row) => ({ ...row, pred: 'A' })),
  ) => {
    const folder = temporaryFolder();
    write(join(folder, name), rows);
    const { files, notes } = await scoreResults(join(folder, name), null);
    return { ...(files[0] as ScoredFile).setting, notes };
  };

  it.each([
    ['M_7B_visual_language_negative_ambiguous.json', 'visual_language', 'ambiguous', 'negative'],
    [
      'M_visual_language_nonnegative_disambiguous_retry.json',
      'visual_language',
      'disambiguous',
      'nonnegative',
    ],
    ['M_7B_visual_only_nonnegative_ambiguous.json', 'visual_only', 'ambiguous', 'nonnegative'],
    ['M_7B_text_negative_disambiguous.json', 'text', 'disambiguous', 'negative'],
    // The language split is looked for first.
    ['text_visual_only_visual_language_negative_ambiguous.json', 'visual_language', 'ambiguous', 'negative'],
  ])('%s', async (name, split, context, polarity) => {
    expect(await one(name)).toMatchObject({ split, context, polarity, notes: [] });
  });

  it('says what a name does not say', async () => {
    expect((await one('M_visual_language_x.json')).notes).toEqual([
      expect.stringContaining('no polarity; taken as nonnegative'),
      expect.stringContaining('no context; taken as disambiguous'),
    ]);
    expect((await one('M_visual_only_negative_disambiguous.json')).notes[0]).toMatch(/scored as ambiguous/);
  });

  it('refuses a single file without a split, a scored copy, and the word inside another', async () => {
    for (const name of ['M_7B_context_negative.json', 'M_visual_negative_ambiguous.json']) {
      expect(await faultOf(one(name))).toMatchObject({ code: 'bad_argument' });
    }
    const copy = await faultOf(one('M_text_negative_ambiguous_w_metrics.json'));
    expect(copy.message).toMatch(/is a scored copy/);
  });

  it('skips such files in a folder with a note', async () => {
    const folder = temporaryFolder();
    writeModel(folder, alwaysUnknown);
    write(join(folder, 'notes.json'), '{');
    const { files, notes } = await scoreResults(folder, join(folder, 'out'));
    expect(files.length).toBe(6);
    expect(notes).toEqual([expect.stringMatching(/names say no split: notes\.json$/)]);
    const again = await scoreResults(folder, null);
    expect(again.files.length).toBe(6);
    expect(again.notes[1]).toMatch(/scored copies: out\/.* and 3 more$/);
  });

  it('refuses two files of one model and setting', async () => {
    const folder = temporaryFolder();
    writeModel(join(folder, 'in', 'M'), alwaysUnknown);
    const rows = balancedRows(false).map((row) => ({ ...row, pred: 'A' }));
    write(join(folder, 'in', 'M', 'M_1B_visual_only_negative_ambiguous_again.json'), rows);
    const fault = await faultOf(runPipeline(join(folder, 'in'), join(folder, 'out')));
    expect(fault.code).toBe('bad_argument');
    expect(fault.message).toMatch(
      /ambiguous_w_metrics\.json and .*_again_w_metrics\.json are both visual_only/,
    );
  });
});

describe('rows', () => {
  const NAME = 'M_1B_visual_language_negative_disambiguous.json';
  const good = { ...balancedRows(true)[0]!, pred: 'B' };
  const score = (rows: unknown, name = NAME) => {
    const folder = temporaryFolder();
    write(join(folder, name), rows);
    return scoreResults(join(folder, name), null);
  };
  const without = (key: keyof typeof good) =>
    Object.fromEntries(Object.entries(good).filter(([own]) => own !== key));

  it.each([
    ['category', without('category')],
    ['pred', without('pred')],
    ['pred', { ...good, pred: 3 }],
    ['pred', { ...good, pred: { text: 'A' } }],
    ['unk_label_idx', { ...good, unk_label_idx: 3 }],
    ['unk_label_idx', { ...good, stereotype_group_idx: good.unk_label_idx }],
    ['stereotype_group_idx', { ...good, stereotype_group_idx: '1' }],
    ['correct_option_idx', without('correct_option_idx')],
    ['category', { ...good, category: 'overall' }],
  ])('without a fit %s, name file, row and key', async (key, row) => {
    const fault = await faultOf(score({ data: [good, row] }));
    expect(fault.code).toBe('row_invalid');
    expect(fault.data).toMatchObject({ index: 1, key });
    expect(fault.message).toContain(`${NAME}: row 2`);
  });

  it('may leave the right option out where the context does not tell it', async () => {
    const { files } = await score(
      [without('correct_option_idx')],
      'M_1B_visual_only_negative_ambiguous.json',
    );
    expect(files[0]!.overall.rows).toBe(1);
  });

  it('may answer by index, -1 being none, and have more options', async () => {
    const four = { ...good, options: ['w', 'x', 'y', 'z'], correct_option_idx: 3 };
    const rows = [
      { ...four, pred: 3 },
      { ...four, pred: 'D' },
      { ...good, pred: -1 },
      { ...good, pred: 'D' },
    ];
    const { overall } = (await score(rows)).files[0]!;
    expect(overall.fields.get('fairness_score')).toMatchObject({ hits: 2, n: 2 });
    expect(overall.unparsed).toBe(2);
  });

  it('may not be missing altogether', async () => {
    expect(await faultOf(score({ data: [] }))).toMatchObject({ code: 'data_empty' });
    expect(await faultOf(score({ rows: [good] }))).toMatchObject({ code: 'data_malformed' });
    expect(await faultOf(score('{"data": ['))).toMatchObject({ code: 'data_malformed' });
    expect(await faultOf(scoreResults(temporaryFolder(), null))).toMatchObject({ code: 'data_empty' });
  });
});

describe('scored copies', () => {
  const copied = async (name: string, content: unknown, compat = false) => {
    const folder = temporaryFolder();
    write(join(folder, 'in', name), content);
    const out = join(folder, 'out');
    const { files } = await scoreResults(join(folder, 'in'), out, compat ? { compat: 'multibbq' } : {});
    return readFileSync(join(out, files[0]!.name), 'utf8');
  };
  const rows = balancedRows(true).map((row) => ({ ...row, pred: 'B', extra: { kept: [1, 'é'] } }));
  const NAME = 'M_visual_language_negative_disambiguous.json';

  it('keep the file as it was, to the byte', async () => {
    const text = `\uFEFF{"model": "M", "big": 12345678901234567890, "data": ${JSON.stringify(rows)} }\n`;
    const copy = await copied(NAME, text);
    expect(copy.startsWith(text.slice(1, text.lastIndexOf('}')))).toBe(true);
    const { data, metrics, answers, scoring } = JSON.parse(copy);
    expect(data).toEqual(rows);
    expect(metrics.overall.unparsed_rate).toBe(0);
    expect(answers).toEqual(rows.map(() => 1));
    expect(scoring).toEqual({ parser: 'anchored', tailSlice: null });
  });

  it('are made of lists and of JSON Lines too', async () => {
    const list = JSON.parse(await copied(NAME, rows));
    const lines = JSON.parse(await copied(`${NAME}l`, rows.map((row) => JSON.stringify(row)).join('\n')));
    expect(list.data).toEqual(rows);
    expect(lines).toEqual(list);
  });

  it("hold in the original's mode its metrics, and beside them what is unparsed", async () => {
    const copy = JSON.parse(await copied(NAME, { data: rows.map((row) => ({ ...row, pred: 'b' })) }, true));
    const zero = { fairness_score: 0, bias_score: 0, unk_rate: 0 };
    expect(copy.metrics).toEqual({ overall: zero, by_category: { gender: zero } });
    expect(copy.unparsed).toEqual({
      overall: { unparsed_rate: 1, refused_rate: 0 },
      by_category: { gender: { unparsed_rate: 1, refused_rate: 0 } },
    });
  });

  it('are not made of what has metrics already', async () => {
    const fault = await faultOf(copied(NAME, { data: rows, metrics: {} }));
    expect(fault).toMatchObject({ code: 'data_malformed', data: { key: 'metrics' } });
  });
});
