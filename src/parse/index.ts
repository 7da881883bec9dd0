/** Public API of this folder: free text read as what it was asked for. Pure functions, no files. */
export {
  checkSchema,
  extractJson,
  extractOriginal,
  type FieldFault,
  JSON_COMPATS,
  type JsonCompat,
  type JsonFault,
  type JsonObject,
  type JsonValue,
  type Note,
  type NoteCode,
  type NumberFault,
  type ObjectAnswer,
  type ObjectOptions,
  type ObjectSchema,
  parseObject,
  type Repair,
  readFields,
  readSchema,
  SEVERAL,
  type Several,
} from './json/index.ts';
export { parseLetter } from './letter/parse.ts';
export { pluruleLetter } from './letter/plurule.ts';
export {
  LETTER_PARSERS,
  type LetterOptions,
  type LetterParser,
  type LetterReading,
  type LetterStatus,
  UNPARSED_REASONS,
  type UnparsedReason,
} from './letter/types.ts';
