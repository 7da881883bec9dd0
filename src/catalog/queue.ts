/** Changes to one file in turn: each reads what the one before it wrote, so that none is lost. */
import path from 'node:path';

const last = new Map<string, Promise<unknown>>();

/** Runs `change` when the changes to `file` that this process began before have ended, well or not. */
export async function oneAtATime<T>(file: string, change: () => Promise<T>): Promise<T> {
  const key = path.resolve(file);
  const turn = (last.get(key) ?? Promise.resolve()).then(change, change);
  last.set(key, turn);
  try {
    return await turn;
  } finally {
    if (last.get(key) === turn) last.delete(key);
  }
}
