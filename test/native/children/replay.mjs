/**
 * A process that decodes the first window of each size and answers every later one of that size with the same
 * observations, at once: what is left is the cost of the road between the processes.
 */
import { openInProcess } from '../../../dist/native/in-process.js';
import { serve } from '../../../dist/native/worker/serve.js';

serve(async (path, options) => {
  const session = await openInProcess(path, options);
  const answers = new Map();
  return {
    info: session.info,
    system: session.system,
    pid: process.pid,
    observe: async (sequences, ...rest) => {
      const size = JSON.stringify(sequences).length;
      if (!answers.has(size)) answers.set(size, await session.observe(sequences, ...rest));
      return answers.get(size);
    },
    close: () => session.close(),
  };
});
