/** Which scales there are by name: the shipped ones and the user's own. */

import type { NamedLocation } from '../../../catalog/index.ts';
import { type AuditError, toAuditError } from '../../../errors.ts';
import { loadLocation } from './load.ts';
import type { Scale } from './scale.ts';
import { type ScaleFolder, scaleFiles, shippedScales } from './store.ts';

export interface ListedScale {
  readonly name: string;
  readonly origin: 'shipped' | 'own';
  /** Is this an own scale that is used instead of a shipped one? That one is not listed then. */
  readonly overridesShipped: boolean;
  readonly file: string;
  /** Null for a file that is not right, and then `error` says why. */
  readonly scale: Scale | null;
  readonly error: AuditError | null;
}

export interface ScaleList {
  /** By name. */
  readonly scales: readonly ListedScale[];
  /** YAML and JSON files of the user's folder that go by no name: `my scale.yaml`, `mine.yml`. */
  readonly nameless: readonly string[];
}

/**
 * The scales that go by name in the working folder, those with faults too. Throws `file_unreadable` for a folder that
 * cannot be looked into.
 */
export async function listScales({ folder }: ScaleFolder = {}): Promise<ScaleList> {
  const shipped = await shippedScales();
  const { names: own, nameless } = await scaleFiles.ownNames(folder);
  const scales: ListedScale[] = [];
  // One after the other: each has a process that reads its templates.
  for (const name of shipped.filter((one) => !own.includes(one))) {
    scales.push(await listed(scaleFiles.shippedLocation(name), 'shipped', false));
  }
  for (const name of own) {
    scales.push(await listed(scaleFiles.ownLocation(name, folder), 'own', shipped.includes(name)));
  }
  return { scales: scales.sort((a, b) => (a.name < b.name ? -1 : 1)), nameless };
}

async function listed(
  location: NamedLocation,
  origin: ListedScale['origin'],
  overridesShipped: boolean,
): Promise<ListedScale> {
  const entry = { name: location.name, origin, overridesShipped, file: location.path };
  try {
    return { ...entry, scale: await loadLocation(location), error: null };
  } catch (thrown) {
    return { ...entry, scale: null, error: toAuditError(thrown) };
  }
}
