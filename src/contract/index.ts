/** Public API of this folder: what a suite is. */

export type * from '../observation/observed.ts';
export type * from './metric.ts';
export type * from './metric.ts';
export {
  type OptionDefinition,
  type OptionTable,
  type OptionValues,
  resolveOptions,
} from './options.ts';
export * from './suite.ts';
