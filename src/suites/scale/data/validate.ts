/** A scale looked over: every fault, and what is allowed but may not be meant. */

import type { PlacedFault } from '../../../catalog/index.ts';
import { AuditError } from '../../../errors.ts';
import { examineLocated } from './load.ts';
import type { Scale } from './scale.ts';
import { type ScaleFolder, scaleFiles, shippedScales } from './store.ts';
import type { ReadTemplates } from './templates.ts';

export interface ScaleReport {
  /** Null if there are faults. */
  readonly scale: Scale | null;
  readonly faults: readonly PlacedFault[];
  readonly warnings: readonly PlacedFault[];
}

/**
 * Looks a scale over, by name or path. What is wrong with it is in the report and not thrown. Errors: `file_not_found`,
 * `file_unreadable`.
 */
export async function validateScale(nameOrPath: string, { folder }: ScaleFolder = {}): Promise<ScaleReport> {
  const location = await scaleFiles.locate(nameOrPath, folder);
  const examined = await examineLocated(location, await scaleFiles.read(location, folder));
  const { scale, faults } = examined;
  const place: Placer = (path, message) => {
    return { file: location.shown, path, line: examined.lineOf(path), message };
  };
  const { name, origin } = location;
  const overrides = origin === 'own' && name !== null && (await shippedScales()).includes(name);
  const warnings = [
    ...examined.warnings,
    ...(overrides ? [place([], `is used instead of the shipped scale ${name}`)] : []),
    ...(scale === null ? [] : warningsOf(scale, namesIn(examined.templates), place)),
  ];
  return { scale, faults, warnings };
}

type Placer = (path: readonly (string | number)[], message: string) => PlacedFault;

/** What templates of personas name. */
function namesIn(templates: ReadTemplates): ReadonlySet<string> {
  return new Set([...templates.values()].flatMap((names) => (names instanceof AuditError ? [] : names)));
}

function warningsOf(scale: Scale, names: ReadonlySet<string>, place: Placer): PlacedFault[] {
  const { tiers, personas } = scale;
  if (personas === null) {
    return [
      place([], 'has no personas, so that no model can be asked by it; answers that are there can be read'),
    ];
  }
  return [
    ...(tiers.length === 0
      ? [place([], 'has personas, but no tiers that say what a model learns of them')]
      : []),
    ...tiers.flatMap(({ name, parts }, index) =>
      parts.length > 0
        ? []
        : [place(['tiers', index], `tiers[${index}]: ${name} tells a model nothing of a participant`)],
    ),
    ...unusedParts(scale, place),
    ...unusedColumns(scale, names, place),
  ];
}

function unusedParts({ tiers, personas }: Scale, place: Placer): PlacedFault[] {
  const used = new Set(tiers.flatMap(({ parts }) => parts));
  return Object.keys(personas!.parts)
    .filter((part) => !used.has(part))
    .map((part) => place(['personas', 'parts', part], `personas.parts.${part} is in no tier`));
}

function unusedColumns({ personas }: Scale, names: ReadonlySet<string>, place: Placer): PlacedFault[] {
  return Object.keys(personas!.columns)
    .filter((name) => !names.has(name))
    .map((name) => place(['personas', 'columns', name], `personas.columns.${name} stands in no part`));
}
