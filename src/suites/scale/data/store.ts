/** Where scales lie: the user's own in `scales` of the working folder, before those that come with the package. */
import { fileURLToPath } from 'node:url';
import { NamedFiles } from '../../../catalog/index.ts';

/** Where the user's own scales are, in the working folder. */
export const OWN_SCALES = 'scales';

// src/ and dist/ lie equally deep, so one relative address serves both.
const SHIPPED = fileURLToPath(new URL('../../../../assets/scales/', import.meta.url));

export const scaleFiles = new NamedFiles({ kind: 'scale', shipped: SHIPPED, own: OWN_SCALES });

export interface ScaleFolder {
  /** Folder of the user's own scales; `scales` in the working folder unless said. */
  readonly folder?: string | undefined;
}

/** Names of the scales that come with the package, sorted. */
export function shippedScales(): Promise<string[]> {
  return scaleFiles.shippedNames();
}
