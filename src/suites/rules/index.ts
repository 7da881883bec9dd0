/** Public API of this folder: rule moderation as data, prompts and numbers. No model, no run. */

export type { PairMetadata, RulesPair } from './data/pair.ts';
export { targetOf, threadKey } from './data/pair.ts';
export { pairSchema, pairsOf, SUBREDDITS_AT } from './data/schema.ts';
export { type AnswerOption, answerOptions, letterOf } from './options/options.ts';
export { PythonRandom, pythonOrder } from './options/python-random.ts';
export { drawSeed, fromBase36, optionSeed } from './options/seed.ts';
export { type Conversation, conversationOf, inOneText, type Turn } from './prompt/conversation.ts';
export {
  describeExample,
  exampleAnswer,
  type RulesExample,
  TRACE_STYLES,
  type TraceStyle,
} from './prompt/examples.ts';
export { carriedText } from './prompt/fields.ts';
export { askQuestion, type FilledBlock } from './prompt/question.ts';
export { Traces } from './prompt/traces.ts';
export { correctRuleOf, retrievalRecords } from './retrieval/records.ts';
export { exampleVote, type Retrieved, type RetrieveRequest, retrieveExamples } from './retrieval/retrieve.ts';
export { readSplits } from './retrieval/splits.ts';
export { RULES_PARSERS, readAnswer } from './score/answer.ts';
export { INGEST_PARSERS, type IngestParser } from './score/ingest.ts';
export { DEFAULT_INTERVALS, type IntervalRequest, pairOrder, runIntervals } from './score/intervals.ts';
export { type PerformanceMetrics, performanceMetrics } from './score/performance.ts';
export { type ScoredRuns, scoreFiles, scoreReasoning, writeScores } from './score/score-files.ts';
export { GROUPING_NAMES, type Grouping, type PairOutcome, type Tallies, tallyPairs } from './score/tally.ts';
export { TIDY_COLUMNS, tidyRows } from './score/tidy.ts';
export { parseContext } from './tables/contexts.ts';
export { loadRulesTables, type RulesTables } from './tables/load.ts';
export { type ChosenPhrase, choosePhrase, PHRASE_MODES, phraseFolder } from './tables/phrases.ts';
export { THREAD_TYPES, type ThreadType } from './thread-type.ts';
