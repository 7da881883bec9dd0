/** The failure table of the document, a test each, and what else must not be lost on the way. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ingestResults, runScalePipeline } from '../../../src/suites/scale/score/index.ts';
import { faultOf } from '../../fault.ts';
import { temporaryFolder } from '../../temporary.ts';
import { answer, csvFile, person, smallScale, smallStudy, table } from './files.ts';
import { rowsOf } from './vectors.ts';

const QUICK = { resamples: 50 } as const;

function pipeline({ scale, results, participants, out }: Awaited<ReturnType<typeof smallStudy>>) {
  return runScalePipeline(scale, results, participants, out, QUICK);
}
const PEOPLE = [person('P1', 4, 6), person('P2', 8, 5), person('P3', 10, 2)];

/** The predictions of these texts, each under a case id of its own. */
async function predictions(texts: readonly string[]) {
  const folder = temporaryFolder();
  const scale = await smallScale(folder);
  const rows = texts.map((text, index) => ({ caseid: `P${index}__first`, generated_text: text }));
  const out = join(folder, 'predictions.csv');
  const ingested = await ingestResults(scale, csvFile(folder, 'results.csv', rows), out);
  return { ingested, rows: rowsOf(out) };
}

test('talk around the JSON: the object is read, whatever stands before and behind', async () => {
  const { rows } = await predictions([
    `Sure {thing}! \`\`\`json\n${answer(3, 7)}\n\`\`\` I hope {that} helps.`,
    `<think>maybe ${answer(9, 9)}</think>${answer(3, 7)}`,
    `Answer: ${answer(3, 7)} {done}`,
  ]);
  for (const row of rows) expect([row.pred_a_score, row.pred_b_score, row.error]).toEqual(['3', '7', '']);
});

test('a malformed case id: an error row that keeps its text, is counted, and is in no tier and no mean', async () => {
  const study = await smallStudy(PEOPLE, [
    ['P1__first', answer(4, 6)],
    ['P2__first', answer(8, 5)],
    ['P3', answer(2, 10)],
    ['__first', answer(2, 10)],
    ['P3__', answer(2, 10)],
    ['', answer(2, 10)],
  ]);
  const { ingested } = await pipeline(study);
  expect(ingested.errorsByKind).toEqual({ bad_caseid: 4 });
  const bad = table(study, 'predictions.csv').slice(2);
  for (const row of bad) {
    expect(row.error).toMatch(/^bad_caseid: /);
    expect([row.raw_response, row.tier, row.pred_a_score]).toEqual([answer(2, 10), '', '']);
  }
  const mae = table(study, 'summary.csv').filter(
    ({ metric, subscale }) => metric === 'mae' && subscale === 'a',
  );
  expect(mae.map(({ tier, value, n, rows, failed }) => [tier, value, n, rows, failed])).toEqual([
    ['all', '0', '2', '6', '4'],
    ['first', '0', '2', '2', '0'],
  ]);
  expect(table(study, 'by_group.csv')).toEqual([]);
});

test.each([
  ['missing', answer(undefined, 7), 'missing_key'],
  ['null', answer(null, 7), 'not_integer'],
  ['half', answer(3.5, 7), 'not_integer'],
  ['true', answer(true, 7), 'not_integer'],
  ['a word', answer('about 3', 7), 'not_integer'],
  ['a list', answer([3], 7), 'not_integer'],
  ['above', answer(11, 7), 'out_of_range'],
  ['below', answer(1, 7), 'out_of_range'],
  ['not a number, as are all', '{"a": NaN, "b": Infinity}', 'non_finite_number'],
  ['cut off', '{"a": 3, "b"', 'truncated'],
  ['no object', 'I would rather not say.', 'no_json'],
  ['nothing', '', 'no_json'],
])('a score that is %s: an error of its own kind, never a number', async (_, text, kind) => {
  const { rows, ingested } = await predictions([text, answer(3, 7)]);
  expect(rows[0]!.error).toMatch(new RegExp(`^${kind}: .`));
  expect([rows[0]!.error_kind, rows[0]!.raw_response]).toEqual([kind, text]);
  expect([rows[0]!.pred_a_score, rows[0]!.pred_b_score]).toEqual(['', '']);
  expect([ingested.rows, ingested.parsed]).toEqual([2, 1]);
});

test('a score that is not a number costs itself and not the other, and is noted', async () => {
  const { rows, ingested } = await predictions(['{"a": NaN, "b": 7}', answer(3, 7)]);
  expect(rows[0]).toMatchObject({ error: '', pred_a_score: '', pred_b_score: '7' });
  expect(rows[0]!.notes).toContain('non_finite_number: a is no finite number');
  expect([ingested.rows, ingested.parsed]).toEqual([2, 2]);
});

