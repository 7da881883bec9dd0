/** Public API of this folder: arrays out of NumPy files, as streams. */
export type { DeclaredType, FloatType } from './dtype.ts';
export { type IdsBlock, type IdsFile, openIds } from './ids.ts';
export { defaultBlockRows, type LogitsBlock, type LogitsFile, openLogits } from './stream.ts';
