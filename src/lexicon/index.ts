/** Public API of this folder: lexicons kept, loaded and checked, found in texts, and mapped to token ids. */

export { createLexicon, type LexiconContent } from './create.ts';
export { mappingFromIds } from './given-ids.ts';
export type { GroupedWord, Lexicon, LexiconPair } from './lexicon.ts';
export { type ListedLexicon, listLexicons } from './list.ts';
export { loadLexicon, loadShippedLexicon } from './load.ts';
export { locateLexicon, OWN_FOLDER, readLocation, shippedLexicons } from './locate.ts';
export type { LexiconMapping, LexiconMappingJson, MultiTokenPolicy, TokenSource } from './map.ts';
export {
  checkMapped,
  DEFAULT_POLICY,
  MULTI_TOKEN_POLICIES,
  mapLexicon,
  surfaceForms,
  traceLexicon,
} from './map.ts';
export { parseLexicon } from './parse.ts';
export type { SpanLexicon } from './span.ts';
export { findAllSpans, findOccupation, findSpan } from './span.ts';
export { type SwapNames, swapNames } from './swap/names.ts';
export {
  checkRoundTrip,
  type SwapChange,
  type SwapMark,
  type SwapMarkKind,
  type SwapOptions,
  type SwapResult,
  swappedGroups,
  swapText,
} from './swap/swap.ts';
export {
  checkTokenGroups,
  massName,
  readTokenGroups,
  type TokenGroup,
  type TokenGroupsFile,
} from './token-groups.ts';
export type { SavedLexicon } from './update.ts';
export { deleteLexicon, type LexiconChanges, updateLexicon } from './update.ts';
export { validateLexicon } from './validate.ts';
export { needsWordEnd, wordEndIds } from './word-ends.ts';
export { type GroupSource, lexiconFrom, parseGroupFiles } from './word-groups.ts';