test('17, 17.0 and "17" are one score', async () => {
  const { rows } = await predictions(['{"a": 7, "b": 7}', '{"a": 7.0, "b": 7}', '{"a": "7", "b": 7}']);
  expect(rows.map(({ pred_a_score }) => pred_a_score)).toEqual(['7', '7', '7']);
});

test('a band that contradicts its score: the score decides, the named one is kept, and the row is flagged', async () => {
  const study = await smallStudy(PEOPLE, [
    ['P1__first', answer(4, 6, { a_band: 'HIGH ', b_band: 'moderate' })],
    ['P2__first', answer(8, 5, { a_band: 'middling' })],
  ]);
  const { evaluation } = await pipeline(study);
  const [first, second] = table(study, 'evaluation.csv');
  expect(first).toMatchObject({
    pred_a_band: 'high',
    pred_a_band_reported: 'high',
    pred_a_band_resolved: 'low',
    band_disagrees_a: 'true',
    band_match_a: 'true',
    band_disagrees_b: 'false',
  });
  // An unknown band costs neither score.
  expect(second).toMatchObject({
    error: '',
    pred_a_score: '8',
    pred_a_band: '',
    pred_a_band_resolved: 'high',
  });
  expect(second!.notes).toMatch(/a_band is "middling"/);
  expect(evaluation!.disagreeing).toBe(1);
  expect(evaluation!.notes.join('\n')).toMatch(/^1 band that models named contradict/m);
});

test('nothing parsed: predictions are there to look at, and no tables', async () => {
  const study = await smallStudy(PEOPLE, [
    ['P1__first', 'no'],
    ['P2__first', ''],
  ]);
  const done = await pipeline(study);
  expect(done).toMatchObject({ ingested: { rows: 2, parsed: 0 }, evaluation: null, aggregated: null });
  expect(table(study, 'predictions.csv')).toHaveLength(2);
  await expect(async () => table(study, 'summary.csv')).rejects.toThrow(/ENOENT/);
});

test('nobody to match: told with the ids, counted, and in no mean', async () => {
  const study = await smallStudy(PEOPLE, [
    ['P1__first', answer(5, 6)],
    ['X1__first', answer(2, 2)],
    ['X2__first', answer(2, 2)],
  ]);
  const { evaluation } = await pipeline(study);
  expect(evaluation!.statuses).toEqual({ scored: 1, error: 0, unmatched: 2, no_truth: 0 });
  expect(evaluation!.notes.join('\n')).toMatch(/2 of 3 rows belong to nobody .*X1, X2/);
  expect(evaluation!.notes.join('\n')).toMatch(/no row belongs to 2 participants: P2, P3/);
  const [, unmatched] = table(study, 'evaluation.csv');
  expect(unmatched).toMatchObject({ status: 'unmatched', error_a: '', pred_a_band_resolved: 'low' });
  const mae = table(study, 'summary.csv').find(({ metric }) => metric === 'mae')!;
  expect(mae).toMatchObject({ value: '1', n: '1', rows: '3', unmatched: '2', ci_low: '', ci_high: '' });
  expect(mae.reason).toMatch(/single participant/);
});

test('a missing item: no score of that side, and the other side counts', async () => {
  const half = { ...person('P1', 4, 6), B2: '' };
  const study = await smallStudy(
    [half, { ...person('P2', 4, 6), A1: 'perhaps', B1: 'perhaps' }, person('P3', 4, 4)],
    [
      ['P1__first', answer(5, 9)],
      ['P2__first', answer(5, 9)],
      ['P3__first', answer(5, 9)],
    ],
  );
  const { evaluation } = await pipeline(study);
  expect(evaluation!.statuses).toEqual({ scored: 2, error: 0, unmatched: 0, no_truth: 1 });
  expect(table(study, 'ground_truth.csv')[0]).toMatchObject({
    gt_a_score: '4',
    gt_b_score: '',
    gt_b_band: '',
  });
  const n = (subscale: string) =>
    table(study, 'summary.csv').find((row) => row.metric!.startsWith('mae') && row.subscale === subscale)!.n;
  expect([n('a'), n('b'), n('all')]).toEqual(['2', '1', '1']);
});

test('a case id that comes again: the first counts, the second is an error with its scores beside it', async () => {
  const study = await smallStudy(PEOPLE, [
    ['P1__first', answer(4, 6)],
    [' P1__first ', answer(9, 9)],
    ['P2__first', answer(8, 5)],
  ]);
  const { ingested } = await pipeline(study);
  expect(ingested).toMatchObject({ rows: 3, parsed: 2, duplicates: 1 });
  expect(ingested.notes.join('\n')).toMatch(/P1__first/);
  expect(table(study, 'predictions.csv')[1]).toMatchObject({
    error: "duplicate_caseid: row 1 of the results has the caseid 'P1__first' already; only that row counts",
    pred_a_score: '9',
  });
  expect(table(study, 'summary.csv')[0]).toMatchObject({ metric: 'mae', value: '0', n: '2', failed: '1' });
});

