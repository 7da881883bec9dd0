/** Public API of this folder: its options, for the run over a split. */
export type { RulesMaterial, Stage } from './ask.ts';
export { options as rulesOptions, type RulesOptions } from './options.ts';
