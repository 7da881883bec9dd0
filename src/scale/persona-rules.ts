/**
 * What must hold of tiers and personas: tiers of parts that there are, templates that can be parsed, and no name in them
 * that nothing stands behind.
 */
import { AuditError } from '../errors.ts';
import { ChatTemplate, freeNames, isTemplateWord } from '../prompt/index.ts';
import type { ShapeFault } from '../yaml/index.ts';
import type { ScaleFile } from './schema.ts';

type Path = (string | number)[];
type FilePersonas = NonNullable<ScaleFile['personas']>;

/** What the templates `system` and `ask` may name. */
export const SYSTEM_NAMES = ['scale', 'subscales', 'keys'] as const;

export function personaFaults(file: ScaleFile): ShapeFault[] {
  const { personas } = file;
  return [
    ...tierFaults(file),
    ...(personas === undefined ? [] : [...columnFaults(personas), ...templateFaults(personas)]),
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

function templateFaults({ system, ask, parts, columns }: FilePersonas): ShapeFault[] {
  const variables = Object.keys(columns);
  return [
    ...templateFault(['personas', 'system'], system, SYSTEM_NAMES),
    ...templateFault(['personas', 'ask'], ask, SYSTEM_NAMES),
    ...Object.entries(parts).flatMap(([part, sentences]) =>
      sentences.flatMap((sentence, index) =>
        templateFault(['personas', 'parts', part, index], sentence, variables),
      ),
    ),
  ];
}

function templateFault(path: Path, source: string, known: readonly string[]): ShapeFault[] {
  const place = path.join('.');
  try {
    new ChatTemplate(source, { name: place });
  } catch (thrown) {
    if (!(thrown instanceof AuditError)) throw thrown;
    return [{ path, message: thrown.message }];
  }
  return freeNames(source)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path, message: `${place} names "${name}", which is none of: ${known.join(', ')}` }));
}
