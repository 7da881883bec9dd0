/** The store of vectors on disk: whatever changes in its files is seen, and named, when it is read. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { textHash, VectorStore } from '../../../../src/suites/rules/retrieval/store/vector-store.ts';
import { faultOf } from '../../../fault.ts';
import { temporaryFolder } from '../../../temporary.ts';
import { DIMENSION, hashVector, IDENTITY } from './fake-embedder.ts';

const LENGTH = DIMENSION * 4;
/** Texts of each group. */
const GROUPS = [3, 1, 4, 2];
const TEXTS = GROUPS.reduce((sum, count) => sum + count, 0);

let folder: string;
let store: string;
beforeEach(async () => {
  folder = temporaryFolder();
  const made = await VectorStore.open(folder, IDENTITY);
  let text = 0;
  for (const count of GROUPS)
    await append(
      made,
      Array.from({ length: count }, () => text++),
    );
  await made.close();
  store = join(folder, readdirSync(folder)[0]!.replace(/\.\w+$/, ''));
});

function append(to: VectorStore, texts: readonly number[]): Promise<void> {
  const vectors = texts.map((text) => hashVector(`${text}`));
  const joined = new Float32Array(texts.length * DIMENSION);
  for (const [index, vector] of vectors.entries()) joined.set(vector, index * DIMENSION);
  return to.append(
    texts.map((text) => textHash(`${text}`)),
    joined,
  );
}

/** Opens the store and reads rows of it. */
async function read(rows: readonly number[]): Promise<Float32Array> {
  const opened = await VectorStore.open(folder, IDENTITY);
  try {
    return await opened.read(rows);
  } finally {
    await opened.close();
  }
}

function flip(file: string, byte: number): void {
  const bytes = readFileSync(file);
  bytes[byte]! ^= 1;
  writeFileSync(file, bytes);
}

const ALL = Array.from({ length: TEXTS }, (_, row) => row);
const expected = (rows: readonly number[]) => rows.flatMap((row) => [...hashVector(`${row}`)]);

/** The index as an earlier version wrote it. */
function withoutChecksums(): void {
  const lines = readFileSync(`${store}.jsonl`, 'utf8').trim().split('\n');
  const old = lines.map((line) => {
    const { crc32: _, vectorsCrc32: __, ...rest } = JSON.parse(line);
    return `${JSON.stringify(rest)}\n`;
  });
  writeFileSync(`${store}.jsonl`, old.join(''));
}

describe('vectors', () => {
  it('come back in the order that is asked for, across groups', async () => {
    for (const rows of [ALL, [9, 0, 3, 4, 5, 2], [7], [2, 3], []]) {
      expect([...(await read(rows))]).toEqual(expected(rows));
    }
  });

  it('of which any byte is changed are named by file and block', async () => {
    const ends = GROUPS.map((_, group) => GROUPS.slice(0, group + 1).reduce((sum, count) => sum + count, 0));
    for (const row of ALL) {
      for (const byte of [0, 1, LENGTH - 1]) {
        const at = row * LENGTH + byte;
        flip(`${store}.f32`, at);
        const block = ends.findIndex((end) => row < end) + 1;
        const [from, to] = [(ends[block - 2] ?? 0) * LENGTH, ends[block - 1]! * LENGTH - 1];
        const fault = await faultOf(() => read(ALL));
        expect([at, fault.code, fault.data]).toEqual([at, 'data_malformed', { file: `${store}.f32`, block }]);
        expect(fault.message).toContain(`block ${block} (bytes ${from} to ${to}) does not fit its checksum`);
        // Its neighbours in the block are suspect with it; the others are not.
        expect((await faultOf(() => read([ends[block - 1]! - 1]))).data.block).toBe(block);
        const others = ALL.filter((one) => one < (ends[block - 2] ?? 0) || one >= ends[block - 1]!);
        expect([...(await read(others))]).toEqual(expected(others));
        flip(`${store}.f32`, at);
      }
    }
  });

  it('that another store has in their place are seen', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    const moved = await VectorStore.open(other, IDENTITY);
    await append(moved, ALL.toReversed());
    await moved.close();
    copyFileSync(join(other, readdirSync(other).find((name) => name.endsWith('.f32'))!), `${store}.f32`);
    expect((await faultOf(() => read(ALL))).data.block).toBe(1);
  });

  it('of an earlier version, without checksums, are read, and what is appended has one', async () => {
    withoutChecksums();
    expect([...(await read(ALL))]).toEqual(expected(ALL));
    const opened = await VectorStore.open(folder, IDENTITY);
    await append(opened, [TEXTS, TEXTS + 1]);
    await opened.close();
    expect([...(await read([...ALL, TEXTS, TEXTS + 1]))]).toEqual(expected([...ALL, TEXTS, TEXTS + 1]));
    flip(`${store}.f32`, 0);
    await read(ALL);
    flip(`${store}.f32`, TEXTS * LENGTH);
    expect((await faultOf(() => read([TEXTS + 1]))).data.block).toBe(GROUPS.length + 1);
  });
});

describe('an index', () => {
  const lines = () => readFileSync(`${store}.jsonl`, 'utf8').split('\n');
  const write = (changed: readonly string[]) => writeFileSync(`${store}.jsonl`, changed.join('\n'));
  const cases: Readonly<Record<string, [(all: string[]) => string[], number]>> = {
    'with a changed hash': [(all) => all.with(2, all[2]!.replace(/[0-9a-f]{64}/, 'a'.repeat(64))), 3],
    'with a changed dimension': [(all) => all.with(0, all[0]!.replace(`:${DIMENSION},`, ':12,')), 1],
    'with a changed checksum of vectors': [
      (all) => all.with(1, all[1]!.replace(/"vectorsCrc32":\d/, '"vectorsCrc32":')),
      2,
    ],
    'without a line': [(all) => all.toSpliced(2, 1), 3],
    'with a line twice': [(all) => all.toSpliced(2, 0, all[1]!), 3],
    'with two lines changed about': [(all) => [all[0]!, all[2]!, all[1]!, ...all.slice(3)], 2],
    'with a line that lost its checksum': [
      (all) => all.with(3, all[3]!.replace(/,"crc32":"[0-9a-f]+"/, '')),
      4,
    ],
    'with a checksum that cannot be read': [
      (all) => all.with(1, all[1]!.replace('"crc32":"', '"crc32":"x')),
      2,
    ],
  };
  it.each(Object.entries(cases))('%s is refused by line', async (_, [change, row]) => {
    write(change(lines()));
    const fault = await faultOf(() => read(ALL));
    expect([fault.code, fault.data]).toEqual(['data_malformed', { file: `${store}.jsonl`, row }]);
  });

  it('with a torn last line, of a process that was killed, loses that group alone', async () => {
    writeFileSync(`${store}.jsonl`, readFileSync(`${store}.jsonl`).subarray(0, -5));
    const left = ALL.slice(0, -GROUPS.at(-1)!);
    expect([...(await read(left))]).toEqual(expected(left));
    const opened = await VectorStore.open(folder, IDENTITY);
    await append(opened, ALL.slice(left.length));
    await opened.close();
    expect([...(await read(ALL))]).toEqual(expected(ALL));
  });
});
