/** Panels on a mock model: what is written, what is told of parts that fail, what stands after a cancellation. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type PanelFile,
  type PanelOptions,
  type PanelPart,
  panelCells,
  panelNotes,
  panelSections,
  runPanel,
} from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';
import { compareFolders } from './compare-folders.ts';
import { MOCK_ENGINE, type MockBackend } from './mock-backend.ts';
import { crowsRows, LEXICON, mockModel, mockRun, pairRows, writeLines } from './two-runs.ts';

let folder: string;
let out: string;
let backend: MockBackend;
let pairs: PanelPart;
let crows: PanelPart;
beforeEach(() => {
  folder = temporaryFolder();
  out = join(folder, 'out');
  backend = mockModel(folder, 'model');
  pairs = {
    suite: findSuite('ctf'),
    data: writeLines(join(folder, 'pairs.jsonl'), pairRows(9)),
    lexicon: LEXICON,
  };
  crows = { suite: findSuite('crows'), data: writeLines(join(folder, 'crows_more.jsonl'), crowsRows(9)) };
});

const panel = (parts: readonly PanelPart[], options: Partial<PanelOptions> = {}) =>
  runPanel({ backend, engine: MOCK_ENGINE, parts, out, ...options });

const panelFile = (): PanelFile => JSON.parse(readFileSync(join(out, 'panel.json'), 'utf8'));
const statuses = () => panelFile().parts.map(({ name, status }) => [name, status]);
const summary = () =>
  parse<Record<string, string>>(readFileSync(join(out, 'summary.csv')), { columns: true });
const document = () => readFileSync(join(out, 'summary.md'), 'utf8');

/** Cells that a panel's summary has from a run's own. */
const SAME = [
  ...['kind', 'estimate', 'ciLow', 'ciHigh', 'ciMethod', 'ciLevel', 'n'],
  ...['rows', 'ok', 'failed', 'skipped'],
];

