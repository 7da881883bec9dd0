/** Is a process gone? Waits for it: an exit is told to its parent a moment after it happened. */
import { expect } from 'vitest';

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export async function expectGone(pid: number): Promise<void> {
  await expect.poll(() => runs(pid), { timeout: 10_000 }).toBe(false);
}
