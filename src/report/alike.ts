/**
 * Whether all answers of a run are the same: always the letter A, always the lowest value, always one text. Such a run
 * says little of what it asked, whatever its numbers are, and must say so.
 */

/** Of fewer answers it is no wonder that they are alike. */
const LEAST_ANSWERS = 5;
const SHOWN_CHARACTERS = 60;

export class Alike {
  readonly #kinds = new Map<string, { readonly first: string; count: number; alike: boolean }>();

  /** Counts the answers of one row, by what they are ("the likeliest letter"); null: the row has no such answer. */
  add(answers: Readonly<Record<string, string | number | null>>): void {
    for (const [kind, answer] of Object.entries(answers)) {
      if (answer === null) continue;
      const text = String(answer);
      const known = this.#kinds.get(kind);
      if (known === undefined) this.#kinds.set(kind, { first: text, count: 1, alike: true });
      else {
        known.count += 1;
        known.alike &&= known.first === text;
      }
    }
  }

  /** A sentence for each kind of answer that is the same in all rows. */
  notes(): string[] {
    return [...this.#kinds]
      .filter(([, { alike, count }]) => alike && count >= LEAST_ANSWERS)
      .map(([kind, { first, count }]) => {
        return `${kind} is the same in all ${count} rows that have one: ${shown(first)}; the model may not have answered what was asked`;
      });
  }
}

function shown(text: string): string {
  if (text.trim() === '') return text === '' ? 'an empty text' : 'nothing but spaces';
  const characters = [...text];
  const cut = characters.length > SHOWN_CHARACTERS;
  return JSON.stringify(cut ? `${characters.slice(0, SHOWN_CHARACTERS - 1).join('')}…` : text);
}
