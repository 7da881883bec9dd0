/** Public API of this folder: JSON out of what models write, and its fields. Pure functions, no files. */
export { extractJson } from './choose.ts';
export { type FieldFault, type FieldsAnswer, type FieldsOptions, readFields } from './fields.ts';
export {
  JSON_COMPATS,
  type JsonCompat,
  type ObjectAnswer,
  type ObjectOptions,
  parseObject,
} from './object.ts';
export { extractOriginal } from './original.ts';
export {
  type CheckedSchema,
  checkSchema,
  type EnumField,
  type FieldSchema,
  type ObjectSchema,
  readSchema,
  type SchemaFault,
} from './schema.ts';
export {
  type JsonAnswer,
  type JsonFault,
  type JsonObject,
  type JsonOptions,
  type JsonValue,
  type Note,
  type NoteCode,
  type NumberFault,
  REPAIRS,
  type Repair,
  SEVERAL,
  type Several,
} from './types.ts';
