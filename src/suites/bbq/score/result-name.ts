/**
 * What the name of a result file says: which split, context and polarity was asked, and of which model. The names are
 * MultiBBQ's: `{model}_{size}_{split}_{polarity}_{context}[_suffix].json` in a folder of the model.
 */
import { posix } from 'node:path';
import { AuditError } from '../../../errors.ts';

export type Polarity = 'negative' | 'nonnegative';
export type Context = 'ambiguous' | 'disambiguous';
export const POLARITIES: readonly Polarity[] = ['negative', 'nonnegative'];

/** What the rows of one file were asked. */
export interface Setting {
  /** As the file is named; `text` is the language split without its image. */
  readonly split: 'visual_language' | 'visual_only' | 'text';
  /** By which rules it is scored. */
  readonly scoredAs: 'visual_language' | 'visual_only';
  readonly context: Context;
  readonly polarity: Polarity;
}

export interface ReadName {
  readonly setting: Setting;
  /** What had to be taken for granted, because the name does not say it. */
  readonly notes: readonly string[];
}

const SCORED = '_w_metrics';

/** Name of the scored copy of a result file, as a path relative to the same root, with `/`. */
export function scoredName(name: string): string {
  return `${name.replace(/\.jsonl?$/i, '')}${SCORED}.json`;
}

export function isScoredName(name: string): boolean {
  return name.endsWith(`${SCORED}.json`);
}

/** The name without folder, ending, and the mark of a scored copy. */
export function stemOf(name: string): string {
  const base = posix.basename(name).replace(/\.jsonl?$/i, '');
  return base.endsWith(SCORED) ? base.slice(0, -SCORED.length) : base;
}

/** What the name says, or null for a name that says no split: such a file is no result file. */
export function readName(name: string): ReadName | null {
  const stem = stemOf(name);
  const words = new Set(stem.split('_'));
  const split = splitOf(stem, words);
  if (split === null) return null;
  const notes: string[] = [];
  const polarity = words.has('negative') ? 'negative' : 'nonnegative';
  if (!words.has(polarity)) notes.push(`${name}: the name says no polarity; taken as nonnegative`);
  const context = words.has('ambiguous') ? 'ambiguous' : 'disambiguous';
  const scoredAs = split === 'visual_only' ? 'visual_only' : 'visual_language';
  if (scoredAs === 'visual_only') {
    if (context !== 'ambiguous') notes.push(`${name}: visual_only has no context; scored as ambiguous`);
    return { setting: { split, scoredAs, context: 'ambiguous', polarity }, notes };
  }
  if (!words.has(context)) notes.push(`${name}: the name says no context; taken as disambiguous`);
  return { setting: { split, scoredAs, context, polarity }, notes };
}

/** {@link readName}, for a file that has to be a result file. Throws `bad_argument`. */
export function requireName(name: string): ReadName {
  const read = readName(name);
  if (read !== null) return read;
  const wanted = 'visual_language, visual_only, or text between underscores';
  const message = `${name}: the name says no split; name the file with ${wanted}, or score BBQ rows with predictions by "score bbq --format bbq"`;
  throw new AuditError('bad_argument', message, { file: name });
}

function splitOf(stem: string, words: ReadonlySet<string>): Setting['split'] | null {
  if (stem.includes('visual_language')) return 'visual_language';
  if (stem.includes('visual_only')) return 'visual_only';
  return words.has('text') ? 'text' : null;
}

/** The folder of a file, which is the name of its model; empty for a file that lies in none. */
export function folderOf(name: string): string {
  const folder = posix.dirname(name);
  return folder === '.' ? '' : folder;
}

/** The model of a file: its folder, else `given`, else what its name says in front of the split. */
export function modelOf(name: string, split: Setting['split'], given: string | null): string {
  const folder = folderOf(name);
  if (folder !== '') return folder;
  if (given !== null) return given;
  const stem = stemOf(name);
  const [before = ''] = stem.split(split === 'text' ? /_text(?:_|$)/ : `_${split}`, 1);
  return before === '' ? stem : before;
}
