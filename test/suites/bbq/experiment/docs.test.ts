/** What docs/extending.md says of the keys and the shipped rows is what the tables say. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  AXES,
  AXIS_KEYS,
  type Axis,
  axisValues,
  defaultOf,
  resolveExperiment,
  shippedExperiments,
} from '../../../../src/suites/bbq/experiment/index.ts';

const DOCS = readFileSync(new URL('../../../../docs/extending.md', import.meta.url), 'utf8').replace(
  /\\\*/g,
  '*',
);

it.each(AXIS_KEYS)('%s is told with every value, its default and what each means', (key) => {
  const line = DOCS.split('\n').find((text) => text.startsWith(`| \`${key}\` | `))!;
  const axis: Axis = AXES[key];
  expect(line).toContain(` | ${axis.meaning}`);
  if (axis.kind === 'name') return;
  for (const [value, meaning] of Object.entries(axis.values)) expect(line).toContain(`*${value}* ${meaning}`);
  expect(line.split(' | ')[1]!.split(', ')).toEqual(
    Object.keys(axis.values).map((value) => (value === String(axis.default) ? `**${value}**` : value)),
  );
});

it('every shipped row is told with what it differs in', async () => {
  for (const name of await shippedExperiments()) {
    const values = axisValues(await resolveExperiment(name, { folder: 'no-such-folder' }));
    const differing = AXIS_KEYS.filter((key) => values[key] !== defaultOf(key, name)).map(
      (key) => `\`${key}: ${values[key]}\``,
    );
    const line = DOCS.split('\n').filter((text) => text.startsWith(`| \`${name}\` | `));
    const told = differing.length === 0 ? 'nothing; the benchmark itself' : differing.join(', ');
    expect(line).toContain(`| \`${name}\` | ${told} |`);
  }
});
