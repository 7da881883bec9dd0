/** Streams pairs through a model whose process answers at once; prints this process's peak memory and the rows. */
import { fileURLToPath } from 'node:url';
import { LocalModel } from '../../dist/model/index.js';
import { WorkerSession } from '../../dist/native/worker/host.js';

const [, , path, count] = process.argv;
const entry = fileURLToPath(new URL('../native/children/replay.mjs', import.meta.url));
const model = new LocalModel(await WorkerSession.open(path, {}, { entry }));

function* requests() {
  for (let index = 0; index < Number(count); index += 1) {
    const id = String(index).padStart(8, '0');
    yield { kind: 'pair', text: `The nurse ${id} said she`, textSwap: `The nurse ${id} said he` };
  }
}

let rows = 0;
const measure = { groups: [Int32Array.of(5, 6), Int32Array.of(7)], topK: 20, pairTopK: [20] };
const started = performance.now();
for await (const window of model.observe(requests(), measure)) rows += window.rows.rows;
const milliseconds = performance.now() - started;
await model.close();
const bytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ bytes, rows, milliseconds }));
