/** A result file in MultiBBQ's shape, made of the journal of a run: {"data": [row...]}. */

import type { Fields } from '../../../contract/index.ts';
import { writeAtomic } from '../../../files/atomic.ts';
import { type JournalEntry, readJournal } from '../../../run/journal.ts';
import type { Images } from './images.ts';

const IDS = ['q_id', 'c_id', 'example_id', 'question_index'] as const;

/** Beside the columns of the original: what the row is known by, its image's hash, and both answers as they were read. */
async function resultRow(
  { id, slices, result }: JournalEntry & { readonly status: 'ok' },
  images: Images,
): Promise<Fields> {
  const { image } = result;
  const ids = IDS.filter((key) => key in result).map((key) => [key, result[key]!]);
  return {
    image: image!,
    image_sha256: typeof image === 'string' ? await images.sha256(image) : null,
    category: slices.category!,
    reported_category: result.reportedCategory!,
    id: id!,
    ...Object.fromEntries(ids),
    options: Object.values(result.options as Readonly<Record<string, string>>),
    pred: result.pred!,
    correct_option_idx: result.correct!,
    stereotype_group_idx: result.stereotypeGroup!,
    nonstereotype_group_idx: result.nonstereotypeGroup!,
    unk_label_idx: result.unknown!,
    letter: result.letter ?? null,
    letter_share: result.letterShare ?? null,
    text: result.response ?? null,
    text_index: result.textIndex ?? null,
    attempts: result.attempts ?? 0,
  };
}

export interface WrittenResults {
  readonly path: string;
  readonly rows: number;
}

async function* lines(journal: string, images: Images, count: { rows: number }): AsyncGenerator<string> {
  yield '{"data": [';
  for await (const entry of readJournal(journal, ['category'])) {
    if (entry.status !== 'ok') continue;
    yield `${count.rows === 0 ? '' : ','}\n${JSON.stringify(await resultRow(entry, images))}`;
    count.rows += 1;
  }
  yield '\n]}\n';
}

/** Writes the rows that were measured. Null, and no file, where there are none. */
export async function writeResults(
  path: string,
  journal: string,
  images: Images,
): Promise<WrittenResults | null> {
  let any = false;
  for await (const { status } of readJournal(journal, ['category'])) any ||= status === 'ok';
  if (!any) return null;
  const count = { rows: 0 };
  await writeAtomic(path, lines(journal, images, count));
  return { path, rows: count.rows };
}
