/** Scored files by model, and what of them is where. */
import { AuditError } from '../../../errors.ts';
import { folderOf, modelOf, type Setting } from './result-name.ts';
import { OVERALL } from './row.ts';
import type { ScoredFile } from './score-file.ts';
import type { GroupScores } from './tally.ts';
import type { CellOf } from './totals.ts';

export interface Model {
  readonly name: string;
  readonly files: readonly ScoredFile[];
}

/**
 * The files by model, in natural order of the names. A file without a folder is of the model `given`, else of the one
 * that its own name says; with `dropLoose` it is left out. Throws `bad_argument` for two files of one model and setting.
 */
export function modelsOf(
  files: readonly ScoredFile[],
  { given = null, dropLoose = false }: { given?: string | null; dropLoose?: boolean } = {},
): readonly Model[] {
  const models = new Map<string, Map<string, ScoredFile>>();
  for (const file of files) {
    if (dropLoose && folderOf(file.name) === '') continue;
    const name = modelOf(file.name, file.setting.split, given);
    const own = models.get(name) ?? new Map<string, ScoredFile>();
    models.set(name, own);
    const key = settingKey(file.setting);
    const other = own.get(key);
    if (other !== undefined) throw twice(name, other, file);
    own.set(key, file);
  }
  return [...models]
    .map(([name, own]) => ({ name, files: [...own.values()] }))
    .sort((a, b) => naturalOrder(a.name, b.name));
}

function settingKey({
  scoredAs,
  context,
  polarity,
}: Pick<Setting, 'scoredAs' | 'context' | 'polarity'>): string {
  return `${scoredAs} ${context} ${polarity}`;
}

function twice(model: string, one: ScoredFile, other: ScoredFile): AuditError {
  const message =
    `${one.name} and ${other.name} are both ${settingKey(one.setting)} of the model "${model}"; ` +
    'give each model a folder of its own, with one file a setting';
  return new AuditError('bad_argument', message, { model, files: [one.name, other.name] });
}

/** The group of `category` in a file; undefined where the file has no such rows. */
export function groupIn(file: ScoredFile, category: string): GroupScores | undefined {
  return category === OVERALL ? file.overall : file.byCategory.get(category);
}

export function cellsOf(model: Model, category: string): CellOf {
  const byKey = new Map(model.files.map((file) => [settingKey(file.setting), file]));
  return ({ scoredAs, context }, polarity) => {
    const file = byKey.get(settingKey({ scoredAs, context, polarity }));
    return file && groupIn(file, category);
  };
}

/** Every category that rows have, in the order in which they come. */
export function categoriesOf(files: readonly ScoredFile[]): readonly string[] {
  return [...new Set(files.flatMap(({ byCategory }) => [...byCategory.keys()]))];
}

/** Runs of digits by their number, the rest by lower-case code units; names that are equal so by their code units. */
function naturalOrder(a: string, b: string): number {
  const left = pieces(a);
  const right = pieces(b);
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = at % 2 === 1 ? compareDigits(left[at]!, right[at]!) : compare(left[at]!, right[at]!);
    if (order !== 0) return order;
  }
  return left.length - right.length || compare(a, b);
}

/** Text and digits in turn, beginning with text that may be empty. */
function pieces(name: string): string[] {
  return name.toLowerCase().split(/(\d+)/);
}

function compareDigits(a: string, b: string): number {
  const [left, right] = [a, b].map((digits) => digits.replace(/^0+/, '')) as [string, string];
  return left.length - right.length || compare(left, right);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
