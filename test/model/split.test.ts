/** Models in several files: the same model, and clear errors for parts that are wrong. */
import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { summarizeGguf } from '../../src/gguf/index.ts';
import { type ModelOptions, openModel } from '../../src/model/index.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { faultOf } from '../fault.ts';
import { writeParts } from '../gguf/split-file.ts';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';

const STORIES = sharedFile('models/stories260K.gguf');
const TEXTS = ['The nurse said that', 'Once upon a time', 'The engineer said that she was late'];

async function observed(path: string, options: ModelOptions = {}) {
  await using model = await openModel(path, { threads: 1, ...options });
  const requests = [
    ...TEXTS.map((text) => ({ kind: 'probe' as const, text, positions: 'all' as const })),
    { kind: 'pair' as const, text: TEXTS[0]!, textSwap: TEXTS[2]! },
  ];
  const measure = { groups: [Int32Array.of(5, 6), Int32Array.of(7)], topK: 5, pairTopK: [5] };
  const { rows, pairs, sequences } = await model.observeWindow(requests, measure);
  return { parts: model.info.parts, info: { ...model.info, path: '', parts: [] }, rows, pairs, sequences };
}

async function expectSameInParts(whole: string, sizes: readonly number[]): Promise<void> {
  const parts = writeParts(readFileSync(whole), sizes, temporaryFolder());
  const expected = await observed(whole);
  const found = await observed(parts[0]!);
  expect(expected.parts).toEqual([whole]);
  expect(found.parts).toEqual(parts);
  // Bit for bit, and what the model says of itself too.
  expect({ ...found, parts: [] }).toEqual({ ...expected, parts: [] });
  const [summary, wholeSummary] = [await summarizeGguf(parts[0]!), await summarizeGguf(whole)];
  expect(summary.parts.map(({ path }) => path)).toEqual(parts);
  expect({ ...summary, path: '', parts: [] }).toEqual({ ...wholeSummary, path: '', parts: [] });
}

describe('a model in parts', () => {
  it('is the planted model whole', async () => {
    await expectSameInParts((await plantedFiles()).model, [3, 1, 8]);
  });

  it.skipIf(!STORIES)('is stories260K whole, its first part without tensors too', async () => {
    await expectSameInParts(STORIES!, [20, 28]);
    await expectSameInParts(STORIES!, [0, 7, 1, 40]);
  });

  it('opens in this process too', async () => {
    const { model } = await plantedFiles();
    const [first] = writeParts(readFileSync(model), [6, 6], temporaryFolder());
    const found = await observed(first!, { inProcess: true });
    expect(found.rows).toEqual((await observed(model)).rows);
  });
});

describe('parts that cannot be opened', () => {
  const cases: [string, (parts: string[]) => string, string, (parts: string[]) => string][] = [
    [
      'another than the first',
      (parts) => parts[1]!,
      'model_invalid',
      ([first]) => `it is part 2 of 3; give the first, "${first}"`,
    ],
    [
      'one missing',
      (parts) => {
        rmSync(parts[2]!);
        return parts[0]!;
      },
      'file_not_found',
      (parts) => `1 of 3 parts of "${parts[0]}" are missing: ${parts[2]}`,
    ],
    [
      'one cut off',
      (parts) => {
        truncateSync(parts[1]!, 5000);
        return parts[0]!;
      },
      'model_invalid',
      (parts) => `model file "${parts[1]}" cannot be used: it is truncated`,
    ],
    [
      'one twice',
      (parts) => {
        copyFileSync(parts[1]!, parts[2]!);
        return parts[0]!;
      },
      'model_invalid',
      (parts) => `model file "${parts[2]}" cannot be used: inside it is not part 3 of 3`,
    ],
    [
      'the first renamed',
      (parts) => {
        const renamed = join(parts[0]!, '..', 'model.gguf');
        renameSync(parts[0]!, renamed);
        return renamed;
      },
      'model_invalid',
      () => 'its name must end with -00001-of-00003.gguf',
    ],
  ];
  for (const [name, breaks, code, message] of cases) {
    it(`${name}: ${code}`, async () => {
      const { model } = await plantedFiles();
      const parts = writeParts(readFileSync(model), [4, 4, 4], temporaryFolder());
      const path = breaks(parts);
      const error = await faultOf(openModel(path));
      expect([error.code, error.message]).toEqual([code, expect.stringContaining(message(parts))]);
      // The data sheet refuses the same files.
      expect((await faultOf(summarizeGguf(path))).code).toBe(code);
    });
  }
});
