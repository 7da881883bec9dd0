/** Public API of this folder: examples by similarity, from the embedding of comments to the vote of their rules. */
export { type ArtifactUse, RetrievalArtifact, type Split } from './artifact.ts';
export { type BuildOptions, type BuildSide, type BuiltRetrieval, buildRetrieval } from './build.ts';
export { type Embedder, type EmbedderIdentity, type EmbeddingModel, modelEmbedder } from './embedder.ts';
export { FILTERS, type RetrievalFilter } from './pool.ts';
export {
  type ClusterId,
  instructionPrefix,
  type RecordType,
  type RetrievalRecord,
  recordKey,
} from './record.ts';
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
export { type CastVote, type OfferedRule, ragVote, type Vote, type VotingExample } from './vote.ts';
