/**
 * The planted model's public face: build it, write it, get rows that suit it, and the values that an audit of those
 * rows must find. It is not a language model.
 */

export {
  type ExpectedPair,
  expectedLogits,
  expectedPair,
  expectedProbe,
  type TokenGroups,
} from './expected.ts';
export { contextTokens, type PlantedRow, plantedRows, probeTexts } from './frames.ts';
export { type GgufTensor, type GgufValue, ggufBytes } from './gguf.ts';
export { type PlantedModel, plantedModel, writePlantedModel } from './model.ts';
export type { Occupation } from './occupations.ts';
