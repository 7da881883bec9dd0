/** Which runs are not compared, and what is said of them: what differs, with the value of either, and what to do. */

import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditError } from '../../src/errors.ts';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { assertSameClusters } from '../../src/run/compare/values.ts';
import type { CompareOptions, Manifest, RunOptions } from '../../src/run/index.ts';
import type { StoredRun } from '../../src/run/stored.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';
import { compareFolders } from './compare-folders.ts';
import { crowsRows, mockModel, mockRun, pairRows, writeLines } from './two-runs.ts';

let folder: string;
let data: string;
beforeEach(() => {
  folder = temporaryFolder();
  data = writeLines(join(folder, 'pairs.jsonl'), pairRows(12));
});

const at = (name: string) => join(folder, name);

function run(out: string, options: Partial<RunOptions> = {}): Promise<string> {
  return mockRun(mockModel(folder, out), { suite: findSuite('ctf'), data, out: at(out), ...options });
}

const refused = (a: string, b: string, options?: CompareOptions): Promise<AuditError> =>
  faultOf(compareFolders(a, b, options));

/** A run whose manifest was changed. */
function changed(from: string, name: string, change: (manifest: Manifest) => unknown): string {
  cpSync(from, at(name), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(from, 'manifest.json'), 'utf8'));
  writeFileSync(join(at(name), 'manifest.json'), JSON.stringify(change(manifest) ?? manifest));
  return at(name);
}

describe('the clusters of two runs', () => {
  const collectedOf = (clusters: [number, unknown][]) => ({
    parts: [],
    clusters: new Map(clusters.map(([row, own]) => [row, JSON.stringify(own)])),
  });
  const [a, b] = ['a', 'b'].map((path) => ({ folder: { path } })) as unknown as [StoredRun, StoredRun];

  it('are to be the same of every row that both measured', () => {
    const ofA = collectedOf([
      [0, { template: 't' }],
      [1, { template: 't' }],
      [2, { template: 'u' }],
    ]);
    const same = collectedOf([
      [0, { template: 't' }],
      [2, { template: 'u' }],
      [3, { template: 'v' }],
    ]);
    expect(() => assertSameClusters(a, b, ofA, same)).not.toThrow();
    const other = collectedOf([[2, { template: 't' }]]);
    expect(() => assertSameClusters(a, b, ofA, other)).toThrow(
      /a and b: row 2 is in the clusters \{"template":"u"\} in one and \{"template":"t"\} in the other/,
    );
    expect(() => assertSameClusters(a, b, ofA, collectedOf([[0, {}]]))).toThrow(/row 0 .* \{\} in the other/);
  });
});

