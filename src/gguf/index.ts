/** Public API of this folder: what a GGUF file says of itself. */
export { type AdapterSummary, summarizeAdapter } from './adapter.ts';
export { type ContextSizes, type KvMemory, type MemoryNeed, memoryNeed } from './memory.ts';
export { type GgufSummary, type SpecialToken, summarizeGguf, type TensorTypeCount } from './summary.ts';
