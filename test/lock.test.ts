import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AuditError } from '../src/errors.ts';
import { takeLock } from '../src/lock.ts';
import { describeSelf } from '../src/lock-holder.ts';
import { fault } from './fault.ts';
import { temporaryFolder } from './temporary.ts';

const refuse = (holder: string, remedy: string) => new AuditError('output_exists', `${holder}; ${remedy}`);
const self = () => describeSelf('abc');

describe('a lock', () => {
  it('names who holds it, and leaves nothing behind', () => {
    const lock = join(temporaryFolder(), '.lock');
    const release = takeLock(lock, refuse);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    expect(fault(() => takeLock(lock, refuse)).message).toContain(`process ${process.pid} on`);
    release();
    expect(readdirSync(dirname(lock))).toEqual([]);
  });

  it.each([
    ['an empty one', ''],
    ['null', 'null'],
    ['half of one', '{"pid":1'],
    ['NUL bytes', '\0\0\0\0'],
    ['another shape', '{"pid":"1","host":[]}'],
    [
      'an earlier version, with our own pid',
      JSON.stringify({ pid: process.pid, host: hostname(), token: 'x' }),
    ],
    ['our pid, before a restart of the machine', JSON.stringify({ ...self(), boot: 'another' })],
    ['our pid, of a process that started before', JSON.stringify({ ...self(), started: '1' })],
    ['a process that is gone', JSON.stringify({ ...self(), pid: 2 ** 30 })],
  ])('%s is taken over', (_, text) => {
    const lock = join(temporaryFolder(), '.lock');
    writeFileSync(lock, text);
    takeLock(lock, refuse)();
    expect(readdirSync(dirname(lock))).toEqual([]);
  });

  it.each([
    ['another machine', { ...self(), host: 'elsewhere' }, 'delete'],
    ['a living process', { ...self(), pid: process.ppid, started: null }, 'wait'],
    ['another container, a moment ago', { ...self(), namespace: 1 }, 'try again in a minute'],
  ])('of %s is kept', (_, holder, remedy) => {
    const lock = join(temporaryFolder(), '.lock');
    writeFileSync(lock, JSON.stringify(holder));
    expect(fault(() => takeLock(lock, refuse)).message).toContain(remedy);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual(holder);
  });

  it('that was left behind is taken by one of many at a time, also over claims of killed ones', async () => {
    const folder = temporaryFolder();
    const lock = join(folder, '.lock');
    const module = fileURLToPath(new URL('../dist/lock.js', import.meta.url));
    // Each holder makes a file that must not be there; whoever finds it there has company.
    const code = `
      import { takeLock } from ${JSON.stringify(module)};
      import { writeFileSync, unlinkSync } from 'node:fs';
      let taken = 0;
      for (let i = 0; i < 40; i++) {
        let release;
        try { release = takeLock(${JSON.stringify(lock)}, () => new Error('held')); } catch (e) { if (e.message !== 'held') throw e; continue; }
        writeFileSync(${JSON.stringify(join(folder, 'alone'))}, '', { flag: 'wx' });
        unlinkSync(${JSON.stringify(join(folder, 'alone'))});
        taken++;
        // Left behind, as by kill -9: of an earlier start of this process.
        if (i % 2) writeFileSync(${JSON.stringify(lock)}, JSON.stringify({ pid: 2 ** 30, host: ${JSON.stringify(hostname())}, token: 'x' + process.pid + i }));
        else release();
      }
      process.stdout.write(String(taken));`;
    writeFileSync(lock, '');
    const run = () =>
      new Promise<{ code: number | null; out: string }>((resolve) => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
        let out = '';
        child.stdout.on('data', (chunk) => {
          out += chunk;
        });
        child.stderr.on('data', (chunk) => {
          out += chunk;
        });
        child.on('exit', (exit) => resolve({ code: exit, out }));
      });
    const all = await Promise.all(Array.from({ length: 6 }, run));
    for (const { code: exit, out } of all) expect([exit, out]).toEqual([0, expect.stringMatching(/^\d+$/)]);
    expect(existsSync(join(folder, 'alone'))).toBe(false);
  }, 60_000);
});
