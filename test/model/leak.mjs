/**
 * Prints this process's resident memory in bytes, measured as it goes along: with `windows`, after every tenth of so many
 * small windows on one open model; with `models`, after every tenth of so many models that were opened, asked and closed.
 * Run with --expose-gc, so that what V8 has not collected yet is not counted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openModel } from '../../dist/model/index.js';

const [, , path, what, count] = process.argv;
const measure = { groups: [Int32Array.of(5, 6), Int32Array.of(7)], topK: 3, pairTopK: [4] };
const requests = [
  { kind: 'pair', text: 'The nurse said she', textSwap: 'The nurse said he' },
  { kind: 'score', prompt: 'The nurse', continuations: [' said', ' was'] },
  { kind: 'generate', prompt: 'The nurse', maxTokens: 2, grammar: 'root ::= " said" | " was"' },
  { kind: 'embed', text: 'The nurse said' },
  // A failure is an answer too.
  { kind: 'probe', text: 'The', positions: [99] },
];
const open = () => openModel(path, { inProcess: true, threads: 1, contextLength: 64 });

async function ask(model) {
  const { failures, pairs, scores, generations, embeddings } = await model.observeWindow(requests, measure);
  if (failures.length !== 1 || pairs.pairs !== 1 || scores.scores !== 2)
    throw new Error('a window is not what it should be');
  if (generations.generations !== 1 || embeddings.embeddings !== 1)
    throw new Error('a window is not what it should be');
}

async function settled() {
  // Finalizers of native memory run between turns of the loop.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await nextTurn();
  }
  return process.memoryUsage.rss();
}

async function measured(step) {
  const rss = [];
  const every = Number(count) / 10;
  for (let done = 1; done <= Number(count); done += 1) {
    await step();
    if (done % every === 0) rss.push(await settled());
  }
  return rss;
}

let rss;
if (what === 'windows') {
  const model = await open();
  rss = await measured(() => ask(model));
  await model.close();
} else {
  rss = await measured(async () => {
    const model = await open();
    await ask(model);
    await model.close();
  });
}
process.stdout.write(JSON.stringify(rss));
