/** The template of the question, as data: which blocks, in which order, with which lines under which conditions. */
import { z } from 'zod';
import { parseTableFile } from '../tables/parse.ts';

/** What the blocks and lines of a list are repeated for, and the fields that they then have. */
export const LISTS = {
  rules: ['rule.number', 'rule.name', 'rule.description', 'rule.violation'],
  comments: [
    'comment.number',
    'comment.flair',
    'comment.author',
    'comment.posted',
    'comment.body',
    'comment.is-missing',
    'comment.is-target',
  ],
  options: ['option.label', 'option.rule'],
} as const;
export type ListName = keyof typeof LISTS;

/** Fields that are there everywhere. */
export const FIELDS = [
  'subreddit.name',
  'subreddit.title',
  'subreddit.description',
  'submission.title',
  'submission.flair',
  'submission.author',
  'submission.posted',
  'submission.url',
  'submission.text',
  'submission.has-hidden-images',
  'phrase',
] as const;

const FLAG = 'flags.';

const conditions = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((given) => (given === undefined ? [] : [given].flat()));
const condition = { when: conditions, unless: conditions };

const piece = z.union([
  z.string().transform((line) => ({ line, when: [] as string[], unless: [] as string[] })),
  z.strictObject({ line: z.string(), ...condition }),
]);
const list = z.enum(Object.keys(LISTS) as [ListName, ...ListName[]]);
const line = z.union([
  z.string().transform((text) => ({
    kind: 'line' as const,
    line: text,
    append: [] as z.infer<typeof piece>[],
    each: null as ListName | null,
    when: [] as string[],
    unless: [] as string[],
  })),
  z
    .strictObject({
      line: z.string(),
      append: z.array(piece).default([]),
      each: list.nullable().default(null),
      ...condition,
    })
    .transform((given) => ({ kind: 'line' as const, ...given })),
  z
    .strictObject({
      label: z.string(),
      stack: z.array(piece).min(1),
      none: z.string(),
      images: z.boolean().default(false),
      ...condition,
    })
    .transform((given) => ({ kind: 'stack' as const, ...given })),
]);
const gap = z.int().min(0);
const block = z
  .strictObject({
    block: z.string().min(1),
    gap: gap.default(1),
    'first-gap': gap.optional(),
    each: list.nullable().default(null),
    lines: z.array(line).min(1),
    ...condition,
  })
  .transform(({ 'first-gap': firstGap, ...given }) => ({ ...given, firstGap: firstGap ?? given.gap }));

const shape = z.strictObject({
  author: z.string().includes('{number}'),
  blocks: z.array(block).min(1),
  discussion: z.string().startsWith(FLAG),
  final: z.string().min(1),
  'final-turn': z.string().min(1),
  examples: z
    .strictObject({ answer: z.string(), separator: z.string().min(1), 'question-to-answer': z.string() })
    .transform(({ 'question-to-answer': questionToAnswer, ...given }) => ({ ...given, questionToAnswer })),
});

const schema = shape.transform(({ 'final-turn': finalTurn, ...given }) => ({ ...given, finalTurn }));

export type Template = z.infer<typeof schema>;
export type TemplateBlock = Template['blocks'][number];
export type TemplateLine = TemplateBlock['lines'][number];
export type TemplatePiece = z.infer<typeof piece>;
export type Conditions = Pick<TemplatePiece, 'when' | 'unless'>;

/** What a text of the template is made of. */
export type TextPart = { readonly fixed: string } | { readonly field: string };

const FIELD = /\{([a-z][a-z-]*(?:\.[a-z-]+)?)\}/g;

export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: whole, 1: field, index } of text.matchAll(FIELD)) {
    if (index > from) parts.push({ fixed: text.slice(from, index) });
    parts.push({ field: field! });
    from = index + whole.length;
  }
  if (from < text.length) parts.push({ fixed: text.slice(from) });
  return parts;
}

/** Names that a block uses and that are not there in it. */
function unknownNames(own: TemplateBlock, flags: ReadonlySet<string>): string[] {
  const known = new Set<string>([...FIELDS, ...(own.each ? LISTS[own.each] : [])]);
  const missing: string[] = [];
  const look = (names: readonly string[], more: readonly string[] = []) => {
    for (const name of names) {
      const isFlag = name.startsWith(FLAG) && flags.has(name.slice(FLAG.length));
      if (!isFlag && !known.has(name) && !more.includes(name)) missing.push(name);
    }
  };
  const fieldsIn = (text: string) => partsOf(text).flatMap((part) => ('field' in part ? [part.field] : []));
  // A whole block may be left out by what holds everywhere alone.
  const everywhere = (names: readonly string[]) => {
    look(names.filter((name) => !(own.each && (LISTS[own.each] as readonly string[]).includes(name))));
  };
  everywhere([...own.when, ...own.unless]);
  for (const each of own.lines) {
    const more = each.kind === 'line' && each.each ? LISTS[each.each] : [];
    look([...each.when, ...each.unless], more);
    const pieces: readonly TemplatePiece[] = each.kind === 'line' ? each.append : each.stack;
    look(fieldsIn(each.kind === 'line' ? each.line : each.label), more);
    for (const one of pieces) look([...one.when, ...one.unless, ...fieldsIn(one.line)], more);
  }
  return missing;
}

/**
 * Reads a template whose flags are those of the contexts. Throws `experiment_invalid` for a key, a field or a flag that
 * there is not.
 */
export function parseTemplate(bytes: Uint8Array, file: string, flags: Iterable<string>): Template {
  const known = new Set(flags);
  const checked = schema.superRefine((template, context) => {
    const fail = (path: (string | number)[], name: string) => {
      const there = [...FIELDS, ...Object.values(LISTS).flat(), ...[...known].map((flag) => FLAG + flag)];
      context.addIssue({
        code: 'custom',
        path,
        message: `there is no ${name} here; there are ${there.join(', ')}`,
      });
    };
    for (const [at, own] of template.blocks.entries()) {
      for (const name of unknownNames(own, known)) fail(['blocks', at], name);
    }
    if (!known.has(template.discussion.slice(FLAG.length))) fail(['discussion'], template.discussion);
  });
  return parseTableFile(bytes, file, 'template', checked);
}
