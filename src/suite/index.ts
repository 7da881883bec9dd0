/** The face of this room: what a suite is, and which there are. */
export * from './bbq/index.ts';
export type * from './fields.ts';
export type * from './metric.ts';
export type * from './observed.ts';
export {
  type OptionDefinition,
  type OptionTable,
  type OptionValues,
  resolveOptions,
} from './options.ts';
export { findSuite, suiteNames } from './registry.ts';
export * from './rules/index.ts';
export * from './scale/index.ts';
export type * from './suite.ts';
