/** The face of this room: what a GGUF file says of itself. */
export type { KvMemory } from './memory.ts';
export { type GgufSummary, type SpecialToken, summarizeGguf, type TensorTypeCount } from './summary.ts';
