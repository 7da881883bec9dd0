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
  {
    row: 2,
    id: 'c\n"',
    status: 'skipped',
    slices: { occupation: null },
    clusters: { template: 't', occupation: null },
    reason: 'r',
    message: 'm',
  },
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

describe('damage', () => {
  const change = async (how: (lines: string[]) => string[] | string): Promise<string> => {
    const path = await written();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const changed = how(lines);
    writeFileSync(path, typeof changed === 'string' ? changed : `${changed.join('\n')}\n`);
    return path;
  };
  const swapped = ([a, b, ...rest]: string[]) => [b!, a!, ...rest];
  const cases: Readonly<Record<string, readonly [(lines: string[]) => string[] | string, number]>> = {
    'a changed digit in the first line': [([a, ...rest]) => [a!.replace('0.1', '0.2'), ...rest], 1],
    'a changed digit in the middle': [([a, b, c]) => [a!, b!.replace('"line":2', '"line":3'), c!], 2],
    'a changed letter in the last line': [([a, b, c]) => [a!, b!, c!.replace('"r"', '"s"')], 3],
    'a changed digit of a checksum': [
      ([a, ...rest]) => [a!.replace(/(.)"\}$/, (_, digit) => `${digit === '0' ? 1 : 0}"}`), ...rest],
      1,
    ],
    'a checksum whose name was changed': [
      ([a, ...rest]) => [a!.replace('crc32":"', 'crc32": "'), ...rest],
      1,
    ],
    'a checksum that was taken out of the first line': [
      ([a, ...rest]) => [a!.replace(/,"crc32":"\w+"/, ''), ...rest],
      1,
    ],
    'a checksum that was taken out of a later line': [
      ([a, b, c]) => [a!, b!.replace(/,"crc32":"\w+"/, ''), c!],
      2,
    ],
    'a missing line': [([a, , c]) => [a!, c!], 2],
    'a doubled line': [([a, b, c]) => [a!, b!, b!, c!], 3],
    'swapped lines': [swapped, 1],
    'an empty line': [([a, ...rest]) => [a!, '', ...rest], 2],
    'a line of something else': [([a, ...rest]) => [a!, 'hello', ...rest], 2],
    'a line that was appended': [(lines) => [...lines, '{"row":9,"id":null,"status":"ok"}'], 4],
    'a block of NUL bytes': [([a, b, c]) => [a!, '\0'.repeat(b!.length), c!], 2],
    'a replaced character beyond ASCII': [([a, b, c]) => [a!, b!.replace('"m"', '"ü"'), c!], 2],
  };
  it.each(Object.entries(cases))('is named by its line: %s', async (_, [how, line]) => {
    const path = await change(how);
    const error = await faultOf(collect(path));
    expect([error.code, error.data.line]).toEqual(['data_malformed', line]);
    expect(error.message).toContain(`${path}: line ${line} of the journal`);
    expect(error.message).toContain('make the run again in a new folder');
  });

  it.each([
    ['half a line', '{"row":3,"id":"d","sta'],
    ['NUL bytes of a file that was made longer', '\0'.repeat(64)],
    ['half a character', Buffer.from([0x7b, 0x22, 0xc3])],
  ])('is none: %s behind the last line feed, of a run that was killed', async (_, tail) => {
    const path = await written();
    appendFileSync(path, tail);
    expect((await collect(path)).length).toBe(3);
  });

  it('is none: line ends that an editor changed', async () => {
    expect((await collect(await change((lines) => `${lines.join('\r\n')}\r\n`))).length).toBe(3);
  });

  it('a journal of an earlier version has no checksums and is read', async () => {
    const bare = await change((lines) => lines.map((line) => line.replace(/,"crc32":"\w+"/, '')));
    expect((await collect(bare)).length).toBe(3);
  });

  it('texts with line separators of Unicode are one row', async () => {
    const path = join(temporaryFolder(), 'rows.jsonl');
    const journal = await JournalWriter.create(path);
    const entry: JournalEntry = {
      row: 0,
      id: '\u2028\u2029\u0085',
      status: 'ok',
      slices: {},
      result: { text: 'a\u2028b' },
    };
    await journal.append([entry, { ...entry, row: 1 }]);
    await journal.close();
    const more = await JournalWriter.continue(path);
    await more.append([{ ...entry, row: 2 }]);
    await more.close();
    expect((await collect(path)).map(({ id }) => id)).toEqual(Array(3).fill('\u2028\u2029\u0085'));
  });
});
