/** Public API of this folder: rule moderation as data, prompts and numbers. No model, no run. */

export type {
  PairMetadata,
  RulesComment,
  RulesPair,
  RulesRule,
  RulesSubmission,
  RulesThread,
} from './data/pair.ts';
export { targetOf, threadKey } from './data/pair.ts';
export { DEHYDRATED, pairSchema, pairsOf, SUBREDDITS_AT } from './data/schema.ts';
export { type AnswerOption, answerOptions, letterOf, NO_RULE_BROKEN } from './options/options.ts';
export { PythonRandom, pythonOrder } from './options/python-random.ts';
export { drawSeed, fromBase36, optionSeed } from './options/seed.ts';
export {
  type Conversation,
  conversationOf,
  type FewShot,
  inOneText,
  type Turn,
} from './prompt/conversation.ts';
export {
  describeExample,
  exampleAnswer,
  type RulesExample,
  TRACE_STYLES,
  type Trace,
  type TraceStyle,
} from './prompt/examples.ts';
export type { Question } from './prompt/fields.ts';
export { carriedText } from './prompt/fields.ts';
export { askQuestion, type FilledBlock, type FilledPart, type QuestionText } from './prompt/question.ts';
export { parseTemplate, type Template } from './prompt/template.ts';
export { Traces } from './prompt/traces.ts';
export { correctRuleOf, retrievalRecords } from './retrieval/records.ts';
export {
  exampleVote,
  type Retrieved,
  type RetrievedExample,
  type RetrieveRequest,
  retrieveExamples,
} from './retrieval/retrieve.ts';
export { type DataFileHash, type ReadSplit, readSplits, type SplitFiles } from './retrieval/splits.ts';
export { RULES_PARSERS, type RulesAnswer, type RulesParser, readAnswer } from './score/answer.ts';
export {
  INGEST_PARSERS,
  type IngestedRun,
  type IngestParser,
  ingestReasoning,
} from './score/ingest.ts';
export {
  DEFAULT_INTERVALS,
  type IntervalRequest,
  pairOrder,
  type RunIntervals,
  runIntervals,
} from './score/intervals.ts';
export { type PerformanceMetrics, performanceMetrics } from './score/performance.ts';
export {
  type ScoredRun,
  type ScoredRuns,
  scoreFiles,
  scoreReasoning,
  writeScores,
} from './score/score-files.ts';
export { GROUPING_NAMES, type Grouping, type PairOutcome, type Tallies, tallyPairs } from './score/tally.ts';
export { TIDY_COLUMNS, tidyRows } from './score/tidy.ts';
export { type ContextFlags, type ContextTable, parseContext, parseContexts } from './tables/contexts.ts';
export { loadRulesTables, OWN_TABLES, type RulesTables } from './tables/load.ts';
export {
  type ChosenPhrase,
  choosePhrase,
  PHRASE_MODES,
  type PhraseMode,
  type PhraseTable,
  parsePhrases,
  phraseFolder,
} from './tables/phrases.ts';
export { THREAD_TYPES, type ThreadType } from './thread-type.ts';
