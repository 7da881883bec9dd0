/** Locks: whose they are, and that of many processes one alone has one. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import { takeLock } from '../../src/files/lock.ts';
import { temporaryFolder } from '../temporary.ts';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = temporaryFolder();
  lock = join(folder, '.lock');
});

const held = (holder: string) => new AuditError('output_exists', `held by ${holder}`, {});
/** The lock that this process would write, with changes. */
function lockOf(changes: object): string {
  const release = takeLock(lock, held);
  const text = JSON.stringify({ ...JSON.parse(readFileSync(lock, 'utf8')), token: 'other', ...changes });
  release();
  return text;
}
function take(): string {
  try {
    takeLock(lock, held)();
    return 'taken';
  } catch (thrown) {
    return (thrown as Error).message;
  }
}
/** A pid that no process has. */
const NOBODY = 2 ** 22 + 1;
const linux = process.platform === 'linux';

describe('a lock that was left behind is taken over', () => {
  const cases: Readonly<Record<string, () => string>> = {
    'of a process that is gone': () => lockOf({ pid: NOBODY }),
    'empty, after a full disk': () => '',
    'half written': () => '{"pid":12,"ho',
    null: () => 'null',
    'a number': () => '5',
    'a list': () => '[]',
    'of another shape': () => '{"pid":"me","host":7}',
    'NUL bytes, after a power cut': () => '\0'.repeat(80),
    'in the old form, of this very pid': () =>
      JSON.stringify({ pid: process.pid, host: hostname(), token: 'x' }),
    ...(linux
      ? {
          'of this very pid, begun at another time': () => lockOf({ started: '1' }),
          'of a pid that was given to another process': () => lockOf({ pid: process.ppid, started: '1' }),
          'of before the machine started': () => lockOf({ pid: process.ppid, boot: 'another-boot' }),
          'of a container of this name, since started again': () => lockOf({ pidSpace: 'pid:[1]' }),
        }
      : {}),
  };
  it.each(Object.entries(cases))('%s', (_, text) => {
    writeFileSync(lock, text());
    expect(take()).toBe('taken');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('also where a process of an earlier version was killed while it took one over', () => {
    const left = lockOf({ pid: NOBODY });
    const beside = ['.takeover', '.takeover.0123456789ab', '.0123456789ab.tmp', '.takeover.0123456789ab.tmp'];
    for (const file of ['', ...beside]) writeFileSync(`${lock}${file}`, left);
    expect(take()).toBe('taken');
    expect(readdirSync(folder)).toEqual([]);
  });

  // As in a container whose first process does not wait for those that it did not start.
  it.runIf(linux)('of a process that was killed, and that its parent has not asked about', async () => {
    const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000']);
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    const left = lockOf({ pid, started: startOf(pid) });
    writeFileSync(lock, left);
    expect(take()).toMatch(/^held by process/);
    process.kill(pid, 'SIGKILL');
    while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) await sleep(5);
    expect(take()).toBe('taken');
    parent.kill('SIGKILL');
  });
});

describe('a lock that somebody has is refused, and stays', () => {
  const cases: Readonly<Record<string, readonly [() => string, RegExp]>> = {
    'this process': [() => lockOf({}), linux ? /^held by process \d+, since \d{4}-/ : /./],
    'another process': [
      () => lockOf({ pid: process.ppid, started: startOf(process.ppid) }),
      /^held by process/,
    ],
    'another machine': [
      () => lockOf({ host: 'elsewhere', pid: NOBODY }),
      /^held by process \d+ of the machine "elsewhere", since /,
    ],
  };
  it.runIf(linux).each(Object.entries(cases))('%s', (_, [text, message]) => {
    const before = text();
    writeFileSync(lock, before);
    expect(take()).toMatch(message);
    expect(readFileSync(lock, 'utf8')).toBe(before);
  });

  it('a lock that is held twice in this process', () => {
    const release = takeLock(lock, held);
    expect(take()).toMatch(/^held by process/);
    release();
    expect(take()).toBe('taken');
  });

  it('what somebody else took meanwhile is not given back', () => {
    const release = takeLock(lock, held);
    writeFileSync(lock, 'theirs');
    release();
    expect(readFileSync(lock, 'utf8')).toBe('theirs');
  });
});

function startOf(pid: number): string | null {
  if (!linux) return null;
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? null;
}

it('of many processes that find the same lock left behind, one has it at a time', async () => {
  const module = pathToFileURL(join(import.meta.dirname, '../../dist/files/lock.js')).href;
  // Whoever has it leaves it behind as a killed process would, for the next one to take over: whole, and with a token of its own.
  const code = `
    import { takeLock } from ${JSON.stringify(module)};
    import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
    const [lock, marker, left] = ${JSON.stringify([lock, join(folder, 'in'), lockOf({ pid: NOBODY })])};
    let taken = 0;
    for (let i = 0; i < 400; i++) {
      try { takeLock(lock, () => new Error('held')); } catch (error) {
        if (error.message !== 'held') throw error;
        continue;
      }
      writeFileSync(marker, '', { flag: 'wx' });
      taken++;
      unlinkSync(marker);
      const next = lock + '.left-' + process.pid;
      writeFileSync(next, left.replace('"other"', '"' + process.pid + '-' + i + '"'));
      renameSync(next, lock);
    }
    console.log(taken);`;
  const one = () =>
    new Promise<[number | null, string]>((resolve) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
      let output = '';
      child.stdout.on('data', (text) => {
        output += text;
      });
      child.stderr.on('data', (text) => {
        output += text;
      });
      child.on('close', (status) => resolve([status, output]));
    });
  writeFileSync(lock, lockOf({ pid: NOBODY }));
  const ends = await Promise.all(Array.from({ length: 6 }, one));
  expect(ends.filter(([status]) => status !== 0)).toEqual([]);
  expect(ends.reduce((sum, [, taken]) => sum + Number(taken), 0)).toBeGreaterThan(0);
  expect(readdirSync(folder).filter((file) => file !== '.lock')).toEqual([]);
});
