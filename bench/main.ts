/**
 * npm run bench -- metrics [--json] [--vocab N]...
 *
 * Runs one benchmark by name. With --json each result is one line of JSON, for programs; otherwise a table grows.
 */
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { metricsBench } from './metrics.bench.ts';

// Compiled, this file lies in build/bench/js/bench.
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, vocab: { type: 'string', multiple: true } },
});

const vocabularies = values.vocab?.map(Number);
if (
  positionals.join() !== 'metrics' ||
  vocabularies?.some((vocab) => !(Number.isInteger(vocab) && vocab > 0))
) {
  console.error('usage: npm run bench -- metrics [--json] [--vocab N]...');
  process.exit(2);
}

for await (const line of metricsBench({ root, ...(vocabularies && { vocabularies }) })) {
  console.log(values.json ? JSON.stringify(line) : Object.values(line).map(cell).join(' '));
}

function cell(value: unknown): string {
  return String(value ?? '-').padStart(17);
}
