/** The face of this room: lexicons loaded and checked, found in texts, and mapped to token ids. */
export type { GroupedWord, Lexicon, LexiconGroup, LexiconPair, Occupation } from './lexicon.ts';
export { isShippedName, loadLexicon, shippedLexicons } from './load.ts';
export type {
  Collision,
  DropReason,
  LexiconMapping,
  LexiconMappingJson,
  MapOptions,
  MappedForm,
  MappedGroup,
  MappedWord,
  MultiTokenPolicy,
  TokenSource,
} from './map.ts';
export { mapLexicon, surfaceForms } from './map.ts';
export { parseLexicon } from './parse.ts';
export type { Span, SpanLexicon } from './span.ts';
export { findAllSpans, findSpan } from './span.ts';
export { checkTokenGroups, massName, readTokenGroups, type TokenGroup } from './token-groups.ts';
