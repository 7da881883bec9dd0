/**
 * Processes that are really killed, or stand still, at every point of taking over a lock: it never blocks for ever, nobody has
 * it together with another, and nothing is left behind.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { Taker } from './taker.ts';

const TIMEOUT_MS = 300_000;

/** Locks, each in a folder of its own, of a process that was killed while it had them. */
async function leftLocks(count: number): Promise<string[]> {
  const root = temporaryFolder();
  const holder = new Taker();
  const locks: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const lock = join(root, String(i), '.lock');
    mkdirSync(dirname(lock));
    expect(await holder.take(lock)).toBe('taken');
    locks.push(lock);
  }
  await holder.kill();
  return locks;
}

const inFolder = (lock: string) => readdirSync(dirname(lock));

/** The same, and of a process that was killed while it took them over, when it had the right to. */
async function leftClaims(count: number): Promise<string[]> {
  const at = (await callsOf(leftLocks)).indexOf('renameSync');
  expect(at).toBeGreaterThan(0);
  const locks = await leftLocks(count);
  const killed = new Taker();
  for (const lock of locks) await killed.abandon(lock, at);
  await killed.kill();
  return locks;
}

/** More than one process makes. */
const MANY = 60;

/** The calls to the file system that it takes to take a lock over. */
async function callsOf(left: (count: number) => Promise<string[]>): Promise<string[]> {
  const taker = new Taker();
  const calls: string[] = [];
  for (const [at, lock] of (await left(MANY)).entries()) {
    const said = await taker.take(lock, at);
    expect(said.startsWith('stopped') ? await taker.goOn() : said).toBe('taken');
    await taker.giveBack();
    expect(inFolder(lock)).toEqual([]);
    if (said === 'taken') break;
    calls.push(said.slice('stopped '.length));
  }
  await taker.kill();
  expect(calls.length).toBeGreaterThan(10);
  expect(calls.length).toBeLessThan(MANY);
  return calls;
}

function pairs(points: number): [number, number][] {
  return Array.from({ length: points ** 2 }, (_, i) => [Math.floor(i / points), i % points]);
}

/** Whatever was killed: the lock is to be had, by one process, and nothing else lies beside it, or remains. */
async function expectFree(lock: string, taker: Taker, about: unknown): Promise<void> {
  expect([about, await taker.take(lock)]).toEqual([about, 'taken']);
  expect([about, inFolder(lock)]).toEqual([about, ['.lock']]);
  await taker.giveBack();
  expect([about, inFolder(lock)]).toEqual([about, []]);
}

it('a kill -9 at any point of a take-over leaves a lock that is taken', { timeout: TIMEOUT_MS }, async () => {
  const { length: points } = await callsOf(leftLocks);
  const locks = await leftLocks(points);
  const next = new Taker();
  for (const [at, lock] of locks.entries()) {
    const killed = new Taker();
    expect(await killed.take(lock, at)).toMatch(/^stopped/);
    await killed.kill();
    await expectFree(lock, next, at);
  }
  await next.kill();
});

it('so do two, one after the other, at any two points', { timeout: TIMEOUT_MS }, async () => {
  const { length: points } = await callsOf(leftLocks);
  const locks = await leftLocks(points ** 2);
  const scenes = pairs(points).map((at, i) => ({ at, lock: locks[i]! }));
  for (const turn of [0, 1] as const) {
    const killed = new Taker();
    for (const { at, lock } of scenes) await killed.abandon(lock, at[turn]);
    await killed.kill();
  }
  const next = new Taker();
  for (const { at, lock } of scenes) await expectFree(lock, next, at);
  await next.kill();
});

const LANES = 4;

it.each([
  ['a lock', leftLocks],
  ['a lock and what one left that was killed while it took it over', leftClaims],
])(
  'of three that find %s, of which two stand still at any two points, never two have it',
  {
    timeout: TIMEOUT_MS,
  },
  async (_, left) => {
    const { length: points } = await callsOf(left);
    const locks = await left(points ** 2);
    const scenes = pairs(points).map(([a, b], i) => ({
      ...{ a, b, lock: locks[i]! },
      // Which of the two goes on first.
      firstFirst: (a + b) % 2 === 0,
    }));
    const waiting = scenes.values();
    const lane = async () => {
      const [first, second, third] = [new Taker(), new Taker(), new Taker()];
      for (const { a, b, firstFirst, lock } of waiting) {
        const has = new Map<Taker, string>();
        const hear = (taker: Taker, said: string) => {
          has.set(taker, said);
          const holders = [...has.values()].filter((one) => one === 'taken').length;
          expect({ a, b, firstFirst, holders }).toEqual({ a, b, firstFirst, holders: Math.min(holders, 1) });
          expect(said).toMatch(/^(taken|held|stopped \w+)$/);
        };
        hear(first, await first.take(lock, a));
        hear(second, await second.take(lock, b));
        hear(third, await third.take(lock));
        for (const taker of firstFirst ? [first, second] : [second, first]) {
          if (has.get(taker)!.startsWith('stopped')) hear(taker, await taker.goOn());
        }
        for (const [taker, said] of has) if (said === 'taken') await taker.giveBack();
        // Whatever became of these three: the next one has it.
        expect([a, b, firstFirst, await third.take(lock)]).toEqual([a, b, firstFirst, 'taken']);
        await third.giveBack();
        expect([a, b, firstFirst, inFolder(lock)]).toEqual([a, b, firstFirst, []]);
      }
      await Promise.all([first, second, third].map((taker) => taker.kill()));
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  },
);
