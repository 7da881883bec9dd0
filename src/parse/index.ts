/** The face of this room: free text read as what it was asked for. Pure functions, no files. */
export { parseLetter } from './letter/parse.ts';
export { pluruleLetter } from './letter/plurule.ts';
export {
  LETTER_PARSERS,
  type LetterOptions,
  type LetterParser,
  type LetterReading,
  type LetterRule,
  type LetterStatus,
  type UnparsedReason,
} from './letter/types.ts';
