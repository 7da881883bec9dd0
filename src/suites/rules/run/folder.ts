/** Where the results of a run lie: {model}/{split}/{context}/{phrase}_{mode}[/rag-...][/debug, limit-N or sample-N-seed-S], and what is there already. */

import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { AuditError } from '../../../errors.ts';
import { makeFolder, writeError } from '../../../files/atomic.ts';

export class RunLog {
  readonly #file: string;

  /** Throws `file_unwritable`. */
  constructor(file: string) {
    this.#file = file;
    makeFolder(path.dirname(file), file);
  }

  /** Throws `file_unwritable`, `storage_failed`. */
  write(message: string): void {
    try {
      appendFileSync(this.#file, `${new Date().toISOString()} ${message.replaceAll('\n', ' ')}\n`);
    } catch (cause) {
      throw writeError(this.#file, cause);
    }
  }
}

export interface ResultPlace {
  readonly model: string;
  readonly split: string;
  readonly context: string;
  /** `cot_prefill`, or `baseline`. */
  readonly phrase: string;
  /** Folder of a run with examples; null without. */
  readonly rag: string | null;
  /** Of a run over a part of the data; null for one over all. */
  readonly part: string | null;
}

/** They become folders. */
const FOLDER = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

function checked(key: string, name: string): string {
  if (FOLDER.test(name)) return name;
  const message = `${key} is ${JSON.stringify(name)}, and is to be the name of a folder; give letters, digits, . _ and -`;
  throw new AuditError('bad_argument', message, { key });
}

/** `openai:org/model-x` is `model-x`, and `models/Some.gguf` is `Some`. */
export function modelFolder(model: string): string {
  const stem = model
    .replaceAll('\\', '/')
    .split('/')
    .at(-1)!
    .split(':')
    .at(-1)!
    .replace(/\.gguf$/i, '');
  return stem.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '') || 'model';
}

/** Throws `bad_argument` for what cannot be a folder. */
export function resultFolder(root: string, place: ResultPlace): string {
  const { model, split, context, phrase, rag, part } = place;
  return path.join(
    root,
    checked('modelId', model),
    checked('split', split),
    checked('context', context),
    checked('phrase', phrase),
    ...(rag === null ? [] : [checked('rag', rag)]),
    ...(part === null ? [] : [part]),
  );
}

/** `20260131_235959`, UTC. */
export function stampOf(now: Date): string {
  return now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_');
}

export interface ResultFiles {
  readonly reasoning: string;
  readonly performance: string;
  readonly tidy: string;
  readonly log: string;
  /** The folder of the run itself. */
  readonly run: string;
}

/** Files of a part of the data say so in their names as well. */
export function resultFiles(folder: string, stamp: string, part: string | null): ResultFiles {
  const name = (stem: string, end: string) =>
    path.join(folder, `${stem}_${part === null ? '' : `${part}_`}${stamp}${end}`);
  return {
    reasoning: name('reasoning', '.json'),
    performance: name('performance', '.json'),
    tidy: name('metrics', '.csv'),
    log: name('evaluation', '.log'),
    run: name('run', ''),
  };
}

const RESULT = /^(?:reasoning|performance|metrics)_.*\.(?:json|csv)$/;
const STAMP = /(?<stamp>\d{8}_\d{6})\.\w+$/;

/** The time stamp in the name of a result file; nothing in that of one that no run has named. */
export function stampIn(file: string): string {
  return STAMP.exec(file)?.groups?.stamp ?? '';
}

/** Result files of earlier runs, by name. */
export function earlierResults(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => RESULT.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}

export function isPerformance(file: string): boolean {
  return path.basename(file).startsWith('performance_');
}
