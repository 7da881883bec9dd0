/** An item of StereoSet in each of its shapes, as the three sentences by their labels. */
import { z } from 'zod';
import { optionalText, rowId } from '../../contract/columns.ts';

export const LABELS = ['stereotype', 'anti-stereotype', 'unrelated'] as const;
export type Label = (typeof LABELS)[number];

const sentence = z.looseObject({ sentence: z.string().min(1) });
const labelled = sentence.extend({ gold_label: z.enum(LABELS) });

const item = z.looseObject({
  id: rowId.optional(),
  target: optionalText,
  bias_type: optionalText,
  context: optionalText,
  /** The published shape. */
  sentences: z.array(labelled).optional(),
  /** The reduced one; of an item that has both, the published one counts. */
  data: z.looseObject({ stereotype: sentence, 'anti-stereotype': sentence, unrelated: sentence }).optional(),
});

/** The item's sentences by label, or what keeps them from being one for each. */
function byLabel({ sentences, data }: z.output<typeof item>): Record<Label, string> | { fault: string } {
  if (sentences === undefined) {
    if (data) return mapLabels((label) => data[label].sentence);
    return { fault: 'is missing; give three sentences with their gold_label, or data by label' };
  }
  for (const label of LABELS) {
    const own = sentences.filter(({ gold_label }) => gold_label === label).length;
    const said = own === 0 ? 'none of its sentences is' : `${own} of its sentences are`;
    if (own !== 1) return { fault: `${said} labelled ${label}; give one for each label` };
  }
  return mapLabels((label) => sentences.find(({ gold_label }) => gold_label === label)!.sentence);
}

function mapLabels(of: (label: Label) => string): Record<Label, string> {
  return Object.fromEntries(LABELS.map((label) => [label, of(label)])) as Record<Label, string>;
}

export const schema = item.transform((row, { addIssue }) => {
  const sentences = byLabel(row);
  if ('fault' in sentences) {
    addIssue({ code: 'custom', path: ['sentences'], message: sentences.fault });
    return z.NEVER;
  }
  const { id, target, bias_type, context } = row;
  return { id: id ?? null, target, biasType: bias_type, context, sentences };
});

export type StereosetRow = z.output<typeof schema>;
