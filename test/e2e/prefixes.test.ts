/** Shared prefixes with the tokenizer of the small real model, whose words are of many tokens. */
import { describe } from 'vitest';
import { sharedFile } from '../oracle/shared.ts';
import { testPrefixes } from './prefixes.ts';

const MODEL = sharedFile('models/stories260K.gguf');
const DATA = sharedFile('datasets');

describe.skipIf(!MODEL || !DATA)('shared prefixes, stories260K', () => {
  testPrefixes(() => MODEL!, DATA!);
});
