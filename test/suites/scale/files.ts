/** Small studies that tests write: a scale of two items a side, participants, and results. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCsv } from '../../../src/report/index.ts';
import { loadScale, type Scale } from '../../../src/suites/scale/data/index.ts';
import { temporaryFolder } from '../../temporary.ts';
import { rowsOf } from './vectors.ts';

/** Two sides of two items each, 2 to 10; one item counts the other way round. */
const SCALE = `
name: small
title: A small scale
construct: score
responses:
  - { value: 1, labels: ["no"] }
  - { value: 2, labels: [rather not] }
  - { value: 3, labels: [neither] }
  - { value: 4, labels: [rather] }
  - { value: 5, labels: ["yes"] }
items:
  A1: { reversed: false }
  A2: { reversed: true }
  B1: { reversed: false }
  B2: { reversed: false }
subscales:
  a: { title: one side, items: [A1, A2], key: a, bandKey: a_band }
  b: { title: the other, items: [B1, B2], key: b, bandKey: b_band }
bands:
  - { name: low, upTo: 4 }
  - { name: moderate }
  - { name: high, from: 8 }
tiers:
  - { name: first }
  - { name: second }
`;

export async function smallScale(folder: string): Promise<Scale> {
  const path = join(folder, 'small.yaml');
  writeFileSync(path, SCALE);
  return loadScale(path);
}

export const LABELS = ['no', 'rather not', 'neither', 'rather', 'yes'] as const;

/** A participant whose sides have these scores, from 2 to 10. */
export function person(id: string, a: number, b: number, about: Readonly<Record<string, string>> = {}) {
  const split = (sum: number): readonly [number, number] => [
    Math.min(5, sum - 1),
    sum - Math.min(5, sum - 1),
  ];
  const [a1, a2] = split(a);
  const [b1, b2] = split(b);
  const label = (value: number) => LABELS[value - 1]!;
  return {
    participant_id: id,
    ...about,
    A1: label(a1),
    // Reversed: a label of 2 counts 4.
    A2: label(6 - a2),
    B1: label(b1),
    B2: label(b2),
  };
}

export const answer = (a: unknown, b: unknown, more: object = {}) => JSON.stringify({ a, b, ...more });

type Cells = Readonly<Record<string, string>>;

/** Writes rows of one set of columns as a CSV file, and gives its path. */
export function csvFile(folder: string, name: string, rows: readonly Cells[]): string {
  const path = join(folder, name);
  const columns = Object.keys(rows[0] ?? { none: '' }).map((key) => ({ key }));
  writeFileSync(path, formatCsv(columns, rows));
  return path;
}

export interface SmallStudy {
  readonly folder: string;
  readonly scale: Scale;
  readonly results: string;
  readonly participants: string;
  /** A folder for what is made. */
  readonly out: string;
}

/** A study of these participants and texts by case id. */
export async function smallStudy(
  participants: readonly Cells[],
  texts: readonly (readonly [caseId: string, text: string])[],
): Promise<SmallStudy> {
  const folder = temporaryFolder();
  return {
    folder,
    scale: await smallScale(folder),
    participants: csvFile(folder, 'participants.csv', participants),
    results: csvFile(
      folder,
      'results.csv',
      texts.map(([caseid, text]) => ({ caseid, generated_text: text })),
    ),
    out: join(folder, 'out'),
  };
}

/** Rows of a table in the folder of results. */
export const table = ({ out }: Pick<SmallStudy, 'out'>, name: string) => rowsOf(join(out, name));
