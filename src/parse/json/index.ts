/** Public API of this folder: JSON out of what models write, and its fields. Pure functions, no files. */
export { extractJson } from './choose.ts';
export { type FieldFault, readFields } from './fields.ts';
export {
  JSON_COMPATS,
  type JsonCompat,
  type ObjectAnswer,
  type ObjectOptions,
  parseObject,
} from './object.ts';
export { extractOriginal } from './original.ts';
export { checkSchema, type ObjectSchema, readSchema } from './schema.ts';
export {
  type JsonFault,
  type JsonObject,
  type JsonValue,
  type Note,
  type NoteCode,
  type NumberFault,
  type Repair,
  SEVERAL,
  type Several,
} from './types.ts';
