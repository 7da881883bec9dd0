/** `scale list` and `scale show`. */

import { formatJson, renderTable } from '../../../../report/index.ts';
import { print, printFile } from '../../../../report/terminal.ts';
import { warn } from '../../../../shell/exit.ts';
import {
  type ListedScale,
  listScales,
  loadScale,
  predictionSchema,
  readScaleFile,
  type Scale,
} from '../../data/index.ts';

/** `group 6-30, interpersonal 6-30`, those that a model is not asked for in brackets. */
export function describeSubscales({ subscales, asked }: Scale): string {
  return Object.values(subscales)
    .map(({ name, min, max }) => {
      const text = `${name} ${min}-${max}`;
      return asked.includes(name) ? text : `(${text})`;
    })
    .join(', ');
}

export async function list({ json }: { json?: boolean }): Promise<void> {
  const { scales, nameless } = await listScales();
  if (json) {
    print(formatJson({ scales: scales.map(forPrograms), nameless }));
    return;
  }
  const columns = [
    { key: 'name' },
    { key: 'from' },
    { key: 'subscales', maxWidth: 50 },
    { key: 'tiers', maxWidth: 30 },
    { key: 'title', maxWidth: 50 },
  ];
  print(`${renderTable(columns, scales.map(forPeople))}\n`);
  for (const { error } of scales) if (error !== null) warn(error.message);
  for (const file of nameless) {
    warn(`${file} has no name to go by; call it NAME.yaml with letters, digits, _ and -, or give its path`);
  }
}

function forPrograms({ error, scale, ...entry }: ListedScale) {
  return { ...entry, summary: scale && summaryOf(scale), error: error === null ? null : error.toJSON() };
}

function summaryOf({ sha256, title, subscales, asked, tiers, items }: Scale) {
  return {
    sha256,
    title,
    items: Object.keys(items).length,
    subscales: Object.values(subscales).map(({ name, min, max }) => ({ name, min, max })),
    asked,
    tiers: tiers.map(({ name }) => name),
  };
}

function forPeople({ name, origin, overridesShipped, scale }: ListedScale) {
  const own = overridesShipped ? 'yours, overrides the shipped one' : 'yours';
  return {
    name,
    from: origin === 'shipped' ? 'shipped' : own,
    subscales: scale === null ? null : describeSubscales(scale),
    tiers: scale?.tiers.map((tier) => tier.name).join(', ') ?? null,
    title: scale?.title ?? 'has faults',
  };
}

export async function show(
  name: string,
  { json, schema }: { json?: boolean; schema?: boolean },
): Promise<void> {
  if (json || schema) {
    const scale = await loadScale(name);
    print(formatJson(schema ? predictionSchema(scale) : scale));
    return;
  }
  const bytes = await readScaleFile(name);
  printFile(bytes);
}
