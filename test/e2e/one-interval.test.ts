/** The same answers have the same interval, whichever command works it out: rows of one template are one cluster. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPolicy, POLICY_ENGINE } from '../../src/model/index.ts';
import { readJournal } from '../../src/run/journal.ts';
import { resolveExperiment } from '../../src/suites/bbq/experiment/index.ts';
import { type BbqRunOptions, runBbq } from '../../src/suites/bbq/run/run.ts';
import { runPipeline, scoreResults } from '../../src/suites/bbq/score/index.ts';
import { shareInterval } from '../../src/suites/bbq/score/intervals.ts';
import { scoreFiles } from '../../src/suites/bbq/score/paper/index.ts';
import { faultOf } from '../fault.ts';
import { BBQ } from '../suites/bbq/bbq-data.ts';
import { temporaryFolder } from '../temporary.ts';

const TEMPLATES = 6;

/** Both polarities and contexts of each template, in two categories whose templates have the same numbers. */
const ROWS = ['Age', 'Religion'].flatMap((category) =>
  Array.from({ length: TEMPLATES * 16 }, (_, at) => {
    const ambiguous = at % 2 === 0;
    return {
      ...BBQ,
      category,
      example_id: at,
      question_index: String(Math.floor(at / 16)),
      question_polarity: at % 4 < 2 ? 'neg' : 'nonneg',
      context_condition: ambiguous ? 'ambig' : 'disambig',
      context: `${BBQ.context} They met on day ${at}.`,
      label: ambiguous ? 2 : at % 3 === 0 ? 1 : 0,
      source: at % 5,
    };
  }),
);

function dataFile(rows: readonly object[]): string {
  const path = join(temporaryFolder(), 'rows.jsonl');
  writeFileSync(path, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  return path;
}

async function run(more: Partial<BbqRunOptions> = {}) {
  return runBbq({
    experiment: await resolveExperiment('llm'),
    backend: openPolicy('policy:random:3'),
    engine: POLICY_ENGINE,
    data: dataFile(ROWS),
    out: join(temporaryFolder(), 'run'),
    ...more,
  });
}

describe('the answers of one run', () => {
  it('have one interval in the run, in score and in pipeline', async () => {
    const { panel, resultsDir } = await run();
    const { files } = await scoreResults(resultsDir, null);
    const { aggregated } = await runPipeline(resultsDir, join(temporaryFolder(), 'scores'));
    expect(panel.outcomes).toHaveLength(4);
    for (const { name, run: cell } of panel.outcomes) {
      const { value } = cell!.summaries[0]!.metrics.find((metric) => metric.name === 'unknown')!;
      expect(value).toMatchObject({ clusters: { by: ['template'], count: 2 * TEMPLATES } });
      const file = files.find((one) => one.name.includes(`_${name}_`))!;
      const interval = shareInterval(file.overall.fields.get('unk_rate')!)!;
      const row = aggregated.rows.find(
        (one) => one.file === file.name && one.category === 'overall' && one.metric === 'unk_rate',
      )!;
      expect([row.ciLow, row.ciHigh]).toEqual([interval.low, interval.high]);
      expect(interval.low).toBeCloseTo(value.ci!.low, 12);
      expect(interval.high).toBeCloseTo(value.ci!.high, 12);
      expect(row.templates).toBe(2 * TEMPLATES);
    }
  });

  it('have the scores of the benchmark, as score bbq has them of the rows with the answers', async () => {
    const { panel, scores } = await run();
    const answers = new Map<string, number>();
    for (const { run: cell } of panel.outcomes) {
      for await (const entry of readJournal(cell!.folder.journal, ['category'])) {
        if (entry.status === 'ok') answers.set(entry.id!, entry.result.index as number);
      }
    }
    const rows = ROWS.map((row) => ({ ...row, pred: answers.get(`${row.category}-${row.example_id}`) }));
    const { categories } = await scoreFiles([dataFile(rows)], {
      answers: { field: 'pred' },
      mode: 'paper',
      interval: { level: 0.95, resamples: 10_000, seed: 0 },
    });
    expect(scores).toEqual([{ split: 'text', categories }]);
    expect(categories.map(({ ci }) => [ci.sAmb, ci.sDis])).not.toContainEqual([null, null]);
    const table = readFileSync(join(panel.folder.path, 'scores.csv'), 'utf8');
    expect(table).toContain(`text,Age,disambiguated,sDis,${categories[0]!.sDis},`);
  });

  it('give totals rows and an interval that holds the value', async () => {
    const { resultsDir } = await run();
    const { aggregated } = await runPipeline(resultsDir, join(temporaryFolder(), 'scores'));
    const totals = aggregated.rows.filter(({ metric }) => metric === 'FS_total' || metric === 'BS_total');
    expect(totals).toHaveLength(6);
    for (const { value, ciLow, ciHigh, n, templates, category } of totals) {
      expect(n).toBeGreaterThan(0);
      expect(templates).toBe(category === 'overall' ? 2 * TEMPLATES : TEMPLATES);
      expect(ciLow!).toBeLessThan(value!);
      expect(ciHigh!).toBeGreaterThan(value!);
    }
  });
});

describe('a total that could not be made', () => {
  it("has no interval and no rows: those of the scenarios that remain are another number's", async () => {
    // In a context that tells, the right answer never goes against the bias.
    const rows = ROWS.map((row) => {
      const biased = row.question_polarity === 'neg' ? 1 : 0;
      return row.context_condition === 'disambig' ? { ...row, label: biased } : row;
    });
    const { resultsDir } = await run({ data: dataFile(rows) });
    const { aggregated } = await runPipeline(resultsDir, join(temporaryFolder(), 'scores'));
    const totals = aggregated.rows.filter(({ metric }) => metric === 'BS_total');
    expect(totals).toHaveLength(3);
    for (const total of totals) {
      expect(total).toMatchObject({ value: null, ciLow: null, ciHigh: null, n: null, templates: null });
      expect(total.reason).toContain('disambiguous');
    }
    expect(aggregated.rows.find(({ metric }) => metric === 'FS_total')!.ciLow).not.toBeNull();
  });
});

describe('clusters by choice', () => {
  const clusters = ({ panel }: Awaited<ReturnType<typeof run>>) => {
    const { value } = panel.outcomes[0]!.run!.summaries[0]!.metrics[0]!;
    return 'clusters' in value ? value.clusters : undefined;
  };

  it('are columns of the data, in the manifest, or each row by itself', async () => {
    const two = await run({ cluster: ['source', 'category'] });
    expect(clusters(two)).toMatchObject({ by: ['source', 'category'], counts: [5, 2] });
    expect(two.panel.outcomes[0]!.run!.manifest.experiment.cluster).toEqual(['source', 'category']);
    expect(clusters(await run({ cluster: [] }))).toBeUndefined();
  });

  it('must be columns that the data have, two at most, and the same when a run is resumed', async () => {
    const missing = await faultOf(() => run({ cluster: ['nothing'] }));
    expect(missing).toMatchObject({ code: 'bad_argument' });
    expect(missing.message).toContain('example_id, question_index');
    for (const cluster of [
      ['source', 'source'],
      ['source', 'category', 'label'],
    ])
      expect(await faultOf(() => run({ cluster }))).toMatchObject({ code: 'bad_argument' });
    const [data, out] = [dataFile(ROWS), join(temporaryFolder(), 'run')];
    await run({ data, out, cluster: ['source'] });
    const other = await faultOf(() => run({ data, out, resume: true }));
    expect(other.message).toContain('cluster was ["source"] and is null');
  });
});
