/**
 * Occupations for the tests: a few with made-up shares, and the sixty of the WinoGender schemas with the figures published
 * there (US Bureau of Labor Statistics, 2015 and 2016; Rudinger et al. 2018) where the data set is at hand.
 */

import { readFileSync } from 'node:fs';
import type { Occupation } from '../../../src/demo/planted/index.ts';
import { sharedFile } from '../../oracle/shared.ts';

/** Made up, with some that begin like other words of the model. */
export const FEW: readonly Occupation[] = [
  { word: 'nurse', shareOfWomen: 0.9 },
  { word: 'therapist', shareOfWomen: 0.75 },
  { word: 'manager', shareOfWomen: 0.5 },
  { word: 'heron-keeper', shareOfWomen: 0.25 },
  { word: 'plumber', shareOfWomen: 0.007 },
];

/** The sixty, or null when the data set is not there. */
export function sixty(): readonly Occupation[] | null {
  const path = sharedFile('datasets/winogender/data/occupations-stats.tsv');
  if (path === null) return null;
  const [head, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  const column = head?.split('\t').indexOf('bls_pct_female') ?? -1;
  return lines.map((line) => {
    const cells = line.split('\t');
    return { word: cells[0]!, shareOfWomen: Number(cells[column]) / 100 };
  });
}
