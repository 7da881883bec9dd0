/** The experiment llm on a real instruct model: rows of MultiBBQ and of BBQ, from the model to the CSV files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';
import { modelPath } from './model.ts';

const ROWS = 4;
const DATA = ['multibbq/multibbq_visual_language.json', 'bbq/data/Religion.jsonl'].map((name) =>
  sharedFile(`datasets/${name}`),
);

interface Told {
  readonly parts: readonly { readonly name: string; readonly counts: { readonly ok: number } }[];
  readonly results: readonly { readonly path: string }[];
  readonly resultsDir: string;
}

interface Row {
  readonly pred: string;
  readonly options: readonly string[];
  readonly letter: string;
  readonly letter_share: Readonly<Record<string, number>>;
  readonly text_index: number | null;
  readonly unk_label_idx: number;
}

describe.skipIf(DATA.includes(null))('the experiment llm', () => {
  it.each(DATA)('from %s to the tables', { timeout: 1_200_000 }, async (file) => {
    const folder = temporaryFolder();
    const cli = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCli(args, { cwd: folder });
      expect(code, stderr).toBe(0);
      return stdout;
    };
    const out = await cli(
      ...['run', 'bbq', '--experiment', 'llm', '--model', modelPath(), '--data', file!],
      ...['--limit', String(ROWS), '--ctx', '512', '--max-tokens', '8', '--out', 'run', '--json'],
    );
    const { parts, resultsDir } = JSON.parse(out) as Told;
    expect(parts.map(({ name, counts }) => [name, counts.ok])).toEqual([
      ['text_negative_ambiguous', ROWS],
      ['text_nonnegative_ambiguous', ROWS],
      ['text_negative_disambiguous', ROWS],
      ['text_nonnegative_disambiguous', ROWS],
    ]);
    await cli('pipeline', 'bbq', '--results', resultsDir, '--out', 'scores');
    await cli('pipeline', 'bbq', '--results', resultsDir, '--out', 'original', '--compat', 'multibbq');
    const metrics = parse(readFileSync(join(folder, 'scores/metrics.csv'), 'utf8'), {
      columns: true,
    }) as Record<string, string>[];
    const shares = metrics.filter(
      ({ category, metric }) => category === 'overall' && metric === 'unparsed_rate',
    );
    expect(shares).toHaveLength(4);
    for (const { file: name, hits, n } of shares) {
      const { data } = JSON.parse(readFileSync(join(folder, 'scores/analysis', name!), 'utf8')) as {
        data: Row[];
      };
      expect([Number(hits), Number(n)]).toEqual([
        data.filter(({ text_index }) => text_index === null).length,
        ROWS,
      ]);
      for (const row of data) {
        // An instruct model says something.
        expect(row.pred.trim()).not.toBe('');
        const shared = Object.values(row.letter_share);
        expect(shared.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
        expect(row.letter_share[row.letter]).toBe(Math.max(...shared));
      }
    }
    expect(
      readFileSync(join(folder, 'original/csv_files/overall_metrics_summary_sorted.csv'), 'utf8'),
    ).toContain('Visual Language');
  });
});