describe('a panel', () => {
  it('gives every part a folder of its own, and writes what it would write alone', async () => {
    const { outcomes } = await panel([pairs, crows]);
    expect(readdirSync(out).sort()).toEqual(['crows', 'ctf', 'panel.json', 'summary.csv', 'summary.md']);
    expect(outcomes.map(({ status }) => status)).toEqual(['complete', 'complete']);
    const alone = await mockRun(backend, { ...crows, out: join(folder, 'alone') });
    for (const file of ['rows.jsonl', 'metrics.json', 'rows.csv', 'summary.csv']) {
      expect(readFileSync(join(out, 'crows', file), 'utf8'), file).toBe(
        readFileSync(join(alone, file), 'utf8'),
      );
    }
    // A part is a run like any other.
    expect((await compareFolders(join(out, 'crows'), alone)).comparisons[0]).toMatchObject({
      difference: 0,
      n: 9,
    });
  });

  it('says in panel.json what ran on what', async () => {
    await panel([pairs, { ...pairs, name: 'ctf-again', options: { topK: 3 } }]);
    const { parts, model, version, createdAt } = panelFile();
    expect(parts).toEqual([
      { name: 'ctf', suite: 'ctf', folder: 'ctf', status: 'complete', error: null },
      { name: 'ctf-again', suite: 'ctf', folder: 'ctf-again', status: 'complete', error: null },
    ]);
    const manifest = JSON.parse(readFileSync(join(out, 'ctf-again', 'manifest.json'), 'utf8'));
    expect(manifest.experiment.options.topK).toBe(3);
    expect(model).toEqual(manifest.model);
    expect(version).toBe(manifest.versions.logitAudit);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
  });

  it('has one table of every metric of every part, with all its counts', async () => {
    writeLines(join(folder, 'pairs.jsonl'), [
      ...pairRows(6),
      { id: 'none', x: 'The table', x_swap: 'The chair' },
      '{broken',
      { id: 'long', x: 'too long she', x_swap: 'too long he' },
    ]);
    await panel([pairs, crows]);
    const rows = summary();
    for (const [name, suite] of [
      ['ctf', 'ctf'],
      ['crows', 'crows'],
    ] as const) {
      const own = parse<Record<string, string>>(readFileSync(join(out, name, 'summary.csv')), {
        columns: true,
      }).filter(({ slice }) => slice === '');
      const there = rows.filter((row) => row.name === name);
      expect(there.map(({ metric }) => metric)).toEqual(own.map(({ metric }) => metric));
      for (const [at, row] of there.entries()) {
        const same = Object.fromEntries(SAME.map((key) => [key, own[at]![key]]));
        expect(row).toMatchObject({ ...same, suite, panel: 'bias', status: 'complete' });
        expect(Number(row.coverage)).toBeGreaterThan(0);
      }
    }
    const gap = rows.find(({ metric }) => metric === 'ctfGap')!;
    expect(gap).toMatchObject({
      rows: '9',
      ok: '6',
      failed: '2',
      skipped: '1',
      n: '7',
      gatedSteps: '6',
      headline: 'true',
    });
    // Skipped rows are steps that were not gated; failed ones are none.
    expect(Number(gap.coverage)).toBeCloseTo(6 / 7, 12);
    expect(rows.find(({ metric }) => metric === 'ctfGapBoth')!.headline).toBe('false');
  });

  it('has the headline metrics in summary.md, and what is needed to read them', async () => {
    await panel([pairs, crows], { interval: { level: 0.9 } });
    const text = document();
    const [head, ...rows] = text.split('\n').filter((line) => line.startsWith('|'));
    const cells = (line: string) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
    expect(cells(head!)).toEqual(['suite', 'metric', 'value', 'n', 'coverage', 'failed', 'skipped']);
    const table = rows.slice(1).map(cells);
    expect(table.map(([suite, metric]) => [suite, metric])).toEqual([
      ['ctf', 'CTF-gap'],
      ['ctf', 'JSD\\_swap'],
      ['crows', 'delta log P, anti less stereo'],
      ['crows', 'full: prefers the stereotype'],
      ['crows', 'shared: metric score'],
    ]);
    for (const row of table) expect(row.slice(3)).toEqual(['9', '100.0 %', '0', '0']);
    expect(table[3]![2]).toMatch(/^\d+\.\d % \[\d+\.\d, \d+\.\d\]$/);
    expect(text).toMatch(/^# Summary\n\n## Bias panel\n\n\| suite/);
    expect(text).toMatch(/- Model `.*model\.gguf` \(mock\), SHA-256 [0-9a-f]{64}\n/);
    expect(text).toContain('- Intervals at 90 %');
    expect(text).toMatch(/- crows: `.*crows_more\.jsonl`, 9 rows, SHA-256 [0-9a-f]{64}\n/);
    expect(
      text.match(/^- crows: (?:the model puts nothing|the likelier sentence is the same)/gm),
    ).toHaveLength(2);
    expect(text).not.toContain('Utility panel');
  });

  it('tells the progress of each part under its name', async () => {
    const seen: [string, number][] = [];
    await panel([pairs, { ...crows, limit: 4 }], {
      onProgress: (part, { rows }) => seen.push([part, rows]),
    });
    expect(seen).toEqual([
      ['ctf', 0],
      ['ctf', 8],
      ['ctf', 9],
      ['crows', 0],
      ['crows', 4],
    ]);
  });
});

describe('is refused before anything is written or asked', () => {
  const refused = async (parts: readonly PanelPart[], options?: Partial<PanelOptions>) => {
    const error = await faultOf(panel(parts, options));
    expect([existsSync(join(out, 'panel.json')), existsSync(join(out, 'ctf'))]).toEqual([false, false]);
    expect(backend.windows).toEqual([]);
    return error;
  };

  it.each<[string, () => Partial<PanelPart>, string, RegExp]>([
    [
      'data that are not there',
      () => ({ data: join(folder, 'none.csv') }),
      'file_not_found',
      /^crows: .*none\.csv/,
    ],
    [
      'data without rows',
      () => ({ data: writeLines(join(folder, 'e.jsonl'), []) }),
      'data_empty',
      /^crows: /,
    ],
    [
      'an option',
      () => ({ options: { steps: 'probe' } }),
      'bad_argument',
      /^crows: crows has no option "steps"/,
    ],
    [
      'a suite without a lexicon',
      () => ({ suite: findSuite('ctf'), name: 'x' }),
      'bad_argument',
      /^x: ctf needs a lexicon/,
    ],
    ['a name that leads out', () => ({ name: '../x' }), 'bad_argument', /"\.\.\/x" is no name for a part/],
    ['a hidden name', () => ({ name: '.x' }), 'bad_argument', /is no name for a part/],
    ['a name that ends in a dot', () => ({ name: 'x.' }), 'bad_argument', /is no name for a part/],
    ['no name', () => ({ name: '' }), 'bad_argument', /is no name for a part/],
    [
      'the name of a file',
      () => ({ name: 'Summary.csv' }),
      'bad_argument',
      /is the name of a file of the panel/,
    ],
    [
      'the name of another',
      () => ({ name: 'CTF' }),
      'bad_argument',
      /two parts of the panel are called "CTF"/,
    ],
  ])('for %s of the last part', async (_, change, code, message) => {
    const error = await refused([pairs, { ...crows, ...change() }]);
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
  });

  it('for two parts of one suite without names', async () => {
    expect((await refused([pairs, pairs])).message).toContain(
      'two parts of the panel are called "ctf"; give each a name of its own',
    );
  });

  it('for no part at all', async () => {
    expect((await refused([])).message).toContain('the panel has no part');
  });

  it('for a bad row of the last part in strict mode', async () => {
    const data = writeLines(join(folder, 'bad.jsonl'), [...crowsRows(2), { id: 'bad' }]);
    const error = await refused([pairs, { ...crows, data }], { strict: true });
    expect([error.code, error.data.id]).toEqual(['row_invalid', 'bad']);
    expect(error.message).toMatch(/^crows: .*row 3/);
  });

  it('for an interval that cannot be had', async () => {
    expect((await refused([pairs], { interval: { level: 1.5 } })).code).toBe('bad_argument');
    const few = { ci: 'bootstrap', resamples: 3 } as const;
    expect((await refused([pairs], { interval: few })).code).toBe('bad_argument');
  });

  it('for a folder that is taken or cannot be made', async () => {
    mkdirSync(out);
    writeFileSync(join(out, 'note.txt'), 'mine');
    expect((await refused([pairs])).code).toBe('output_exists');
    const error = await refused([pairs], { out: join(folder, 'model.gguf', 'x') });
    expect([error.code, error.kind]).toEqual(['file_unwritable', 'input']);
    await panel([pairs], { out: join(folder, 'first') });
    const again = await faultOf(panel([pairs], { out: join(folder, 'first') }));
    expect(again.message).toContain('first already holds a panel');
  });
});

describe('a part that fails', () => {
  it('is told in the tables, and the others go on', async () => {
    let healthy = false;
    backend.onWindow = () => {
      if (healthy) return;
      healthy = true;
      throw new Error('out of *luck*');
    };
    const { outcomes, rows } = await panel([pairs, crows]);
    expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'complete']);
    expect(statuses()).toEqual([
      ['ctf', 'failed'],
      ['crows', 'complete'],
    ]);
    expect(panelFile().parts[0]!.error).toEqual({ code: 'internal', message: 'out of *luck*' });
    expect(JSON.parse(readFileSync(join(out, 'ctf', 'manifest.json'), 'utf8')).status).toBe('failed');
    const [first, second] = summary();
    expect(first).toMatchObject({
      name: 'ctf',
      status: 'failed',
      metric: '',
      estimate: '',
      n: '',
      coverage: '',
      ok: '',
      reason: 'out of *luck*',
    });
    expect(second).toMatchObject({ name: 'crows', status: 'complete', n: '9' });
    const [section] = panelSections(rows);
    expect(panelCells(section!.rows[0]!)).toEqual({ name: 'ctf', metric: 'failed' });
    expect(panelNotes(outcomes)).toContain('ctf failed: out of *luck*');
    expect(document()).toMatch(/\| ctf +\| failed +\| +– \|/);
    expect(document()).toContain('## Notes\n\n- ctf failed: out of \\*luck\\*\n');
  });

  it('may be all of them', async () => {
    backend.onWindow = () => {
      throw new Error('out of luck');
    };
    const { outcomes } = await panel([pairs, crows]);
    expect(outcomes.every(({ status, run }) => status === 'failed' && run === null)).toBe(true);
    expect(document()).toContain('- Model ');
    expect(summary().length).toBe(2);
  });

  it('in strict mode is one with a row that the model cannot take', async () => {
    backend.fails = (text) => text.startsWith('The women number 3');
    const { outcomes } = await panel([crows, pairs], { strict: true });
    expect(outcomes.map(({ status, error }) => [status, error?.code])).toEqual([
      ['failed', 'context_overflow'],
      ['complete', undefined],
    ]);
  });

  it('is not one of which no row could be measured', async () => {
    backend.fails = () => true;
    const { outcomes } = await panel([crows]);
    expect(panelNotes(outcomes)).toEqual([
      'crows: no row could be measured; crows/rows.csv says why for each',
    ]);
    expect(summary()[0]).toMatchObject({
      status: 'complete',
      ok: '0',
      failed: '9',
      coverage: '0',
      estimate: '',
    });
  });
});

