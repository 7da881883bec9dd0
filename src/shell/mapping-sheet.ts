/** How words became token ids, for people: what `run` says of it in a few lines, and `lexicon map` in a table. */
import type { LexiconMapping } from '../lexicon/index.ts';
import { type Column, formatCount, type Row, renderTable } from '../report/index.ts';

/** A line for each group, and one for ids of several groups; `where` says where they are listed. */
export function mappingLines(
  { groups, policy, collisions, sharedIds }: LexiconMapping,
  where: string,
): string[] {
  const lines = groups.map((group) =>
    policy === 'ids'
      ? `${group.name}: ${formatCount(group.ids.length)} token ids, as given`
      : groupLine(group, where),
  );
  if (collisions.length === 0) return lines;
  const shared = `${formatCount(collisions.length)} token ids belong to several groups and count in ${sharedIds}`;
  return [...lines, `${shared} (${where})`];
}

/** A group's ids, and a warning where some stand for no more than the beginning of a word. */
function groupLine({ name, ids, words }: LexiconMapping['groups'][number], where: string): string {
  const all = words.flatMap((word) => word.forms);
  const left = new Set(
    all.filter(({ dropped }) => dropped?.endsWith('_beginning')).map(({ tokens }) => tokens[0]),
  );
  const without =
    left.size === 0
      ? ''
      : `; ${formatCount(left.size)} beginning${left.size === 1 ? '' : 's'} of words left out, too short or shared with other words (${where})`;
  const forms = all.filter((form) => form.id !== null);
  const whole = new Set(forms.filter(({ tokens }) => tokens.length === 1).map(({ id }) => id));
  const partial = ids.filter((id) => !whole.has(id)).length;
  const warning =
    partial === 0
      ? ''
      : `; ${formatCount(partial)} of them only begin a word (${where}; --policy skip leaves them out)`;
  return `${name}: ${formatCount(ids.length)} token ids from ${formatCount(words.length)} words${without}${warning}`;
}

export const POLICY_HELP =
  'a word of several tokens counts by its first where that begins no other common word (distinct), always (first), or not at all (skip)';

// A table takes time with the square of its rows, and word lists may be long.
const ROWS_A_TABLE = 500;

/** Every form of every word with its pieces and its id, or why it has none; then the ids of several groups. */
export function mappingTable({ groups, collisions }: LexiconMapping): string {
  const rows = groups.flatMap(({ name, words }) =>
    words.flatMap(({ word, forms }) =>
      forms.map(({ form, pieces, id, dropped, sharedWith }) => ({
        group: name,
        word,
        form: quoted(form),
        pieces: pieces.map(quoted).join(' '),
        id,
        note: noteOf(pieces, dropped, sharedWith),
      })),
    ),
  );
  const columns = [
    { key: 'group' },
    { key: 'word' },
    { key: 'form' },
    { key: 'pieces' },
    { key: 'id', format: String },
    { key: 'note' },
  ];
  const forms = tables(columns, rows);
  if (collisions.length === 0) return forms;
  const shared = tables(
    [{ key: 'id', header: 'id of several groups', format: String }, { key: 'piece' }, { key: 'forms' }],
    collisions.map(({ id, piece, groups: names, forms: uses }) => ({
      id,
      piece: quoted(piece),
      forms:
        uses.length === 0
          ? names.join(', ')
          : uses.map(({ group, form }) => `${group} ${quoted(form)}`).join(', '),
    })),
  );
  return `${forms}\n\n${shared}`;
}

function noteOf(pieces: readonly string[], dropped?: string, sharedWith?: string): string {
  if (sharedWith !== undefined) return `begins "${sharedWith}" too`;
  return dropped?.replaceAll('_', ' ') ?? (pieces.length > 1 ? 'first piece only' : '');
}

function tables(columns: readonly Column[], rows: readonly Row[]): string {
  const parts: string[] = [];
  for (let start = 0; start === 0 || start < rows.length; start += ROWS_A_TABLE) {
    parts.push(renderTable(columns, rows.slice(start, start + ROWS_A_TABLE)));
  }
  return parts.join('\n\n');
}

/** With the spaces at its ends to be seen. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