test('a participant that comes again: the first row counts, and it is told', async () => {
  const study = await smallStudy(
    [person('P1', 4, 6), person('P1', 10, 10), person('P2', 8, 5)],
    [['P1__first', answer(4, 6)]],
  );
  const { evaluation } = await pipeline(study);
  expect(table(study, 'evaluation.csv')[0]).toMatchObject({ gt_a_score: '4', error_a: '0' });
  expect(table(study, 'ground_truth.csv')).toHaveLength(2);
  expect(evaluation!.notes.join('\n')).toMatch(/several rows of one id; the first counts: P1/);
});

test('tiers that the scale does not have are their own, and told', async () => {
  const study = await smallStudy(PEOPLE, [
    ['P1__first', answer(4, 6)],
    ['P2__First', answer(8, 5)],
  ]);
  const { ingested } = await pipeline(study);
  expect(ingested.parseSuccess.map(({ tier, known }) => [tier, known])).toEqual([
    ['all', null],
    ['first', true],
    ['First', false],
  ]);
  expect(ingested.notes.join('\n')).toMatch(/does not have.*First \(1\)/);
});

test('a row of the CSV that cannot be read is an error row; the rows behind it are read', async () => {
  const folder = temporaryFolder();
  const scale = await smallScale(folder);
  const results = join(folder, 'results.csv');
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  writeFileSync(
    results,
    `\uFEFFcaseid,generated_text\r\nP1__first,a,b\r\nP2__first,${quoted(answer(4, 6))}\r\n`,
  );
  const out = join(folder, 'predictions.csv');
  const { errorsByKind, parsed } = await ingestResults(scale, results, out);
  expect([errorsByKind, parsed]).toEqual([{ unreadable_row: 1 }, 1]);
  expect(rowsOf(out)[0]!.error).toMatch(/^unreadable_row: .*row 1 \(line 2\) has 3 columns/);
});

test('columns by other names, and none by these', async () => {
  const folder = temporaryFolder();
  const scale = await smallScale(folder);
  const results = csvFile(folder, 'results.csv', [{ id: 'P1__first', text: answer(4, 6), model: 'm' }]);
  const out = join(folder, 'predictions.csv');
  const fault = await faultOf(ingestResults(scale, results, out));
  expect(fault).toMatchObject({ code: 'data_malformed', data: { missing: ['caseid', 'generated_text'] } });
  expect(fault.message).toMatch(/--id-column/);
  await ingestResults(scale, results, out, { idColumn: 'id', textColumn: 'text' });
  expect(rowsOf(out)[0]).toMatchObject({ caseid: 'P1__first', pred_a_score: '4', model: 'm' });
});

test('results without rows, participants without items: refused, and nothing is left behind', async () => {
  const folder = temporaryFolder();
  const scale = await smallScale(folder);
  writeFileSync(join(folder, 'empty.csv'), 'caseid,generated_text\n');
  const out = join(folder, 'out', 'predictions.csv');
  expect(await faultOf(ingestResults(scale, join(folder, 'empty.csv'), out))).toMatchObject({
    code: 'data_empty',
  });
  await expect(async () => rowsOf(out)).rejects.toThrow(/ENOENT/);
  const study = await smallStudy([{ participant_id: 'P1', A1: 'no' }], [['P1__first', answer(4, 6)]]);
  const fault = await faultOf(runScalePipeline(study.scale, study.results, study.participants, study.out));
  expect(fault).toMatchObject({ code: 'data_malformed', data: { missing: ['A2', 'B1', 'B2'] } });
});

test('without repairs, JSON that needs one is an error', async () => {
  const folder = temporaryFolder();
  const scale = await smallScale(folder);
  const results = csvFile(folder, 'results.csv', [
    { caseid: 'P1__first', generated_text: '{"a": 4, "b": 6,}' },
    { caseid: 'P2__first', generated_text: "{'a': 4, 'b': 6, 'sure': True}" },
  ]);
  const out = join(folder, 'predictions.csv');
  expect(await ingestResults(scale, results, out)).toMatchObject({ parsed: 2, repaired: 2 });
  expect(rowsOf(out).map(({ repaired }) => repaired)).toEqual([
    'trailing_commas',
    expect.stringContaining('python_literals'),
  ]);
  const strict = await ingestResults(scale, results, out, { repair: false, force: true });
  expect(strict).toMatchObject({ parsed: 0, errorsByKind: { invalid_json: 2 } });
});
