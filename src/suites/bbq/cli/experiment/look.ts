/** `experiment list` and `experiment show`. */

import { formatJson, renderTable } from '../../../../report/index.ts';
import { print } from '../../../../report/terminal.ts';
import { warn } from '../../../../shell/exit.ts';
import {
  AXIS_KEYS,
  axisValues,
  type ListedExperiment,
  listExperiments,
  meaningOf,
  ownTablePath,
  resolveExperiment,
  tokenPattern,
} from '../../experiment/index.ts';
import { describeAxes } from './describe.ts';

export async function list({ json }: { json?: boolean }): Promise<void> {
  const experiments = await listExperiments();
  if (json) {
    print(formatJson({ experiments: experiments.map(forPrograms) }));
    return;
  }
  const columns = [
    { key: 'name' },
    { key: 'from' },
    { key: 'axes', header: 'differs from the defaults', maxWidth: 60 },
    { key: 'description', maxWidth: 50 },
  ];
  print(`${renderTable(columns, experiments.map(forPeople))}\n`);
  for (const { error } of experiments) if (error !== null) warn(error.message);
}

function forPrograms({ error, ...entry }: ListedExperiment) {
  return { ...entry, error: error === null ? null : error.toJSON() };
}

function forPeople({ name, source, overridesShipped, experiment }: ListedExperiment) {
  return {
    name,
    from: overridesShipped ? 'yours, overrides the shipped one' : source,
    axes: experiment === null ? null : describeAxes(experiment),
    description: experiment === null ? 'has faults' : experiment.description,
  };
}

export async function show(name: string, { json }: { json?: boolean }): Promise<void> {
  const experiment = await resolveExperiment(name);
  if (json) {
    print(formatJson(experiment));
    return;
  }
  const { description, source } = experiment;
  const from = source === 'shipped' ? 'shipped' : `yours, ${ownTablePath()}`;
  const values = axisValues(experiment);
  const rows = AXIS_KEYS.map((key) => {
    const value = values[key];
    return { key, value: String(value), meaning: meaningOf(key, value) };
  });
  const columns = [{ key: 'key' }, { key: 'value' }, { key: 'meaning' }];
  const lines = [
    `${name} (${from})${description === null ? '' : `: ${description}`}`,
    renderTable(columns, rows),
    `results are named DATA_${tokenPattern(experiment)}`,
  ];
  print(`${lines.join('\n')}\n`);
}
