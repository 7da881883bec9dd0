/** `logit-audit/rules`: rule moderation, the examples that a model is shown, and the scores of its answers (docs/rules.md). */

export { type ApiEmbedderOptions, openApiEmbedder } from '../../model/index.ts';
export { pluruleLetter } from '../../parse/index.ts';
export {
  answerOptions,
  exampleVote,
  loadRulesTables,
  pythonOrder,
  type Retrieved,
  type RetrieveRequest,
  type RulesPair,
  type RulesTables,
  readSplits,
  retrievalRecords,
  retrieveExamples,
  scoreReasoning,
} from './index.ts';
export {
  type BuildOptions,
  buildRetrieval,
  type Embedder,
  ExampleSelector,
  hashOrder,
  modelEmbedder,
  RetrievalArtifact,
  type RetrievalRecord,
  ragVote,
  type SelectionSettings,
} from './retrieval/store/index.ts';
export type { RulesModels, RulesPlanOptions, RulesRunOptions } from './run/options.ts';
export { planRules, type RulesPlan } from './run/plan.ts';
export { prepareRag, type RagChoice } from './run/rag.ts';
export { type RulesRunResult, runRules, runRulesPlan } from './run/run.ts';
export { ragVoteModel } from './run/vote.ts';
