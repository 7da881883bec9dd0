/** The rule for token ids of several groups: such an id counts in none of them, and is listed with what led to it. */

/** An id that two or more groups lead to; it counts in none, unless a mapping says otherwise. */
export interface Collision {
  readonly id: number;
  readonly piece: string;
  readonly groups: readonly string[];
  /** The forms of words that lead to it; none where ids were given. */
  readonly forms: readonly CollidingForm[];
}

interface CollidingForm {
  readonly group: string;
  readonly word: string;
  readonly form: string;
}

/** A group's use of an id; of an id that was given there is no form. */
export interface Use {
  readonly id: number;
  readonly group: string;
  readonly form?: CollidingForm;
}

/** Ids with uses in two or more groups, sorted, still without their pieces. */
export function findCollisions(uses: Iterable<Use>): Omit<Collision, 'piece'>[] {
  const byId = new Map<number, Use[]>();
  for (const use of uses) {
    const known = byId.get(use.id);
    if (known === undefined) byId.set(use.id, [use]);
    else known.push(use);
  }
  return [...byId]
    .map(([id, all]) => ({
      id,
      groups: [...new Set(all.map(({ group }) => group))],
      forms: all.flatMap(({ form }) => (form === undefined ? [] : [form])),
    }))
    .filter(({ groups }) => groups.length > 1)
    .sort((a, b) => a.id - b.id);
}
