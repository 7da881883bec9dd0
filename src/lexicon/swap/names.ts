/**
 * Names of people that are swapped with the words of a lexicon, where somebody gives a list of pairs. Names are told
 * by their case: "Rose" is one, "rose" is none.
 */
import { AuditError } from '../../errors.ts';
import { wholeWords } from '../span.ts';

/** Names and their partners, ready to be found in texts. */
export interface SwapNames {
  readonly pattern: RegExp;
  readonly partners: ReadonlyMap<string, string>;
}

/**
 * Names out of pairs; a name with several partners takes the first. Errors: `data_malformed` for no pairs, an empty
 * name, and a name that stands on both sides: it would be its own partner, or a partner of names of either side.
 */
export function swapNames(pairs: readonly (readonly [string, string])[]): SwapNames {
  if (pairs.length === 0)
    throw new AuditError('data_malformed', 'there are no pairs of names; give at least one');
  const sides = [new Set(pairs.map(([name]) => name)), new Set(pairs.map(([, name]) => name))] as const;
  const partners = new Map<string, string>();
  for (const [index, pair] of pairs.entries()) {
    for (const [side, name] of pair.entries()) {
      const where = `pair ${index + 1} of the names`;
      if (name.trim() === '') {
        throw new AuditError(
          'data_malformed',
          `${where} has an empty name; give both, or leave the pair out`,
          { index },
        );
      }
      if (sides[1 - side]!.has(name)) {
        const message = `${where}: "${name}" stands on both sides of the list; a name is swapped one way only, so take it out of one`;
        throw new AuditError('data_malformed', message, { index, name });
      }
      if (!partners.has(name)) partners.set(name, pair[1 - side]!);
    }
  }
  return { pattern: wholeWords([...partners.keys()], 'gu'), partners };
}
