/** Scales by name or by path. */
import { type FileLocation, invalidFile, type PlacedFault } from '../../../catalog/index.ts';
import type { AuditError } from '../../../errors.ts';
import { type ExaminedScale, examineScale } from './parse.ts';
import type { Scale } from './scale.ts';
import { type ScaleFolder, scaleFiles } from './store.ts';

/** `scale_invalid` about `subject`, with every fault in `data.faults` and the first few in the message. */
export function invalidScale(subject: string, faults: readonly PlacedFault[]): AuditError {
  return invalidFile('scale_invalid', 'scale', subject, faults);
}

/**
 * Loads a scale. A bare name (`prca-24`) is one of the user's own, `scales/prca-24.yaml` in the working folder, or else a
 * shipped one; anything else is a path to YAML or JSON. Errors: `file_not_found`, `file_unreadable`, `scale_invalid`.
 */
export async function loadScale(nameOrPath: string, { folder }: ScaleFolder = {}): Promise<Scale> {
  return await loadLocation(await scaleFiles.locate(nameOrPath, folder), { folder });
}

/** The bytes of a scale's file, right or not. Errors: `file_not_found`, `file_unreadable`. */
export async function readScaleFile(nameOrPath: string, { folder }: ScaleFolder = {}): Promise<Uint8Array> {
  return await scaleFiles.read(await scaleFiles.locate(nameOrPath, folder), folder);
}

export async function loadLocation(location: FileLocation, { folder }: ScaleFolder = {}): Promise<Scale> {
  const { scale, faults } = await examineLocated(location, await scaleFiles.read(location, folder));
  if (scale === null) throw invalidScale(location.shown, faults);
  return scale;
}

/** What is in the file of a scale; one that goes by name must say the same name itself, since runs record that. */
export async function examineLocated(
  { name, origin, shown }: FileLocation,
  bytes: Uint8Array,
): Promise<ExaminedScale> {
  const examined = await examineScale(bytes, shown, origin);
  const { scale, faults } = examined;
  if (scale === null || name === null || scale.name === name) return examined;
  const fault: PlacedFault = {
    file: shown,
    path: ['name'],
    line: examined.lineOf(['name']),
    message: `name is "${scale.name}", but the file is called ${name}.yaml; write name: ${name}, or rename the file`,
  };
  return { ...examined, scale: null, faults: [...faults, fault] };
}
