/** The experiment llm on a real instruct model, from rows of MultiBBQ and of BBQ to the CSV files of the pipeline. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';
import { modelPath } from './model.ts';

const ROWS = 40;
const DATA = [
  ['multibbq', sharedFile('datasets/multibbq/multibbq_visual_language.json')],
  ['religion', sharedFile('datasets/bbq/data/Religion.jsonl')],
] as const;

interface Cell {
  readonly name: string;
  readonly counts: { readonly ok: number };
  readonly metrics: Readonly<Record<string, { readonly value: number | null }>>;
}

describe.skipIf(DATA.some(([, file]) => file === null))('the experiment llm', () => {
  it.each(DATA)('over %s', { timeout: 1_800_000 }, async (_, file) => {
    const folder = temporaryFolder();
    const cli = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCli(args, { cwd: folder });
      expect([args, code, stderr]).toEqual([args, 0, '']);
      return stdout;
    };
    const out = await cli(
      ...[
        'run',
        'bbq',
        '--experiment',
        'llm',
        '--model',
        modelPath(),
        '--data',
        file!,
        '--limit',
        String(ROWS),
      ],
      ...['--ctx', '512', '--threads', '1', '--max-tokens', '16', '--out', 'run', '--json'],
    );
    const { parts, resultsDir } = JSON.parse(out) as { parts: Cell[]; resultsDir: string };
    expect(parts.map(({ name }) => name)).toEqual([
      'text_negative_ambiguous',
      'text_nonnegative_ambiguous',
      'text_negative_disambiguous',
      'text_nonnegative_disambiguous',
    ]);
    for (const { counts, metrics } of parts) {
      expect(counts.ok).toBe(ROWS);
      // It answers with a letter, as it was asked to.
      expect(metrics.unparsed!.value).toBeLessThan(0.2);
    }
    // A context that tells the answer is of use.
    const accuracy = (name: string) => parts.find((part) => part.name === name)!.metrics.accuracy!.value!;
    expect(accuracy('text_negative_disambiguous')).toBeGreaterThan(1 / 3);
    await cli('pipeline', 'bbq', '--results', resultsDir, '--out', 'scores');
    expect(readFileSync(join(folder, 'scores/metrics.csv'), 'utf8')).toMatch(/,overall,FS_total,[\d.]+,/);
    await cli('pipeline', 'bbq', '--results', resultsDir, '--out', 'original', '--compat', 'multibbq');
    expect(
      readFileSync(join(folder, 'original/csv_files/overall_metrics_summary_sorted.csv'), 'utf8'),
    ).toContain('Visual Language');
  });
});
