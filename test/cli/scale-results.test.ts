/** ingest, evaluate, aggregate and pipeline scale, as a user runs them. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answer, csvFile, person, smallScale } from '../suites/scale/files.ts';
import { rowsOf } from '../suites/scale/vectors.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const PEOPLE = ['P1', 'P2', 'P3', 'P4'].map((id, index) =>
  person(id, 3 + index, 9 - index, { Sex: index % 2 === 0 ? 'f' : 'm' }),
);
const TEXTS = PEOPLE.flatMap(({ participant_id: id }, index) => [
  [`${id}__first`, answer(4, 6)],
  [`${id}__second`, index === 0 ? 'no answer' : answer(5 + index, 6)],
]);

async function folderOf(texts: readonly (readonly string[])[] = TEXTS): Promise<string> {
  const folder = temporaryFolder();
  await smallScale(folder);
  csvFile(folder, 'participants.csv', PEOPLE);
  csvFile(
    folder,
    'results.csv',
    texts.map(([caseid, text]) => ({ caseid: caseid!, generated_text: text! })),
  );
  return folder;
}

const SCALE = ['--scale', './small.yaml'];
const PIPELINE = [
  'pipeline',
  'scale',
  ...SCALE,
  '--results',
  'results.csv',
  '--participants',
  'participants.csv',
];
const DRAWS = ['--resamples', '100'];
/** What is said of the answers that the files hold. */
const ALIKE =
  'logit-audit: warning: pred_b_score is the same in all 7 rows that have one: "6"; the model may not have answered what was asked\n';

test('the pipeline tells what it read, and the stages one by one write the same files', async () => {
  const cwd = await folderOf();
  const whole = await runCli([...PIPELINE, '--out', 'whole', '--by', 'Sex', ...DRAWS], { cwd });
  expect(whole.stderr).toBe(ALIKE);
  expect(whole.code).toBe(0);
  expect(whole.stdout).toMatch(/^second\s+4\s+3\s+75\.0 %/m);
  expect(whole.stdout).toMatch(/^not read: no_json 1$/m);
  expect(whole.stdout).toMatch(/7 of 8 rows count; 1 failed/);
  mkdirSync(join(cwd, 'parts'));
  const stages = [
    ['ingest', 'scale', ...SCALE, '--results', 'results.csv', '--out', 'parts/predictions.csv'],
    [
      ...['evaluate', 'scale', ...SCALE, '--predictions', 'parts/predictions.csv'],
      ...['--participants', 'participants.csv', '--by', 'Sex', '--out', 'parts'],
    ],
    ['aggregate', 'scale', ...SCALE, '--evaluation', 'parts', '--out', 'parts', ...DRAWS],
  ];
  for (const [at, stage] of stages.entries()) {
    expect(await runCli(stage, { cwd })).toMatchObject({ code: 0, stderr: at === 0 ? ALIKE : '' });
  }
  const names = [
    ...['predictions', 'parse_success', 'evaluation', 'generation_scores', 'ground_truth', 'covariates'],
    ...['summary', 'by_group', 'gaps', 'gap_deltas', 'association', 'confusion_a', 'confusion_b'],
  ].map((name) => `${name}.csv`);
  for (const name of [...names, 'tables.json', 'evaluation.json']) {
    expect(readFileSync(join(cwd, 'parts', name), 'utf8'), name).toBe(
      readFileSync(join(cwd, 'whole', name), 'utf8'),
    );
  }
}, 60_000);

test('too few answers read: exit code 1, which tier, and the tables are there', async () => {
  const cwd = await folderOf();
  const { code, stderr } = await runCli([...PIPELINE, '--out', 'out', '--min-parse', '0.9', ...DRAWS], {
    cwd,
  });
  expect(code).toBe(1);
  expect(stderr).toBe(
    `${ALIKE}logit-audit: fewer answers were read than --min-parse 0.9 asks for: all tiers 87.5 % (7 of 8), second 75.0 % (3 of 4)\n`,
  );
  expect(existsSync(join(cwd, 'out', 'summary.csv'))).toBe(true);
  const met = await runCli([...PIPELINE, '--out', 'met', '--min-parse', '0.75', ...DRAWS], { cwd });
  expect(met).toMatchObject({ code: 0, stderr: ALIKE });
}, 60_000);

test('no answer read: exit code 1 with a message of its own, and no tables', async () => {
  const cwd = await folderOf([
    ['P1__first', 'no'],
    ['P2__first', ''],
  ]);
  const { code, stderr, stdout } = await runCli([...PIPELINE, '--out', 'out', '--json'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^logit-audit: none of 2 answers could be read/);
  expect(JSON.parse(stdout)).toMatchObject({
    ingest: { rows: 2, parsed: 0 },
    evaluation: null,
    tables: null,
  });
  expect(rowsOf(join(cwd, 'out', 'predictions.csv'))).toHaveLength(2);
  expect(existsSync(join(cwd, 'out', 'summary.csv'))).toBe(false);
});

test('--json has the tables with their settings', async () => {
  const cwd = await folderOf();
  const { code, stdout } = await runCli([...PIPELINE, '--out', 'out', '--json', ...DRAWS, '--seed', '3'], {
    cwd,
  });
  expect(code).toBe(0);
  const { ingest, evaluation, tables } = JSON.parse(stdout);
  expect(ingest.errorsByKind).toEqual({ no_json: 1 });
  expect(evaluation.statuses.scored).toBe(7);
  expect(tables.settings).toEqual({ level: 0.95, resamples: 100, seed: 3, minGroup: 2, baseline: 'first' });
  expect(tables.summary[0]).toMatchObject({ tier: 'all', subscale: 'a', metric: 'mae', n: 7 });
});

test('--compat: the columns of the original, with what the scale is of in their names', async () => {
  const cwd = await folderOf();
  const { code } = await runCli([...PIPELINE, '--out', 'out', '--compat'], { cwd });
  expect(code).toBe(0);
  const [prediction] = rowsOf(join(cwd, 'out', 'predictions.csv'));
  expect(Object.keys(prediction!)).toEqual([
    ...['caseid', 'participant_id', 'tier', 'provider', 'model', 'raw_response', 'error'],
    ...['pred_a_score', 'pred_b_score', 'pred_a_band', 'pred_b_band'],
  ]);
  expect(prediction).toMatchObject({ provider: 'vllm', pred_a_score: '4.0' });
  expect(rowsOf(join(cwd, 'out', 'predictions.csv'))[1]!.error).toMatch(/^ValueError: /);
  expect(rowsOf(join(cwd, 'out', 'summary.csv')).map(({ tier }) => tier)).toEqual(['all', 'first', 'second']);
});

test.each([
  [['--results', 'nowhere.csv'], /nowhere\.csv: no such file/],
  [['--by', 'Height'], /no "Height" to slice by; there are: Sex/],
  [['--subscales', 'c'], /no subscale "c"/],
  [['--min-parse', '2'], /between 0 and 1/],
])('%j: exit code 2 and what to do', async (flags, message) => {
  const cwd = await folderOf();
  const { code, stderr } = await runCli([...PIPELINE, '--out', 'out', ...flags], { cwd });
  expect([code, message.test(stderr)], stderr).toEqual([2, true]);
});

test('predictions never take the place of the results', async () => {
  const cwd = await folderOf();
  const ingest = [
    'ingest',
    'scale',
    ...SCALE,
    '--results',
    'results.csv',
    '--out',
    './results.csv',
    '--force',
  ];
  expect(await runCli(ingest, { cwd })).toMatchObject({ code: 2 });
});
