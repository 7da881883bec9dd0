/** The scored copy of a result file: all that was in it, as it was, and its metrics behind it. */

import { readJsonParts } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { writeAtomic } from '../../../files/atomic.ts';
import { pythonJson } from '../../../report/index.ts';
import { countsBlock, fromEntry, originalBlock, valuesBlock } from './block.ts';
import type { ResultFile } from './results.ts';
import { type FreshScores, isLines, resultRows, type ScoredFile } from './score-file.ts';
import type { Scoring } from './scoring.ts';

const INDENT = 4;
const CLOSE_OBJECT = '}'.charCodeAt(0);

/** Writes the copy to `output`. Throws `data_malformed` for a file that has metrics already, and of `writeAtomic`. */
export async function writeScoredCopy(
  output: string,
  source: string,
  scores: FreshScores,
  scoring: Scoring,
): Promise<void> {
  const added = addedMembers(scores, scoring);
  await writeAtomic(output, isLines(source) ? linesCopy(source, added) : await documentCopy(source, added));
}

/** What stands behind the file's own content, as text of JSON by key. */
function addedMembers(scores: FreshScores, scoring: Scoring): ReadonlyMap<string, string> {
  const json = (value: unknown) => JSON.stringify(value, null, INDENT);
  if (scoring.compat) {
    return new Map([
      ['metrics', pythonJson({ ...originalBlock(scores, 'own') }, INDENT)],
      ['unparsed', pythonJson({ ...originalBlock(scores, 'beside') }, INDENT)],
    ]);
  }
  return new Map([
    ['metrics', json(valuesBlock(scores))],
    ['counts', json(countsBlock(scores))],
    ['scoring', json({ parser: scoring.parser, tailSlice: scoring.tailSlice })],
    ['answers', JSON.stringify(scores.answers)],
  ]);
}

async function documentCopy(
  source: string,
  added: ReadonlyMap<string, string>,
): Promise<Iterable<string | Buffer>> {
  const { bytes, kind, keys } = await readJsonParts(source);
  const tail = [...added].map(([key, text]) => `,\n"${key}": ${text}`).join('');
  if (kind === 'array') return ['{"data": ', bytes, `${tail}}\n`];
  const there = keys.find((key) => added.has(key));
  if (there !== undefined) {
    const message = `${source} has "${there}" already; give the result file as the model run left it`;
    throw new AuditError('data_malformed', message, { file: source, key: there });
  }
  return [bytes.subarray(0, bytes.lastIndexOf(CLOSE_OBJECT)), `${tail}}\n`];
}

async function* linesCopy(source: string, added: ReadonlyMap<string, string>): AsyncGenerator<string> {
  yield '{"data": [';
  let separator = '\n';
  for await (const { value } of resultRows(source)) {
    yield separator + JSON.stringify(value);
    separator = ',\n';
  }
  yield `\n]${[...added].map(([key, text]) => `,\n"${key}": ${text}`).join('')}}\n`;
}

/** The scores in a scored copy, ours or the original's. Throws `data_malformed` where there are none. */
export async function readScoredCopy({ path, name }: ResultFile): Promise<ScoredFile> {
  const parts = await readJsonParts(path);
  const metrics = parts.member('metrics');
  if (typeof metrics !== 'object' || metrics === null) {
    throw new AuditError('data_malformed', `${path} has no "metrics"; score the results again`, {
      file: path,
    });
  }
  const scoring = parts.member('scoring') as { parser?: unknown } | undefined;
  const entry = {
    json_name: name,
    ...metrics,
    ...(scoring?.parser === undefined ? {} : { parser: scoring.parser }),
    ...(parts.member('counts') === undefined ? {} : { counts: parts.member('counts') }),
  };
  return fromEntry(entry, { file: path, index: 0 });
}
