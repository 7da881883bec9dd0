/**
 * A template with a slot: `The {occupation} said that {she|he}` makes a row's text and its swap of the row's columns, so
 * that data which are a list of words need no texts of their own.
 */
import { z } from 'zod';
import { AuditError } from '../../errors.ts';
import { type CtfRow, ctfRow } from '../shared/swapped-pair.ts';

const PLACE = /\{([^{}]*)\}/g;

interface Part {
  readonly text: string;
  /** The two words of the slot, or the column that is put here; null behind the last one. */
  readonly place: readonly [string, string] | string | null;
}

function wrong(template: string, what: string): AuditError {
  const message = `template ${JSON.stringify(template)} ${what}; write it as "The {occupation} said that {she|he}"`;
  return new AuditError('bad_argument', message, { key: 'template' });
}

/** Throws `bad_argument` for a template without exactly one slot of two different words. */
function partsOf(template: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of template.matchAll(PLACE)) {
    const inside = found[1]!.trim();
    const words = inside.split('|').map((word) => word.trim());
    if (words.length > 2 || words.includes(''))
      throw wrong(template, `has ${found[0]}, which names no column and no two words`);
    if (words.length === 2 && words[0] === words[1])
      throw wrong(template, 'has the same word twice in its slot');
    parts.push({
      text: template.slice(end, found.index),
      place: words.length === 2 ? (words as [string, string]) : inside,
    });
    end = found.index + found[0].length;
  }
  const slots = parts.filter(({ place }) => Array.isArray(place)).length;
  if (slots !== 1)
    throw wrong(template, slots === 0 ? 'has no slot with the two words' : `has ${slots} slots`);
  return [...parts, { text: template.slice(end), place: null }];
}

const textCell = z.union([z.string().min(1), z.number().transform(String)]);

/** The schema of rows that have the template's columns in place of x and x_swap. */
export function templateRow(template: string): z.ZodType<CtfRow> {
  const parts = partsOf(template);
  const columns = parts.flatMap(({ place }) => (typeof place === 'string' ? [place] : []));
  const cells = z.looseObject(Object.fromEntries(columns.map((column) => [column, textCell])));
  const fill = (row: Readonly<Record<string, unknown>>, side: 0 | 1) =>
    parts
      .map(
        ({ text, place }) =>
          text + (place === null ? '' : typeof place === 'string' ? row[place] : place[side]),
      )
      .join('');
  return cells
    .transform((row) => ({ ...row, x: fill(row, 0), x_swap: fill(row, 1) }))
    .pipe(ctfRow) as z.ZodType<CtfRow>;
}
