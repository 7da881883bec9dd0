/** All rows are looked at before a model is loaded for them. */
import { expect, test } from 'vitest';
import { resolveOptions } from '../../src/contract/index.ts';
import { checkData, checkPanelData } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { temporaryFolder } from '../dataset/helpers.ts';
import { faultOf } from '../fault.ts';

const folder = temporaryFolder();
const ctf = findSuite('ctf');
const options = resolveOptions('ctf', ctf.options, {});
const PAIR = 'She sang.,He sang.';

test('rows need no id; a file of which no row can be used is refused with the columns that it has', async () => {
  await checkData(ctf, await folder.file('a.csv', `x,x_swap\n${PAIR}\n`), options);
  const bad = await folder.file('b.csv', `x,x swap\n${PAIR}\n${PAIR}\n`);
  const fault = await faultOf(() => checkData(ctf, bad, options));
  expect([fault.code, fault.message]).toEqual([
    'row_invalid',
    `${bad}: row 1 (line 2): x_swap is missing; give a string; found: "x", "x swap"; did you mean "x swap"? ` +
      '(none of the 2 rows can be used)',
  ]);
});

test('one bad row of several is left to the run, unless it is strict', async () => {
  const mixed = await folder.file('c.csv', `id,x,x_swap\n1,${PAIR}\n2,,b\n`);
  await checkData(ctf, mixed, options);
  expect((await faultOf(() => checkData(ctf, mixed, options, { strict: true }))).message).toContain('row 2');
  await checkData(ctf, mixed, options, { strict: true, limit: 1 });
});

test('of a panel the part is named', async () => {
  const good = await folder.file('d.csv', `x,x_swap\n${PAIR}\n`);
  const parts = [
    { suite: findSuite('ctf'), data: good },
    { suite: findSuite('crows'), name: 'pairs', data: good },
  ];
  const fault = await faultOf(() => checkPanelData({ parts }));
  expect(fault.message).toMatch(/^pairs: .*sent_more is missing.*found: "x", "x_swap"$/s);
});
