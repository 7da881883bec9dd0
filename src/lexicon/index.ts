/** Public API of this folder: lexicons kept, loaded and checked, found in texts, and mapped to token ids. */

export { describeFault, type PlacedFault } from '../catalog/index.ts';
export type { Collision } from './collisions.ts';
export { createLexicon, type LexiconContent } from './create.ts';
export { mappingFromIds } from './given-ids.ts';
export type { GroupedWord, Lexicon, LexiconGroup, LexiconPair, Occupation } from './lexicon.ts';
export { type LexiconList, type LexiconSummary, type ListedLexicon, listLexicons } from './list.ts';
export { type LoadOptions, loadLexicon, loadShippedLexicon } from './load.ts';
export {
  type FolderOptions,
  type LexiconLocation,
  locateLexicon,
  OWN_FOLDER,
  readLocation,
  shippedLexicons,
} from './locate.ts';
export type {
  DropReason,
  LexiconMapping,
  LexiconMappingJson,
  MapOptions,
  MappedForm,
  MappedGroup,
  MappedWord,
  MultiTokenPolicy,
  SharedIds,
  TokenSource,
} from './map.ts';
export {
  checkMapped,
  DEFAULT_POLICY,
  MULTI_TOKEN_POLICIES,
  mapLexicon,
  surfaceForms,
  traceLexicon,
} from './map.ts';
export { parseLexicon } from './parse.ts';
export type { Span, SpanLexicon } from './span.ts';
export { findAllSpans, findOccupation, findSpan } from './span.ts';
export { type SwapNames, swapNames } from './swap/names.ts';
export {
  checkRoundTrip,
  type NotSwapped,
  type RoundTrip,
  type SwapChange,
  type SwapMark,
  type SwapMarkKind,
  type SwapOptions,
  type Swapped,
  type SwapReason,
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
export {
  type DeletedLexicon,
  deleteLexicon,
  type LexiconChanges,
  type UpdatedLexicon,
  updateLexicon,
} from './update.ts';
export { type LexiconReport, validateLexicon } from './validate.ts';
export { needsWordEnd, wordEndIds } from './word-ends.ts';
export { type GroupSource, lexiconFrom, parseGroupFiles, UNKNOWN_LANGUAGE } from './word-groups.ts';
