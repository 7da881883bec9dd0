/** Public API of this folder: examples by similarity, from the embedding of comments to the vote of their rules. */
export { RetrievalArtifact } from './artifact.ts';
export { type BuildOptions, type BuiltRetrieval, buildRetrieval } from './build.ts';
export { type Embedder, type EmbedderIdentity, modelEmbedder } from './embedder.ts';
export { FILTERS, type RetrievalFilter } from './pool.ts';
export { instructionPrefix, type RetrievalRecord } from './record.ts';
export {
  BALANCES,
  type Example,
  ExampleSelector,
  hashOrder,
  type RandomOrder,
  type RetrievalBalance,
  type SelectionSettings,
  type Similarities,
} from './select.ts';
export { matrixName, readSidecar, type Sidecar, sidecarPath } from './sidecar.ts';
export { ragVote, type Vote } from './vote.ts';
