import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearTemporaries, readTemporary, writeAtomic } from '../../src/files/atomic.ts';
import { writeCsv } from '../../src/report/index.ts';
import { faultOf } from '../fault.ts';

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

describe('files that were not whole', () => {
  /** Another process that writes such a file, and is at it. */
  async function writer() {
    const module = pathToFileURL(join(import.meta.dirname, '../../dist/files/atomic.js')).href;
    const code = `
      const { writeAtomic } = await import(${JSON.stringify(module)});
      async function* pieces() { yield 'x'; await new Promise((resolve) => setTimeout(resolve, 1e6)); }
      await writeAtomic(${JSON.stringify(join(folder, 'other.csv'))}, pieces());`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
    const ended = new Promise((resolve) => child.once('close', resolve));
    while ((await readdir(folder)).length === 0) await sleep(5);
    const [file] = await readdir(folder);
    const kill = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    return { file: file!, kill };
  }

  it('stay while their process is there, and are cleared when it was killed', async () => {
    const { file, kill } = await writer();
    expect(readTemporary(file)).toEqual({ intended: 'other.csv', writer: 'alive' });
    clearTemporaries(folder);
    expect(await readdir(folder)).toEqual([file]);
    await kill();
    expect(readTemporary(file)).toEqual({ intended: 'other.csv', writer: 'gone' });
    // Whoever writes anything to the folder next, as its first thing there.
    await writeAtomic(join(folder, 'a.csv'), ['x']);
    expect(await readdir(folder)).toEqual(['a.csv']);
  });

  it('of another machine or of nobody who is known stay, and so do files of others', async () => {
    const { file, kill } = await writer();
    await kill();
    await rm(join(folder, file));
    const files = [
      file.replace(/\.([0-9a-f]{28})\./, (_, mark) => `.000000${mark.slice(6)}.`),
      '.a.csv.0123456789ab.tmp',
      '.a.csv.tmp',
      'a.0123456789ab.tmp',
      `.a.${'0'.repeat(27)}.tmp`,
    ].sort();
    for (const one of files) await writeFile(join(folder, one), '');
    clearTemporaries(folder);
    expect((await readdir(folder)).sort()).toEqual(files);
  });

  it('are cleared where pieces of the same folder are written, and a folder that is not there is no fault', () => {
    expect(() => clearTemporaries(join(folder, 'none'))).not.toThrow();
  });
});
