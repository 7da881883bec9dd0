/**
 * Think blocks of reasoning models. A prompt that ends inside one asks for a thought next, not for an answer: a score
 * taken there measures the wrong thing, so it is seen here and refused unless the block is closed.
 */
import { AuditError } from '../errors.ts';

/** How models write a think block; the first pair that a template names is its own. */
const TAGS = [
  { open: '<think>', close: '</think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<seed:think>', close: '</seed:think>' },
] as const;

export type ThinkTags = (typeof TAGS)[number];

/** The tags that a template writes, or null for a model that does not think aloud as far as its template shows. */
export function thinkTags(template: string): ThinkTags | null {
  return TAGS.find(({ open, close }) => template.includes(open) || template.includes(close)) ?? null;
}

/** Does `tail`, the part of a prompt that the assistant speaks, end inside a block? */
export function endsInside(tail: string, { open, close }: ThinkTags): boolean {
  return tail.lastIndexOf(open) > tail.lastIndexOf(close);
}

/** `head` with an empty, closed block at its end, in place of an open one that holds nothing yet. */
export function withClosedBlock(head: string, { open, close }: ThinkTags): string {
  const trimmed = head.trimEnd();
  const before = trimmed.endsWith(open) ? trimmed.slice(0, -open.length) : head;
  return `${before}${open}\n\n${close}\n\n`;
}

/** Throws `think_open` for a prompt that ends inside a think block, where nothing can be scored. */
export function assertNotThinking(rendered: {
  readonly thinkOpen: boolean;
  readonly templateSha256: string;
}): void {
  if (!rendered.thinkOpen) return;
  throw new AuditError(
    'think_open',
    'the prompt ends inside a think block: what follows is a thought, not an answer, and cannot be scored; ' +
      'close the block (closeThink: true), or give the assistant’s text with its thought closed (assistantPrefill)',
    { templateSha256: rendered.templateSha256 },
  );
}
