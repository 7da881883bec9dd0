/** Writing the user's own lexicons: what is written has been read back and found right first. */

import { describeFault, type PlacedFault, unwrittenFile } from '../catalog/index.ts';
import { writeAtomic } from '../files/atomic.ts';
import type { Lexicon } from './lexicon.ts';
import { examineLocated } from './load.ts';
import { type LexiconLocation, shippedLexicons } from './locate.ts';

export interface SavedLexicon {
  readonly name: string;
  readonly file: string;
  /** Is it used in the place of a shipped one from now on? */
  readonly overridesShipped: boolean;
  readonly lexicon: Lexicon;
  /** What was passed over: words given twice, or that were there already. */
  readonly warnings: readonly string[];
}

/** Checks and writes `text` to its place. Throws `lexicon_invalid`, `file_unwritable`. */
export async function saveLexicon(
  location: LexiconLocation,
  text: string,
  warnings: readonly string[],
): Promise<SavedLexicon> {
  const bytes = new TextEncoder().encode(text);
  const { lexicon, faults } = examineLocated(location, bytes);
  if (lexicon === null) throw unwrittenFile('lexicon_invalid', 'lexicon', location.shown, faults);
  await writeAtomic(location.path, [bytes]);
  const overridesShipped = (await shippedLexicons()).includes(location.name!);
  return { name: location.name!, file: location.path, overridesShipped, lexicon, warnings };
}

export function toMessages(warnings: readonly PlacedFault[]): string[] {
  return warnings.map((warning) => describeFault(warning, ''));
}
