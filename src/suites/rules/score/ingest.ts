/** Reasoning files, this project's or the original's, as outcomes: scores without a model. */
import { z } from 'zod';
import { checkRow, openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { primaryLanguage } from '../data/schema.ts';
import { letterOf } from '../options/options.ts';
import { THREAD_TYPES, type ThreadType } from '../thread-type.ts';
import { RULES_PARSERS, readAnswer } from './answer.ts';
import type { PairOutcome } from './tally.ts';

/** `kept`: predictions as the file has them; the others read the choices anew. */
export const INGEST_PARSERS = ['kept', ...RULES_PARSERS] as const;
export type IngestParser = (typeof INGEST_PARSERS)[number];

const side = z.looseObject({
  clean_answer_response: z.string().nullish(),
  extracted_prediction: z.string().nullish(),
  correct_answer: z.string().min(1),
  score: z.number().nullish(),
  answer_options: z.array(z.looseObject({ label: z.string(), rule: z.string() })).nullish(),
});
const pair = z.looseObject({
  mod_comment_id: z.string().min(1),
  violating: side,
  compliant: side,
  metadata: z.looseObject({
    rule: z.string().nullish(),
    rule_cluster_id: z.union([z.number(), z.string()]).nullish(),
    rule_cluster_label: z.string().nullish(),
    subreddit_cluster_id: z.union([z.number(), z.string()]).nullish(),
    subreddit_cluster_label: z.string().nullish(),
    subreddit_language: z.string().nullish(),
  }),
});
type Side = z.infer<typeof side>;

export interface IngestedRun {
  readonly outcomes: readonly PairOutcome[];
  /** Threads whose score in the file is another than the one made here. */
  readonly otherScores: number;
}

interface ReadSide {
  readonly score: 0 | 1;
  readonly unparsed: boolean;
}

/** Letters of all options that there could be, for files that do not tell those of a thread. */
const ANY = Array.from({ length: 26 }, (_, at) => ({
  label: `(${String.fromCharCode('a'.charCodeAt(0) + at)})`,
  rule: '',
}));

function readSide(given: Side, type: ThreadType, parser: IngestParser, where: string): ReadSide {
  const { correct_answer: correct, answer_options: options, extracted_prediction: kept } = given;
  if (parser === 'kept') {
    if (kept === undefined || kept === null) {
      const message = `${where}: ${type}.extracted_prediction is missing; give it, or --parser anchored to read the choices anew`;
      throw new AuditError('row_invalid', message, { key: `${type}.extracted_prediction` });
    }
    const offered = options ? options.some(({ label }) => label === kept) : letterOf(kept) !== null;
    return { score: kept === correct ? 1 : 0, unparsed: !offered };
  }
  if (parser === 'anchored' && !options) {
    const message = `${where}: ${type}.answer_options is missing, and anchored reads what is offered; give --parser kept or plurule`;
    throw new AuditError('row_invalid', message, { key: `${type}.answer_options` });
  }
  const read = readAnswer(given.clean_answer_response ?? '', { options: options ?? ANY, correct }, parser);
  return { score: read.score, unparsed: read.unparsed !== null };
}

/**
 * The pairs of a reasoning file. Throws `row_invalid` for a pair that cannot be scored, and for one that is there twice;
 * `data_empty` for none.
 */
export async function ingestReasoning(file: string, parser: IngestParser): Promise<IngestedRun> {
  const outcomes: PairOutcome[] = [];
  const seen = new Set<string>();
  let otherScores = 0;
  for await (const row of openDataset(file, { rowsAt: [['results'], ['data']] }).rows()) {
    const checked = checkRow(pair, row);
    if (!checked.ok) throw checked.error;
    const { mod_comment_id: id, metadata } = checked.value;
    const where = `${file}: pair ${row.index + 1} (${id})`;
    if (seen.has(id)) {
      throw new AuditError('row_invalid', `${where} is there twice; give each pair once`, { file, id });
    }
    seen.add(id);
    const sides = THREAD_TYPES.map((type) => {
      const given = checked.value[type];
      const read = readSide(given, type, parser, where);
      if (given.score !== null && given.score !== undefined && given.score !== read.score) otherScores += 1;
      return [type, read] as const;
    });
    const by = <T>(value: (read: ReadSide) => T) =>
      Object.fromEntries(sides.map(([type, read]) => [type, value(read)])) as Record<ThreadType, T>;
    outcomes.push({
      id,
      metadata: {
        rule: metadata.rule ?? '',
        rule_cluster_id: metadata.rule_cluster_id ?? -1,
        rule_cluster_label: metadata.rule_cluster_label || 'Other',
        subreddit_cluster_id: metadata.subreddit_cluster_id ?? -1,
        subreddit_cluster_label: metadata.subreddit_cluster_label || 'Other',
        subreddit_language: primaryLanguage(metadata.subreddit_language ?? ''),
      },
      scores: by(({ score }) => score),
      unparsed: by(({ unparsed }) => unparsed),
    });
  }
  if (outcomes.length > 0) return { outcomes, otherScores };
  throw new AuditError('data_empty', `${file} holds no pair; give a reasoning file`, { file });
}
