/**
 * Labelled sentences of free text. A line is `kind | text | marks`: in the text, `[her>his,him]` is a word and what may
 * take its place, `*` any word; `text ~ swapped` spells both out. Marks: none without a gendered word, `half` and `name` as
 * the swap calls them, and `?` behind one where either reading is right. Without a mark the swap must be clean.
 */
import { readFileSync } from 'node:fs';

export interface Labelled {
  readonly kind: string;
  readonly text: string;
  /** Matches every counterfactual that is right. */
  readonly right: RegExp;
  readonly mark: 'none' | 'half' | 'name' | null;
  /** Is a clean swap right too? */
  readonly optional: boolean;
}

const SLOT = /\[([^\]>]*)>([^\]]*)\]/gu;

export function labelled(file: string): Labelled[] {
  const text = readFileSync(new URL(`free-text/${file}`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(labelledLine);
}

function labelledLine(line: string): Labelled {
  const [kind, body, mark = ''] = line.split(' | ').map((part) => part.trim());
  const [before, after] = body!.split(' ~ ') as [string, string | undefined];
  const pattern = (after ?? before).split(SLOT).map((part, index) => {
    if (index % 3 === 1) return '';
    if (index % 3 === 0) return literally(part);
    return part === '*' ? "[\\p{L}\\p{M}’' -]+?" : `(?:${part.split(',').map(literally).join('|')})`;
  });
  return {
    kind: kind!,
    text: before.replace(SLOT, '$1'),
    right: new RegExp(`^${pattern.join('')}$`, 'u'),
    mark: mark === '' ? null : (mark.replace('?', '') as Labelled['mark']),
    optional: mark.endsWith('?'),
  };
}

const literally = (part: string): string => part.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
