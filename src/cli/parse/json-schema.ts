/** The file of `--schema`: YAML or JSON. */
import { readFile } from 'node:fs/promises';
import { invalidFile, readYaml } from '../../catalog/index.ts';
import { fileError } from '../../files/file-error.ts';
import { checkSchema, type ObjectSchema } from '../../parse/index.ts';

/** Throws `file_not_found`, `file_unreadable`, or `schema_invalid` with every fault and its line (`data.faults`). */
export async function readSchemaFile(file: string): Promise<ObjectSchema> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (thrown) {
    throw fileError(file, thrown);
  }
  const yaml = readYaml(bytes, file);
  if (yaml.faults.length > 0) throw invalidFile('schema_invalid', 'schema', file, yaml.faults);
  const { schema, faults } = checkSchema(yaml.value);
  if (schema !== null) return schema;
  const placed = faults.map(({ path, message }) => {
    return { file, path, line: yaml.lineOf(path), message: `${path.join('.') || 'the file'}: ${message}` };
  });
  throw invalidFile('schema_invalid', 'schema', file, placed);
}
