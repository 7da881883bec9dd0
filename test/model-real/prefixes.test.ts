/** Shared prefixes with a tokenizer of today's kind. */
import { describe } from 'vitest';
import { testPrefixes } from '../e2e/prefixes.ts';
import { sharedFile } from '../oracle/shared.ts';
import { modelPath } from './model.ts';

const DATA = sharedFile('datasets');

describe.skipIf(!DATA)('shared prefixes, SmolLM2', () => {
  testPrefixes(modelPath, DATA!);
});
