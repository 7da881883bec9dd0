/** The face of this room: what a suite is, and which there are. */

export type * from '../observation/observed.ts';
export type * from './fields.ts';
export type * from './metric.ts';
export {
  type OptionDefinition,
  type OptionTable,
  type OptionValues,
  resolveOptions,
} from './options.ts';
export type * from './suite.ts';
