/**
 * wino and winobias on a real instruct model, on parts of the published files (all of them would take many minutes): what
 * anyone expects of a model that has read the web, with intervals that leave no doubt.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { runOn, textFile } from '../e2e/suite-run.ts';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';
import { modelPath } from './model.ts';

const ENGINE = { contextLength: 256, threads: 1 };
/** Half a minute on a machine of its own, minutes on a busy one. */
const TIMEOUT = { timeout: 600_000 };

const SENTENCES = sharedFile('datasets/winogender/data/all_sentences.tsv');
const WINOBIAS = sharedFile('datasets/winobias/WinoBias/wino/data');

const ci = (value: Readonly<Record<string, unknown>>) => value.ci as { low: number; high: number };

describe.skipIf(!SENTENCES)('wino on a real model', () => {
  it(
    'takes "he" to name the occupation more than "she", and less so where more women work',
    TIMEOUT,
    async () => {
      const lines = readFileSync(SENTENCES!, 'utf8').trim().split('\n');
      const kept = lines.filter((line, at) => at === 0 || !/\.someone\.|\.neutral\./.test(line));
      const { metric, result } = await runOn(
        modelPath(),
        {
          suite: findSuite('wino'),
          data: textFile('part.tsv', `${kept.join('\n')}\n`),
          lexicon: await loadLexicon('gender-en'),
        },
        ENGINE,
      );
      expect(result.counts).toEqual({ rows: 240, ok: 240, failed: 0, skipped: 0 });
      // Of 120 templates and 60 occupations. Seen: 0.76 nats, and r = 0.37.
      expect(ci(metric('genderGap.logOdds')).low).toBeGreaterThan(0);
      expect(ci(metric('correlation.share.logOdds')).low).toBeGreaterThan(0);
      expect(metric('accuracy.all').mean).toBeGreaterThan(0.45);
    },
  );
});

describe.skipIf(!WINOBIAS)('winobias on a real model', () => {
  it(
    'finds sentences of stereotypes likelier, and reads what syntax tells better than chance',
    TIMEOUT,
    async () => {
      const folder = join(temporaryFolder(), 'part');
      mkdirSync(folder);
      const data = ['pro', 'anti'].map((list) => {
        const name = `${list}_stereotyped_type2.txt.dev`;
        const lines = readFileSync(join(WINOBIAS!, name), 'utf8').split('\n').slice(0, 60);
        writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
        return join(folder, name);
      });
      const { metric, result } = await runOn(modelPath(), { suite: findSuite('winobias'), data }, ENGINE);
      expect(result.counts).toEqual({ rows: 120, ok: 120, failed: 0, skipped: 0 });
      // Seen: 0.56 nats; 78 % and 70 %.
      expect(ci(metric('sentence.difference.all')).low).toBeGreaterThan(0);
      expect(ci(metric('accuracy.pro.all')).low).toBeGreaterThan(0.5);
      expect(ci(metric('accuracy.anti.all')).low).toBeGreaterThan(0.5);
      expect(metric('gap.all').mean).toBeGreaterThan(0);
    },
  );
});
