/** Placeholder. */
import type { Finding } from './types.ts';

export interface AnchoredOptions {
  /** In capitals. */
  readonly letters: readonly string[];
  readonly unknownIndex: number | null;
  readonly options: readonly string[] | null;
}

export function readAnchored(text: string, { letters }: AnchoredOptions): Finding {
  const index = letters.indexOf(text.trim().toUpperCase());
  return index === -1 ? { kind: 'none', reason: 'no_answer' } : { kind: 'letter', index, rule: 'label' };
}