describe('runs that did not ask the same', () => {
  const OCCUPATIONS = [{ name: 'women', values: new Map([['nurse', 0.9]]) }];
  // Some bring another difference with them: the mode its rules for words, the lexicon its shares.
  const cases: [string, () => Promise<Partial<RunOptions>>, RegExp, count?: number][] = [
    [
      'other data',
      async () => ({ data: writeLines(at('other.jsonl'), pairRows(13).slice(1)) }),
      /their data differ: .*pairs\.jsonl \(12 rows, SHA-256 [0-9a-f]{12}\), and .*other\.jsonl \(12 rows, SHA-256 [0-9a-f]{12}\)/,
    ],
    [
      'fewer of the rows',
      async () => ({ limit: 5 }),
      /their data differ: .*pairs\.jsonl \(12 rows, .*\), and .*pairs\.jsonl \(5 rows, /,
    ],
    [
      'another option',
      async () => ({ options: { topK: 7 } }),
      /their option topK differs: 20, and 7; run both/,
    ],
    [
      'clusters of own columns',
      async () => ({ cluster: ['occupation'] }),
      /their clusters differ: the suite's own, and --cluster occupation; run both/,
    ],
    [
      'no clusters',
      async () => ({ cluster: [] }),
      /their clusters differ: the suite's own, and --cluster none/,
    ],
    [
      'the reference mode',
      async () => ({ compat: 'reference' }),
      /their modes differ: none, and --compat reference/,
      2,
    ],
    [
      'another lexicon',
      async () => {
        const words = {
          name: 'own',
          language: 'en',
          description: 'd',
          groups: { female: ['she'], male: ['he'] },
        };
        writeFileSync(at('own.yaml'), JSON.stringify(words));
        return { lexicon: await loadLexicon(at('own.yaml')) };
      },
      /their lexicons differ: gender-en \(SHA-256 [0-9a-f]{12}\), and own \(SHA-256/,
      2,
    ],
    [
      'words of several tokens left out',
      async () => ({ policy: 'skip' }),
      /their rules for words of several tokens differ: distinct, and skip/,
    ],
    [
      'no capitalised forms',
      async () => ({ capitalised: false }),
      /their rules for words of several tokens differ: distinct, and distinct, no capitalised forms/,
    ],
    [
      'other numbers by occupation',
      async () => ({ occupations: OCCUPATIONS }),
      /their numbers by occupation differ: share \(SHA-256 [0-9a-f]{12}\), and women \(SHA-256 [0-9a-f]{12}\)/,
    ],
  ];
  it('takes an option that an earlier version did not have for one that is off', async () => {
    const [a, b] = [await run('a'), await run('b')];
    const file = join(b, 'manifest.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    const { controls, topK, ...options } = manifest.experiment.options;
    expect([controls, topK]).toEqual([false, 20]);
    const write = (own: object) =>
      writeFileSync(
        file,
        JSON.stringify({ ...manifest, experiment: { ...manifest.experiment, options: own } }),
      );
    write({ ...options, topK });
    expect((await compareFolders(a, b)).suite).toBe('ctf');
    // A number says nothing by its absence.
    write({ ...options, controls });
    expect((await refused(a, b)).message).toContain('their option topK differs: 20, and not there');
  });

  it.each(cases)('%s', async (_, options, message, count = 1) => {
    const [a, b] = [await run('a'), await run('b', await options())];
    const error = await refused(a, b);
    expect(error.code).toBe('bad_argument');
    expect(error.message).toMatch(message);
    expect(error.message).toContain(`${a} and ${b}: `);
    expect(error.message).toContain('run both on the same data with the same options');
    expect(error.data.differences).toHaveLength(count);
    // What may differ between templates says nothing of the rest.
    expect((await refused(a, b, { acrossTemplates: true })).message).toMatch(message);
  });

  it('are told everything in which they differ', async () => {
    const [a, b] = [await run('a'), await run('b', { options: { topK: 7, gate: false }, limit: 3 })];
    const { message, data: found } = await refused(a, b);
    expect(found.differences).toHaveLength(3);
    expect(message).toContain('option topK');
    expect(message).toContain('option gate differs: true, and false');
  });

  it('the same numbers by occupation in another order are the same', async () => {
    const values = [
      ['nurse', 0.9],
      ['plumber', 0.1],
    ] as const;
    const numbers = (list: readonly (readonly [string, number])[]) => ({
      occupations: [{ name: 'women', values: new Map(list) }],
    });
    const [a, b] = [await run('a', numbers(values)), await run('b', numbers([...values].reverse()))];
    expect((await compareFolders(a, b)).comparisons.length).toBe(2);
    const other = await run('c', numbers([['nurse', 0.9]]));
    expect((await refused(a, other)).message).toContain('numbers by occupation');
  });

  it('another suite', async () => {
    const crows = writeLines(at('crows.jsonl'), crowsRows(5));
    const [a, b] = [await run('a'), await run('b', { suite: findSuite('crows'), data: crows })];
    expect((await refused(a, b)).message).toContain('their suites differ: "ctf", and "crows"');
  });

  it('a run of an earlier revision of the suite is compared by the definitions of today, and a note says so', async () => {
    const crows = { suite: findSuite('crows'), data: writeLines(at('crows.jsonl'), crowsRows(9)) };
    const [a, b] = [await run('a', crows), await run('b', crows)];
    const today = await compareFolders(a, b);
    expect(today.notes).toEqual([]);
    const old = changed(a, 'old', ({ experiment, ...rest }) => {
      const { revision, ...earlier } = experiment;
      expect(revision).toBe(2);
      return { ...rest, experiment: earlier };
    });
    const mixed = await compareFolders(old, b);
    expect(mixed.comparisons).toEqual(today.comparisons);
    expect(mixed.notes).toEqual([expect.stringMatching(/revisions 1 and 2 of the suite crows.*sent_less/)]);
  });

  it('of two tokenizers have no difference of what depends on how a text is cut, and one of shares and bytes', async () => {
    const other = (from: string, sha256: string | null, path?: string) =>
      changed(from, `${from.split('/').at(-1)}-${sha256}${path ? '-named' : ''}`, ({ model, ...rest }) => ({
        ...rest,
        model: { ...model, tokenizerSha256: sha256, ...(path ? { path } : {}) },
      }));
    const ofBytes: Record<string, string[]> = {
      crows: ['full.prefersStereotype', 'full.ties', 'shared.metricScore', 'shared.stereotypeScore']
        .concat(['shared.antiStereotypeScore', 'shared.ties', 'lmEval.pctStereotype'])
        .sort(),
      ppl: ['bitsPerByte'],
    };
    for (const [suite, data] of [
      ['crows', writeLines(at('crows.jsonl'), crowsRows(30))],
      ['ppl', writeLines(at('texts.txt'), ['ab cd ef', 'gh ij', 'kl mn op qr'])],
    ] as const) {
      const [a, b] = [
        await run(`${suite}-a`, { suite: findSuite(suite), data }),
        await run(`${suite}-b`, { suite: findSuite(suite), data }),
      ];
      const alike = await compareFolders(a, b, { metrics: 'all' });
      expect(alike.comparisons.every(({ comparable }) => comparable)).toBe(true);
      for (const second of [other(b, 'f'.repeat(64)), other(b, null)]) {
        const { comparisons } = await compareFolders(a, second, { metrics: 'all' });
        const compared = comparisons.filter(({ comparable }) => comparable);
        expect(compared.map(({ metric }) => metric).sort()).toEqual(ofBytes[suite]);
        for (const one of compared) {
          const { pHolm: _, ...own } = alike.comparisons.find(({ metric }) => metric === one.metric)!;
          expect(one).toMatchObject(own);
        }
        for (const { metric, comparable, a: first, ...rest } of comparisons) {
          if (comparable) continue;
          const before = alike.comparisons.find((own) => own.metric === metric)!;
          expect([first, rest.b, rest.n]).toEqual([before.a, before.b, before.n]);
          expect(rest).toMatchObject({ difference: null, ci: null, pValue: null, pHolm: null });
          expect(rest.reason).toContain('tokenizers differ');
        }
      }
      // Not known, but one model's.
      const one = await compareFolders(other(a, null, 'openai:m'), other(b, null, 'openai:m'));
      expect(one.comparisons.every(({ comparable }) => comparable)).toBe(true);
    }
  });

  it('a run from before the suite had an option did what was done then', async () => {
    const data = writeLines(at('pro_stereotyped_type1.txt.dev'), [
      '1 The CEO called [the nurse] and thanked [her] for the day.',
      '2 [The CEO] called the nurse before [he] left.',
    ]);
    const now = await run('now', { suite: findSuite('winobias'), data });
    const auto = await run('auto', { suite: findSuite('winobias'), data, options: { firstToken: 'auto' } });
    const old = changed(auto, 'old', ({ experiment, ...rest }) => {
      const { firstToken: _, ...options } = experiment.options;
      return { ...rest, experiment: { ...experiment, options } };
    });
    // The mock model puts no BOS in front.
    expect((await compareFolders(old, auto)).comparisons.length).toBeGreaterThan(0);
    expect((await refused(old, now)).message).toMatch(
      /option firstToken differs: not there on a model that puts no BOS in front \(the first token is left out\), and "prefix"/,
    );
  });

  it('token ids that a file gave', async () => {
    const groups = (female: number[]) => ({
      file: 'groups.json',
      sha256: '0'.repeat(64),
      groups: [
        { name: 'female', ids: Int32Array.from(female) },
        { name: 'male', ids: Int32Array.of(9) },
      ],
    });
    const [a, b] = [await run('a', { groups: groups([1, 2]) }), await run('b', { groups: groups([1, 2]) })];
    expect((await compareFolders(a, b)).comparisons.length).toBe(2);
    const other = await run('c', { groups: groups([3]) });
    expect((await refused(a, other)).message).toContain(
      'their token groups differ: female (2 ids), male (1 ids), and female (1 ids), male (1 ids)',
    );
    expect((await refused(a, await run('d'))).message).toContain(
      'their rules for words of several tokens differ: ids',
    );
  });
});

describe('prompts', () => {
  const templates = (name: string, sha256: string) => (manifest: Manifest) => ({
    ...manifest,
    promptsSha256: name.repeat(64).slice(0, 64),
    model: { ...manifest.model, chatTemplateSha256: sha256.repeat(64).slice(0, 64) },
  });

  it('that differ are refused with both templates, and compared across them on request', async () => {
    const whole = await run('whole');
    const a = changed(whole, 'a', templates('a', '1'));
    const b = changed(whole, 'b', templates('b', '2'));
    const { message } = await refused(a, b);
    expect(message).toContain(
      'their prompts differ: SHA-256 aaaaaaaaaaaa, chat template 111111111111, and SHA-256 bbbbbbbbbbbb, chat template 222222222222',
    );
    expect(message).toContain('--across-templates');
    const { comparisons, notes } = await compareFolders(a, b, { acrossTemplates: true });
    expect(comparisons[0]).toMatchObject({ difference: 0, n: 12 });
    expect(notes).toEqual([expect.stringContaining('their prompts differ')]);
  });

  it('that are the same need no word', async () => {
    const [a, b] = [await run('a'), await run('b')];
    expect((await compareFolders(a, b)).notes).toEqual([]);
    const old = changed(b, 'old', (manifest) => ({ ...manifest, versions: { logitAudit: '0.0.9' } }));
    expect((await compareFolders(a, old)).notes).toEqual([
      expect.stringMatching(/two versions of logit-audit: .*0\.0\.9/),
    ]);
  });
});

describe('what is asked for', () => {
  it('a metric that there is not is told with those that there are', async () => {
    const [a, b] = [await run('a'), await run('b')];
    const error = await refused(a, b, { metrics: ['ctfGap', 'ctfGab'] });
    expect([error.code, error.data.metric]).toEqual(['bad_argument', 'ctfGab']);
    expect(error.message).toMatch(/no metric "ctfGab"; they have ctfGap, ctfGapBoth, /);
  });

  it('an interval that cannot be had', async () => {
    const [a, b] = [await run('a'), await run('b')];
    for (const interval of [
      { level: 2 },
      { ci: 'bootstrap', resamples: 5 },
      { ci: 'magic' as never },
    ] as const) {
      expect((await refused(a, b, { interval })).code).toBe('bad_argument');
    }
  });
});

describe('folders', () => {
  it('without a run', async () => {
    const a = await run('a');
    mkdirSync(at('empty'));
    for (const path of [at('empty'), at('nowhere'), data]) {
      const error = await refused(a, path);
      expect([error.code, error.message]).toEqual([
        'file_not_found',
        expect.stringContaining(`${path} holds no run`),
      ]);
    }
    writeFileSync(join(at('empty'), 'panel.json'), '{}');
    expect((await refused(at('empty'), a)).message).toContain(
      'it is a panel: give the folder of one of its parts',
    );
  });

  it('of a run that did not come to its end', async () => {
    const a = await run('a');
    for (const status of ['running', 'cancelled', 'failed']) {
      const open = changed(a, status, (manifest) => ({
        ...manifest,
        status,
        error: status === 'failed' ? { code: 'internal', message: 'out of luck' } : null,
      }));
      const error = await refused(a, open);
      expect([error.code, error.data.status]).toEqual(['bad_argument', status]);
      expect(error.message).toContain(`the run in ${open} did not finish (status "${status}"`);
      if (status === 'failed') expect(error.message).toContain('out of luck');
    }
  });

  it.each<[string, (text: string) => string, string]>([
    ['cut off', (text) => text.slice(0, 200), 'is no valid JSON'],
    ['of null', () => 'null', 'expected object'],
    ['of a list', () => '[]', 'expected object'],
    ['without its data', (text) => text.replace('"data"', '"date"'), 'has no good value for "data"'],
    ['of a number for a name', (text) => text.replace('"suite": "ctf"', '"suite": 3'), 'for "suite"'],
  ])('with a manifest %s', async (_, damage, message) => {
    const [a, b] = [await run('a'), await run('b')];
    const manifest = join(b, 'manifest.json');
    writeFileSync(manifest, damage(readFileSync(manifest, 'utf8')));
    const error = await refused(a, b);
    expect([error.code, error.data.file]).toEqual(['data_malformed', manifest]);
    expect(error.message).toContain(message);
  });

  it('with a suite or an option of another version', async () => {
    const a = await run('a');
    const other = changed(a, 'other', (manifest) => ({ ...manifest, suite: 'ctf2' }));
    const { message } = await refused(other, other);
    expect(message).toContain(`the run in ${other}: there is no suite "ctf2"`);
    const option = changed(a, 'option', (manifest) => ({
      ...manifest,
      experiment: { ...manifest.experiment, options: { warp: 9 } },
    }));
    expect((await refused(a, option)).message).toContain(`the run in ${option}: ctf has no option "warp"`);
  });

  it('with a journal that is gone, damaged, or lacks rows', async () => {
    const [a, b] = [await run('a'), await run('b')];
    const journal = join(b, 'rows.jsonl');
    const text = readFileSync(journal, 'utf8');
    const lines = text.split('\n');
    // Cut in the middle of the last line: what a killed run leaves, but this one says that it is complete.
    truncateSync(journal, text.length - 20);
    expect(await refused(a, b)).toMatchObject({
      code: 'data_malformed',
      message: expect.stringContaining('has 11 rows where the manifest counts 12'),
    });
    for (const bad of ['{"row":', 'null', '7', '{"row":1,"id":"x","status":"odd"}', '{"status":"ok"}']) {
      writeFileSync(journal, [lines[0], bad, ...lines.slice(2)].join('\n'));
      const error = await refused(a, b);
      expect([error.code, error.data.line], bad).toEqual(['data_malformed', 2]);
    }
    rmSync(journal);
    expect(await refused(a, b)).toMatchObject({ code: 'file_not_found', data: { file: journal } });
  });

  it('with a lexicon.json that is gone or damaged', async () => {
    const [a, b] = [await run('a'), await run('b')];
    writeFileSync(join(b, 'lexicon.json'), '{"groups": [{}]}');
    expect((await refused(a, b)).code).toBe('data_malformed');
    rmSync(join(b, 'lexicon.json'));
    expect((await refused(a, b)).code).toBe('file_not_found');
  });
});
