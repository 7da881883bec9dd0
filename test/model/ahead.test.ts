/** The rule of so many windows at a time, without windows. */
import { expect, it } from 'vitest';
import { sendAhead } from '../../src/model/ahead.ts';

/** Counts up to `count`; answers come when they are let go. */
function numbers(count: number) {
  let next = 0;
  const waiting = new Map<number, (answer: string) => void>();
  return {
    waiting,
    answer: (item: number) => {
      waiting.get(item)!(`answer ${item}`);
      waiting.delete(item);
    },
    next: async () => {
      next += 1;
      return next <= count ? next : null;
    },
    send: (item: number) => new Promise<string>((resolve) => waiting.set(item, resolve)),
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('sends the next one while one is on its way, and no more', async () => {
  const source = numbers(4);
  const answers = sendAhead(source.next, source.send);
  const first = answers.next();
  await turn();
  expect([...source.waiting.keys()]).toEqual([1, 2]);
  // The second answer comes before the first: the order is that of the items.
  source.answer(2);
  await turn();
  expect([...source.waiting.keys()]).toEqual([1]);
  source.answer(1);
  expect((await first).value).toEqual([1, 'answer 1']);
  await turn();
  // Nobody has asked for more.
  expect([...source.waiting.keys()]).toEqual([]);
  expect((await answers.next()).value).toEqual([2, 'answer 2']);
  const third = answers.next();
  await turn();
  expect([...source.waiting.keys()]).toEqual([3, 4]);
  source.answer(3);
  source.answer(4);
  expect((await third).value).toEqual([3, 'answer 3']);
  expect((await answers.next()).value).toEqual([4, 'answer 4']);
  expect((await answers.next()).done).toBe(true);
});

it('tells a fault of the source behind what came before it', async () => {
  let asked = 0;
  const next = async () => {
    asked += 1;
    if (asked > 2) throw new Error('the source broke');
    return asked;
  };
  const answers = sendAhead(next, async (item) => item * 10);
  expect((await answers.next()).value).toEqual([1, 10]);
  expect((await answers.next()).value).toEqual([2, 20]);
  await expect(answers.next()).rejects.toThrow('the source broke');
  expect((await answers.next()).done).toBe(true);
});

it('tells a fault of an answer in its turn, and ends when nothing is on its way', async () => {
  const source = numbers(5);
  const send = (item: number) => (item === 1 ? Promise.reject(new Error('no answer')) : source.send(item));
  const answers = sendAhead(source.next, send);
  let ended = false;
  const first = answers.next();
  first.catch(() => {
    ended = true;
  });
  await turn();
  expect([...source.waiting.keys()]).toEqual([2]);
  expect(ended).toBe(false);
  source.answer(2);
  await expect(first).rejects.toThrow('no answer');
});

it('sends more at a time to what takes more, and waits for no window but the next', async () => {
  const source = numbers(5);
  // The fourth comes late.
  let late = () => {};
  const gate = new Promise<void>((resolve) => {
    late = resolve;
  });
  let asked = 0;
  const next = async () => {
    asked += 1;
    if (asked === 4) await gate;
    return source.next();
  };
  const answers = sendAhead(next, source.send, 4);
  const first = answers.next();
  await turn();
  expect([...source.waiting.keys()]).toEqual([1, 2, 3]);
  source.answer(1);
  expect((await first).value).toEqual([1, 'answer 1']);
  const second = answers.next();
  source.answer(2);
  expect((await second).value).toEqual([2, 'answer 2']);
  late();
  const third = answers.next();
  await turn();
  expect([...source.waiting.keys()]).toEqual([3, 4, 5]);
  source.answer(5);
  source.answer(4);
  source.answer(3);
  expect((await third).value).toEqual([3, 'answer 3']);
  expect((await answers.next()).value).toEqual([4, 'answer 4']);
  expect((await answers.next()).value).toEqual([5, 'answer 5']);
  expect((await answers.next()).done).toBe(true);
});
