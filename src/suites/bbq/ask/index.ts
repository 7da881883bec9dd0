/** What a run of the whole benchmark needs to know of its suite. */
export {
  type Cell,
  CONTEXTS,
  type Context,
  cellName,
  POLARITIES,
  type Polarity,
  SPLITS,
  type Split,
} from './cell.ts';
export { type BbqOptions, options as bbqOptions } from './options.ts';
export { REASONING_MODES, type ReasoningMode, reasons } from './system.ts';
