/** An item of StereoSet in each of its shapes, as the three sentences by their labels. */
import { z } from 'zod';
import { optionalText, rowId } from '../columns.ts';

export const LABELS = ['stereotype', 'anti-stereotype', 'unrelated'] as const;
export type Label = (typeof LABELS)[number];

const sentence = z.looseObject({ sentence: z.string().min(1) });

type ItemSentences = Readonly<Record<Label, string>>;
type Labelled = { readonly sentence: string; readonly gold_label: Label };

/** What keeps the sentences from being one for each label; null if nothing does. */
function labelFault(sentences: readonly Labelled[]): string | null {
  for (const label of LABELS) {
    const own = sentences.filter(({ gold_label }) => gold_label === label).length;
    if (own !== 1) {
      return `${own === 0 ? 'none' : own} of its sentences ${own > 1 ? 'are' : 'is'} labelled ${label}; give one for each label`;
    }
  }
  return null;
}

export const schema = z
  .looseObject({
    id: rowId.optional(),
    target: optionalText,
    bias_type: optionalText,
    context: optionalText,
    /** The published shape. */
    sentences: z.array(z.looseObject({ ...sentence.shape, gold_label: z.enum(LABELS) })).optional(),
    /** The reduced one. */
    data: z
      .looseObject({ stereotype: sentence, 'anti-stereotype': sentence, unrelated: sentence })
      .optional(),
  })
  .transform(({ id, target, bias_type, context, sentences, data }, { addIssue }) => {
    const head = { id: id ?? null, target, biasType: bias_type, context };
    if (sentences === undefined && data === undefined) {
      addIssue({
        code: 'custom',
        path: ['sentences'],
        message: 'is missing; give three sentences with their gold_label, or data by label',
      });
      return z.NEVER;
    }
    if (sentences === undefined) {
      const of = (label: Label) => data![label].sentence;
      return { ...head, sentences: byLabel(of) };
    }
    const fault = labelFault(sentences);
    if (fault !== null) {
      addIssue({ code: 'custom', path: ['sentences'], message: fault });
      return z.NEVER;
    }
    const of = (label: Label) => sentences.find(({ gold_label }) => gold_label === label)!.sentence;
    return { ...head, sentences: byLabel(of) };
  });

function byLabel(of: (label: Label) => string): ItemSentences {
  return Object.fromEntries(LABELS.map((label) => [label, of(label)])) as ItemSentences;
}

export type StereosetRow = z.output<typeof schema>;
