/** A questionnaire that a model answers itself, as a suite: a row is an item in an order of its answers. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type {
  Derivation,
  Fields,
  JournalEntry,
  Suite,
  SuiteContext,
  SuiteFile,
} from '../../../../contract/index.ts';
import { Alike } from '../../../../report/index.ts';
import {
  type AdministerAsking,
  type EarlierItem,
  type ItemAnswer,
  itemRequests,
  type Questionnaire,
  type QuestionnaireCase,
  readItem,
} from '../../ask/index.ts';
import type { Scale } from '../../data/index.ts';
import { statisticsFiles } from './results.ts';
import { type AnsweredItem, type QuestionnaireStatistics, questionnaireStatistics } from './statistics.ts';

/** With scale and model, all that an answer depends on. */
export interface AdministerDescription extends AdministerAsking {
  readonly subscales: readonly string[];
  readonly orders: number;
  readonly seed: number;
  readonly inContext: boolean;
  readonly system: string;
}

/** What the suite works with beside a row. */
export interface AdministerMaterial {
  readonly scale: Scale;
  readonly questionnaire: Questionnaire;
  readonly asking: AdministerDescription;
  /** Of the intervals. */
  readonly level: number;
}

function materialOf({ material }: SuiteContext): AdministerMaterial {
  return material as AdministerMaterial;
}

export class ItemStatistics implements Derivation {
  readonly #material: AdministerMaterial;
  readonly #answers: AnsweredItem[] = [];
  readonly #alike = new Alike();
  #statistics: QuestionnaireStatistics | null = null;

  constructor(material: AdministerMaterial) {
    this.#material = material;
  }

  add(entry: JournalEntry): void {
    const { item, order } = entry.slices;
    const result = entry.status === 'ok' ? (entry.result as unknown as ItemAnswer) : null;
    this.#answers.push({ item: item!, order: Number(order), result });
    if (result === null) return;
    const { answer, position } = result;
    this.#alike.add({ 'the answer': answer, 'the place of the answer in the list': position });
  }

  get statistics(): QuestionnaireStatistics {
    const { scale, questionnaire, level } = this.#material;
    this.#statistics ??= questionnaireStatistics(scale, questionnaire, this.#answers, level);
    return this.#statistics;
  }

  notes(): string[] {
    return this.#alike.notes();
  }

  files(): SuiteFile[] {
    return statisticsFiles(this.statistics, this.#material.level);
  }
}

/** Those of the same chat that were answered, in the order in which they were asked. */
function earlierItems(
  { order, place }: QuestionnaireCase,
  { questionnaire, asking }: AdministerMaterial,
  results: ReadonlyMap<string, Fields>,
): EarlierItem[] {
  if (!asking.inContext) return [];
  return questionnaire.cases.flatMap((one) => {
    const result = one.order === order && one.place < place ? results.get(one.id) : undefined;
    if (result === undefined) return [];
    return [{ text: one.text, answer: wordsOf(result as unknown as ItemAnswer, asking.answer) }];
  });
}

/** What stands as the model's answer in the chat that follows. */
function wordsOf({ answer, position, text }: ItemAnswer, counts: 'letters' | 'text'): string {
  if (counts === 'text' || answer === null) return text.trim();
  return String.fromCharCode('A'.charCodeAt(0) + position! - 1);
}

export const administerSuite: Suite<QuestionnaireCase> = {
  name: 'administer',
  summary: 'a questionnaire, answered by a model as itself',
  panel: 'utility',
  data: 'none: the items of the scale',
  example: 'logit-audit run scale --scale mini-ipip --administer --model model.gguf --out runs/ipip',
  schema: z.custom<QuestionnaireCase>(),
  options: {},
  lexicon: 'none',
  slices: ['item', 'order'],
  headline: [],
  resumeAt: 'failure',
  windows: { first: 4, most: 32 },
  derive: (context) => new ItemStatistics(materialOf(context)),
  metrics: () => [],
  identify: ({ id, item, order }) => ({ id, slices: { item, order: String(order) } }),
  round: ({ place }, context) => (materialOf(context).asking.inContext ? place : 0),
  plan(row, context, _, earlier = new Map()) {
    const material = materialOf(context);
    const { questionnaire, asking } = material;
    const before = { system: questionnaire.system, earlier: earlierItems(row, material, earlier) };
    return { kind: 'ask', requests: itemRequests(row, before, asking), note: {} };
  },
  score(answers, context, row) {
    const { scale, asking } = materialOf(context);
    const [prompt = ''] = answers[0]!.asked?.texts ?? [];
    const promptSha256 = createHash('sha256').update(prompt).digest('hex');
    return { promptSha256, ...readItem(scale, row, answers, asking) } as Fields;
  },
};
