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

describe('a journal that was changed', () => {
  const damages: readonly [string, number, RegExp, (lines: string[]) => string[]][] = [
    ['a digit', 1, /checksum does not match/, ([a, ...rest]) => [a!.replace('0.1', '0.2'), ...rest]],
    ['a line taken out', 2, /does not follow/, ([a, , c]) => [a!, c!]],
    ['lines swapped', 1, /does not follow/, ([a, b, c]) => [b!, a!, c!]],
    ['a line twice', 2, /the line before it once more/, ([a, ...rest]) => [a!, a!, ...rest]],
    ['the beginning cut off', 1, /does not follow/, ([, ...rest]) => rest],
    ['a NUL block', 2, /holds 8 NUL bytes/, ([a, b, c]) => [a!, `\0\0\0\0\0\0\0\0${b!.slice(8)}`, c!]],
    ['CR LF', 1, /CR LF/, (lines) => lines.map((line) => `${line}\r`)],
    ['a byte order mark', 1, /byte order mark/, ([a, ...rest]) => [`\uFEFF${a}`, ...rest]],
    ['garbage behind it', 4, /no line of a run/, (lines) => [...lines, 'garbage']],
    ['a row of another program', 4, /no checksum/, (lines) => [...lines, '{"row":3,"id":"d","status":"ok"}']],
    ['an empty line', 2, /is empty/, ([a, ...rest]) => [a!, '', ...rest]],
    ['two lines joined by a cut', 1, /checksum|no line/, ([a, b, c]) => [a!.slice(0, 20) + b!.slice(20), c!]],
  ];
  it.each(damages)('%s: line %i is named', async (_, number, what, damage) => {
    const path = await written();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    writeFileSync(path, `${damage(lines).join('\n')}\n`);
    const error = await faultOf(collect(path));
    expect([error.code, error.data.line]).toEqual(['data_malformed', number]);
    expect(error.message).toMatch(what);
  });

  it('is read where it was written before lines had checks, and says so', async () => {
    const path = await written();
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/,"check":"[^"]*"/g, ''));
    let unchecked = 0;
    const rows = readJournal(path, ['occupation'], () => {
      unchecked += 1;
    });
    let count = 0;
    for await (const _ of rows) count += 1;
    expect(count).toBe(3);
    expect(unchecked).toBe(1);
  });
});

it('a text with every separator of lines is one line', async () => {
  const path = join(temporaryFolder(), 'rows.jsonl');
  const text = 'a\u2028b\u2029c\r\nd\u0085é日本';
  const journal = await JournalWriter.create(path);
  await journal.append([{ row: 0, id: 'a', status: 'ok', slices: { occupation: null }, result: { text } }]);
  await journal.close();
  const [entry] = await collect(path);
  expect(entry).toMatchObject({ result: { text } });
});
