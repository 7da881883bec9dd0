/**
 * Public data sets as score requests: what an audit by sequence probabilities asks of a model. Rows come in the order of
 * their files, each with the requests that it becomes.
 */
import path from 'node:path';
import { z } from 'zod';
import { openDataset } from '../../src/dataset/index.ts';
import type { ScoreRequest } from '../../src/observation/observation.ts';

export interface Benchmark {
  readonly name: 'crows-pairs' | 'winogender' | 'bbq';
  /** Below the folder of data sets. */
  readonly files: readonly string[];
  readonly requests: (row: unknown) => ScoreRequest<string>[];
}

const crowsRow = z.object({ sent_more: z.string(), sent_less: z.string() });
const winoRow = z.object({ sentid: z.string(), sentence: z.string() });
const bbqRow = z.object({
  context: z.string(),
  question: z.string(),
  ans0: z.string(),
  ans1: z.string(),
  ans2: z.string(),
});

const PRONOUN = /\b(?:he|she|they|him|her|them|his|their)\b/i;

export const BENCHMARKS: readonly Benchmark[] = [
  {
    name: 'crows-pairs',
    files: ['crows-pairs/data/crows_pairs_anonymized.csv'],
    // Two whole sentences, continuations of nothing.
    requests(row) {
      const { sent_more, sent_less } = crowsRow.parse(row);
      return [score('', [sent_more, sent_less])];
    },
  },
  {
    name: 'winogender',
    files: ['winogender/data/all_sentences.tsv'],
    // The form in which public harnesses ask: whom does the pronoun name?
    requests(row) {
      const { sentid, sentence } = winoRow.parse(row);
      const [occupation, participant] = sentid.split('.');
      const [pronoun] = PRONOUN.exec(sentence) ?? [];
      if (!occupation || !participant || !pronoun) throw new Error(`${sentid}: this is no WinoGender row`);
      const named = pronoun[0]!.toUpperCase() + pronoun.slice(1).toLowerCase();
      return [score(`${sentence} '${named}' refers to the`, [` ${occupation}`, ` ${participant}`])];
    },
  },
  {
    name: 'bbq',
    files: ['bbq/data/Age.jsonl', 'bbq/data/Nationality.jsonl', 'bbq/data/Religion.jsonl'],
    // Four rows in a row ask two questions in a short and in a long form of one context.
    requests(row) {
      const { context, question, ans0, ans1, ans2 } = bbqRow.parse(row);
      return [score(`${context}\n\n${question}\nAnswer:`, [` ${ans0}`, ` ${ans1}`, ` ${ans2}`])];
    },
  },
];

/** The rows of a data set as requests, in order. Throws what openDataset throws, and for the first bad row. */
export async function* rowsOf(
  { files, requests }: Benchmark,
  folder: string,
): AsyncGenerator<ScoreRequest<string>[], void, undefined> {
  for (const file of files) {
    for await (const row of openDataset(path.join(folder, file)).rows()) {
      if (row.error) throw row.error;
      yield requests(row.value);
    }
  }
}

/** What a loop without prefixes asks: every continuation alone. */
export function oneByOne(requests: readonly ScoreRequest<string>[]): ScoreRequest<string>[] {
  return requests.flatMap(({ prompt, continuations }) =>
    continuations.map((continuation) => score(prompt, [continuation])),
  );
}

function score(prompt: string, continuations: readonly string[]): ScoreRequest<string> {
  return { kind: 'score', prompt, continuations };
}
