/** All rows are looked at before a model is loaded for them. */
import { expect, test } from 'vitest';
import { checkPanelUsable, checkUsable, type PlanOptions, planPanel, planRun } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { temporaryFolder } from '../dataset/helpers.ts';
import { faultOf } from '../fault.ts';

const folder = temporaryFolder();
const PAIR = 'She sang.,He sang.';

const planned = async (data: string, more: Partial<PlanOptions> = {}) => {
  const plan = await planRun({ suite: findSuite('ctf'), data, ...more });
  checkUsable(plan);
  return plan;
};

test('rows need no id; a file of which no row can be used is refused with the columns that it has', async () => {
  await planned(await folder.file('a.csv', `x,x_swap\n${PAIR}\n`));
  const bad = await folder.file('b.csv', `x,x swap\n${PAIR}\n${PAIR}\n`);
  const fault = await faultOf(() => planned(bad));
  expect([fault.code, fault.message]).toEqual([
    'row_invalid',
    `${bad}: row 1 (line 2): x_swap is missing; give a string; found: "x", "x swap"; did you mean "x swap"? ` +
      '(none of the 2 rows can be used)',
  ]);
});

test('one bad row of several is left to the run, unless it is strict', async () => {
  const mixed = await folder.file('c.csv', `id,x,x_swap\n1,${PAIR}\n2,,b\n`);
  expect((await planned(mixed)).survey).toMatchObject({ rows: 2, invalid: 1 });
  expect((await faultOf(() => planned(mixed, { strict: true }))).message).toContain('row 2');
  await planned(mixed, { strict: true, limit: 1 });
});

test('of a panel the part is named', async () => {
  const good = await folder.file('d.csv', `x,x_swap\n${PAIR}\n`);
  const parts = [
    { suite: findSuite('ctf'), data: good },
    { suite: findSuite('crows'), name: 'pairs', data: good },
  ];
  const out = await folder.file('panel');
  const fault = await faultOf(() => planPanel({ parts, out }).then(checkPanelUsable));
  expect(fault.message).toMatch(/^pairs: .*sent_more is missing.*found: "x", "x_swap"$/s);
});
