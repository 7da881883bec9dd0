/**
 * A process that takes locks by the built module and can be stopped in front of any of its calls to the file system. The calls
 * are replaced in that process alone, so the product knows nothing of it; what ends it is a real kill -9.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../dist/files/lock.js')).href;

const CODE = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const say = (text) => fs.writeSync(1, text + '\\n');
const heard = () => {
  const byte = Buffer.alloc(1);
  let text = '';
  while (fs.readSync(0, byte, 0, 1, null) === 1 && byte[0] !== 10) text += byte;
  return text;
};
let calls = Number.NaN;
let stop = 0;
let leave = false;
for (const name of ['linkSync', 'unlinkSync', 'renameSync', 'rmSync', 'writeFileSync', 'readFileSync', 'readdirSync']) {
  const real = fs[name];
  fs[name] = (path, ...more) => {
    if (!String(path).startsWith('/proc/')) {
      if (leave && calls >= stop) throw new Error('left');
      if (calls++ === stop) {
        say('stopped ' + name);
        heard();
      }
    }
    return real(path, ...more);
  };
}
syncBuiltinESMExports();
const { takeLock } = await import(${JSON.stringify(MODULE)});
let giveBack = () => {};
for (;;) {
  const command = heard();
  if (command === '') break;
  const { lock, at, left } = JSON.parse(command);
  if (lock === null) {
    giveBack();
    say('given back');
    continue;
  }
  [calls, stop, leave] = [0, at, left];
  let said = 'taken';
  try {
    giveBack = takeLock(lock, () => new Error('held'));
  } catch (thrown) {
    said = thrown.message === 'held' ? 'held' : String(thrown.stack).replaceAll('\\n', ' ');
  }
  const abandoned = leave && calls >= stop;
  calls = Number.NaN;
  say(abandoned ? 'abandoned' : said);
}`;

/** What it says when it has taken the lock, been refused, or comes to the call where it was to stop. */
export type Said = 'taken' | 'held' | `stopped ${string}`;

export class Taker {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  readonly #ended: Promise<unknown>;
  readonly #said: AsyncIterator<string>;

  constructor() {
    const args = ['--input-type=module', '-e', CODE];
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#lines = createInterface(this.#child.stdout!);
    this.#said = this.#lines[Symbol.asyncIterator]();
  }

  async #answer(line: string): Promise<Said> {
    this.#child.stdin!.write(`${line}\n`);
    return (await this.#said.next()).value as Said;
  }

  /** Stops in front of its call number `at` to the file system, if it comes that far. */
  take(lock: string, at = -1): Promise<Said> {
    return this.#answer(JSON.stringify({ lock, at, left: false }));
  }

  /** Does nothing more to the file system from that call on, so that a kill later is the same as one there. */
  async abandon(lock: string, at: number): Promise<void> {
    await this.#answer(JSON.stringify({ lock, at, left: true }));
  }

  goOn(): Promise<Said> {
    return this.#answer('go');
  }

  async giveBack(): Promise<void> {
    await this.#answer(JSON.stringify({ lock: null }));
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
