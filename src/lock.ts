/**
 * That one process alone writes: a lock file, which names the process so exactly that no other is mistaken for it. A killed
 * process leaves its lock behind; whoever comes next takes it over (docs/design/resume.md argues the cases).
 */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, readlinkSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { writeError } from './atomic.ts';
import type { AuditError } from './errors.ts';

const holderSchema = z.object({
  pid: z.int().min(1),
  host: z.string(),
  /** Two locks of one process differ. */
  token: z.string().default(''),
  /** The start of the machine that the process belongs to; null where the system does not tell. */
  boot: z.string().nullable().default(null),
  /** The space in which `pid` counts: each container has its own. */
  pidSpace: z.string().nullable().default(null),
  /** When the process began, in ticks since the machine's start. */
  started: z.string().nullable().default(null),
  /** When the lock was taken, as an ISO time. */
  since: z.string().nullable().default(null),
});

type Holder = z.infer<typeof holderSchema>;

function codeOf(thrown: unknown): unknown {
  return (thrown as { code?: unknown }).code;
}

/** What `action` gives; null where the file, or the kind of file, is missing. */
function orNull<T>(action: () => T): T | null {
  try {
    return action();
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

const read = (path: string): string | null => orNull(() => readFileSync(path, 'utf8'));

/** Linux tells these under /proc; elsewhere they are null, and a process is known by host and pid alone. */
const bootId = (): string | null => read('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
const pidSpace = (): string | null => orNull(() => readlinkSync('/proc/self/ns/pid'));

/** Field 22 of /proc/PID/stat; the command in field 2 may hold spaces and brackets, so fields count from its end. */
function startOf(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // It is there, and another user's.
    return codeOf(thrown) === 'EPERM';
  }
}

/** Tokens of the locks that this process holds. */
const own = new Set<string>();

function self(token: string): Holder {
  return {
    ...{ pid: process.pid, host: hostname(), token },
    ...{ boot: bootId(), pidSpace: pidSpace(), started: startOf(process.pid) },
    since: new Date().toISOString(),
  };
}

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
  // Of another machine nobody here can know.
  if (holder.host !== hostname()) return false;
  if (holder.boot !== bootId() && holder.boot !== null) return true;
  // A container that was started again under its old name: its processes ended with the one before it.
  if (holder.pidSpace !== pidSpace() && holder.pidSpace !== null) return true;
  if (!isAlive(holder.pid)) return true;
  // The pid was given to another process: it began at another time; or it is this one, which knows its own locks.
  if (holder.started !== null) return startOf(holder.pid) !== holder.started;
  return holder.pid === process.pid;
}

/** Makes the file with this text, whole or not at all; false where there is one. */
function create(path: string, text: string, token: string): boolean {
  const draft = `${path}.${token}.tmp`;
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    linkSync(draft, path);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    if (!NO_LINKS.has(codeOf(thrown))) throw thrown;
    // A file system without hard links: exclusive too, but not whole in one step.
    return createInPlace(path, text);
  } finally {
    orNull(() => unlinkSync(draft));
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
 * Removes a lock that was left behind. Only one process at a time does, under a lock of its own, and it looks again there: a
 * lock that somebody took meanwhile is never removed. False where another process is at it.
 */
function clear(lock: string, token: string): boolean {
  const guard = `${lock}.takeover`;
  const left = read(guard);
  if (left !== null && isLeftBehind(left)) setAside(guard, left, token);
  if (!create(guard, JSON.stringify(self(token)), token)) return false;
  try {
    const text = read(lock);
    if (text !== null && isLeftBehind(text)) unlinkSync(lock);
    return true;
  } finally {
    orNull(() => unlinkSync(guard));
  }
}

/** Removes the guard of a process that was killed within {@link clear}; one that somebody else has by now is put back. */
function setAside(guard: string, left: string, token: string): void {
  const aside = `${guard}.${token}`;
  orNull(() => renameSync(guard, aside));
  const text = read(aside);
  if (text !== null && text !== left) create(guard, text, token);
  orNull(() => unlinkSync(aside));
}

/** Who holds a lock, for a message. */
function describe(text: string | null): string {
  const holder = text === null ? null : parseHolder(text);
  if (holder === null) return 'another process';
  const since = holder.since === null ? '' : `, since ${holder.since}`;
  return `process ${holder.pid}${holder.host === hostname() ? '' : ` of the machine "${holder.host}"`}${since}`;
}

/**
 * Takes the lock file at `lock`; one that a process left that is gone, or that no process can have written, is taken over.
 * Returns what gives it back. Throws what `held` makes of who has it, and `file_unwritable` and what else {@link writeError} makes.
 */
export function takeLock(lock: string, held: (holder: string) => AuditError): () => void {
  const token = randomBytes(6).toString('hex');
  const text = JSON.stringify(self(token));
  let taken: boolean;
  try {
    taken = create(lock, text, token);
    if (!taken) {
      const before = read(lock);
      const free = before === null || (isLeftBehind(before) && clear(lock, token));
      taken = free && create(lock, text, token);
    }
  } catch (thrown) {
    throw writeError(lock, thrown);
  }
  if (!taken) throw held(describe(read(lock)));
  own.add(token);
  return () => {
    own.delete(token);
    // Nobody else's.
    if (read(lock) === text) unlinkSync(lock);
  };
}
