/** The face of this room: what a suite is, and which there are. */
export { findSuite, suiteNames } from './registry.ts';
export type {
  Fields,
  Json,
  MetricDefinition,
  ObservedGeneration,
  ObservedPair,
  ObservedRequest,
  ObservedScore,
  ObservedStep,
  ObservedTarget,
  ObservedText,
  Plan,
  RowIdentity,
  Suite,
  SuiteContext,
} from './suite.ts';
