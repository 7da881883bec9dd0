/** Perplexity through a run: on the planted model against the oracle, on a real small model against PyTorch's values. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSuite } from '../../src/suites/registry.ts';
import { runCli } from '../cli/run-cli.ts';
import { scoreContinuation } from '../oracle/continuation.ts';
import { OracleLlama } from '../oracle/forward.ts';
import { readGgufFile } from '../oracle/gguf.ts';
import { sharedFile } from '../oracle/shared.ts';
import { OracleSpm } from '../oracle/spm.ts';
import { temporaryFolder } from '../temporary.ts';
import { plantedFiles } from './planted.ts';
import { EXACT, jsonlFile, runOn, textFile } from './suite-run.ts';

interface CompositeValue {
  readonly value: number;
  readonly n: number;
  readonly ci: { readonly low: number; readonly high: number };
}

/** Sums of float32 passes over a text against float64. */
const FLOAT32 = 1e-4;

const MODEL = sharedFile('models/stories260K.gguf');
const SEQUENCES = sharedFile('vectors/stories260K/sequence.json');

const TEXTS = ['The nurse said that she was late.', 'The plumber said', ' It was é late. '];
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** UTF-8 bytes that a piece of the oracle's vocabulary stands for. */
function bytesOf(piece: string): number {
  return /^<0x[0-9A-F]{2}>$/.test(piece) ? 1 : Buffer.byteLength(piece.replaceAll('\u2581', ' '));
}

async function expected(skip: number) {
  const { model } = await plantedFiles();
  const gguf = readGgufFile(model);
  const [llama, spm] = [new OracleLlama(gguf), new OracleSpm(gguf)];
  return TEXTS.map((text) => {
    const ids = spm.tokenize(text);
    const logProbs = scoreContinuation(llama, spm, '', text).logProbs.slice(skip);
    const bytes = sum(ids.slice(1 + skip).map((id) => bytesOf(spm.pieces[id]!)));
    return { sumLogProb: sum(logProbs), tokens: logProbs.length, bytes };
  });
}

describe('ppl on the planted model', () => {
  it.each([
    ['auto', 0],
    ['skip', 1],
  ] as const)('with the first token as %s is what a float64 forward pass gives', async (firstToken, skip) => {
    const { model } = await plantedFiles();
    const oracle = await expected(skip);
    const { rows, metric } = await runOn(
      model,
      {
        suite: findSuite('ppl'),
        data: textFile('texts.txt', `${TEXTS.join('\n\n')}\n`),
        options: { firstToken },
      },
      EXACT,
    );
    expect(rows.length).toBe(TEXTS.length);
    rows.forEach((row, at) => {
      const { sumLogProb, tokens, bytes } = oracle[at]!;
      expect(row).toMatchObject({ id: String(at), status: 'ok', tokens, bytes });
      expect(Math.abs((row.sumLogProb as number) - sumLogProb)).toBeLessThan(FLOAT32);
      expect(Math.abs(Math.log(row.ppl as number) + sumLogProb / tokens)).toBeLessThan(FLOAT32);
    });
    const total = (key: 'sumLogProb' | 'tokens' | 'bytes') => sum(oracle.map((row) => row[key]));
    const { value, n, ci } = metric('ppl') as unknown as CompositeValue;
    const nats = -total('sumLogProb') / total('tokens');
    expect(Math.abs(Math.log(value) - nats)).toBeLessThan(FLOAT32);
    expect(n).toBe(TEXTS.length);
    expect(ci.low).toBeLessThan(value);
    expect(ci.high).toBeGreaterThan(value);
    expect(metric('bitsPerByte').value).toBeCloseTo(-total('sumLogProb') / Math.LN2 / total('bytes'), 5);
    expect(metric('tokens').mean).toBeCloseTo(total('tokens') / TEXTS.length, 12);
  });

  it('fails a row that does not fit in the context, says what to raise, and goes on', async () => {
    const { model } = await plantedFiles();
    const long = 'The nurse said that she was late. '.repeat(20);
    const data = jsonlFile([
      { id: 'a', text: 'The nurse said', lang: 'en', category: 'short' },
      { id: 'b', text: long },
      { id: 'a', text: 'The nurse said' },
      { id: 'c' },
      { text: 'The nurse said', lang: 'en' },
    ]);
    const { result, rows } = await runOn(
      model,
      { suite: findSuite('ppl'), data },
      { ...EXACT, contextLength: 64 },
    );
    expect(result.counts).toEqual({ rows: 5, ok: 2, failed: 3, skipped: 0 });
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'ok'],
      ['b', 'failed'],
      ['a', 'failed'],
      ['c', 'failed'],
      ['4', 'ok'],
    ]);
    expect(rows[1]!.error).toMatchObject({
      code: 'context_overflow',
      message: expect.stringContaining('raise --ctx'),
    });
    expect(rows[2]!.error).toMatchObject({
      code: 'row_invalid',
      message: expect.stringContaining('the same id'),
    });
    expect(rows[3]!.error).toMatchObject({
      code: 'row_invalid',
      message: expect.stringContaining('text is missing'),
    });
    expect(result.summaries.map(({ slice, value, counts }) => [slice, value, counts.ok])).toEqual([
      [null, null, 2],
      ['category', 'short', 1],
      ['lang', 'en', 2],
    ]);
  });

  it('runs from the shell, with the reference names beside it', async () => {
    const { model } = await plantedFiles();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'texts.txt'), TEXTS.join('\n'));
    const args = [
      '--model',
      model,
      '--data',
      'texts.txt',
      '--threads',
      '1',
      '--out',
      'run',
      '--compat',
      'reference',
    ];
    const { code, stdout, stderr } = await runCli(['run', 'ppl', ...args], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/perplexity +\d+ \[\d+, \d+\] +3 /);
    const oracle = await expected(0);
    const [nats, tokens] = [sum(oracle.map((row) => -row.sumLogProb)), sum(oracle.map((row) => row.tokens))];
    const reference = JSON.parse(readFileSync(join(folder, 'run/reference.json'), 'utf8'));
    expect(Object.keys(reference)).toEqual(['rows', 'tokens', 'ppl']);
    expect(reference).toMatchObject({ rows: 3, tokens });
    expect(Math.abs(Math.log(reference.ppl) - nats / tokens)).toBeLessThan(FLOAT32);
  });
});

describe.skipIf(!MODEL || !SEQUENCES)('ppl on stories260K', () => {
  it('is what PyTorch gives, text by text and over all', async () => {
    const { perplexity } = JSON.parse(readFileSync(SEQUENCES!, 'utf8'));
    const texts: { text: string; tokens: number; sumLogProb: number }[] = perplexity.texts;
    const data = jsonlFile(texts.map(({ text }) => ({ text })));
    const { rows, metric } = await runOn(MODEL!, { suite: findSuite('ppl'), data }, EXACT);
    texts.forEach(({ tokens, sumLogProb }, at) => {
      expect(rows[at]!.tokens).toBe(tokens);
      expect(Math.abs((rows[at]!.sumLogProb as number) - sumLogProb)).toBeLessThan(FLOAT32);
    });
    expect(Math.abs((metric('ppl').value as number) - perplexity.ppl)).toBeLessThan(FLOAT32);
  });
});
