import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const MODEL = fileURLToPath(new URL('../../../shared/models/stories260K.gguf', import.meta.url));
const able = process.platform !== 'win32' && existsSync(MODEL);
if (!able)
  console.warn('SKIPPED: a run on a full disk needs ulimit -f and ../shared/models/stories260K.gguf');

it.skipIf(!able)(
  'a run that meets a full disk says so alone, and resumes to the same bytes',
  () => {
    const folder = temporaryFolder();
    const data = join(folder, 'texts.jsonl');
    const rows = Array.from({ length: 600 }, (_, i) =>
      JSON.stringify({ id: `${i}`, text: `A girl number ${i}` }),
    );
    writeFileSync(data, `${rows.join('\n')}\n`);
    const run = (out: string, limit: string, ...more: string[]) => {
      const args = [
        MAIN,
        'run',
        'ppl',
        '--model',
        MODEL,
        '--threads',
        '1',
        '--data',
        data,
        '--out',
        join(folder, out),
      ];
      const command = `ulimit -f ${limit}; exec "$0" "$@"`;
      return spawnSync('bash', ['-c', command, process.execPath, ...args, ...more], { encoding: 'utf8' });
    };
    const full = run('a', '60');
    expect([full.status, full.stderr.match(/cannot be written/g)?.length]).toEqual([3, 1]);
    expect(full.stderr).not.toMatch(/^\s+at /m);
    expect(run('a', 'unlimited', '--resume').status).toBe(0);
    expect(run('b', 'unlimited').status).toBe(0);
    for (const file of ['rows.jsonl', 'rows.csv', 'metrics.json', 'summary.csv']) {
      expect(readFileSync(join(folder, 'a', file)).equals(readFileSync(join(folder, 'b', file)))).toBe(true);
    }
  },
  120_000,
);

const scales = process.platform === 'win32' ? null : sharedFile('vectors/scales/results.csv');

it.skipIf(scales === null)('files that are written beside one that finds no space are discarded too', () => {
  const out = temporaryFolder();
  const participants = join(scales!, '../participants.csv');
  const args = ['evaluate', 'scale', '--scale', 'prca-24', '--participants', participants];
  const cli = (command: string, ...more: string[]) =>
    spawnSync('bash', ['-c', `${command} exec "$0" "$@"`, process.execPath, MAIN, ...more], {
      encoding: 'utf8',
    });
  const predictions = join(out, 'predictions.csv');
  const read = ['ingest', 'scale', '--scale', 'prca-24', '--results', scales!, '--out', predictions];
  expect(cli('', ...read).status).toBe(0);
  const full = cli('ulimit -f 30;', ...args, '--predictions', predictions, '--out', join(out, 'e'));
  expect([full.status, full.stderr]).toEqual([
    3,
    expect.stringContaining('evaluation.csv cannot be written'),
  ]);
  expect(readdirSync(join(out, 'e')).filter((file) => file.endsWith('.tmp'))).toEqual([]);
});
