/**
 * The engine's process for tests: the real engine, which aborts or hangs on texts with a marker, every time. Speaks
 * the protocol through the product's own `serve`, and looks at no shape of a request.
 */
import { appendFileSync } from 'node:fs';
import { openInProcess } from '../../../dist/native/in-process.js';
import { serve } from '../../../dist/native/worker/serve.js';

function misbehave(args) {
  const texts = JSON.stringify(args);
  if (texts.includes('ABORT')) {
    process.stderr.write('some line before\nmarked.cpp:1: GGML_ASSERT(text is harmless) failed\n');
    process.abort();
  }
  if (texts.includes('EXIT')) process.exit(7);
  // The whole thread stands still, as in a native call that does not return.
  if (texts.includes('HANG')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

serve(async (path, options) => {
  if (path.endsWith('.aborts')) {
    appendFileSync(path, `${process.pid}\n`);
    misbehave('ABORT');
  }
  // As the system does when memory runs out.
  if (path.endsWith('.killed')) process.kill(process.pid, 'SIGKILL');
  const session = await openInProcess(path, options);
  return {
    info: session.info,
    system: session.system,
    pid: process.pid,
    tokenizeAll: async (...args) => {
      misbehave(args);
      return session.tokenizeAll(...args);
    },
    tokenizeJoint: (...args) => session.tokenizeJoint(...args),
    pieces: (...args) => session.pieces(...args),
    detokenize: (...args) => session.detokenize(...args),
    observe: async (sequences, ...rest) => {
      misbehave(sequences);
      return session.observe(sequences, ...rest);
    },
    close: () => session.close(),
  };
});
