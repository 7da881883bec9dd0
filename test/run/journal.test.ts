import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type JournalEntry, JournalWriter, readJournal } from '../../src/run/journal.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';

const ENTRIES: JournalEntry[] = [
  { row: 0, id: 'a', status: 'ok', slices: { occupation: 'nurse' }, result: { gap: 0.1, list: [1, 2] } },
  {
    row: 1,
    id: null,
    status: 'failed',
    slices: {},
    error: { code: 'row_invalid', message: 'm', data: { line: 2 } },
  },
  { row: 2, id: 'c\n"', status: 'skipped', slices: { occupation: null }, reason: 'r', message: 'm' },
];

async function collect(path: string): Promise<JournalEntry[]> {
  const all: JournalEntry[] = [];
  for await (const entry of readJournal(path, ['occupation'])) all.push(entry);
  return all;
}

async function written(): Promise<string> {
  const path = join(temporaryFolder(), 'rows.jsonl');
  const journal = await JournalWriter.create(path);
  await journal.append(ENTRIES.slice(0, 2));
  await journal.append([]);
  await journal.append(ENTRIES.slice(2));
  await journal.close();
  return path;
}

describe('the journal', () => {
  it('gives back what was written, a row a line', async () => {
    const path = await written();
    expect(readFileSync(path, 'utf8').trim().split('\n').length).toBe(3);
    expect(await collect(path)).toEqual([
      ENTRIES[0],
      { ...ENTRIES[1], slices: { occupation: null } },
      ENTRIES[2],
    ]);
  });

  it('does not take a torn last line for a row', async () => {
    const path = await written();
    appendFileSync(path, '{"index":3,"id":"d","stat');
    expect((await collect(path)).length).toBe(3);
  });

  it('refuses a damaged line in the middle', async () => {
    const path = await written();
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [lines[0], '{"torn', ...lines.slice(1)].join('\n'));
    const error = await faultOf(collect(path));
    expect([error.code, error.data.line]).toEqual(['data_malformed', 2]);
  });

  it('is never opened over another', async () => {
    const path = await written();
    await expect(JournalWriter.create(path)).rejects.toThrow('EEXIST');
  });
});
