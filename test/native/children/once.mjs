/**
 * The engine's process for tests: the real engine, which is ended once, in the middle of its second whole window, as
 * LOGIT_AUDIT_TEST_ENDING says (SIGKILL or SIGABRT). LOGIT_AUDIT_TEST_LOG names a file that gets a line a window,
 * "pid requests", and one that says "ended": a process that finds it there lives on.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { openInProcess } from '../../../dist/native/in-process.js';
import { serve } from '../../../dist/native/worker/serve.js';

const { LOGIT_AUDIT_TEST_LOG: log, LOGIT_AUDIT_TEST_ENDING: ending } = process.env;
const endedBefore = existsSync(log) && readFileSync(log, 'utf8').includes('ended');
let windows = 0;

function end() {
  appendFileSync(log, 'ended\n');
  if (ending === 'SIGKILL') process.kill(process.pid, 'SIGKILL');
  process.stderr.write('once.mjs:1: GGML_ASSERT(this happens once) failed\n');
  process.abort();
}

serve(async (path, options) => {
  const session = await openInProcess(path, options);
  return {
    info: session.info,
    system: session.system,
    pid: process.pid,
    tokenizeAll: (...args) => session.tokenizeAll(...args),
    pieces: (...args) => session.pieces(...args),
    observe: async (requests, ...rest) => {
      appendFileSync(log, `${process.pid} ${requests.length}\n`);
      windows += 1;
      // Decoding has begun, on a thread of its own, before the loop's next turn.
      if (windows === 2 && !endedBefore) setImmediate(end);
      return session.observe(requests, ...rest);
    },
    close: () => session.close(),
  };
});
