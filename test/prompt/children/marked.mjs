/**
 * A render process for tests: speaks the protocol, gives a chat's last message back, and misbehaves on messages with a mark,
 * as a call of a built-in may that nothing inside the process can end.
 */
import { appendFileSync } from 'node:fs';

const { LOGIT_AUDIT_TEST_LOG: log } = process.env;
appendFileSync(log, 'started\n');

function misbehave(text) {
  appendFileSync(log, `${text}\n`);
  if (text.includes('ABORT')) process.abort();
  if (text.includes('EXIT')) process.exit(7);
  // The whole thread stands still.
  if (text.includes('HANG')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const send = (message) => new Promise((resolve) => process.send(message, resolve));

process.on('disconnect', () => process.exit(0));
process.on('message', async ({ type, jobs }) => {
  if (type !== 'jobs') return;
  for (const job of jobs) {
    const text = job === null ? 'traits' : job.messages.at(-1).content;
    misbehave(text);
    const cpuMs = Number(/CPU(\d+)/.exec(text)?.[1] ?? 0);
    await send({ type: 'answer', answer: { value: { text } }, cost: { runs: 1, cpuMs, given: 0 } });
  }
});
await send({ type: 'ready' });
