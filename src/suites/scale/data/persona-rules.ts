/**
 * What must hold of tiers and personas: tiers of parts that there are, templates that can be parsed, and no name in them
 * that nothing stands behind.
 */

import type { ShapeFault } from '../../../catalog/index.ts';
import { AuditError } from '../../../errors.ts';
import { isTemplateWord } from '../../../prompt/index.ts';
import type { ScaleFile } from './schema.ts';
import { placeOf, type ReadTemplates, templatesOf } from './templates.ts';

type Path = (string | number)[];
type FilePersonas = NonNullable<ScaleFile['personas']>;

/** What the templates `system` and `ask` may name. */
const SYSTEM_NAMES: readonly string[] = ['scale', 'subscales', 'keys'];

export function personaFaults(file: ScaleFile, templates: ReadTemplates): ShapeFault[] {
  const { personas } = file;
  return [
    ...tierFaults(file),
    ...(personas === undefined ? [] : [...columnFaults(personas), ...templateFaults(personas, templates)]),
  ];
}

function tierFaults({ tiers = [], personas }: ScaleFile): ShapeFault[] {
  const known = Object.keys(personas?.parts ?? {});
  return tiers.flatMap(({ name, parts = [] }, index): ShapeFault[] => {
    const first = tiers.findIndex((tier) => tier.name === name);
    const twice = `tiers[${index}].name is "${name}", as that of tiers[${first}]; a tier is listed once`;
    return [
      ...(first === index ? [] : [{ path: ['tiers', index, 'name'], message: twice }]),
      ...parts.flatMap((part, at): ShapeFault[] => {
        const path: Path = ['tiers', index, 'parts', at];
        const place = `tiers[${index}].parts[${at}]: "${part}"`;
        if (!known.includes(part)) {
          const there = known.length === 0 ? 'it has no parts' : `the parts are ${known.join(', ')}`;
          return [{ path, message: `${place} is no part of personas; ${there}` }];
        }
        return parts.indexOf(part) === at
          ? []
          : [{ path, message: `${place} is listed twice; it counts once` }];
      }),
    ];
  });
}

function columnFaults({ columns }: FilePersonas): ShapeFault[] {
  return Object.keys(columns)
    .filter(isTemplateWord)
    .map((name) => ({
      path: ['personas', 'columns', name],
      message: `personas.columns.${name}: "${name}" is a word of the template language; call the variable otherwise`,
    }));
}

function templateFaults(personas: FilePersonas, read: ReadTemplates): ShapeFault[] {
  const variables = Object.keys(personas.columns);
  const faults: ShapeFault[] = [];
  for (const { path } of templatesOf(personas)) {
    const place = placeOf(path);
    const names = read.get(place)!;
    if (names instanceof AuditError) {
      faults.push({ path, message: names.message });
      // Those behind one that was stopped are not looked at.
      if (names.data.limit !== undefined) return faults;
      continue;
    }
    const known = path[1] === 'parts' ? variables : SYSTEM_NAMES;
    for (const name of names.filter((one) => !known.includes(one))) {
      faults.push({ path, message: `${place} names "${name}", which is none of: ${known.join(', ')}` });
    }
  }
  return faults;
}
