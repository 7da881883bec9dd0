/**
 * Streams pairs through a model in a process of its own; prints the peak memory of both processes in bytes, and the rows.
 * All pairs are alike, so that a window costs what one pair costs and the road between the processes is what is busy.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LocalModel } from '../../dist/model/index.js';
import { WorkerSession } from '../../dist/native/worker/host.js';

const WINDOWS_A_COLLECTION = 4;

const [, , path, count] = process.argv;
const entry = fileURLToPath(new URL('../native/children/peak.mjs', import.meta.url));
const model = new LocalModel([await WorkerSession.open(path, { threads: 1 }, { entry })]);

function* requests() {
  for (let index = 0; index < Number(count); index += 1) {
    yield { kind: 'pair', text: 'The nurse said that she', textSwap: 'The nurse said that he' };
  }
}

let rows = 0;
const measure = { groups: [Int32Array.of(5, 6), Int32Array.of(7)], topK: 20, pairTopK: [20] };
let windows = 0;
for await (const window of model.observe(requests(), measure)) {
  rows += window.rows.rows;
  windows += 1;
  // Only where the test lets us: then the peak is what is kept, and a few windows.
  if (windows % WINDOWS_A_COLLECTION === 0) globalThis.gc?.();
}
await model.close();
const parent = process.resourceUsage().maxRSS * 1024;
const engine = Number(readFileSync(process.env.LOGIT_AUDIT_TEST_PEAK, 'utf8'));
process.stdout.write(JSON.stringify({ rows, parent, engine }));
