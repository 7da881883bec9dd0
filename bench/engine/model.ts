/** Which model the engine's benchmarks run on, and what is said of it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AuditError } from '../../src/errors.ts';
import { loud } from '../print.ts';

/** What test/model-real/fetch.mjs says of the instruct model, which it fetches and keeps in a cache. */
interface Cached {
  cachedModel(): Promise<{ readonly path: string }>;
}

/**
 * The one that is named; else the instruct model where `npm run test:model` has left it; else the small model beside
 * the checkout, with a word on what it is good for; else null, with a word on that.
 */
export async function chooseModel(root: string, named: string | undefined): Promise<string | null> {
  if (named !== undefined) {
    if (existsSync(named)) return named;
    throw new AuditError('file_not_found', `--model ${named}: there is no such file`, { file: named });
  }
  const fetch = pathToFileURL(path.join(root, 'test/model-real/fetch.mjs')).href;
  const cached = await ((await import(fetch)) as Cached).cachedModel();
  if (existsSync(cached.path)) return cached.path;
  const missing = `the instruct model is not in the cache (${cached.path}; "npm run test:model" fetches it)`;
  const small = path.resolve(root, '../shared/models/stories260K.gguf');
  if (existsSync(small)) {
    loud(
      `${missing}. Running on ${path.basename(small)}: with 512 tokens and a pass of microseconds, ratios of time say little.`,
    );
    return small;
  }
  loud(`SKIPPED: no benchmark of the engine was run. ${missing}, and --model names no other.`);
  return null;
}
