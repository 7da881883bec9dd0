/**
 * Whether all answers of a run are the same: always the letter A, always the lowest value, always one text, or mostly none. Such
 * a run says little of what it asked, whatever its numbers are, and must say so.
 */

/** Of fewer answers it is no wonder that they are alike. */
const LEAST_ANSWERS = 5;
const SHOWN_CHARACTERS = 60;

/** What is known of one kind of answer. */
interface Kind {
  readonly first: string;
  count: number;
  empty: number;
  alike: boolean;
}

export class Alike {
  readonly #kinds = new Map<string, Kind>();

  /** Counts the answers of one row, by what they are ("the likeliest letter"); null: the row has no such answer. */
  add(answers: Readonly<Record<string, string | number | null>>): void {
    for (const [kind, answer] of Object.entries(answers)) {
      if (answer === null) continue;
      const text = String(answer);
      const known = this.#kinds.get(kind) ?? { first: text, count: 0, empty: 0, alike: true };
      known.count += 1;
      known.alike &&= known.first === text;
      if (text.trim() === '') known.empty += 1;
      this.#kinds.set(kind, known);
    }
  }

  /**
   * A sentence for each kind of answer that is the same in all rows, or empty in most of them; and behind them `remedy`, where
   * there is one.
   */
  notes(remedy: string | null = null): string[] {
    const notes = [...this.#kinds].flatMap(([kind, { first, count, empty, alike }]) => {
      if (count < LEAST_ANSWERS || !(alike || empty > count / 2)) return [];
      return alike
        ? `${kind} is the same in all ${count} rows that have one: ${shown(first)}; the model may not have answered what was asked`
        : `${kind} is empty in ${empty} of ${count} rows; the model may not have answered what was asked`;
    });
    return remedy === null || notes.length === 0 ? notes : [...notes, remedy];
  }
}

function shown(text: string): string {
  if (text.trim() === '') return text === '' ? 'an empty text' : 'nothing but spaces';
  const characters = [...text];
  const cut = characters.length > SHOWN_CHARACTERS;
  return JSON.stringify(cut ? `${characters.slice(0, SHOWN_CHARACTERS - 1).join('')}…` : text);
}
