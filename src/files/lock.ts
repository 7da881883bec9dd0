/**
 * That one process alone writes: a lock file, which names the process so exactly that no other is mistaken for it. A killed
 * process leaves its lock behind; whoever comes next takes it over (docs/design/resume.md argues the cases).
 */
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { AuditError } from '../errors.ts';
import { clearTemporaries, temporaryName, writeError } from './atomic.ts';
import { codeOf, lifeOf, orNull, thisProcess } from './living.ts';

const holderSchema = z.object({
  pid: z.int().min(1),
  host: z.string(),
  /** Two locks of one process differ. */
  token: z.string().default(''),
  boot: z.string().nullable().default(null),
  pidSpace: z.string().nullable().default(null),
  started: z.string().nullable().default(null),
  /** When the lock was taken, as an ISO time. */
  since: z.string().nullable().default(null),
});

type Holder = z.infer<typeof holderSchema>;

const read = (path: string): string | null => orNull(() => readFileSync(path, 'utf8'));

/** Tokens of the locks that this process holds. */
const own = new Set<string>();

/** Null for what no lock says: locks are there whole or not at all, so this is damage, or a full disk's leavings. */
function parseHolder(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Is the process that wrote this lock gone, for certain? */
function isLeftBehind(text: string): boolean {
  const holder = parseHolder(text);
  if (holder === null) return true;
  if (own.has(holder.token)) return false;
  const life = lifeOf(holder);
  // Where the system does not tell when a process began, the pid may be this one's, which knows its own locks.
  return life === 'gone' || (life === 'alive' && holder.started === null && holder.pid === process.pid);
}

/** Writes the text under another name, gives that to `place`, and leaves nothing behind. */
function withDraft<T>(path: string, text: string, place: (draft: string) => T): T {
  const draft = temporaryName(path);
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    return place(draft);
  } finally {
    orNull(() => unlinkSync(draft));
  }
}

/** Makes the file with this text, whole or not at all; false where there is one. */
function create(path: string, text: string): boolean {
  try {
    withDraft(path, text, (draft) => linkSync(draft, path));
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    if (!NO_LINKS.has(codeOf(thrown))) throw thrown;
    // A file system without hard links: exclusive too, but not whole in one step.
    return createInPlace(path, text);
  }
}

const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

function createInPlace(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

/**
 * Replaces `dead` by `mine`, the text of a lock that was left behind, in one step. Who may do so is who has the claim
 * on that text, a lock by its hash; a claim that was left behind is replaced in the same way. No text ever comes back, so a
 * claim that comes late finds another text in the lock, and does nothing. False where another process has the claim or had it.
 */
function replace(file: string, dead: string, mine: string, lock: string): boolean {
  const claim = `${lock}.${createHash('sha256').update(dead).digest('hex').slice(0, 12)}.takeover`;
  if (!create(claim, mine)) {
    const other = read(claim);
    if (other === null || !isLeftBehind(other) || !replace(claim, other, mine, lock)) return false;
  }
  try {
    if (read(file) !== dead) return false;
    withDraft(file, mine, (draft) => renameSync(draft, file));
    return true;
  } finally {
    orNull(() => unlinkSync(claim));
  }
}

/** Behind a lock's name; all but the first are of earlier versions. */
const LEAVINGS = /^(\.[0-9a-f]{12}\.takeover|\.takeover(\.[0-9a-f]{12})?|(\.takeover)?\.[0-9a-f]{12}\.tmp)$/;

/** Is this a file that a process left that was killed while it took the lock `name`? */
export function isLeftByTaking(name: string, file: string): boolean {
  return file.startsWith(name) && LEAVINGS.test(file.slice(name.length));
}

/** Removes such files. Only the lock's holder may call it: no claim counts by then. */
function clearClaims(lock: string): void {
  const folder = dirname(lock);
  for (const file of readdirSync(folder)) {
    if (isLeftByTaking(basename(lock), file)) orNull(() => unlinkSync(join(folder, file)));
  }
}

/** Who holds a lock, for a message. One that is left behind still is being taken over. */
function describe(text: string | null): string {
  const holder = text === null || isLeftBehind(text) ? null : parseHolder(text);
  if (holder === null) return 'another process';
  const since = holder.since === null ? '' : `, since ${holder.since}`;
  const { pid, host } = holder;
  return `process ${pid}${host === thisProcess().host ? '' : ` of the machine "${host}"`}${since}`;
}

function take(lock: string, text: string): boolean {
  if (create(lock, text)) return true;
  const before = read(lock);
  // Given back meanwhile.
  if (before === null) return create(lock, text);
  return isLeftBehind(before) && replace(lock, before, text, lock);
}

/**
 * Takes the lock file at `lock`; one that a process left that is gone, or that no process can have written, is taken over.
 * Returns what gives it back. Throws what `held` makes of who has it, and `file_unwritable` and what else {@link writeError} makes.
 */
export function takeLock(lock: string, held: (holder: string) => AuditError): () => void {
  const token = randomBytes(6).toString('hex');
  const text = JSON.stringify({ ...thisProcess(), token, since: new Date().toISOString() });
  const giveBack = () => {
    own.delete(token);
    // Nobody else's.
    if (read(lock) === text) unlinkSync(lock);
  };
  let taken: boolean;
  try {
    taken = take(lock, text);
    if (taken) clearClaims(lock);
  } catch (thrown) {
    try {
      giveBack();
    } catch {
      // The first fault is the one to report.
    }
    throw writeError(lock, thrown);
  }
  if (!taken) throw held(describe(read(lock)));
  own.add(token);
  clearTemporaries(dirname(lock));
  return giveBack;
}
