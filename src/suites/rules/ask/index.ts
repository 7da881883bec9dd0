/** The face of this suite: its options, for the run over a split. */
export type { Stage } from './ask.ts';
export type { RulesMaterial } from './material.ts';
export { options as rulesOptions, type RulesOptions } from './options.ts';
