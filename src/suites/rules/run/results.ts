/** The result files of a run, made of its journal alone: reasoning_*.json, performance_*.json and a tidy table. */

import type { Fields, Json, RunCounts } from '../../../contract/index.ts';
import { writeAtomic } from '../../../files/atomic.ts';
import { writeCsv, writeJson } from '../../../report/index.ts';
import { type JournalEntry, readJournal } from '../../../run/journal.ts';
import { rules } from '../ask/rules.ts';
import {
  type IntervalRequest,
  type PairMetadata,
  type PairOutcome,
  type PerformanceMetrics,
  pairOrder,
  performanceMetrics,
  runIntervals,
  type Tallies,
  THREAD_TYPES,
  type ThreadType,
  TIDY_COLUMNS,
  tallyPairs,
  tidyRows,
} from '../index.ts';
import type { ResultFiles } from './folder.ts';

/** What a performance file says in front of its numbers. */
export type ResultHead = { readonly [key: string]: Json };

type Measured = JournalEntry & { readonly status: 'ok' };

async function* measured(journal: string): AsyncGenerator<Measured> {
  for await (const entry of readJournal(journal, rules.slices)) {
    if (entry.status === 'ok') yield entry;
  }
}

function side(result: Fields, type: ThreadType): Fields {
  return result[type] as Fields;
}

function outcomeOf({ id, result }: Measured): PairOutcome {
  const of = <T>(value: (own: Fields) => T) =>
    Object.fromEntries(THREAD_TYPES.map((type) => [type, value(side(result, type))])) as Record<
      ThreadType,
      T
    >;
  return {
    id: id!,
    metadata: result.metadata as unknown as PairMetadata,
    scores: of(({ score }) => score as 0 | 1),
    unparsed: of(({ unparsed }) => unparsed !== null),
  };
}

/** A pair as the original's reasoning files have it. */
function reasoningOf({ id, result }: Measured): Fields {
  const { subreddit, submission_id, metadata, steps } = result;
  const { few_shot: fewShot, ...texts } = steps as Fields;
  const sides = THREAD_TYPES.map((type) => {
    const { input_prompt, reasoning_response, answer_options, ...more } = texts[type] as Fields;
    const own = side(result, type);
    return [
      type,
      {
        input_prompt: input_prompt!,
        reasoning_response: reasoning_response!,
        clean_answer_response: own.clean_answer_response!,
        extracted_prediction: own.extracted_prediction!,
        correct_answer: own.correct_answer!,
        score: own.score!,
        answer_options: answer_options!,
        unparsed: own.unparsed!,
        ...more,
      },
    ] as const;
  });
  return {
    mod_comment_id: id!,
    subreddit: subreddit!,
    submission_id: submission_id!,
    ...Object.fromEntries(sides),
    metadata: metadata!,
    ...(fewShot === undefined ? {} : { few_shot: fewShot }),
  };
}

async function* reasoningText(journal: string): AsyncGenerator<string> {
  let first = true;
  yield '[';
  for await (const entry of measured(journal)) {
    const text = JSON.stringify(reasoningOf(entry), null, 2).replaceAll('\n', '\n  ');
    yield `${first ? '' : ','}\n  ${text}`;
    first = false;
  }
  yield '\n]\n';
}

export interface WrittenPerformance {
  readonly metrics: PerformanceMetrics;
  readonly tallies: Tallies;
}

/** Null, and no file, where no pair was measured. */
export async function writeResults(
  files: ResultFiles,
  journal: string,
  head: ResultHead,
  counts: RunCounts,
  intervals: IntervalRequest,
): Promise<WrittenPerformance | null> {
  const outcomes: PairOutcome[] = [];
  for await (const entry of measured(journal)) outcomes.push(outcomeOf(entry));
  if (outcomes.length === 0) return null;
  const tallies = tallyPairs(outcomes);
  const found = await runIntervals(outcomes, pairOrder([outcomes]), intervals);
  const metrics = performanceMetrics(tallies, found, intervals);
  await writeAtomic(files.reasoning, reasoningText(journal));
  await writeCsv(
    files.tidy,
    TIDY_COLUMNS.map((key) => ({ key })),
    tidyRows(String(head.model), tallies, found),
  );
  // The last one: where it is, the others are whole.
  await writeJson(files.performance, { ...head, counts, metrics });
  return { metrics, tallies };
}
