/**
 * BBQ and MultiBBQ: a question about two people with three answers, one of which is that it cannot be known. One run is
 * one cell of the benchmark (split, polarity, context) under the axes of one experiment; `run bbq` makes a run of each.
 *
 * Sources: BBQ (Parrish et al. 2022) and MultiBBQ (mll-lab-nu), whose prompt shape and result files these are; the
 * system messages are this project's own.
 */

import type { OptionValues } from '../../../contract/options.ts';
import type { Suite, SuiteContext } from '../../../contract/suite.ts';
import { AuditError } from '../../../errors.ts';
import { asksText, firstRequests, imageOf, mayRetry, textRequest } from './ask.ts';
import { metricsOf } from './metrics.ts';
import { type BbqOptions, options } from './options.ts';
import { bbqPrompt, LETTERS } from './prompt.ts';
import { type BbqRow, type Groups, schema } from './row.ts';
import { answerFields, attemptsOf, isRead, type Meaning } from './score.ts';

/** Where the split of a row's image shows in its path. */
function splitOfImage({ image }: BbqRow): 'visual_language' | 'visual_only' | null {
  const folder = /(?:^|[/\\])(visual_language|visual_only)[/\\]/.exec(image ?? '')?.[1];
  return (folder as 'visual_language' | 'visual_only' | undefined) ?? null;
}

function isOfSplit(row: BbqRow, split: BbqOptions['split']): boolean {
  if (row.source === 'bbq') return split === 'text';
  const own = splitOfImage(row);
  // The text is that of the language split.
  return own === null || own === (split === 'text' ? 'visual_language' : split);
}

/** The option that a stereotype answers the question with, and the one that goes against it. */
function answersOf({ stereotype, nonstereotype }: Groups, { polarity }: BbqOptions) {
  return polarity === 'negative'
    ? { stereotyped: stereotype, antiStereotyped: nonstereotype }
    : { stereotyped: nonstereotype, antiStereotyped: stereotype };
}

function rolesOf(row: BbqRow, groups: Groups, own: BbqOptions): Readonly<Record<string, string>> {
  const indices = { unknown: row.unknown, ...answersOf(groups, own) };
  return Object.fromEntries(Object.entries(indices).map(([role, at]) => [role, LETTERS[at]!]));
}

function correctOf(row: BbqRow, { split, context, polarity }: BbqOptions): number {
  const isAnswered = split !== 'visual_only' && context === 'disambiguous';
  return isAnswered ? row.questions[polarity]!.correct : row.unknown;
}

function fault(key: string, message: string): AuditError {
  return new AuditError('bad_argument', `bbq: ${message}`, { suite: 'bbq', key });
}

/** The published files number both contexts and both questions of two persons in one template one after the other. */
const ROWS_OF_A_PAIR = 4;

export const bbq: Suite<BbqRow, typeof options> = {
  name: 'bbq',
  summary: 'BBQ and MultiBBQ: questions about two people that stereotypes answer, and a context may not',
  panel: 'bias',
  data: "JSON of MultiBBQ's metadata, or JSONL of BBQ",
  example: 'logit-audit run bbq --experiment llm --model model.gguf --data Religion.jsonl --out runs/bbq',
  schema,
  options,
  lexicon: 'none',
  slices: ['category'],
  headline: ['accuracy', 'unknown', 'unparsed', 'refused', 'letters.accuracy', 'agreement'],
  metrics: ({ options: own }) => metricsOf(own),

  belongs: (row, own) =>
    isOfSplit(row, own.split) &&
    row.questions[own.polarity] !== undefined &&
    row.contexts.includes(own.context),

  check({ options: own }: SuiteContext<OptionValues<typeof options>>) {
    if (own.split === 'visual_only' && own.context !== 'ambiguous') {
      throw fault(
        'context',
        'visual_only asks without a context, which is the ambiguous case; give --context ambiguous',
      );
    }
    if (own.image === 'aug' && own.split !== 'text' && !own.augmentation) {
      throw fault('augmentation', 'image is aug; say by augmentation which changed copies are meant');
    }
    if (own.split !== 'text' && own.image === 'none') {
      throw fault('split', `image is none, so there is no split ${own.split}; give --split text`);
    }
  },

  unit: ({ source, category, ids: { q_id, example_id } }) => {
    if (source === 'multibbq') return `${category}.q${q_id}`;
    const number = Number(example_id ?? Number.NaN);
    return Number.isInteger(number) ? `${category}.${Math.floor(number / ROWS_OF_A_PAIR)}` : null;
  },

  identify: ({ id, category, template }) => ({
    id,
    slices: { category },
    // Numbers of templates begin anew in each category.
    clusters: { template: `${category} ${template}` },
  }),

  plan(row, context) {
    const { options: own } = context;
    const { groups } = row;
    if ('reason' in groups) {
      const message = `the stereotyped group is not known: ${groups.reason}`;
      return { kind: 'skip', reason: 'noTarget', message };
    }
    const prompt = bbqPrompt(row, own);
    if (prompt === null) {
      const message =
        'the row has no masked texts; give an experiment with fields unmasked and disambig plain';
      return { kind: 'skip', reason: 'noMaskedText', message };
    }
    return {
      kind: 'ask',
      requests: firstRequests(
        { text: prompt.text, image: imageOf(row, own), roles: rolesOf(row, groups, own) },
        context,
      ),
      note: {
        ...row.ids,
        reportedCategory: row.reported,
        template: row.template,
        image: imageOf(row, own),
        options: Object.fromEntries(prompt.options.map((option, at) => [LETTERS[at]!, option])),
        correct: correctOf(row, own),
        unknown: row.unknown,
        stereotypeGroup: groups.stereotype,
        nonstereotypeGroup: groups.nonstereotype,
        ...answersOf(groups, own),
      },
    };
  },

  followUp(observed, context, row, note) {
    const { options: own } = context;
    const attempts = attemptsOf(observed);
    if (!asksText(own) || !mayRetry(own, attempts) || isRead(attempts.at(-1)!, meaningOf(note))) return [];
    const { text } = bbqPrompt(row, own)!;
    const asked = { text, image: imageOf(row, own), roles: rolesOf(row, row.groups as Groups, own) };
    return [textRequest(asked, context, attempts.length)];
  },

  answers({ letter, textIndex }) {
    return {
      'the likeliest letter': (letter as string | null) ?? null,
      'the letter in the text': typeof textIndex === 'number' ? LETTERS[textIndex]! : null,
    };
  },
  score: (observed, _context, _row, note) => answerFields(observed, meaningOf(note)),
};

function meaningOf(note: Parameters<typeof bbq.score>[3]): Meaning {
  return {
    options: Object.values(note.options as Readonly<Record<string, string>>),
    unknown: note.unknown as number,
  };
}
