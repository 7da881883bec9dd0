/** Many result files in memory that does not grow with them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ASKED, balancedRows, letter, write } from '../suites/bbq/made.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const MODELS = 40;
const ROWS_A_FILE = 420;
/** Far less than all rows at once would take. */
const HEAP_MIB = 64;

it('scores and aggregates 100 000 rows of 240 files', async () => {
  const cwd = temporaryFolder();
  const filler = 'The person in the picture could be either of the two, as far as the text goes. '.repeat(4);
  for (let model = 0; model < MODELS; model++) {
    for (const asked of ASKED) {
      const rows = balancedRows(asked.disambiguated, 'gender', ROWS_A_FILE).map((row) => ({
        ...row,
        image: filler,
        pred: `The answer is ${letter(row.correct_option_idx!)}.`,
      }));
      write(join(cwd, 'results', `M${model}`, asked.name), { data: rows });
    }
  }
  const { code, stdout, stderr } = await runCli(['pipeline', 'bbq', '--results', 'results', '--out', 'out'], {
    cwd,
    env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` },
  });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^240 files, 0 of 100.800 answers unparsed/m);
  const totals = readFileSync(join(cwd, 'out', 'metrics.csv'), 'utf8').match(/,gender,FS_total,1,/g);
  expect(totals?.length).toBe(MODELS);
}, 240_000);
