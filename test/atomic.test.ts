import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAtomic } from '../src/atomic.ts';
import { writeCsv } from '../src/report/index.ts';
import { faultOf } from './fault.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atomic-'));
});
afterEach(() => rm(folder, { recursive: true }));

const AB = [{ key: 'a' }, { key: 'b', header: 'B b' }];

describe('writeAtomic', () => {
  it('leaves the old file and nothing else when the pieces fail', async () => {
    const path = join(folder, 'a.csv');
    await writeFile(path, 'old');
    const fault = await faultOf(() => writeCsv(path, AB, [{ a: 1 }, { a: Number.NaN }]));
    expect(fault.code).toBe('not_finite');
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.csv']);
    const own = new Error('own');
    async function* broken() {
      yield 'x';
      throw own;
    }
    await expect(writeAtomic(path, broken())).rejects.toBe(own);
    expect(await readdir(folder)).toEqual(['a.csv']);
  });

  it('replaces the old file at the end only', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'old');
    async function* pieces() {
      yield 'n';
      expect(await readFile(path, 'utf8')).toBe('old');
      yield 'éw';
    }
    await writeAtomic(path, pieces());
    expect(await readFile(path, 'utf8')).toBe('néw');
  });

  it('says what is wrong with a path', async () => {
    await mkdir(join(folder, 'taken', 'inner'), { recursive: true });
    const error = await faultOf(() => writeAtomic(join(folder, 'taken'), ['x']));
    expect(error.code).toBe('file_unwritable');
    expect(error.message).toContain('taken cannot be written (EISDIR)');
    expect(await readdir(folder)).toEqual(['taken']);
    await writeFile(join(folder, 'file'), '');
    expect((await faultOf(() => writeAtomic(join(folder, 'file', 'x'), ['x']))).code).toBe('file_unwritable');
  });

  it.skipIf(process.getuid?.() === 0)('says when a folder may not be written to', async () => {
    await chmod(folder, 0o500);
    const error = await faultOf(() => writeAtomic(join(folder, 'a'), ['x']));
    await chmod(folder, 0o700);
    expect(error.code).toBe('file_unwritable');
    expect(error.message).toContain('EACCES');
  });
});
