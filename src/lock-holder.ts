/**
 * Who holds a lock, in terms that no later process shares: host, boot of the machine, process namespace, pid, and the time at which
 * the process started. A pid alone says little: a container gives the same ones again.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

const schema = z.object({
  pid: z.int().min(1),
  host: z.string().min(1),
  /** Two locks of one process differ. Locks of earlier versions lack what follows. */
  token: z
    .string()
    .regex(/^\w{1,64}$/)
    .optional(),
  boot: z.string().nullish(),
  started: z.string().nullish(),
  namespace: z.number().nullish(),
  since: z.string().max(40).optional(),
});

export type Holder = z.infer<typeof schema>;

/** `unseen`: a process in another container of this machine, about which the system says nothing here. */
export type Presence = 'alive' | 'gone' | 'unseen' | 'elsewhere';

/** Tokens of the locks that this thread holds. */
export const ownTokens = new Set<string>();

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function command(name: string, args: readonly string[]): string | null {
  const text = attempt(() =>
    execFileSync(name, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return text?.trim() || null;
}

function bootId(): string | null {
  if (process.platform === 'linux') {
    return attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  }
  // The date behind the numbers follows the time zone.
  if (process.platform === 'darwin') {
    return command('sysctl', ['-n', 'kern.boottime'])?.match(/sec = (\d+)/)?.[1] ?? null;
  }
  return null;
}

/** When a process started, in a form that is compared and not read; null where the system does not say. */
function startOf(pid: number): string | null {
  if (process.platform === 'linux') {
    const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
    // Field 22; the name in field 2 may hold anything, parentheses too.
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  }
  return process.platform === 'darwin' ? command('ps', ['-o', 'lstart=', '-p', String(pid)]) : null;
}

function namespace(): number | null {
  return process.platform === 'linux' ? attempt(() => statSync('/proc/self/ns/pid').ino) : null;
}

export function describeSelf(token: string): Holder {
  return {
    pid: process.pid,
    host: hostname(),
    token,
    boot: bootId(),
    started: startOf(process.pid),
    namespace: namespace(),
    since: new Date().toISOString(),
  };
}

/** Null for what no process of this program has written. */
export function parseHolder(text: string): Holder | null {
  return attempt(() => schema.parse(JSON.parse(text)));
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // It is there, and another user's.
    return (thrown as { code?: unknown }).code === 'EPERM';
  }
}

export function presenceOf(holder: Holder): Presence {
  const self = describeSelf('');
  const differs = (key: 'boot' | 'namespace') =>
    holder[key] != null && self[key] != null && holder[key] !== self[key];
  if (holder.host !== self.host) return 'elsewhere';
  if (differs('boot')) return 'gone';
  // The number of a namespace is given again only once the namespace is gone, and all of its processes with it.
  if (differs('namespace')) return 'unseen';
  if (holder.token !== undefined && ownTokens.has(holder.token)) return 'alive';
  if (!exists(holder.pid)) return 'gone';
  if (holder.started == null) return holder.pid === process.pid ? 'gone' : 'alive';
  const started = startOf(holder.pid);
  return started !== null && started !== holder.started ? 'gone' : 'alive';
}
