/**
 * Is a process still there that wrote something? It is named so exactly that no other is mistaken for it: not one that got
 * its process id later, nor one of a container that was started again under its name (docs/design/resume.md argues the cases).
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Identity {
  readonly pid: number;
  readonly host: string;
  /** The start of the machine that the process belongs to; null where the system does not tell. */
  readonly boot: string | null;
  /** The space in which `pid` counts: each container has its own. */
  readonly pidSpace: string | null;
  /** When the process began, in ticks since the machine's start. */
  readonly started: string | null;
}

/** `unknown`: of another machine, of which nobody here can know. */
export type Life = 'alive' | 'gone' | 'unknown';

export function codeOf(thrown: unknown): unknown {
  return (thrown as { code?: unknown }).code;
}

/** What `action` gives; null where the file, or the kind of file, is missing. */
export function orNull<T>(action: () => T): T | null {
  try {
    return action();
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

/** Linux tells these under /proc; elsewhere they are null, and a process is known by host and pid alone. */
const bootId = (): string | null =>
  orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))?.trim() ?? null;
const pidSpace = (): string | null => orNull(() => readlinkSync('/proc/self/ns/pid'));

/** Of a process that has ended and that its parent has not asked about: as killed ones are in a container without an init. */
const ENDED: readonly unknown[] = ['Z', 'X'];

/** Fields 3 and 22 of /proc/PID/stat; the command in field 2 may hold spaces and brackets, so fields count from its end. */
function startOf(pid: number): string | null {
  const stat = orProcessGone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || ENDED.includes(fields[0]) ? null : (fields[19] ?? null);
}

/** A process may end between the opening of its file and the reading. */
function orProcessGone(action: () => string): string | null {
  try {
    return orNull(action);
  } catch (thrown) {
    if (codeOf(thrown) === 'ESRCH') return null;
    throw thrown;
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // It is there, and another user's.
    return codeOf(thrown) === 'EPERM';
  }
}

let own: Identity | undefined;

export function thisProcess(): Identity {
  const { pid } = process;
  own ??= { pid, host: hostname(), boot: bootId(), pidSpace: pidSpace(), started: startOf(pid) };
  return own;
}

export function lifeOf({ pid, host, boot, pidSpace: space, started }: Identity): Life {
  const here = thisProcess();
  if (host !== here.host) return 'unknown';
  if (boot !== null && boot !== here.boot) return 'gone';
  if (space !== null && space !== here.pidSpace) return 'gone';
  if (!isThere(pid)) return 'gone';
  return started === null || startOf(pid) === started ? 'alive' : 'gone';
}

const HOST_DIGITS = 6;
const LIFE_DIGITS = 8;
const PID_DIGITS = 8;
const RANDOM_BYTES = 3;

const MARK = /^([0-9a-f]{6})([0-9a-f]{8})([0-9a-f]{8})[0-9a-f]{6}$/;

function digits(value: unknown, count: number): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, count);
}

/** 28 hexadecimal digits for a file's name, never the same twice, by which {@link lifeOfMark} knows this process. */
export function newMark(): string {
  const { pid, host, boot, pidSpace: space, started } = thisProcess();
  const life = digits([boot, space, started], LIFE_DIGITS);
  const random = randomBytes(RANDOM_BYTES).toString('hex');
  return `${digits(host, HOST_DIGITS)}${life}${pid.toString(16).padStart(PID_DIGITS, '0')}${random}`;
}

/** Of the process that made a mark; `unknown` also for what is none. */
export function lifeOfMark(mark: string): Life {
  const [, host, life, hexPid] = MARK.exec(mark) ?? [];
  const here = thisProcess();
  if (hexPid === undefined || host !== digits(here.host, HOST_DIGITS)) return 'unknown';
  const pid = Number.parseInt(hexPid, 16);
  if (!isThere(pid)) return 'gone';
  return life === digits([here.boot, here.pidSpace, startOf(pid)], LIFE_DIGITS) ? 'alive' : 'gone';
}
