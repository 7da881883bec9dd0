/** People in threads are called USER1, USER2 and so on, and mentions of them are taken out. */
import type { RulesPair } from '../data/pair.ts';
import type { ThreadType } from '../thread-type.ts';

/** One name for all whose name is not known any more. */
const UNKNOWN = '[deleted]';

/** As letters and digits of all scripts are. */
const MENTION = /u\/[\p{L}\p{N}_]+/gu;

/**
 * The text without `u/NAME`, wherever it stands: also at the end of another word ("menu/soup"), as the original has it. A
 * capital U is none, and what follows a name that such characters do not make up ("-9") stays.
 */
export function withoutMentions(text: string): string {
  return text.replace(MENTION, '');
}

/** Numbers by author: 1 is who wrote the submission, the others follow as they appear in the thread. */
export class Authors {
  readonly #numbers = new Map<string, number>();

  constructor(pair: RulesPair, type: ThreadType) {
    const { comments } = pair.threads[type];
    for (const author of [pair.submission.author, ...comments.map((comment) => comment.author)]) {
      if (!this.#numbers.has(author || UNKNOWN)) {
        this.#numbers.set(author || UNKNOWN, this.#numbers.size + 1);
      }
    }
  }

  numberOf(author: string): number {
    return this.#numbers.get(author || UNKNOWN)!;
  }
}
