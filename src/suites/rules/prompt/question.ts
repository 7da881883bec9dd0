/** The question about a thread: the template filled with the thread's fields. */
import { type FieldValue, fieldsOf, isSet, type Question, type Scope } from './fields.ts';
import {
  type Conditions,
  partsOf,
  type Template,
  type TemplateBlock,
  type TemplateLine,
} from './template.ts';

/** A piece of a line: fixed, or a field with its value. */
export type FilledPart = { readonly fixed: string } | { readonly field: string; readonly value: string };

/** A block as it stands in the text. */
export interface FilledBlock {
  readonly block: string;
  /** Empty lines in front of it. */
  readonly gap: number;
  /** A line may hold line feeds where its values do. */
  readonly lines: readonly (readonly FilledPart[])[];
}

export interface QuestionText {
  readonly text: string;
  readonly blocks: readonly FilledBlock[];
  /** Where images stand in the text, as an index of it; null where the template shows none here. */
  readonly imagesAt: number | null;
}

interface FilledLine {
  readonly parts: readonly FilledPart[];
  /** Images stand behind so many of its parts. */
  readonly imagesBehind?: number;
}

function holds({ when, unless }: Conditions, scope: Scope): boolean {
  return when.every((name) => isSet(name, scope)) && !unless.some((name) => isSet(name, scope));
}

function fill(text: string, scope: Scope): FilledPart[] {
  return partsOf(text).map((part) =>
    'fixed' in part
      ? part
      : { field: part.field, value: String(scope[part.field] satisfies FieldValue | undefined) },
  );
}

function linesOf(
  line: TemplateLine,
  scope: Scope,
  lists: ReturnType<typeof fieldsOf>['lists'],
): FilledLine[] {
  if (line.kind === 'line') {
    const scopes = line.each === null ? [scope] : lists[line.each].map((own) => ({ ...scope, ...own }));
    return scopes
      .filter((own) => holds(line, own))
      .map((own) => {
        const append = line.append.filter((piece) => holds(piece, own));
        return { parts: [fill(line.line, own), ...append.map((piece) => fill(piece.line, own))].flat() };
      });
  }
  if (!holds(line, scope)) return [];
  const label = fill(line.label, scope);
  const [first, ...rest] = line.stack.filter((piece) => holds(piece, scope));
  const head = [...label, ...fill(first === undefined ? line.none : first.line, scope)];
  return [
    { parts: head, ...(line.images ? { imagesBehind: label.length } : {}) },
    ...rest.map((piece) => ({ parts: fill(piece.line, scope) })),
  ];
}

function textOf(part: FilledPart): string {
  return 'fixed' in part ? part.fixed : part.value;
}

function scopesOf({ each }: TemplateBlock, { everywhere, lists }: ReturnType<typeof fieldsOf>): Scope[] {
  return each === null ? [everywhere] : lists[each].map((own) => ({ ...everywhere, ...own }));
}

export function askQuestion(question: Question, template: Template): QuestionText {
  const fields = fieldsOf(question, template);
  const blocks: FilledBlock[] = [];
  let text = '';
  let imagesAt: number | null = null;
  for (const block of template.blocks) {
    const scopes = scopesOf(block, fields).filter((scope) => holds(block, scope));
    for (const [number, scope] of scopes.entries()) {
      const gap = blocks.length === 0 ? 0 : number === 0 ? block.firstGap : block.gap;
      const lines = block.lines.flatMap((line) => linesOf(line, scope, fields.lists));
      for (const [at, { parts, imagesBehind }] of lines.entries()) {
        if (text !== '') text += at === 0 ? '\n'.repeat(gap + 1) : '\n';
        if (imagesBehind !== undefined) {
          imagesAt = text.length + parts.slice(0, imagesBehind).map(textOf).join('').length;
        }
        text += parts.map(textOf).join('');
      }
      blocks.push({ block: block.block, gap, lines: lines.map(({ parts }) => parts) });
    }
  }
  return { text, blocks, imagesAt };
}
