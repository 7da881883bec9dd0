/** What a run of the whole benchmark needs to know of its suite. */
export {
  type BbqOptions,
  type Cell,
  CONTEXTS,
  cellName,
  options as bbqOptions,
  POLARITIES,
  SPLITS,
  type Split,
} from './options.ts';
export { REASONING_MODES, type ReasoningMode, reasons } from './system.ts';