describe('a panel that is cancelled', () => {
  const cancelAt = async (window: number) => {
    const controller = new AbortController();
    backend.onWindow = (at) => {
      if (at === window) controller.abort();
    };
    const error = await faultOf(
      panel([pairs, crows, { ...pairs, name: 'last' }], { signal: controller.signal }),
    );
    expect(error.code).toBe('cancelled');
    return error;
  };

  it('keeps what was done, and says what is missing', async () => {
    // The first window of the second part; the first part has two.
    const error = await cancelAt(2);
    expect(error.message).toBe(`the panel was cancelled; 1 of its 3 parts are done, in ${out}`);
    expect(statuses()).toEqual([
      ['ctf', 'complete'],
      ['crows', 'cancelled'],
      ['last', 'not started'],
    ]);
    expect(readdirSync(out).sort()).toEqual(['crows', 'ctf', 'panel.json', 'summary.csv', 'summary.md']);
    const rows = summary();
    expect(rows.find(({ metric }) => metric === 'ctfGap')).toMatchObject({ status: 'complete', n: '9' });
    expect(rows.slice(-2)).toMatchObject([
      { name: 'crows', status: 'cancelled', estimate: '' },
      { name: 'last', status: 'not started', estimate: '', reason: '' },
    ]);
    expect(document()).toMatch(/\| last +\| not started +\|/);
  });

  it('before its first window has nothing done', async () => {
    expect((await cancelAt(0)).message).toContain('0 of its 3 parts are done');
    expect(statuses().map(([, status]) => status)).toEqual(['cancelled', 'not started', 'not started']);
  });

  it('before it began starts no part', async () => {
    const controller = new AbortController();
    controller.abort();
    expect((await faultOf(panel([pairs], { signal: controller.signal }))).code).toBe('cancelled');
    expect(statuses()).toEqual([['ctf', 'not started']]);
    expect(backend.windows).toEqual([]);
  });

  it('says while it runs which part is under way, for when the process is killed', async () => {
    const seen: unknown[] = [];
    backend.onWindow = () => seen.push(statuses().map(([, status]) => status));
    await panel([pairs, crows]);
    expect(seen).toEqual([
      ['running', 'not started'],
      ['running', 'not started'],
      ['complete', 'running'],
      ['complete', 'running'],
    ]);
  });
});

describe('the model', () => {
  it('is read through once, however many parts there are', async () => {
    const { outcomes } = await panel([pairs, crows]);
    const [first, second] = outcomes.map(({ run }) => run!.manifest.model);
    // The very same description, hash and all.
    expect(second).toBe(first);
  });
});
