/** Tables of numbers by occupation: which columns are numbers, and what is refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOccupations } from '../../src/run/index.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';

function table(...lines: string[]): string {
  const path = join(temporaryFolder(), 'occupations.csv');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

describe('readOccupations', () => {
  it('takes every column of numbers, by its name, and leaves out words and years', async () => {
    const read = await readOccupations(
      table('occupation,share,note,bls_year', 'Nurse,0.9,many,2015', 'pilot,0.05,few,2016'),
    );
    expect(read).toEqual([
      {
        name: 'share',
        values: new Map([
          ['nurse', 0.9],
          ['pilot', 0.05],
        ]),
      },
    ]);
  });

  it('has no number where a cell is empty, and keeps the others of the column', async () => {
    const [share] = await readOccupations(table('occupation,share', 'nurse,0.9', 'pilot,', 'clerk,0.7'));
    expect([...share!.values.keys()]).toEqual(['nurse', 'clerk']);
  });

  it('reads decimal commas where the column shows that it has them', async () => {
    const lines = ['occupation;share;count', 'nurse;90,5;1,234', 'pilot;12;5,678'];
    const read = await readOccupations(table(...lines)).catch((thrown: Error) => thrown.message);
    expect(read).toEqual([
      {
        name: 'share',
        values: new Map([
          ['nurse', 90.5],
          ['pilot', 12],
        ]),
      },
    ]);
  });

  it('refuses a table without numbers, and an occupation that comes twice', async () => {
    const words = await faultOf(readOccupations(table('occupation,note', 'nurse,many')));
    expect(words).toMatchObject({ code: 'data_malformed', message: expect.stringContaining('note') });
    const twice = await faultOf(readOccupations(table('occupation,share', 'nurse,0.9', 'Nurse,0.8')));
    expect(twice).toMatchObject({ code: 'data_malformed', message: expect.stringContaining('row 2') });
  });
});
